//! Notifies by email.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::time::Duration;

use lab::notify::{BadSetting, Email, Message};
use lettre::message::{Mailbox, Mailboxes, header::ContentType};
use lettre::{SmtpTransport, Transport};
use url::Url;

use crate::{Way, Why, text};

/// The name of the email in messages: its server, without the user.
pub(crate) fn way(email: &Email) -> Way {
    let url = Url::parse(&email.server).ok();
    Way::Email(url.and_then(|url| url.host_str().map(str::to_owned)))
}

/// An email ready to be sent.
pub(crate) struct Letter {
    mail: lettre::Message,
    server: SmtpTransport,
    password: Option<String>,
    time: Duration,
}

impl Letter {
    /// The email of a message.
    pub(crate) fn new(email: &Email, message: &Message, time: Duration) -> Result<Self, Why> {
        let mail = mail(email, message)?;
        let password = email.password()?;
        let url = server(&email.server, password.as_deref()).ok_or(BadSetting::Server)?;
        let server = SmtpTransport::from_url(url.as_str()).map_err(|_| BadSetting::Server)?;
        Ok(Self {
            mail,
            server: server.timeout(Some(time)).build(),
            password,
            time,
        })
    }

    /// Sends it.
    pub(crate) fn send(&self) -> Result<(), Why> {
        let sent = self.server.send(&self.mail);
        sent.map(drop).map_err(|error| {
            if is_late(&error) {
                Why::TooSlow(self.time)
            } else {
                Why::Refused(self.without_password(&error.to_string()))
            }
        })
    }

    /// A server's reply may even repeat the password.
    fn without_password(&self, text: &str) -> String {
        match self.password.as_deref() {
            Some(password) if !password.is_empty() => text.replace(password, "***"),
            _ => text.to_owned(),
        }
    }
}

/// Was it a timeout? The system has two error kinds for that.
fn is_late(error: &(dyn Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock))
}

fn mail(email: &Email, message: &Message) -> Result<lettre::Message, Why> {
    let from: Mailbox = address("from", &email.from)?;
    let to: Mailboxes = address("to", &email.to)?;
    // A newline in a name must not start another header.
    let subject = format!("gamete: {} {}", message.study, message.state);
    let subject = subject.replace(char::is_control, " ");
    let builder = lettre::Message::builder().from(from).subject(subject);
    to.into_iter()
        .fold(builder, lettre::message::MessageBuilder::to)
        .header(ContentType::TEXT_PLAIN)
        .body(format!("{}\n", text(message)))
        .map_err(|error| Why::Refused(error.to_string()))
}

fn address<T: std::str::FromStr>(key: &'static str, address: &str) -> Result<T, Why> {
    address.trim().parse().map_err(|_| {
        let address = address.to_owned();
        BadSetting::MailAddress { key, address }.into()
    })
}

/// The server URL in the form of the mail library, where STARTTLS is a parameter.
fn server(text: &str, password: Option<&str>) -> Option<Url> {
    let mut url = match text.strip_prefix("smtp+starttls://") {
        Some(rest) => {
            let mut url = Url::parse(&format!("smtp://{rest}")).ok()?;
            url.set_query(Some("tls=required"));
            url
        }
        None => Url::parse(text).ok()?,
    };
    if password.is_some() {
        url.set_password(password).ok()?;
    }
    Some(url)
}
