//! The request of `netload hit`: curl's flags where curl has one.

use super::{Opt, Owner, Value};

const TOOL: Opt = Opt {
    owner: Owner::Tool,
    ..Opt::BASE
};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "request",
        long: "request",
        short: Some('X'),
        value: Value::One("METHOD"),
        default: "GET, or POST with data",
        help: "Method of the request",
        ..TOOL
    },
    Opt {
        key: "header",
        long: "header",
        short: Some('H'),
        value: Value::Many("NAME: VALUE"),
        help: "Add a header; `Name:` removes one that would be sent; repeatable",
        details: "`Name;` sends it empty. `@FILE` reads headers from a file, one a line.",
        ..TOOL
    },
    Opt {
        key: "data",
        long: "data",
        aliases: &["data-ascii"],
        short: Some('d'),
        value: Value::Many("DATA"),
        help: "Send this body as a form; several are joined with &",
        details: "`@FILE` reads a file and `@-` standard input, without line ends.",
        ..TOOL
    },
    Opt {
        key: "dataRaw",
        long: "data-raw",
        value: Value::Many("DATA"),
        help: "The same, but @ has no meaning",
        ..TOOL
    },
    Opt {
        key: "dataBinary",
        long: "data-binary",
        value: Value::Many("DATA"),
        help: "The same as --data, but files are sent as they are",
        ..TOOL
    },
    Opt {
        key: "dataUrlencode",
        long: "data-urlencode",
        value: Value::Many("DATA"),
        help: "The same as --data, but percent-encoded",
        details: "TEXT, =TEXT, NAME=TEXT, @FILE or NAME@FILE; the name is not encoded.",
        ..TOOL
    },
    Opt {
        key: "json",
        long: "json",
        value: Value::Many("DATA"),
        help: "Send this body as JSON and ask for JSON",
        details: "Sets Content-Type and Accept unless they are given. `@FILE` reads a file.",
        ..TOOL
    },
    Opt {
        key: "form",
        long: "form",
        short: Some('F'),
        value: Value::Many("NAME=VALUE"),
        help: "Send a multipart form; NAME=@FILE sends a file; repeatable",
        details: "`NAME=<FILE` sends a file's content as text. `;type=TYPE` and `;filename=NAME` may follow a file.",
        ..TOOL
    },
    Opt {
        key: "get",
        long: "get",
        short: Some('G'),
        help: "Put the data into the query and use GET",
        ..TOOL
    },
    Opt {
        key: "head",
        long: "head",
        short: Some('I'),
        help: "Use HEAD",
        ..TOOL
    },
    Opt {
        key: "user",
        long: "user",
        short: Some('u'),
        value: Value::One("NAME:PASSWORD"),
        help: "Basic authentication",
        ..TOOL
    },
    Opt {
        key: "userAgent",
        long: "user-agent",
        short: Some('A'),
        value: Value::One("TEXT"),
        default: concat!("netload/", env!("CARGO_PKG_VERSION")),
        help: "The User-Agent header; an empty text sends none",
        ..TOOL
    },
    Opt {
        key: "referer",
        long: "referer",
        short: Some('e'),
        value: Value::One("URL"),
        help: "The Referer header",
        ..TOOL
    },
    Opt {
        key: "cookie",
        long: "cookie",
        short: Some('b'),
        value: Value::Many("NAME=VALUE"),
        help: "The Cookie header; several are joined with `; `",
        ..TOOL
    },
    Opt {
        key: "compressed",
        long: "compressed",
        help: "Ask for a compressed response",
        details: "The body is counted as it arrives and not unpacked.",
        ..TOOL
    },
    Opt {
        key: "location",
        long: "location",
        short: Some('L'),
        help: "Follow redirects; each hop is measured as a request of its own",
        ..TOOL
    },
    Opt {
        key: "maxRedirs",
        long: "max-redirs",
        value: Value::One("N"),
        default: "50",
        help: "Redirects that --location follows; the last answer counts as it is",
        ..TOOL
    },
    Opt {
        key: "http1.1",
        long: "http1.1",
        help: "Use HTTP/1.1, which is the default",
        ..TOOL
    },
    Opt {
        key: "silent",
        long: "silent",
        short: Some('s'),
        help: "The same as --quiet",
        ..TOOL
    },
];
