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
/// What the reader may take a 1 for, and nats by which a wider word may say a number less clearly than a part of it.
const LIKE_ONE: &str = "il";
const CLEAR: f64 = 1.0;
/// Nats from which a word is a label.
const LABEL: f64 = 3.0;
/// Nats from which a field without a label holds a name.
const NAME: f64 = 3.0;
/// Rows between words of one field, where no label says that they are, and where one does; and from a label to its field.
const GAP: f32 = 1.8;
const FAR: f32 = 3.5;
const REACH: f32 = 12.0;
/// By how much of its height a word's foot may be off the line of its label, and by how much its lower edge may be lower.
const LEVEL: f32 = 0.3;
const DOWN: f32 = 0.15;
/// What a row between a word and its label counts beside that.
const NEARER: f32 = 0.02;
/// How much the lines of a header may fall or rise in one to the right, and in how many steps that is looked for.
const STEEPEST: f32 = 0.08;
const STEPS: u32 = 8;
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
    let words: Vec<&Ink> = free.iter().map(|&i| &inks[i]).collect();
    let slope = slope(&words, labels);
    let mut behind: Vec<Option<usize>> = vec![None; labels.len()];
    for i in free {
        let place = inks[i].place;
        let label = label_of(&place, labels, slope);
        let near = |p: Place| level(&p, &place) > 0.35 && place.left - p.right <= GAP;
        let beside =
            |area: &Area| area.field.is_none() && area.words.iter().any(|&j| near(inks[j].place));
        let known = label.and_then(|k| behind[k]);
        let label =
            label.filter(|_| known.is_none_or(|k| place.left - areas[k].place.right <= FAR));
        let known = known.filter(|_| label.is_some());
        let known = known.or_else(|| label.is_none().then(|| areas.iter().position(beside))?);
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

/// The label that a word stands behind: on its line, the nearest to it; or else the nearest above it.
fn label_of(place: &Place, labels: &[Label], slope: f32) -> Option<usize> {
    let left = labels.iter().enumerate().filter_map(|(k, label)| {
        let off = off_line(place, &label.place, slope)?;
        let apart = (place.left - label.place.right).max(0.0);
        (off <= LEVEL).then_some((k, off + NEARER * apart))
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

/// How far a word's foot is from the line that a label to its left stands on, as a share of the higher one's height; the foot of a
/// word lies higher than its lower edge where letters reach down.
fn off_line(word: &Place, label: &Place, slope: f32) -> Option<f32> {
    let apart = word.left - label.right;
    let middle = (word.left + word.right - label.left - label.right) / 2.0;
    let line = label.bottom + slope * middle;
    let high = (word.bottom - word.top).max(label.bottom - label.top);
    let reaches_down = DOWN * (word.bottom - word.top);
    let off = (line - (word.bottom - reaches_down)).abs() - reaches_down;
    (-0.5..REACH)
        .contains(&apart)
        .then_some(off.max(0.0) / high.max(1e-6))
}

/// By how much the lines of the header fall in one to the right: where most of the words stand on the line of a label.
fn slope(inks: &[&Ink], labels: &[Label]) -> f32 {
    let off = |slope: f32| -> f32 {
        let of = |ink: &&Ink| {
            let near = labels
                .iter()
                .filter_map(|label| off_line(&ink.place, &label.place, slope));
            ink.width() * near.fold(LEVEL, f32::min)
        };
        inks.iter().map(of).sum()
    };
    // From the level on, so that of two as good it is the less steep.
    let steps = (0..=STEPS).flat_map(|k| [k as f32, -(k as f32)]);
    let slopes = steps.map(|k| k * STEEPEST / STEPS as f32);
    let best = slopes.map(|slope| (slope, off(slope)));
    let best = best.reduce(|a, b| if b.1 < a.1 { b } else { a });
    best.map_or(0.0, |best| best.0)
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
    let of = [Field::White, Field::Black].map(labelled);
    let named = of.map(|area| area.filter(|&i| top(i) >= NAME));
    // Below the table are signatures, of which nobody says whose they are.
    let mut others: Vec<usize> = (0..areas.len())
        .filter(|&i| areas[i].field.flatten().is_none())
        .filter(|&i| areas[i].place.bottom < 0.5 && top(i) >= NAME)
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
    inks: &[Ink],
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
    let said = |ink: &&Ink| {
        let sign = |c: char| figure(c) || ".,/-:".contains(c);
        ink.text.chars().all(sign) && ink.text.chars().any(figure)
    };
    let scored = |ink: &Ink| {
        let of = |ways: &Vec<String>| {
            let scores = ways.iter().map(|text| ink.number(text));
            scores.fold(NOT_NUMBER, f64::max)
        };
        let scores: Vec<f64> = listed.iter().map(|(_, ways)| of(ways)).collect();
        let most = scores.iter().copied().fold(NOT_NUMBER, f64::max);
        (ink.width(), most, scores)
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
