//! What the page is shown, as JSON. `docs/guide/review.md` describes the forms.

use serde_json::{Value, json};

use crate::batch::{Fix, FixContent};
use crate::decode::{Answer, Candidate};
use crate::geometry::Quad;
use crate::grid::CellId;
use crate::ink::CellState;
use crate::notation::{Language, localize_san, terminator};
use crate::pgn;
use crate::scan::{HeaderField, PlyPosition, ScannedGame, Sheet};
use crate::schema::Corners;

use super::answer_request::answer_value;
use super::matched_games::FieldTexts;
use super::place::Place;
use super::quarter_turns::QuarterTurns;

/// What is read in a field of the header is proposed from this confidence on; less of it costs more
/// to read than to type.
const MIN_PROPOSAL_CONFIDENCE: f32 = 0.15;

/// In which state a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GameState {
    /// There is no game on the sheets.
    Unread,
    /// The game breaks off.
    Cut,
    /// Some moves are in doubt.
    Doubtful,
    /// It is read to its end, and no move is in doubt.
    Ready,
    /// A person has said that all is right.
    Settled,
    /// A person has said so, but what is read is another game now.
    Stale,
}

impl GameState {
    /// The state of a game with the fixes of its sheets, of which some are refused.
    pub(super) fn new(game: &ScannedGame, fixes: &[Fix], refused: &[Fix]) -> Self {
        let settles = |fix: &&Fix| matches!(fix.content, FixContent::Answer(Answer::Game(_)));
        if refused.iter().any(|fix| settles(&fix)) {
            Self::Stale
        } else if fixes.iter().any(|fix| settles(&fix)) {
            Self::Settled
        } else if game.game.plies.is_empty() {
            Self::Unread
        } else if !game.game.complete {
            Self::Cut
        } else if game.asks() > 0 {
            Self::Doubtful
        } else {
            Self::Ready
        }
    }

    /// Its name on the page.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::Cut => "cut",
            Self::Doubtful => "doubtful",
            Self::Ready => "ready",
            Self::Settled => "settled",
            Self::Stale => "stale",
        }
    }

    /// Whether a person has to do nothing more.
    pub(super) fn is_settled(self) -> bool {
        self == Self::Settled
    }
}

/// A game as it is shown.
pub(super) struct GameView<'a> {
    pub id: &'a str,
    pub version: u64,
    pub is_final: bool,
    /// The game, or why there is none.
    pub game: Result<&'a ScannedGame, &'a str>,
    /// The names of its sheets.
    pub names: &'a [String],
    /// The ids of its sheets.
    pub sheet_ids: &'a [String],
    /// What a person has read on its sheets.
    pub fixes: &'a [Fix],
    /// Those fixes that no game can keep to.
    pub refused: &'a [Fix],
    /// Whether the sheets record the game of some other sheet too, as it seems.
    pub begins_like: Option<&'a str>,
    /// What the event has its PGN say, if there is one.
    pub event_fields: Option<&'a FieldTexts>,
}

