//! What is replied, to whom everything is allowed.

use super::client::{ask, connect, is_closed, receive, send};
use super::stub::{ID, Review};

#[test]
fn the_page_is_served_without_the_token() {
    let review = Review::start();
    let port = review.port;
    for path in ["/", "/page/index.html"] {
        let reply = ask(
            port,
            format!("GET {path} HTTP/1.1\r\nhost: localhost:{port}\r\n\r\n"),
        );
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("content-type"), ["text/html; charset=utf-8"]);
        assert!(
            reply.text().starts_with("<!doctype html>"),
            "{}",
            reply.text()
        );
    }
}

/// Without comments and some spaces, as `build.rs` writes them.
#[test]
fn all_files_of_the_page_are_served_and_nothing_is_added_to_them() {
    let review = Review::start();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/review/page");
    for entry in std::fs::read_dir(folder).expect("the folder of the page") {
        let path = entry.expect("a file").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => continue,
        };
        let reply = review.get(&format!("/page/{name}"));
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (200, vec![kind]),
            "{name}"
        );
        let mut source = std::fs::read(&path).expect("a file").into_iter();
        // Between constants that share their keyword stand commas.
        let is_shown = |byte: &&u8| !byte.is_ascii_whitespace() && **byte != b',';
        let mut shown = reply.body.iter().filter(is_shown);
        let all_are_there = shown.all(|byte| source.any(|known| known == *byte));
        assert!(all_are_there && !reply.body.is_empty(), "{name}");
    }
}

#[test]
fn every_reply_forbids_what_the_page_does_not_need() {
    let review = Review::start();
    let port = review.port;
    let plain = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n");
    let page = format!("/api/sheets/{ID}/page.jpg");
    for (reply, status, cache) in [
        (ask(port, plain("/")), 200, "no-cache"),
        (ask(port, plain("/none")), 404, "no-cache"),
        (ask(port, plain("/").replace("127", "128")), 403, "no-cache"),
        (ask(port, plain("/").replace("GET", "PUT")), 405, "no-cache"),
        (
            ask(port, plain(&format!("/{}", "x".repeat(3000)))),
            414,
            "no-cache",
        ),
        (ask(port, plain("/api/run")), 401, "no-store"),
        (review.get("/api/run"), 200, "no-store"),
        (review.get("/api/none"), 404, "no-store"),
        (review.get("/api/undo"), 405, "no-store"),
        (review.get(&page), 200, "no-store"),
        (review.get(&format!("{page}?w=7")), 400, "no-store"),
        (review.post("/api/undo", "{"), 400, "no-store"),
        (
            review.post("/api/undo", vec![b' '; 70_000]),
            413,
            "no-store",
        ),
        (review.post("/api/phones/start", ""), 403, "no-store"),
        (review.answer("panic", "panic"), 500, "no-store"),
    ] {
        assert_eq!(reply.status, status, "{}", reply.text());
        for (name, value) in [
            (
                "content-security-policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
                 connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            ),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cache-control", cache),
        ] {
            assert_eq!(reply.header(name), [value], "{status} {name}");
        }
        if status >= 400 {
            assert_eq!(
                reply.header("content-type"),
                ["application/json"],
                "{status}"
            );
            let json = reply.json();
            assert!(
                json["error"].is_string() && json["hint"].is_string(),
                "{status}: {json}"
            );
        }
        assert!(
            reply
                .headers
                .iter()
                .all(|(name, _)| !name.starts_with("access-control"))
        );
        assert!(reply.header("set-cookie").is_empty());
    }
}

#[test]
fn what_the_review_says_is_passed_on() {
    let review = Review::start();
    assert_eq!(review.get("/api/run").json()["epoch"], "5f1c");
    assert_eq!(review.get("/api/games").json()["number"], 0);
    assert_eq!(review.get(&format!("/api/games/{ID}")).json()["id"], ID);
    let at = review.get(&format!("/api/games/{ID}/at/0-11w"));
    assert_eq!(at.json()["place"], "0-11w");
    assert_eq!(review.get("/api/games/000000000000").status, 404);
    let sheet = |what: &str| review.get(&format!("/api/sheets/{ID}/{what}"));
    for (path, text) in [
        ("page.jpg", "page 1600"),
        ("page.jpg?w=3200", "page 3200"),
        ("cells/11w.jpg", "cell 11 White"),
        ("cells/7b.jpg", "cell 7 Black"),
        ("strips.jpg", "strips"),
        ("region.jpg?x=1&y=2&w=30&h=40", "region 1 2 30 40"),
    ] {
        let reply = sheet(path);
        assert_eq!((reply.status, reply.text().as_str()), (200, text), "{path}");
        assert_eq!(reply.header("content-type"), ["image/jpeg"]);
    }
    for path in [
        "page.jpg?w=801",
        "page.jpg?w=-1",
        "page.jpg?w=800&w=800",
        "region.jpg",
        "page.jpg?w=%",
        "region.jpg?x=1&y=2&w=0&h=40",
        "region.jpg?x=1&y=2&w=30&h=99999999999",
        "region.jpg?x=NaN&y=2&w=30&h=4",
    ] {
        assert_eq!(sheet(path).status, 400, "{path}");
    }
}

#[test]
fn what_the_client_has_already_is_not_sent_again() {
    let review = Review::start();
    for path in ["/".to_owned(), format!("/api/sheets/{ID}/page.jpg")] {
        let first = review.get(&path);
        let [etag] = first.header("etag")[..] else {
            panic!("no ETag: {path}")
        };
        let again = |tag: &str| {
            let head = review.head("GET", &path);
            ask(review.port, format!("{head}if-none-match: {tag}\r\n\r\n"))
        };
        for tag in [
            etag.to_owned(),
            format!("W/{etag}"),
            format!("\"x\", {etag}"),
        ] {
            let reply = again(&tag);
            assert_eq!(
                (reply.status, reply.header("etag")),
                (304, vec![etag]),
                "{path} {tag}"
            );
        }
        assert_eq!(again("\"x\"").body, first.body);
    }
}

#[test]
fn several_requests_use_one_connection() {
    let review = Review::start();
    let mut connection = connect(review.port);
    let request = review.head("GET", "/api/run") + "\r\n";
    for _ in 0..3 {
        send(&mut connection, &request).expect("it is open");
        assert_eq!(receive(&mut connection).expect("a reply").status, 200);
    }
    send(&mut connection, request.repeat(3)).expect("it is open");
    for _ in 0..3 {
        assert_eq!(receive(&mut connection).expect("a reply").status, 200);
    }
}

#[test]
fn a_server_that_stops_ends_what_is_open_and_frees_its_port() {
    let review = Review::start();
    let Review {
        port, server, stub, ..
    } = review;
    let mut idle = connect(port);
    send(
        &mut idle,
        format!("GET / HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n"),
    )
    .expect("open");
    assert_eq!(receive(&mut idle).expect("a reply").status, 200);
    server.stop();
    assert!(is_closed(&mut idle));
    std::net::TcpStream::connect(("127.0.0.1", port)).expect_err("nobody listens");
    assert_eq!(
        std::sync::Arc::strong_count(&stub),
        1,
        "the server holds nothing any more"
    );
}
