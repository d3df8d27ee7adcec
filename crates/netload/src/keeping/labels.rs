//! What tells runs apart: labels that were typed, and branch and commit where they can be found.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::typed::Typed;

/// Variables of CI services that name the branch and the commit: GitHub, GitLab, Jenkins, CircleCI, Azure, Bitbucket.
const BRANCH: [&str; 7] = [
    "GITHUB_HEAD_REF",
    "GITHUB_REF_NAME",
    "CI_COMMIT_REF_NAME",
    "BRANCH_NAME",
    "CIRCLE_BRANCH",
    "BUILD_SOURCEBRANCHNAME",
    "BITBUCKET_BRANCH",
];
const COMMIT: [&str; 6] = [
    "GITHUB_SHA",
    "CI_COMMIT_SHA",
    "GIT_COMMIT",
    "CIRCLE_SHA1",
    "BUILD_SOURCEVERSION",
    "BITBUCKET_COMMIT",
];
/// So much of a commit tells it from others.
const COMMIT_DIGITS: usize = 12;

/// The labels of a run.
pub(crate) fn of(typed: &Typed) -> Result<BTreeMap<String, String>, Failure> {
    let (branch, commit) = git(&std::env::current_dir().unwrap_or_default());
    let variable = |names: &[&str]| {
        let mut values = names.iter().filter_map(|name| typed.environment.get(*name));
        values.find(|value| !value.is_empty()).cloned()
    };
    let mut labels = BTreeMap::new();
    labels.extend(
        variable(&BRANCH)
            .or(branch)
            .map(|b| ("branch".to_owned(), b)),
    );
    let commit = variable(&COMMIT).or(commit);
    let short = commit.map(|c| c.chars().take(COMMIT_DIGITS).collect());
    labels.extend(short.map(|c| ("commit".to_owned(), c)));
    labels.extend(named(typed)?);
    Ok(labels)
}

/// The labels that were typed.
pub(crate) fn named(typed: &Typed) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(Failure::usage(format!("`{text}` is no label"))
            .at("--label")
            .hint("write it as NAME=VALUE")),
    };
    typed.texts("label").iter().map(pair).collect()
}

/// Branch and commit of the git folder above a folder, read from its files.
fn git(folder: &Path) -> (Option<String>, Option<String>) {
    let Some(git) = folder.ancestors().find_map(git_folder) else {
        return (None, None);
    };
    let read = |path: PathBuf| {
        fs::read_to_string(path)
            .ok()
            .map(|text| text.trim().to_owned())
    };
    let Some(head) = read(git.join("HEAD")) else {
        return (None, None);
    };
    let Some(reference) = head.strip_prefix("ref: ") else {
        return (None, Some(head));
    };
    let common = read(git.join("commondir")).map_or(git.clone(), |common| git.join(common));
    let loose = read(git.join(reference)).or_else(|| read(common.join(reference)));
    let commit = loose.or_else(|| {
        let packed = read(common.join("packed-refs"))?;
        let line = packed
            .lines()
            .find(|line| line.ends_with(&format!(" {reference}")))?;
        Some(line.split(' ').next()?.to_owned())
    });
    (
        reference.strip_prefix("refs/heads/").map(str::to_owned),
        commit,
    )
}

/// The git folder of a working tree; of a further tree the one that its file names.
fn git_folder(tree: &Path) -> Option<PathBuf> {
    let git = tree.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(&git).ok()?;
    Some(tree.join(text.strip_prefix("gitdir:")?.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branch_and_commit_are_read_from_the_git_folder() {
        let tree = std::env::temp_dir().join(format!("netload-labels-{}", std::process::id()));
        fs::create_dir_all(tree.join(".git/refs/heads/fix")).unwrap();
        fs::create_dir_all(tree.join("inner")).unwrap();
        fs::write(tree.join(".git/HEAD"), "ref: refs/heads/fix/slow\n").unwrap();
        assert_eq!(git(&tree), (Some("fix/slow".to_owned()), None));
        fs::write(
            tree.join(".git/packed-refs"),
            "# pack\n0123 refs/heads/fix/slow\n",
        )
        .unwrap();
        let found = (Some("fix/slow".to_owned()), Some("0123".to_owned()));
        assert_eq!(git(&tree.join("inner")), found);
        fs::write(tree.join(".git/HEAD"), "4567\n").unwrap();
        assert_eq!(git(&tree), (None, Some("4567".to_owned())));
        fs::remove_dir_all(tree).unwrap();
    }
}
