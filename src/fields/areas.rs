//! Which words of a header stand in one field, and behind which label: by their places alone.

use crate::header::Place;

use super::{Field, Label};

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

/// Words that stand on one line without a label between them.
pub(crate) struct Area {
    pub words: Vec<usize>,
    pub place: Place,
    /// What its label says; none without a label.
    pub field: Option<Option<Field>>,
}

/// Share of the lower of two places' heights that they have in common.
pub(crate) fn level(a: &Place, b: &Place) -> f32 {
    let shared = a.bottom.min(b.bottom) - a.top.max(b.top);
    shared / (a.bottom - a.top).min(b.bottom - b.top).max(1e-6)
}

/// The words that are no labels, gathered by the label they stand behind, or else by the line.
pub(crate) fn areas(words: &[Place], labels: &[Label]) -> Vec<Area> {
    let mut free: Vec<usize> = (0..words.len()).collect();
    free.retain(|&i| {
        let place = words[i];
        labels.iter().all(|label| place.shared(&label.place) < 0.5)
    });
    free.sort_by(|&a, &b| words[a].left.total_cmp(&words[b].left));
    let mut areas: Vec<Area> = Vec::new();
    let standing: Vec<Place> = free.iter().map(|&i| words[i]).collect();
    let slope = slope(&standing, labels);
    let mut behind: Vec<Option<usize>> = vec![None; labels.len()];
    for i in free {
        let place = words[i];
        let label = label_of(&place, labels, slope);
        let near = |p: Place| level(&p, &place) > 0.35 && place.left - p.right <= GAP;
        let beside =
            |area: &Area| area.field.is_none() && area.words.iter().any(|&j| near(words[j]));
        let known = label.and_then(|k| behind[k]);
        let label =
            label.filter(|_| known.is_none_or(|k| place.left - areas[k].place.right <= FAR));
        let known = known.filter(|_| label.is_some());
        let known = known.or_else(|| label.is_none().then(|| areas.iter().position(beside))?);
        if let Some(area) = known.map(|k| &mut areas[k]) {
            area.words.push(i);
            area.place = area.place.with(&place);
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
fn slope(words: &[Place], labels: &[Label]) -> f32 {
    let off = |slope: f32| -> f32 {
        let of = |word: &Place| {
            let near = labels
                .iter()
                .filter_map(|label| off_line(word, &label.place, slope));
            (word.right - word.left) * near.fold(LEVEL, f32::min)
        };
        words.iter().map(of).sum()
    };
    // From the level on, so that of two as good it is the less steep.
    let steps = (0..=STEPS).flat_map(|k| [k as f32, -(k as f32)]);
    let slopes = steps.map(|k| k * STEEPEST / STEPS as f32);
    let best = slopes.map(|slope| (slope, off(slope)));
    let best = best.reduce(|a, b| if b.1 < a.1 { b } else { a });
    best.map_or(0.0, |best| best.0)
}
