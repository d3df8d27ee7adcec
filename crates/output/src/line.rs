//! One line of text in pieces, so that padding and cutting count what is seen and not the colours.

use crate::palette::{Palette, Style};

/// A line under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pieces: Vec<(String, Option<Style>)>,
    width: usize,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A line that begins with blanks.
    pub(crate) fn indented(columns: usize) -> Self {
        Self::new().blank_to(columns)
    }

    /// Adds text without a style.
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.push(text.into(), None);
        self
    }

    /// Adds text with a style.
    pub(crate) fn styled(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(text.into(), Some(style));
        self
    }

    /// Adds another line.
    pub(crate) fn append(mut self, other: Self) -> Self {
        self.width += other.width;
        self.pieces.extend(other.pieces);
        self
    }

    /// Adds blanks until the line is so wide; a wider line stays as it is.
    pub(crate) fn blank_to(self, column: usize) -> Self {
        let missing = column.saturating_sub(self.width);
        self.text(" ".repeat(missing))
    }

    /// How many columns are seen.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The line cut to a width; a cut line ends with `…`.
    pub(crate) fn cut(mut self, width: usize) -> Self {
        if self.width <= width {
            return self;
        }
        let mut left = width.saturating_sub(1);
        let mut kept = Self::new();
        for (text, style) in self.pieces.drain(..) {
            let part: String = text.chars().take(left).collect();
            left -= part.chars().count();
            kept.push(part, style);
            if left == 0 {
                break;
            }
        }
        if width > 0 { kept.text("…") } else { kept }
    }

    /// The text with colours, without blanks at the end.
    pub(crate) fn paint(&self, palette: Palette) -> String {
        let is_blank = |(text, _): &(String, _)| text.trim_end().is_empty();
        let end = self.pieces.iter().rposition(|piece| !is_blank(piece));
        let mut out = String::new();
        for (at, (text, style)) in self.pieces.iter().enumerate() {
            let text = match end {
                Some(end) if at < end => text,
                Some(end) if at == end => text.trim_end(),
                _ => break,
            };
            match style {
                Some(style) => out.push_str(&palette.paint(*style, text)),
                None => out.push_str(text),
            }
        }
        out
    }

    fn push(&mut self, text: String, style: Option<Style>) {
        self.width += text.chars().count();
        self.pieces.push((text, style));
    }
}

/// Keeps the words on both sides of it together when a text is wrapped.
pub(crate) const GLUE: char = '\u{a0}';

/// Text broken between words into lines of at most `width` columns; a longer word stands alone.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if used + 1 + length <= width => {
                line.push(' ');
                line.push_str(&word.replace(GLUE, " "));
                used += 1 + length;
            }
            _ => {
                lines.push(word.replace(GLUE, " "));
                used = length;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_counts_what_is_seen() {
        let line = Line::new().styled(Style::Good, "äöü").text("abc");
        assert_eq!(line.width(), 6);
        assert_eq!(line.clone().cut(6).paint(Palette::Plain), "äöüabc");
        assert_eq!(line.clone().cut(5).paint(Palette::Plain), "äöüa…");
        assert_eq!(
            line.clone().cut(3).paint(Palette::Ansi),
            "\x1b[32mäö\x1b[0m…"
        );
        assert_eq!(line.cut(0).paint(Palette::Plain), "");
    }

    #[test]
    fn words_stay_whole() {
        assert_eq!(
            wrap("one two  three abcdefghijkl x", 8),
            ["one two", "three", "abcdefghijkl", "x"]
        );
        assert_eq!(wrap("one two\u{a0}three", 8), ["one", "two three"]);
    }
}
