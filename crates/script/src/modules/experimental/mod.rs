//! The modules `k6/experimental/...`.

mod csv;
mod fs;

pub(crate) use csv::install as install_csv;
pub(crate) use fs::install as install_fs;
