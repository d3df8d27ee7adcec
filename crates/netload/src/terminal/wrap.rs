//! Lines that fit a terminal: what is too wide goes on below, further in. Colours do not count as columns.

/// How much further in a line goes on than it begins.
const HANGING: usize = 4;

/// The text with every line at most `width` columns wide, as far as blanks allow it.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    text.lines().map(|line| one(line, width) + "\n").collect()
}

fn one(line: &str, width: usize) -> String {
    let indent = line.len() - line.trim_start().len();
    let mut wrapped = " ".repeat(indent);
    let mut column = indent;
    for (at, word) in line.trim_start().split(' ').enumerate() {
        let needed = columns(word);
        if at > 0 && column + 1 + needed > width {
            column = indent + HANGING;
            wrapped += "\n";
            wrapped += &" ".repeat(column);
        } else if at > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped += word;
        column += needed;
    }
    wrapped
}

/// Columns that a text without blanks takes.
fn columns(text: &str) -> usize {
    let mut in_escape = false;
    text.chars()
        .filter(|c| {
            let counts = !in_escape && *c != '\x1b';
            in_escape = (in_escape || *c == '\x1b') && *c != 'm';
            counts
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_lines_go_on_below() {
        assert_eq!(wrapped("  ab cd ef\n", 8), "  ab cd\n      ef\n");
        assert_eq!(wrapped("short\n\n", 8), "short\n\n");
        assert_eq!(wrapped("endlessword x", 5), "endlessword\n    x\n");
    }

    #[test]
    fn colours_take_no_room() {
        assert_eq!(wrapped("\x1b[1mab\x1b[0m cd", 5), "\x1b[1mab\x1b[0m cd\n");
    }
}
