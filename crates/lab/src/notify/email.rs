//! Tells by a mail.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::time::Duration;

use lettre::message::{Mailbox, Mailboxes, header::ContentType};
use lettre::{SmtpTransport, Transport};
use url::Url;

use super::{Email, Message, Way, Why};

/// How the mail is called in messages: by its server, without the user.
pub(super) fn way(email: &Email) -> Way {
    let url = Url::parse(&email.server).ok();
    Way::Email(url.and_then(|url| url.host_str().map(str::to_owned)))
}

/// A mail that is ready to be sent.
pub(super) struct Letter {
    mail: lettre::Message,
    server: SmtpTransport,
    password: Option<String>,
    time: Duration,
}

impl Letter {
    /// The mail of a message.
    pub(super) fn new(email: &Email, message: &Message, time: Duration) -> Result<Self, Why> {
        let mail = mail(email, message)?;
        let url = server(&email.server)?;
        let password = password(email, &url)?;
        let url = with_password(url, password.as_deref())?;
        let server = SmtpTransport::from_url(url.as_str()).map_err(|_| Why::NoServer)?;
        Ok(Self {
            mail,
            server: server.timeout(Some(time)).build(),
            password,
            time,
        })
    }

    /// Sends it.
    pub(super) fn send(&self) -> Result<(), Why> {
        let sent = self.server.send(&self.mail);
        sent.map(drop).map_err(|error| {
            if is_late(&error) {
                Why::TooSlow(self.time)
            } else {
                Why::Refused(self.without_password(&error.to_string()))
            }
        })
    }

    /// A server may say anything, even what it was told.
    fn without_password(&self, text: &str) -> String {
        match self.password.as_deref() {
            Some(password) if !password.is_empty() => text.replace(password, "***"),
            _ => text.to_owned(),
        }
    }
}

/// Was the time up? The system has two names for that.
fn is_late(error: &(dyn Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock))
}

fn mail(email: &Email, message: &Message) -> Result<lettre::Message, Why> {
    let from: Mailbox = address("from", &email.from)?;
    let to: Mailboxes = address("to", &email.to)?;
    // A line end in a name must not begin another header.
    let subject = format!("gamete: {} {}", message.study, message.state);
    let subject = subject.replace(char::is_control, " ");
    let builder = lettre::Message::builder().from(from).subject(subject);
    to.into_iter()
        .fold(builder, lettre::message::MessageBuilder::to)
        .header(ContentType::TEXT_PLAIN)
        .body(format!("{}\n", message.text()))
        .map_err(|error| Why::Refused(error.to_string()))
}

fn address<T: std::str::FromStr>(key: &'static str, address: &str) -> Result<T, Why> {
    address.trim().parse().map_err(|_| Why::NoMailAddress {
        key,
        address: address.to_owned(),
    })
}

/// The server in the form that the mail library knows, where STARTTLS is a parameter.
fn server(text: &str) -> Result<Url, Why> {
    let (text, later) = match text.strip_prefix("smtp+starttls://") {
        Some(rest) => (format!("smtp://{rest}"), true),
        None => (text.to_owned(), false),
    };
    let mut url = Url::parse(&text).map_err(|_| Why::NoServer)?;
    let is_mail = matches!(url.scheme(), "smtp" | "smtps") && url.has_host();
    if later {
        url.set_query(Some("tls=required"));
    }
    is_mail.then_some(url).ok_or(Why::NoServer)
}

/// The password of the server's user, if it has one.
fn password(email: &Email, url: &Url) -> Result<Option<String>, Why> {
    if url.password().is_some() {
        return Err(Why::PasswordInFile);
    }
    let variable = match (&email.password_env, url.username()) {
        (None, "") => return Ok(None),
        (None, _) | (Some(_), "") => return Err(Why::HalfCredentials),
        (Some(variable), _) => variable,
    };
    if !is_private(url) {
        return Err(Why::InTheClear);
    }
    let password = std::env::var(variable).ok();
    let password = password.filter(|password| !password.is_empty());
    password
        .ok_or_else(|| Why::NoPassword(variable.clone()))
        .map(Some)
}

/// Is what is said on the way to this server read by nobody else?
fn is_private(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let is_here = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    let is_required = url
        .query_pairs()
        .any(|pair| pair == ("tls".into(), "required".into()));
    url.scheme() == "smtps" || is_required || is_here
}

fn with_password(mut url: Url, password: Option<&str>) -> Result<Url, Why> {
    if let Some(password) = password {
        url.set_password(Some(password))
            .map_err(|()| Why::NoServer)?;
    }
    Ok(url)
}
