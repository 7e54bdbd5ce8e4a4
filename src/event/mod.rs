//! The tournament that the games belong to: its players and pairings, and which game is which.
//!
//! [`Event::parse_trf`] reads a tournament report file (TRF16 or TRF26, FIDE Handbook C.04 Annex
//! 2), [`Event::add_header_pgn`] the header PGN of a round. Neither file is ever written.
//! [`Ledger::match_games`] assigns every game to a pairing. [`games`], [`checks`], [`coverage`],
//! [`audit`] and [`report`] each turn a ledger into one output.
//!
//! ```
//! use sheetscan::event::Event;
//!
//! let player = |rank, name, round| {
//!     format!("001 {rank:>4} {:5}{name:<33} {:43}{round}\n", "", "")
//! };
//! let trf = player(1, "Adler, Anna", "   2 w 1") + &player(2, "Brandt, Bernd", "   1 b 0");
//! let event = Event::parse_trf("club.trf", &trf);
//! assert!(event.faults.is_empty());
//! let pairing = &event.pairings[0];
//! assert_eq!(pairing.round, 1);
//! assert_eq!(event.players[pairing.white].name, "Adler, Anna");
//! ```

mod answers;
mod assignment;
pub mod audit;
pub mod checks;
mod codes;
pub mod coverage;
mod csv;
mod fixed_width;
pub mod games;
mod handwriting;
mod header;
mod header_pgn;
mod ledger;
pub mod matching;
mod names;
mod parameters;
mod pgn_reader;
mod players;
mod read_back;
pub mod report;
mod rounds;
mod sheet_codes;
mod trf;
mod typed;

use std::collections::BTreeMap;

use crate::form::EventHash;
use crate::notation::Outcome;

pub use crate::date::Date;
pub use codes::{CheckCode, FileFault, Level};
pub use header::{Header, Scores, headers_of_sheets};
pub use ledger::{Ledger, Scope};
pub use names::name_spellings;
pub use parameters::{HandwritingParameters, MatchingParameters, TypedHeaderParameters};
pub use players::Player;
pub use typed::TypedHeader;

/// A tournament as its report file describes it.
#[derive(Debug, Clone, Default)]
pub struct Event {
    /// Name of the tournament; empty where the file gives none.
    pub name: String,
    /// City; some pairing programs write a web address here.
    pub city: String,
    /// Three-letter code of the federation.
    pub federation: String,
    /// First day.
    pub start: Option<Date>,
    /// Last day.
    pub end: Option<Date>,
    /// The number of rounds that the file announces.
    pub announced_rounds: Option<u32>,
    /// The dates of the rounds that the file dates, by round number.
    pub round_dates: BTreeMap<u32, Date>,
    /// The players in the order of the file.
    pub players: Vec<Player>,
    /// The pairings by round, then by the position in the file of the first of the two players.
    pub pairings: Vec<Pairing>,
    /// The rounds in which a player has no opponent, in the same order.
    pub byes: Vec<Bye>,
    /// Lines that cannot be read, and lines that contradict each other.
    pub faults: Vec<FileFault>,
}

/// How a pairing ended according to the report file, which decides whether a sheet is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairingKind {
    /// Result `1`, `=` or `0`: the game was played, and a sheet is expected.
    Played,
    /// Result `W`, `D` or `L`: the game ended before each player had moved; there may be a sheet.
    UnderOneMove,
    /// Result `+` or `-`: the game was not played.
    Forfeit,
    /// The file has no result yet.
    Pending,
}

/// Two players who meet in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// Round, from 1.
    pub round: u32,
    /// Board number from the header PGN; a report file has none.
    pub board: Option<u32>,
    /// Date of the round, or those parts of it that the dates of the event leave certain.
    pub date: Date,
    /// Index of the player with White; where the file gives no colours, of the player who stands
    /// first in it.
    pub white: usize,
    /// Index of the player with Black.
    pub black: usize,
    /// How the pairing ended.
    pub kind: PairingKind,
    /// The result; `Unknown` where both players lost and where their two lines disagree.
    pub outcome: Outcome,
}

/// A player without an opponent in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bye {
    /// Round, from 1.
    pub round: u32,
    /// Index of the player.
    pub player: usize,
    /// The result character of the file, mostly one of `H F U Z + -`.
    pub code: char,
}

impl Event {
    /// The hash that the codes of its printed sheets carry.
    pub fn hash(&self) -> EventHash {
        EventHash::new(&self.name, &self.city, self.start)
    }

    /// Reads a tournament report file.
    ///
    /// A line or field that cannot be read becomes an entry of [`Event::faults`] with its line and
    /// column, and the rest is kept. `source` is the file name that those entries carry.
    /// [`crate::text::decode`] makes text of the bytes of a file.
    pub fn parse_trf(source: &str, text: &str) -> Self {
        trf::parse_trf(source, text)
    }

    /// Takes board numbers and dates from the header PGN of a round.
    ///
    /// Its faults are added to [`Event::faults`]. Pairings of a round that the report file does not
    /// have yet are added to [`Event::pairings`].
    pub fn add_header_pgn(&mut self, source: &str, text: &str) {
        header_pgn::add_header_pgn(self, source, text);
    }

    /// The last round that has a pairing; 0 where there is none.
    pub fn last_round(&self) -> u32 {
        let rounds = self.pairings.iter().map(|pairing| pairing.round);
        rounds.max().unwrap_or(0)
    }

    /// Whether a date is within those of the event, as far as they are known.
    fn spans(&self, date: Date) -> bool {
        let order = |date: Date| (date.year, date.month, date.day);
        let is_whole = |date: &Date| date.is_whole();
        let start = self.start.filter(is_whole);
        let end = self.end.filter(is_whole);
        start.is_none_or(|start| order(start) <= order(date))
            && end.is_none_or(|end| order(date) <= order(end))
    }

    /// The date of a round, or what the first and the last day of the event have in common.
    fn round_date(&self, round: u32) -> Date {
        let event_dates = self.start.zip(self.end);
        let common = event_dates.map(|(start, end)| start.common_parts(end));
        let date = self.round_dates.get(&round).copied();
        date.or(common).unwrap_or_default()
    }
}
