//! Blocks whose numbers run into each other.

use super::NumberReader;
use super::block::NumberedBlock;
use crate::grid::{NumberColumn, Row};

/// Drops the `overlap` rows by which a block's numbers run into those of the next one, at the end
/// of the first block or at the top of the second, wherever the numbers are read worse; None where
/// no row of a block would be left.
pub fn resolve_overlap(
    reader: &NumberReader,
    before: &mut NumberedBlock,
    after: &mut NumberedBlock,
    overlap: usize,
    column: NumberColumn,
) -> Option<()> {
    let (a, b) = (before.block.rows.len(), after.block.rows.len());
    if overlap >= a || overlap >= b {
        return None;
    }
    // How much likelier the shared numbers are than no numbers, in nats.
    let score = |rows: &[Row]| -> f32 {
        let of_row = |(row, number)| {
            let posterior = reader.read(row, column);
            posterior.map_or(0.0, |p| p.log_prob(number) - p.log_prob_of_none())
        };
        rows.iter().zip(after.first..).map(of_row).sum()
    };
    if score(&before.block.rows[a - overlap..]) < score(&after.block.rows[..overlap]) {
        before.block.rows.truncate(a - overlap);
    } else {
        after.drop_first_rows(overlap);
    }
    Some(())
}
