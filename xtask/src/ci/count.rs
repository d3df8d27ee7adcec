//! How many passed and failed, also as told by `cargo test`.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::Failure;

/// Passed and failed tests, or steps that count as one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Count {
    /// One that passed or failed.
    pub(crate) fn of(passed: bool) -> Count {
        Count {
            passed: usize::from(passed),
            failed: usize::from(!passed),
        }
    }

    /// Adds another count.
    pub(crate) fn add(&mut self, other: Count) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Runs `cargo test`, shows its output and adds up what it says.
pub(crate) fn tests(command: &mut Command) -> Result<Count, Failure> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut total = Count::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            // A line for each of hundreds of good tests would hide the bad ones.
            if !line.ends_with(" ... ok") && !line.is_empty() {
                println!("{line}");
            }
            if let Some(count) = result(&line) {
                total.add(count);
            }
        }
    }
    let status = child.wait()?;
    // Code that does not compile fails without naming a test.
    if !status.success() && total.failed == 0 {
        total.failed = 1;
    }
    Ok(total)
}

/// The numbers in `test result: ok. 3 passed; 1 failed; ...`.
fn result(line: &str) -> Option<Count> {
    let numbers = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let number = |label: &str| {
        numbers
            .split("; ")
            .find_map(|part| part.strip_suffix(label)?.trim().parse().ok())
    };
    Some(Count {
        passed: number("passed")?,
        failed: number("failed")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_cargo_test_are_added_up() {
        let line = "test result: FAILED. 13 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.0s";
        let expected = Count {
            passed: 13,
            failed: 2,
        };
        assert_eq!(result(line), Some(expected));
        assert_eq!(result("test a ... ok"), None);
    }
}
