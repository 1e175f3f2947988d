//! Whom a study tells when it has ended.

use super::keys::{Key, Shape};
use super::reading::Reading;
use crate::notify::{Email, Notify};

/// Keys of whom to tell when a study has ended.
pub(super) const KEYS: &[Key] = &[
    Key::new(
        "notify.command",
        Shape::Text,
        "A command that is run when the study has ended, with GAMETE_STUDY, GAMETE_STATE, GAMETE_SUMMARY and GAMETE_REPORT",
    ),
    Key::new(
        "notify.webhook",
        Shape::Text,
        "An address that is sent a JSON object when the study has ended",
    ),
    Key::new(
        "notify.email.to",
        Shape::Text,
        "Who gets a mail when the study has ended",
    ),
    Key::new("notify.email.from", Shape::Text, "Who sends it"),
    Key::new(
        "notify.email.server",
        Shape::Text,
        "The mail server, e.g. smtp+starttls://me@mail.example.org",
    ),
    Key::new(
        "notify.email.password-env",
        Shape::Text,
        "The environment variable that holds the password",
    ),
];

/// Reads the section `notify`, and finds what can be known to be wrong before anything is sent.
pub(super) fn read(reading: &mut Reading<'_>) -> Option<Notify> {
    let email = if reading.has("notify.email") {
        Some(email(reading))
    } else {
        None
    };
    let notify = Notify {
        command: reading.text("notify.command"),
        webhook: reading.text("notify.webhook"),
        email: email.flatten(),
    };
    let problems = notify.check();
    for problem in &problems {
        reading.flaw(problem.key(), problem.to_string());
    }
    problems.is_empty().then_some(notify)
}

/// Keys without which there is no mail.
const NEEDED: [(&str, &str); 3] = [
    ("notify.email.to", "to = \"me@example.org\""),
    ("notify.email.from", "from = \"gamete@example.org\""),
    (
        "notify.email.server",
        "server = \"smtps://me@mail.example.org\"",
    ),
];

fn email(reading: &mut Reading<'_>) -> Option<Email> {
    for (key, example) in NEEDED {
        if !reading.has(key) {
            reading.flaw(key, format!("is missing; e.g. {example}"));
        }
    }
    Some(Email {
        to: reading.text("notify.email.to")?,
        from: reading.text("notify.email.from")?,
        server: reading.text("notify.email.server")?,
        password_env: reading.text("notify.email.password-env"),
    })
}
