//! Tells by a web hook: a POST of a JSON object. Its `text` is what chats show.

use std::net::IpAddr;
use std::time::Duration;

use lab::notify::{BadSetting, Message};
use serde_json::{Value, json};
use ureq::{Agent, Error, Proxy};
use url::{Host, Url};

use crate::{Way, Why, report, text};

/// For the connection alone.
const CONNECT: Duration = Duration::from_secs(10);

/// How the web hook is called in messages: by its host, since the rest may be secret.
pub(crate) fn way(url: &str) -> Way {
    let url = Url::parse(url).ok();
    Way::Webhook(url.and_then(|url| url.host_str().map(str::to_owned)))
}

/// An address that takes messages.
pub(crate) struct Hook(Url);

impl Hook {
    /// The web hook at this address.
    pub(crate) fn new(url: &str) -> Result<Self, Why> {
        let url = Url::parse(url).map_err(|_| BadSetting::Webhook)?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        is_web
            .then_some(Self(url))
            .ok_or(BadSetting::Webhook.into())
    }

    /// Sends the message.
    pub(crate) fn post(&self, message: &Message, time: Duration) -> Result<(), Why> {
        let response = self
            .agent(time)
            .post(self.0.as_str())
            .header("content-type", "application/json")
            .send(body(message).to_string())
            .map_err(|error| why(&error, time))?;
        let status = response.status();
        if status.is_success() {
            Ok(())
        } else {
            Err(Why::Status(status.as_u16()))
        }
    }

    fn agent(&self, time: Duration) -> Agent {
        // A proxy cannot reach what is on this machine.
        let proxy = Proxy::try_from_env().filter(|_| !self.is_here());
        let config = Agent::config_builder()
            .proxy(proxy)
            .timeout_global(Some(time))
            .timeout_connect(Some(CONNECT.min(time)))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build();
        config.into()
    }

    fn is_here(&self) -> bool {
        match self.0.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
            Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
            None => false,
        }
    }
}

fn body(message: &Message) -> Value {
    json!({
        "study": message.study,
        "state": message.state,
        "summary": message.summary,
        "report": report(message),
        "text": text(message),
    })
}

/// The reason without the address, which may be secret.
fn why(error: &Error, time: Duration) -> Why {
    match error {
        Error::Timeout(_) => Why::TooSlow(time),
        Error::BadUri(_) => BadSetting::Webhook.into(),
        Error::Io(error) => Why::Refused(error.to_string()),
        error => Why::Refused(error.to_string()),
    }
}
