//! Which elements have which properties, and where each gets its answer; as observed in k6.

use crate::properties::Kind::{
    Always, Computed, Content, Flag, Integer, Nothing, One, OneOrNothing, Part, Positive, Related,
    Text, Url,
};
use crate::properties::{self, Property};

/// Tags that have the same properties, with these.
type Row = (&'static [&'static str], &'static [Property]);

/// One row for each kind of element that has properties of its own.
#[rustfmt::skip]
pub(crate) const TABLE: &[Row] = &[
    (&["a", "area"], &[
        property("accessKey", Text("accesskey", "")), property("download", Text("download", "")),
        property("hash", Part(properties::Part::Hash)), property("host", Part(properties::Part::Host)),
        property("hostname", Part(properties::Part::HostName)), property("href", Url("href")),
        property("hrefLang", Text("hreflang", "")), property("origin", Part(properties::Part::Origin)),
        property("password", Part(properties::Part::Password)), property("pathname", Part(properties::Part::Path)),
        property("port", Part(properties::Part::Port)), property("protocol", Part(properties::Part::Protocol)),
        property("referrerPolicy", One("referrerpolicy", "referrer", "")), property("rel", Text("rel", "")),
        property("relList", Computed(properties::Computed::RelList)), property("search", Part(properties::Part::Search)),
        property("target", Text("target", "")), property("text", Content), property("type", Text("type", "")),
        property("username", Part(properties::Part::UserName)),
    ]),
    (&["base"], &[
        property("href", Url("href")), property("target", Text("target", "")),
    ]),
    (&["button"], &[
        property("form", Related(properties::Related::Form)), property("formAction", Text("formaction", "")),
        property("formEnctype", Computed(properties::Computed::FormEnctype)),
        property("formMethod", Computed(properties::Computed::FormMethod)),
        property("formNoValidate", Flag("formnovalidate")), property("formTarget", Text("formtarget", "")),
        property("labels", Related(properties::Related::Labels)), property("name", Text("name", "")),
        property("accessKey", Text("accesskey", "")), property("autofocus", Flag("autofocus")),
        property("disabled", Flag("disabled")), property("tabIndex", Integer("tabindex", 0)),
        property("type", One("type", "button", "submit")), property("value", Computed(properties::Computed::ButtonValue)),
    ]),
    (&["form"], &[
        property("acceptCharset", Text("accept-charset", "")), property("action", Url("action")),
        property("autocomplete", One("autocomplete", "autocomplete", "on")),
        property("elements", Related(properties::Related::Listed)),
        property("encoding", One("enctype", "enctype", "application/x-www-form-urlencoded")),
        property("enctype", One("enctype", "enctype", "application/x-www-form-urlencoded")),
        property("length", Computed(properties::Computed::ListedCount)),
        property("method", One("method", "method", "get")), property("name", Text("name", "")),
        property("noValidate", Flag("novalidate")), property("target", Text("target", "")),
    ]),
    (&["fieldset"], &[
        property("disabled", Flag("disabled")), property("elements", Related(properties::Related::Listed)),
        property("form", Related(properties::Related::Form)), property("name", Text("name", "")),
        property("type", Always("fieldset")), property("validity", Nothing),
    ]),
    (&["input"], &[
        property("form", Related(properties::Related::Form)), property("formAction", Text("formaction", "")),
        property("formEnctype", Computed(properties::Computed::FormEnctype)),
        property("formMethod", Computed(properties::Computed::FormMethod)),
        property("formNoValidate", Flag("formnovalidate")), property("formTarget", Text("formtarget", "")),
        property("labels", Related(properties::Related::Labels)), property("name", Text("name", "")),
        property("accept", Text("accept", "")), property("accessKey", Text("accesskey", "")),
        property("alt", Text("alt", "")), property("autocomplete", One("autocomplete", "autocomplete", "on")),
        property("autofocus", Flag("autofocus")), property("checked", Flag("checked")),
        property("defaultChecked", Flag("checked")), property("defaultValue", Text("value", "")),
        property("dirName", Text("dirname", "")), property("disabled", Flag("disabled")),
        property("height", Text("height", "")), property("list", Related(properties::Related::List)),
        property("max", Text("max", "")), property("maxLength", Integer("maxlength", -1)),
        property("min", Text("min", "")), property("multiple", Flag("multiple")),
        property("pattern", Text("pattern", "")), property("placeholder", Text("placeholder", "")),
        property("readonly", Flag("readonly")), property("required", Flag("required")),
        property("size", Integer("size", 0)), property("src", Text("src", "")),
        property("step", Text("step", "")), property("tabIndex", Integer("tabindex", 0)),
        property("type", One("type", "input", "text")), property("value", Text("value", "")),
        property("width", Text("width", "")),
    ]),
    (&["select"], &[
        property("autofocus", Flag("autofocus")), property("disabled", Flag("disabled")),
        property("form", Related(properties::Related::Form)), property("labels", Related(properties::Related::Labels)),
        property("length", Computed(properties::Computed::OptionCount)), property("multiple", Flag("multiple")),
        property("name", Text("name", "")), property("options", Related(properties::Related::Options)),
        property("required", Flag("required")), property("selectedIndex", Computed(properties::Computed::ChosenIndex)),
        property("selectedOptions", Related(properties::Related::ChosenOptions)),
        property("size", Computed(properties::Computed::SelectSize)), property("tabIndex", Integer("tabindex", 0)),
        property("type", Computed(properties::Computed::SelectType)), property("value", Computed(properties::Computed::ChosenValue)),
    ]),
    (&["option"], &[
        property("defaultSelected", Flag("selected")), property("disabled", Flag("disabled")),
        property("form", Related(properties::Related::Form)), property("index", Computed(properties::Computed::OptionIndex)),
        property("label", Computed(properties::Computed::OptionLabel)), property("selected", Flag("selected")),
        property("text", Content), property("value", Computed(properties::Computed::OptionValue)),
    ]),
    (&["optgroup"], &[
        property("disabled", Flag("disabled")), property("label", Text("label", "")),
    ]),
    (&["textarea"], &[
        property("accessKey", Text("accesskey", "")),
        property("autocapitalize", One("autocapitalize", "autocapitalize", "sentences")),
        property("autocomplete", One("autocomplete", "autocomplete", "on")),
        property("cols", Integer("cols", 0)), property("defaultValue", Content),
        property("form", Related(properties::Related::Form)), property("labels", Related(properties::Related::Labels)),
        property("length", Computed(properties::Computed::TextLength)), property("maxLength", Integer("maxlength", 0)),
        property("name", Text("name", "")), property("placeholder", Text("placeholder", "")),
        property("readOnly", Flag("readonly")), property("required", Flag("required")),
        property("rows", Integer("rows", 0)), property("tabIndex", Integer("tabindex", 0)),
        property("type", Always("textarea")), property("value", Content),
        property("wrap", One("wrap", "wrap", "soft")),
    ]),
    (&["label"], &[
        property("control", Related(properties::Related::Control)), property("form", Related(properties::Related::Form)),
        property("htmlFor", Text("for", "")),
    ]),
    (&["legend"], &[
        property("accessKey", Text("accesskey", "")), property("form", Related(properties::Related::Form)),
    ]),
    (&["output"], &[
        property("defaultValue", Content), property("form", Related(properties::Related::Form)),
        property("htmlFor", Text("for", "")), property("labels", Related(properties::Related::Labels)),
        property("name", Text("name", "")), property("type", Always("output")), property("value", Content),
    ]),
    (&["img"], &[
        property("alt", Text("alt", "")), property("crossOrigin", OneOrNothing("crossorigin", "crossorigin")),
        property("currentSrc", Url("src")), property("height", Integer("height", 0)),
        property("isMap", Flag("ismap")), property("name", Text("name", "")),
        property("referrerPolicy", One("referrerpolicy", "referrer", "")),
        property("sizes", Text("sizes", "")), property("src", Url("src")),
        property("srcset", Text("srcset", "")), property("useMap", Text("usemap", "")),
        property("width", Integer("width", 0)),
    ]),
    (&["iframe"], &[
        property("allowfullscreen", Flag("allowfullscreen")), property("height", Text("height", "")),
        property("name", Text("name", "")), property("referrerPolicy", One("referrerpolicy", "referrer", "")),
        property("src", Url("src")), property("width", Text("width", "")),
    ]),
    (&["embed"], &[
        property("height", Text("height", "")), property("src", Url("src")),
        property("type", Text("type", "")), property("width", Text("width", "")),
    ]),
    (&["object"], &[
        property("data", Url("data")), property("form", Related(properties::Related::Form)),
        property("height", Text("height", "")), property("name", Text("name", "")),
        property("tabIndex", Integer("tabindex", 0)), property("type", Text("type", "")),
        property("typeMustMatch", Flag("typemustmatch")), property("useMap", Text("usemap", "")),
        property("width", Text("width", "")),
    ]),
    (&["audio", "video"], &[
        property("autoplay", Flag("autoplay")), property("controls", Flag("controls")),
        property("crossOrigin", OneOrNothing("crossorigin", "crossorigin")),
        property("currentSrc", Url("src")), property("defaultMuted", Flag("muted")),
        property("loop", Flag("loop")), property("mediaGroup", Text("mediagroup", "")),
        property("muted", Flag("muted")), property("preload", One("preload", "preload", "auto")),
        property("src", Url("src")), property("textTracks", Related(properties::Related::All("track"))),
    ]),
    (&["source"], &[
        property("keySystem", Text("keysystem", "")), property("media", Text("media", "")),
        property("sizes", Text("sizes", "")), property("src", Url("src")),
        property("srcset", Text("srcset", "")), property("type", Text("type", "")),
    ]),
    (&["track"], &[
        property("default", Flag("default")), property("kind", One("kind", "kind", "subtitle")),
        property("label", Text("label", "")), property("src", Url("src")),
        property("srclang", Text("srclang", "")),
    ]),
    (&["script"], &[
        property("async", Flag("async")), property("charset", Text("charset", "")),
        property("crossOrigin", Text("crossorigin", "")), property("defer", Flag("defer")),
        property("noModule", Flag("nomodule")), property("src", Url("src")), property("text", Content),
        property("type", Text("type", "")),
    ]),
    (&["style"], &[
        property("media", Text("media", "")), property("type", Text("type", "text/css")),
    ]),
    (&["link"], &[
        property("crossOrigin", OneOrNothing("crossorigin", "crossorigin")), property("href", Url("href")),
        property("hreflang", Text("hreflang", "")), property("media", Text("media", "")),
        property("referrerPolicy", One("referrerpolicy", "referrer", "")), property("rel", Text("rel", "")),
        property("relList", Computed(properties::Computed::RelList)), property("target", Text("target", "")),
        property("type", Text("type", "")),
    ]),
    (&["table"], &[
        property("caption", Related(properties::Related::First("caption"))), property("rows", Related(properties::Related::Rows)),
        property("sortable", Flag("sortable")), property("tBodies", Related(properties::Related::All("tbody"))),
        property("tFoot", Related(properties::Related::First("tfoot"))),
        property("tHead", Related(properties::Related::First("thead"))),
    ]),
    (&["tr"], &[
        property("cells", Related(properties::Related::Cells)), property("rowIndex", Computed(properties::Computed::RowIndex)),
        property("sectionRowIndex", Computed(properties::Computed::SectionRowIndex)),
    ]),
    (&["td"], &[
        property("cellIndex", Computed(properties::Computed::CellIndex)), property("colSpan", Integer("colspan", 1)),
        property("headers", Text("headers", "")), property("rowSpan", Integer("rowspan", 1)),
    ]),
    (&["th"], &[
        property("abbr", Text("abbr", "")), property("cellIndex", Computed(properties::Computed::CellIndex)),
        property("colSpan", Integer("colspan", 1)), property("headers", Text("headers", "")),
        property("rowSpan", Integer("rowspan", 1)), property("scope", One("scope", "scope", "")),
        property("sorted", Flag("sorted")),
    ]),
    (&["col"], &[
        property("span", Positive("span")),
    ]),
    (&["thead", "tbody", "tfoot"], &[
        property("rows", Related(properties::Related::Rows)),
    ]),
    (&["meter"], &[
        property("high", Integer("high", 0)), property("labels", Related(properties::Related::Labels)),
        property("low", Integer("low", 0)), property("max", Integer("max", 0)),
        property("min", Integer("min", 0)), property("optimum", Integer("optimum", 0)),
    ]),
    (&["progress"], &[
        property("labels", Related(properties::Related::Labels)), property("max", Computed(properties::Computed::ProgressMax)),
        property("position", Computed(properties::Computed::ProgressPosition)),
        property("value", Computed(properties::Computed::ProgressValue)),
    ]),
    (&["canvas"], &[
        property("height", Integer("height", 150)), property("width", Integer("width", 150)),
    ]),
    (&["data"], &[
        property("value", Text("value", "")),
    ]),
    (&["datalist"], &[
        property("options", Related(properties::Related::Options)),
    ]),
    (&["keygen"], &[
        property("autofocus", Flag("autofocus")), property("challenge", Text("challenge", "")),
        property("disabled", Flag("disabled")), property("form", Related(properties::Related::Form)),
        property("keytype", One("keytype", "keytype", "RSA")), property("labels", Related(properties::Related::Labels)),
        property("name", Text("name", "")), property("type", Always("keygen")),
    ]),
    (&["li"], &[
        property("type", One("type", "li", "")), property("value", Integer("value", 0)),
    ]),
    (&["map"], &[
        property("areas", Related(properties::Related::All("area"))), property("images", Related(properties::Related::UsersOfMap)),
        property("name", Text("name", "")),
    ]),
    (&["meta"], &[
        property("content", Text("content", "")),
        property("httpEquiv", One("http-equiv", "http-equiv", "content-type")),
        property("name", Text("name", "")),
    ]),
    (&["ins", "del"], &[
        property("cite", Text("cite", "")), property("datetime", Text("datetime", "")),
    ]),
    (&["blockquote", "q"], &[
        property("cite", Text("cite", "")),
    ]),
    (&["ol"], &[
        property("reversed", Flag("reversed")), property("start", Integer("start", 0)),
        property("type", One("type", "ol", "1")),
    ]),
    (&["param", "pre"], &[
        property("name", Text("name", "")), property("value", Text("value", "")),
    ]),
    (&["time"], &[
        property("datetime", Text("datetime", "")),
    ]),
    (&["title"], &[
        property("text", Content),
    ]),
    (&["ul"], &[
        property("type", Text("type", "")),
    ]),
];

