//! Notifications: commands, web hooks and mails, on this machine alone, and everything that can go wrong with them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use lab::notify::{Email, Message, Notify};
use notify::{NotifyError, Way, send, send_within};
use serde_json::{Value, json};

fn message() -> Message {
    Message {
        study: "tetris \"fast\"".to_owned(),
        state: "finished".to_owned(),
        summary: "best 12.5 ± 0.3".to_owned(),
        report: Some("out/report.html".into()),
    }
}

/// Serves one connection; gives its address and what came of it.
fn serve<T: Send + 'static>(
    talk: impl FnOnce(TcpStream) -> T + Send + 'static,
) -> (String, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let thread = std::thread::spawn(move || talk(listener.accept().unwrap().0));
    (address, thread)
}

/// An address where nobody listens.
fn deserted() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

fn check(errors: &[NotifyError], way: &Way, parts: &[&str]) {
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(&errors[0].way, way);
    let text = errors[0].to_string();
    for part in parts {
        assert!(text.contains(part), "{text}");
    }
}

fn check_send(notify: &Notify, way: &Way, parts: &[&str]) {
    check(&send(notify, &message()), way, parts);
}

/// A way that takes longer than it may.
fn check_late(notify: &Notify, way: &Way) {
    let errors = send_within(Duration::from_millis(300), notify, &message());
    check(&errors, way, &["did not finish within 300ms"]);
}

/// Reads a request, and answers with this status: its head in small letters, and its body.
fn sink(status: &'static str) -> (String, JoinHandle<(String, String)>) {
    serve(move |stream| {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            reader.read_line(&mut head).unwrap();
        }
        let head = head.to_lowercase();
        let (_, length) = head.split_once("content-length: ").unwrap();
        let length = length.lines().next().unwrap().parse().unwrap();
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
        reader.get_mut().write_all(answer.as_bytes()).unwrap();
        (head, String::from_utf8(body).unwrap())
    })
}

fn hook(address: &str) -> Notify {
    Notify {
        webhook: Some(format!("http://{address}/hook/secret?key=secret")),
        ..Notify::default()
    }
}

fn here() -> Way {
    Way::Webhook(Some("127.0.0.1".to_owned()))
}

#[test]
fn nobody_is_told_if_nobody_wants_to_be() {
    assert!(send(&Notify::default(), &message()).is_empty());
}

#[test]
fn a_web_hook_gets_the_message_as_json() {
    let (address, server) = sink("200 OK");
    let notify = hook(&address);
    assert!(notify.check().is_empty());
    assert!(send(&notify, &message()).is_empty());
    let (head, body) = server.join().unwrap();
    assert!(head.starts_with("post /hook/secret?key=secret http/1.1\r\n"));
    assert!(
        head.contains("content-type: application/json\r\n"),
        "{head}"
    );
    let body: Value = serde_json::from_str(&body).unwrap();
    let text = "gamete: tetris \"fast\" finished\nbest 12.5 ± 0.3\nout/report.html";
    let expected = json!({
        "study": "tetris \"fast\"",
        "state": "finished",
        "summary": "best 12.5 ± 0.3",
        "report": "out/report.html",
        "text": text,
    });
    assert_eq!(body, expected);
}

#[test]
fn a_web_hook_that_does_not_want_it_says_so() {
    for (status, parts) in [
        ("500 Internal Server Error", "answered with status 500"),
        ("404 Not Found", "answered with status 404"),
        ("302 Found", "status 302 (it has moved"),
    ] {
        let (address, server) = sink(status);
        check_send(&hook(&address), &here(), &[parts]);
        server.join().unwrap();
    }
}

#[test]
fn a_web_hook_that_never_answers_costs_its_time() {
    let (address, server) = serve(|mut stream| {
        let mut everything = Vec::new();
        stream
            .read_to_end(&mut everything)
            .map(|_| everything.len())
    });
    check_late(&hook(&address), &here());
    assert!(server.join().unwrap().is_ok());
}

#[test]
fn a_web_hook_that_is_not_there_keeps_its_secret() {
    let notify = hook(&deserted());
    check_send(&notify, &here(), &["notify.webhook (127.0.0.1)", "refused"]);
    let errors = send(&notify, &message());
    assert!(!format!("{errors:?} {}", errors[0]).contains("secret"));
}

