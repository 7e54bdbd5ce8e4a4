//! How a browser comes by the token.

use std::fs;
use std::sync::Mutex;

use sheetscan::review::http::ServerOptions;

use super::client::{Response, ask, connect, receive_chunk, receive_head, send};
use super::stub::Review;

/// Opens an address as a browser does that another program has started.
fn open(address: &str) -> Response {
    let (host, path) = address
        .strip_prefix("http://")
        .and_then(|a| a.split_once('/'))
        .expect("one");
    let port = host
        .split(':')
        .nth(1)
        .and_then(|port| port.parse().ok())
        .expect("a port");
    let line = "sec-fetch-site: none\r\n";
    ask(
        port,
        format!("GET /{path} HTTP/1.1\r\nhost: {host}\r\n{line}\r\n"),
    )
}

#[test]
fn the_address_for_the_browser_leads_to_the_page_and_does_not_hold_the_token() {
    let review = Review::start();
    let address = review.server.opening_address().expect("an address");
    assert!(!address.contains(&review.token), "{address}");
    let reply = open(&address);
    assert_eq!(reply.status, 303);
    assert_eq!(reply.header("location"), [format!("/#{}", review.token)]);
    assert_eq!(reply.header("cache-control"), ["no-store"]);
    assert_eq!(reply.header("referrer-policy"), ["no-referrer"]);
}

#[test]
fn other_pages_and_codes_are_not_led_to_the_page() {
    let review = Review::start();
    let port = review.port;
    assert_eq!(review.get("/open/").status, 404);
    let address = review.server.opening_address().expect("an address");
    let path = address.split_once(&format!(":{port}")).expect("a path").1;
    let host = format!("host: 127.0.0.1:{port}\r\n");
    let cross = format!("GET {path} HTTP/1.1\r\n{host}sec-fetch-site: cross-site\r\n\r\n");
    assert_eq!(ask(port, cross).status, 403);
    let rebound = format!("GET {path} HTTP/1.1\r\nhost: evil.com:{port}\r\n\r\n");
    assert_eq!(ask(port, rebound).status, 403);
    assert_eq!(
        ask(port, format!("POST {path} HTTP/1.1\r\n{host}\r\n")).status,
        405
    );
    assert_eq!(review.get(&path[..path.len() - 1]).status, 404);
    assert_eq!(review.get(&format!("{path}/")).status, 404);
    assert_eq!(open(&address).status, 303, "none of these has used it up");
    let newer = review.server.opening_address().expect("an address");
    assert_eq!(open(&address).status, 404, "there is one at a time");
    assert_eq!(open(&newer).status, 303);
}

/// Addresses that were told to the person.
static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[test]
fn where_somebody_was_faster_than_the_browser_the_token_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    let review = Review::start_with(ServerOptions {
        token_file: Some(file.clone()),
        on_new_address: Some(|address| TOLD.lock().expect("the list").push(address.to_owned())),
        ..ServerOptions::default()
    });
    let mut stream = connect(review.port);
    send(&mut stream, review.head("GET", "/api/events") + "\r\n").expect("it is sent");
    assert_eq!(receive_head(&mut stream).expect("a reply").status, 200);

    let address = review.server.opening_address().expect("an address");
    let thief = open(&address);
    assert_eq!(thief.header("location"), [format!("/#{}", review.token)]);
    assert_eq!(review.get("/api/run").status, 200);

    assert_eq!(open(&address).status, 403, "the browser comes second");
    assert_eq!(
        review.get("/api/run").status,
        401,
        "the stolen token is worth nothing"
    );
    assert_eq!(
        receive_chunk(&mut stream).expect("a sign of life"),
        b": \n\n"
    );
    assert_eq!(
        receive_chunk(&mut stream).expect("the end"),
        b"",
        "nor is its stream"
    );
    assert_eq!(open(&address).status, 404);

    let told = TOLD.lock().expect("the list").clone();
    assert_eq!(told, [review.server.secret_address()]);
    let token = told[0].split_once('#').expect("a token").1;
    assert_ne!(token, review.token);
    let kept = fs::read_to_string(file).expect("the file");
    assert_eq!(kept, format!("{} {token}\n", review.port));
    let review = Review {
        token: token.to_owned(),
        ..review
    };
    assert_eq!(review.get("/api/run").status, 200);
}
