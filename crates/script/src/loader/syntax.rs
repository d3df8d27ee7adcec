//! What kind of module a text is and what it imports, found without parsing it: a scan for statements at the top level
//! that begin with `import` or `export`.
//!
//! Strings, templates, comments and regular expressions are skipped; whether a slash begins a regular expression is
//! guessed from what stands before it, as the grammar allows in all but contrived code. Compiling decides in the end.

/// What a module takes from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Import {
    /// The other module, as written.
    pub(crate) specifier: String,
    /// The names it takes, `default` among them.
    pub(crate) names: Vec<String>,
    /// Whether it takes all there are: `* as name`, `export *`.
    pub(crate) all: bool,
}

/// The result of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Syntax {
    /// Whether there is an import or export statement, or `import.meta`.
    pub(crate) is_module: bool,
    /// The import statements, and the exports that name another module.
    pub(crate) imports: Vec<Import>,
}

/// Words after which a slash begins a regular expression.
const BEFORE_EXPRESSIONS: [&str; 14] = [
    "return",
    "typeof",
    "instanceof",
    "in",
    "of",
    "new",
    "delete",
    "void",
    "throw",
    "case",
    "do",
    "else",
    "yield",
    "await",
];

/// Scans a text.
pub(crate) fn scan(text: &str) -> Syntax {
    if !text.contains("import") && !text.contains("export") {
        return Syntax::default();
    }
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        text,
        at: 0,
        value_before: false,
        brackets: Vec::new(),
        found: Syntax::default(),
    };
    scanner.run();
    scanner.found
}

struct Scanner<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    /// Whether what stands before can be divided.
    value_before: bool,
    /// The open brackets; `` ` `` stands for a `${` of a template.
    brackets: Vec<u8>,
    found: Syntax,
}

impl<'a> Scanner<'a> {
    fn run(&mut self) {
        if self.text.starts_with("#!") {
            self.skip_line();
        }
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.comment() => {}
                b'/' => self.slash(),
                b'\'' | b'"' => {
                    self.string();
                    self.value_before = true;
                }
                b'`' => self.template(),
                b'(' | b'[' | b'{' => self.open(byte),
                b')' | b']' | b'}' => self.close(),
                b if is_word(b) => self.word(),
                _ => {
                    self.at += 1;
                    self.value_before = false;
                }
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn open(&mut self, byte: u8) {
        self.brackets.push(byte);
        self.at += 1;
        self.value_before = false;
    }

    fn close(&mut self) {
        self.at += 1;
        match self.brackets.pop() {
            Some(b'`') => self.template_rest(),
            // After a block a regular expression is far more common than a division.
            Some(b'{') => self.value_before = false,
            _ => self.value_before = true,
        }
    }

    /// Skips a comment. False when there is none.
    fn comment(&mut self) -> bool {
        match self.peek(1) {
            Some(b'/') => self.skip_line(),
            Some(b'*') => {
                let rest = &self.bytes[self.at + 2..];
                let end = rest.windows(2).position(|pair| pair == b"*/");
                self.at = end.map_or(self.bytes.len(), |end| self.at + 2 + end + 2);
            }
            _ => return false,
        }
        true
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|b| *b == b'\n');
        self.at = end.map_or(self.bytes.len(), |end| self.at + end);
    }

