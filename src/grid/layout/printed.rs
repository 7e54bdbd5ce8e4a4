//! The layout of a sheet that sheetscan has printed.

use super::{BlockLayout, FormLayout};
use crate::form::{FormBlock, SheetForm};
use crate::geometry::Point;
use crate::grid::NumberColumn;

impl FormLayout {
    /// The layout of a printed form; its corners are in millimetres of the sheet.
    pub fn of_form(form: &SheetForm) -> Self {
        let blocks = form.blocks();
        // Every form has a block.
        let (first, last) = (&blocks[0], &blocks[blocks.len() - 1]);
        let (left, right) = (first.white[0], last.black[1]);
        let corners = [
            (left, first.top),
            (right, first.top),
            (right, first.bottom),
            (left, first.bottom),
        ];
        let block_layout = |block: &FormBlock| {
            let (start, end) = (block.white[0], block.black[1]);
            let share = |x: f64| (x - start) / (end - start);
            BlockLayout {
                first: block.first_row.into(),
                across: [start, end].map(|x| (x - left) / (right - left)),
                down: [0.0, 1.0],
                white: block.white.map(share),
                black: block.black.map(share),
                number_column: NumberColumn::Left,
                edges: BlockLayout::equal_edges(block.rows.into()),
            }
        };
        Self {
            picture: form.size().dimensions(),
            corners: corners.map(|(x, y)| Point::new(x, y)),
            blocks: blocks.iter().map(block_layout).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::SheetSize;

    #[test]
    fn a_printed_form_has_its_cells_where_they_are_printed() {
        let form = SheetForm::standard(SheetSize::A5, true);
        let layout = FormLayout::of_form(&form);
        let [tl, _, br, _] = layout.corners;
        let at = |u: f64, v: f64| Point::new(tl.x + u * (br.x - tl.x), tl.y + v * (br.y - tl.y));
        let blocks = layout.blocks(at);
        let printed = form.blocks();
        assert_eq!(blocks.len(), printed.len());
        for (block, printed) in blocks.iter().zip(&printed) {
            assert_eq!(block.rows.len(), usize::from(printed.rows));
            assert_eq!(block.rows[0].number, u32::from(printed.first_row));
            for (i, row) in (0..).zip(&block.rows) {
                let (top, bottom) = (printed.row_edge(i), printed.row_edge(i + 1));
                for (cell, [left, right]) in
                    [(row.white, printed.white), (row.black, printed.black)]
                {
                    assert!(cell[0].distance(Point::new(left, top)) < 1e-9);
                    assert!(cell[2].distance(Point::new(right, bottom)) < 1e-9);
                }
            }
        }
    }
}
