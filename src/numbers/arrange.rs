//! The table with the first numbers that its blocks were found to have.

use super::NumberReader;
use super::block::NumberedBlock;
use super::ends;
use super::network::NumberPosterior;
use super::overlap::resolve_overlap;
use crate::grid::{Block, Grid, NumberColumn};
use crate::ink;

/// The table with these first numbers, one a block, None where it is not certain. None where they
/// contradict each other.
pub fn arrange_blocks(
    reader: &NumberReader,
    grid: &Grid,
    column: NumberColumn,
    firsts: &[Option<i32>],
) -> Option<Grid> {
    let (grid_blocks, firsts) = drop_unnumbered_blocks(reader, grid, column, firsts);
    let max_overlap = reader.parameters.max_overlap_rows;
    let mut blocks = assign_first_numbers(reader, grid_blocks, &firsts)?;
    if firsts.iter().all(Option::is_some) && !blocks.is_sorted_by_key(|block| block.first) {
        blocks.sort_by_key(|block| block.first);
        // Blocks that stand out of their order are believed where each follows on another: `01` may
        // have been read as 61.
        let follows = |pair: &[NumberedBlock]| {
            let overlap = pair[0].next() - pair[1].first;
            overlap.abs() <= max_overlap
        };
        blocks.windows(2).all(follows).then_some(())?;
    }
    for block in &mut blocks {
        let above = (1 - block.first).clamp(0, block.block.rows.len() as i32);
        block.drop_first_rows(above as usize);
    }
    fit_ends(reader, column, &mut blocks, &firsts);
    for (i, first) in firsts.iter().enumerate().skip(1) {
        let (before, after) = blocks.split_at_mut(i);
        let (before, after) = (before.last_mut()?, after.first_mut()?);
        let overlap = before.next() - after.first;
        if overlap > 0 {
            (first.is_some() && overlap <= max_overlap).then_some(())?;
            resolve_overlap(reader, before, after, overlap as usize, column)?;
        }
    }
    let blocks = blocks
        .into_iter()
        .map(|NumberedBlock { first, mut block }| {
            for (row, number) in block.rows.iter_mut().zip(first..) {
                row.number = u32::try_from(number).ok()?;
            }
            Some(block)
        });
    Some(Grid {
        blocks: blocks.collect::<Option<_>>()?,
        ..grid.clone()
    })
}

/// Gives each block its first number. A block whose own is not certain follows on the block before
/// it, or leads to the first block that is certain.
fn assign_first_numbers(
    reader: &NumberReader,
    blocks: Vec<Block>,
    firsts: &[Option<i32>],
) -> Option<Vec<NumberedBlock>> {
    let row_counts: Vec<i32> = blocks.iter().map(|block| block.rows.len() as i32).collect();
    let mut numbered: Vec<NumberedBlock> = Vec::with_capacity(blocks.len());
    for (block, first) in blocks.into_iter().zip(firsts) {
        let first = match (first, numbered.last()) {
            (Some(first), _) => *first,
            (None, Some(before)) => before.next(),
            (None, None) => {
                let known = firsts.iter().position(Option::is_some)?;
                let first = firsts[known]? - row_counts[..known].iter().sum::<i32>();
                if first > reader.parameters.max_missed_rows {
                    first
                } else {
                    1
                }
            }
        };
        numbered.push(NumberedBlock { first, block });
    }
    Some(numbered)
}

/// Drops rows without a number and adds missed rows at the ends of each block whose first number is
/// certain, as far as the neighbouring blocks leave room for the numbers.
fn fit_ends(
    reader: &NumberReader,
    column: NumberColumn,
    blocks: &mut [NumberedBlock],
    firsts: &[Option<i32>],
) {
    for i in (0..blocks.len()).filter(|&i| firsts[i].is_some()) {
        let last_before = i.checked_sub(1).map_or(0, |i| blocks[i].next() - 1);
        let first_behind = blocks.get(i + 1).map(|block| block.first);
        let certain_behind = first_behind.filter(|_| firsts[i + 1].is_some());
        let block = &mut blocks[i];
        ends::trim_unnumbered_rows(reader, block, column, certain_behind);
        ends::extend_numbered_rows(reader, block, column, (last_before, first_behind));
    }
}

