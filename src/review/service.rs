//! What the server asks of a review.

use std::sync::MutexGuard;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::batch::{SheetId as PageId, format_cell};
use crate::geometry::Quad;
use crate::grid::{CellId, Side};
use crate::notation::LANGUAGES;
use crate::scan::{PlyPosition, Sheet};

use super::answer_request::AnswerRequest;
use super::backend::{
    AnswersBody, AssignBody, Backend, CellSide, GameId, JoinBody, PartBody, Picture, PictureSource,
    Rectangle, Refusal, SheetId,
};
use super::events::Events;
use super::pictures::PictureError;
use super::place::Place;
use super::run::Review;
use super::state::{Exported, Phase, State};
use super::views::candidates_value;

impl Backend for Review {
    fn run(&self) -> Value {
        let state = self.state();
        let views = (0..state.sessions.len())
            .filter_map(|at| state.with_view(at, |view| view.state().is_settled()));
        let settled = views.filter(|settled| *settled).count();
        let languages = LANGUAGES.iter();
        let languages = languages.map(|l| json!({ "code": l.code, "letters": l.piece_letters() }));
        let groups = state.batch.as_ref().map_or(0, |batch| batch.groups.len());
        json!({
            "epoch": self.events.epoch(), "version": self.options.version,
            "name": self.options.name, "phase": state.phase.name(),
            "files": { "total": state.files.0, "done": state.files.1 },
            "games": { "total": groups, "done": state.sessions.len() },
            "open": state.sessions.len() - settled, "settled": settled,
            "languages": languages.collect::<Vec<_>>(),
            "outputs": {
                "pgn": self.options.output, "fixes": state.file.path().display().to_string(),
            },
            "exported": state.exported.map(|exported| {
                json!({ "at": exported.at, "changes_since": exported.changes_since })
            }),
            "can_undo": !state.undo.is_empty(), "can_redo": !state.redo.is_empty(),
            "event": self.event_summary(&state), "listen": self.options.takes_phones,
            "inbox": self.options.inbox.as_ref().map(|inbox| inbox.display().to_string()),
        })
    }

    fn games(&self) -> Value {
        let state = self.state();
        let rows = 0..state.sessions.len();
        let rows = rows.filter_map(|at| state.with_view(at, |view| view.row()));
        let faults = state.faults.iter();
        let faults = faults.map(|f| json!({ "path": f.name, "page": null, "reason": f.reason }));
        json!({
            "epoch": self.events.epoch(), "number": self.events.number(),
            "games": rows.collect::<Vec<_>>(), "faults": faults.collect::<Vec<_>>(),
        })
    }

    fn game(&self, game: &GameId) -> Result<Value, Refusal> {
        self.find_game(game)?;
        self.answers_from_outside()?;
        let state = self.state();
        let at = find_game(&state, game)?;
        Ok(self.whole_in(state, at))
    }

    fn candidates(&self, game: &GameId, place: &str) -> Result<Value, Refusal> {
        let state = self.state();
        let at = find_game(&state, game)?;
        let place: Place = place.parse().map_err(|_| no_such_place(place))?;
        let shown = state.game(at).ok_or_else(no_game)?;
        let record = self.record(state, at).map_err(internal)?;
        let ply = place.ply(&shown.game);
        let cells = match (shown.game.plies.get(ply), place) {
            (_, Place::Cell(sheet, cell)) if shown.reading(sheet, cell).is_none() => {
                return Err(no_such_place(&place.to_string()));
            }
            (Some(known), Place::Cell(sheet, cell)) if known.cells.contains(&(sheet, cell)) => {
                known.cells.clone()
            }
            (_, Place::Cell(sheet, cell)) => vec![(sheet, cell)],
            (_, Place::Ply(_)) => Vec::new(),
        };
        let before = PlyPosition::after(&shown.game, ply);
        let decoder = self.options.scanner.decoder();
        let languages = &shown.game.languages;
        let candidates = record.candidates(decoder, &before, languages, &cells);
        Ok(candidates_value(place, ply, &shown, &before, &candidates))
    }

