//! The section `notify`: who is notified when a study has ended.

use super::key::KeyInfo;
use super::keys;
use super::reading::Reading;
use crate::notify::{Email, Notify};

/// Keys of the section `notify`.
pub(super) const KEYS: &[KeyInfo] = &[
    keys::NOTIFY_COMMAND.info(),
    keys::NOTIFY_WEBHOOK.info(),
    keys::NOTIFY_EMAIL_TO.info(),
    keys::NOTIFY_EMAIL_FROM.info(),
    keys::NOTIFY_EMAIL_SERVER.info(),
    keys::NOTIFY_EMAIL_PASSWORD_ENV.info(),
];

/// Reads the section `notify`, and reports errors that can be found before anything is sent.
pub(super) fn read(reading: &mut Reading<'_>) -> Option<Notify> {
    let email = if reading.has_path("notify.email") {
        Some(email(reading))
    } else {
        None
    };
    let notify = Notify {
        command: reading.get(keys::NOTIFY_COMMAND),
        webhook: reading.get(keys::NOTIFY_WEBHOOK),
        email: email.flatten(),
    };
    let problems = notify.check();
    for problem in &problems {
        reading.flaw(problem.key(), problem.to_string());
    }
    problems.is_empty().then_some(notify)
}

/// Keys that an email needs.
const NEEDED: [(&str, &str); 3] = [
    (keys::NOTIFY_EMAIL_TO.path(), "to = \"me@example.org\""),
    (
        keys::NOTIFY_EMAIL_FROM.path(),
        "from = \"gamete@example.org\"",
    ),
    (
        keys::NOTIFY_EMAIL_SERVER.path(),
        "server = \"smtps://me@mail.example.org\"",
    ),
];

fn email(reading: &mut Reading<'_>) -> Option<Email> {
    for (key, example) in NEEDED {
        if !reading.has_path(key) {
            reading.flaw(key, format!("is missing; e.g. {example}"));
        }
    }
    Some(Email {
        to: reading.get(keys::NOTIFY_EMAIL_TO)?,
        from: reading.get(keys::NOTIFY_EMAIL_FROM)?,
        server: reading.get(keys::NOTIFY_EMAIL_SERVER)?,
        password_env: reading.get(keys::NOTIFY_EMAIL_PASSWORD_ENV),
    })
}
