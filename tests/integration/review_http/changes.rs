//! Requests that change something.

use std::sync::atomic::Ordering;
use std::thread;

use serde_json::json;
use sheetscan::review::backend::PictureSource;

use super::client::{connect, receive, send};
use super::stub::{ID, Review};

#[test]
fn a_request_that_comes_again_is_answered_and_not_done_again() {
    let review = Review::start();
    let first = review.answer("k1", "Nb5");
    assert_eq!(
        (first.status, first.json()["version"].as_u64()),
        (200, Some(4))
    );
    let again = review.answer("k1", "Nb5");
    assert_eq!((again.status, again.json()), (200, first.json()));
    assert_eq!(review.answered(), 1);
    assert_eq!(review.answer("k2", "Nb5").json()["count"], 2);

    for path in ["/api/undo", "/api/export"] {
        let before = review.answered();
        let post = || review.post(path, r#"{"key":"k1"}"#).json();
        let first = post();
        assert_eq!(post(), first, "{path}");
        assert_eq!(review.answered(), before + 1, "{path}");
        review.post(path, "{}");
        review.post(path, "");
        assert_eq!(
            review.answered(),
            before + 3,
            "without a key each counts: {path}"
        );
    }
}

#[test]
fn a_request_that_comes_again_while_the_first_is_under_way_waits_for_it() {
    let review = Review::start();
    thread::scope(|scope| {
        let ask = || review.answer("k", "slow").json();
        let first = scope.spawn(ask);
        let second = scope.spawn(ask);
        while review.stub.waiting.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        review.stub.let_slow_answers_go();
        assert_eq!(
            first.join().expect("a reply"),
            second.join().expect("a reply")
        );
    });
    assert_eq!(review.answered(), 1);
}

#[test]
fn an_answer_is_taken_even_if_the_client_hangs_up() {
    let review = Review::start();
    let mut connection = connect(review.port);
    let body = json!({ "key": "k", "base": 3, "answers": ["slow"] }).to_string();
    let request = review.request("POST", &format!("/api/games/{ID}/answers"), body);
    send(&mut connection, request).expect("it is sent");
    while review.stub.waiting.load(Ordering::SeqCst) == 0 {
        thread::yield_now();
    }
    drop(connection);
    review.stub.let_slow_answers_go();
    // It comes again, as it does from a page whose connection was cut.
    assert_eq!(review.answer("k", "slow").json()["count"], 1);
    assert_eq!(review.answered(), 1);
}

#[test]
fn looking_does_not_wait_for_a_long_answer() {
    let review = Review::start();
    thread::scope(|scope| {
        let slow = scope.spawn(|| review.answer("k", "slow"));
        while review.stub.waiting.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        // Each would wait for ever if it waited for the answer.
        for path in [
            "run",
            "games",
            &format!("games/{ID}"),
            &format!("sheets/{ID}/page.jpg"),
        ] {
            assert_eq!(review.get(&format!("/api/{path}")).status, 200, "{path}");
        }
        review.stub.let_slow_answers_go();
        assert_eq!(slow.join().expect("a reply").status, 200);
    });
}

#[test]
fn what_is_refused_has_its_further_fields_and_what_failed_may_succeed_later() {
    let review = Review::start();
    let reply = review.answer("k1", "conflict");
    assert_eq!(
        (reply.status, reply.json()["game"]["id"].as_str()),
        (409, Some(ID))
    );
    assert_eq!(review.post("/api/redo", "{}").status, 409);
    for _ in 0..2 {
        assert_eq!(review.answer("k2", "full").status, 507);
    }
    assert_eq!(review.answered(), 2, "a full disk is tried again");
    assert_eq!(review.answer("k3", "panic").status, 500);
    assert_eq!(
        review.answer("k3", "Nb5").status,
        200,
        "a panic locks nothing"
    );
}

#[test]
fn malformed_bodies_are_refused() {
    let review = Review::start();
    let deep = format!(r#"{{"key":"k","base":1,"answers":{}"#, "[".repeat(60_000));
    let long_key = format!(r#"{{"key":"{}","base":1,"answers":[]}}"#, "k".repeat(65));
    for body in [
        "",
        "{}",
        "null",
        "[]",
        "\u{0}",
        "{\"key\":1}",
        r#"{"key":"","base":1,"answers":[]}"#,
        r#"{"key":"k","base":-1,"answers":[]}"#,
        r#"{"key":"k","base":1e99,"answers":[]}"#,
        r#"{"key":"k","base":1,"answers":{}}"#,
        r#"{"key":"k","base":1,"answers":[]} x"#,
        r#"{"key":"k","key":"k","base":1,"answers":[]}"#,
        &deep,
        &long_key,
    ] {
        let reply = review.post(&format!("/api/games/{ID}/answers"), body);
        assert_eq!(reply.status, 400, "{body:.60}");
    }
    let latin = b"{\"key\":\"\xff\",\"base\":1,\"answers\":[]}";
    assert_eq!(
        review
            .post(&format!("/api/games/{ID}/answers"), latin)
            .status,
        400
    );
    assert_eq!(review.answered(), 0);
}

#[test]
fn pictures_come_under_a_name_without_folders() {
    let review = Review::start();
    for (given, kept) in [
        ("IMG%201.jpg", "IMG 1.jpg"),
        ("..%2f..%2fetc%2fpasswd", "passwd"),
        ("C:%5cUsers%5cx.png", "x.png"),
        ("a%00b%0d%0a.jpg", "ab.jpg"),
        ("%3Cimg%20src=x%3E.jpg", "<img src=x>.jpg"),
    ] {
        let reply = review.post(&format!("/api/pictures?name={given}"), "\u{1}\u{2}\u{3}");
        assert_eq!(
            (reply.status, reply.json()["name"].as_str()),
            (200, Some(kept)),
            "{given}"
        );
        let last = review.stub.pictures.lock().expect("the list").pop();
        assert_eq!(last, Some((PictureSource::Page, kept.to_owned(), 3)));
    }
    for name in ["", "..", "a%2f", ".", "%2f..", "%00"] {
        let reply = review.post(&format!("/api/pictures?name={name}"), "x");
        assert_eq!(reply.status, 400, "{name}");
    }
    assert_eq!(review.post("/api/pictures", "x").status, 400);
    assert_eq!(
        review.post("/api/pictures?name=a.jpg", "no picture").status,
        422
    );
}

#[test]
fn a_client_that_asks_before_it_sends_is_told_to_go_on() {
    let review = Review::start();
    let mut connection = connect(review.port);
    let head = review.head("POST", "/api/pictures?name=a.jpg");
    let head = format!("{head}content-length: 3\r\nexpect: 100-continue\r\n\r\n");
    send(&mut connection, head).expect("it is sent");
    assert_eq!(receive(&mut connection).expect("a reply").status, 100);
    send(&mut connection, "xyz").expect("it is sent");
    assert_eq!(receive(&mut connection).expect("a reply").status, 200);
}
