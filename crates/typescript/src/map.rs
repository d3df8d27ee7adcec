//! Source maps: from a place in generated code to the place it was made from.

use oxc_sourcemap::SourceMap;

/// A place that code was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original<'a> {
    /// The file as the map names it, relative to the map.
    pub file: &'a str,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// The file's text, when the map carries it.
    pub text: Option<&'a str>,
}

/// The way back from generated code.
#[derive(Debug, Default)]
pub struct Map {
    /// Generated line and column, source, its line and column; all from 0, in order.
    tokens: Vec<Token>,
    sources: Vec<(String, Option<String>)>,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    at: (u32, u32),
    source: u32,
    from: (u32, u32),
}

impl Map {
    /// Reads a source map in its usual form, JSON.
    ///
    /// # Errors
    /// Why it is not one.
    pub fn parse(json: &str) -> Result<Self, String> {
        let map = SourceMap::from_json_string(json).map_err(|e| e.to_string())?;
        Ok(Self::new(&map))
    }

    pub(crate) fn new(map: &SourceMap<'_>) -> Self {
        let mut tokens: Vec<Token> = map
            .get_tokens()
            .filter_map(|token| {
                Some(Token {
                    at: (token.get_dst_line(), token.get_dst_col()),
                    source: token.get_source_id()?,
                    from: (token.get_src_line(), token.get_src_col()),
                })
            })
            .collect();
        tokens.sort_by_key(|token| token.at);
        let contents = map
            .get_source_contents()
            .map(|text| text.map(str::to_owned));
        let contents = contents.chain(std::iter::repeat(None));
        let sources = map.get_sources().map(str::to_owned).zip(contents).collect();
        Self { tokens, sources }
    }

    /// What the code at a place (line and column from 1) was made from; none when the map does not know.
    pub fn original(&self, line: usize, column: usize) -> Option<Original<'_>> {
        let line = u32::try_from(line.checked_sub(1)?).ok()?;
        let column = u32::try_from(column.saturating_sub(1)).ok()?;
        let after = self.tokens.partition_point(|t| t.at <= (line, column));
        let before = after.checked_sub(1).map(|at| self.tokens[at]);
        // Before the first token of a line, that token is the nearest.
        let token = before
            .filter(|t| t.at.0 == line)
            .or_else(|| self.tokens.get(after).copied().filter(|t| t.at.0 == line))?;
        let (file, text) = self.sources.get(token.source as usize)?;
        Some(Original {
            file,
            line: token.from.0 as usize + 1,
            column: token.from.1 as usize + 1,
            text: text.as_deref(),
        })
    }
}