impl GameView<'_> {
    /// Its state.
    pub(super) fn state(&self) -> GameState {
        match self.game {
            Ok(game) => GameState::new(game, self.fixes, self.refused),
            Err(_) => GameState::Unread,
        }
    }

    /// The line of the game in the list.
    pub(super) fn row(&self) -> Value {
        let field = |field| self.field_value(field);
        let state = self.state();
        let (doubts, moves, cut_at, result) = match self.game {
            Ok(game) => {
                let plies = game.game.plies.len();
                let is_cut = !game.game.complete && plies > 0;
                let result = match field(HeaderField::Result) {
                    known if known.is_empty() => terminator(game.game.outcome).to_owned(),
                    known => known,
                };
                (game.asks(), plies, is_cut.then(|| number_of(plies)), result)
            }
            Err(_) => (0, 0, None, "*".to_owned()),
        };
        let reason = match self.game {
            Err(reason) => Some(reason.to_owned()),
            Ok(game) if game.game.plies.is_empty() => Some(no_moves_reason(game)),
            Ok(_) => self.begins_like.map(|other| {
                format!("begins like {other}: if both record one game, join them with --pair")
            }),
        };
        json!({
            "id": self.id, "version": self.version, "final": self.is_final,
            "state": state.name(), "doubts": doubts, "moves": moves, "cut_at": cut_at,
            "white": field(HeaderField::White), "black": field(HeaderField::Black),
            "round": field(HeaderField::Round), "board": field(HeaderField::Board),
            "result": result, "sheets": self.names, "reason": reason,
        })
    }

    /// The whole game.
    pub(super) fn whole(&self) -> Value {
        let answers = |fixes: &[Fix]| {
            let game = self.game.ok();
            let answers = fixes.iter().filter_map(|fix| answer_value(fix, game));
            answers.collect::<Vec<_>>()
        };
        let mut value = json!({
            "id": self.id, "version": self.version, "final": self.is_final, "row": self.row(),
            "answers": answers(self.fixes), "refused": answers(self.refused),
            "settled": self.state().is_settled(), "fields": self.fields(),
            "language": null, "letters": "", "complete": false, "break_off": null,
            "break_at": null, "result": "*", "sheets": [], "plies": [], "unread": [],
        });
        let Ok(scanned) = self.game else {
            return value;
        };
        let game = &scanned.game;
        let languages: Vec<Option<&'static Language>> = game
            .languages
            .iter()
            .map(|code| Language::of_sheet(code))
            .collect();
        let language = languages.first().copied().flatten();
        value["language"] = json!(game.languages.first());
        value["letters"] = json!(language.map(Language::piece_letters).unwrap_or_default());
        value["complete"] = json!(game.complete);
        value["break_off"] = json!(pgn::break_off_comment(scanned));
        value["break_at"] = json!(break_at(scanned));
        value["result"] = json!(terminator(game.outcome));
        value["sheets"] = (0..scanned.sheets.len())
            .map(|i| self.sheet(scanned, i))
            .collect();
        value["plies"] = (0..game.plies.len())
            .map(|at| ply_value(scanned, at, language))
            .collect();
        let unread = game.unread.iter();
        value["unread"] = unread
            .filter_map(|unread| {
                let reading = scanned.reading(unread.sheet, unread.cell)?;
                let place = Place::Cell(unread.sheet, unread.cell).to_string();
                let (read, reason) = (&reading.text, unread.reason);
                Some(json!({ "place": place, "read": read, "reason": reason }))
            })
            .collect();
        value
    }

    /// What is written into the PGN: what the event says, or else a person or the header.
    fn field_value(&self, field: HeaderField) -> String {
        let said = self
            .event_fields
            .and_then(|fields| find_text(fields, field));
        let own = || self.game.ok().and_then(|game| game.field(field));
        said.or_else(own).unwrap_or_default().to_owned()
    }

    fn fields(&self) -> Value {
        let game = self.game.as_ref().ok();
        let fields = HeaderField::ALL.into_iter().map(|field| {
            let answered = game.is_some_and(|game| find_text(&game.fields, field).is_some());
            let text = self.field_value(field);
            let is_result = field == HeaderField::Result && text.is_empty();
            let value = match game {
                Some(game) if is_result => terminator(game.game.outcome).to_owned(),
                _ => text,
            };
            let reading = game.and_then(|game| game.header_reading(field));
            let proposed = reading.filter(|(_, r)| r.confidence >= MIN_PROPOSAL_CONFIDENCE);
            let shown = json!({
                "value": value, "answered": answered,
                "proposal": proposed.map_or("", |(_, reading)| reading.text.as_str()),
                "confidence": proposed.map_or(0.0, |(_, reading)| reading.confidence),
                "sheet": reading.map(|(sheet, _)| sheet),
                "box": game.zip(reading).map(|(game, (sheet, reading))| {
                    shown_corners(&reading.quad, &game.sheets[sheet])
                }),
            });
            (field.name().to_owned(), shown)
        });
        Value::Object(fields.collect())
    }

    fn sheet(&self, scanned: &ScannedGame, i: usize) -> Value {
        let sheet = &scanned.sheets[i];
        let turns = QuarterTurns::of_sheet(sheet);
        let (width, height) = turns.size(sheet.width, sheet.height);
        let cells: Vec<Value> = sheet
            .cells
            .iter()
            .map(|reading| {
                let used = scanned
                    .game
                    .plies
                    .iter()
                    .any(|p| p.cells.contains(&(i, reading.id)));
                let mut unread = scanned.game.unread.iter();
                let unread = unread.find(|u| u.sheet == i && u.cell == reading.id);
                json!({
                    "move": reading.id.number, "side": reading.id.side,
                    "place": Place::Cell(i, reading.id).to_string(), "state": reading.state,
                    "read": reading.text, "read_confidence": reading.confidence,
                    "box": shown_corners(&reading.quad, sheet),
                    "use": match (used, unread) {
                        (true, _) => Some("move"),
                        (false, Some(_)) => Some("unread"),
                        (false, None) => None,
                    },
                    "reason": unread.map(|unread| unread.reason),
                })
            })
            .collect();
        json!({
            "id": self.sheet_ids.get(i), "name": self.names.get(i), "page": sheet.page,
            "width": width, "height": height, "language": scanned.game.languages.get(i),
            "cells": cells,
        })
    }
}

/// Corners in the page as it is shown, in pixels rounded to tenths.
fn shown_corners(quad: &Quad, sheet: &Sheet) -> Corners {
    let turns = QuarterTurns::of_sheet(sheet);
    quad.map(|point| turns.point(point, sheet))
        .map(|p| [p.x, p.y].map(|v| (v * 10.0).round() / 10.0))
}

fn find_text(fields: &FieldTexts, field: HeaderField) -> Option<&str> {
    let own = fields.iter().find(|(known, _)| *known == field);
    own.map(|(_, text)| text.as_str())
}

