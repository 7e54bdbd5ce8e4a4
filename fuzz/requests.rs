//! Requests to the server of `sheetscan review`, in front of a review that knows nothing.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::{Value, json};
use sheetscan::review::backend::{
    AnswersBody, AssignBody, Backend, CellSide, GameId, JoinBody, PartBody, Picture, PictureSource,
    Rectangle, Refusal, SheetId,
};
use sheetscan::review::events::Events;
use sheetscan::review::http::{Limits, Server, ServerOptions};

use super::faults;

/// What stands in an input for the port of the server and for its token.
const PLACEHOLDERS: [&str; 2] = ["{port}", "{token}"];

/// How long the client waits for a reply before it says that it sends no more: most come sooner, and
/// those of a request that is not whole never.
const PATIENCE: Duration = Duration::from_millis(2);

/// How long it then waits for the end of the connection. A stream of events may have none, as the
/// client can still read.
const END_PATIENCE: Duration = Duration::from_millis(20);

/// How long the server may take for a reply to another client.
const MAX_REPLY_TIME: Duration = Duration::from_secs(10);

/// Silence after which the server looks whether the client of a stream is still there.
const SILENCE: Duration = Duration::from_millis(50);

/// A review that knows no game and no sheet, and takes every answer and picture.
struct Nothing {
    events: Events,
}

/// A server, and what stands for each of the placeholders.
struct Review {
    server: Server,
    values: [String; 2],
}

static REVIEW: LazyLock<Review> = LazyLock::new(|| {
    let events = Events::new("5f1c".to_owned());
    let options = ServerOptions {
        port: Some(0),
        limits: Limits {
            silence: SILENCE,
            ..Limits::default()
        },
        ..ServerOptions::default()
    };
    let server = Server::start(options, Arc::new(Nothing { events })).expect("a server");
    let address = server.secret_address();
    let (_, token) = address.split_once('#').expect("an address with a token");
    Review {
        values: [server.port().to_string(), token.to_owned()],
        server,
    }
});

/// Bytes of a client.
pub fn review_request(bytes: &[u8]) {
    faults::watch();
    let mut connection = connect(PATIENCE);
    // That the server has closed the connection meanwhile is no fault, nor that no reply comes.
    let _ = connection.write_all(&fill_in(bytes));
    let _ = connection.read(&mut [0]);
    let _ = connection.shutdown(Shutdown::Write);
    set_timeout(&connection, END_PATIENCE);
    if connection.read_to_end(&mut Vec::new()).is_err() {
        drop(connection);
        check_another_client();
    }
    faults::check();
}

/// Panics where the server does not answer.
fn check_another_client() {
    let mut connection = connect(MAX_REPLY_TIME);
    let request = fill_in(b"GET / HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n");
    connection.write_all(&request).expect("the request is sent");
    connection.read_exact(&mut [0]).expect("a reply");
}

fn connect(timeout: Duration) -> TcpStream {
    let address = (Ipv4Addr::LOCALHOST, REVIEW.server.port());
    let connection = TcpStream::connect(address).expect("a connection");
    set_timeout(&connection, timeout);
    connection
}

fn set_timeout(connection: &TcpStream, time: Duration) {
    connection.set_read_timeout(Some(time)).expect("a timeout");
}

/// The bytes with what the placeholders stand for.
fn fill_in(bytes: &[u8]) -> Vec<u8> {
    let mut filled = Vec::new();
    let mut rest = bytes;
    while let Some((&byte, behind)) = rest.split_first() {
        let mut known = PLACEHOLDERS.iter().zip(&REVIEW.values);
        match known.find(|(name, _)| rest.starts_with(name.as_bytes())) {
            Some((name, value)) => {
                filled.extend_from_slice(value.as_bytes());
                rest = &rest[name.len()..];
            }
            None => {
                filled.push(byte);
                rest = behind;
            }
        }
    }
    filled
}

fn unknown() -> Refusal {
    Refusal::new(404, "there is no such game", "load the page anew")
}

impl Backend for Nothing {
    fn run(&self) -> Value {
        json!({ "epoch": self.events.epoch() })
    }

    fn games(&self) -> Value {
        json!({ "number": self.events.number(), "games": [] })
    }

    fn game(&self, _: &GameId) -> Result<Value, Refusal> {
        Err(unknown())
    }

    fn candidates(&self, _: &GameId, place: &str) -> Result<Value, Refusal> {
        Ok(json!({ "place": place }))
    }

    fn answer(&self, _: &GameId, body: AnswersBody) -> Result<Value, Refusal> {
        Ok(json!({ "answers": body.answers }))
    }

    fn event(&self) -> Result<Value, Refusal> {
        Err(unknown())
    }

    fn assign(&self, _: &GameId, body: AssignBody) -> Result<Value, Refusal> {
        Ok(json!({ "key": body.key }))
    }

    fn join(&self, _: &GameId, body: JoinBody) -> Result<Value, Refusal> {
        Ok(json!({ "key": body.key }))
    }

    fn part(&self, _: &GameId, body: PartBody) -> Result<Value, Refusal> {
        Ok(json!({ "key": body.key }))
    }

    fn undo(&self) -> Result<Value, Refusal> {
        Err(unknown())
    }

    fn redo(&self) -> Result<Value, Refusal> {
        Ok(Value::Null)
    }

    fn page(&self, _: &SheetId, longest_side: u32) -> Result<Picture, Refusal> {
        Ok(picture(longest_side))
    }

    fn cell(&self, _: &SheetId, row: u32, _: CellSide) -> Result<Picture, Refusal> {
        Ok(picture(row))
    }

    fn strips(&self, _: &SheetId) -> Result<Picture, Refusal> {
        Err(unknown())
    }

    fn region(&self, _: &SheetId, rectangle: Rectangle) -> Result<Picture, Refusal> {
        Ok(picture(rectangle.width))
    }

    fn export(&self) -> Result<Value, Refusal> {
        Ok(Value::Null)
    }

    fn add_picture(&self, _: PictureSource, name: &str, bytes: Vec<u8>) -> Result<Value, Refusal> {
        Ok(json!({ "name": name, "bytes": bytes.len() }))
    }

    fn events(&self) -> &Events {
        &self.events
    }
}

/// What stands for a picture.
fn picture(size: u32) -> Picture {
    Picture {
        jpeg: size.to_string().into_bytes(),
        etag: size.to_string(),
    }
}
