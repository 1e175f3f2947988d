//! A browser in few lines: one request a connection, and streams of events.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Only what hangs takes so long, however busy the machine is.
pub(crate) const HANG: Duration = Duration::from_secs(300);

/// Waits until something holds; a test that waits in vain fails.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < HANG, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// What went wrong, if something did.
    pub(crate) fn problem(&self) -> String {
        let message = &self.json()["error"]["message"];
        message.as_str().unwrap_or_default().to_owned()
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut own = lines.filter(|(own, _)| own.eq_ignore_ascii_case(name));
        own.next().map(|(_, value)| value)
    }

    /// Checks the status; gives the JSON.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}");
        self.json()
    }

    /// Checks that it was refused like this, with a message that contains these words.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, words: &str) {
        assert_eq!(self.status, status, "{self:?}");
        let message = self.problem();
        assert!(message.contains(words), "'{words}' is not in '{message}'");
    }
}

/// Sends a request with these headers as they are.
pub(crate) fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Reply {
    let mut stream = request(address, method, path, headers, body);
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    Reply {
        status: status.unwrap_or(0),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    let mut text = format!(
        "{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n",
        body.len()
    );
    if !headers.iter().any(|(name, _)| *name == "host") {
        text += &format!("host: {address}\r\n");
    }
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    stream
        .write_all(format!("{text}\r\n{body}").as_bytes())
        .unwrap();
    stream
}

/// An event of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) id: Option<u64>,
    pub(crate) kind: String,
    pub(crate) data: String,
}

impl Heard {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A stream of events.
pub(crate) struct Stream {
    lines: BufReader<TcpStream>,
}

impl Stream {
    /// Opens a stream and waits until it is open.
    pub(crate) fn open(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Self {
        let (stream, first) = Self::ask(address, path, headers);
        assert!(first.contains("200"), "{path}: {first}");
        stream
    }

    /// Opens a stream, if there is a place for it.
    pub(crate) fn open_if_free(address: SocketAddr, path: &str) -> Option<Self> {
        let (stream, first) = Self::ask(address, path, &[]);
        let is_free = !first.contains("429");
        assert!(!is_free || first.contains("200"), "{path}: {first}");
        is_free.then_some(stream)
    }

    /// A stream at its first event, and the first line of the answer.
    fn ask(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> (Self, String) {
        let mut stream = Self {
            lines: BufReader::new(request(address, "GET", path, headers, "")),
        };
        let first = stream.line().unwrap_or_default();
        while stream.line().is_some_and(|line| !line.is_empty()) {}
        (stream, first)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line).ok()?;
        (read > 0).then(|| line.trim_end().to_owned())
    }

    /// The next event; none when the stream has ended.
    pub(crate) fn next(&mut self) -> Option<Heard> {
        let mut heard = Heard::default();
        loop {
            // Lines with the sizes of chunks are none of these.
            let line = self.line()?;
            match line.split_once(": ") {
                Some(("id", id)) => heard.id = id.parse().ok(),
                Some(("event", kind)) => kind.clone_into(&mut heard.kind),
                Some(("data", data)) => data.clone_into(&mut heard.data),
                _ if line.is_empty() && !heard.data.is_empty() => return Some(heard),
                _ => {}
            }
        }
    }

    /// Reads until an event of this lab's kind comes, and gives all that came.
    pub(crate) fn until(&mut self, kind: &str) -> Vec<Heard> {
        let mut all = Vec::new();
        while let Some(heard) = self.next() {
            let is_last = heard.json()["event"] == kind;
            all.push(heard);
            if is_last {
                return all;
            }
        }
        panic!("the stream ended before {kind}: {all:?}");
    }
}
