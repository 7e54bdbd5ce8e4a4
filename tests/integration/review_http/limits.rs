//! Limits.

use std::io::ErrorKind;
use std::time::Duration;

use sheetscan::review::http::Limits;

use super::client::{ask, connect, is_closed, receive, send};
use super::stub::{ID, Review};

/// Sends a body without end, in pieces, until the server answers or closes the connection.
fn send_for_ever(review: &Review, head: &str, piece: &[u8]) -> Option<u16> {
    let mut connection = connect(review.port);
    send(&mut connection, head).expect("the head is sent");
    let mut sent = 0_u64;
    while send(&mut connection, piece).is_ok() {
        sent += piece.len() as u64;
        assert!(sent < 1 << 30, "a whole gigabyte was taken");
    }
    receive(&mut connection).map(|reply| reply.status)
}

#[test]
fn bodies_of_a_gigabyte_are_not_taken() {
    let review = Review::start();
    let answers = format!("/api/games/{ID}/answers");
    let piece = vec![b'x'; 1 << 20];
    let chunk = [b"100000\r\n".as_slice(), &piece, b"\r\n"].concat();
    for path in ["/api/undo", &answers, "/api/pictures?name=a.jpg"] {
        let head = review.head("POST", path);
        let length = format!("{head}content-length: {}\r\n\r\n", 1_u64 << 30);
        let status = send_for_ever(&review, &length, &piece);
        assert!(matches!(status, None | Some(413)), "{path}: {status:?}");
        let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n");
        let status = send_for_ever(&review, &chunked, &chunk);
        assert!(matches!(status, None | Some(413)), "{path}: {status:?}");
        let status = send_for_ever(&review, &length.replace(&review.token, "x"), &piece);
        assert!(matches!(status, None | Some(401)), "{path}: {status:?}");
    }
    assert!(review.stub.pictures.lock().expect("the list").is_empty());
    assert_eq!(review.answered(), 0);
    assert_eq!(review.get("/api/run").status, 200);
}

#[test]
fn a_browser_that_sends_too_much_is_told_so() {
    let review = Review::start();
    let reply = review.post("/api/pictures?name=a.jpg", vec![0; (40 << 20) + 1]);
    assert_eq!(
        (reply.status, reply.json()["error"].as_str()),
        (413, Some("this is larger than 40 MiB"))
    );
    let reply = review.post("/api/pictures?name=a.jpg", vec![0; 40 << 20]);
    assert_eq!(reply.status, 200);
    let reply = review.post("/api/undo", vec![b' '; (64 << 10) + 1]);
    assert_eq!(
        (reply.status, reply.json()["error"].as_str()),
        (413, Some("this is larger than 64 KiB"))
    );
}

#[test]
fn long_heads_and_addresses_are_refused() {
    let review = Review::start();
    let head = review.head("GET", "/api/run");
    assert_eq!(
        ask(
            review.port,
            format!("{head}a: {}\r\n\r\n", "x".repeat(15_000))
        )
        .status,
        200
    );
    assert_eq!(
        ask(
            review.port,
            format!("{head}a: {}\r\n\r\n", "x".repeat(17_000))
        )
        .status,
        431
    );
    assert_eq!(
        ask(review.port, head.clone() + &"a: b\r\n".repeat(200) + "\r\n").status,
        431
    );
    assert_eq!(
        review.get(&format!("/api/run?{}", "x".repeat(2000))).status,
        200
    );
    assert_eq!(
        review.get(&format!("/api/run?{}", "x".repeat(2048))).status,
        414
    );
    // A head without end.
    let mut connection = connect(review.port);
    while send(&mut connection, "a: b\r\n".repeat(1000)).is_ok() {}
    assert_eq!(review.get("/api/run").status, 200);
}

