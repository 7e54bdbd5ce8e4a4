//! The second socket.

use std::io::BufReader;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use sheetscan::review::backend::PictureSource;
use sheetscan::review::http::{Limits, PhoneOptions, ServerOptions};

use super::client::{Response, connect_to, is_closed, receive, send};
use super::stub::Review;

/// A review that takes pictures from phones, at a loopback address that stands for the Wi-Fi's.
struct Wifi {
    review: Review,
    address: SocketAddr,
    token: String,
}

impl Wifi {
    fn start(limits: Limits) -> Self {
        let phones = PhoneOptions {
            address: Some(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2))),
        };
        let options = ServerOptions {
            phones: Some(phones),
            limits,
            ..ServerOptions::default()
        };
        let review = Review::start_with(options);
        let state = review.post("/api/phones/start", "").json();
        let url = state["url"].as_str().expect("an address").to_owned();
        let (address, token) = url
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/up/"))
            .expect("a path");
        let (address, token) = (address.parse().expect("an address"), token.to_owned());
        assert_ne!(review.token, token);
        assert_eq!(state["qr"]["size"], 41);
        assert!(
            state["qr"]["path"]
                .as_str()
                .expect("a path")
                .starts_with("M0 0h7v1h-7z")
        );
        Self {
            review,
            address,
            token,
        }
    }

    fn connect(&self) -> BufReader<TcpStream> {
        connect_to(self.address)
    }

    /// Asks as a phone with this cookie, which may be empty.
    fn ask(&self, method: &str, path: &str, cookie: &str, body: &[u8]) -> Response {
        let mut connection = self.connect();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncookie: a=b; {cookie}\r\n\
             content-length: {length}\r\n\r\n",
            self.address
        );
        send(&mut connection, [head.as_bytes(), body].concat()).expect("it is sent");
        receive(&mut connection).expect("a reply")
    }

    fn open(&self, cookie: &str) -> Response {
        self.ask("GET", &format!("/up/{}", self.token), cookie, b"")
    }

    fn send(&self, cookie: &str, body: &[u8]) -> Response {
        self.ask("POST", &format!("/up/{}", self.token), cookie, body)
    }

    /// Opens the page for the first time; the status and the cookie.
    fn come(&self) -> (u16, String) {
        let reply = self.open("");
        let [cookie] = reply.header("set-cookie")[..] else {
            panic!("no cookie")
        };
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite"),
            "{cookie}"
        );
        (
            reply.status,
            cookie.split(';').next().expect("a cookie").to_owned(),
        )
    }

    fn pictures(&self) -> Vec<(PictureSource, String, usize)> {
        self.review.stub.pictures.lock().expect("the list").clone()
    }
}

#[test]
fn a_phone_can_bring_pictures_and_nothing_else() {
    let wifi = Wifi::start(Limits::default());
    let (status, cookie) = wifi.come();
    assert_eq!(status, 200);
    // SHA-256 of "abc" (FIPS 180-2, appendix B.1).
    let name = "ba7816bf8f01.jpg";
    for _ in 0..2 {
        let reply = wifi.send(&cookie, b"abc");
        assert_eq!(
            (reply.status, reply.json()["name"].as_str()),
            (200, Some(name))
        );
    }
    assert_eq!(
        wifi.pictures(),
        [(PictureSource::Phone, name.to_owned(), 3)],
        "once"
    );
    assert_eq!(wifi.send(&cookie, b"no picture").status, 422);
    assert_eq!(wifi.send(&cookie, b"").status, 400);

    let token = wifi.token.clone();
    for path in [
        "/",
        "/page/index.html",
        "/api/run",
        "/api/games",
        "/api/events",
        "/up",
        "/up/",
        "/up/00000000000000000000000000000000",
        &format!("/up/{token}/"),
        &format!("/up/{token}x"),
        &format!("/up/{}", &token[..31]),
        &format!("/up/{}", wifi.review.token),
        &format!("/up/{token}/../../api/run"),
        &format!("/%75p/{token}"),
        &format!("//up/{token}"),
    ] {
        for method in ["GET", "POST"] {
            assert_eq!(
                wifi.ask(method, path, &cookie, b"").status,
                404,
                "{method} {path}"
            );
        }
    }
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE"] {
        let reply = wifi.connect();
        drop(reply);
        let path = format!("/up/{token}");
        if method != "HEAD" {
            assert_eq!(
                wifi.ask(method, &path, &cookie, b"").status,
                405,
                "{method}"
            );
        }
    }
}

