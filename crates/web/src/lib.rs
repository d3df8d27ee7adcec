//! The web UI's server: pages, live events of running tests, and a JSON API to start, steer, read and compare tests.
//!
//! Owns the routes and their document, who may ask ([`Door`]), and what is kept of running tests for pages that are
//! looking on ([`Hub`]). Leaves out what a test, a record or a page is: the binary brings [`Control`] and [`Asset`]s, and
//! all documents are JSON made elsewhere. Invariant: the server lives on a thread of its own, and nothing that is posted
//! to the hub ever waits for a reader; who is too slow is told how much it missed.

mod answer;
mod control;
mod door;
mod hub;
mod listener;
mod pages;
mod routes;
mod server;
mod stream;

pub use control::{Control, Filter, Order, Refusal, Scaling};
pub use door::{Door, new_token};
pub use hub::{Event, Hub, Kind, Running};
pub use pages::Asset;
pub use routes::{OPENAPI, ROUTES, Route};
pub use server::{Config, ServeError, Served, serve};
