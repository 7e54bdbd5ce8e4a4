//! Finds the place of a known form on a page: its blocks, rows and columns are given, its corners
//! are searched for.

use std::f64::consts::FRAC_PI_2;

use super::bend::Lie;
use super::judged::{LEAST, agreement};
use super::layout::{self, FormLayout};
use super::likeness::Likeness;
use super::lines::Lines;
use super::view::View;
use super::{DetectionAttempt, Grid, best_turned_attempt};
use crate::geometry::{Homography, Point, Quad};
use crate::page::Page;

/// Number of starting corners, the best by their likeness, from which the place is searched for.
const MAX_STARTS: usize = 3;
/// Distance in row heights by which the first step moves a corner.
const FIRST_STEP_ROWS: f64 = 4.0;
/// Smallest distance in pixels by which a step moves a corner.
const MIN_STEP_PX: f64 = 0.7;
/// Largest number of steps.
const MAX_STEPS: usize = 150;
/// Smallest gain in likeness for which a step is taken.
const MIN_GAIN: f32 = 1e-4;
/// Factors by which the four corners move in one step: one corner, a side, all of them, and two
/// sides against each other.
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
/// IoU with the table model's cells that may be lost where the table is bent along the lines of the
/// page.
const MAX_IOU_LOSS: f32 = 0.03;

/// Finds the place of a layout on a page, by the cells that the table model sees and by the lines
/// of the page. The search starts from the layout's corners and from the table that
/// [`detect`](super::detect) finds. Where nothing fits, the grid lies as the layout's corners say.
pub fn fit_layout(page: &Page, layout: &FormLayout) -> Grid {
    fit_from_corners(page, layout, layout.corners_on(page.luma.dimensions()))
}

/// Finds the place of a layout as [`fit_layout`] does, on the page turned upside down.
pub fn fit_layout_upside_down(page: &Page, layout: &FormLayout) -> Grid {
    let (width, height) = page.luma.dimensions();
    let turned = |p: Point| Point::new(f64::from(width) - 1.0 - p.x, f64::from(height) - 1.0 - p.y);
    let corners = layout.corners_on((width, height));
    fit_from_corners(page, layout, corners.map(turned))
}

/// Finds the place of a layout whose corners are expected here, in pixels of the page.
fn fit_from_corners(page: &Page, layout: &FormLayout, given: Quad) -> Grid {
    let attempt = best_turned_attempt(page, upright(&given), |left, right| {
        right.table.agreement > left.table.agreement
    });
    search(&attempt, layout, &given).unwrap_or_else(|| {
        let view = View::turned(page, 0.0);
        let map = Homography::onto(&given.map(|p| view.in_view(p)));
        map.map_or_else(Grid::default, |map| Lie::flat(map).grid(layout, &view))
    })
}

/// The angle, a multiple of a right one, by which a page is turned so that a table with these
/// corners stands upright.
fn upright([tl, tr, ..]: &Quad) -> f64 {
    let angle = (tr.y - tl.y).atan2(tr.x - tl.x);
    // Not -0, which is no turn either but would be taken for one.
    0.0 - (angle / FRAC_PI_2).round() * FRAC_PI_2
}

/// The best place by the table model's maps, bent along the lines of the page; None where no place
/// is good.
fn search(attempt: &DetectionAttempt, layout: &FormLayout, given: &Quad) -> Option<Grid> {
    let (view, maps) = attempt.seen.as_ref()?;
    let likeness = Likeness::new(layout, maps);
    let mut starts = vec![given.map(|p| view.in_view(p))];
    starts.extend(maps.extent());
    if let Some(grid) = &attempt.table.grid {
        starts.extend(starts_from(grid, layout, view));
    }
    let valued = starts.into_iter().map(|start| (likeness.of(&start), start));
    let mut starts: Vec<(f32, Quad)> = valued.collect();
    starts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows = layout.max_rows();
    let ends = starts
        .into_iter()
        .take(MAX_STARTS)
        .map(|start| pattern_search(&likeness, start, rows));
    let (_, corners) = ends.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let flat = Lie::flat(Homography::onto(&corners)?);
    let lines = [Lines::printed(&view.picture), Lines::drawn(maps)];
    let [flat, bent] = [flat.clone(), flat.bent(layout, &lines)].map(|lie| {
        let grid = lie.grid(layout, view);
        (agreement(&grid, maps, view).0, grid)
    });
    let best = if bent.0 + MAX_IOU_LOSS >= flat.0 {
        bent
    } else {
        flat
    };
    (best.0 >= LEAST).then_some(best.1)
}

/// Corners of the table in the view under each way to match the blocks that were found with
/// neighbouring blocks of the layout, and their rows with its first or its last ones or with those
/// one off.
fn starts_from(grid: &Grid, layout: &FormLayout, view: &View) -> Vec<Quad> {
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
                let edge = |i: i32| first.table_y(f64::from(i) / f64::from(all));
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

/// The best corners that a pattern search reaches: each step is the best of its size, and the size
/// is halved when no step gains (Hooke and Jeeves 1961, Direct search).
fn pattern_search(likeness: &Likeness, mut best: (f32, Quad), rows: usize) -> (f32, Quad) {
    let [tl, .., bl] = best.1;
    let pitch = tl.distance(bl) / rows as f64;
    let mut step = FIRST_STEP_ROWS * pitch;
    for _ in 0..MAX_STEPS {
        if step.is_nan() || step < MIN_STEP_PX {
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
            Some(better) if better.0 > best.0 + MIN_GAIN => best = better,
            _ => step /= 2.0,
        }
    }
    best
}
