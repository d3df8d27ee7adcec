//! What other tools call the response time of an exchange.
//!
//! Owns their definitions: the event that starts the clock, the one that stops it, and how they round. Leaves out the
//! instants themselves. All of them contain the tool's own delays; that is why each says something else.

/// A tool whose definition is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compat {
    /// `http_req_duration`.
    K6,
    /// "Elapsed".
    Jmeter,
    /// "Response time".
    Gatling,
    /// "Response time" of `HttpUser`.
    Locust,
    /// "Latency".
    Wrk,
    /// `time_total`.
    Curl,
}

impl Compat {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::K6,
        Self::Jmeter,
        Self::Gatling,
        Self::Locust,
        Self::Wrk,
        Self::Curl,
    ];

    /// Its name in options and documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::K6 => "k6",
            Self::Jmeter => "jmeter",
            Self::Gatling => "gatling",
            Self::Locust => "locust",
            Self::Wrk => "wrk",
            Self::Curl => "curl",
        }
    }

    /// The tool with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// What it calls the time.
    pub fn term(self) -> &'static str {
        match self {
            Self::K6 => "http_req_duration",
            Self::Jmeter => "elapsed",
            Self::Gatling | Self::Locust => "response time",
            Self::Wrk => "latency",
            Self::Curl => "time_total",
        }
    }

    /// The event that starts its clock.
    pub fn start(self) -> &'static str {
        match self {
            Self::K6 => "a connection is there, before the write of the request",
            Self::Wrk => "before the write of the request, on a connection that is there",
            Self::Jmeter => "before a connection is asked for (DNS, TCP and TLS are inside)",
            Self::Gatling => "the request is handed to the client (DNS, TCP and TLS are inside)",
            Self::Locust => "before the session is called (DNS, TCP and TLS are inside)",
            Self::Curl => "the transfer begins (DNS, TCP and TLS are inside)",
        }
    }

    /// The event that stops it, with what else it does to the number.
    pub fn end(self) -> &'static str {
        match self {
            Self::K6 => "the body is read",
            Self::Wrk => "the parser has the whole response; wrk then adds samples of its own",
            Self::Jmeter => "the response data is read; whole milliseconds",
            Self::Gatling => "the last body chunk is read; whole milliseconds",
            Self::Locust => "the body is read; two digits; redirects, counted singly here, inside",
            Self::Curl => "the last byte is read; microseconds",
        }
    }

    /// What it would call an exchange, in nanoseconds: `blocked_ns` until there was a connection, then `gross_ns` from
    /// the write of the request until the whole response was parsed.
    pub fn value_ns(self, blocked_ns: u64, gross_ns: u64) -> u64 {
        const US: u64 = 1_000;
        const MS: u64 = 1_000_000;
        let whole = blocked_ns.saturating_add(gross_ns);
        match self {
            Self::K6 => gross_ns,
            Self::Wrk => gross_ns / US * US,
            Self::Curl => whole / US * US,
            Self::Jmeter | Self::Gatling => rounded(whole, MS),
            Self::Locust => {
                let mut unit = MS;
                while whole / 100 >= unit {
                    unit *= 10;
                }
                rounded(whole, unit)
            }
        }
    }
}

fn rounded(ns: u64, unit: u64) -> u64 {
    ns.saturating_add(unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_has_its_own_number_for_the_same_exchange() {
        let (blocked, gross) = (3_200_400, 123_456_789);
        let of = |tool: Compat| tool.value_ns(blocked, gross);
        assert_eq!(of(Compat::K6), 123_456_789);
        assert_eq!(of(Compat::Wrk), 123_456_000);
        assert_eq!(of(Compat::Curl), 126_657_000);
        assert_eq!(of(Compat::Jmeter), 127_000_000);
        assert_eq!(of(Compat::Gatling), 127_000_000);
        assert_eq!(of(Compat::Locust), 130_000_000);
        assert_eq!(Compat::Locust.value_ns(0, 42_400_000), 42_000_000);
        assert_eq!(
            Compat::Locust.value_ns(u64::MAX, 1) / 1_000_000_000_000_000_000,
            18
        );
    }

    #[test]
    fn names_find_their_tools() {
        for tool in Compat::ALL {
            assert_eq!(Compat::named(tool.name()), Some(tool));
            assert!(!tool.term().is_empty() && !tool.start().is_empty() && !tool.end().is_empty());
        }
        assert_eq!(Compat::named("ab"), None);
    }
}
