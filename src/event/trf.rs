//! The tournament report file: its lines into an event, by columns (FIDE Handbook C.04, TRF16 and TRF26).

use std::collections::HashMap;

use super::Event;
use super::dates::Date;
use super::faults::{Code, Fault};
use super::players::{self, Player};
use super::rounds::{self, Slot};
use super::text::{Columns, lines};

/// Column of a round's first character: opponent (4), blank, colour, blank, result, two blanks.
const FIRST_ROUND: usize = 92;
const ROUND_WIDTH: usize = 10;
/// Rounds beyond this are no rounds of a tournament but a line gone wrong.
const MOST_ROUNDS: usize = 99;

/// Reads a report file.
pub(super) fn read(source: &str, text: &str) -> Event {
    let mut reader = Reader {
        event: Event::default(),
        source,
        entries: Vec::new(),
        ranks: HashMap::new(),
        teams: Vec::new(),
    };
    for (line, number) in lines(text).into_iter().zip(1..) {
        reader.line(number, &Columns::of(line));
    }
    reader.finish()
}

struct Reader<'a> {
    event: Event,
    source: &'a str,
    /// What each player's line says of the rounds.
    entries: Vec<rounds::Entry>,
    /// Index of a player by start rank.
    ranks: HashMap<u32, usize>,
    /// The teams; their members may stand further down in the file.
    teams: Vec<Team>,
}

/// A team's line.
struct Team {
    line: usize,
    name: String,
    /// Columns and start ranks.
    members: Vec<(usize, u32)>,
}