    fn answer(&self, game: &GameId, body: AnswersBody) -> Result<Value, Refusal> {
        let (at, _answering) = self.begin_answering(game)?;
        let answers = body.answers.into_iter().map(serde_json::from_value);
        let answers: Result<Vec<AnswerRequest>, _> = answers.collect();
        let answers = answers.map_err(|error| {
            Refusal::new(400, format!("not an answer: {error}"), "reload the page")
        })?;
        self.take_answers(at, &answers, body.base, None)
    }

    fn event(&self) -> Result<Value, Refusal> {
        self.event_value()
    }

    fn assign(&self, game: &GameId, body: AssignBody) -> Result<Value, Refusal> {
        self.assign_game(game, &body)
    }

    fn join(&self, game: &GameId, body: JoinBody) -> Result<Value, Refusal> {
        self.join_games(game, &body)
    }

    fn part(&self, game: &GameId, body: PartBody) -> Result<Value, Refusal> {
        self.part_sheet(game, &body)
    }

    fn undo(&self) -> Result<Value, Refusal> {
        self.take_step(true)
    }

    fn redo(&self) -> Result<Value, Refusal> {
        self.take_step(false)
    }

    fn page(&self, sheet: &SheetId, longest_side: u32) -> Result<Picture, Refusal> {
        let (id, sheet) = self.find_sheet(sheet)?;
        let jpeg = self.pictures.page(&id, &sheet, longest_side);
        picture(jpeg, &id, &format!("page-{longest_side}"))
    }

    fn cell(&self, sheet: &SheetId, row: u32, side: CellSide) -> Result<Picture, Refusal> {
        let (id, sheet) = self.find_sheet(sheet)?;
        let side = match side {
            CellSide::White => Side::White,
            CellSide::Black => Side::Black,
        };
        let cell = CellId { number: row, side };
        let mut cells = sheet.cells.iter();
        let quad: Option<Quad> = cells.find(|reading| reading.id == cell).map(|r| r.quad);
        let quad = quad.ok_or_else(|| no_such_place(&format_cell(cell)))?;
        let jpeg = self.pictures.close_up(&id, &quad);
        picture(jpeg, &id, &format_cell(cell))
    }

    fn strips(&self, sheet: &SheetId) -> Result<Picture, Refusal> {
        let (id, sheet) = self.find_sheet(sheet)?;
        let jpeg = self.pictures.strips(&id, &sheet);
        picture(jpeg, &id, "strips")
    }

    fn region(&self, sheet: &SheetId, rectangle: Rectangle) -> Result<Picture, Refusal> {
        let (id, sheet) = self.find_sheet(sheet)?;
        let Rectangle {
            x,
            y,
            width,
            height,
        } = rectangle;
        let jpeg = self.pictures.region(&id, &sheet, (x, y, width, height));
        picture(jpeg, &id, &format!("{x}-{y}-{width}-{height}"))
    }

    fn export(&self) -> Result<Value, Refusal> {
        if self.state().phase != Phase::Ready {
            return Err(Refusal::while_reading("export again"));
        }
        self.answers_from_outside()?;
        // A scan with the answers takes the file, be it empty.
        let kept = self.state().file.write_if_missing();
        kept.map_err(|error| internal(error.to_string()))?;
        let (games, pages) = self.final_games()?;
        let exported = (self.options.export)(games, pages).map_err(internal)?;
        let at = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut state = self.state();
        state.exported = Some(Exported {
            at: at.map_or(0, |since| since.as_secs()),
            changes_since: 0,
        });
        drop(state);
        let files = exported.files.iter();
        let files = files.map(|(path, what)| json!({ "path": path, "what": what }));
        let open = self.run()["open"].clone();
        let reply = json!({
            "files": files.collect::<Vec<_>>(), "games": exported.games, "moves": exported.moves,
            "open": open, "status": exported.status,
        });
        self.events.publish("export", &reply);
        Ok(reply)
    }

