//! The fields beside a table: the labels that the form prints for them, and where what is written behind these stands.

mod areas;
mod labels;

pub(crate) use areas::{Area, areas, level};

use crate::header::Place;
use crate::reader::{Scorer, WordReading};

use labels::labels;

/// Nats from which a word is a label, and those that it says at least for one.
const LABEL: f64 = 3.0;
const NO_LABEL: f64 = -2.5;
/// Share of its smaller that two labels may have in common.
const APART: f32 = 0.3;

/// Rows by which the labels of a column may begin apart.
const COLUMN: f32 = 1.0;
/// From one line of a form to the next, in heights of a label: where no other label tells, and the least and the most.
const LINE: (f32, f32, f32) = (2.2, 0.8, 4.5);
/// What of a line's height a hand takes above the foot of a label and below it.
const ABOVE: f32 = 0.95;
const BELOW: f32 = 0.35;
/// Rows that a field takes to the right at most, and what it leaves free before the next label.
const LONGEST: f32 = 14.0;
const FREE: f32 = 0.2;
/// Labels that are followed, the clearest: those of four blocks, of two names, of two signatures and of three numbers.
const MOST_LINES: usize = 15;
/// Heights of a line from which a label may come next: what stands nearer was written, and read as one.
const NEAREST: f32 = 1.5;
/// What a line falls or rises at most in one to the right, up to the next label on it.
const STEEP: f32 = 0.02;

/// A field of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    White,
    Black,
    Round,
    Board,
    Date,
}

/// A label that was read.
#[derive(Debug)]
pub(crate) struct Label {
    pub place: Place,
    /// None where it is that of a field of no use here.
    pub field: Option<Field>,
}

/// The words that are labels, the likeliest first where several share their ink.
pub(crate) fn found(words: &[Scorer]) -> Vec<Label> {
    let mut found: Vec<(f64, Label)> = Vec::new();
    for word in words {
        let score = |(field, label): (Option<Field>, &str)| {
            let signs = ["", ":", "."].map(|sign| format!("{label}{sign}"));
            let scores = signs.map(|text| word.score(&text, NO_LABEL, f64::INFINITY));
            (scores.into_iter().fold(f64::NEG_INFINITY, f64::max), field)
        };
        let best = labels().map(score).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((score, field)) = best.filter(|best| best.0 >= LABEL) {
            let place = word.place;
            found.push((score, Label { place, field }));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Label> = Vec::new();
    for (_, label) in found {
        let apart = |other: &Label| label.place.shared(&other.place) < APART;
        if kept.iter().all(apart) {
            kept.push(label);
        }
    }
    // What stands right behind a label of another field was written there.
    let behind = |a: &Label, b: &Label| {
        let gap = a.place.left - b.place.right;
        let fields = a.field.is_some() && b.field.is_some() && a.field != b.field;
        fields && level(&a.place, &b.place) > 0.5 && (0.0..b.place.height() * 2.0).contains(&gap)
    };
    let written: Vec<bool> = kept
        .iter()
        .map(|a| kept.iter().any(|b| behind(a, b)))
        .collect();
    let mut written = written.into_iter();
    kept.retain(|_| written.next() != Some(true));
    kept
}

/// Where the lines begin on which players, round, board and date stand, by all the words of a page: hands write into the lines
/// above and below, so that by its ink alone a name may hang together with another.
pub(crate) fn lines(words: &[WordReading]) -> Vec<Place> {
    let words: Vec<Scorer> = words.iter().map(WordReading::scorer).collect();
    let labels = found(&words);
    let of_use = labels.iter().filter(|label| label.field.is_some());
    of_use
        .take(MOST_LINES)
        .filter_map(|label| line(&label.place, &labels))
        .collect()
}

/// The line behind a label; none where the next label leaves no room.
fn line(label: &Place, labels: &[Label]) -> Option<Place> {
    let high = label.height();
    let apart = |other: &Label| {
        let same = (other.place.left - label.left).abs() <= COLUMN;
        let apart = (other.place.bottom - label.bottom).abs();
        (same && apart >= LINE.1 * high).then_some(apart)
    };
    let line = labels.iter().filter_map(apart).reduce(f32::min);
    let line = line.unwrap_or(LINE.0 * high).min(LINE.2 * high);
    let next = labels.iter().filter(|other| {
        let off = (other.place.bottom - label.bottom).abs();
        let apart = other.place.left - label.right;
        apart > NEAREST * line && off < line / 2.0 + STEEP * apart
    });
    let next = next.map(|other| other.place.left - FREE);
    let right = next.fold(label.right + LONGEST, f32::min);
    let left = label.right + FREE / 4.0;
    (right - left >= line).then_some(Place {
        left,
        top: label.bottom - ABOVE * line,
        right,
        bottom: label.bottom + BELOW * line,
    })
}

#[cfg(test)]
mod tests;
