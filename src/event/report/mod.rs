//! The report for people: one page in HTML that needs no network, with the coverage by round, what the checks found,
//! and every doubtful move with its cells, the board before it and the candidates.
//!
//! It is written game by game, so that the pictures of many sheets are not in memory at once. The templates escape all
//! that comes from files.

mod board;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use super::checks::Finding;
use super::coverage::{self, Status};
use super::games::Written;
use super::ledger::Ledger;
use super::read_back::numbered;
use super::record::{CellFacts, PlyFacts, Record, SheetFacts};
use crate::crops::Crop;
use crate::grid::Side;
use crate::pgn::terminator;

/// Where pictures of cells come from: for cells of one sheet a picture each, or why there are none.
pub type Crops<'a> = dyn Fn(&SheetFacts, &[&CellFacts]) -> Result<Vec<Crop>, String> + 'a;

/// Digits of a picture's hash that name it in a file of fixes.
const DIGITS: usize = 16;

#[derive(Serialize)]
struct Head {
    title: String,
    place: String,
    dark: String,
    pieces: &'static str,
    games: usize,
    doubts: usize,
    rounds: Vec<Round>,
    findings: Vec<Found>,
}

#[derive(Serialize, Default)]
struct Round {
    number: u32,
    ok: usize,
    review: usize,
    missing: usize,
    not_expected: usize,
    boards: bool,
    pairings: Vec<Paired>,
}

#[derive(Serialize)]
struct Paired {
    number: String,
    white: String,
    black: String,
    result: &'static str,
    status: &'static str,
    class: &'static str,
}

#[derive(Serialize)]
struct Found {
    level: String,
    code: String,
    place: String,
    text: String,
}

#[derive(Serialize)]
struct Game {
    title: String,
    sheets: String,
    notes: Vec<String>,
    moves: Vec<Doubt>,
}

/// A doubtful move.
#[derive(Serialize)]
struct Doubt {
    label: String,
    ply: usize,
    san: String,
    confidence: String,
    board: Vec<board::Piece>,
    pieces: String,
    crops: Vec<Shown>,
    candidates: Vec<Candidate>,
    /// The picture by which an answer names it.
    fix: Option<String>,
}

#[derive(Serialize)]
struct Shown {
    jpeg: Option<String>,
    width: u32,
    height: u32,
    alt: String,
    caption: String,
}

#[derive(Serialize)]
struct Candidate {
    san: String,
    percent: String,
}

/// Writes the page, in pieces, to `out`.
///
/// # Errors
/// Those of `out`.
pub fn write(
    ledger: &Ledger,
    findings: &[Finding],
    written: &[Written],
    crops: &Crops,
    out: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let mut templates = Environment::new();
    for (name, text) in [
        ("head.html", include_str!("head.html")),
        ("game.html", include_str!("game.html")),
    ] {
        templates
            .add_template(name, text)
            .map_err(io::Error::other)?;
    }
    let mut put = |name: &str, values: Value| {
        let template = templates.get_template(name);
        let text = template.and_then(|template| template.render(values));
        out(&text.map_err(io::Error::other)?)
    };
    put(
        "head.html",
        Value::from(Serde(head(ledger, findings, written))),
    )?;
    for game in written {
        let game = game_of(ledger, game, crops);
        if !game.moves.is_empty() || !game.notes.is_empty() {
            put("game.html", Value::from(Serde(game)))?;
        }
    }
    out("</main>\n</body>\n</html>\n")
}

fn head(ledger: &Ledger, findings: &[Finding], written: &[Written]) -> Head {
    let event = &ledger.event;
    let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
    for (i, status) in coverage::statuses(ledger, findings) {
        let p = &event.pairings[i];
        let round = rounds.entry(p.round).or_default();
        round.number = p.round;
        let (count, class) = match status {
            Status::Ok => (&mut round.ok, "ok"),
            Status::Review => (&mut round.review, "review"),
            Status::Missing => (&mut round.missing, "missing"),
            Status::NotExpected => (&mut round.not_expected, "none"),
        };
        *count += 1;
        round.boards |= p.board.is_some();
        let counted = || (round.pairings.len() + 1).to_string();
        let paired = Paired {
            number: p.board.map_or_else(counted, |board| board.to_string()),
            white: event.players[p.white].name.clone(),
            black: event.players[p.black].name.clone(),
            result: terminator(p.outcome),
            status: status.name(),
            class,
        };
        round.pairings.push(paired);
    }
    let plies = written.iter().flat_map(|w| &ledger.records[w.record].plies);
    // What weighs most comes first.
    let mut weighed: Vec<&Finding> = findings.iter().collect();
    weighed.sort_by_key(|finding| Reverse(finding.code.level()));
    let found = |finding: &Finding| Found {
        level: finding.code.level().letter().to_string(),
        code: finding.code.to_string(),
        place: finding.place.clone(),
        text: finding.text.clone(),
    };
    Head {
        title: if event.name.is_empty() {
            "Games".to_owned()
        } else {
            event.name.clone()
        },
        place: format!("{} {}", event.city, event.federation)
            .trim()
            .to_owned(),
        dark: board::dark_squares(),
        pieces: board::PIECES,
        games: written.len(),
        doubts: plies.filter(|ply| ply.review).count(),
        rounds: rounds.into_values().collect(),
        findings: weighed.into_iter().map(found).collect(),
    }
}

