//! Events.

use std::io::BufReader;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::json;
use sheetscan::review::http::Limits;

use super::client::{connect, is_closed, receive_chunk, receive_head, send};
use super::stub::Review;

/// Opens a stream and reads what it begins with.
fn listen(review: &Review, lines: &str) -> (BufReader<TcpStream>, String) {
    let mut connection = connect(review.port);
    let head = review.head("GET", "/api/events");
    send(&mut connection, format!("{head}{lines}\r\n")).expect("it is sent");
    let reply = receive_head(&mut connection).expect("a reply");
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, vec!["text/event-stream"])
    );
    assert_eq!(reply.header("cache-control"), ["no-store"]);
    let first = next(&mut connection);
    (connection, first)
}

fn next(connection: &mut BufReader<TcpStream>) -> String {
    String::from_utf8(receive_chunk(connection).expect("an event")).expect("text")
}

#[test]
fn two_pages_hear_the_same() {
    let review = Review::start();
    let mut pages = [listen(&review, ""), listen(&review, "")];
    for i in 1..=20 {
        review.stub.events.publish(
            "game",
            &json!({ "row": { "white": "a\n\ndata: b", "i": i } }),
        );
    }
    for (page, first) in &mut pages {
        assert_eq!(first, ": \n\n");
        for i in 1..=20 {
            let data = format!(r#"{{"row":{{"i":{i},"white":"a\n\ndata: b"}}}}"#);
            assert_eq!(
                next(page),
                format!("id: 5f1c:{i}\nevent: game\ndata: {data}\n\n")
            );
        }
    }
}

#[test]
fn a_page_that_missed_something_is_told_to_fetch_again() {
    let review = Review::start();
    review.stub.events.publish("games", &json!({}));
    let again = "id: 5f1c:1\nevent: games\ndata: {}\n\n";
    assert_eq!(listen(&review, "last-event-id: 5f1c:0\r\n").1, again);
    assert_eq!(
        listen(&review, "last-event-id: aaaa:1\r\n").1,
        again,
        "the server was restarted"
    );
    assert_eq!(listen(&review, "last-event-id: 5f1c:1\r\n").1, ": \n\n");
}

#[test]
fn a_slow_page_is_not_waited_for() {
    let review = Review::start();
    let (mut slow, _) = listen(&review, "");
    let text = "x".repeat(10_000);
    // More than sockets and queues hold.
    for _ in 0..3000 {
        review
            .stub
            .events
            .publish("progress", &json!({ "text": text }));
    }
    let (mut quick, _) = listen(&review, "");
    review.stub.events.publish("export", &json!({}));
    assert_eq!(
        next(&mut quick),
        "id: 5f1c:3001\nevent: export\ndata: {}\n\n"
    );
    let mut heard = 0;
    loop {
        let event = next(&mut slow);
        if event.contains("event: games") {
            break;
        }
        assert!(event.contains("event: progress"), "{event:.60}");
        heard += 1;
    }
    assert!(heard < 3000, "what it missed is not kept for it");
}

#[test]
fn silence_is_broken_and_streams_end_with_the_server() {
    let limits = Limits {
        silence: Duration::from_millis(10),
        ..Limits::default()
    };
    let review = Review::start_with_limits(limits);
    let (mut page, _) = listen(&review, "");
    for _ in 0..3 {
        assert_eq!(next(&mut page), ": \n\n");
    }
    review.server.stop();
    while let Some(chunk) = receive_chunk(&mut page).filter(|chunk| !chunk.is_empty()) {
        assert_eq!(chunk, b": \n\n");
    }
    assert!(is_closed(&mut page));
}

#[test]
fn too_many_streams_are_refused_and_those_that_ended_do_not_count() {
    let review = Review::start();
    for _ in 0..3 {
        let streams: Vec<_> = (0..16).map(|_| listen(&review, "")).collect();
        assert_eq!(review.get("/api/events").status, 429);
        drop(streams);
        // The server notices the ends in its own time.
        while review.stub.events.listeners() > 0 {
            thread::yield_now();
        }
    }
}
