//! The header of a sheet as a hand has filled it in, scored against the players, rounds, boards and days of the event.
//!
//! A word is never read by itself: of each string that the event knows it is asked how well it fits the ink, against what
//! a string of its length fits by chance. Which field a word stands in is told by the label in print to its left or
//! above it; where no label was read, the first player is White.

use crate::header::Place;
use crate::reader::{Scorer, WordReading};

use super::Event;
use super::dates::Date;
use super::header::{Header, Scores};
use super::labels::labels;
use super::names::{spellings, words};

/// Share of the reader's log-probability that counts: it is surer than right.
const TRUST: f64 = 0.6;
/// Nats that a character of a free string costs, and what is known before the first: the model of words gives a made-up
/// name of the length of `Rossi` one in some thousands.
const CHARACTER: f64 = 1.6;
const FREE: f64 = -1.5;
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
/// Nats from which a word is a label.
const LABEL: f64 = 3.0;
/// Nats from which a field without a label holds a name.
const NAME: f64 = 3.0;
/// Rows between words of one field, and from a label to its field.
const GAP: f32 = 1.8;
const REACH: f32 = 12.0;
/// By how much of its height a word's foot may be off that of its label, and by how much of the way between them.
const LEVEL: f32 = 0.4;
const ASLANT: f32 = 0.05;
/// Rows from a label down to what is written under it.
const UNDER: f32 = 1.3;

/// A field of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    White,
    Black,
    Round,
    Board,
    Date,
}

/// A word to be scored.
struct Ink<'a> {
    place: Place,
    text: &'a str,
    scorer: Scorer,
}

impl Ink<'_> {
    /// Nats for the word saying a string, against its saying any other.
    fn score(&self, text: &str, least: f64, most: f64) -> f64 {
        let free = CHARACTER * text.len() as f64 + FREE;
        self.score_against(free, text, least, most)
    }

    /// Nats for the word saying one number or day of a few.
    fn number(&self, text: &str) -> f64 {
        self.score_against(NUMBER, text, NOT_NUMBER, NUMBER)
    }

    fn score_against(&self, free: f64, text: &str, least: f64, most: f64) -> f64 {
        let (long, read) = (text.len(), self.text.len());
        if long.abs_diff(read) > 1 + long.max(read) / 3 {
            // Too long or too short by far: not worth the sum.
            return least;
        }
        let log = f64::from(self.scorer.log_probability(text));
        // A word that nobody can read says nothing against any string.
        let mixed = ((TRUST * log + free).exp() + least.exp()).ln();
        mixed.min(most)
    }

    fn width(&self) -> f32 {
        self.place.right - self.place.left
    }
}

/// A label that was read.
struct Label {
    place: Place,
    field: Option<Field>,
}

/// Words that stand on one line without a label between them.
struct Area {
    words: Vec<usize>,
    place: Place,
    field: Option<Option<Field>>,
}

impl Header {
    /// The scores of what was read outside the table of a sheet.
    pub fn handwritten(event: &Event, read: &[WordReading]) -> Self {
        let inks: Vec<Ink> = read
            .iter()
            .map(|word| Ink {
                place: word.place(),
                text: &word.text,
                scorer: word.scorer(),
            })
            .collect();
        let found = found_labels(&inks);
        let areas = areas(&inks, &found);
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
                    header.round = numbers(&inks, area, event.pairings.iter().map(|p| p.round));
                }
                Some(Some(Field::Board)) if header.board.is_none() => {
                    header.board =
                        numbers(&inks, area, event.pairings.iter().filter_map(|p| p.board));
                }
                Some(Some(Field::Date)) if header.date.is_none() => {
                    let days = event.pairings.iter().map(|p| p.date);
                    header.date = self::days(&inks, area, days.filter(|day| day.is_whole()));
                }
                _ => {}
            }
        }
        header
    }
}

