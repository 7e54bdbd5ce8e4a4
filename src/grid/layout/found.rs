//! The layout of a table that was found on a page.

use super::{BlockLayout, FormLayout};
use crate::geometry::{Homography, Point, Quad};
use crate::grid::equations::{add, eliminate};
use crate::grid::{Block, Grid, Row};

/// Number of rounds in which the blocks are measured by the corners and the corners by the blocks.
const ROUNDS: usize = 4;
/// Largest deviation of blocks' ends from their mean, in row heights, at which they are made level.
const MAX_UNEVENNESS_ROWS: f64 = 0.2;

/// A place on the table as shares of its width and height, and the pixel where it lies.
type Correspondence = ((f64, f64), Point);

impl FormLayout {
    /// The layout with rows of equal height whose cells come nearest to those of a table, on a page
    /// of this width and height in pixels. None where the table has no blocks or no area.
    pub fn of(grid: &Grid, (width, height): (u32, u32)) -> Option<Self> {
        let [left, right] = [grid.blocks.first()?, grid.blocks.last()?].map(outline);
        let ([tl, _, _, bl], [_, tr, br, _]) = (left?, right?);
        let picture = [f64::from(width), f64::from(height)];
        let mut layout = Self {
            picture,
            corners: [tl, tr, br, bl],
            blocks: Vec::new(),
        };
        for _ in 0..ROUNDS {
            let on_table = Homography::onto(&layout.corners)?.inverse()?;
            let blocks = grid
                .blocks
                .iter()
                .map(|block| measure_block(block, &on_table));
            layout.blocks = blocks.collect::<Option<_>>()?;
            align_ends(&mut layout.blocks);
            normalize(&mut layout.blocks);
            layout.corners = fit_corners(&layout.correspondences(grid))?;
        }
        Some(layout)
    }

    /// Every corner of every cell, on the table and on the page.
    fn correspondences(&self, grid: &Grid) -> Vec<Correspondence> {
        let on_table = self.blocks(Point::new);
        let cells = |blocks: &[Block]| -> Vec<Point> {
            let rows = blocks.iter().flat_map(|block| &block.rows);
            rows.flat_map(|row| [row.white, row.black])
                .flatten()
                .collect()
        };
        let places = cells(&on_table).into_iter().map(|p| (p.x, p.y));
        places.zip(cells(&grid.blocks)).collect()
    }
}

/// Corners of a block, clockwise from top left as it is read; None where it has no rows.
pub fn outline(block: &Block) -> Option<Quad> {
    let (top, bottom) = (block.rows.first()?, block.rows.last()?);
    let [(a, b), (c, d)] = [top, bottom].map(|row| {
        if black_first(row) {
            (row.black, row.white)
        } else {
            (row.white, row.black)
        }
    });
    Some([a[0], b[1], d[2], c[3]])
}

/// Whether Black's cell is the left one as the row is read.
fn black_first(row: &Row) -> bool {
    let to = |q: Point| (q.x - row.white[0].x, q.y - row.white[0].y);
    let (along, between) = (to(row.white[1]), to(row.black[0]));
    along.0 * between.0 + along.1 * between.1 < 0.0
}

