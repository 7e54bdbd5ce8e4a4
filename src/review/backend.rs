//! What the server of `sheetscan review` asks of the state behind it. The server knows requests and
//! replies and nothing of chess; a [`Backend`] knows games and sheets and nothing of HTTP.
//!
//! ```
//! use sheetscan::review::backend::Refusal;
//!
//! let refusal = Refusal::new(422, "Nb9 is no move", "type another").with("nearest", "Nb5".into());
//! assert_eq!(refusal.to_json()["nearest"], "Nb5");
//! ```

use serde::Deserialize;
use serde_json::{Map, Value};

use super::events::Events;

/// Hexadecimal digits of an id: the first six bytes of a SHA-256.
pub(super) const ID_DIGITS: usize = 12;

/// Names a game in addresses: 12 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameId(String);

impl GameId {
    /// Takes an id as it stands in an address, or `None` where it has another form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_id(text).then(|| Self(text.to_owned()))
    }

    /// The 12 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Names a sheet in addresses: 12 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SheetId(String);

impl SheetId {
    /// Takes an id as it stands in an address, or `None` where it has another form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_id(text).then(|| Self(text.to_owned()))
    }

    /// The 12 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_id(text: &str) -> bool {
    text.len() == ID_DIGITS && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// The column of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellSide {
    /// White's column.
    White,
    /// Black's column.
    Black,
}

/// An upright rectangle of the upright page, in its pixels. Nothing says that it lies on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rectangle {
    /// Left edge.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Width, at least 1.
    pub width: u32,
    /// Height, at least 1.
    pub height: u32,
}

/// Answers to one game, as the page sends them. They are one step of the undo.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AnswersBody {
    /// Random text; a request that comes again under the same key is not done again.
    pub key: String,
    /// The version of the game that the person saw.
    pub base: u64,
    /// The answers, whose form the backend knows.
    pub answers: Vec<Value>,
}

/// The place of a game in the event, as the page sends it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignBody {
    /// As in [`AnswersBody`].
    pub key: String,
    /// The round.
    pub round: Option<u32>,
    /// The board, as `GET /api/event` numbers it.
    pub board: Option<u32>,
    /// Whether the sheet has the colours the other way round.
    #[serde(default)]
    pub exchanged: bool,
    /// Whether it is only taken back what a person has said of its place.
    #[serde(default)]
    pub clear: bool,
}

/// Another game whose sheets record the same one, as the page sends it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JoinBody {
    /// As in [`AnswersBody`].
    pub key: String,
    /// The id of the other game.
    pub other: String,
}

/// A sheet that records a game of its own, as the page sends it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartBody {
    /// As in [`AnswersBody`].
    pub key: String,
    /// The id of the sheet.
    pub sheet: String,
}

/// A picture to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// A whole JPEG file.
    pub jpeg: Vec<u8>,
    /// Changes with the content: letters, digits and `-` only, without quotes.
    pub etag: String,
}

/// Who brings a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureSource {
    /// A file that was dropped on the page. Its name is the file's, without folders.
    Page,
    /// A phone, through the second socket. The name is the SHA-256 of the content with `.jpg`,
    /// whatever the format; such pictures belong into the inbox.
    Phone,
}

/// Why a request is not done. The page shows both texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The HTTP status, from 400 to 599.
    pub status: u16,
    /// What is wrong.
    pub error: String,
    /// What to do.
    pub hint: String,
    /// Further fields of the reply, as the game of a conflict.
    pub extra: Map<String, Value>,
}

impl Refusal {
    /// Makes a refusal without further fields.
    #[must_use]
    pub fn new(status: u16, error: impl Into<String>, hint: impl Into<String>) -> Self {
        let (error, hint) = (error.into(), hint.into());
        Self {
            status,
            error,
            hint,
            extra: Map::new(),
        }
    }

    /// The refusal of what cannot be done while sheets are read. `then` says what to do
    /// afterwards.
    pub(super) fn while_reading(then: &str) -> Self {
        let hint = format!("wait until the progress bar is full, then {then}");
        Self::new(409, "sheets are still being read", hint)
    }

