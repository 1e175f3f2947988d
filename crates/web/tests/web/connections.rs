//! Clients that take their time.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::client::{HANG, until};
use crate::house::House;

/// A house that waits only a moment for its clients, and has room for few.
fn impatient() -> House {
    House::with(|settings| {
        settings.limits.idle = Duration::from_millis(200);
        settings.limits.connections = 4;
    })
}

fn connect(house: &House) -> TcpStream {
    let stream = TcpStream::connect(house.address).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    stream
}

/// Waits until the server has closed the connection.
fn wait_for_end(mut stream: TcpStream) {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
    }
}

#[test]
fn half_requests_are_given_up() {
    let house = impatient();
    for begun in ["", "GET /api/sta", "GET / HTTP/1.1\r\nhost: localhost\r\n"] {
        let mut stream = connect(&house);
        stream.write_all(begun.as_bytes()).unwrap();
        wait_for_end(stream);
    }
}

#[test]
fn connections_without_another_request_are_closed() {
    let house = impatient();
    let mut stream = connect(&house);
    let request = "GET /api/status HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    wait_for_end(stream);
}

#[test]
fn clients_that_hold_all_connections_hold_nobody_up_for_ever() {
    let house = impatient();
    let idle: Vec<TcpStream> = (0..12).map(|_| connect(&house)).collect();
    house.get("/api/status").ok();
    idle.into_iter().for_each(wait_for_end);
}

/// Asks again and again without reading, until the server takes no more.
#[test]
fn answers_that_nobody_takes_are_given_up() {
    let house = impatient();
    let mut stream = connect(&house);
    stream.set_nonblocking(true).unwrap();
    let request = "GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100);
    until("the connection is closed", || {
        let written = stream.write(request.as_bytes());
        written.is_err_and(|error| error.kind() != ErrorKind::WouldBlock)
    });
}

#[test]
fn a_stream_without_events_stays_open() {
    let house = impatient();
    let mut stream = house.listen("/api/events");
    std::thread::sleep(Duration::from_millis(600));
    house
        .post("/api/studies", &json!({"toml": crate::house::QUICK}))
        .ok();
    stream.until("study-over");
}
