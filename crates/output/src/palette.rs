//! Colours on a terminal, or none.
//!
//! Whether there are colours is decided once by the caller (terminal, `NO_COLOR`, `--no-color`).

/// Colours or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Plain text.
    #[default]
    Plain,
    /// ANSI escape sequences of the 16 basic colours, which follow the user's theme.
    Ansi,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A heading.
    Title,
    /// What went well.
    Good,
    /// What went wrong.
    Bad,
    /// What deserves a look.
    Warning,
    /// The number a line is about.
    Value,
    /// A number beside it.
    Aside,
    /// Dots, units and other things the eye may skip.
    Faint,
}

impl Palette {
    /// The text with the style's colours.
    pub fn paint(self, style: Style, text: &str) -> String {
        if self == Self::Plain || text.is_empty() {
            return text.to_owned();
        }
        let code = match style {
            Style::Title => "1",
            Style::Good => "32",
            Style::Bad => "31",
            Style::Warning => "33",
            Style::Value => "36",
            Style::Aside => "2;36",
            Style::Faint => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
