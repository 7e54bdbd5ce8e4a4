//! Where everything stands on a printed sheet.

use super::parts::{FormBlock, Mark, Rect, SheetSize};

/// Largest number of blocks beside each other.
pub const MAX_BLOCKS: u8 = 4;
/// Smallest number of rows of a block.
const MIN_ROWS: u8 = 10;
/// Largest number of rows of a block; the table finder knows no block with more.
const MAX_ROWS: u8 = 40;
/// Smallest height of a row in millimetres. Carbonless A5 sheets with 30 rows have as much.
pub const MIN_ROW_MM: f64 = 4.5;
/// Height of a row in millimetres in which moves are written with ease.
pub const COMFORTABLE_ROW_MM: f64 = 7.0;
/// Smallest width of a move cell in millimetres: `Nbxd7+` in letters 4 mm high.
const MIN_CELL_MM: f64 = 14.0;
/// Largest number that a row of a continuation sheet may have.
const MAX_ROW_NUMBER: u16 = 999;

/// Why there is no form with these rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum FormError {
    /// There are too few or too many blocks.
    #[error("{0} blocks; a sheet has 1 to {MAX_BLOCKS}")]
    Blocks(u8),
    /// A block has too few or too many rows.
    #[error("{0} rows a block; there may be {MIN_ROWS} to {MAX_ROWS}")]
    Rows(u8),
    /// The rows are too low to be written in.
    #[error(
        "rows would be {0:.1} mm high, and at least {MIN_ROW_MM} mm are needed to write a move; \
         take fewer rows or a larger sheet"
    )]
    LowRows(f64),
    /// The cells are too narrow to be written in.
    #[error(
        "cells would be {0:.1} mm wide, and at least {MIN_CELL_MM} mm are needed to write a move; \
         take fewer blocks, a larger sheet, or no columns for the clock"
    )]
    NarrowCells(f64),
    /// The rows have numbers that no game reaches.
    #[error("rows from {0} on; their numbers may be 1 to {MAX_ROW_NUMBER}")]
    RowNumber(u16),
}

/// A printed sheet: its size, its rows and columns, and where all its parts stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SheetForm {
    pub(super) size: SheetSize,
    pub(super) blocks: u8,
    pub(super) rows: u8,
    pub(super) has_clocks: bool,
    pub(super) first_row: u16,
}

impl SheetForm {
    /// A form with so many blocks beside each other, each with so many rows, whose first one has
    /// the number `first_row`.
    ///
    /// # Errors
    /// [`FormError`] if it has no room for them.
    pub fn new(
        size: SheetSize,
        blocks: u8,
        rows: u8,
        has_clocks: bool,
        first_row: u16,
    ) -> Result<Self, FormError> {
        if !(1..=MAX_BLOCKS).contains(&blocks) {
            return Err(FormError::Blocks(blocks));
        }
        if !(MIN_ROWS..=MAX_ROWS).contains(&rows) {
            return Err(FormError::Rows(rows));
        }
        let form = Self {
            size,
            blocks,
            rows,
            has_clocks,
            first_row,
        };
        let last_row = first_row.saturating_add(form.row_count() - 1);
        if first_row == 0 || last_row > MAX_ROW_NUMBER {
            return Err(FormError::RowNumber(first_row));
        }
        // A height of exactly the bound passes in spite of rounding.
        if form.row_height() < MIN_ROW_MM - 1e-6 {
            return Err(FormError::LowRows(form.row_height()));
        }
        if form.cell_width() < MIN_CELL_MM {
            return Err(FormError::NarrowCells(form.cell_width()));
        }
        Ok(form)
    }

    /// The form that a sheet of this size has where nobody asks for another one: 60 rows of at
    /// least 7 mm, or 40 where a small one has columns for the clock.
    pub fn standard(size: SheetSize, has_clocks: bool) -> Self {
        let is_small = matches!(size, SheetSize::A5 | SheetSize::HalfLetter);
        let (blocks, rows) = match (is_small, has_clocks) {
            (false, _) => (2, 30),
            (true, false) => (3, 20),
            (true, true) => (2, 20),
        };
        Self {
            size,
            blocks,
            rows,
            has_clocks,
            first_row: 1,
        }
    }

    /// The form of the sheet on which a game goes on that has filled this one.
    ///
    /// # Errors
    /// [`FormError::RowNumber`] beyond the rows of any game.
    pub fn continuation(&self) -> Result<Self, FormError> {
        let first_row = self.first_row + self.row_count();
        Self::new(
            self.size,
            self.blocks,
            self.rows,
            self.has_clocks,
            first_row,
        )
    }

    /// The size of the sheet.
    pub fn size(&self) -> SheetSize {
        self.size
    }

    /// Number of the first row.
    pub fn first_row(&self) -> u16 {
        self.first_row
    }

    /// Whether there are columns for the clock.
    pub fn has_clocks(&self) -> bool {
        self.has_clocks
    }

    /// Number of blocks beside each other.
    pub fn block_count(&self) -> u8 {
        self.blocks
    }

    /// Number of rows of each block.
    pub fn rows_per_block(&self) -> u8 {
        self.rows
    }

    /// Number of rows of all blocks.
    pub fn row_count(&self) -> u16 {
        u16::from(self.blocks) * u16::from(self.rows)
    }

    /// Height of a row in millimetres.
    pub fn row_height(&self) -> f64 {
        let table = self.table();
        table.height() / f64::from(self.rows)
    }

