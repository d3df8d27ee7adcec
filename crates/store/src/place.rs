//! Where the store is when nobody says so.

use std::path::PathBuf;

/// `netload/runs.db` in the user's data folder by the XDG rules: `$XDG_DATA_HOME`, else `$HOME/.local/share`. None when
/// the environment names neither.
pub fn default_path(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(variable(name)?);
        path.is_absolute().then_some(path)
    };
    let data =
        absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("netload").join("runs.db"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_folder_wins_over_the_home() {
        let of = |pairs: &[(&str, &str)]| {
            let find = |name: &str| {
                pairs
                    .iter()
                    .find(|(k, _)| *k == name)
                    .map(|(_, v)| (*v).to_owned())
            };
            default_path(find).map(|path| path.display().to_string())
        };
        let both = [("XDG_DATA_HOME", "/d"), ("HOME", "/h")];
        assert_eq!(of(&both).as_deref(), Some("/d/netload/runs.db"));
        let relative = [("XDG_DATA_HOME", "d"), ("HOME", "/h")];
        assert_eq!(
            of(&relative).as_deref(),
            Some("/h/.local/share/netload/runs.db")
        );
        assert_eq!(of(&[]), None);
    }
}
