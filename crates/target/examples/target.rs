//! Runs the server until it is killed: `target [ADDRESS [TLS-ADDRESS [WORKERS [log]]]]`.
//!
//! For measuring the server itself; users start it with `netload target`.

use netload_target::{Certificates, Target, TargetConfig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut config = TargetConfig::default();
    if let Some(address) = arguments.next() {
        config.listen = address.parse()?;
    }
    if let Some(address) = arguments.next() {
        config.tls = Some((address.parse()?, Certificates::Made));
    }
    if let Some(workers) = arguments.next() {
        config.workers = workers.parse()?;
    }
    config.log_requests = arguments.next().is_some();
    let server = Target::start(config)?;
    println!("http://{}", server.addr());
    if let Some(address) = server.tls_addr() {
        println!("https://{address}");
    }
    loop {
        std::thread::park();
    }
}
