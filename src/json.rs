//! Games as JSON, one object a line, schema 1.

use serde::{Serialize, Serializer};

use crate::decode::UnreadReason;
use crate::evidence;
use crate::geometry::Quad;
use crate::grid::CellId;
use crate::pgn::{self, Tags};
use crate::scan::{ScannedGame, Sheet};

/// Version of the form of the lines; it grows when a field changes its meaning.
const SCHEMA: u32 = 1;

/// A game as one line of JSON, without the line break.
pub fn line(scanned: &ScannedGame) -> String {
    line_with(scanned, None)
}

/// The same with the evidence of its one sheet ([`crate::evidence`]), as far as there is any.
pub fn line_with(scanned: &ScannedGame, evidence: Option<&str>) -> String {
    let line = Line {
        evidence,
        ..Line::of(scanned)
    };
    serde_json::to_string(&line).expect("strings and numbers only")
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    sheets: Vec<SheetFacts<'a>>,
    #[serde(serialize_with = "in_order")]
    tags: Tags,
    /// The language of the first sheet.
    language: Option<&'a str>,
    complete: bool,
    plies: Vec<PlyFacts<'a>>,
    unread: Vec<UnreadFacts<'a>>,
    /// Where the record breaks off, as the PGN has it in a comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    break_off: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runners_up: Vec<RunnerUpFacts<'a>>,
    /// What was read, in full: for joining copies of other runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
}

#[derive(Serialize)]
struct RunnerUpFacts<'a> {
    sans: &'a [String],
    /// Nats behind the game above.
    behind: f64,
}

#[derive(Serialize)]
struct SheetFacts<'a> {
    path: String,
    page: u32,
    sha256: &'a str,
    language: Option<&'a str>,
    /// Whose copy it is; a single sheet does not tell.
    copy_of: Option<&'static str>,
    /// Index of the sheet that it continues, as page 2 does page 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    continues: Option<usize>,
    /// What was read outside the table, where that was asked for ([`crate::evidence::pack_words`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// Index of the sheet whose picture it shows once more; it is then no evidence of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<usize>,
}

impl<'a> SheetFacts<'a> {
    fn of(sheet: &'a Sheet, language: Option<&'a str>, same_as: Option<usize>) -> Self {
        Self {
            path: sheet.path.to_string_lossy().into_owned(),
            page: sheet.page,
            sha256: &sheet.sha256,
            language,
            copy_of: None,
            continues: None,
            words: (!sheet.words.is_empty()).then(|| evidence::pack_words(&sheet.words)),
            same_as,
        }
    }
}

#[derive(Serialize)]
struct PlyFacts<'a> {
    ply: usize,
    san: &'a str,
    uci: &'a str,
    confidence: f64,
    review: bool,
    /// A person has read this move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    settled: bool,
    alternatives: Vec<Alternative<'a>>,
    cells: Vec<CellFacts<'a>>,
}

#[derive(Serialize)]
struct Alternative<'a> {
    san: &'a str,
    confidence: f64,
}

#[derive(Serialize)]
struct CellFacts<'a> {
    sheet: usize,
    #[serde(flatten)]
    cell: CellId,
    read: &'a str,
    read_confidence: f64,
    #[serde(rename = "box")]
    corners: Corners,
}

#[derive(Serialize)]
struct UnreadFacts<'a> {
    sheet: usize,
    #[serde(flatten)]
    cell: CellId,
    read: &'a str,
    reason: &'static str,
    #[serde(rename = "box")]
    corners: Corners,
}

/// Clockwise from top left, in tenths of a pixel: more would be noise.
type Corners = [[f64; 2]; 4];

impl<'a> Line<'a> {
    fn of(scanned: &'a ScannedGame) -> Self {
        let game = &scanned.game;
        let language = |sheet: usize| game.languages.get(sheet).map(String::as_str);
        let sheets = scanned.sheets.iter().enumerate();
        let sheets = sheets.map(|(i, sheet)| SheetFacts {
            continues: scanned.continued.contains(&i).then(|| i - 1),
            ..SheetFacts::of(sheet, language(i), None)
        });
        let same = scanned.same.iter();
        let same = same.map(|(sheet, i)| SheetFacts::of(sheet, language(*i), Some(*i)));
        let plies = game.plies.iter().enumerate().map(|(i, ply)| PlyFacts {
            ply: i + 1,
            san: &ply.san,
            uci: &ply.uci,
            confidence: probability(ply.confidence),
            review: ply.review,
            settled: scanned.settled.contains(&(i as u16 + 1)),
            alternatives: ply
                .alternatives
                .iter()
                .map(|(san, confidence)| Alternative {
                    san,
                    confidence: probability(*confidence),
                })
                .collect(),
            cells: ply
                .cells
                .iter()
                .filter_map(|&(sheet, cell)| CellFacts::of(scanned, sheet, cell))
                .collect(),
        });
        let unread = game.unread.iter().filter_map(|unread| {
            let reading = scanned.reading(unread.sheet, unread.cell)?;
            Some(UnreadFacts {
                sheet: unread.sheet,
                cell: unread.cell,
                read: &reading.text,
                reason: reason(unread.reason),
                corners: corners(&reading.quad),
            })
        });
        Self {
            schema: SCHEMA,
            sheets: sheets.chain(same).collect(),
            tags: Tags::unknown(game.outcome),
            language: language(0),
            complete: game.complete,
            plies: plies.collect(),
            unread: unread.collect(),
            break_off: pgn::break_off(scanned),
            runners_up: game
                .runners_up
                .iter()
                .map(|game| RunnerUpFacts {
                    sans: &game.sans,
                    behind: probability(game.behind),
                })
                .collect(),
            evidence: None,
        }
    }
}

impl<'a> CellFacts<'a> {
    fn of(scanned: &'a ScannedGame, sheet: usize, cell: CellId) -> Option<Self> {
        let reading = scanned.reading(sheet, cell)?;
        Some(Self {
            sheet,
            cell,
            read: &reading.text,
            read_confidence: probability(reading.confidence),
            corners: corners(&reading.quad),
        })
    }
}

fn in_order<S: Serializer>(tags: &Tags, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(tags.iter())
}

fn reason(reason: UnreadReason) -> &'static str {
    match reason {
        UnreadReason::Illegal => "illegal",
        UnreadReason::Illegible => "illegible",
        UnreadReason::CrossedOut => "crossed-out",
        UnreadReason::AfterTheEnd => "after-the-end",
        UnreadReason::SecondGame => "second-game",
    }
}

/// Four decimals: calibration does not know more.
fn probability(p: f32) -> f64 {
    (f64::from(p) * 1e4).round() / 1e4
}

fn corners(quad: &Quad) -> Corners {
    quad.map(|point| [point.x, point.y].map(|v| (v * 10.0).round() / 10.0))
}

#[cfg(test)]
mod tests;
