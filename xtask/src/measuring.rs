//! The options of all commands that measure a netload, and the loop that reads them.
//!
//! Leaves out what single commands add; they say what their own options are. Invariant: an unknown option or part is
//! an error, never passed over.

use std::path::PathBuf;
use std::str::FromStr;

use crate::shell;

type Failure = Box<dyn std::error::Error>;

/// What follows the profile and the binary in each help text.
pub(crate) const HELP: &str = "  --profile NAME   the cargo profile netload is built with (dist)
  --binary PATH    this netload instead of building one
";

/// What is measured, and on what.
pub(crate) struct Measuring {
    /// The parts that were asked for; all of them when empty.
    pub(crate) only: Vec<String>,
    profile: String,
    binary: Option<PathBuf>,
}

/// The arguments behind an option.
pub(crate) struct Values<'a> {
    option: &'a str,
    rest: std::slice::Iter<'a, String>,
}

impl<'a> Values<'a> {
    /// The next one as it is.
    pub(crate) fn text(&mut self) -> Result<&'a String, Failure> {
        let missing = || format!("{} needs a value", self.option).into();
        self.rest.next().ok_or_else(missing)
    }

    /// The next one as a number that is at least 1.
    pub(crate) fn number<T: FromStr + PartialOrd + From<u8>>(&mut self) -> Result<T, Failure> {
        let text = self.text()?;
        let refused = || format!("{} takes a number of at least 1, not {text}", self.option);
        let number = text.parse().ok().filter(|number| *number >= T::from(1));
        Ok(number.ok_or_else(refused)?)
    }
}

impl Measuring {
    /// Reads what was typed; none when help is asked for. `parts` are the names that `--only` takes. `own` takes an option
    /// of the command itself, and tells whether there is such a one.
    pub(crate) fn read(
        arguments: &[String],
        parts: &[&str],
        mut own: impl FnMut(&str, &mut Values<'_>) -> Result<bool, Failure>,
    ) -> Result<Option<Self>, Failure> {
        let mut read = Self {
            only: Vec::new(),
            profile: "dist".into(),
            binary: None,
        };
        let mut values = Values {
            option: "",
            rest: arguments.iter(),
        };
        while let Some(option) = values.rest.next() {
            values.option = option;
            match option.as_str() {
                "--help" | "-h" => return Ok(None),
                "--only" => read.only.push(values.text()?.clone()),
                "--profile" => read.profile = values.text()?.clone(),
                "--binary" => read.binary = Some(values.text()?.into()),
                other if own(other, &mut values)? => {}
                unknown => return Err(format!("unknown option {unknown}; see --help").into()),
            }
        }
        match read
            .only
            .iter()
            .find(|name| !parts.contains(&name.as_str()))
        {
            Some(name) => Err(format!("there is no {name:?} to measure; see --help").into()),
            None => Ok(Some(read)),
        }
    }

    /// Whether a part was asked for.
    pub(crate) fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == part)
    }

    /// The netload that is measured: the one that was named, or one that is built now.
    pub(crate) fn netload(&self) -> Result<PathBuf, Failure> {
        match &self.binary {
            Some(path) => Ok(std::path::absolute(path)?),
            None => shell::netload(&self.profile),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<(Option<Measuring>, u64), String> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let mut runs = 7;
        let read = Measuring::read(&arguments, &["speed", "size"], |option, values| {
            match option {
                "--runs" => runs = values.number()?,
                _ => return Ok(false),
            }
            Ok(true)
        });
        let read = read.map_err(|error| error.to_string())?;
        Ok((read, runs))
    }

    #[test]
    fn options_of_all_and_of_the_command_are_read_in_any_order() {
        let (all, runs) = read("--runs 3 --only size --profile release").unwrap();
        let all = all.unwrap();
        assert_eq!((runs, all.profile.as_str()), (3, "release"));
        assert!(all.wants("size") && !all.wants("speed"));
        let (none, runs) = read("").unwrap();
        assert!(runs == 7 && none.unwrap().wants("speed"));
        assert!(read("--runs 3 -h").unwrap().0.is_none());
    }

    #[test]
    fn mistakes_are_named() {
        let mistakes = [
            ("--runs", "--runs needs a value"),
            ("--runs 0", "--runs takes a number of at least 1, not 0"),
            (
                "--only space",
                "there is no \"space\" to measure; see --help",
            ),
            ("--fast", "unknown option --fast; see --help"),
        ];
        for (line, said) in mistakes {
            assert_eq!(read(line).err().as_deref(), Some(said));
        }
    }
}
