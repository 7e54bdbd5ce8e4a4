//! Where the printed numbers of the blocks stand, by the map of numbers.

use super::NumberColumn;
use super::blocks::TableBlock;
use super::segmentation::{Channel, Segmentation};

/// How far from a block's columns numbers stand at most, as a share of White's width.
const REACH: f64 = 0.5;
/// Number of places across such a strip, and down the block, that are looked at.
const PROBES: (usize, usize) = (8, 24);
/// Smallest mean probability of numbers down a strip.
const MIN_PROBABILITY: f32 = 0.3;

/// The place of the number column that the blocks together speak for.
pub fn find_number_column<'a>(
    blocks: impl Iterator<Item = &'a TableBlock<'a>>,
    maps: &Segmentation,
) -> NumberColumn {
    let blocks: Vec<&TableBlock> = blocks.collect();
    let places = [
        NumberColumn::Left,
        NumberColumn::Between,
        NumberColumn::Right,
    ];
    let evidence = places.map(|place| {
        let of_blocks = blocks
            .iter()
            .map(|block| number_evidence(block, place, maps));
        (of_blocks.sum::<f32>() / blocks.len().max(1) as f32, place)
    });
    let best = evidence.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let seen = best.filter(|(probability, _)| *probability >= MIN_PROBABILITY);
    seen.map_or(NumberColumn::Absent, |(_, place)| place)
}

/// Mean probability of numbers down the likeliest line of the strip where a block would have them.
fn number_evidence(block: &TableBlock, place: NumberColumn, maps: &Segmentation) -> f32 {
    let ([left, white_right], [black_left, right]) = (block.columns.white, block.columns.black);
    let reach = REACH * (white_right - left);
    let (from, to) = match place {
        NumberColumn::Left => (left - reach, left),
        NumberColumn::Between => (white_right, black_left),
        NumberColumn::Right => (right, right + reach),
        NumberColumn::Absent => return 0.0,
    };
    let (across, down) = PROBES;
    let share = |i: usize, n: usize| (i as f64 + 0.5) / n as f64;
    let line = |i: usize| {
        let u = from + (to - from) * share(i, across);
        let probability = |j: usize| {
            let rows =
                f64::from(block.rows.0) + f64::from(block.rows.1 - block.rows.0) * share(j, down);
            maps.at(
                Channel::Numbers,
                block.table.surface.at(u, rows / block.table.rows as f64),
            )
        };
        (0..down).map(probability).sum::<f32>() / down as f32
    };
    (0..across).map(line).fold(0.0, f32::max)
}
