//! The header of a sheet as a hand has filled it in, scored against the players, rounds, boards and days of the event.
//!
//! A word is never read by itself: of each string that the event knows it is asked how well it fits the ink, against what
//! a string of its length fits by chance. Which field a word stands in is told by the label in print to its left or
//! above it; where no label was read, the first player is White.

use crate::fields::{self, Area, Field, level};
use crate::header::Place;
use crate::reader::{Scorer, WordReading};

use super::Event;
use super::dates::Date;
use super::header::{Header, Scores};
use super::names::{spellings, words};

/// The most that a last name, another name and an initial say.
const LAST: f64 = 7.0;
const OTHER: f64 = 4.0;
const INITIAL: f64 = 1.5;
/// The least: the word was parted wrongly, or nobody can read it.
const NOT_LAST: f64 = -2.5;
const NOT_OTHER: f64 = -1.0;
/// The most and the least that a number or a day says: a field of which the label was read holds one of ten or so.
const NUMBER: f64 = 2.3;
const NOT_NUMBER: f64 = -2.5;
/// What the reader may take a 1 for, and nats by which a wider word may say a number less clearly than a part of it.
const LIKE_ONE: &str = "il";
const CLEAR: f64 = 1.0;
/// Words that an area has of two others, and of three, at most.
const MOST_JOINED: usize = 60;
/// From one part to the next, in heights of the first: by how much they may overlap, and how far they may be apart; and the
/// share of the lower one's height that they have in common.
const OVERLAP: f32 = 0.15;
const WITHIN: f32 = 0.9;
const ON_LINE: f32 = 0.4;
/// Share of its smaller that two areas have in common which hold the same name.
const SAME: f32 = 0.5;
/// Nats from which a field without a label holds a name.
const NAME: f64 = 3.0;

impl Header {
    /// The scores of what was read outside the table of a sheet.
    pub fn handwritten(event: &Event, read: &[WordReading]) -> Self {
        let mut inks: Vec<Scorer> = read.iter().map(WordReading::scorer).collect();
        let found = fields::found(&inks);
        let places: Vec<Place> = inks.iter().map(|ink| ink.place).collect();
        let mut areas = fields::areas(&places, &found);
        let named = areas.iter_mut().filter(|area| may_name(area));
        named.for_each(|area| join(area, &mut inks));
        let names: Vec<Names> = event
            .players
            .iter()
            .map(|player| Names::of(&player.name))
            .collect();
        let mut header = Self::default();
        players(&mut header, &inks, &areas, &names);
        for area in &areas {
            match area.field {
                Some(Some(Field::Round)) if header.round.is_none() => {
                    let rounds = event.pairings.iter().map(|p| p.round);
                    header.round = figures(&inks, area, rounds, digits);
                }
                Some(Some(Field::Board)) if header.board.is_none() => {
                    let boards = event.pairings.iter().filter_map(|p| p.board);
                    header.board = figures(&inks, area, boards, digits);
                }
                Some(Some(Field::Date)) if header.date.is_none() => {
                    let days = event.pairings.iter().map(|p| p.date);
                    let days = days.filter(|day| day.is_whole());
                    header.date = figures(&inks, area, days, written);
                }
                _ => {}
            }
        }
        header
    }
}

/// Whether a player's name may stand in an area. Below the table are signatures, of which nobody says whose they are.
fn may_name(area: &Area) -> bool {
    match area.field.flatten() {
        None => area.place.bottom < 0.5,
        Some(field) => matches!(field, Field::White | Field::Black),
    }
}

