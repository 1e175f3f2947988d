//! Notifies by a webhook: a POST of a JSON object. Chats show its `text`.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use lab::notify::{BadSetting, Message};
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use url::{Host, Url};

use crate::{Way, Why, report, text};

/// Timeout of the connection alone.
const CONNECT: Duration = Duration::from_secs(10);

/// The name of the webhook in messages: its host, since the rest may be secret.
pub(crate) fn way(url: &str) -> Way {
    let url = Url::parse(url).ok();
    Way::Webhook(url.and_then(|url| url.host_str().map(str::to_owned)))
}

/// A webhook.
pub(crate) struct Hook(Url);

impl Hook {
    /// The webhook at this URL.
    pub(crate) fn new(url: &str) -> Result<Self, Why> {
        let url = Url::parse(url).map_err(|_| BadSetting::Webhook)?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        is_web
            .then_some(Self(url))
            .ok_or(BadSetting::Webhook.into())
    }

    /// Sends the message.
    pub(crate) fn post(&self, message: &Message, time: Duration) -> Result<(), Why> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Why::NotStarted)?;
        match runtime.block_on(self.answer(message, time)) {
            Ok(status) if status.is_success() => Ok(()),
            Ok(status) => Err(Why::Status(status.as_u16())),
            Err(error) if error.is_timeout() => Err(Why::TooSlow(time)),
            Err(error) => Err(Why::Refused(root_cause(&error.without_url()))),
        }
    }

    async fn answer(&self, message: &Message, time: Duration) -> reqwest::Result<StatusCode> {
        let request = self
            .client(time)?
            .post(self.0.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body(message).to_string());
        Ok(request.send().await?.status())
    }

    fn client(&self, time: Duration) -> reqwest::Result<Client> {
        // Fails if one is already installed, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .timeout(time)
            .connect_timeout(CONNECT.min(time))
            .redirect(Policy::none());
        // A proxy cannot reach this machine's loopback addresses.
        let builder = if self.is_here() {
            builder.no_proxy()
        } else {
            builder
        };
        builder.build()
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

/// The library's own message says only that the request failed.
fn root_cause(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes.last().unwrap_or(error).to_string()
}
