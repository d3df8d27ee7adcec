//! The native virtual user for one fixed request: no script, the same engine.
//!
//! An iteration is one exchange. The request is turned into bytes once per worker; in the steady state an exchange
//! allocates nothing.

mod load;
mod vu;

pub use load::{Limit, Load, Rate};
pub use vu::{Hit, HitError, HitLocal, HitVu, Target};