/// The blocks without the blank ones that have no numbers, where all others are numbered legibly,
/// and the first numbers of those that are left.
fn drop_unnumbered_blocks(
    reader: &NumberReader,
    grid: &Grid,
    column: NumberColumn,
    firsts: &[Option<i32>],
) -> (Vec<Block>, Vec<Option<i32>>) {
    let mean_log_prob = |block: &Block, first: i32| {
        let rows = block.rows.iter().zip(first..=NumberPosterior::MAX_NUMBER);
        let log_probs = rows.map(|(row, number)| reader.log_prob(row, column, number));
        let log_probs: Vec<f32> = log_probs.collect();
        log_probs.iter().sum::<f32>() / log_probs.len().max(1) as f32
    };
    let is_blank = |block: &Block| {
        let rows = block.rows.iter().map(|row| [row.white, row.black]);
        ink::are_mostly_blank(&reader.page.luma, rows)
    };
    let is_unnumbered = |block: &Block, first: i32| {
        mean_log_prob(block, first) < reader.parameters.max_unnumbered_nats
    };
    let numbered = grid.blocks.iter().zip(firsts);
    let others_are_legible = || {
        let is_legible = |block: &Block, first: i32| {
            mean_log_prob(block, first) >= reader.parameters.min_legible_nats
        };
        let mut blocks = numbered.clone();
        blocks.all(|(block, first)| first.is_none_or(|first| is_legible(block, first)))
    };
    let mut next = 1;
    let kept = numbered.clone().filter(|(block, first)| {
        let drop = first.is_none()
            && is_unnumbered(block, next)
            && is_blank(block)
            && others_are_legible();
        next = first.unwrap_or(next) + block.rows.len() as i32;
        !drop
    });
    kept.map(|(block, first)| (block.clone(), *first)).unzip()
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::*;
    use crate::geometry::Point;
    use crate::grid::Row;
    use crate::numbers::Parameters;
    use crate::page::Page;

    /// The first number of each of two blocks of ten rows, from left to right, after they were
    /// arranged with these first numbers. The page is black, so that no number is read on it.
    fn arrange(firsts: [i32; 2]) -> Option<Vec<u32>> {
        let row = |left: f64, number: u32| {
            let top = 20.0 * f64::from(number);
            let quad = |left: f64| {
                let corners = [(left, top), (left + 50.0, top)];
                let lower = [(left + 50.0, top + 20.0), (left, top + 20.0)];
                [corners[0], corners[1], lower[0], lower[1]].map(|(x, y)| Point::new(x, y))
            };
            Row {
                number,
                white: quad(left),
                black: quad(left + 50.0),
            }
        };
        let block = |left: f64| Block {
            rows: (1..=10).map(|n| row(left, n)).collect(),
            number_column: NumberColumn::Left,
        };
        let grid = Grid {
            blocks: vec![block(100.0), block(300.0)],
            ..Grid::default()
        };
        let page = Page::new("a.png".into(), 1, String::new(), GrayImage::new(500, 300));
        let reader = NumberReader {
            page: &page,
            parameters: &Parameters::default(),
        };
        let arranged = arrange_blocks(&reader, &grid, NumberColumn::Left, &firsts.map(Some))?;
        let mut blocks = arranged.blocks;
        blocks.sort_by(|a, b| a.rows[0].white[0].x.total_cmp(&b.rows[0].white[0].x));
        Some(blocks.iter().map(|block| block.rows[0].number).collect())
    }

    #[test]
    fn blocks_out_of_their_order_are_believed_where_each_follows_on_another() {
        assert_eq!(arrange([11, 1]), Some(vec![11, 1]));
        assert_eq!(arrange([1, 31]), Some(vec![1, 31]));
        // The left block's `01` was read as 61.
        assert_eq!(arrange([61, 11]), None);
    }
}
