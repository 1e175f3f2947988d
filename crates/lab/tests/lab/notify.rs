//! Settings of notifications that can never work are found before anything is sent.

use lab::notify::{Email, Notify};

fn mail(server: &str) -> Notify {
    let email = Email {
        to: "me@example.org, Other One <other@example.org>".to_owned(),
        from: "gamete@example.org".to_owned(),
        server: server.to_owned(),
        password_env: None,
    };
    Notify {
        email: Some(email),
        ..Notify::default()
    }
}

#[test]
fn an_address_that_is_none_stays_secret() {
    let check = |webhook: &str| {
        let webhook = Some(webhook.to_owned());
        Notify {
            webhook,
            ..Notify::default()
        }
        .check()
    };
    for webhook in ["secret", "ftp://127.0.0.1/secret", "http://", "http:// /"] {
        let flaws = check(webhook);
        assert_eq!(flaws.len(), 1, "{webhook}");
        let text = flaws[0].to_string();
        assert!(text.contains("like https://example.org/hook"), "{text}");
    }
    for webhook in ["http://[::1]:80", "https://me@example.org/a?b#c"] {
        assert_eq!(check(webhook), [], "{webhook}");
    }
}

#[test]
fn wrong_settings_of_mails_are_found_before_anything_is_sent() {
    let check = |change: &dyn Fn(&mut Email), part: &str| {
        let mut notify = mail("smtp://127.0.0.1:25");
        assert!(notify.check().is_empty());
        change(notify.email.as_mut().unwrap());
        let errors = notify.check();
        assert_eq!(errors.len(), 1, "{part}");
        let text = format!("{} {errors:?}", errors[0]);
        assert!(text.contains(part), "{text}");
        assert!(!text.contains("hush"), "{text}");
    };
    check(&|e| e.to = "me".into(), "to = 'me' is not an email address");
    check(&|e| e.from = String::new(), "from = '' is not");
    check(
        &|e| e.server = "mail.example.org".into(),
        "server must be like smtps://",
    );
    check(
        &|e| e.server = "http://mail.example.org".into(),
        "server must be like",
    );
    check(
        &|e| e.server = "smtps://me:hush@mail.example.org".into(),
        "must not contain a password",
    );
    check(
        &|e| e.server = "smtps://me@mail.example.org".into(),
        "belong together",
    );
    check(&|e| e.password_env = Some("A".into()), "belong together");
    let with = |server: &'static str| {
        move |e: &mut Email| {
            e.server = server.to_owned();
            e.password_env = Some("GAMETE_NO_SUCH_VARIABLE".to_owned());
        }
    };
    let unset = "variable GAMETE_NO_SUCH_VARIABLE, which should hold the password, is not set";
    check(&with("smtps://me@mail.example.org"), unset);
    check(&with("smtp+starttls://me@mail.example.org"), unset);
    check(&with("smtp://me@localhost"), unset);
    check(&with("smtp://me@mail.example.org"), "only sent over TLS");
    check(
        &with("smtp://me@mail.example.org?tls=opportunistic"),
        "only sent over TLS",
    );
}
