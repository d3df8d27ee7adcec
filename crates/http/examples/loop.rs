//! The exchange loop alone, for profiling: `loop URL CONNECTIONS SECONDS`.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use netload_http::{
    BodyMode, Buffers, Client, ClientConfig, Encoding, ExchangeOptions, Prepared, Request, Url,
};
use netload_net::{Clock, Dialer, NetConfig, Network};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, url, connections, seconds] = args.as_slice() else {
        return Err("loop URL CONNECTIONS SECONDS".into());
    };
    let (connections, seconds): (u64, u64) = (connections.parse()?, seconds.parse()?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .event_interval(61)
        .build()?;
    let url = Url::parse(url)?;
    tokio::task::LocalSet::new().block_on(&runtime, async move {
        let network = Network::new(&NetConfig::default())?;
        let dialer = Dialer::new(network, Clock::new());
        let buffers = Buffers::new();
        let done = Rc::new(Cell::new((0u64, 0u64, 0u64)));
        let least = Rc::new(Cell::new((u64::MAX, u64::MAX)));
        let prepared = Rc::new(Prepared::new(
            &Request::new("GET", url),
            &Encoding::default(),
            dialer.plain_proxy(&netload_net::Origin::new(
                netload_net::Scheme::Http,
                "x",
                80,
            )),
        )?);
        for vu in 1..=connections {
            let local = dialer.vu_local(vu);
            let client = Client::new(
                dialer.clone(),
                buffers.clone(),
                local,
                ClientConfig::default(),
            );
            let (done, least, prepared) = (done.clone(), least.clone(), prepared.clone());
            tokio::task::spawn_local(async move {
                loop {
                    let options = ExchangeOptions {
                        deadline_ns: Some(client.clock().now_ns() + 60_000_000_000),
                        body: BodyMode::Discard,
                    };
                    let exchange = client.exchange(&prepared, &options).await;
                    let (tare_ns, net_ns) = least.get();
                    least.set((
                        tare_ns.min(exchange.timings.tare_ns),
                        net_ns.min(exchange.timings.duration_ns),
                    ));
                    let (count, failed, tare_ns) = done.get();
                    done.set((
                        count + 1,
                        failed + u64::from(exchange.status != 200),
                        tare_ns + exchange.timings.tare_ns,
                    ));
                }
            });
        }
        let (started, before) = (Instant::now(), cpu_s());
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        let (count, failed, tare_ns) = done.get();
        let cpu_s = cpu_s() - before;
        println!(
            "{:.0} requests/s, {:.0} per CPU second, {failed} failed, mean tare {} ns, least {} ns, least net {} ns",
            count as f64 / started.elapsed().as_secs_f64(),
            count as f64 / cpu_s,
            tare_ns / count.max(1),
            least.get().0,
            least.get().1
        );
        Ok::<_, Box<dyn std::error::Error>>(())
    })
}

/// CPU time of this process, user and system.
fn cpu_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || -> f64 {
        fields
            .next()
            .and_then(|text| text.parse().ok())
            .unwrap_or(0.0)
    };
    (ticks() + ticks()) / 100.0
}