/// What attributes can say that allow only some texts.
#[rustfmt::skip]
pub(crate) const ENUMERATIONS: &[(&str, &[&str])] = &[
    ("enctype", &["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]),
    ("method", &["get", "post"]),
    ("autocomplete", &["on", "off"]),
    ("referrer", &[
        "no-referrer", "no-referrer-when-downgrade",
        "origin", "origin-when-cross-origin", "unsafe-url",
    ]),
    ("crossorigin", &["anonymous", "use-credentials"]),
    ("button", &["submit", "button", "menu", "reset"]),
    ("input", &[
        "text", "button", "checkbox", "color", "date", "datetime-local", "email", "file", "hidden", "image", "month",
        "number", "password", "radio", "range", "reset", "search", "submit", "tel", "time", "url", "week",
    ]),
    ("autocapitalize", &["sentences", "none", "off", "characters", "words"]),
    ("wrap", &["soft", "hard", "off"]),
    ("preload", &["auto", "metadata", "none"]),
    ("kind", &["subtitle", "captions", "descriptions", "chapters", "metadata"]),
    ("scope", &["row", "col", "colgroup", "rowgroup"]),
    ("li", &["1", "a", "A", "i", "I", "disc", "square", "circle"]),
    ("ol", &["1", "a", "A", "i", "I"]),
    ("http-equiv", &["content-type", "default-style", "refresh"]),
    ("keytype", &["RSA", "DSA", "EC"]),
];

const fn property(name: &'static str, kind: crate::properties::Kind) -> Property {
    Property { name, kind }
}
