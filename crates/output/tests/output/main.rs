//! All texts and formats of the crate, compared with golden files.

mod formats;
mod support;
mod texts;
