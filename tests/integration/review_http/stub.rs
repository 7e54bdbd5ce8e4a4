//! A review without games, and a server in front of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value, json};
use sheetscan::review::backend::{
    AnswersBody, AssignBody, Backend, CellSide, GameId, JoinBody, PartBody, Picture, PictureSource,
    Rectangle, Refusal, SheetId,
};
use sheetscan::review::events::Events;
use sheetscan::review::http::{Limits, Server, ServerOptions};

use super::client::{Response, ask};

/// The only game and sheet of the stub.
pub const ID: &str = "9f2c0a77d1b3";

/// What stands for the review.
pub struct Stub {
    pub events: Events,
    /// Answers that were taken.
    pub answered: AtomicUsize,
    /// Pictures that came: whence, under which name, with how many bytes.
    pub pictures: Mutex<Vec<(PictureSource, String, usize)>>,
    /// Whether answers that are named "slow" may go on.
    is_open: Mutex<bool>,
    opened: Condvar,
    /// Answers that are named "slow" and have begun.
    pub waiting: AtomicUsize,
}

impl Stub {
    pub fn let_slow_answers_go(&self) {
        *self.is_open.lock().expect("the gate") = true;
        self.opened.notify_all();
    }
}

fn picture(text: String) -> Picture {
    Picture {
        etag: text.replace(' ', "-"),
        jpeg: text.into_bytes(),
    }
}

fn known(id: &str) -> Result<(), Refusal> {
    let unknown = || Refusal::new(404, "there is no such game", "load the page anew");
    (id == ID).then_some(()).ok_or_else(unknown)
}

impl Backend for Stub {
    fn run(&self) -> Value {
        json!({ "epoch": self.events.epoch(), "name": "<img src=x onerror=alert(1)>" })
    }

    fn games(&self) -> Value {
        json!({ "number": self.events.number(), "games": [] })
    }

    fn game(&self, game: &GameId) -> Result<Value, Refusal> {
        known(game.as_str()).map(|()| json!({ "id": game.as_str() }))
    }

    fn candidates(&self, game: &GameId, place: &str) -> Result<Value, Refusal> {
        known(game.as_str()).map(|()| json!({ "place": place }))
    }

    fn answer(&self, game: &GameId, body: AnswersBody) -> Result<Value, Refusal> {
        known(game.as_str())?;
        match body.answers.first().and_then(Value::as_str) {
            Some("slow") => {
                self.waiting.fetch_add(1, Ordering::SeqCst);
                let gate = self.is_open.lock().expect("the gate");
                drop(
                    self.opened
                        .wait_while(gate, |is_open| !*is_open)
                        .expect("the gate"),
                );
            }
            Some("panic") => panic!("a fault of the stub, on purpose"),
            Some("conflict") => {
                let refusal = Refusal::new(409, "another answer came first", "choose one");
                return Err(refusal.with("game", json!({ "id": game.as_str() })));
            }
            Some("full") => {
                self.answered.fetch_add(1, Ordering::SeqCst);
                return Err(Refusal::new(507, "the disk is full", "make room"));
            }
            _ => {}
        }
        let count = self.answered.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(json!({ "version": body.base + 1, "count": count }))
    }

    fn event(&self) -> Result<Value, Refusal> {
        Ok(json!({ "name": "", "boards": [], "tray": [], "checks": [] }))
    }

    fn assign(&self, game: &GameId, body: AssignBody) -> Result<Value, Refusal> {
        let count = self.answered.fetch_add(1, Ordering::SeqCst) + 1;
        known(game.as_str()).map(|()| json!({ "round": body.round, "count": count }))
    }

    fn join(&self, game: &GameId, body: JoinBody) -> Result<Value, Refusal> {
        known(game.as_str()).map(|()| json!({ "other": body.other }))
    }

    fn part(&self, game: &GameId, body: PartBody) -> Result<Value, Refusal> {
        known(game.as_str()).map(|()| json!({ "sheet": body.sheet }))
    }

    fn undo(&self) -> Result<Value, Refusal> {
        Ok(json!({ "count": self.answered.fetch_add(1, Ordering::SeqCst) + 1 }))
    }