    /// Width of a move cell in millimetres.
    pub fn cell_width(&self) -> f64 {
        let m = self.size.measures();
        let table = self.table();
        let gaps = f64::from(self.blocks - 1) * m.block_gap;
        let block = (table.width() - gaps) / f64::from(self.blocks);
        (block - m.number_width) / 2.0 - if self.has_clocks { m.clock_width } else { 0.0 }
    }

    /// The four marks, clockwise from the one at the top left, which differs from the others.
    pub fn marks(&self) -> [Mark; 4] {
        let [width, height] = self.size.dimensions();
        let m = self.size.measures();
        let (near, ring) = (m.margin + m.mark_radius, m.mark_radius);
        let [right, bottom] = [width - near, height - near];
        let mark = |centre, gap: f64| Mark {
            centre,
            ring,
            gap: gap * ring,
            dot: 0.2 * ring,
        };
        [
            mark([near, near], 0.45),
            mark([right, near], 0.6),
            mark([right, bottom], 0.6),
            mark([near, bottom], 0.6),
        ]
    }

    /// The square of the QR code, without the quiet zone of 4 modules around it.
    pub fn code_square(&self) -> Rect {
        let m = self.size.measures();
        let right = self.size.dimensions()[0] - self.corner_width();
        Rect {
            left: right - m.code_side,
            top: m.margin,
            right,
            bottom: m.margin + m.code_side,
        }
    }

    /// Width of a corner with a mark, from the sheet's edge.
    fn corner_width(&self) -> f64 {
        let m = self.size.measures();
        m.margin + 2.0 * m.mark_radius + m.mark_clearance
    }

    /// The part of the head for event, date, round and board: between the mark at the top left and
    /// the code.
    pub fn event_area(&self) -> Rect {
        let m = self.size.measures();
        let code = self.code_square();
        Rect {
            left: self.corner_width(),
            // The quiet zone of the code is 4 of its 25 modules wide.
            right: code.left - m.code_side * 4.0 / 25.0 - 0.5,
            top: code.top,
            bottom: code.bottom,
        }
    }

    /// The fields of White and of Black in the head.
    pub fn players(&self) -> [Rect; 2] {
        let m = self.size.measures();
        let top = self.code_square().bottom + m.head_gap;
        let table = self.table();
        let half = (table.width() - m.block_gap) / 2.0;
        let field = |left| Rect {
            left,
            top,
            right: left + half,
            bottom: top + m.players_height,
        };
        [field(table.left), field(table.right - half)]
    }

    /// The strip above the rows in which the headings of the columns stand.
    pub fn heading(&self) -> Rect {
        let table = self.table();
        Rect {
            top: table.top - self.size.measures().heading_height,
            bottom: table.top,
            ..table
        }
    }

    /// The area that the rows of all blocks fill, with their numbers, without the headings.
    pub fn table(&self) -> Rect {
        let [width, height] = self.size.dimensions();
        let m = self.size.measures();
        let head = m.margin + m.code_side + m.players_height + 2.0 * m.head_gap;
        Rect {
            left: m.margin,
            top: head + m.heading_height,
            right: width - m.margin,
            bottom: height - m.margin - m.foot_height,
        }
    }

    /// The blocks of rows from left to right, in playing order.
    pub fn blocks(&self) -> Vec<FormBlock> {
        let m = self.size.measures();
        let table = self.table();
        let gaps = f64::from(self.blocks - 1) * m.block_gap;
        let width = (table.width() - gaps) / f64::from(self.blocks);
        let cell = self.cell_width();
        let block = |index: u8| {
            let mut left = table.left + f64::from(index) * (width + m.block_gap);
            let mut next = |width: f64| {
                left += width;
                [left - width, left]
            };
            let numbers = next(m.number_width);
            let white = next(cell);
            let white_clock = self.has_clocks.then(|| next(m.clock_width));
            let black = next(cell);
            let black_clock = self.has_clocks.then(|| next(m.clock_width));
            FormBlock {
                first_row: self.first_row + u16::from(index) * u16::from(self.rows),
                rows: self.rows,
                top: table.top,
                bottom: table.bottom,
                numbers,
                white,
                white_clock,
                black,
                black_clock,
            }
        };
        (0..self.blocks).map(block).collect()
    }

    /// The part of the foot for result and signatures: below the rows, between the marks.
    pub fn foot(&self) -> Rect {
        let [width, height] = self.size.dimensions();
        let m = self.size.measures();
        Rect {
            left: self.corner_width(),
            top: self.table().bottom + m.head_gap,
            right: width - self.corner_width(),
            bottom: height - m.margin,
        }
    }

    /// The boxes for the result: White won, draw, Black won.
    pub fn result_boxes(&self) -> [Rect; 3] {
        let [width, height] = self.size.measures().result_box;
        let foot = self.foot();
        // The label above the boxes is 3 mm high.
        let top = foot.top + 3.0;
        [0.0, 1.0, 2.0].map(|index| {
            let left = foot.left + index * (width + 1.0);
            Rect {
                left,
                top,
                right: left + width,
                bottom: top + height,
            }
        })
    }

    /// The lines for the signatures of White and Black: each stands at the bottom of its area.
    pub fn signatures(&self) -> [Rect; 2] {
        let boxes = self.result_boxes();
        let foot = self.foot();
        let left = boxes[2].right + 4.0;
        let width = (foot.right - left - 4.0) / 2.0;
        [left, foot.right - width].map(|left| Rect {
            left,
            top: foot.top,
            right: left + width,
            bottom: boxes[0].bottom,
        })
    }
}