    fn add_picture(
        &self,
        _source: PictureSource,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<Value, Refusal> {
        let name = self.take_picture(name, &bytes)?;
        Ok(json!({ "name": name }))
    }

    fn events(&self) -> &Events {
        &self.events
    }
}

impl Review {
    /// Index of a game.
    pub(super) fn find_game(&self, game: &GameId) -> Result<usize, Refusal> {
        find_game(&self.state(), game)
    }

    /// Index of a game that is about to be answered, with the answers that are in the file by now,
    /// and what keeps other answers waiting.
    pub(super) fn begin_answering(
        &self,
        game: &GameId,
    ) -> Result<(usize, MutexGuard<'_, ()>), Refusal> {
        let answering = self.hold_answers();
        let at = self.find_game(game)?;
        self.answers_from_outside()?;
        Ok((at, answering))
    }

    /// A sheet with its page.
    fn find_sheet(&self, sheet: &SheetId) -> Result<(PageId, Sheet), Refusal> {
        let state = self.state();
        let missing = || Refusal::new(404, "no such sheet", "reload the page");
        let &(at, i) = state.sheets.get(sheet.as_str()).ok_or_else(missing)?;
        let game = state.game(at).ok_or_else(missing)?;
        let sheet = game.sheets.get(i).ok_or_else(missing)?;
        Ok((PageId::new(sheet), sheet.clone()))
    }

    /// A game as the page shows it.
    pub(super) fn whole(&self, at: usize) -> Value {
        self.whole_in(self.state(), at)
    }

    fn whole_in(&self, state: MutexGuard<State>, at: usize) -> Value {
        let whole = state.with_view(at, |view| view.whole());
        let mut whole = whole.unwrap_or(Value::Null);
        if whole.is_object() {
            whole["begins_like"] = json!(state.begins_like(at));
        }
        if let (Some(matched), true) = (state.matched.clone(), whole.is_object()) {
            let id = state.sessions[at].id().to_owned();
            drop(state);
            whole["pairing"] = matched.pairing_value(&id);
        }
        whole
    }

    /// Takes over what somebody has changed in the file of answers.
    pub(super) fn answers_from_outside(&self) -> Result<(), Refusal> {
        self.reload_answers().map_err(|error| {
            Refusal::new(
                409,
                error,
                "mend the file of answers, or take the change back",
            )
        })
    }
}

fn find_game(state: &State, game: &GameId) -> Result<usize, Refusal> {
    let mut sessions = state.sessions.iter();
    let at = sessions.position(|session| session.id() == game.as_str());
    at.ok_or_else(|| Refusal::new(404, "no such game", "reload the page"))
}

fn picture(
    jpeg: Result<Vec<u8>, PictureError>,
    id: &PageId,
    part: &str,
) -> Result<Picture, Refusal> {
    match jpeg {
        Ok(jpeg) => Ok(Picture {
            jpeg,
            etag: format!("{}-{}-{part}", id.sha256, id.page),
        }),
        Err(error) => {
            let status = match error {
                PictureError::Missing => 404,
                PictureError::Page(_) | PictureError::Changed => 409,
                PictureError::Fault(_) => 500,
            };
            let name = id.path.display();
            Err(Refusal::new(
                status,
                format!("{name}: {error}"),
                "look at the file",
            ))
        }
    }
}

fn no_such_place(place: &str) -> Refusal {
    Refusal::new(
        404,
        format!("{place} is no place of this game"),
        "reload the page",
    )
}

pub(super) fn no_game() -> Refusal {
    Refusal::new(
        409,
        "there is no game on this sheet",
        "look at the reason beside its name",
    )
}

pub(super) fn internal(error: String) -> Refusal {
    Refusal::new(500, error, "look at the terminal, and please report it")
}
