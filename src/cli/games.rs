//! What becomes of the games of a run: they are counted, told and written.

use anyhow::Result;

use sheetscan::scan::{ScannedGame, SheetError};

use super::progress::Progress;
use super::writers::Writers;
use crate::Exit;

/// What came of the sheets of one game.
pub struct Decoded {
    /// The names of the sheets, for messages.
    pub name: String,
    /// The game and the answers of a person that it could not take in, or the panic that it ended in.
    pub game: Result<(ScannedGame, Vec<String>), String>,
    /// The packed payload of its sheet in a run with `--shard`.
    pub payload: Option<String>,
}

/// The games of a run.
pub struct Games {
    /// Where they go.
    pub writers: Writers,
    /// The figures of the closing table.
    pub totals: Totals,
}

impl Games {
    /// Takes a game in.
    pub fn take(&mut self, decoded: Decoded, progress: &Progress) -> Result<()> {
        let Decoded {
            name,
            game,
            payload,
        } = decoded;
        match game {
            Ok((scanned, refused)) => {
                for fix in refused {
                    self.totals.unfinished += 1;
                    progress.fault(&refusal(&fix));
                }
                self.totals.add(&scanned);
                progress.found(&found(&name, &scanned));
                self.writers.write(&scanned, payload)?;
                for below in &scanned.below {
                    self.totals.add(below);
                    progress.found(&found(&format!("{name}, a game further down"), below));
                    self.writers.write(below, None)?;
                }
                Ok(())
            }
            Err(panic) => {
                self.totals.unfinished += 1;
                progress.fault(&format!("{name}: {}", SheetError::Fault(panic)));
                Ok(())
            }
        }
    }
}

/// What is told of an answer that no game could take in.
pub fn refusal(fix: &str) -> String {
    format!(
        "--fix {fix}: no game that the sheet allows has this move there, it was left out; look at the moves before it"
    )
}

/// Moves to look at that are named in a game's line; the JSON has them all.
const NAMED: usize = 6;

/// The first moves to look at, with their numbers.
fn asked(scanned: &ScannedGame) -> String {
    let plies = scanned.game.plies.iter().enumerate();
    let asked = plies.filter(|(_, ply)| ply.review).map(|(i, ply)| {
        let dots = if i % 2 == 0 { "." } else { "..." };
        format!("{}{dots}{}", i / 2 + 1, ply.san)
    });
    let mut asked: Vec<String> = asked.collect();
    if asked.len() > NAMED {
        asked.truncate(NAMED);
        asked.push("...".to_owned());
    }
    asked.join(" ")
}

/// What came of the sheets of one game, in a line.
fn found(name: &str, scanned: &ScannedGame) -> String {
    let mut found = format!("{name}: {} moves", scanned.game.plies.len());
    match scanned.asks() {
        0 => {}
        asks => found += &format!(", {asks} to look at: {}", asked(scanned)),
    }
    if let Some(number) = scanned.headless() {
        found += &format!(
            ", begins at move {number} and the page before it is missing: give both pages to one run"
        );
    } else if !scanned.game.complete {
        found += ", not readable to the end";
    }
    found
}

/// The figures of the closing table.
#[derive(Default)]
pub struct Totals {
    /// Pages looked at.
    pub sheets: usize,
    games: usize,
    moves: usize,
    asks: usize,
    /// Sheets without a game, or with one that breaks off.
    unfinished: usize,
}

impl Totals {
    fn add(&mut self, scanned: &ScannedGame) {
        self.games += 1;
        self.moves += scanned.game.plies.len();
        self.asks += scanned.asks();
        self.unfinished += usize::from(!scanned.game.complete);
    }

    /// Tells why a page gives no game.
    pub fn fault(&mut self, name: &str, why: &str, progress: &Progress) {
        self.unfinished += 1;
        progress.fault(&format!("{name}: {why}"));
    }

    /// Tells them.
    pub fn close(&self, progress: Progress) {
        progress.close(&[
            ("sheets", self.sheets),
            ("games", self.games),
            ("moves", self.moves),
            ("moves to look at", self.asks),
        ]);
    }

    /// What the shell is told.
    pub fn exit(&self) -> Exit {
        if self.asks + self.unfinished == 0 {
            Exit::AllRead
        } else {
            Exit::LookAgain
        }
    }
}
