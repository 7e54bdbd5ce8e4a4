//! A client of a review that runs as a program of its own.
#![cfg(all(feature = "review", unix))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::common::{TestDir, samples};

/// A review that runs, with a client of its page.
pub struct Review {
    child: Child,
    pub port: u16,
    pub token: String,
}

impl Review {
    /// Starts a review of the folder `round`, and waits until all games are there.
    pub fn start(dir: &TestDir) -> Self {
        Self::start_with(dir, &[])
    }

    /// Starts it with further arguments.
    pub fn start_with(dir: &TestDir, more: &[&str]) -> Self {
        let review = Self::start_reading(dir, more);
        review.wait_until_read();
        review
    }

    /// Starts it with further arguments, and does not wait for the games.
    pub fn start_reading(dir: &TestDir, more: &[&str]) -> Self {
        let arguments = [&["review", "round/", "--no-open"], more].concat();
        let mut command: Command = dir.command(&arguments);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stderr = child.stderr.take().expect("a pipe");
        let mut lines = BufReader::new(stderr).lines();
        let address = lines
            .by_ref()
            .map(|line| line.expect("text"))
            .find_map(|line| line.split_once("http://127.0.0.1:").map(|a| a.1.to_owned()))
            .expect("the address is printed");
        std::thread::spawn(move || lines.for_each(drop));
        let (port, token) = address.split_once("/#").expect("a token");
        Self {
            child,
            port: port.parse().expect("a port"),
            token: token.to_owned(),
        }
    }

    /// Waits until all pictures are read and all games are there.
    pub fn wait_until_read(&self) {
        while self.get("/api/run")["phase"] != "ready" {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    pub fn get(&self, path: &str) -> Value {
        self.ask("GET", path, b"").1
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask("POST", path, body.to_string().as_bytes())
    }

    /// Sends a request; gives the status and the JSON of the reply.
    pub fn ask(&self, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server accepts");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Sheetscan: {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            self.port,
            self.token,
            body.len()
        );
        let request = [request.as_bytes(), body].concat();
        stream.write_all(&request).expect("it is sent");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).expect("a status");
        let value = serde_json::from_str(body).unwrap_or_else(|e| panic!("{e}: {reply}"));
        (status.parse().expect("a number"), value)
    }

    /// The game whose first sheet has this name.
    pub fn game(&self, name: &str) -> Value {
        let rows = self.get("/api/games");
        let mut rows = rows["games"].as_array().expect("rows").iter();
        let has_name = |row: &&Value| {
            let sheet = row["sheets"][0].as_str();
            sheet.is_some_and(|sheet| sheet.contains(name))
        };
        let row = rows.find(has_name).expect("the game is there");
        self.whole(row["id"].as_str().expect("an id"))
    }

    /// A game once its search is over.
    pub fn whole(&self, id: &str) -> Value {
        loop {
            let game = self.get(&format!("/api/games/{id}"));
            if game["final"] == true {
                return game;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    /// Sends answers to a game that was seen before.
    pub fn answer(&self, game: &Value, key: &str, answers: &Value) -> (u16, Value) {
        let path = format!("/api/games/{}/answers", game["id"].as_str().expect("an id"));
        let body = json!({ "key": key, "base": game["version"], "answers": answers });
        self.post(&path, &body)
    }

    /// Exports, and compares with what a scan with the answers writes.
    pub fn assert_export_is_scan(&self, dir: &TestDir, more: &[&str]) {
        let (status, exported) = self.post("/api/export", &json!({}));
        assert_eq!(status, 200, "{exported}");
        let fixes = ["--fixes", "round.fixes.toml"];
        let outputs = ["-o", "again.pgn", "--json", "again.jsonl", "--quiet"];
        dir.run(&[&["scan", "round"], more, &fixes, &outputs].concat());
        assert_eq!(dir.text("round.pgn"), dir.text("again.pgn"));
        assert_eq!(dir.text("round.jsonl"), dir.text("again.jsonl"));
    }

    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Asks it to end, as Ctrl-C does; gives the exit status.
    pub fn interrupt(mut self) -> i32 {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status();
        assert!(sent.expect("kill runs").success());
        let status = self.child.wait().expect("it ends");
        status.code().expect("an exit status")
    }
}

/// No test leaves a review running, however it ends.
impl Drop for Review {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder `round` with some of the samples.
pub fn round(names: &[&str]) -> TestDir {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("round")).expect("a folder");
    for sample in samples() {
        let name = sample
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if names.iter().any(|wanted| name.contains(wanted)) {
            std::fs::copy(&sample, dir.path("round").join(name)).expect("it is copied");
        }
    }
    dir
}

/// The moves of a game.
pub fn sans(game: &Value) -> Vec<String> {
    let plies = game["plies"].as_array().expect("plies").iter();
    let sans = plies.map(|ply| ply["san"].as_str().expect("SAN").to_owned());
    sans.collect()
}
