//! A parser of the tournament report file, whose lines have fixed columns (FIDE Handbook C.04,
//! Annex 2; TRF16 and TRF26).

use std::collections::HashMap;

use super::Event;
use super::codes::{CheckCode, FileFault};
use super::fixed_width::FixedWidthLine;
use super::players::{self, Player};
use super::rounds::{self, PlayerRounds, RoundField};
use crate::date::Date;

/// First column of round 1 in the lines 001 and 132. A round has ten columns: opponent (4), blank,
/// colour, blank, result, two blanks.
const FIRST_ROUND_COLUMN: usize = 92;
/// Number of columns of a round.
const ROUND_COLUMNS: usize = 10;
/// Columns of a player's line that are blank: those between its fields up to round 1.
const PLAYER_GAPS: [usize; 9] = [4, 9, 14, 48, 53, 57, 69, 90, 91];
/// Largest number of rounds of a tournament. What stands further right is reported as a fault.
const MAX_ROUNDS: usize = 99;

/// Reads a report file into an event. `source` is the file name for its faults.
pub(super) fn parse_trf(source: &str, text: &str) -> Event {
    let mut parser = TrfParser {
        event: Event::default(),
        source,
        rounds: Vec::new(),
        ranks: HashMap::new(),
        byte_lines: Vec::new(),
        teams: Vec::new(),
        round_dates: Vec::new(),
    };
    for (line, number) in text.lines().zip(1..) {
        parser.read_line(number, line);
    }
    parser.finish()
}

struct TrfParser<'a> {
    event: Event,
    source: &'a str,
    /// What the line of each player says of the rounds.
    rounds: Vec<PlayerRounds>,
    /// Index of each player by starting rank.
    ranks: HashMap<u32, usize>,
    /// The lines whose columns count bytes.
    byte_lines: Vec<usize>,
    /// The teams, which are assigned at the end because their members may stand further down.
    teams: Vec<Team>,
    /// The dates of the rounds, which are read at the end because those of the event decide what
    /// they mean.
    round_dates: Vec<RoundDate>,
}

/// The date of a round as it is written.
struct RoundDate {
    /// Line, from 1.
    line: usize,
    /// Column, from 1.
    column: usize,
    round: u32,
    text: String,
}

/// The line of a team.
struct Team {
    /// Line, from 1.
    line: usize,
    name: String,
    /// Column and starting rank of each member.
    members: Vec<(usize, u32)>,
}

