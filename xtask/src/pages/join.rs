//! Modules become one script: each a function that returns what it exports, in the order in which they need each other.
//!
//! Knows only what our modules use, as our compiler prints it: `import { a, b } from "./file.ts";` or `import * as file`
//! on one line, and declarations that begin with `export`. Everything else is refused. Invariant: no import is resolved to nothing.

use std::collections::HashMap;

type Failure = Box<dyn std::error::Error>;
/// Reads a module by its path below the folder of the sources.
type Read<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// The script that begins with `entry` and brings all that it needs.
pub(super) fn script(entry: &str, read: Read<'_>) -> Result<String, Failure> {
    let mut joined = Joined {
        read,
        text: String::from("(() => {\n\"use strict\";\n"),
        modules: HashMap::new(),
        open: Vec::new(),
    };
    joined.add(entry)?;
    Ok(joined.text + "})();\n")
}

struct Joined<'a> {
    read: Read<'a>,
    text: String,
    /// What each finished module exports.
    modules: HashMap<String, Vec<String>>,
    /// The modules that are being read, for circles.
    open: Vec<String>,
}

impl Joined<'_> {
    fn add(&mut self, name: &str) -> Result<(), Failure> {
        if self.modules.contains_key(name) {
            return Ok(());
        }
        if self.open.iter().any(|open| open == name) {
            return Err(format!("{} import each other", self.open.join(", ")).into());
        }
        self.open.push(name.to_owned());
        let source = (self.read)(name)?;
        let compiled = netload_typescript::compile(name, &source).map_err(|problems| {
            let one = |p: &netload_typescript::Problem| {
                let (line, column) = p.place.unwrap_or((1, 1));
                format!("{name}:{line}:{column}: {}", p.message)
            };
            problems.iter().map(one).collect::<Vec<_>>().join("\n")
        })?;
        let mut body = String::new();
        let mut exports = Vec::new();
        for line in compiled.code.lines() {
            if let Some(import) = line.strip_prefix("import ") {
                body += &self.import(name, import)?;
            } else if let Some(declaration) = line.strip_prefix("export ") {
                exports.extend(declared(declaration).map_err(|e| format!("{name}: {e}"))?);
                if !declaration.starts_with('{') {
                    body += &format!("{declaration}\n");
                }
            } else {
                body += &format!("{line}\n");
            }
        }
        let variable = variable(name);
        let list = exports.join(", ");
        self.text += &format!("const {variable} = (() => {{\n{body}return {{ {list} }};\n}})();\n");
        self.open.pop();
        self.modules.insert(name.to_owned(), exports);
        Ok(())
    }

    /// The line that takes names out of another module, which is added before.
    fn import(&mut self, importer: &str, import: &str) -> Result<String, Failure> {
        let parts = import
            .strip_suffix(';')
            .and_then(|rest| rest.split_once(" from "));
        let Some((names, from)) = parts else {
            return Err(format!("{importer}: cannot join `import {import}`").into());
        };
        let from = resolve(importer, from.trim_matches(['"', '\'']))?;
        self.add(&from)?;
        if let Some(whole) = names.trim().strip_prefix("* as ") {
            return Ok(format!("const {whole} = {};\n", variable(&from)));
        }
        let exports = self.modules.get(&from).map_or(&[][..], Vec::as_slice);
        let inner = names.trim().trim_start_matches('{').trim_end_matches('}');
        for name in inner.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            if !exports.iter().any(|export| export == name) {
                return Err(format!("{importer}: {from} does not export `{name}`").into());
            }
        }
        Ok(format!("const {names} = {};\n", variable(&from)))
    }
}

/// The names that stand behind `export`; `{}` is what the compiler leaves of a file with types only.
fn declared(declaration: &str) -> Result<Option<String>, String> {
    if declaration.trim_end_matches(';') == "{}" {
        return Ok(None);
    }
    let mut rest = declaration;
    for word in ["async ", "function* ", "function ", "const ", "class "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let name: String = rest
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    if rest.len() == declaration.len() || name.is_empty() {
        return Err(format!("cannot join `export {declaration}`"));
    }
    Ok(Some(name))
}

/// A path that a module names, relative to itself.
fn resolve(importer: &str, path: &str) -> Result<String, String> {
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                let inside = parts.pop();
                inside.ok_or_else(|| format!("{importer}: {path} is outside of the sources"))?;
            }
            name => parts.push(name),
        }
    }
    Ok(parts.join("/"))
}

/// The variable that holds the exports of a module.
fn variable(name: &str) -> String {
    let plain = name.trim_end_matches(".ts");
    let plain: String = plain
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    format!("module_{plain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script of modules that stand in one text, each behind a line `== name`.
    fn joined(modules: &str) -> Result<String, String> {
        let read = |name: &str| {
            let start = format!("== {name}\n");
            let (_, rest) = modules.split_once(&start).ok_or(format!("no {name}"))?;
            Ok(rest.split("== ").next().unwrap_or_default().to_owned())
        };
        script("a.ts", &read).map_err(|error| error.to_string())
    }

    #[test]
    fn modules_stand_in_the_order_of_need_and_once() {
        let script = joined(
            "== a.ts\nimport { b } from \"./in/b.ts\";\nimport * as all from \"./c.ts\";\nb(all.c);\n\
             == in/b.ts\nimport { c } from \"../c.ts\";\nexport function b(x: number): number { return x + c; }\n\
             == c.ts\nexport interface T { a: number }\nexport const c: number = 1;\n",
        )
        .unwrap();
        let places =
            ["module_c = ", "module_in_b = ", "module_a = "].map(|m| script.find(m).unwrap());
        assert!(places.is_sorted(), "{script}");
        assert_eq!(script.matches("module_c = ").count(), 1);
        assert!(script.contains("const { c } = module_c;"), "{script}");
        assert!(script.contains("const all = module_c;"), "{script}");
        assert!(!script.contains("number"), "{script}");
    }

    #[test]
    fn what_cannot_be_joined_is_refused() {
        let refused = |text: &str| joined(text).unwrap_err();
        let circle = "== a.ts\nimport { b } from \"./b.ts\";\nexport const a = b;\n\
                      == b.ts\nimport { a } from \"./a.ts\";\nexport const b = a;\n";
        assert!(refused(circle).contains("import each other"));
        let missing =
            "== a.ts\nimport { b } from \"./b.ts\";\nb();\n== b.ts\nexport const c = 1;\n";
        assert!(refused(missing).contains("does not export `b`"));
        let default = "== a.ts\nexport default 5;\n";
        assert!(refused(default).contains("cannot join"));
    }
}
