//! A block together with the number of its first row.

use crate::grid::Block;

/// A block and the number of its first row, which may lie below 1 until the rows above number 1
/// are dropped.
pub struct NumberedBlock {
    /// Number of the first row.
    pub first: i32,
    /// The block; the numbers in its rows are not yet those of the print.
    pub block: Block,
}

impl NumberedBlock {
    /// Number of the row that would follow on the last one.
    pub fn next(&self) -> i32 {
        self.first + self.block.rows.len() as i32
    }

    /// Drops so many rows at the top.
    pub fn drop_first_rows(&mut self, count: usize) {
        self.block.rows.drain(..count);
        self.first += count as i32;
    }
}