impl TrfParser<'_> {
    fn add_fault(&mut self, code: CheckCode, line: usize, column: usize, text: String) {
        self.event.faults.push(FileFault {
            code,
            source_name: self.source.to_owned(),
            line,
            column,
            text,
        });
    }

    /// Reads a line by the code in its first three columns.
    fn read_line(&mut self, number: usize, text: &str) {
        let mut line = &FixedWidthLine::new(text);
        if line.len() == 0 {
            return;
        }
        let of_bytes;
        if !text.is_ascii() && !has_fields_in_place(line) {
            of_bytes = FixedWidthLine::of_bytes(text);
            if has_fields_in_place(&of_bytes) {
                self.byte_lines.push(number);
                line = &of_bytes;
            }
        }
        let code: String = (1..=3).map(|column| line.char_at(column)).collect();
        match code.as_str() {
            "001" => self.read_player(number, line),
            "012" => self.event.name = line.field_from(5),
            "022" => self.event.city = line.field_from(5),
            "032" => self.event.federation = line.field_from(5),
            "042" => self.event.start = self.read_date(number, line),
            "052" => self.event.end = self.read_date(number, line),
            "132" => self.read_round_dates(number, line),
            "142" | "XXR" => self.read_round_count(number, line),
            "013" => self.read_team(number, line, (5, 36), 37),
            "310" => self.read_team(number, line, (9, 40), 74),
            // The other lines of the standard, of programs (XXC) and of federations (IND), and
            // remarks (###) hold nothing that is needed.
            other if is_line_code(other) && line.char_at(4) == ' ' || other == "###" => {}
            _ => self.add_fault(
                CheckCode::T1,
                number,
                1,
                "no line of a report file begins like this; it is left out".to_owned(),
            ),
        }
    }

    fn read_date(&mut self, number: usize, line: &FixedWidthLine) -> Option<Date> {
        let text = line.field_from(5);
        if text.is_empty() || Date::is_standard(&text) {
            return Date::parse(&text);
        }
        let date = Date::parse(&text);
        let consequence = date.map_or("it is left out".to_owned(), |d| {
            format!("it is taken as {d}")
        });
        let text = format!("the date \"{text}\" is not of the form YYYY/MM/DD; {consequence}");
        self.add_fault(CheckCode::T3, number, 5, text);
        date
    }

    fn read_round_count(&mut self, number: usize, line: &FixedWidthLine) {
        let text = line.field_from(4);
        match text.parse() {
            Ok(rounds) => self.event.announced_rounds = Some(rounds),
            Err(_) => self.add_number_fault(number, 5, "number of rounds", &text),
        }
    }

    fn read_round_dates(&mut self, number: usize, line: &FixedWidthLine) {
        for (round, column) in round_columns(line) {
            let text = line.field(column, column + ROUND_COLUMNS - 1);
            if !text.is_empty() {
                self.round_dates.push(RoundDate {
                    line: number,
                    column,
                    round,
                    text,
                });
            }
        }
    }

    /// Takes the dates of the rounds, once the dates of the event are known.
    fn settle_round_dates(&mut self) {
        for RoundDate {
            line,
            column,
            round,
            text,
        } in std::mem::take(&mut self.round_dates)
        {
            let written = Date::parse_round(&text);
            let day_first = Date::parse_round_day_first(&text);
            let is_within = |date: &Date| self.event.spans(*date);
            let (date, why) = match (written, day_first.filter(is_within)) {
                (Some(date), _) if is_within(&date) => (Some(date), None),
                (_, Some(date)) => (
                    Some(date),
                    Some(format!(
                        "is not of the form YY/MM/DD; it is taken as {date}"
                    )),
                ),
                (Some(date), None) => (
                    Some(date),
                    Some(format!(
                        "is {date}, which is not within the dates of the event; it is taken so"
                    )),
                ),
                (None, None) => (
                    None,
                    Some("is not of the form YY/MM/DD; it is left out".to_owned()),
                ),
            };
            if let Some(date) = date {
                self.event.round_dates.insert(round, date);
            }
            if let Some(why) = why {
                let text = format!("the date \"{text}\" of round {round} {why}");
                self.add_fault(CheckCode::T3, line, column, text);
            }
        }
    }

    /// Reads a team whose name stands in the columns `from` to `to`, and whose members have five
    /// columns each from `first_member` on.
    fn read_team(
        &mut self,
        number: usize,
        line: &FixedWidthLine,
        (from, to): (usize, usize),
        first_member: usize,
    ) {
        let mut members = Vec::new();
        for column in (first_member..=line.len()).step_by(5) {
            let text = line.field(column, column + 3);
            match text.parse() {
                Ok(rank) => members.push((column, rank)),
                Err(_) if text.is_empty() => {}
                Err(_) => self.add_number_fault(number, column, "player of a team", &text),
            }
        }
        self.teams.push(Team {
            line: number,
            name: line.field(from, to),
            members,
        });
    }

    fn read_player(&mut self, number: usize, line: &FixedWidthLine) {
        let text = line.field(5, 8);
        let Some(rank) = text.parse::<u32>().ok().filter(|&rank| rank > 0) else {
            let text = format!("\"{text}\" is no start rank; the player is left out");
            return self.add_fault(CheckCode::T1, number, 5, text);
        };
        if self.ranks.contains_key(&rank) {
            let text = format!("start rank {rank} is there twice; the second player is left out");
            return self.add_fault(CheckCode::T1, number, 5, text);
        }
        let name = players::normalize_spaces(&line.field(15, 47));
        if name.is_empty() {
            let text = "a player without a name";
            self.add_fault(CheckCode::T1, number, 15, text.to_owned());
        }
        let title_text = line.field(11, 13);
        let title = players::parse_title(&title_text);
        if title.is_none() && !title_text.is_empty() {
            let text = format!("\"{title_text}\" is no title of FIDE; it is left out");
            self.add_fault(CheckCode::T3, number, 11, text);
        }
        let player = Player {
            rank,
            name,
            title,
            rating: self.read_positive(number, line, (49, 52), "rating"),
            federation: Some(line.field(54, 56)).filter(|code| !code.is_empty()),
            fide_id: self.read_positive(number, line, (58, 68), "FIDE identity number"),
            team: None,
        };
        let rounds = self.read_rounds(number, line);
        self.ranks.insert(rank, self.event.players.len());
        self.event.players.push(player);
        self.rounds.push(PlayerRounds {
            line: number,
            rounds,
        });
    }

    /// Reads a number which some programs leave blank, and others write as 0, where there is none.
    fn read_positive<T>(
        &mut self,
        number: usize,
        line: &FixedWidthLine,
        (from, to): (usize, usize),
        what: &str,
    ) -> Option<T>
    where
        T: std::str::FromStr + Default + PartialEq,
    {
        let text = line.field(from, to);
        if text.is_empty() {
            return None;
        }
        let value = text.parse::<T>();
        if value.is_err() {
            self.add_number_fault(number, from, what, &text);
        }
        value.ok().filter(|n| *n != T::default())
    }

    fn add_number_fault(&mut self, line: usize, column: usize, what: &str, text: &str) {
        let text = format!("\"{text}\" is no {what}; it is left out");
        self.add_fault(CheckCode::T1, line, column, text);
    }

    fn read_rounds(&mut self, number: usize, line: &FixedWidthLine) -> Vec<RoundField> {
        let mut rounds = Vec::new();
        for (round, column) in round_columns(line) {
            let field = RoundField::parse(line, column);
            rounds.push(field.unwrap_or_else(|(at, text)| {
                let text = format!("{text}; round {round} is left out");
                self.add_fault(CheckCode::T1, number, at, text);
                RoundField::blank(column)
            }));
        }
        let end = FIRST_ROUND_COLUMN + MAX_ROUNDS * ROUND_COLUMNS;
        if line.len() >= end {
            let text = format!("more than {MAX_ROUNDS} rounds; the rest of the line is left out");
            self.add_fault(CheckCode::T1, number, end, text);
        }
        rounds
    }

    /// Assigns the teams, builds the pairings and sorts the faults by their place in the file.
    fn finish(mut self) -> Event {
        for team in std::mem::take(&mut self.teams) {
            self.assign_team(&team);
        }
        if let Some(&first) = self.byte_lines.first() {
            let text = format!(
                "the columns of {} lines count bytes and not letters; they were read so",
                self.byte_lines.len()
            );
            self.add_fault(CheckCode::T4, first, 1, text);
        }
        self.settle_round_dates();
        rounds::build_pairings(&mut self.event, self.source, &self.rounds, &self.ranks);
        self.event
            .faults
            .sort_by_key(|fault| (fault.line, fault.column));
        self.event
    }

    /// Gives the members of a team its name.
    fn assign_team(&mut self, team: &Team) {
        for &(column, rank) in &team.members {
            match self.ranks.get(&rank) {
                Some(&i) if !team.name.is_empty() => {
                    self.event.players[i].team = Some(players::normalize_spaces(&team.name))
                }
                Some(_) => {}
                // Some programs write 0 for a member who is missing.
                None if rank == 0 => {}
                None => {
                    let text = format!(
                        "the team \"{}\" has player {rank}, whom the file does not have",
                        team.name
                    );
                    self.add_fault(CheckCode::T1, team.line, column, text);
                }
            }
        }
    }
}