    fn slash(&mut self) {
        if self.value_before {
            self.at += 1;
            self.value_before = false;
            return;
        }
        let mut in_class = false;
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                // It was none: expressions end on their line.
                b'\n' => break,
                _ => {}
            }
        }
        self.value_before = true;
    }

    /// Skips a string and returns what is between its quotes.
    fn string(&mut self) -> &'a str {
        let quote = self.bytes[self.at];
        self.at += 1;
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 2,
                b if b == quote || b == b'\n' => break,
                _ => self.at += 1,
            }
        }
        let end = self.at.min(self.bytes.len());
        self.at = end + 1;
        self.text.get(start..end).unwrap_or_default()
    }

    fn template(&mut self) {
        self.at += 1;
        self.template_rest();
    }

    /// From inside a template to its end or to an expression in it.
    fn template_rest(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    self.value_before = true;
                    return;
                }
                b'$' if self.peek(1) == Some(b'{') => {
                    self.at += 2;
                    self.brackets.push(b'`');
                    self.value_before = false;
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    fn read_word(&mut self) -> &'a str {
        let start = self.at;
        while self.peek(0).is_some_and(is_word) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn word(&mut self) {
        let after_dot = self.at > 0 && self.bytes[self.at - 1] == b'.';
        let word = self.read_word();
        self.value_before = !BEFORE_EXPRESSIONS.contains(&word);
        if after_dot {
            self.value_before = true;
            return;
        }
        match word {
            "import" => {
                self.skip_blanks();
                let next = self.peek(0);
                if next == Some(b'.') {
                    // `import.meta`, at any depth.
                    self.found.is_module |= self.text[self.at..].starts_with(".meta");
                } else if self.brackets.is_empty() && next.is_some_and(begins_import) {
                    self.found.is_module = true;
                    self.clause();
                }
            }
            "export" if self.brackets.is_empty() => {
                self.skip_blanks();
                match self.peek(0) {
                    Some(b'{' | b'*') => {
                        self.found.is_module = true;
                        self.clause();
                    }
                    Some(b) if is_word(b) => self.found.is_module = true,
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek(0) {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if byte != b'/' || !self.comment() {
                return;
            }
        }
    }

    /// What stands between `import` or `export` and the other module's name.
    fn clause(&mut self) {
        let mut import = Import::default();
        let mut in_braces = false;
        loop {
            self.skip_blanks();
            match self.peek(0) {
                Some(b'{') => {
                    in_braces = true;
                    self.at += 1;
                }
                Some(b'}') => {
                    in_braces = false;
                    self.at += 1;
                }
                Some(b',') => self.at += 1,
                Some(b'*') => {
                    import.all = true;
                    self.at += 1;
                }
                Some(b'\'' | b'"') if in_braces => import.names.push(self.string().to_owned()),
                Some(b'\'' | b'"') => {
                    self.string().clone_into(&mut import.specifier);
                    self.found.imports.push(import);
                    return;
                }
                Some(b) if is_word(b) => {
                    let word = self.read_word();
                    match word {
                        "from" if !in_braces => {}
                        // The name after it is only ours.
                        "as" => {
                            self.skip_blanks();
                            if self.peek(0).is_some_and(is_word) {
                                self.read_word();
                            }
                        }
                        name if in_braces => import.names.push(name.to_owned()),
                        _ => import.names.push("default".to_owned()),
                    }
                }
                // An export of what is here, or nothing we know.
                _ => return,
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn begins_import(byte: u8) -> bool {
    matches!(byte, b'{' | b'*' | b'\'' | b'"') || is_word(byte)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn imports(text: &str) -> Vec<String> {
        let show = |i: &Import| {
            let all = if i.all { " *" } else { "" };
            format!("{}: {}{all}", i.specifier, i.names.join(" "))
        };
        scan(text).imports.iter().map(show).collect()
    }

    #[test]
    fn imports_are_found_with_their_names() {
        let text = "import a, { b, c as d, default as e } from './x';\nimport * as f from \"y\";\nimport 'z'
            export { g, h as i } from './v'; export * from 'w'; export { a }; export default 1";
        let expected = [
            "./x: default b c default",
            "y:  *",
            "z: ",
            "./v: g h",
            "w:  *",
        ];
        assert_eq!(imports(text), expected);
    }

    #[test]
    fn modules_are_told_from_scripts() {
        for module in [
            "export const a = 1",
            "import'x'",
            "f(); export{a}",
            "const u = import.meta.url",
            "/* import */ export default function () {}",
            "x = /'/; export const y = 1",
            "x = a / b; export const y = '/'",
            "x = `${a + `'`}'`; export {}",
            "#!/usr/bin/env 'x\nexport {}",
        ] {
            assert!(scan(module).is_module, "{module}");
        }
        for script in [
            "module.exports = 1",
            "// export const a = 1",
            "const a = 'export const a = 1'; exports.a = a",
            "import('x').then(f)",
            "x.import = 1; x.export = 2",
            "f({ export: 1, import: 2 })",
            "exports.a = 1; function f() { return `\nexport const a = 1` }",
        ] {
            assert!(!scan(script).is_module, "{script}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_scanned(text in "[importexpfrom{}()'\"`$/\\*\n .;=é]{0,80}") {
            scan(&text);
        }
    }
}
