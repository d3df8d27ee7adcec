//! All texts and formats of the crate, compared with golden files.

mod ci;
mod formats;
mod support;
mod texts;
