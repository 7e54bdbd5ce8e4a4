//! The first number of each block, from what is read beside all its rows.

use rayon::prelude::*;

use super::NumberReader;
use super::network::NumberPosterior;
use super::parameters::Parameters;
use crate::grid::{Block, Grid, NumberColumn};

/// Where the numbers of a block may stand.
const COLUMNS: [NumberColumn; 3] = [
    NumberColumn::Left,
    NumberColumn::Right,
    NumberColumn::Between,
];

/// Where the numbers of a table stand, and what they tell.
pub struct LocatedNumbers {
    /// The column that they stand in.
    pub column: NumberColumn,
    /// The first number of each block as far as it is certain.
    pub firsts: Vec<Option<i32>>,
    /// Sum of the margins of the certain first numbers.
    pub margin_nats: f32,
}

/// The likeliest first number of a block.
struct FirstNumber {
    number: i32,
    /// Nats by which it is likelier than the second best.
    margin_nats: f32,
    certain: bool,
}

/// Finds the column in which the numbers of a table are the most certain; None where no block has a
/// certain first number. The column that the rulings suggest is tried first and taken if it makes
/// all blocks certain, but it may be a column of times.
pub fn locate_numbers(reader: &NumberReader, grid: &Grid) -> Option<LocatedNumbers> {
    let suggested = grid.blocks.first()?.number_column;
    let mut columns = COLUMNS.to_vec();
    columns.sort_by_key(|&column| column != suggested);
    let mut best: Option<LocatedNumbers> = None;
    for column in columns {
        // Beside a block without numbers of its own stand those of its neighbour.
        let blocks = grid.blocks.iter();
        let firsts = blocks.map(|block| estimate_first_number(reader, block, column));
        let Some(mut firsts) = firsts.collect::<Option<Vec<FirstNumber>>>() else {
            continue;
        };
        confirm_consecutive(
            &mut firsts,
            grid.blocks.iter().map(|block| block.rows.len()),
        );
        let certain = firsts.iter().filter(|first| first.certain);
        let margin_nats: f32 = certain.map(|first| first.margin_nats).sum();
        if margin_nats > best.as_ref().map_or(0.0, |best| best.margin_nats) {
            let number = |first: &FirstNumber| first.certain.then_some(first.number);
            best = Some(LocatedNumbers {
                column,
                firsts: firsts.iter().map(number).collect(),
                margin_nats,
            });
        }
        if firsts.iter().all(|first| first.certain) {
            break;
        }
    }
    best
}

/// The likeliest first number of a block; None where having no numbers is likelier.
///
/// The score of a first number is the largest sum of (log-probability of the row's number +
/// [`Parameters::row_bonus_nats`]) over a run of consecutive rows. A run and not all rows, since
/// lines below the table may have been taken for rows, and a shadow or a hand may hide some.
fn estimate_first_number(
    reader: &NumberReader,
    block: &Block,
    column: NumberColumn,
) -> Option<FirstNumber> {
    let Parameters {
        min_first_number,
        max_first_number,
        min_margin_nats,
        row_bonus_nats,
        ..
    } = *reader.parameters;
    let posteriors: Vec<NumberPosterior> = block
        .rows
        .par_iter()
        .map(|row| reader.read(row, column))
        .collect::<Option<_>>()?;
    let score = |first: i32| {
        let mut sum = 0.0f32;
        let rows = posteriors.iter().zip(first..);
        let sums = rows.map(|(posterior, number)| {
            sum = sum.max(0.0) + posterior.log_prob(number) + row_bonus_nats;
            sum
        });
        sums.fold(0.0, f32::max)
    };
    let firsts = min_first_number..=max_first_number;
    let mut scores: Vec<(f32, i32)> = firsts.map(|first| (score(first), first)).collect();
    scores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (best, number) = *scores.first()?;
    let margin_nats = best - scores.get(1)?.0;
    (best > 0.0).then_some(FirstNumber {
        number,
        margin_nats,
        certain: margin_nats >= min_margin_nats,
    })
}

/// Makes an uncertain first number certain where it follows on the last number of a block that is.
fn confirm_consecutive(firsts: &mut [FirstNumber], row_counts: impl Iterator<Item = usize>) {
    let mut next = None;
    for (first, rows) in firsts.iter_mut().zip(row_counts) {
        first.certain |= next == Some(first.number);
        next = first.certain.then_some(first.number + rows as i32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_uncertain_number_is_certain_where_it_follows_on_the_block_before() {
        let certain = |numbers: [i32; 3]| {
            let mut firsts = numbers.map(|number| FirstNumber {
                number,
                margin_nats: 0.0,
                certain: number == 1,
            });
            confirm_consecutive(&mut firsts, [10, 10, 10].into_iter());
            firsts.map(|first| first.certain)
        };
        assert_eq!(certain([1, 11, 21]), [true, true, true]);
        assert_eq!(certain([1, 12, 22]), [true, false, false]);
        assert_eq!(certain([31, 41, 51]), [false, false, false]);
    }
}