/// Adds the words of an area that two or three others make up together, where a hand leaves gaps within a name as wide as between
/// names.
fn join(area: &mut Area, inks: &mut Vec<Scorer>) {
    let words = || area.words.iter().map(|&i| &inks[i]);
    let follows = |a: &Place, b: &Place| {
        let gap = b.left - a.right;
        (-OVERLAP * a.height()..WITHIN * a.height()).contains(&gap) && level(a, b) > ON_LINE
    };
    let longer = |a: &Scorer| {
        let behind = words().filter(|b| follows(&a.place, &b.place));
        behind.map(|b| a.with(b)).collect::<Vec<_>>()
    };
    let mut joined: Vec<Scorer> = words().flat_map(longer).take(MOST_JOINED).collect();
    let of_three: Vec<Scorer> = joined.iter().flat_map(longer).take(MOST_JOINED).collect();
    joined.extend(of_three);
    area.words.extend(inks.len()..inks.len() + joined.len());
    inks.extend(joined);
}

/// The words of a player's name.
struct Names {
    /// Those that may be the last name: without a comma in the name, all.
    last: Vec<String>,
    other: Vec<String>,
    /// The whole without blanks, as a word that was not parted says it.
    whole: Vec<String>,
}

impl Names {
    fn of(name: &str) -> Self {
        let mut whole: Vec<String> = spellings(name);
        whole.retain(|spelling| spelling.contains(' '));
        whole.iter_mut().for_each(|s| s.retain(|c| c != ' '));
        match name.split_once(',') {
            Some((last, first)) => {
                let mut last = words(last);
                if last.len() > 1 {
                    last.push(last.concat());
                }
                Self {
                    last,
                    other: words(first),
                    whole,
                }
            }
            None => Self {
                last: words(name),
                other: words(name),
                whole,
            },
        }
    }

    /// Nats for an area holding this name, against its holding that of no player.
    fn score(&self, inks: &[Scorer], area: &Area) -> f64 {
        let best = |texts: &[String], without: Option<(usize, &str)>, least: f64, most: f64| {
            let mut best: Option<(f64, usize, usize)> = None;
            for (k, text) in texts.iter().enumerate() {
                for &i in &area.words {
                    let taken = without.is_some_and(|(j, said)| {
                        said == text || inks[i].place.shared(&inks[j].place) > 0.3
                    });
                    if taken {
                        continue;
                    }
                    let score = inks[i].score(text, least, most);
                    if best.is_none_or(|b| score > b.0) {
                        best = Some((score, i, k));
                    }
                }
            }
            best
        };
        let Some((last, at, which)) = best(&self.last, None, NOT_LAST, LAST) else {
            return NOT_LAST;
        };
        let said = Some((at, self.last[which].as_str()));
        let full = best(&self.other, said, NOT_OTHER, OTHER);
        let initials: Vec<String> = self
            .other
            .iter()
            .filter_map(|w| w.get(..1))
            .map(str::to_owned)
            .collect();
        let dotted: Vec<String> = initials.iter().map(|letter| format!("{letter}.")).collect();
        let initial = [initials, dotted].map(|texts| best(&texts, said, NOT_OTHER, INITIAL));
        let other = initial.into_iter().chain([full]).flatten().map(|b| b.0);
        let parted = last + other.reduce(f64::max).unwrap_or(0.0);
        let whole = best(&self.whole, None, NOT_LAST, LAST);
        whole.map_or(parted, |whole| whole.0.max(parted))
    }
}