#[test]
fn an_address_that_is_none_stays_secret() {
    for webhook in ["secret", "ftp://127.0.0.1/secret", "http://", "http:// /"] {
        let notify = Notify {
            webhook: Some(webhook.to_owned()),
            ..Notify::default()
        };
        let errors = send(&notify, &message());
        assert_eq!(errors.len(), 1, "{webhook}");
        let text = errors[0].to_string();
        assert!(text.contains("like https://example.org/hook"), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}

/// Speaks as much SMTP as is needed for one mail: what it was told.
fn post_office() -> (String, JoinHandle<String>) {
    serve(|stream| {
        let mut reader = BufReader::new(stream);
        let (mut heard, mut is_data) = (String::new(), false);
        reader.get_mut().write_all(b"220 here\r\n").unwrap();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap() == 0 {
                return heard;
            }
            heard.push_str(&line);
            let answer = match line.split_whitespace().next().unwrap_or_default() {
                "." => "250 taken",
                _ if is_data => continue,
                "DATA" => "354 go on",
                "QUIT" => "221 bye",
                _ => "250 fine",
            };
            is_data = line.starts_with("DATA");
            let answer = format!("{answer}\r\n");
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
        }
    })
}

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

fn services() -> Way {
    Way::Email(Some("127.0.0.1".to_owned()))
}

#[test]
fn a_mail_arrives() {
    let (address, server) = post_office();
    let notify = mail(&format!("smtp://{address}"));
    assert!(notify.check().is_empty());
    assert!(send(&notify, &message()).is_empty());
    let heard = server.join().unwrap();
    for part in [
        "MAIL FROM:<gamete@example.org>",
        "RCPT TO:<me@example.org>",
        "RCPT TO:<other@example.org>",
        "Subject: gamete: tetris \"fast\" finished\r\n",
        "To: me@example.org, \"Other One\" <other@example.org>\r\n",
        "Date: ",
        "best 12.5 =C2=B1 0.3\r\nout/report.html\r\n",
        "\r\n.\r\nQUIT",
    ] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
}

#[test]
fn a_line_end_in_a_name_begins_no_header() {
    let (address, server) = post_office();
    let notify = mail(&format!("smtp://{address}"));
    let study = "a\r\nBcc: else@example.org".to_owned();
    let errors = send(&notify, &Message { study, ..message() });
    assert!(errors.is_empty(), "{errors:?}");
    let heard = server.join().unwrap();
    assert!(heard.contains("Subject: gamete: a  Bcc: else"), "{heard}");
}

#[test]
fn a_mail_server_that_fails_is_told() {
    let refused = format!("smtp://{}", deserted());
    check_send(&mail(&refused), &services(), &["notify.email", "refused"]);
    let (address, server) = serve(|mut stream| stream.write_all(b"554 no mail today\r\n"));
    let notify = mail(&format!("smtp://{address}"));
    check_send(&notify, &services(), &["554", "no mail today"]);
    server.join().unwrap().unwrap();
}

#[test]
fn a_mail_server_that_never_answers_costs_its_time() {
    let (address, server) = serve(|mut stream| {
        let mut everything = Vec::new();
        stream.read_to_end(&mut everything).is_ok()
    });
    check_late(&mail(&format!("smtp://{address}")), &services());
    assert!(server.join().unwrap());
    // One that always says a little more is never late with a line, but with the whole.
    let (address, server) = serve(|mut stream| {
        while stream.write_all(b"250-more\r\n").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    check_late(&mail(&format!("smtp://{address}")), &services());
    // Its thread is left to itself, as the sender's is.
    drop(server);
}

#[test]
fn a_password_is_sent_and_never_told() {
    // Set by cargo for every test: any variable will do.
    let variable = "CARGO_PKG_NAME";
    let password = std::env::var(variable).unwrap();
    let (address, server) = serve(|stream| {
        let mut reader = BufReader::new(stream);
        let mut heard = String::new();
        reader.get_mut().write_all(b"220 here\r\n").unwrap();
        reader.read_line(&mut heard).unwrap();
        let greeting = b"250-here\r\n250 AUTH PLAIN\r\n";
        reader.get_mut().write_all(greeting).unwrap();
        reader.read_line(&mut heard).unwrap();
        let answer = b"535 not with the password gamete-notify\r\n";
        reader.get_mut().write_all(answer).unwrap();
        heard
    });
    let mut notify = mail(&format!("smtp://me@{address}"));
    notify.email.as_mut().unwrap().password_env = Some(variable.to_owned());
    let errors = send(&notify, &message());
    check(&errors, &services(), &["535", "not with the password ***"]);
    assert!(!format!("{errors:?}").contains(&password));
    assert!(server.join().unwrap().contains("AUTH PLAIN "));
}

fn command(command: &str) -> Notify {
    Notify {
        command: Some(command.to_owned()),
        ..Notify::default()
    }
}

#[test]
fn a_command_has_the_message_in_its_environment() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("told");
    let script = format!(
        "printf '%s|%s|%s|%s' \"$GAMETE_STUDY\" \"$GAMETE_STATE\" \"$GAMETE_SUMMARY\" \"$GAMETE_REPORT\" > '{}'",
        file.display()
    );
    let notify = command(&script);
    assert!(send(&notify, &message()).is_empty());
    let expected = "tetris \"fast\"|finished|best 12.5 ± 0.3|out/report.html";
    assert_eq!(std::fs::read_to_string(file).unwrap(), expected);
}

#[test]
fn a_command_that_fails_or_hangs_is_told() {
    let fails = command("echo 'no screen' >&2; exit 3");
    check_send(&fails, &Way::Command, &["exit status 3", "\n  no screen"]);
    check_late(&command("sleep 600"), &Way::Command);
    let reads = command("cat; exit 4");
    check_send(&reads, &Way::Command, &["exit status 4"]);
    check_late(&command("yes; yes >&2"), &Way::Command);
}

#[test]
fn one_way_that_fails_does_not_stop_the_others() {
    let (address, server) = sink("200 OK");
    let notify = Notify {
        command: Some("exit 1".to_owned()),
        webhook: Some(format!("http://{address}/")),
        ..mail(&format!("smtp://{}", deserted()))
    };
    let errors = send(&notify, &message());
    let ways: Vec<Way> = errors.iter().map(|error| error.way.clone()).collect();
    assert_eq!(ways, [Way::Command, services()]);
    assert!(server.join().unwrap().1.contains("best 12.5"));
}
