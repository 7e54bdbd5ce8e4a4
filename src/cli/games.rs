//! The games of a run: each is counted, reported and written.

use anyhow::Result;

use sheetscan::batch::BatchGame;
use sheetscan::notation::move_number;
use sheetscan::scan::ScannedGame;

use super::fixes;
use super::progress::Progress;
use super::writers::Writers;

/// Number of moves to look at that a game's line names; the JSON has all of them.
const MAX_NAMED_MOVES: usize = 6;

/// Takes the games of a run as they come.
pub struct GameSink<'a> {
    writers: Writers,
    progress: &'a Progress,
    totals: Totals,
}

impl<'a> GameSink<'a> {
    /// A sink that writes to these outputs.
    pub fn new(writers: Writers, progress: &'a Progress) -> Self {
        Self {
            writers,
            progress,
            totals: Totals::default(),
        }
    }

    /// Counts, reports and writes a game, and those that stand below it on its sheets.
    pub fn take(&mut self, game: BatchGame) -> Result<()> {
        let BatchGame {
            name,
            result,
            begins_like,
            refused_fixes,
            payload,
        } = game;
        self.totals.unfinished += refused_fixes.len();
        for fix in refused_fixes {
            fixes::report_refused(&fix, self.progress);
        }
        match result {
            Ok(scanned) => {
                self.write(&name, &scanned, payload)?;
                if let Some(other) = begins_like {
                    self.progress.print(&begins_like_line(&name, &other));
                }
                let name = format!("{name}, a game further down");
                for below in &scanned.below {
                    self.write(&name, below, None)?;
                }
            }
            Err(error) => {
                self.totals.unfinished += 1;
                self.progress.fault(&format!("{name}: {error}"));
            }
        }
        Ok(())
    }

    fn write(&mut self, name: &str, game: &ScannedGame, payload: Option<String>) -> Result<()> {
        self.totals.add(game);
        if game.game.plies.is_empty() {
            self.progress.fault(&game_line(name, game));
        } else {
            self.progress.print(&game_line(name, game));
        }
        self.writers.write(game, payload)
    }

    /// The outputs, still open, and the totals of the run.
    pub fn finish(self, sheets: SheetCounts) -> (Writers, Totals) {
        let totals = Totals {
            sheets: sheets.sheets,
            unfinished: self.totals.unfinished + sheets.failed,
            ..self.totals
        };
        (self.writers, totals)
    }
}

/// A line on two sheets that may be copies of one game.
pub fn begins_like_line(name: &str, other: &str) -> String {
    format!("{name}: begins like {other}; if both record one game, join them with --pair")
}

/// A game in a line.
fn game_line(name: &str, game: &ScannedGame) -> String {
    let mut line = match game.game.plies.len() {
        0 => format!("{name}: no moves"),
        moves => format!("{name}: {moves} moves"),
    };
    match game.asks() {
        0 => {}
        asks => line += &format!(", {asks} to look at: {}", moves_to_look_at(game)),
    }
    if let Some(number) = game.missing_page_before() {
        line += &format!(
            ", begins at move {number} and the page before it is missing: \
             give both pages to one run"
        );
    } else if game.game.plies.is_empty() {
        line +=
            ": nothing on the sheet can be followed from move 1 on; look at it with --debug-dir";
    } else if !game.game.complete {
        line += ", not readable to the end";
    }
    line
}

/// The first moves to look at, as in `3.Bb5 4...Nf6`.
fn moves_to_look_at(game: &ScannedGame) -> String {
    let plies = game.game.plies.iter().enumerate();
    let to_look_at = plies.filter(|(_, ply)| ply.review);
    let mut moves: Vec<String> = to_look_at
        .map(|(i, ply)| format!("{}{}", move_number(i), ply.san))
        .collect();
    if moves.len() > MAX_NAMED_MOVES {
        moves.truncate(MAX_NAMED_MOVES);
        moves.push("...".to_owned());
    }
    moves.join(" ")
}

/// The sheets of a run.
#[derive(Default)]
pub struct SheetCounts {
    /// Pages looked at.
    pub sheets: usize,
    /// Those of them that give no game.
    pub failed: usize,
}

/// The figures of a run.
#[derive(Default)]
pub struct Totals {
    sheets: usize,
    games: usize,
    moves: usize,
    asks: usize,
    /// Sheets without a game, games that break off, and fixes that no game can keep to.
    unfinished: usize,
}

impl Totals {
    fn add(&mut self, game: &ScannedGame) {
        self.games += 1;
        self.moves += game.game.plies.len();
        self.asks += game.asks();
        self.unfinished += usize::from(!game.game.complete || game.game.plies.is_empty());
    }

    /// The columns of the closing table.
    pub fn columns(&self) -> [(&'static str, usize); 4] {
        [
            ("sheets", self.sheets),
            ("games", self.games),
            ("moves", self.moves),
            ("moves to look at", self.asks),
        ]
    }

    /// Whether a person need look at nothing.
    pub fn is_all_read(&self) -> bool {
        self.asks + self.unfinished == 0
    }
}
