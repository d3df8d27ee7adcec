//! Reading selectors.

use regex_lite::Regex;

use super::{Case, Chain, Combinator, NESTING_LIMIT, Nth, Selector, Simple, State, Test};

/// A whole group of selectors; none when it is not valid.
pub(super) fn group(text: &str) -> Option<Selector> {
    let mut reader = Reader {
        rest: text,
        nesting: 0,
    };
    let group = reader.group()?;
    reader.rest.is_empty().then_some(group)
}

struct Reader<'a> {
    rest: &'a str,
    nesting: usize,
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

fn is_name_start(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_' || !character.is_ascii()
}

fn is_name(character: char) -> bool {
    is_name_start(character) || character.is_ascii_digit() || character == '-'
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes `prefix` when it comes next.
    fn take(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, prefix: &str) -> Option<()> {
        self.take(prefix).then_some(())
    }

    /// Takes blanks; whether there were any.
    fn blanks(&mut self) -> bool {
        let trimmed = self.rest.trim_start_matches(is_space);
        let any = trimmed.len() != self.rest.len();
        self.rest = trimmed;
        any
    }

    fn group(&mut self) -> Option<Selector> {
        self.nesting += 1;
        if self.nesting > NESTING_LIMIT {
            return None;
        }
        let mut alternatives = vec![self.chain()?];
        while self.take(",") {
            alternatives.push(self.chain()?);
        }
        self.nesting -= 1;
        Some(Selector { alternatives })
    }

    fn chain(&mut self) -> Option<Chain> {
        self.blanks();
        let mut last = self.compound()?;
        let mut before = Vec::new();
        loop {
            let blanks = self.blanks();
            let combinator = match self.peek() {
                None | Some(',' | ')') => break,
                Some('>') => Combinator::Child,
                Some('+') => Combinator::NextSibling,
                Some('~') => Combinator::LaterSibling,
                Some(_) if blanks => Combinator::Descendant,
                Some(_) => return None,
            };
            if combinator != Combinator::Descendant {
                self.rest = &self.rest[1..];
                self.blanks();
            }
            let next = self.compound()?;
            before.push((combinator, std::mem::replace(&mut last, next)));
        }
        before.reverse();
        Some(Chain { last, before })
    }

    /// Conditions on one element; at least one.
    fn compound(&mut self) -> Option<Vec<Simple>> {
        let mut all = Vec::new();
        match self.peek()? {
            '*' => {
                self.take("*");
                all.push(Simple::Any);
            }
            '#' | '.' | '[' | ':' => {}
            _ => all.push(Simple::Tag(self.name()?.to_lowercase().into())),
        }
        loop {
            let simple = match self.peek() {
                Some('#') => {
                    self.take("#");
                    Simple::Id(self.name()?.into())
                }
                Some('.') => {
                    self.take(".");
                    Simple::Class(self.name()?.into())
                }
                Some('[') => self.attribute()?,
                Some(':') => self.pseudo()?,
                _ => break,
            };
            all.push(simple);
        }
        (!all.is_empty()).then_some(all)
    }

    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        if self.take("-") {
            name.push('-');
        }
        match self.peek()? {
            '\\' => name.push(self.escape()?),
            first if is_name_start(first) => {}
            _ => return None,
        }
        while let Some(next) = self.peek() {
            if is_name(next) {
                name.push(next);
                self.rest = &self.rest[next.len_utf8()..];
            } else if next == '\\' {
                name.push(self.escape()?);
            } else {
                break;
            }
        }
        Some(name)
    }

    /// `\` with what it stands for.
    fn escape(&mut self) -> Option<char> {
        self.expect("\\")?;
        let hex = self.rest.bytes().take(6);
        let digits = hex.take_while(u8::is_ascii_hexdigit).count();
        if digits == 0 {
            let literal = self.peek().filter(|c| !matches!(c, '\n' | '\r'))?;
            self.rest = &self.rest[literal.len_utf8()..];
            return Some(literal);
        }
        let code = u32::from_str_radix(&self.rest[..digits], 16).ok()?;
        self.rest = &self.rest[digits..];
        if self.peek().is_some_and(is_space) {
            self.rest = &self.rest[1..];
        }
        Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.peek().filter(|c| matches!(c, '"' | '\''))?;
        self.rest = &self.rest[1..];
        let mut text = String::new();
        loop {
            match self.peek()? {
                end if end == quote => {
                    self.rest = &self.rest[1..];
                    return Some(text);
                }
                '\\' => text.push(self.escape()?),
                '\n' | '\r' => return None,
                other => {
                    text.push(other);
                    self.rest = &self.rest[other.len_utf8()..];
                }
            }
        }
    }

    fn string_or_name(&mut self) -> Option<String> {
        match self.peek()? {
            '"' | '\'' => self.string(),
            _ => self.name(),
        }
    }

    fn attribute(&mut self) -> Option<Simple> {
        self.expect("[")?;
        self.blanks();
        let name: Box<str> = self.name()?.to_ascii_lowercase().into();
        self.blanks();
        if self.take("]") {
            return Some(Simple::Attribute(name, Test::Exists));
        }
        let operators = ["=", "!=", "~=", "|=", "^=", "$=", "*=", "#="];
        let operator = operators.into_iter().find(|o| self.take(o))?;
        self.blanks();
        if operator == "#=" {
            let regex = Regex::new(self.balanced(']')?).ok()?;
            self.expect("]")?;
            return Some(Simple::Attribute(name, Test::Regex(regex)));
        }
        let value: Box<str> = self.string_or_name()?.into();
        self.blanks();
        let case = if self.take("i") || self.take("I") {
            Case::Same
        } else {
            Case::Differs
        };
        self.blanks();
        self.expect("]")?;
        let test = match operator {
            "=" => Test::Equals(value, case),
            "!=" => Test::Differs(value),
            "~=" => Test::Word(value, case),
            "|=" => Test::Dash(value, case),
            "^=" => Test::Prefix(value, case),
            "$=" => Test::Suffix(value, case),
            _ => Test::Substring(value, case),
        };
        Some(Simple::Attribute(name, test))
    }

    /// Everything up to `end`, which stays; brackets in it come in pairs.
    fn balanced(&mut self, end: char) -> Option<&'a str> {
        let mut open = 0_usize;
        let mut escaped = false;
        for (at, character) in self.rest.char_indices() {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '(' | '[' => open += 1,
                c if c == end && open == 0 => {
                    let (taken, rest) = self.rest.split_at(at);
                    self.rest = rest;
                    return Some(taken);
                }
                ')' | ']' => open = open.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }

    fn pseudo(&mut self) -> Option<Simple> {
        self.expect(":")?;
        let name = self.name()?.to_ascii_lowercase();
        if !self.take("(") {
            return plain(&name);
        }
        self.blanks();
        let simple = match name.as_str() {
            "not" => Simple::Not(self.group()?),
            "is" | "where" => Simple::Is(self.group()?),
            "has" => Simple::Has(self.group()?),
            "haschild" => Simple::HasChild(self.group()?),
            "contains" | "containsown" => Simple::Contains {
                text: self.string_or_name()?.to_lowercase().into(),
                own: name == "containsown",
            },
            "matches" | "matchesown" => Simple::Matches {
                regex: Regex::new(self.balanced(')')?).ok()?,
                own: name == "matchesown",
            },
            "lang" => Simple::Lang(self.string_or_name()?.to_ascii_lowercase().into()),
            "nth-child" => self.nth(false, false)?,
            "nth-last-child" => self.nth(true, false)?,
            "nth-of-type" => self.nth(false, true)?,
            "nth-last-of-type" => self.nth(true, true)?,
            _ => return None,
        };
        self.blanks();
        self.expect(")")?;
        Some(simple)
    }

    fn nth(&mut self, from_end: bool, of_type: bool) -> Option<Simple> {
        let text: String = self.balanced(')')?.to_ascii_lowercase();
        let text: String = text.chars().filter(|c| !is_space(*c)).collect();
        let (step, offset) = match text.as_str() {
            "odd" => (2, 1),
            "even" => (2, 0),
            text => match text.split_once('n') {
                None => (0, text.parse().ok()?),
                Some((step, offset)) => {
                    let step = match step {
                        "" | "+" => 1,
                        "-" => -1,
                        step => step.parse().ok()?,
                    };
                    let offset = match offset {
                        "" => 0,
                        offset => offset.parse().ok()?,
                    };
                    (step, offset)
                }
            },
        };
        Some(Simple::Nth(Nth {
            step,
            offset,
            from_end,
            of_type,
        }))
    }
}

/// A pseudo-class without argument.
fn plain(name: &str) -> Option<Simple> {
    let nth = |from_end, of_type| {
        Simple::Nth(Nth {
            step: 0,
            offset: 1,
            from_end,
            of_type,
        })
    };
    Some(match name {
        "first-child" => nth(false, false),
        "last-child" => nth(true, false),
        "first-of-type" => nth(false, true),
        "last-of-type" => nth(true, true),
        "only-child" => Simple::OnlyChild { of_type: false },
        "only-of-type" => Simple::OnlyChild { of_type: true },
        "root" => Simple::State(State::Root),
        "empty" => Simple::State(State::Empty),
        "link" => Simple::State(State::Link),
        "input" => Simple::State(State::Input),
        "checked" => Simple::State(State::Checked),
        "disabled" => Simple::State(State::Disabled),
        "enabled" => Simple::State(State::Enabled),
        _ => return None,
    })
}
