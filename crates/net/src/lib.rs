//! Stamped sockets, the clock, DNS, TLS and dialing.
//!
//! Owns everything between an origin and bytes with times on them; the only crate that calls the kernel directly.
//! Leaves out every protocol above TLS. Invariant: all of it lives on one thread; only [`Network`] is shared.

mod alarm;
#[cfg(feature = "count-allocations")]
mod allocations;
mod awake;
mod clock;
mod departure;
mod dial;
mod dns;
mod error;
mod hosts;
mod instrument;
mod ocsp;
mod origin;
mod proxy;
mod scheduling;
mod socket;
mod source;
mod stamp;
mod tls;
mod tls_stream;
mod tunnel;

pub use alarm::Alarm;
#[cfg(feature = "count-allocations")]
pub use allocations::Counting;
pub use awake::Awake;
pub use clock::{Clock, OFFSET_REFRESH_NS, STEP_THRESHOLD_NS, WallClock, monotonic_ns};
pub use dial::{CONNECT_TIMEOUT, ConnectTimes, Connection, Dialer, NetConfig, Network, VuLocal};
pub use dns::{CACHE_ENTRIES, DnsConfig, DnsPolicy, DnsSelect};
pub use error::NetError;
pub use instrument::{
    Bounds, Counts, Ending, Instrument, Stamping, TX_REQUEST_LIMIT, TX_SAMPLING, TxSample,
};
pub use ocsp::{Ocsp, OcspStatus};
pub use origin::{Origin, Scheme, Speaks};
pub use proxy::{Proxy, ProxySettings};
pub use scheduling::{Claim, Patience, run_promptly};
pub use socket::{KEEP_ALIVE, Read, Socket};
pub use source::LocalIps;
pub use tls::{ClientCert, TlsSessions, TlsSettings, TlsVersion};
pub use tls_stream::{RAW_BUFFER_BYTES, TlsFacts};
