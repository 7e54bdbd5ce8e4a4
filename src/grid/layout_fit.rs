//! Finds the place of a known form on a page: its blocks, rows and columns are given, and the
//! surface on which they lie is searched for.

use std::f64::consts::FRAC_PI_2;

use super::detect::{detect, look_closely, regions};
use super::layout::{self, FormLayout};
use super::layout_likeness::Likeness;
use super::parameters::Parameters;
use super::refine::{EdgePlaces, SnappedSurface, snap_to_edges};
use super::segmentation::{Detail, Segmentation};
use super::surface::Surface;
use super::view::View;
use super::{Grid, Row, turned};
use crate::geometry::{Homography, Point, Quad};
use crate::page::Page;

/// Number of starting corners, the best by their likeness, from which the place is searched for.
const MAX_STARTS: usize = 3;
/// Distance in row heights by which the first step moves a corner.
const FIRST_STEP_ROWS: f64 = 4.0;
/// Smallest distance in pixels of a map by which a step moves a corner.
const MIN_STEP_PX: f64 = 0.3;
/// Largest number of steps.
const MAX_STEPS: usize = 150;
/// Smallest gain in likeness for which a step is taken.
const MIN_GAIN: f32 = 1e-4;
/// Smallest likeness at which a layout lies on a page.
const MIN_LIKENESS: f32 = 0.9;
/// Factors by which the four corners move in one step: one corner, a side, all of them, and two
/// sides against each other.
const CORNER_FACTORS: [[f64; 4]; 11] = [
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

/// Finds the place of a layout on a page by the cells and edges that the network sees. The search
/// starts from the layout's corners and from the table that [`detect`](super::detect) finds. Where
/// nothing fits, the grid lies as the layout's corners say.
pub fn fit_layout(page: &Page, layout: &FormLayout, parameters: &Parameters) -> Grid {
    fit_turned(page, layout, 0, parameters)
}

/// Finds the place of a layout as [`fit_layout`] does, on the page turned upside down.
pub fn fit_layout_upside_down(page: &Page, layout: &FormLayout, parameters: &Parameters) -> Grid {
    fit_turned(page, layout, 2, parameters)
}

/// Fits a layout to a page that lies as the network says, or as the layout's corners do where it
/// is not sure, turned by some further quarters.
fn fit_turned(page: &Page, layout: &FormLayout, further: usize, parameters: &Parameters) -> Grid {
    let coarse = Segmentation::new(&page.working, Detail::Coarse);
    let sure_turn =
        coarse.and_then(|coarse| coarse.sure_turn(parameters.view.sure_turn_probability));
    let turn = sure_turn.unwrap_or_else(|| count_quarter_turns(&layout.corners));
    let quarters = (turn + further) % 4;
    if quarters == 0 {
        return fit_upright(page, layout, parameters);
    }
    let upright = turned::turn_back(page, quarters);
    turned::map_back(fit_upright(&upright, layout, parameters), page, quarters)
}

/// Quarters of a circle to the right by which a table with these corners is turned.
fn count_quarter_turns([tl, tr, ..]: &Quad) -> usize {
    let angle = (tr.y - tl.y).atan2(tr.x - tl.x);
    (angle / FRAC_PI_2).round().rem_euclid(4.0) as usize
}

/// The layout's corners on an upright page of some width and height, if the table fills the same
/// part of the page as of the layout's picture.
fn expected_corners(layout: &FormLayout, (width, height): (u32, u32)) -> Quad {
    let [across, down] = layout.picture;
    // Shares of the picture, turned back together with it.
    let corners = layout.corners.map(|p| (p.x / across, p.y / down));
    let corners = corners.map(|(x, y)| match count_quarter_turns(&layout.corners) {
        0 => (x, y),
        1 => (y, 1.0 - x),
        2 => (1.0 - x, 1.0 - y),
        _ => (1.0 - y, x),
    });
    corners.map(|(x, y)| Point::new(x * f64::from(width), y * f64::from(height)))
}

/// Fits a layout to an upright page.
fn fit_upright(page: &Page, layout: &FormLayout, parameters: &Parameters) -> Grid {
    let given = &expected_corners(layout, page.luma.dimensions());
    let coarse = Segmentation::new(&page.working, Detail::Coarse);
    let close = coarse.and_then(|coarse| look_closely(page, &coarse, parameters));
    let found = close.and_then(|(view, maps)| {
        let surface = search(page, &view, &maps, layout, given, parameters)?;
        let blocks = layout.blocks(|u, v| view.on_page(maps.in_picture(surface.at(u, v))));
        let mut rows = blocks.iter().flat_map(|block| &block.rows);
        rows.all(Row::is_flat).then_some((view, blocks))
    });
    let (view, blocks) = found.unwrap_or_else(|| {
        let map = Homography::onto(given);
        let blocks = map.map_or_else(Vec::new, |map| layout.blocks(|u, v| map.at(u, v)));
        (View::whole(page), blocks)
    });
    let (header, result) = regions(&blocks, page, &view).unwrap_or((None, None));
    Grid {
        blocks,
        header,
        result,
    }
}

/// The surface on the maps on which the layout lies; none where no place is good.
fn search(
    page: &Page,
    view: &View,
    maps: &Segmentation,
    layout: &FormLayout,
    given: &Quad,
    parameters: &Parameters,
) -> Option<SnappedSurface> {
    let on_map = |p: Point| maps.on_map(view.in_view(p));
    let likeness = Likeness::new(layout, maps);
    let mut starts = vec![given.map(on_map)];
    if let Ok(grid) = detect(page, parameters) {
        starts.extend(starts_from(&grid, layout, on_map));
    }
    let valued = starts.into_iter().map(|start| (likeness.of(&start), start));
    let mut starts: Vec<(f32, Quad)> = valued.collect();
    starts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows = layout.max_rows();
    let ends = starts.into_iter().take(MAX_STARTS);
    let ends = ends.map(|start| search_pattern(&likeness, start, rows));
    let (best, corners) = ends.max_by(|a, b| a.0.total_cmp(&b.0))?;
    if best < MIN_LIKENESS {
        return None;
    }
    let flat = Surface::flat(Homography::onto(&corners)?);
    let blocks = edge_places(layout);
    Some(snap_to_edges(
        flat,
        &blocks,
        maps,
        &view.picture,
        &parameters.surface,
    ))
}

/// Where the edges of a layout's blocks lie on its table.
pub(super) fn edge_places(layout: &FormLayout) -> Vec<EdgePlaces> {
    let places = layout.blocks.iter().map(|block| EdgePlaces {
        columns: [block.white, block.black].map(|column| column.map(|share| block.table_x(share))),
        heights: block
            .edges
            .iter()
            .map(|&edge| block.table_y(edge))
            .collect(),
    });
    places.collect()
}

/// Corners of the table under each way to match the blocks that were found with neighbouring blocks
/// of the layout, and their rows with its first or its last ones or with those one off.
fn starts_from(grid: &Grid, layout: &FormLayout, on_map: impl Fn(Point) -> Point) -> Vec<Quad> {
    let outlines = grid.blocks.iter().filter_map(|block| {
        let corners = layout::outline(block)?.map(&on_map);
        Some((corners, block.rows.len() as i32))
    });
    let found: Vec<(Quad, i32)> = outlines.collect();
    let mut starts = Vec::new();
    for blocks in 1..=found.len().min(layout.blocks.len()) {
        let pairs = found.windows(blocks).flat_map(|seen| {
            let known = layout.blocks.windows(blocks);
            known.map(move |known| (seen, known))
        });
        for (seen, known) in pairs {
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
fn search_pattern(likeness: &Likeness, mut best: (f32, Quad), rows: usize) -> (f32, Quad) {
    let [tl, .., bl] = best.1;
    let mut step = FIRST_STEP_ROWS * tl.distance(bl) / rows as f64;
    for _ in 0..MAX_STEPS {
        if step.is_nan() || step < MIN_STEP_PX {
            break;
        }
        let tried = CORNER_FACTORS.iter().flat_map(|corners| {
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

#[cfg(test)]
mod tests {
    use super::super::drawn_table::DrawnTable;
    use super::*;

    fn quad(corners: [(f64, f64); 4]) -> Quad {
        corners.map(|(x, y)| Point::new(x, y))
    }

    #[test]
    fn a_layout_of_a_picture_that_was_turned_has_the_same_corners_on_an_upright_page() {
        let upright = [600.0, 800.0];
        let on_side = [800.0, 600.0];
        let turned = [
            (
                upright,
                [
                    (100.0, 100.0),
                    (500.0, 100.0),
                    (500.0, 600.0),
                    (100.0, 600.0),
                ],
            ),
            (
                on_side,
                [
                    (700.0, 100.0),
                    (700.0, 500.0),
                    (200.0, 500.0),
                    (200.0, 100.0),
                ],
            ),
            (
                upright,
                [
                    (500.0, 700.0),
                    (100.0, 700.0),
                    (100.0, 200.0),
                    (500.0, 200.0),
                ],
            ),
            (
                on_side,
                [
                    (100.0, 500.0),
                    (100.0, 100.0),
                    (600.0, 100.0),
                    (600.0, 500.0),
                ],
            ),
        ];
        let expected = quad([
            (200.0, 200.0),
            (1000.0, 200.0),
            (1000.0, 1200.0),
            (200.0, 1200.0),
        ]);
        for (quarters, (picture, corners)) in turned.into_iter().enumerate() {
            let mut layout = DrawnTable::default().layout();
            (layout.picture, layout.corners) = (picture, quad(corners));
            assert_eq!(count_quarter_turns(&layout.corners), quarters);
            let corners = expected_corners(&layout, (1200, 1600));
            for (corner, expected) in corners.iter().zip(expected) {
                assert!(corner.distance(expected) < 1e-9, "{quarters}: {corner:?}");
            }
        }
    }

    #[test]
    fn the_last_rows_of_one_block_give_the_corners_of_the_table_as_a_start() {
        let table = DrawnTable::default();
        let layout = table.layout();
        let surface = table.surface();
        let mut blocks = layout.blocks(|u, v| surface.at(u, v));
        blocks.truncate(1);
        blocks[0].rows.drain(..2);
        let grid = Grid {
            blocks,
            ..Grid::default()
        };
        let is_table = |start: &Quad| {
            let mut corners = start.iter().zip(table.corners());
            corners.all(|(corner, of_table)| corner.distance(of_table) < 1e-6)
        };
        assert!(starts_from(&grid, &layout, |p| p).iter().any(is_table));
    }

    #[test]
    fn a_search_some_pixels_beside_the_table_ends_on_it() {
        let table = DrawnTable::default();
        let (layout, maps) = (table.layout(), table.maps());
        let likeness = Likeness::new(&layout, &maps);
        let start = quad([(24.0, 28.0), (178.0, 33.0), (183.0, 217.0), (18.0, 224.0)]);
        let (best, corners) = search_pattern(&likeness, (likeness.of(&start), start), table.rows);
        assert!(best > likeness.of(&start));
        for (corner, of_table) in corners.iter().zip(table.corners()) {
            assert!(
                corner.distance(of_table) < 1.0,
                "{corner:?} for {of_table:?}"
            );
        }
    }
}