/// Finds the areas of the two players and scores all players there.
fn players(header: &mut Header, inks: &[Scorer], areas: &[Area], names: &[Names]) {
    let scores: Vec<Vec<f64>> = areas
        .iter()
        .map(|area| names.iter().map(|name| name.score(inks, area)).collect())
        .collect();
    let top = |i: usize| scores[i].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let labelled = |field: Field| {
        let of = (0..areas.len()).filter(|&i| areas[i].field == Some(Some(field)));
        of.max_by(|&a, &b| top(a).total_cmp(&top(b)))
    };
    let of = [Field::White, Field::Black].map(labelled);
    let named = of.map(|area| area.filter(|&i| top(i) >= NAME));
    let mut others: Vec<usize> = (0..areas.len())
        .filter(|&i| areas[i].field.flatten().is_none())
        .filter(|&i| may_name(&areas[i]) && top(i) >= NAME)
        .filter(|&i| {
            let mut named = named.iter().flatten();
            named.all(|&known| areas[i].place.shared(&areas[known].place) < SAME)
        })
        .collect();
    others.sort_by(|&a, &b| areas[a].place.top.total_cmp(&areas[b].place.top));
    if let [first, second, ..] = others[..] {
        let (a, b) = (areas[first].place, areas[second].place);
        if level(&a, &b) > 0.5 && b.left < a.left {
            others.swap(0, 1);
        }
    }
    let mut others = others.into_iter();
    let [white, black] = match named {
        [None, None] if others.len() < 2 => of,
        _ => [0, 1].map(|side| named[side].or_else(|| others.next()).or(of[side])),
    };
    let listed = |i: usize| {
        let listed = scores[i].iter().copied().enumerate().collect();
        Scores::new(listed, NOT_LAST)
    };
    header.white = white.map(listed);
    header.black = black.map(listed);
}

/// The scores by the widest of the words of an area that say nothing but a number or a day, of those that say one of the
/// event's about as clearly as any: of `13`, also the `1` and the `3` are words, and so is a `3` with the side of its box.
fn figures<T: PartialEq + Copy>(
    inks: &[Scorer],
    area: &Area,
    known: impl Iterator<Item = T>,
    ways: impl Fn(T) -> Vec<String>,
) -> Option<Scores<T>> {
    let mut listed: Vec<(T, Vec<String>)> = Vec::new();
    for known in known {
        if listed.iter().all(|other| other.0 != known) {
            listed.push((known, ways(known)));
        }
    }
    if listed.is_empty() {
        return None;
    }
    let figure = |c: char| c.is_ascii_digit() || LIKE_ONE.contains(c);
    let said = |ink: &&Scorer| {
        let sign = |c: char| figure(c) || ".,/-:".contains(c);
        ink.text.chars().all(sign) && ink.text.chars().any(figure)
    };
    let scored = |ink: &Scorer| {
        let of = |ways: &Vec<String>| {
            let scores = ways
                .iter()
                .map(|text| ink.score_against(NUMBER, text, NOT_NUMBER, NUMBER));
            scores.fold(NOT_NUMBER, f64::max)
        };
        let scores: Vec<f64> = listed.iter().map(|(_, ways)| of(ways)).collect();
        let most = scores.iter().copied().fold(NOT_NUMBER, f64::max);
        (ink.place.width(), most, scores)
    };
    let inks = area.words.iter().map(|&i| &inks[i]);
    let mut scored: Vec<(f32, f64, Vec<f64>)> = inks.filter(said).map(scored).collect();
    let most = scored.iter().map(|s| s.1).fold(NOT_NUMBER, f64::max);
    scored.retain(|s| s.1 >= most - CLEAR);
    let widest = scored.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let listed = listed.into_iter().map(|(known, _)| known).zip(widest.2);
    Some(Scores::new(listed.collect(), NOT_NUMBER))
}

/// The ways in which a number is written.
fn digits(n: u32) -> Vec<String> {
    vec![format!("{n}"), format!("{n}."), format!("{n:02}")]
}

/// The ways in which a day is written in figures.
fn written(date: Date) -> Vec<String> {
    let (Some(year), Some(month), Some(day)) = (date.year, date.month, date.day) else {
        return Vec::new();
    };
    let mut ways = Vec::new();
    for sign in [".", "/", "-"] {
        for (m, d) in [
            (format!("{month}"), format!("{day}")),
            (format!("{month:02}"), format!("{day:02}")),
        ] {
            for y in [format!("{year}"), format!("{:02}", year % 100)] {
                ways.push([&*d, &m, &y].join(sign));
                ways.push([&*m, &d, &y].join(sign));
                ways.push([&*y, &m, &d].join(sign));
            }
            ways.push([&*d, &m].join(sign));
            ways.push([&*d, &m, ""].join(sign));
        }
    }
    ways
}

#[cfg(test)]
mod tests;