    fn redo(&self) -> Result<Value, Refusal> {
        Err(Refusal::new(409, "nothing was taken back", "go on"))
    }

    fn page(&self, sheet: &SheetId, longest_side: u32) -> Result<Picture, Refusal> {
        known(sheet.as_str()).map(|()| picture(format!("page {longest_side}")))
    }

    fn cell(&self, sheet: &SheetId, row: u32, side: CellSide) -> Result<Picture, Refusal> {
        known(sheet.as_str()).map(|()| picture(format!("cell {row} {side:?}")))
    }

    fn strips(&self, sheet: &SheetId) -> Result<Picture, Refusal> {
        known(sheet.as_str()).map(|()| picture("strips".to_owned()))
    }

    fn region(&self, sheet: &SheetId, rectangle: Rectangle) -> Result<Picture, Refusal> {
        let Rectangle {
            x,
            y,
            width,
            height,
        } = rectangle;
        known(sheet.as_str()).map(|()| picture(format!("region {x} {y} {width} {height}")))
    }

    fn export(&self) -> Result<Value, Refusal> {
        Ok(json!({ "count": self.answered.fetch_add(1, Ordering::SeqCst) + 1 }))
    }

    fn add_picture(
        &self,
        source: PictureSource,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<Value, Refusal> {
        if bytes.starts_with(b"no picture") {
            return Err(Refusal::new(422, "this is no picture", "send a photograph"));
        }
        self.pictures
            .lock()
            .expect("the list")
            .push((source, name.to_owned(), bytes.len()));
        Ok(json!({ "name": name }))
    }

    fn events(&self) -> &Events {
        &self.events
    }
}

/// A server in front of a stub, with what a client needs to know.
pub struct Review {
    pub stub: Arc<Stub>,
    pub server: Server,
    pub port: u16,
    pub token: String,
}

impl Review {
    pub fn start() -> Self {
        Self::start_with(ServerOptions::default())
    }

    pub fn start_with_limits(limits: Limits) -> Self {
        Self::start_with(ServerOptions {
            limits,
            ..ServerOptions::default()
        })
    }

    /// Starts at any port, whatever the options say.
    pub fn start_with(options: ServerOptions) -> Self {
        let stub = Arc::new(Stub {
            events: Events::new("5f1c".to_owned()),
            answered: AtomicUsize::new(0),
            pictures: Mutex::default(),
            is_open: Mutex::new(false),
            opened: Condvar::new(),
            waiting: AtomicUsize::new(0),
        });
        let options = ServerOptions {
            port: Some(0),
            ..options
        };
        let server = Server::start(options, stub.clone()).expect("the server starts");
        let address = server.secret_address();
        let (address, token) = address.split_once('#').expect("an address with a token");
        assert_eq!(address, format!("http://127.0.0.1:{}/", server.port()));
        let (port, token) = (server.port(), token.to_owned());
        Self {
            stub,
            server,
            port,
            token,
        }
    }

    /// The head of a request as the page sends it, without its last empty line.
    pub fn head(&self, method: &str, path: &str) -> String {
        let Self { port, token, .. } = self;
        let origin = format!("origin: http://127.0.0.1:{port}\r\nsec-fetch-site: same-origin\r\n");
        let origin = if method == "GET" { "" } else { &origin };
        format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nx-sheetscan: {token}\r\n{origin}"
        )
    }

    pub fn get(&self, path: &str) -> Response {
        ask(self.port, self.head("GET", path) + "\r\n")
    }

    pub fn post(&self, path: &str, body: impl AsRef<[u8]>) -> Response {
        ask(self.port, self.request("POST", path, body))
    }

    /// A whole request with a body.
    pub fn request(&self, method: &str, path: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
        let body = body.as_ref();
        let head = format!(
            "{}content-length: {}\r\n\r\n",
            self.head(method, path),
            body.len()
        );
        [head.as_bytes(), body].concat()
    }

    /// Posts answers under a key.
    pub fn answer(&self, key: &str, answer: &str) -> Response {
        let body = json!({ "key": key, "base": 3, "answers": [answer] });
        self.post(&format!("/api/games/{ID}/answers"), body.to_string())
    }

    pub fn answered(&self) -> usize {
        self.stub.answered.load(Ordering::SeqCst)
    }
}
