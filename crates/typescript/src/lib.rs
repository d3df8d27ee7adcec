//! From TypeScript to JavaScript, and from places in generated code back to the places they were made from.
//!
//! Types are taken out, enums, namespaces, parameter properties and decorators (TypeScript's own, those of
//! `experimentalDecorators`) become JavaScript; nothing newer is lowered, because the engine runs it. Types are not
//! checked. Leaves out reading files and everything about modules. The compiler behind it takes long to build, so
//! nothing else may live in this crate.

mod map;

use std::path::Path;

use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use oxc_transformer::{HelperLoaderMode, Module, TransformOptions, Transformer};

pub use map::{Map, Original};

/// Problems of one file that are told at most.
const TOLD_AT_MOST: usize = 5;

/// The compiler goes as deep as a text is nested, and its callers may stand on the small stack of a virtual user, so it
/// works on one of its own, of so many bytes; only what is used of them takes memory.
const STACK_BYTES: usize = 512 << 20;
/// How deep brackets may be nested, with room to spare on that stack.
const NESTED_AT_MOST: usize = 10_000;

/// Generated code imports what decorators need from names that begin with this.
pub const HELPERS: &str = "@oxc-project/runtime/helpers/";

/// The helper modules of [`HELPERS`], by the rest of their names.
const HELPER_MODULES: &[(&str, &str)] = &[
    ("decorate", include_str!("helpers/decorate.js")),
    ("decorateParam", include_str!("helpers/decorate_param.js")),
];

/// JavaScript made from TypeScript.
#[derive(Debug)]
pub struct Compiled {
    /// The JavaScript.
    pub code: String,
    /// The way back.
    pub map: Map,
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// One sentence.
    pub message: String,
    /// Line and column, from 1, in characters.
    pub place: Option<(usize, usize)>,
}

/// The text of a helper module, by its whole name.
pub fn helper(name: &str) -> Option<&'static str> {
    let short = name.strip_prefix(HELPERS)?;
    let (_, text) = HELPER_MODULES.iter().find(|(helper, _)| *helper == short)?;
    Some(text)
}

/// Compiles the TypeScript file `name`, of which only the ending matters.
///
/// # Errors
/// What does not follow the grammar, at least one problem.
pub fn compile(name: &str, text: &str) -> Result<Compiled, Vec<Problem>> {
    if let Some(offset) = too_deep(text) {
        return Err(vec![Problem {
            message: format!("brackets are nested deeper than {NESTED_AT_MOST}"),
            place: Some(place(text, offset)),
        }]);
    }
    let failed = |message: String| {
        vec![Problem {
            message,
            place: None,
        }]
    };
    std::thread::scope(|scope| {
        let compiling = std::thread::Builder::new()
            .name("typescript".into())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || compile_here(name, text))
            .map_err(|e| failed(format!("cannot start a thread: {e}")))?;
        compiling
            .join()
            .unwrap_or_else(|_| Err(failed("the TypeScript compiler failed".to_owned())))
    })
}

/// Where brackets are nested too deep. Those in strings and comments count too, which only matters to texts that
/// nobody wrote.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes().position(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > NESTED_AT_MOST
    })
}

fn compile_here(name: &str, text: &str) -> Result<Compiled, Vec<Problem>> {
    let allocator = Allocator::default();
    let path = Path::new(name);
    let kind = SourceType::from_path(path).unwrap_or_else(|_| SourceType::ts());
    let kind = if kind.is_commonjs() {
        kind
    } else {
        kind.with_unambiguous(true)
    };
    let parsed = Parser::new(&allocator, text, kind).parse();
    refuse(text, parsed.diagnostics.errors())?;
    let mut program = parsed.program;
    let semantic = SemanticBuilder::new()
        .with_check_syntax_error(true)
        .with_enum_eval(true)
        .build(&program);
    refuse(text, semantic.diagnostics.errors())?;
    let options = options();
    let done = Transformer::new(&allocator, path, &options)
        .build_with_scoping(semantic.semantic.into_scoping(), &mut program);
    refuse(text, done.diagnostics.errors())?;
    let printed = Codegen::new()
        .with_options(CodegenOptions {
            source_map_path: Some(path.to_owned()),
            comments: CommentOptions::disabled(),
            ..CodegenOptions::default()
        })
        .with_source_text(text)
        .build(&program);
    let map = printed.map.map(|map| Map::new(&map)).unwrap_or_default();
    Ok(Compiled {
        code: printed.code,
        map,
    })
}

fn options() -> TransformOptions {
    let mut options = TransformOptions::default();
    options.decorator.legacy = true;
    options.helper_loader.mode = HelperLoaderMode::Runtime;
    // `import a = require()` and `export =` are CommonJS; modules stay what they are.
    options.env.module = Module::CommonJS;
    options
}

/// Fails when there is an error among the diagnostics.
fn refuse<'a>(
    text: &str,
    errors: impl Iterator<Item = &'a OxcDiagnostic>,
) -> Result<(), Vec<Problem>> {
    let problems: Vec<Problem> = errors
        .take(TOLD_AT_MOST)
        .map(|error| Problem {
            message: match &error.help {
                Some(help) => format!("{}; {help}", error.message),
                None => error.message.to_string(),
            },
            place: error
                .labels
                .first()
                .map(|label| place(text, label.offset() as usize)),
        })
        .collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// The line and column of a byte.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}
