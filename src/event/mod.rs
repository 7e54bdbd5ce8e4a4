//! The event that the games belong to: what the pairing program says of it, and which game is which.
//!
//! [`Event::read`] takes a tournament report file (TRF16 or TRF26, FIDE Handbook C.04 Annex 2), [`Event::add_pairings`]
//! the header PGN of a round. Neither is ever written. [`Ledger::enter`] finds the pairing of every game; what is in the
//! ledger then goes to [`games`], [`checks`], [`coverage`], [`audit`] and [`report`].

mod assignment;
pub mod audit;
pub mod checks;
pub mod coverage;
mod csv;
mod dates;
mod faults;
pub mod games;
mod handwriting;
mod header;
mod ledger;
pub mod matching;
mod names;
mod pairings;
mod players;
mod read_back;
mod record;
pub mod report;
mod rounds;
mod tags;
mod text;
mod trf;
mod typed;

use std::collections::BTreeMap;

use crate::decode::Outcome;

pub use dates::Date;
pub use faults::{Code, Fault, Level};
pub use header::{Header, Scores};
pub use ledger::{Ledger, Scope};
pub use names::spellings;
pub use players::Player;
pub use record::{Candidate, CellFacts, PlyFacts, Record, RecordError, SheetFacts};
pub use typed::TypedHeader;

/// A tournament as its report file has it.
#[derive(Debug, Clone, Default)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its place; some programs put a link here.
    pub city: String,
    /// Three letters of the federation.
    pub federation: String,
    /// First day.
    pub start: Option<Date>,
    /// Last day.
    pub end: Option<Date>,
    /// The number of rounds that the file announces.
    pub announced_rounds: Option<u32>,
    /// Dates of rounds that the file gives.
    pub round_dates: BTreeMap<u32, Date>,
    /// The players in the order of the file.
    pub players: Vec<Player>,
    /// The pairings by round, then by the first of the two players in the file.
    pub pairings: Vec<Pairing>,
    /// Rounds of players without an opponent, in the same order.
    pub byes: Vec<Bye>,
    /// What could not be read, or contradicts itself.
    pub faults: Vec<Fault>,
}

/// What kind of entry a pairing is in the report file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `1 = 0`: played, and a sheet is expected.
    Played,
    /// `W D L`: ended under one move; there may be a sheet.
    Short,
    /// `+ -`: not played.
    Forfeit,
    /// No result yet.
    Open,
}

/// Two players in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// Round, from 1.
    pub round: u32,
    /// Number of the board, where the pairing program tells it; a report file does not.
    pub board: Option<u32>,
    /// The day; of the round, or of the event as far as it is certain.
    pub date: Date,
    /// Index of the player with White; of the first in the file where the file says no colours.
    pub white: usize,
    /// Index of the player with Black.
    pub black: usize,
    /// Played, or what else.
    pub kind: Kind,
    /// The result; unknown for both having lost, and where the two lines disagree.
    pub outcome: Outcome,
}

/// A player without an opponent in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bye {
    /// Round, from 1.
    pub round: u32,
    /// Index of the player.
    pub player: usize,
    /// The letter or sign of the file: `H F U Z + -`.
    pub code: char,
}

impl Event {
    /// Reads a report file; what cannot be read is in [`Event::faults`] with its line and column, and the rest is kept.
    /// `source` is the name of the file for these.
    pub fn read(source: &str, bytes: &[u8]) -> Self {
        trf::read(source, &text::decode(bytes))
    }

    /// Takes boards and dates from the header PGN of a round; its faults join those of the event. Pairings of a round
    /// of which the report file says nothing yet are added.
    pub fn add_pairings(&mut self, source: &str, bytes: &[u8]) {
        pairings::add(self, source, &text::decode(bytes));
    }

    /// The last round that has a pairing.
    pub fn rounds(&self) -> u32 {
        let rounds = self.pairings.iter().map(|pairing| pairing.round);
        rounds.max().unwrap_or(0)
    }

    /// What is certain of the date of a round.
    fn date_of(&self, round: u32) -> Date {
        let within = self.start.zip(self.end).map(|(a, b)| a.common(b));
        let day = self.round_dates.get(&round).copied();
        day.or(within).unwrap_or_default()
    }
}
