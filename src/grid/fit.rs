//! A form's layout laid on a page: blocks, rows and columns are kept, their place is sought.

use std::f64::consts::FRAC_PI_2;

use super::bend::Lie;
use super::judged::{LEAST, agreement};
use super::layout::{self, Layout};
use super::likeness::Likeness;
use super::lines::Lines;
use super::view::View;
use super::{Grid, Look, facing};
use crate::geometry::{Homography, Point, Quad};
use crate::page::Page;

/// Starts from which the place is sought.
const STARTS: usize = 3;
/// Rows by which the first step moves a corner, and pixels by which the last one does.
const FIRST_STEP: f64 = 4.0;
/// See [`FIRST_STEP`].
const LAST_STEP: f64 = 0.7;
/// Most steps.
const STEPS: usize = 150;
/// What a step must gain.
const GAIN: f32 = 1e-4;
/// Corners that move together: one, a side, all, and two sides against each other.
const MOVES: [[f64; 4]; 11] = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0, 0.0],
    [0.0, 1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0, 1.0],
    [1.0, 0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0, 1.0],
];
/// Agreement with the table model that may be lost where the table is bent along lines.
const LOST: f32 = 0.03;

/// Finds the place of a layout on a page: where the table model sees its cells and its lines run, sought from the layout's
/// corners and from what [`find`](super::find) finds. Where nothing fits it lies as its corners say.
pub fn fit(page: &Page, layout: &Layout) -> Grid {
    placed(page, layout, layout.corners_on(page.luma.dimensions()))
}

/// The same on the page turned upside down.
pub fn fit_upside_down(page: &Page, layout: &Layout) -> Grid {
    let (width, height) = page.luma.dimensions();
    let turned = |p: Point| Point::new(f64::from(width) - 1.0 - p.x, f64::from(height) - 1.0 - p.y);
    let corners = layout.corners_on((width, height));
    placed(page, layout, corners.map(turned))
}

fn placed(page: &Page, layout: &Layout, given: Quad) -> Grid {
    let look = facing(page, upright(&given), |left, right| {
        right.table.agreement > left.table.agreement
    });
    sought(&look, layout, &given).unwrap_or_else(|| {
        let view = View::turned(page, 0.0);
        let map = Homography::onto(&given.map(|p| view.in_view(p)));
        map.map_or_else(Grid::default, |map| Lie::flat(map).grid(layout, &view))
    })
}

/// The angle, a multiple of a right one, by which a page is turned so that a table with these corners stands upright.
fn upright([tl, tr, ..]: &Quad) -> f64 {
    let angle = (tr.y - tl.y).atan2(tr.x - tl.x);
    // Not -0, which is no turn either but would be taken for one.
    0.0 - (angle / FRAC_PI_2).round() * FRAC_PI_2
}

/// The best place by the maps, bent along the lines that run there; None where none is good.
fn sought(look: &Look, layout: &Layout, given: &Quad) -> Option<Grid> {
    let (view, maps) = look.seen.as_ref()?;
    let likeness = Likeness::new(layout, maps);
    let mut starts = vec![given.map(|p| view.in_view(p))];
    starts.extend(maps.extent());
    if let Some(grid) = &look.table.grid {
        starts.extend(starts_from(grid, layout, view));
    }
    let valued = starts.into_iter().map(|start| (likeness.of(&start), start));
    let mut starts: Vec<(f32, Quad)> = valued.collect();
    starts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows = layout.most_rows();
    let ends = starts
        .into_iter()
        .take(STARTS)
        .map(|start| climb(&likeness, start, rows));
    let (_, corners) = ends.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let flat = Lie::flat(Homography::onto(&corners)?);
    let lines = [Lines::printed(&view.picture), Lines::drawn(maps)];
    let [flat, bent] = [flat.clone(), flat.bent(layout, &lines)].map(|lie| {
        let grid = lie.grid(layout, view);
        (agreement(&grid, maps, view).0, grid)
    });
    let best = if bent.0 + LOST >= flat.0 { bent } else { flat };
    (best.0 >= LEAST).then_some(best.1)
}

/// Corners of the table in the view, were the blocks that were found some of the layout's that stand side by side, and their
/// rows its first or last ones, or these but one.
fn starts_from(grid: &Grid, layout: &Layout, view: &View) -> Vec<Quad> {
    let outlines = grid.blocks.iter().filter_map(|block| {
        let corners = layout::outline(block)?.map(|p| view.in_view(p));
        Some((corners, block.rows.len() as i32))
    });
    let found: Vec<(Quad, i32)> = outlines.collect();
    let mut starts = Vec::new();
    for blocks in 1..=found.len().min(layout.blocks.len()) {
        for (seen, known) in found.windows(blocks).flat_map(|seen| {
            layout
                .blocks
                .windows(blocks)
                .map(move |known| (seen, known))
        }) {
            let ((left, rows), (right, _)) = (seen[0], seen[blocks - 1]);
            let (first, last) = (&known[0], &known[blocks - 1]);
            let Some(map) = Homography::onto(&[left[0], right[1], right[2], left[3]]) else {
                continue;
            };
            let across = [first.across[0], last.across[1]];
            let all = first.rows() as i32;
            for above in [0, all - rows, -1, 1] {
                let edge = |i: i32| first.height(f64::from(i) / f64::from(all));
                let down = [edge(above), edge(above + rows)];
                let at = |share: f64, [from, to]: [f64; 2]| (share - from) / (to - from);
                let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
                    .map(|(u, v)| map.at(at(u, across), at(v, down)));
                starts.push(corners);
            }
        }
    }
    starts
}

/// The best corners that steps lead to, each the best of its size, which is halved where none gains.
fn climb(likeness: &Likeness, mut best: (f32, Quad), rows: usize) -> (f32, Quad) {
    let [tl, .., bl] = best.1;
    let pitch = tl.distance(bl) / rows as f64;
    let mut step = FIRST_STEP * pitch;
    for _ in 0..STEPS {
        if step.is_nan() || step < LAST_STEP {
            break;
        }
        let tried = MOVES.iter().flat_map(|corners| {
            [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)].map(|(x, y)| {
                let mut moved = best.1;
                for (p, by) in moved.iter_mut().zip(corners) {
                    *p = Point::new(p.x + by * x, p.y + by * y);
                }
                (likeness.of(&moved), moved)
            })
        });
        match tried.max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some(better) if better.0 > best.0 + GAIN => best = better,
            _ => step /= 2.0,
        }
    }
    best
}
