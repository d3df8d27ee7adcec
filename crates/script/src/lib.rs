//! k6 scripts: QuickJS on coroutines, the life cycle, the modules `k6/...` and the loader. Implements the engine's
//! [`Program`](netload_engine::Program).
//!
//! One JavaScript runtime per VU, each on a stack of its own; blocking calls suspend that stack. Unsafe code stands
//! only where the engine's C interface or the stacks need it, in modules that say so at their top.

#![deny(unsafe_code)]

mod archive;
mod class;
mod context;
mod coroutine;
mod environment;
mod error;
mod event_loop;
mod footprint;
mod gjson;
mod globals;
mod heap;
mod intrinsics;
mod keys;
mod layout;
mod lifetime;
mod loader;
mod modules;
mod native;
mod plain_data;
mod plain_request;
mod program;
mod promises;
mod random;
mod rejections;
mod secrets;
mod slabs;
mod stack;
mod vu;
mod web;

pub use archive::{Archive, Packing, is_archive};
pub use context::Local;
pub use loader::remote::Remote;
pub use program::{MEMORY_LIMIT_BYTES, RuntimeOptions, Script, Source};
pub use secrets::{REDACTED, Secrets};
pub use vu::ScriptVu;
