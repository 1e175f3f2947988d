//! Access: host name, origin and token are checked before anything else, and every answer has security headers for the browser.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::settings::Settings;
use crate::site::Site;

/// What the page may load: its own files, and nothing from elsewhere.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'; object-src 'none'";
const API: &str = "/api/";
const COOKIE: &str = "gamete-token";

/// Checks a request, and adds security headers to the answer.
pub(crate) async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with(API);
    let answer = match check(&site.settings, &request) {
        Ok(Access::Granted) => next.run(request).await,
        Ok(Access::Keep(cookie)) => keep(&cookie),
        Err(problem) => problem.into_response(),
    };
    with_security_headers(answer, is_api)
}

/// What a request may do.
#[derive(Debug, PartialEq, Eq)]
enum Access {
    Granted,
    /// It brought the token in its address: the browser keeps it, and forgets the address.
    Keep(String),
}

fn check(settings: &Settings, request: &Request) -> Result<Access, Problem> {
    let (headers, uri) = (request.headers(), request.uri());
    let host = text(headers, &header::HOST).unwrap_or_default();
    if !is_own_host(host, settings.listen.ip()) {
        let why = format!("this server is not called '{host}'; open it by its own address");
        return Err(Problem::forbidden(why));
    }
    let is_page = request.method() == Method::GET && !uri.path().starts_with(API);
    if is_from_elsewhere(headers, host, is_page) {
        return Err(Problem::forbidden("requests from other sites are refused"));
    }
    let Some(token) = &settings.token else {
        return Ok(Access::Granted);
    };
    let given = in_query(uri);
    if given.is_some_and(|given| is_same(given, token)) {
        return Ok(Access::Keep(token.clone()));
    }
    let given = bearer(headers).or_else(|| in_cookie(headers));
    if given.is_some_and(|given| is_same(given, token)) {
        return Ok(Access::Granted);
    }
    let why = "the token is missing or wrong; open the address that gamete serve printed, or send 'authorization: Bearer TOKEN'";
    Err(Problem::new(StatusCode::UNAUTHORIZED, why))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The host without its port.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

/// Another site could let its own name point here (DNS rebinding), so only names that nobody else can have are accepted. Ports may differ, since a
/// tunnel changes them.
fn is_own_host(host: &str, listen: IpAddr) -> bool {
    let name = name_of(host);
    if name == "localhost" {
        return true;
    }
    // An address cannot be made to point elsewhere.
    name.parse::<IpAddr>()
        .is_ok_and(|ip| ip.is_loopback() || ip == listen || listen.is_unspecified())
}

/// Did a page of another origin send it? A link there may open a page of ours in a window of its own, but ask for nothing else: requests to the
/// API start work, and a frame would be loaded without anybody seeing it.
fn is_from_elsewhere(headers: &HeaderMap, host: &str, is_page: bool) -> bool {
    let other_site = text(headers, &HeaderName::from_static("sec-fetch-site"))
        .is_some_and(|site| !matches!(site, "same-origin" | "none"));
    let says = |name, value| text(headers, &HeaderName::from_static(name)) == Some(value);
    let opens_window = says("sec-fetch-mode", "navigate") && says("sec-fetch-dest", "document");
    let own = [format!("http://{host}"), format!("https://{host}")];
    let other_origin = headers.get(header::ORIGIN).is_some_and(|origin| {
        let origin = origin.to_str().unwrap_or_default();
        !own.iter().any(|own| own == origin)
    });
    other_origin || (other_site && !(opens_window && is_page))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    text(headers, &header::AUTHORIZATION)?.strip_prefix("Bearer ")
}

fn in_cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = text(headers, &header::COOKIE)?.split(';');
    let mut pairs = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    pairs
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
}

fn in_query(uri: &Uri) -> Option<&str> {
    let mut pairs = uri
        .query()?
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    pairs
        .find(|(name, _)| *name == "token")
        .map(|(_, value)| value)
}

/// Compares hashes in constant time, so that the time does not reveal how much of a token is right.
fn is_same(given: &str, token: &str) -> bool {
    blake3::hash(given.as_bytes()) == blake3::hash(token.as_bytes())
}

fn keep(token: &str) -> Response {
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    let headers = [
        (header::SET_COOKIE, cookie),
        (header::LOCATION, "/".to_owned()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Adds headers that say what the browser may do with an answer.
fn with_security_headers(mut answer: Response, is_api: bool) -> Response {
    let headers = answer.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    set(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    if is_api {
        set(header::CACHE_CONTROL, "no-store");
    }
    answer
}
