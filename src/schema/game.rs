//! A game: one line of JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use super::{Alternative, CellRecord, PlyRecord, SheetRecord, TagRecord, UnreadRecord, VERSION};
use crate::notation::{Outcome, terminator};
use crate::scan::HeaderField;

/// A game that was read from photographs of scoresheets, with what each move was read from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A game as `sheetscan scan --json` writes it, one a line")]
pub struct GameRecord {
    /// Version of the schema. It grows when a field changes its meaning.
    #[schemars(extend("const" = VERSION))]
    pub schema: u32,
    /// The sheets that the game was read from: copy by copy, page by page, then further files that
    /// show a picture once more.
    pub sheets: Vec<SheetRecord>,
    /// The PGN tags in the order of PGN's export format.
    #[serde(default)]
    pub tags: TagRecord,
    /// The fields of the header that a person has filled in; left out where nobody did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<HeaderField>,
    /// Language of the first sheet's piece letters, as in `sheets`.
    pub language: Option<String>,
    /// Whether the record could be followed to its end. Where it is false, the moves stop at the
    /// last one that is sure enough.
    pub complete: bool,
    /// The moves, from the first.
    pub plies: Vec<PlyRecord>,
    /// Cells with writing that no move uses.
    #[serde(default)]
    pub unread: Vec<UnreadRecord>,
    /// The gap before which the game was cut; left out where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<GapRecord>,
    /// Where the record breaks off; left out where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_at: Option<BreakRecord>,
    /// Where the record breaks off, in the words of the PGN's comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_off: Option<String>,
    /// The next likeliest games, best first, as far as `--n-best` asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runners_up: Vec<RunnerUpRecord>,
    /// With `--shard`: all that was read on the game's one sheet, which `merge` needs to join it
    /// with copies from other runs. Base64 of a form that only the same version of sheetscan reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// A gap in the record: rows left empty, ticked or scribbled, over which nobody can follow the
/// game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GapRecord {
    /// The first cell of the gap.
    pub first: CellRecord,
    /// The first and the last cell of a stretch behind the gap that can be followed again from some
    /// position; left out where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed: Option<[CellRecord; 2]>,
}

/// Where the record of a game breaks off before its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BreakRecord {
    /// Number of the ply that is missing, from 1.
    #[schemars(range(min = 1))]
    pub ply: usize,
    /// The first cell that could not be followed.
    pub cell: CellRecord,
    /// The likeliest moves there, best first, by the writing of this one cell and the prior alone;
    /// at most four. What comes behind them speaks against each.
    #[serde(default)]
    pub candidates: Vec<Alternative>,
}

/// A game that is less likely than the one that was put out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunnerUpRecord {
    /// Its moves in SAN with `+` and `#`.
    pub sans: Vec<String>,
    /// How many nats its log-likelihood lies below that of the game that was put out.
    #[schemars(range(min = 0.0))]
    pub behind: f64,
}

/// Why a line is no game.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The line is not JSON, or not of the form that `scan --json` writes.
    #[error("no game as scan --json writes it")]
    Form(#[from] serde_json::Error),
    /// The line has the schema of another version of sheetscan.
    #[error("schema {0} is not known to this version of sheetscan, which knows {VERSION}")]
    Schema(u32),
    /// A move is not what `scan --json` writes: no SAN, or not legal where it stands.
    #[error("ply {ply}, \"{san}\", is no legal move in SAN")]
    Move {
        /// Number of the ply, from 1.
        ply: usize,
        /// The text of the move.
        san: String,
    },
}

impl GameRecord {
    /// Reads one line.
    ///
    /// # Errors
    /// [`RecordError`] if it is no game of schema [`VERSION`], or its moves are none.
    pub fn parse(line: &str) -> Result<Self, RecordError> {
        let record: Self = serde_json::from_str(line)?;
        match record.schema {
            VERSION => record.check_moves().map(|()| record),
            other => Err(RecordError::Schema(other)),
        }
    }

    /// Plays the moves and parses their alternatives, so that what is written as a move is one.
    fn check_moves(&self) -> Result<(), RecordError> {
        let mut position = Chess::default();
        for (ply, number) in self.plies.iter().zip(1..) {
            let fault = |san: &str| RecordError::Move {
                ply: number,
                san: san.to_owned(),
            };
            let parse = |san: &str| san.parse::<SanPlus>().map_err(|_| fault(san));
            for other in &ply.alternatives {
                parse(&other.san)?;
            }
            let m = parse(&ply.san)?.san.to_move(&position);
            position.play_unchecked(m.map_err(|_| fault(&ply.san))?);
        }
        Ok(())
    }

    /// The result that the tags give, which is that of the sheet or of the board.
    pub fn outcome(&self) -> Outcome {
        let result = self.tags.get("Result");
        let decided = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw];
        let outcome = decided
            .into_iter()
            .find(|&outcome| result == Some(terminator(outcome)));
        outcome.unwrap_or(Outcome::Unknown)
    }

    /// The names of its sheets, for messages: `a.jpg + scans.pdf, page 2`.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.sheets.iter().map(SheetRecord::name).collect();
        names.join(" + ")
    }
}
