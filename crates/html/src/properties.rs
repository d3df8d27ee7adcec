//! The properties of elements that scripts ask for by name, such as `href` of links: which there are, and their answers.

use crate::forms::FieldValue;
use crate::parts::{Parts, resolve};
use crate::property_table::{ENUMERATIONS, TABLE};
use crate::tree::{Document, NodeId};

/// How a property gets its answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// The text of an attribute, or a default.
    Text(&'static str, &'static str),
    /// The text of an attribute as a URL, seen from that of the document.
    Url(&'static str),
    /// Whether there is the attribute.
    Flag(&'static str),
    /// A whole number, or a default.
    Integer(&'static str, i64),
    /// A whole number from 1, or 1.
    Positive(&'static str),
    /// One of the texts of an enumeration, or a default.
    One(&'static str, Enumeration, &'static str),
    /// One of the texts of an enumeration, or nothing at all.
    OneOrNothing(&'static str, Enumeration),
    /// Always the same text.
    Always(&'static str),
    /// The text inside.
    Content,
    /// A part of the element's URL.
    Part(Part),
    /// Another element, or several.
    Related(Related),
    /// A number or text that needs more than one attribute.
    Computed(Computed),
    /// Nothing.
    Nothing,
}

/// The name of a list in [`ENUMERATIONS`].
pub(crate) type Enumeration = &'static str;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Hash,
    Host,
    HostName,
    Origin,
    Password,
    Path,
    Port,
    Protocol,
    Search,
    UserName,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Related {
    Form,
    Labels,
    Control,
    List,
    Listed,
    Options,
    ChosenOptions,
    Rows,
    Cells,
    First(&'static str),
    All(&'static str),
    UsersOfMap,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Computed {
    FormMethod,
    FormEnctype,
    RelList,
    ListedCount,
    OptionCount,
    ChosenIndex,
    ChosenValue,
    SelectType,
    SelectSize,
    OptionIndex,
    OptionLabel,
    OptionValue,
    ButtonValue,
    TextLength,
    RowIndex,
    SectionRowIndex,
    CellIndex,
    ProgressMax,
    ProgressPosition,
    ProgressValue,
}

/// The answer to a question about an element.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// There is none.
    Nothing,
    /// A text.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// An element.
    Node(NodeId),
    /// Elements.
    Nodes(Vec<NodeId>),
    /// Texts.
    Texts(Vec<String>),
}

impl Answer {
    fn node(node: Option<NodeId>) -> Self {
        node.map_or(Self::Nothing, Self::Node)
    }

    fn count(count: usize) -> Self {
        Self::Number(count as f64)
    }
}

/// A property of the elements of some tags.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// How scripts call it.
    pub name: &'static str,
    pub(crate) kind: Kind,
}

impl Property {
    /// All properties, of all tags one after the other; their places are their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE
            .iter()
            .flat_map(|(_, properties)| properties.iter().copied())
    }

    /// The number of the first property of a tag, and the properties; none of tags without.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<(usize, &'static [Self])> {
        let mut first = 0;
        for (tags, properties) in TABLE {
            if tags.contains(&tag) {
                return Some((first, properties));
            }
            first += properties.len();
        }
        None
    }

    /// The property with this number.
    #[must_use]
    pub fn numbered(number: usize) -> Option<Self> {
        Self::all().nth(number)
    }

    /// What it is for an element of a document at `url`.
    #[must_use]
    pub fn of(self, document: &Document, id: NodeId, url: &str) -> Answer {
        let attribute = |name| document.attribute(id, name);
        match self.kind {
            Kind::Text(name, default) => {
                let given = attribute(name).filter(|text| !text.is_empty());
                Answer::Text(given.unwrap_or(default).into())
            }
            Kind::Url(name) => match attribute(name) {
                Some(reference) => Answer::Text(resolve(url, reference)),
                None => Answer::Text(String::new()),
            },
            Kind::Flag(name) => Answer::Flag(attribute(name).is_some()),
            Kind::Integer(name, default) => {
                let number = attribute(name).and_then(integer).unwrap_or(default);
                Answer::Number(number as f64)
            }
            Kind::Positive(name) => {
                let number = attribute(name).and_then(integer).filter(|n| *n > 0);
                Answer::Number(number.unwrap_or(1) as f64)
            }
            Kind::One(name, list, default) => {
                let known = attribute(name).filter(|value| is_in(list, value));
                Answer::Text(known.unwrap_or(default).into())
            }
            Kind::OneOrNothing(name, list) => {
                let known = attribute(name).filter(|value| is_in(list, value));
                known.map_or(Answer::Nothing, |value| Answer::Text(value.into()))
            }
            Kind::Always(text) => Answer::Text(text.into()),
            Kind::Content => Answer::Text(document.text(id)),
            Kind::Part(part) => Answer::Text(part.of(&match attribute("href") {
                Some(reference) => resolve(url, reference),
                None => String::new(),
            })),
            Kind::Related(related) => related.of(document, id),
            Kind::Computed(computed) => computed.of(document, id),
            Kind::Nothing => Answer::Nothing,
        }
    }
}

/// A whole number without blanks.
fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

fn is_in(list: Enumeration, value: &str) -> bool {
    let found = ENUMERATIONS.iter().find(|(name, _)| *name == list);
    found.is_some_and(|(_, values)| values.contains(&value))
}

impl Part {
    fn of(self, url: &str) -> String {
        let parts = Parts::of(url);
        let marked = |mark: &str, part: Option<&str>| {
            let part = part.filter(|part| !part.is_empty());
            part.map_or_else(String::new, |part| format!("{mark}{part}"))
        };
        match self {
            Self::Hash => marked("#", parts.fragment),
            Self::Host => parts.host().to_owned(),
            Self::HostName => parts.host_and_port().0.to_owned(),
            Self::Origin => match parts.scheme {
                Some(scheme) => format!("{scheme}://{}", parts.host()),
                None => String::new(),
            },
            Self::Password => parts.user_info().1.to_owned(),
            // The rest of `mailto:` and the like is no path.
            Self::Path if parts.scheme.is_some() && parts.authority.is_none() => String::new(),
            Self::Path => parts.path.to_owned(),
            Self::Port => parts.host_and_port().1.to_owned(),
            // As k6 has it: with a colon only when there is no scheme.
            Self::Protocol => parts.scheme.unwrap_or(":").to_owned(),
            Self::Search => marked("?", parts.query),
            Self::UserName => parts.user_info().0.to_owned(),
        }
    }
}

impl Related {
    fn of(self, document: &Document, id: NodeId) -> Answer {
        match self {
            Self::Form => Answer::node(document.form_of(id)),
            Self::Labels => Answer::Nodes(document.labels_of(id)),
            Self::Control => Answer::node(document.control_of(id)),
            Self::List => Answer::node(document.list_of(id)),
            Self::Listed => Answer::Nodes(document.listed_in(id)),
            Self::Options => Answer::Nodes(document.options(id).collect()),
            Self::ChosenOptions => Answer::Nodes(document.chosen(id).collect()),
            Self::Rows => Answer::Nodes(document.rows_of(id)),
            Self::Cells => Answer::Nodes(document.child_elements(id).collect()),
            Self::First(tag) => {
                let mut children = document.child_elements(id);
                Answer::node(children.find(|child| document.is(*child, tag)))
            }
            Self::All(tag) => Answer::Nodes(document.of_tag(id, tag)),
            Self::UsersOfMap => Answer::Nodes(document.users_of(id)),
        }
    }
}

impl Computed {
    fn of(self, document: &Document, id: NodeId) -> Answer {
        let attribute = |name| document.attribute(id, name);
        // What a button does not say, its form does.
        let submission = |own, of_form| {
            let form = || document.attribute(document.form_of(id)?, of_form);
            attribute(own).or_else(form)
        };
        match self {
            Self::FormMethod => {
                let posts = submission("formmethod", "method")
                    .is_some_and(|method| method.eq_ignore_ascii_case("post"));
                Answer::Text(if posts { "post" } else { "get" }.to_owned())
            }
            Self::FormEnctype => {
                let known =
                    submission("formenctype", "enctype").filter(|value| is_in("enctype", value));
                Answer::Text(
                    known
                        .unwrap_or("application/x-www-form-urlencoded")
                        .to_owned(),
                )
            }
            Self::RelList => {
                let words = attribute("rel").filter(|rel| !rel.is_empty());
                let words = words.map(|rel| rel.split(' ').map(str::to_owned).collect());
                Answer::Texts(words.unwrap_or_default())
            }
            Self::ListedCount => Answer::count(document.listed_in(id).len()),
            Self::OptionCount => Answer::count(document.options(id).count()),
            Self::ChosenIndex => {
                let chosen = document.chosen(id).next();
                let place = chosen.map(|option| document.option_index(option) as f64);
                Answer::Number(place.unwrap_or(-1.0))
            }
            Self::ChosenValue => {
                let chosen = document.chosen(id).next();
                let value = chosen.map(|option| document.option_value(option));
                Answer::Text(value.unwrap_or_default())
            }
            Self::SelectType => Answer::Text(match attribute("multiple") {
                Some(_) => "select-multiple".to_owned(),
                None => "select".to_owned(),
            }),
            Self::SelectSize => Answer::Number(match attribute("multiple") {
                Some(_) => 4.0,
                None => 1.0,
            }),
            Self::OptionIndex => Answer::count(document.option_index(id)),
            Self::OptionLabel => {
                let label = attribute("label").map(str::to_owned);
                Answer::Text(label.unwrap_or_else(|| document.text(id)))
            }
            Self::OptionValue => Answer::Text(document.option_value(id)),
            Self::ButtonValue => {
                let value = attribute("value").map(str::to_owned);
                Answer::Text(value.unwrap_or_else(|| document.text(id)))
            }
            Self::TextLength => {
                let text = match document.field_value(id) {
                    Some(FieldValue::One(text)) => text,
                    _ => String::new(),
                };
                Answer::count(text.encode_utf16().count())
            }
            Self::RowIndex => Answer::count(document.row_index(id, &["table"])),
            Self::SectionRowIndex => {
                Answer::count(document.row_index(id, &["thead", "tbody", "tfoot", "table"]))
            }
            Self::CellIndex => Answer::count(document.cell_index(id)),
            Self::ProgressMax => Answer::Number(progress_max(attribute("max"))),
            Self::ProgressPosition => {
                let place = progress(attribute("value"), attribute("max"));
                Answer::Number(place.unwrap_or(-1.0))
            }
            Self::ProgressValue => {
                let place = progress(attribute("value"), attribute("max"));
                Answer::Number(place.unwrap_or(0.0))
            }
        }
    }
}

fn progress_max(max: Option<&str>) -> f64 {
    max.and_then(number).filter(|max| *max > 0.0).unwrap_or(1.0)
}

/// How far a progress bar is, as a share of its whole; none when it has no value.
fn progress(value: Option<&str>, max: Option<&str>) -> Option<f64> {
    let value = value.and_then(number)?;
    Some(value.max(0.0) / progress_max(max))
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://h.test/dir/page?x";

    /// What a property of the first element of a tag is.
    fn answer(html: &str, tag: &str, name: &str) -> Answer {
        let document = Document::parse(html).unwrap();
        let id = document.of_tag(NodeId::DOCUMENT, tag)[0];
        let (_, properties) = Property::of_tag(tag).unwrap();
        let property = properties.iter().find(|p| p.name == name).unwrap();
        property.of(&document, id, URL)
    }

    fn text(text: &str) -> Answer {
        Answer::Text(text.to_owned())
    }

    #[test]
    fn numbers_of_properties_lead_to_them() {
        for (tags, _) in TABLE {
            for tag in *tags {
                let (first, properties) = Property::of_tag(tag).unwrap();
                for (at, property) in properties.iter().enumerate() {
                    let found = Property::numbered(first + at).unwrap();
                    assert_eq!(found.name, property.name, "{tag}");
                }
            }
        }
        assert!(Property::of_tag("div").is_none());
        assert!(Property::all().count() < i16::MAX as usize);
    }

    #[test]
    fn every_enumeration_that_is_named_exists() {
        for property in Property::all() {
            if let Kind::One(_, list, _) | Kind::OneOrNothing(_, list) = property.kind {
                assert!(ENUMERATIONS.iter().any(|(name, _)| *name == list), "{list}");
            }
        }
    }

    #[test]
    fn links_are_seen_from_the_document() {
        let link = "<a href='../up?q#f' rel='a b'>x</a>";
        assert_eq!(answer(link, "a", "href"), text("http://h.test/up?q#f"));
        assert_eq!(answer(link, "a", "hash"), text("#f"));
        assert_eq!(answer(link, "a", "origin"), text("http://h.test"));
        assert_eq!(
            answer(link, "a", "relList"),
            Answer::Texts(vec!["a".to_owned(), "b".to_owned()])
        );
        assert_eq!(answer("<a>x</a>", "a", "protocol"), text(":"));
    }

    #[test]
    fn attributes_have_their_types_and_defaults() {
        assert_eq!(answer("<input>", "input", "type"), text("text"));
        assert_eq!(
            answer("<input type=PASSWORD>", "input", "type"),
            text("text")
        );
        assert_eq!(
            answer("<input maxlength=x>", "input", "maxLength"),
            Answer::Number(-1.0)
        );
        assert_eq!(
            answer("<input checked>", "input", "checked"),
            Answer::Flag(true)
        );
        assert_eq!(
            answer("<img crossorigin=x>", "img", "crossOrigin"),
            Answer::Nothing
        );
        assert_eq!(answer("<button>go</button>", "button", "value"), text("go"));
        let bar = "<progress max=10 value=5></progress>";
        assert_eq!(answer(bar, "progress", "position"), Answer::Number(0.5));
    }

    #[test]
    fn fields_and_tables_know_their_parts() {
        let form = "<form id=f><label for=i>L</label><input id=i><select><option>a<option selected>b</select></form>";
        assert_eq!(answer(form, "form", "length"), Answer::Number(2.0));
        assert_eq!(answer(form, "select", "selectedIndex"), Answer::Number(1.0));
        assert_eq!(answer(form, "select", "value"), text("b"));
        assert!(matches!(answer(form, "input", "form"), Answer::Node(_)));
        assert!(matches!(answer(form, "input", "labels"), Answer::Nodes(l) if l.len() == 1));
        let table = "<table><thead><tr><th>h</thead><tbody><tr><td>1<td>2</table>";
        assert!(matches!(answer(table, "table", "rows"), Answer::Nodes(rows) if rows.len() == 2));
        assert!(matches!(answer(table, "tbody", "rows"), Answer::Nodes(rows) if rows.len() == 1));
    }
}
