//! Blocks taken for single columns: where nothing is ruled upright and nothing is written yet,
//! White and Black of one block may look like one wide column, and two blocks like one. The blocks
//! of a form are alike, so that those beside them tell.

use super::columns::MOST_BLOCKS;
use super::view::View;
use super::{Block, Grid, Row};
use crate::geometry::{Point, Quad};
use crate::ink;
use crate::robust::median;

/// Width of a column by that of a whole block, both by the height of their rows, where it may be
/// one.
const WHOLE: (f64, f64) = (0.8, 1.25);

/// The table with two blocks for a blank one whose columns are each as wide as another block, its
/// rows numbered as they were. What is written tells where columns are.
pub fn parted(mut grid: Grid, view: &View) -> Grid {
    let blank = |block: &Block| {
        let quads = |row: &Row| [row.white, row.black].map(|quad| quad.map(|p| view.in_view(p)));
        ink::are_mostly_blank(&view.picture, block.rows.iter().map(quads))
    };
    let mut blocks: Vec<Block> = Vec::new();
    for (i, block) in grid.blocks.iter().enumerate() {
        let room = blocks.len() + 2 + (grid.blocks.len() - i - 1) <= MOST_BLOCKS;
        let others = grid.blocks.iter().enumerate();
        let mut others = others.filter(|(j, _)| *j != i).map(|(_, other)| other);
        let model = others.find(|other| is_two(block, other));
        match model.filter(|_| room && blank(block)) {
            Some(model) => blocks.extend(like(block, model)),
            None => blocks.push(block.clone()),
        }
    }
    grid.blocks = blocks;
    grid
}

/// Whether each column of a block is as wide as the whole of another.
fn is_two(block: &Block, other: &Block) -> bool {
    let usual = |of: &Block, width: fn(&Row) -> f64| {
        let rows = of.rows.iter();
        let shares = rows.map(|row| width(row) / row.white[0].distance(row.white[3]).max(1.0));
        median(shares, f64::total_cmp).unwrap_or(0.0)
    };
    let whole = usual(other, |row| row.white[0].distance(row.black[1]));
    let columns: [fn(&Row) -> f64; 2] = [
        |row| row.white[0].distance(row.white[1]),
        |row| row.black[0].distance(row.black[1]),
    ];
    columns
        .iter()
        .all(|&column| (WHOLE.0..=WHOLE.1).contains(&(usual(block, column) / whole)))
}

/// The two blocks that a block's columns are, with White's and Black's share of them as in another
/// block.
fn like(block: &Block, model: &Block) -> [Block; 2] {
    let share = |of: fn(&Row) -> Point| {
        let shares = model.rows.iter().map(|row| {
            let (left, right) = (row.white[0], row.black[1]);
            left.distance(of(row)) / left.distance(right).max(1.0)
        });
        median(shares, f64::total_cmp).unwrap_or(0.5)
    };
    let (inner, second) = (share(|row| row.white[1]), share(|row| row.black[0]));
    let columns: [fn(&Row) -> Quad; 2] = [|row| row.white, |row| row.black];
    columns.map(|column| {
        let rows = block.rows.iter().map(|row| {
            let quad = column(row);
            let part = |from: f64, to: f64| {
                [
                    quad[0].towards(quad[1], from),
                    quad[0].towards(quad[1], to),
                    quad[3].towards(quad[2], to),
                    quad[3].towards(quad[2], from),
                ]
            };
            Row {
                number: row.number,
                white: part(0.0, inner),
                black: part(second, 1.0),
            }
        });
        Block {
            rows: rows.collect(),
            number_column: model.number_column,
        }
    })
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::super::NumberColumn;
    use super::*;
    use crate::page::Page;

    /// A block of twelve level rows with White and Black from and to these pixels.
    fn block(white: (f64, f64), black: (f64, f64)) -> Block {
        let quad = |(left, right): (f64, f64), number: u32| {
            let top = 30.0 * f64::from(number);
            [
                (left, top),
                (right, top),
                (right, top + 30.0),
                (left, top + 30.0),
            ]
            .map(|(x, y)| Point::new(x, y))
        };
        let rows = (1..=12).map(|number| Row {
            number,
            white: quad(white, number),
            black: quad(black, number),
        });
        Block {
            rows: rows.collect(),
            number_column: NumberColumn::Absent,
        }
    }

    /// White's and Black's sides of the blocks of a table after that.
    fn sides(blocks: Vec<Block>) -> Vec<[f64; 4]> {
        let page = Page::new(
            "a.png".into(),
            1,
            String::new(),
            GrayImage::from_pixel(1000, 500, [220].into()),
        );
        let grid = Grid {
            blocks,
            ..Grid::default()
        };
        let parted = parted(grid, &View::turned(&page, 0.0));
        let rows = parted.blocks.iter().map(|block| &block.rows[5]);
        rows.map(|row| {
            [
                row.white[0].x,
                row.white[1].x,
                row.black[0].x,
                row.black[1].x,
            ]
        })
        .collect()
    }

    #[test]
    fn a_blank_block_of_two_wide_columns_is_two_blocks() {
        let found = vec![
            block((20.0, 120.0), (120.0, 220.0)),
            block((260.0, 460.0), (500.0, 700.0)),
        ];
        let wanted = [
            [20.0, 120.0, 120.0, 220.0],
            [260.0, 360.0, 360.0, 460.0],
            [500.0, 600.0, 600.0, 700.0],
        ];
        let found = sides(found);
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            for (found, wanted) in found.iter().zip(wanted) {
                assert!((found - wanted).abs() < 1.0, "{found}, not {wanted}");
            }
        }
    }

    #[test]
    fn blocks_that_are_alike_stay_as_they_are() {
        let found = vec![
            block((20.0, 120.0), (120.0, 220.0)),
            block((260.0, 360.0), (360.0, 460.0)),
        ];
        assert_eq!(sides(found).len(), 2);
    }
}
