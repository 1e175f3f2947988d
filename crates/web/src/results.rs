//! The results of the five works: `docs/results`, taken in by `build.rs`, with its Markdown shown as HTML.

use std::collections::VecDeque;

use pulldown_cmark::{Alignment, CowStr, Event, Options, Parser, Tag, TagEnd, html};
use report::escaped;

mod embedded {
    //! Written by `build.rs`: name, kind and contents of every file.
    include!(concat!(env!("OUT_DIR"), "/results.rs"));
}

type File = (&'static str, &'static str, &'static [u8]);

/// The file that the others are reached from.
const FIRST: &str = "README.md";
/// How the file of a report ends; the page of a report is named after its folder.
const REPORT: &str = "/report.md";
/// How other pages end, which are named after their file.
const PAGE: &str = ".md";

/// A page of results.
pub(crate) struct Page {
    /// Its first heading.
    pub(crate) title: String,
    /// Its text, with links to the other pages and pictures as this server has them.
    pub(crate) html: String,
}

/// The first page, or the page of a report or another one by its name.
pub(crate) fn page(name: Option<&str>) -> Option<Page> {
    let paths = match name {
        None => vec![FIRST.to_owned()],
        Some(name) => vec![format!("{name}{REPORT}"), format!("{name}{PAGE}")],
    };
    let path = paths.into_iter().find(|path| find(path).is_some())?;
    let (_, _, contents) = find(&path)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    Some(render(std::str::from_utf8(contents).ok()?, folder))
}

/// A picture by its path within the results: its kind and contents.
pub(crate) fn picture(path: &str) -> Option<(&'static str, &'static [u8])> {
    let &(_, kind, contents) = find(path)?;
    kind.starts_with("image/").then_some((kind, contents))
}

fn find(path: &str) -> Option<&'static File> {
    let mut files = embedded::FILES.iter();
    files.find(|(name, ..)| name.strip_prefix('/') == Some(path))
}

fn render(markdown: &str, folder: &str) -> Page {
    let parser = Parser::new_ext(markdown, Options::ENABLE_TABLES);
    let mut events: VecDeque<Event<'_>> = parser.collect();
    let (mut title, mut shown) = (String::new(), Vec::new());
    // Whether each open link is shown.
    let mut links: Vec<bool> = Vec::new();
    let mut cells = Cells::default();
    while let Some(event) = events.pop_front() {
        match event {
            Event::Start(Tag::Heading {
                level,
                id: _,
                classes,
                attrs,
            }) => {
                let text = text_before_end(&events, TagEnd::Heading(level));
                let id = Some(CowStr::from(anchor(&text)));
                if title.is_empty() {
                    title = text;
                }
                shown.push(Event::Start(Tag::Heading {
                    level,
                    id,
                    classes,
                    attrs,
                }));
            }
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let address = address(folder, &dest_url);
                links.push(address.is_some());
                if let Some(address) = address {
                    let dest_url = address.into();
                    shown.push(Event::Start(Tag::Link {
                        link_type,
                        dest_url,
                        title,
                        id,
                    }));
                }
            }
            Event::End(TagEnd::Link) => {
                if links.pop() == Some(true) {
                    shown.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let text = text_before_end(&events, TagEnd::Image);
                while events.pop_front() != Some(Event::End(TagEnd::Image)) {}
                shown.push(Event::InlineHtml(image(folder, &dest_url, &text).into()));
            }
            Event::Start(Tag::Table(columns)) => {
                shown.push(Event::Html(
                    "<div class=\"scroll\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">"
                        .into(),
                ));
                cells.columns.clone_from(&columns);
                shown.push(Event::Start(Tag::Table(columns)));
            }
            Event::Start(row @ (Tag::TableHead | Tag::TableRow)) => {
                cells.begin_row(if row == Tag::TableHead { "th" } else { "td" });
                shown.push(Event::Start(row));
            }
            Event::Start(Tag::TableCell) => shown.push(Event::Html(cells.open().into())),
            Event::End(TagEnd::TableCell) => shown.push(Event::Html(cells.close().into())),
            Event::End(TagEnd::Table) => {
                shown.push(Event::End(TagEnd::Table));
                shown.push(Event::Html("</div>\n".into()));
            }
            // HTML in the text is text.
            Event::Html(text) | Event::InlineHtml(text) => shown.push(Event::Text(text)),
            other => shown.push(other),
        }
    }
    let mut html = String::new();
    html::push_html(&mut html, shown.into_iter());
    Page { title, html }
}

/// The cells of a table. Numbers are aligned by a class: the page's security policy forbids styles within HTML.
#[derive(Default)]
struct Cells {
    columns: Vec<Alignment>,
    /// The next cell of the row.
    place: usize,
    tag: &'static str,
}

impl Cells {
    fn begin_row(&mut self, tag: &'static str) {
        self.place = 0;
        self.tag = tag;
    }

    fn open(&mut self) -> String {
        let class = match self.columns.get(self.place) {
            Some(Alignment::Right) => " class=\"number\"",
            _ => "",
        };
        self.place += 1;
        format!("<{}{class}>", self.tag)
    }

    fn close(&self) -> String {
        format!("</{}>", self.tag)
    }
}

/// The text up to the end of a heading or picture.
fn text_before_end(events: &VecDeque<Event<'_>>, end: TagEnd) -> String {
    let inside = events.iter().take_while(|event| **event != Event::End(end));
    let texts = inside.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
        Event::SoftBreak | Event::HardBreak => Some(" "),
        _ => None,
    });
    texts.collect()
}

/// A heading as the end of an address: small letters and digits, hyphens for blanks.
fn anchor(text: &str) -> String {
    let letters = text.chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    letters.collect()
}

/// A picture that is there, else what it would have shown.
fn image(folder: &str, target: &str, text: &str) -> String {
    match address(folder, target) {
        Some(address) => format!(
            "<img class=\"chart\" src=\"{}\" alt=\"{}\" loading=\"lazy\">",
            escaped(&address),
            escaped(text)
        ),
        None => escaped(text),
    }
}

/// Where this server has what a link of a page in `folder` names; `None` if it does not have it.
fn address(folder: &str, target: &str) -> Option<String> {
    if target.starts_with("https://") || target.starts_with('#') {
        return Some(target.to_owned());
    }
    let (target, place) = match target.split_once('#') {
        Some((target, place)) => (target, format!("#{place}")),
        None => (target, String::new()),
    };
    let path = joined(folder, target)?;
    find(&path)?;
    if path == FIRST {
        return Some(format!("/results{place}"));
    }
    let name = path.strip_suffix(REPORT).or(path.strip_suffix(PAGE));
    if let Some(name) = name {
        return Some(format!("/results/{name}{place}"));
    }
    picture(&path)?;
    Some(format!(
        "/api/results/pictures/{}",
        path.replace('/', "%2F")
    ))
}

/// A path relative to a folder, within the results.
fn joined(folder: &str, target: &str) -> Option<String> {
    let mut pieces: Vec<&str> = folder
        .split('/')
        .filter(|piece| !piece.is_empty())
        .collect();
    for piece in target.split('/') {
        match piece {
            "" | "." => {}
            ".." => drop(pieces.pop()?),
            name => pieces.push(name),
        }
    }
    Some(pieces.join("/"))
}
