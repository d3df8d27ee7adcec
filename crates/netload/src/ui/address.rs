//! Where the web UI listens and what a request must present there.

use std::fs::File;
use std::io::Read;
use std::net::{SocketAddr, ToSocketAddrs};

use netload_web::{Door, Served, new_token};

use crate::failure::Failure;
use crate::typed::Typed;

/// Where it listens when nobody says where; k6's dashboard does too.
pub(crate) const DEFAULT: &str = "localhost:5665";
/// The port when only a host is given.
const PORT: &str = "5665";

/// Where the web UI listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The socket.
    pub(crate) socket: SocketAddr,
    /// The name in the address, when it was one.
    pub(crate) name: Option<String>,
    /// What a request must present.
    pub(crate) token: Option<String>,
}

impl Address {
    /// From `HOST:PORT`, `HOST` or `PORT` and the token that was typed; elsewhere than on loopback there is always one.
    pub(crate) fn read(typed: &Typed, text: &str) -> Result<Self, Failure> {
        let (host, port) = parts(text);
        let full = match host {
            "" | "localhost" => format!("127.0.0.1:{port}"),
            host => format!("{host}:{port}"),
        };
        let found = full.to_socket_addrs().ok().and_then(|mut all| all.next());
        let socket = found.ok_or_else(|| {
            Failure::usage(format!(
                "`{text}` is not an address the web UI could listen on"
            ))
            .hint("write it like localhost:5665")
        })?;
        let is_name = !host.is_empty() && full.parse::<SocketAddr>().is_err();
        let token = match typed.text("uiToken") {
            Some(token) => Some(usable(token)?),
            None if Door::needs_token(&socket) => Some(made()?),
            None => None,
        };
        Ok(Self {
            socket,
            name: is_name.then(|| host.to_owned()),
            token,
        })
    }

    /// The link to the page of a run.
    pub(crate) fn link_of(&self, served: &Served, run: &str) -> String {
        match &self.token {
            // The page behind the token is always the first one.
            Some(_) => served.link.clone(),
            None => format!("{}#/runs/{run}", served.link),
        }
    }
}

fn parts(text: &str) -> (&str, &str) {
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    match text.rsplit_once(':') {
        Some((host, port)) if all_digits(port) => (host, port),
        None if all_digits(text) => ("", text),
        _ => (text, PORT),
    }
}

/// A token goes through links, headers and cookies: letters and digits pass all three as they are.
fn usable(token: &str) -> Result<String, Failure> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    if token.len() < 8 || !token.bytes().all(plain) {
        return Err(
            Failure::usage("the token must have at least 8 letters and digits").at("--ui-token"),
        );
    }
    Ok(token.to_owned())
}

fn made() -> Result<String, Failure> {
    let mut random = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut random))
        .map_err(|e| {
            Failure::usage(format!("the system gives no random bytes for a token: {e}"))
                .hint("--ui-token takes one of yours")
        })?;
    Ok(new_token(random))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Address {
        Address::read(&Typed::default(), text).unwrap()
    }

    #[test]
    fn loopback_needs_no_token_and_everything_else_gets_one() {
        for (text, socket) in [
            ("localhost:5665", "127.0.0.1:5665"),
            ("1234", "127.0.0.1:1234"),
            (":1234", "127.0.0.1:1234"),
            ("localhost", "127.0.0.1:5665"),
            ("[::1]:80", "[::1]:80"),
        ] {
            let address = read(text);
            assert_eq!(
                (address.socket.to_string().as_str(), address.token),
                (socket, None),
                "{text}"
            );
        }
        let open = read("0.0.0.0:5665");
        assert_eq!(open.token.map(|t| t.len()), Some(32));
        assert_ne!(read("0.0.0.0").token, read("0.0.0.0").token);
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["localhost:99999", "no such host", "a:b:c"] {
            assert!(Address::read(&Typed::default(), text).is_err(), "{text}");
        }
    }
}