    /// Adds a field to the reply.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.extra.insert(name.to_owned(), value);
        self
    }

    /// The body of the reply.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut fields = self.extra.clone();
        fields.insert("error".to_owned(), self.error.clone().into());
        fields.insert("hint".to_owned(), self.hint.clone().into());
        Value::Object(fields)
    }
}

/// The state of a review. All calls may block; they come from several threads at once. `answer`,
/// `assign`, `undo` and `redo` come one at a time, in the order in which the requests came in.
pub trait Backend: Send + Sync + 'static {
    /// The whole run, for `GET /api/run`.
    fn run(&self) -> Value;

    /// All rows, for `GET /api/games`.
    fn games(&self) -> Value;

    /// One game.
    ///
    /// # Errors
    /// 404 if there is no such game.
    fn game(&self, game: &GameId) -> Result<Value, Refusal>;

    /// The legal moves at a place of a game. `place` has the characters of a place and no others;
    /// whether it is one is not known yet.
    ///
    /// # Errors
    /// 404 if there is no such game or place.
    fn candidates(&self, game: &GameId, place: &str) -> Result<Value, Refusal>;

    /// Takes answers. They are on the disk when this returns.
    ///
    /// # Errors
    /// 404, 409 where another answer to the same place came first, 422 where a move is not legal.
    fn answer(&self, game: &GameId, body: AnswersBody) -> Result<Value, Refusal>;

    /// The rounds and boards of the event, the games without a place there, and what the checks
    /// found, for `GET /api/event`.
    ///
    /// # Errors
    /// 404 if the run has no event.
    fn event(&self) -> Result<Value, Refusal>;

    /// Gives a game its place in the event. It is on the disk when this returns.
    ///
    /// # Errors
    /// 404 if there is no such game or board, 409 if the run has no event, 422 where nobody plays.
    fn assign(&self, game: &GameId, body: AssignBody) -> Result<Value, Refusal>;

    /// Joins the sheets of two games, which record the same one.
    ///
    /// # Errors
    /// 404 if there is no such game, 409 while sheets are read, and where the run keeps each sheet
    /// by itself.
    fn join(&self, game: &GameId, body: JoinBody) -> Result<Value, Refusal>;

    /// Takes a sheet out of its game.
    ///
    /// # Errors
    /// As [`Self::join`], and 422 where the game has no other sheet.
    fn part(&self, game: &GameId, body: PartBody) -> Result<Value, Refusal>;

    /// Takes the last step back.
    ///
    /// # Errors
    /// 409 if there is none.
    fn undo(&self) -> Result<Value, Refusal>;

    /// Does the step again that was taken back last.
    ///
    /// # Errors
    /// 409 if there is none.
    fn redo(&self) -> Result<Value, Refusal>;

    /// The upright page, its longer side at most `longest_side` pixels: 800, 1600 or 3200.
    ///
    /// # Errors
    /// 404 if there is no such sheet.
    fn page(&self, sheet: &SheetId, longest_side: u32) -> Result<Picture, Refusal>;

    /// The close-up of a cell. `row` is its number on the sheet.
    ///
    /// # Errors
    /// 404 if there is no such sheet or cell.
    fn cell(&self, sheet: &SheetId, row: u32, side: CellSide) -> Result<Picture, Refusal>;

    /// All cells of a sheet in one picture.
    ///
    /// # Errors
    /// 404 if there is no such sheet.
    fn strips(&self, sheet: &SheetId) -> Result<Picture, Refusal>;

    /// A part of the upright page.
    ///
    /// # Errors
    /// 404 if there is no such sheet, 422 if the rectangle misses the page.
    fn region(&self, sheet: &SheetId, rectangle: Rectangle) -> Result<Picture, Refusal>;

    /// Writes what the review gives out.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn export(&self) -> Result<Value, Refusal>;

    /// Takes a picture of at most 40 MiB. Nothing is known of its content. `name` has no folders,
    /// no control characters and at most 200 characters; it is for showing, and may be that of a
    /// file that exists or cannot exist.
    ///
    /// # Errors
    /// 403 if the run takes none, 422 if it is no picture that can be read.
    fn add_picture(
        &self,
        source: PictureSource,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<Value, Refusal>;

    /// Where the review tells what happens.
    fn events(&self) -> &Events;
}