/// The words that are labels, the likeliest first where several share their ink.
fn found_labels(inks: &[Ink]) -> Vec<Label> {
    let mut found: Vec<(f64, Label)> = Vec::new();
    for ink in inks {
        let score = |(field, word): (Option<Field>, &str)| {
            let signs = ["", ":", "."].map(|sign| format!("{word}{sign}"));
            let scores = signs.map(|text| ink.score(&text, NOT_LAST, f64::INFINITY));
            (scores.into_iter().fold(f64::NEG_INFINITY, f64::max), field)
        };
        let best = labels().map(score).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((score, field)) = best.filter(|best| best.0 >= LABEL) {
            let place = ink.place;
            found.push((score, Label { place, field }));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Label> = Vec::new();
    for (_, label) in found {
        if kept
            .iter()
            .all(|other| covered(&label.place, &other.place) < 0.3)
        {
            kept.push(label);
        }
    }
    kept
}

/// Share of the smaller of two places that lies in the other.
fn covered(a: &Place, b: &Place) -> f32 {
    let wide = (a.right.min(b.right) - a.left.max(b.left)).max(0.0);
    let high = (a.bottom.min(b.bottom) - a.top.max(b.top)).max(0.0);
    let area = |p: &Place| (p.right - p.left) * (p.bottom - p.top);
    wide * high / area(a).min(area(b)).max(1e-6)
}

/// Share of the lower of two places' heights that they have in common.
fn level(a: &Place, b: &Place) -> f32 {
    let shared = a.bottom.min(b.bottom) - a.top.max(b.top);
    shared / (a.bottom - a.top).min(b.bottom - b.top).max(1e-6)
}

/// The words that are no labels, gathered by the label they stand behind, or else by the line.
fn areas(inks: &[Ink], labels: &[Label]) -> Vec<Area> {
    let mut free: Vec<usize> = (0..inks.len()).collect();
    free.retain(|&i| {
        let place = inks[i].place;
        labels
            .iter()
            .all(|label| covered(&place, &label.place) < 0.5)
    });
    free.sort_by(|&a, &b| inks[a].place.left.total_cmp(&inks[b].place.left));
    let mut areas: Vec<Area> = Vec::new();
    let mut behind: Vec<Option<usize>> = vec![None; labels.len()];
    for i in free {
        let place = inks[i].place;
        let label = label_of(&place, labels);
        let near = |p: Place| level(&p, &place) > 0.35 && place.left - p.right <= GAP;
        let beside =
            |area: &Area| area.field.is_none() && area.words.iter().any(|&j| near(inks[j].place));
        let known = match label {
            Some(k) => behind[k],
            None => areas.iter().position(beside),
        };
        if let Some(area) = known.map(|k| &mut areas[k]) {
            area.words.push(i);
            area.place = Place {
                left: area.place.left.min(place.left),
                top: area.place.top.min(place.top),
                right: area.place.right.max(place.right),
                bottom: area.place.bottom.max(place.bottom),
            };
            continue;
        }
        if let Some(k) = label {
            behind[k] = Some(areas.len());
        }
        areas.push(Area {
            words: vec![i],
            place,
            field: label.map(|k| labels[k].field),
        });
    }
    areas.sort_by(|a, b| {
        let (a, b) = (a.place, b.place);
        a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left))
    });
    areas
}