impl Reader<'_> {
    fn fault(&mut self, code: Code, line: usize, column: usize, text: String) {
        self.event.faults.push(Fault {
            code,
            source_name: self.source.to_owned(),
            line,
            column,
            text,
        });
    }

    fn line(&mut self, number: usize, line: &Columns) {
        if line.len() == 0 {
            return;
        }
        let code: String = (1..=3).map(|column| line.at(column)).collect();
        match code.as_str() {
            "001" => self.player(number, line),
            "012" => self.event.name = line.from(5),
            "022" => self.event.city = line.from(5),
            "032" => self.event.federation = line.from(5),
            "042" => self.event.start = self.day(number, line),
            "052" => self.event.end = self.day(number, line),
            "132" => self.round_dates(number, line),
            "142" | "XXR" => self.rounds(number, line),
            "013" => self.team(number, line, (5, 36), 37),
            "310" => self.team(number, line, (9, 40), 74),
            // Everything else of the standard, of programs (XXC) and of federations (IND), and remarks: not needed.
            other if is_code(other) && line.at(4) == ' ' || other == "###" => {}
            _ => self.fault(
                Code::T1,
                number,
                1,
                "no line of a report file begins like this; it is left out".to_owned(),
            ),
        }
    }

    fn day(&mut self, number: usize, line: &Columns) -> Option<Date> {
        let text = line.from(5);
        if text.is_empty() || Date::is_standard(&text) {
            return Date::parse(&text);
        }
        let date = Date::parse(&text);
        let taken = date.map_or("it is left out".to_owned(), |d| {
            format!("it is taken as {d}")
        });
        let text = format!("the date \"{text}\" is not of the form YYYY/MM/DD; {taken}");
        self.fault(Code::T3, number, 5, text);
        date
    }

    fn rounds(&mut self, number: usize, line: &Columns) {
        match line.from(4).parse() {
            Ok(rounds) => self.event.announced_rounds = Some(rounds),
            Err(_) => self.number_fault(number, 5, "number of rounds", &line.from(4)),
        }
    }

    fn round_dates(&mut self, number: usize, line: &Columns) {
        for (round, column) in round_columns(line) {
            let text = line.field(column, column + ROUND_WIDTH - 1);
            match Date::parse_round(&text) {
                Some(date) => {
                    self.event.round_dates.insert(round, date);
                }
                None if text.is_empty() => {}
                None => {
                    let text = format!(
                        "the date \"{text}\" of round {round} is not of the form YY/MM/DD; it is left out"
                    );
                    self.fault(Code::T3, number, column, text);
                }
            }
        }
    }

    fn team(&mut self, number: usize, line: &Columns, (from, to): (usize, usize), first: usize) {
        let mut members = Vec::new();
        for column in (first..=line.len()).step_by(5) {
            let text = line.field(column, column + 3);
            match text.parse() {
                Ok(rank) => members.push((column, rank)),
                Err(_) if text.is_empty() => {}
                Err(_) => self.number_fault(number, column, "player of a team", &text),
            }
        }
        self.teams.push(Team {
            line: number,
            name: line.field(from, to),
            members,
        });
    }

    fn player(&mut self, number: usize, line: &Columns) {
        let text = line.field(5, 8);
        let Some(rank) = text.parse::<u32>().ok().filter(|&rank| rank > 0) else {
            let text = format!("\"{text}\" is no start rank; the player is left out");
            return self.fault(Code::T1, number, 5, text);
        };
        if self.ranks.contains_key(&rank) {
            let text = format!("start rank {rank} is there twice; the second player is left out");
            return self.fault(Code::T1, number, 5, text);
        }
        let name = players::tidy(&line.field(15, 47));
        if name.is_empty() {
            self.fault(Code::T1, number, 15, "a player without a name".to_owned());
        }
        let title = line.field(11, 13);
        let known = players::title(&title);
        if known.is_none() && !title.is_empty() {
            let text = format!("\"{title}\" is no title; it is left out");
            self.fault(Code::T1, number, 11, text);
        }
        let player = Player {
            rank,
            name,
            title: known,
            rating: self.positive(number, line, (49, 52), "rating"),
            fide_id: self.positive(number, line, (58, 68), "FIDE identity number"),
            team: None,
        };
        let slots = self.slots(number, line);
        self.ranks.insert(rank, self.event.players.len());
        self.event.players.push(player);
        self.entries.push(rounds::Entry {
            line: number,
            slots,
        });
    }

    /// A number that some programs leave blank and others write as 0.
    fn positive<T>(
        &mut self,
        number: usize,
        line: &Columns,
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
        let read = text.parse::<T>();
        if read.is_err() {
            self.number_fault(number, from, what, &text);
        }
        read.ok().filter(|n| *n != T::default())
    }

    fn number_fault(&mut self, line: usize, column: usize, what: &str, text: &str) {
        let text = format!("\"{text}\" is no {what}; it is left out");
        self.fault(Code::T1, line, column, text);
    }

    fn slots(&mut self, number: usize, line: &Columns) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (round, column) in round_columns(line) {
            let slot = Slot::read(line, column);
            slots.push(slot.unwrap_or_else(|(at, text)| {
                self.fault(
                    Code::T1,
                    number,
                    at,
                    format!("{text}; round {round} is left out"),
                );
                Slot::blank(column)
            }));
        }
        let end = FIRST_ROUND + MOST_ROUNDS * ROUND_WIDTH;
        if line.len() >= end {
            let text = format!("more than {MOST_ROUNDS} rounds; the rest of the line is left out");
            self.fault(Code::T1, number, end, text);
        }
        slots
    }

    fn finish(mut self) -> Event {
        for Team {
            line,
            name,
            members,
        } in std::mem::take(&mut self.teams)
        {
            for (column, rank) in members {
                match self.ranks.get(&rank) {
                    Some(&i) if !name.is_empty() => {
                        self.event.players[i].team = Some(players::tidy(&name))
                    }
                    Some(_) => {}
                    // 0 stands for nobody.
                    None if rank == 0 => {}
                    None => {
                        let text = format!(
                            "the team \"{name}\" has player {rank}, whom the file does not have"
                        );
                        self.fault(Code::T1, line, column, text);
                    }
                }
            }
        }
        rounds::pair(&mut self.event, self.source, &self.entries, &self.ranks);
        self.event
            .faults
            .sort_by_key(|fault| (fault.line, fault.column));
        self.event
    }
}

/// The rounds of a line with the column in which each begins.
fn round_columns(line: &Columns) -> impl Iterator<Item = (u32, usize)> + use<> {
    let columns = (FIRST_ROUND..=line.len()).step_by(ROUND_WIDTH);
    (1..).zip(columns.take(MOST_ROUNDS))
}

fn is_code(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
}