/// Whether the fields of a player or a team stand where they should: there are blanks between them,
/// and numbers where numbers should be. A line of another kind has no such fields.
fn has_fields_in_place(line: &FixedWidthLine) -> bool {
    let code: String = (1..=3).map(|column| line.char_at(column)).collect();
    let is_number = |first: usize, last: usize| {
        let text = line.field(first, last);
        text.chars().all(|c| c.is_ascii_digit())
    };
    let is_blank = |column: &usize| line.char_at(*column) == ' ';
    let are_members = |first: usize| {
        let mut columns = (first..=line.len()).step_by(5);
        columns.all(|column| is_number(column, column + 3) && is_blank(&(column + 4)))
    };
    match code.as_str() {
        "001" => {
            PLAYER_GAPS.iter().all(is_blank)
                && is_number(49, 52)
                && is_number(58, 68)
                && round_columns(line).all(|(_, column)| RoundField::parse(line, column).is_ok())
        }
        "013" => is_blank(&4) && is_blank(&36) && are_members(37),
        "310" => is_blank(&4) && are_members(74),
        _ => true,
    }
}

/// The numbers of the rounds that a line has columns for, and the first column of each.
fn round_columns(line: &FixedWidthLine) -> impl Iterator<Item = (u32, usize)> + use<> {
    let columns = (FIRST_ROUND_COLUMN..=line.len()).step_by(ROUND_COLUMNS);
    (1..).zip(columns.take(MAX_ROUNDS))
}

/// Whether a text consists of digits and capitals, as every line code of the standard does.
fn is_line_code(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
}
