//! Signatures of AWS, version 4, for Amazon's managed Prometheus.
//!
//! <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>. Signed are the host, the time and
//! the body. Time is an argument; the first test is Amazon's own.

use aws_lc_rs::{digest, hmac};

const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// Amazon Managed Service for Prometheus.
const SERVICE: &str = "aps";
const SIGNED: &str = "host;x-amz-date";

/// Who signs.
#[derive(Clone)]
pub(crate) struct Signer {
    region: String,
    service: &'static str,
    access_key: String,
    secret_key: String,
}

/// What a signature covers.
pub(crate) struct Signed<'a> {
    pub(crate) method: &'a str,
    pub(crate) host: &'a str,
    /// Path and query, as they are sent.
    pub(crate) target: &'a str,
    pub(crate) body: &'a [u8],
}

/// The headers that make a request signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// `X-Amz-Date`
    pub(crate) date: String,
    /// `Authorization`
    pub(crate) authorization: String,
}

impl Signer {
    pub(crate) fn new(region: &str, access_key: &str, secret_key: &str) -> Self {
        Self {
            region: region.to_owned(),
            service: SERVICE,
            access_key: access_key.to_owned(),
            secret_key: secret_key.to_owned(),
        }
    }

    /// Signs a request as of a time in nanoseconds since 1970.
    pub(crate) fn sign(&self, request: &Signed<'_>, unix_ns: u64) -> Signature {
        let seconds = (unix_ns / 1_000_000_000) as i64;
        let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
        let date = time.strftime("%Y%m%dT%H%M%SZ").to_string();
        let day = time.strftime("%Y%m%d").to_string();
        let scope = format!("{day}/{}/{}/aws4_request", self.region, self.service);
        let (path, query) = request
            .target
            .split_once('?')
            .unwrap_or((request.target, ""));
        let mut pairs: Vec<&str> = query.split('&').collect();
        pairs.sort_unstable();
        let canonical = format!(
            "{}\n{path}\n{}\nhost:{}\nx-amz-date:{date}\n\n{SIGNED}\n{}",
            request.method,
            pairs.join("&"),
            request.host,
            hash(request.body),
        );
        let text = format!(
            "{ALGORITHM}\n{date}\n{scope}\n{}",
            hash(canonical.as_bytes())
        );
        let mut key = format!("AWS4{}", self.secret_key).into_bytes();
        for part in [day.as_str(), &self.region, self.service, "aws4_request"] {
            key = keyed(&key, part);
        }
        let signature = hex(&keyed(&key, &text));
        Signature {
            authorization: format!(
                "{ALGORITHM} Credential={}/{scope}, SignedHeaders={SIGNED}, Signature={signature}",
                self.access_key
            ),
            date,
        }
    }
}

fn keyed(key: &[u8], text: &str) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    hmac::sign(&key, text.as_bytes()).as_ref().to_vec()
}

fn hash(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_amazon_is_signed_as_there() {
        let signer = Signer {
            service: "service",
            ..Signer::new(
                "us-east-1",
                "AKIDEXAMPLE",
                "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            )
        };
        let request = Signed {
            method: "GET",
            host: "example.amazonaws.com",
            target: "/",
            body: b"",
        };
        let signature = signer.sign(&request, 1_440_938_160_000_000_000);
        assert_eq!(signature.date, "20150830T123600Z");
        assert_eq!(
            signature.authorization,
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
             SignedHeaders=host;x-amz-date, \
             Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        );
    }
}
