//! HTTP/1.1 and HTTP/2 of our own making: codecs, pool, redirects, cookies, compression and auth.
//!
//! Owns everything from a URL to an [`Exchange`] with its times. Leaves out sockets, TLS and names (`netload-net`),
//! metrics, rate limits and JavaScript. Invariant: nothing here blocks or crosses threads; every future may be
//! dropped at any point and then closes its connection.

pub mod auth;
mod buffers;
mod client;
pub mod compression;
pub mod cookies;
mod date;
mod error;
mod exchange;
pub mod form;
pub mod h1;
pub mod h2;
mod multiplex;
mod ntlm;
mod pool;
mod request;
mod send;
mod timer;
mod url;

pub use buffers::{Buffers, READ_BUFFER_BYTES, SPARE_BUFFER_BYTES, SPARE_BUFFERS};
pub use client::{Client, ClientConfig, ExchangeOptions, STALE_CHECK_NS};
pub use compression::DECODED_LIMIT_BYTES;
pub use cookies::{Jar, SetCookie};
pub use date::parse_http_date;
pub use error::HttpError;
pub use exchange::{Exchange, Opening, Stamps, Timings};
pub use h1::{BodyMode, Head, HeaderIter, Version};
pub use pool::PoolLimits;
pub use request::{Encoding, Headers, Prepared, Request, RequestCookie, canonical_name};
pub use send::{AuthMode, Call, Hop, SendOptions, Sent};
pub use url::{URL_LIMIT_BYTES, Url, UserInfo};
