//! The modules `k6/experimental/...`.

mod csv;
mod fs;
mod streams;

pub(crate) use csv::install as install_csv;
pub(crate) use fs::install as install_fs;
pub(crate) use streams::install as install_streams;