#[test]
fn slow_heads_and_idle_connections_are_closed() {
    let limits = Limits {
        head_time: Duration::from_secs(1),
        ..Limits::default()
    };
    let review = Review::start_with_limits(limits);
    let head = review.head("GET", "/api/run");
    let mut silent = connect(review.port);
    let mut half = connect(review.port);
    send(&mut half, &head).expect("it is sent");
    let mut idle = connect(review.port);
    send(&mut idle, head.clone() + "\r\n").expect("it is sent");
    assert_eq!(receive(&mut idle).expect("a reply").status, 200);
    for connection in [&mut silent, &mut half, &mut idle] {
        assert!(is_closed(connection));
    }
    // A byte now and then does not help: the time is that of the whole head.
    let mut trickle = connect(review.port);
    send(&mut trickle, &head).expect("it is sent");
    while send(&mut trickle, "a").is_ok() {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(is_closed(&mut trickle));
}

#[test]
fn slow_bodies_are_given_up() {
    let limits = Limits {
        body_time: Duration::from_millis(300),
        ..Limits::default()
    };
    let review = Review::start_with_limits(limits);
    for path in ["/api/undo", "/api/pictures?name=a.jpg"] {
        let mut connection = connect(review.port);
        let head = review.head("POST", path) + "content-length: 1000\r\n\r\n";
        send(&mut connection, head).expect("it is sent");
        let _ = send(&mut connection, "x");
        assert_eq!(
            receive(&mut connection).expect("a reply").status,
            408,
            "{path}"
        );
        assert!(is_closed(&mut connection));
    }
    assert_eq!(review.answered(), 0);
}

#[test]
fn a_client_that_takes_nothing_is_closed() {
    let limits = Limits {
        stall_time: Duration::from_millis(300),
        ..Limits::default()
    };
    let review = Review::start_with_limits(limits);
    let mut connection = connect(review.port);
    let request = format!("GET / HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n\r\n", review.port);
    // Requests are sent and no reply is read, until the server takes no more.
    let requests = request.repeat(1000);
    let error = loop {
        if let Err(error) = send(&mut connection, &requests) {
            break error;
        }
    };
    let kinds = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
    assert!(
        kinds.contains(&error.kind()),
        "the server has not closed it: {error}"
    );
    assert_eq!(review.get("/api/run").status, 200);
}

#[test]
fn after_and_during_a_thousand_connections_the_page_is_served() {
    let review = Review::start();
    let mut page = connect(review.port);
    let request = review.head("GET", "/api/run") + "\r\n";
    let mut ask_again = || {
        send(&mut page, &request).expect("the page's connection is open");
        assert_eq!(receive(&mut page).expect("a reply").status, 200);
    };
    ask_again();
    let mut others = Vec::new();
    for i in 0..1000 {
        others.push(connect(review.port));
        if i % 100 == 99 {
            ask_again();
            assert_eq!(
                review.get("/api/run").status,
                200,
                "a new connection of the page"
            );
        }
    }
    let closed = others
        .iter_mut()
        .take(900)
        .filter_map(|other| is_closed(other).then_some(()));
    assert_eq!(closed.count(), 900);
    drop(others);
    ask_again();
    assert_eq!(review.get("/api/run").status, 200);
}

#[test]
fn where_all_connections_have_the_token_a_further_one_is_told_so() {
    let review = Review::start_with_limits(Limits {
        connections: 4,
        ..Limits::default()
    });
    let request = review.head("GET", "/api/run") + "\r\n";
    let mut pages: Vec<_> = (0..4).map(|_| connect(review.port)).collect();
    for page in &mut pages {
        send(page, &request).expect("it is sent");
        assert_eq!(receive(page).expect("a reply").status, 200);
    }
    let mut further = connect(review.port);
    let reply = receive(&mut further).expect("a reply");
    assert_eq!(reply.status, 503);
    assert!(reply.json()["hint"].is_string());
    for name in [
        "content-security-policy",
        "x-content-type-options",
        "referrer-policy",
    ] {
        assert_eq!(reply.header(name).len(), 1, "{name}");
    }
    assert!(is_closed(&mut further));
}

#[test]
fn no_bytes_harm_the_server() {
    let review = Review::start();
    let request = review.request("POST", "/api/undo", "{}");
    // A linear congruential generator (Knuth, MMIX).
    let mut state = 44_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    };
    for _ in 0..400 {
        let mut bytes = request.clone();
        for _ in 0..=random(4) {
            let place = random(bytes.len());
            match random(4) {
                0 => bytes[place] = random(256).to_le_bytes()[0],
                1 => drop(bytes.remove(place)),
                2 => bytes.insert(place, *b"\r\n\0:% ".get(random(6)).expect("one of six")),
                _ => bytes.truncate(place.max(1)),
            }
        }
        let mut connection = connect(review.port);
        send(&mut connection, bytes).expect("it is sent");
        connection
            .get_mut()
            .shutdown(std::net::Shutdown::Write)
            .expect("it is open");
        let _ = receive(&mut connection);
    }
    for bytes in [
        "\r\n\r\n",
        "GET / HTTP/0.9\r\n\r\n",
        "GET /\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
        "GET / HTTP/1.1\r\nhost : x\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        "* * *\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\ntransfer-encoding: x\r\n\r\n",
        "GET \u{0} HTTP/1.1\r\n\r\n",
    ] {
        let mut connection = connect(review.port);
        send(&mut connection, bytes).expect("it is sent");
        connection
            .get_mut()
            .shutdown(std::net::Shutdown::Write)
            .expect("it is open");
        let status = receive(&mut connection).map(|reply| reply.status);
        assert!(
            status.is_none_or(|status| (400..600).contains(&status)),
            "{bytes:?} {status:?}"
        );
    }
    assert_eq!(review.get("/api/run").status, 200);
}
