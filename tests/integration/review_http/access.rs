//! Who is let in.

use super::client::ask;
use super::stub::{ID, Review};

/// Asks for the run with these headers, given as whole lines; `PORT` stands for the port.
fn status(review: &Review, headers: &[&str]) -> u16 {
    let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let lines = lines
        .replace("PORT", &review.port.to_string())
        .replace("TOKEN", &review.token);
    ask(review.port, format!("GET /api/run HTTP/1.1\r\n{lines}\r\n")).status
}

#[test]
fn the_three_names_of_this_machine_are_answered() {
    let review = Review::start();
    for host in ["127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT"] {
        assert_eq!(
            status(&review, &[&format!("Host: {host}"), "X-Sheetscan: TOKEN"]),
            200,
            "{host}"
        );
    }
}

#[test]
fn any_other_host_is_refused() {
    let review = Review::start();
    for host in [
        "",
        "127.0.0.1",
        "localhost",
        "localhost:1",
        "LOCALHOST:PORT",
        "localhost.:PORT",
        "localhost.evil.com",
        "localhost.evil.com:PORT",
        "127.0.0.1.evil.com",
        "127.0.0.1.evil.com:PORT",
        "127.0.0.1:PORT.evil.com",
        "evil.com:PORT",
        "127.0.0.2:PORT",
        "0.0.0.0:PORT",
        "[::]:PORT",
        "[0:0:0:0:0:0:0:1]:PORT",
        "::1:PORT",
        "127.1:PORT",
        "2130706433:PORT",
        "evil@127.0.0.1:PORT",
        "127.0.0.1:PORT@evil.com",
        "127.0.0.1:PORT/",
        "127.0.0.1:PORT, evil.com",
        "127.0.0.1:0PORT",
        "[::ffff:127.0.0.1]:PORT",
        "127.0.0.1:PORT\t127.0.0.1:PORT",
        "\u{ff11}27.0.0.1:PORT",
    ] {
        assert_eq!(
            status(&review, &[&format!("Host: {host}"), "X-Sheetscan: TOKEN"]),
            403,
            "{host}"
        );
    }
    assert_eq!(status(&review, &["X-Sheetscan: TOKEN"]), 403, "no host");
    let own = "Host: 127.0.0.1:PORT";
    assert_eq!(
        status(&review, &[own, own, "X-Sheetscan: TOKEN"]),
        403,
        "twice"
    );
    assert_eq!(
        status(&review, &[own, "Host: evil.com", "X-Sheetscan: TOKEN"]),
        403,
        "two"
    );
    assert_eq!(
        status(&review, &["Host: evil.com", own, "X-Sheetscan: TOKEN"]),
        403,
        "two"
    );
}

#[test]
fn a_foreign_host_is_refused_before_anything_is_looked_up() {
    let review = Review::start();
    let port = review.port;
    for path in ["/", "/page/none.js", "/api/run", "/api/none", "/none"] {
        let request = format!("GET {path} HTTP/1.1\r\nhost: evil.com:{port}\r\n\r\n");
        assert_eq!(ask(port, request).status, 403, "{path}");
    }
    // To a proxy one sends whole addresses, which name a host too.
    for target in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://evil.com:{port}/"),
    ] {
        let request = format!("GET {target} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n");
        assert_eq!(ask(port, request).status, 403, "{target}");
    }
    let request = format!("CONNECT evil.com:80 HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n");
    assert_eq!(ask(port, request).status, 403);
}

#[test]
fn pages_of_other_origins_are_refused() {
    let review = Review::start();
    let own = ["Host: 127.0.0.1:PORT", "X-Sheetscan: TOKEN"];
    let with = |line: &str| status(&review, &[own[0], own[1], line]);
    for origin in [
        "http://127.0.0.1:PORT",
        "http://localhost:PORT",
        "http://[::1]:PORT",
    ] {
        assert_eq!(with(&format!("Origin: {origin}")), 200, "{origin}");
    }
    for origin in [
        "null",
        "",
        "http://evil.com",
        "https://127.0.0.1:PORT",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "http://127.0.0.1:PORT.evil.com",
        "http://127.0.0.1:PORT/",
        "file://",
        "http://localhost.evil.com:PORT",
        "http://127.0.0.1:PORT http://evil.com",
        "chrome-extension://abc",
    ] {
        assert_eq!(with(&format!("Origin: {origin}")), 403, "{origin}");
    }
    let twice = ["Origin: http://127.0.0.1:PORT", "Origin: http://evil.com"];
    assert_eq!(status(&review, &[own[0], own[1], twice[0], twice[1]]), 403);
    for (site, expected) in [
        ("same-origin", 200),
        ("none", 200),
        ("same-site", 403),
        ("cross-site", 403),
        ("x", 403),
    ] {
        assert_eq!(with(&format!("Sec-Fetch-Site: {site}")), expected, "{site}");
    }
}

