//! The live view on a terminal as the bytes that change it: only lines that differ are written, in one piece.
//!
//! Pure. A view is lines with their line ends; the cursor stands below its last one.

/// What makes the new view out of the old one. Both were drawn at the same width, and each line takes one row there.
pub(super) fn change(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    if old == new {
        return String::new();
    }
    let mut text = format!("\r\x1b[{}A", old.len());
    for (at, line) in new.iter().enumerate() {
        match old.get(at) {
            Some(before) if before == line => text += "\n",
            // The rest of the line is cleared after the text, so that the text itself is never gone for a moment.
            _ => text += &format!("{line}\x1b[K\n"),
        }
    }
    if new.len() < old.len() {
        text += "\x1b[J";
    }
    text
}

/// What takes a view away: up to its first line, and everything below is cleared. A terminal that was made narrower has
/// broken its lines.
pub(super) fn erase(frame: &str, columns: usize) -> String {
    match rows(frame, columns) {
        0 => String::new(),
        rows => format!("\r\x1b[{rows}A\x1b[J"),
    }
}

/// Rows that a view takes on a terminal so wide.
pub(super) fn rows(frame: &str, columns: usize) -> usize {
    let of_line = |line: &str| width(line).div_ceil(columns.max(1)).max(1);
    frame.lines().map(of_line).sum()
}

/// Columns of a line without its colours.
fn width(line: &str) -> usize {
    let mut seen = 0;
    let mut in_escape = false;
    for c in line.chars() {
        match (in_escape, c) {
            (false, '\u{1b}') => in_escape = true,
            (false, _) => seen += 1,
            (true, c) => in_escape = !c.is_ascii_alphabetic(),
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal of two dozen lines that knows the sequences used here.
    fn draw(screen: &mut [String], row: &mut usize, bytes: &str) {
        let mut column = 0;
        let mut rest = bytes.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '\r' => column = 0,
                '\n' => {
                    *row += 1;
                    column = 0;
                }
                '\u{1b}' => {
                    assert_eq!(rest.next(), Some('['));
                    let mut number = String::new();
                    let end = loop {
                        match rest.next() {
                            Some(d) if d.is_ascii_digit() => number.push(d),
                            other => break other,
                        }
                    };
                    match end {
                        Some('A') => *row -= number.parse::<usize>().unwrap(),
                        Some('K') => {
                            let kept: String = screen[*row].chars().take(column).collect();
                            screen[*row] = kept;
                        }
                        Some('J') => screen[*row..].iter_mut().for_each(String::clear),
                        other => panic!("{other:?}"),
                    }
                }
                c => {
                    let mut line: Vec<char> = screen[*row].chars().collect();
                    line.resize(line.len().max(column + 1), ' ');
                    line[column] = c;
                    screen[*row] = line.into_iter().collect();
                    column += 1;
                }
            }
        }
    }

    #[test]
    fn whatever_changes_the_screen_shows_the_new_view() {
        let views = [
            "a\nbb\nccc\n",
            "a\nbb\nccc\n",
            "a\nB\nccc\n",
            "a\nB\nccc\nd\ne\n",
            "x\n",
            "x\ny\n",
        ];
        let mut screen = vec![String::new(); 24];
        let mut row = 0;
        draw(&mut screen, &mut row, views[0]);
        for pair in views.windows(2) {
            draw(&mut screen, &mut row, &change(pair[0], pair[1]));
            let shown: Vec<&str> = screen.iter().map(|l| l.trim_end()).collect();
            let lines: Vec<&str> = pair[1].lines().collect();
            assert_eq!(&shown[..lines.len()], lines);
            assert!(
                shown[lines.len()..].iter().all(|l| l.is_empty()),
                "{shown:?}"
            );
            assert_eq!(row, lines.len());
        }
        draw(&mut screen, &mut row, &erase(views[5], 80));
        assert!(screen.iter().all(String::is_empty));
        assert_eq!(row, 0);
    }

    #[test]
    fn lines_that_stay_are_not_written_again() {
        assert_eq!(
            change("same\nold\n", "same\nnew\n"),
            "\r\x1b[2A\nnew\x1b[K\n"
        );
        assert_eq!(change("same\n", "same\n"), "");
    }

    #[test]
    fn a_narrower_terminal_has_broken_the_lines() {
        assert_eq!(erase("0123456789\nab\n", 4), "\r\x1b[4A\x1b[J");
        assert_eq!(erase("\x1b[31m0123\x1b[0m\n", 4), "\r\x1b[1A\x1b[J");
        assert_eq!(erase("", 80), "");
    }

    #[test]
    fn a_view_on_a_narrower_terminal_takes_more_rows_than_lines() {
        let view = "\x1b[32mnine char\x1b[0m\n\nab\n";
        assert_eq!([9, 8, 4].map(|columns| rows(view, columns)), [3, 4, 5]);
        assert_eq!(erase(view, 4), "\r\x1b[5A\x1b[J");
        assert_eq!(erase("", 4), "");
    }
}