/// A block's layout on the table. `across` and `down` may lie beyond the table.
fn measure_block(block: &Block, on_table: &Homography) -> Option<BlockLayout> {
    let rows = block.rows.len();
    let sides = |cell: fn(&Row) -> &Quad| {
        let mean = |a: usize, b: usize| {
            let places = block
                .rows
                .iter()
                .flat_map(|row| [cell(row)[a], cell(row)[b]]);
            places.map(|p| on_table.at(p.x, p.y).x).sum::<f64>() / (2 * rows) as f64
        };
        [mean(0, 3), mean(1, 2)]
    };
    let (white, black) = (sides(|row| &row.white), sides(|row| &row.black));
    let across = [white[0].min(black[0]), white[1].max(black[1])];
    // Heights of all edges, each against its number: the straight line through them has the rows
    // equal.
    let edges = block.rows.iter().enumerate().flat_map(|(i, row)| {
        let ends = |a: usize, b: usize| [row.white[a], row.white[b], row.black[a], row.black[b]];
        let at = move |i: usize| move |p: Point| (i as f64, on_table.at(p.x, p.y).y);
        let (top, bottom) = (ends(0, 1).map(at(i)), ends(3, 2).map(at(i + 1)));
        top.into_iter().chain(bottom)
    });
    let mut normal = [[0.0; 3]; 2];
    for (edge, height) in edges {
        add(&mut normal, [1.0, edge], height, 1.0);
    }
    let [top, pitch] = eliminate(normal);
    let within = |column: [f64; 2]| {
        column.map(|u| ((u - across[0]) / (across[1] - across[0])).clamp(0.0, 1.0))
    };
    Some(BlockLayout {
        first: block.rows.first()?.number,
        across,
        down: [top, top + pitch * rows as f64],
        white: within(white),
        black: within(black),
        number_column: block.number_column,
        edges: BlockLayout::equal_edges(rows),
    })
}

/// Gives the blocks the same upper edge where theirs are nearly level, and the same lower edge.
fn align_ends(blocks: &mut [BlockLayout]) {
    let pitch = |b: &BlockLayout| (b.down[1] - b.down[0]) / b.rows() as f64;
    let limit = MAX_UNEVENNESS_ROWS * blocks.iter().map(pitch).fold(f64::INFINITY, f64::min);
    for end in 0..2 {
        let mean = blocks.iter().map(|b| b.down[end]).sum::<f64>() / blocks.len() as f64;
        if blocks.iter().all(|b| (b.down[end] - mean).abs() <= limit) {
            blocks.iter_mut().for_each(|b| b.down[end] = mean);
        }
    }
}

/// Rescales the blocks' intervals so that together they span 0 to 1.
fn normalize(blocks: &mut [BlockLayout]) {
    let intervals: [fn(&mut BlockLayout) -> &mut [f64; 2]; 2] =
        [|b| &mut b.across, |b| &mut b.down];
    for interval in intervals {
        let all: Vec<[f64; 2]> = blocks.iter_mut().map(|b| *interval(b)).collect();
        let from = all.iter().map(|i| i[0]).fold(f64::INFINITY, f64::min);
        let to = all.iter().map(|i| i[1]).fold(f64::NEG_INFINITY, f64::max);
        for block in blocks.iter_mut() {
            let interval = interval(block);
            *interval = interval.map(|share| (share - from) / (to - from));
        }
    }
}

/// Corners of the table for which places on it come nearest to their pixels: the direct linear
/// transformation (Hartley and Zisserman, Multiple View Geometry, algorithm 4.1, with the last
/// element fixed at 1).
fn fit_corners(pairs: &[Correspondence]) -> Option<Quad> {
    let far = pairs.iter().map(|(_, p)| p.x.abs().max(p.y.abs()));
    let size = far.fold(1.0, f64::max);
    let mut normal = [[0.0; 9]; 8];
    for &((u, v), p) in pairs {
        let (x, y) = (p.x / size, p.y / size);
        for (terms, value) in [
            ([u, v, 1.0, 0.0, 0.0, 0.0, -u * x, -v * x], x),
            ([0.0, 0.0, 0.0, u, v, 1.0, -u * y, -v * y], y),
        ] {
            add(&mut normal, terms, value, 1.0);
        }
    }
    let h: [f64; 8] = eliminate(normal);
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| {
        let depth = h[6] * u + h[7] * v + 1.0;
        let [x, y] = [0, 3].map(|i| size * (h[i] * u + h[i + 1] * v + h[i + 2]) / depth);
        Point::new(x, y)
    });
    Homography::onto(&corners).map(|_| corners)
}