fn ply_value(scanned: &ScannedGame, at: usize, language: Option<&'static Language>) -> Value {
    let ply = &scanned.game.plies[at];
    let spell = |san: &str| language.map_or_else(|| san.to_owned(), |l| localize_san(san, l));
    let cells = ply.cells.iter().filter_map(|&(sheet, cell)| {
        let reading = scanned.reading(sheet, cell)?;
        Some(json!({
            "sheet": sheet, "place": Place::Cell(sheet, cell).to_string(),
            "move": cell.number, "side": cell.side, "read": reading.text,
        }))
    });
    let others = ply.alternatives.iter();
    let others = others.map(
        |(san, confidence)| json!({ "san": san, "spelling": spell(san), "confidence": confidence }),
    );
    json!({
        "ply": at + 1, "san": ply.san, "uci": ply.uci, "spelling": spell(&ply.san),
        "confidence": ply.confidence, "review": ply.review, "why": scanned.review_reason(ply),
        "settled": ply.settled, "seen": ply.seen,
        "place": Place::of_ply(&scanned.game, at).to_string(),
        "cells": cells.collect::<Vec<_>>(), "alternatives": others.collect::<Vec<_>>(),
    })
}

/// The place at which a game breaks off: the next ply, the cell in which it should stand, and the
/// cells of all sheets that go on there.
fn break_at(scanned: &ScannedGame) -> Option<Value> {
    let first = scanned.break_off()?;
    let place = |(sheet, cell): (usize, CellId)| {
        let used = scanned.game.plies.iter().flat_map(|ply| &ply.cells);
        let last = used.filter(|at| at.0 == sheet).map(|at| at.1).max();
        // The first cell behind the last move may be blank; the writing that goes on is below it.
        let next = last.and_then(|last| next_cell(&scanned.sheets[sheet], last));
        Place::Cell(sheet, next.unwrap_or(cell)).to_string()
    };
    let places = scanned.unfollowed_by_sheet().into_iter().map(place);
    Some(json!({
        "ply": scanned.game.plies.len() + 1,
        "place": place(first),
        "places": places.collect::<Vec<_>>(),
    }))
}

fn next_cell(sheet: &Sheet, cell: CellId) -> Option<CellId> {
    let mut behind = sheet.cells.iter().filter(|reading| reading.id > cell);
    behind
        .find(|reading| reading.state != CellState::Blank)
        .map(|reading| reading.id)
}

/// The legal moves of a place, best first.
pub(super) fn candidates_value(
    place: Place,
    ply: usize,
    scanned: &ScannedGame,
    before: &PlyPosition,
    candidates: &[Candidate],
) -> Value {
    let code = scanned.game.languages.first();
    let language = code.and_then(|code| Language::of_sheet(code));
    let spell = |san: &str| language.map_or_else(|| san.to_owned(), |l| localize_san(san, l));
    let current = scanned.game.plies.get(ply);
    let fen = shakmaty::fen::Fen::from_position(&before.position, shakmaty::EnPassantMode::Legal);
    let moves: Vec<Value> = candidates
        .iter()
        .map(|c| {
            // JSON has no infinity.
            let fit = c.fit.is_finite().then_some(c.fit);
            json!({
                "san": c.san, "uci": c.uci, "spelling": spell(&c.san), "share": c.share,
                "fit": fit,
            })
        })
        .collect();
    json!({
        "place": place.to_string(), "ply": ply + 1, "fen": fen.to_string(),
        "san": current.map(|ply| &ply.san),
        "why": current.and_then(|ply| scanned.review_reason(ply)),
        "candidates": moves,
    })
}

/// The moves that differ between two games, each with its ply from 1.
pub(super) fn changed_plies(old: Option<&ScannedGame>, new: Option<&ScannedGame>) -> Vec<Value> {
    let san = |game: Option<&ScannedGame>, at: usize| {
        let ply = game?.game.plies.get(at)?;
        Some(ply.san.clone())
    };
    let count = |game: Option<&ScannedGame>| game.map_or(0, |game| game.game.plies.len());
    let plies = 0..count(old).max(count(new));
    plies
        .filter_map(|at| {
            let (old, new) = (san(old, at), san(new, at));
            (old != new).then(|| json!({ "ply": at + 1, "old": old, "new": new }))
        })
        .collect()
}

/// The move number at which a game of so many plies goes on, as `22` or `22...`.
fn number_of(plies: usize) -> String {
    let dots = if plies.is_multiple_of(2) { "" } else { "..." };
    format!("{}{dots}", plies / 2 + 1)
}

/// Why a game has no moves.
fn no_moves_reason(game: &ScannedGame) -> String {
    match game.missing_page_before() {
        Some(number) => format!("begins at move {number}, and the page before it is missing"),
        None => "nothing on the sheet can be followed from move 1 on".to_owned(),
    }
}