#[test]
fn the_page_for_phones_runs_its_own_script_only() {
    let wifi = Wifi::start(Limits::default());
    let reply = wifi.open("");
    let [policy] = reply.header("content-security-policy")[..] else {
        panic!("no policy")
    };
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    assert!(
        !policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    assert_eq!(reply.header("referrer-policy"), ["no-referrer"]);
    assert_eq!(reply.header("cache-control"), ["no-store"]);
    assert!(reply.text().contains("unencrypted over this Wi-Fi"));
}

#[test]
fn a_second_phone_waits_until_it_is_let_in() {
    let wifi = Wifi::start(Limits::default());
    let (_, first) = wifi.come();
    let (status, second) = wifi.come();
    assert_eq!(status, 403);
    assert_ne!(first, second);
    assert_eq!(wifi.send(&second, b"b").status, 403);
    assert_eq!(wifi.send("", b"b").status, 403, "without a cookie");
    assert_eq!(wifi.send("sheetscan-phone=", b"b").status, 403);
    assert_eq!(wifi.send(&first, b"a").status, 200);

    let state = wifi.review.get("/api/phones").json();
    let states: Vec<_> = state["phones"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|phone| phone["state"].as_str().expect("a state"))
        .collect();
    assert_eq!(states, ["admitted", "waiting"]);
    assert_eq!(
        wifi.review
            .post("/api/phones/1", r#"{"admit":true}"#)
            .status,
        200
    );
    assert_eq!(
        (wifi.open(&second).status, wifi.send(&second, b"b").status),
        (200, 200)
    );
    assert_eq!(
        wifi.review
            .post("/api/phones/0", r#"{"admit":false}"#)
            .status,
        200
    );
    assert_eq!(
        (wifi.open(&first).status, wifi.send(&first, b"c").status),
        (403, 403)
    );
    assert_eq!(
        wifi.review
            .post("/api/phones/2", r#"{"admit":true}"#)
            .status,
        404
    );
    assert_eq!(wifi.pictures().len(), 2);
}

#[test]
fn only_so_many_phones_are_noted() {
    let wifi = Wifi::start(Limits::default());
    let statuses: Vec<u16> = (0..40).map(|_| wifi.open("").status).collect();
    assert_eq!(statuses[0], 200);
    assert!(
        statuses[1..32].iter().all(|status| *status == 403),
        "{statuses:?}"
    );
    assert!(
        statuses[32..].iter().all(|status| *status == 429),
        "{statuses:?}"
    );
}

#[test]
fn other_names_and_pages_are_refused_there_too() {
    let wifi = Wifi::start(Limits::default());
    let (_, cookie) = wifi.come();
    let own = wifi.address.to_string();
    for (host, lines, expected) in [
        (own.as_str(), String::new(), 200),
        (&own, format!("origin: http://{own}\r\n"), 200),
        (&own, "origin: http://evil.com\r\n".to_owned(), 403),
        (&own, "origin: null\r\n".to_owned(), 403),
        (&own, "sec-fetch-site: cross-site\r\n".to_owned(), 403),
        (&own, format!("host: {own}\r\n"), 403),
        ("evil.com", String::new(), 403),
        (
            &format!("localhost:{}", wifi.address.port()),
            String::new(),
            403,
        ),
    ] {
        let mut connection = wifi.connect();
        let request = format!(
            "POST /up/{} HTTP/1.1\r\nhost: {host}\r\n{lines}cookie: {cookie}\r\n\
             content-length: 1\r\n\r\na",
            wifi.token
        );
        send(&mut connection, request).expect("it is sent");
        let reply = receive(&mut connection).expect("a reply");
        assert_eq!(reply.status, expected, "{host} {lines}");
    }
}

#[test]
fn pictures_are_limited_in_number_and_bytes() {
    let wifi = Wifi::start(Limits {
        phone_pictures: 3,
        phone_bytes: 10,
        ..Limits::default()
    });
    let (_, cookie) = wifi.come();
    assert_eq!(wifi.send(&cookie, b"1234567").status, 200);
    assert_eq!(
        wifi.send(&cookie, b"12345").status,
        413,
        "more than 10 bytes"
    );
    assert_eq!(wifi.send(&cookie, b"1").status, 200);
    assert_eq!(wifi.send(&cookie, b"2").status, 200);
    assert_eq!(wifi.send(&cookie, b"3").status, 413, "more than 3 pictures");
    assert_eq!(wifi.pictures().len(), 3);
}

#[test]
fn what_is_no_picture_counts_in_bytes() {
    let wifi = Wifi::start(Limits {
        phone_bytes: 25,
        ..Limits::default()
    });
    let (_, cookie) = wifi.come();
    let junk = |i: u8| {
        wifi.send(&cookie, format!("no picture{i}").as_bytes())
            .status
    };
    assert_eq!([junk(1), junk(2), junk(3)], [422, 422, 413]);
    assert!(wifi.pictures().is_empty());
}

#[test]
fn stopping_ends_the_token_and_the_socket() {
    let wifi = Wifi::start(Limits::default());
    let (_, cookie) = wifi.come();
    let mut idle = wifi.connect();
    let head = format!("host: {}\r\ncookie: {cookie}\r\n\r\n", wifi.address);
    send(
        &mut idle,
        format!("GET /up/{} HTTP/1.1\r\n{head}", wifi.token),
    )
    .expect("it is sent");
    assert_eq!(receive(&mut idle).expect("a reply").status, 200);
    assert!(wifi.review.post("/api/phones/stop", "").json().is_null());
    assert!(is_closed(&mut idle));
    TcpStream::connect(wifi.address).expect_err("nobody listens");
    assert!(wifi.review.get("/api/phones").json().is_null());

    let again = wifi.review.post("/api/phones/start", "").json();
    let url = again["url"].as_str().expect("an address");
    assert!(!url.contains(&wifi.token), "a new token");
    let address: SocketAddr = url[7..]
        .split('/')
        .next()
        .expect("a host")
        .parse()
        .expect("one");
    let mut connection = connect_to(address);
    let request = format!("GET /up/{} HTTP/1.1\r\nhost: {address}\r\n\r\n", wifi.token);
    send(&mut connection, request).expect("it is sent");
    assert_eq!(
        receive(&mut connection).expect("a reply").status,
        404,
        "the old token"
    );
}

#[test]
fn what_is_under_way_when_it_is_stopped_is_not_taken() {
    let wifi = Wifi::start(Limits::default());
    let (_, cookie) = wifi.come();
    let mut connection = wifi.connect();
    let head = format!(
        "POST /up/{} HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\ncontent-length: 6\r\n\
         expect: 100-continue\r\n\r\n",
        wifi.token, wifi.address
    );
    send(&mut connection, head).expect("it is sent");
    assert_eq!(receive(&mut connection).expect("a reply").status, 100);
    send(&mut connection, "abc").expect("it is sent");
    wifi.review.post("/api/phones/stop", "");
    send(&mut connection, "def").expect("it is sent");
    assert_eq!(receive(&mut connection).expect("a reply").status, 404);
    assert!(wifi.pictures().is_empty());
}

#[test]
fn the_token_lapses() {
    let limits = Limits {
        phone_time: Duration::from_millis(300),
        ..Limits::default()
    };
    let wifi = Wifi::start(limits);
    // The socket is closed when the time is over; else this would not end.
    while TcpStream::connect(wifi.address).is_ok() {}
    assert!(wifi.review.get("/api/phones").json().is_null());
}

#[test]
fn without_listen_there_is_no_second_socket() {
    let review = Review::start();
    assert!(review.get("/api/phones").json().is_null());
    for path in ["/api/phones/start", "/api/phones/stop", "/api/phones/0"] {
        assert_eq!(review.post(path, r#"{"admit":true}"#).status, 403, "{path}");
    }
}