fn game_of(ledger: &Ledger, game: &Written, crops: &Crops) -> Game {
    let record = &ledger.records[game.record];
    let title = match ledger.pairing_of(game.record) {
        Some((pairing, _)) => capitalised(&ledger.told(pairing)),
        None => format!("Without a pairing: {}", record.name()),
    };
    let doubtful = |ply: &&PlyFacts| ply.review;
    let mut cells: Vec<&CellFacts> = Vec::new();
    for ply in record.plies.iter().filter(doubtful) {
        cells.extend(&ply.cells);
    }
    let mut shown = shown(record, &cells, crops).into_iter();
    let mut position = Some(Chess::default());
    let mut moves = Vec::new();
    for (i, ply) in record.plies.iter().enumerate() {
        if ply.review {
            let crops = shown.by_ref().take(ply.cells.len()).collect();
            moves.push(doubt(record, i, ply, position.as_ref(), crops));
        }
        position = position.and_then(|position| after(position, &ply.san));
    }
    let cut = "The record could not be followed further";
    Game {
        title,
        sheets: record.name(),
        notes: match (&record.break_off, record.complete) {
            (Some(why), _) => vec![capitalised(why.trim_start_matches("sheetscan: "))],
            (None, false) => vec![cut.to_owned()],
            (None, true) => Vec::new(),
        },
        moves,
    }
}

fn after(position: Chess, san: &str) -> Option<Chess> {
    let san: SanPlus = san.parse().ok()?;
    let played = san.san.to_move(&position).ok()?;
    position.play(played).ok()
}

fn doubt(
    record: &Record,
    i: usize,
    ply: &PlyFacts,
    position: Option<&Chess>,
    crops: Vec<Shown>,
) -> Doubt {
    let board = position.map(Position::board);
    let others = ply.alternatives.iter().map(|c| (&c.san, c.confidence));
    let candidates = std::iter::once((&ply.san, ply.confidence)).chain(others);
    let first = ply.cells.first();
    let sheet = first.and_then(|cell| record.sheets.get(cell.sheet));
    let sheet = sheet.or(record.sheets.first());
    Doubt {
        label: numbered(i, &ply.san),
        ply: i + 1,
        san: ply.san.clone(),
        confidence: percent(ply.confidence),
        board: board.map_or_else(Vec::new, board::pieces),
        pieces: board.map_or_else(String::new, board::told),
        crops,
        candidates: candidates
            .map(|(san, confidence)| Candidate {
                san: san.clone(),
                percent: percent(confidence),
            })
            .collect(),
        fix: sheet.map(|sheet| {
            let digits: String = sheet.sha256.chars().take(DIGITS).collect();
            match sheet.page {
                1 => digits,
                page => format!("{digits}#{page}"),
            }
        }),
    }
}

/// Pictures of cells of a game, in their order; each sheet is opened once.
fn shown(record: &Record, cells: &[&CellFacts], crops: &Crops) -> Vec<Shown> {
    let mut shown: Vec<Option<Shown>> = cells.iter().map(|_| None).collect();
    for (n, sheet) in record.sheets.iter().enumerate() {
        let here: Vec<usize> = (0..cells.len()).filter(|&i| cells[i].sheet == n).collect();
        if here.is_empty() {
            continue;
        }
        let of_sheet: Vec<&CellFacts> = here.iter().map(|&i| cells[i]).collect();
        let pictures = crops(sheet, &of_sheet);
        for (k, &i) in here.iter().enumerate() {
            let crop = match &pictures {
                Ok(pictures) => pictures.get(k).ok_or("there is no picture of it"),
                Err(why) => Err(why.as_str()),
            };
            shown[i] = Some(one(sheet, cells[i], crop));
        }
    }
    let missing = |(i, shown): (usize, Option<Shown>)| {
        shown.unwrap_or_else(|| Shown {
            jpeg: None,
            width: 0,
            height: 0,
            alt: String::new(),
            caption: format!(
                "Reads \u{201c}{}\u{201d} on an unknown sheet",
                cells[i].read
            ),
        })
    };
    shown.into_iter().enumerate().map(missing).collect()
}

fn one(sheet: &SheetFacts, cell: &CellFacts, crop: Result<&Crop, &str>) -> Shown {
    let side = match cell.cell.side {
        Side::White => "White",
        Side::Black => "Black",
    };
    let name = Path::new(&sheet.path).file_name();
    let name = name.map_or(sheet.path.as_str().into(), |name| name.to_string_lossy());
    let place = format!("{name}, move {} of {side}", cell.cell.number);
    let sure = percent(cell.read_confidence);
    let read = match cell.read.as_str() {
        "" => "nothing can be read".to_owned(),
        read => format!("reads \u{201c}{read}\u{201d} ({sure})"),
    };
    let caption = match crop {
        Ok(_) => format!("{place}: {read}"),
        Err(why) => format!("{place}: {read}; {why}"),
    };
    let crop = crop.ok();
    Shown {
        jpeg: crop.map(|crop| STANDARD.encode(&crop.jpeg)),
        width: crop.map_or(0, |crop| crop.width),
        height: crop.map_or(0, |crop| crop.height),
        alt: format!("The writing in {place}; {read}"),
        caption,
    }
}

fn percent(confidence: f64) -> String {
    match confidence {
        small if small < 0.005 => "under 1 %".to_owned(),
        large if (0.995..1.0).contains(&large) => "over 99 %".to_owned(),
        other => format!("{:.0} %", other * 100.0),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