#[test]
fn a_post_of_another_page_does_nothing_even_with_the_token() {
    let review = Review::start();
    let Review { port, token, .. } = &review;
    let post = |lines: &str| {
        let head = format!("POST /api/undo HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n");
        ask(*port, format!("{head}{lines}content-length: 2\r\n\r\n{{}}")).status
    };
    let shown = format!("x-sheetscan: {token}\r\n");
    assert_eq!(post(&format!("{shown}origin: http://evil.com\r\n")), 403);
    assert_eq!(post(&format!("{shown}origin: null\r\n")), 403);
    assert_eq!(post(&format!("{shown}sec-fetch-site: cross-site\r\n")), 403);
    // What a form of another page in the same browser can send at most.
    assert_eq!(
        post("content-type: text/plain\r\nsec-fetch-site: cross-site\r\n"),
        403
    );
    assert_eq!(post(""), 401, "neither origin nor token");
    assert_eq!(
        post(&format!("origin: http://127.0.0.1:{port}\r\n")),
        401,
        "no token"
    );
    assert_eq!(review.answered(), 0);
    assert_eq!(post(&shown), 200, "a program of the person's own");
    assert_eq!(review.answered(), 1);
}

#[test]
fn preflights_of_other_pages_are_refused() {
    let review = Review::start();
    let port = review.port;
    let request = format!(
        "OPTIONS /api/run HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\norigin: http://evil.com\r\n\
         access-control-request-method: GET\r\naccess-control-request-headers: x-sheetscan\r\n\
         access-control-request-private-network: true\r\n\r\n"
    );
    let reply = ask(port, request);
    assert_eq!(reply.status, 403);
    let cors = reply
        .headers
        .iter()
        .find(|(name, _)| name.starts_with("access-control"));
    assert_eq!(cors, None);
}

#[test]
fn without_the_token_nothing_of_the_event_is_told() {
    let review = Review::start();
    let host = "Host: 127.0.0.1:PORT";
    assert_eq!(status(&review, &[host]), 401);
    assert_eq!(
        status(&review, &[host, "X-Sheetscan: TOKEN", "X-Sheetscan: TOKEN"]),
        401,
        "twice"
    );
    let Review { token, .. } = &review;
    let other = Review::start();
    for wrong in [
        String::new(),
        token[..31].to_owned(),
        format!("{token}0"),
        token.to_uppercase() + "x",
        "0".repeat(32),
        other.token.clone(),
        format!("{token}, {token}"),
        format!("\"{token}\""),
    ] {
        assert_eq!(
            status(&review, &[host, &format!("X-Sheetscan: {wrong}")]),
            401,
            "{wrong}"
        );
    }
    for path in [
        "run".to_owned(),
        "games".to_owned(),
        "events".to_owned(),
        format!("games/{ID}"),
        format!("sheets/{ID}/page.jpg"),
        "phones".to_owned(),
        "none".to_owned(),
        String::new(),
    ] {
        let port = review.port;
        for query in ["", "?token=TOKEN", "?x-sheetscan=TOKEN"] {
            let query = query.replace("TOKEN", token);
            let request =
                format!("GET /api/{path}{query} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n");
            assert_eq!(ask(port, request).status, 401, "{path}{query}");
        }
    }
}

#[test]
fn no_path_leads_out_of_the_page() {
    let review = Review::start();
    for path in [
        "/page/../../etc/passwd",
        "/page/..%2f..%2fetc%2fpasswd",
        "/page/%2e%2e/Cargo.toml",
        "/page/..\\..\\Cargo.toml",
        "/page//etc/passwd",
        "//etc/passwd",
        "/../Cargo.toml",
        "/page/index.html/../../mod.rs",
        "/page/index.html%00.js",
        "/page/index%2ehtml",
        "/page/",
        "/page",
        "/page/.",
        "/page/..",
        "/page/../backend.rs",
        "/page/INDEX.HTML",
        "/page/index.html/",
        "/index.html",
        "/up/x",
        "/favicon.ico",
        "/api%2frun",
        "/%61pi/run",
        "/./api/run",
        "/page/../api/run",
        "/API/run",
    ] {
        assert_eq!(review.get(path).status, 404, "{path}");
    }
    for path in [
        format!("/api/games/../games/{ID}"),
        format!("/api/games/{ID}/at/../../../run"),
        format!("/api/sheets/{ID}/../../run"),
        "/api/games/..%2f..%2fetc".to_owned(),
        format!("/api/sheets/{ID}/cells/..%2f1w.jpg"),
        "/api/sheets/../../page.jpg".to_owned(),
        format!("/api/games/{ID}/at/"),
        format!("/api//games/{ID}"),
        "/api/".to_owned(),
        "/api".to_owned(),
        format!("/api/games/{ID}%00"),
    ] {
        assert_eq!(review.get(&path).status, 404, "{path}");
    }
}