/// The label that a word stands behind: on its line, the nearest to its left; or else the nearest above it. Lines may rise
/// or fall a little.
fn label_of(place: &Place, labels: &[Label]) -> Option<usize> {
    let high = |p: &Place| p.bottom - p.top;
    let left = labels.iter().enumerate().filter_map(|(k, label)| {
        let apart = place.left - label.place.right;
        let lower = (place.bottom - label.place.bottom).abs();
        let most = LEVEL * high(place).max(high(&label.place)) + ASLANT * apart.max(0.0);
        let there = (-0.5..REACH).contains(&apart) && lower <= most;
        there.then(|| (k, lower + ASLANT * apart.max(0.0)))
    });
    let above = labels.iter().enumerate().filter_map(|(k, label)| {
        let apart = place.top - label.place.bottom;
        let over = label.place.left < place.right && place.left - UNDER < label.place.right;
        ((-0.3..UNDER).contains(&apart) && over).then_some((k, apart))
    });
    let nearest = left.min_by(|a, b| a.1.total_cmp(&b.1));
    let nearest = nearest.or_else(|| above.min_by(|a, b| a.1.total_cmp(&b.1)));
    nearest.map(|(k, _)| k)
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
    fn score(&self, inks: &[Ink], area: &Area) -> f64 {
        let best = |texts: &[String], without: Option<(usize, &str)>, least: f64, most: f64| {
            let mut best: Option<(f64, usize, usize)> = None;
            for (k, text) in texts.iter().enumerate() {
                for &i in &area.words {
                    let taken = without.is_some_and(|(j, said)| {
                        said == text || covered(&inks[i].place, &inks[j].place) > 0.3
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
fn players(header: &mut Header, inks: &[Ink], areas: &[Area], names: &[Names]) {
    let scores: Vec<Vec<f64>> = areas
        .iter()
        .map(|area| names.iter().map(|name| name.score(inks, area)).collect())
        .collect();
    let top = |i: usize| scores[i].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let labelled = |field: Field| {
        let of = (0..areas.len()).filter(|&i| areas[i].field == Some(Some(field)));
        of.max_by(|&a, &b| top(a).total_cmp(&top(b)))
    };
    let (mut white, mut black) = (labelled(Field::White), labelled(Field::Black));
    // Below the table are signatures, of which nobody says whose they are.
    let mut others: Vec<usize> = (0..areas.len())
        .filter(|&i| areas[i].field.is_none() && areas[i].place.bottom < 0.5 && top(i) >= NAME)
        .collect();
    others.sort_by(|&a, &b| areas[a].place.top.total_cmp(&areas[b].place.top));
    if let [first, second, ..] = others[..] {
        let (a, b) = (areas[first].place, areas[second].place);
        if level(&a, &b) > 0.5 && b.left < a.left {
            others.swap(0, 1);
        }
    }
    match (white, black) {
        (None, None) => {
            if let [first, second, ..] = others[..] {
                (white, black) = (Some(first), Some(second));
            }
        }
        (Some(_), None) => black = others.first().copied(),
        (None, Some(_)) => white = others.first().copied(),
        _ => {}
    }
    let listed = |i: usize| {
        let listed = scores[i].iter().copied().enumerate().collect();
        Scores::new(listed, NOT_LAST)
    };
    header.white = white.map(listed);
    header.black = black.map(listed);
}

/// The widest word of an area that says nothing but a number or a day, if the first that does not is far enough.
fn figures<'a, 'b>(inks: &'a [Ink<'b>], area: &Area) -> Option<&'a Ink<'b>> {
    let figures = |ink: &&Ink| {
        let sign = |c: char| c.is_ascii_digit() || ".,/-:".contains(c);
        ink.text.chars().all(sign) && ink.text.chars().any(|c| c.is_ascii_digit())
    };
    let inks = area.words.iter().map(|&i| &inks[i]);
    inks.filter(figures)
        .max_by(|a, b| a.width().total_cmp(&b.width()))
}

fn numbers(inks: &[Ink], area: &Area, known: impl Iterator<Item = u32>) -> Option<Scores<u32>> {
    let ink = figures(inks, area)?;
    let mut known: Vec<u32> = known.collect();
    known.sort_unstable();
    known.dedup();
    let score = |n: u32| {
        let texts = [format!("{n}"), format!("{n}."), format!("{n:02}")];
        let scores = texts.map(|text| ink.number(&text));
        (n, scores.into_iter().fold(f64::NEG_INFINITY, f64::max))
    };
    let listed: Vec<(u32, f64)> = known.into_iter().map(score).collect();
    (!listed.is_empty()).then(|| Scores::new(listed, NOT_NUMBER))
}

fn days(inks: &[Ink], area: &Area, known: impl Iterator<Item = Date>) -> Option<Scores<Date>> {
    let ink = figures(inks, area)?;
    let mut listed: Vec<(Date, f64)> = Vec::new();
    for date in known {
        if listed.iter().any(|other| other.0 == date) {
            continue;
        }
        let scores = written(date).into_iter();
        let scores = scores.map(|text| ink.number(&text));
        listed.push((date, scores.fold(NOT_NUMBER, f64::max)));
    }
    (!listed.is_empty()).then(|| Scores::new(listed, NOT_NUMBER))
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
