//! Fits the surface and the rows of a table to the maps: regions of cells give a first frame, and
//! each round finds the edges of the rows on it and bends it to where they lie.

use super::cell_probability::{MIN_PROBABILITY, log_odds, mean_over, places_in_cell};
use super::cell_regions::CellRegion;
use super::first_frame::find_first_frame;
use super::parameters::Parameters;
use super::rows::find_edges;
use super::sampling::{Samples, SamplingLine, move_lines, place_lines};
use super::segmentation::{Channel, Segmentation};
use super::slope::{Edges, follow_slopes};
use super::surface::{Surface, SurfacePoint};
use crate::geometry::{Homography, Point};

/// Number of rows beyond the edges that were found in which a block may go on.
pub const MAX_FURTHER_ROWS: i32 = 3;

/// A table: regions of cells that lie on one surface and share their rows.
#[derive(Debug, Clone)]
pub struct FittedTable {
    /// The surface; an edge i of the rows lies at v = i / `rows`.
    pub surface: Surface,
    /// Number of rows from v = 0 to v = 1.
    pub rows: usize,
    /// The regions from left to right.
    pub regions: Vec<FittedRegion>,
    /// Regions that lie on other surfaces.
    pub others: Vec<CellRegion>,
}

/// A region on the surface of a [`FittedTable`].
#[derive(Debug, Clone)]
pub struct FittedRegion {
    /// Its first row and the one behind its last, counted from v = 0.
    pub rows: (i32, i32),
    /// Its left and right border, as u.
    pub bounds: [f64; 2],
    /// Mean probability of the edges of its rows.
    quality: f32,
}

/// The tables that regions make, from left to right: one, or more where no surface fits all of
/// them.
pub fn fit_tables(
    maps: &Segmentation,
    regions: &[CellRegion],
    parameters: &Parameters,
) -> Vec<FittedTable> {
    let fit = |regions: &[&CellRegion]| fit_table(maps, regions, parameters);
    let alone: Vec<Option<FittedTable>> = regions.iter().map(|region| fit(&[region])).collect();
    let mut members: Vec<usize> = (0..regions.len()).filter(|&i| alone[i].is_some()).collect();
    let quality_alone = |i: usize| {
        alone[i]
            .as_ref()
            .map_or(0.0, |table| table.regions[0].quality)
    };
    let mut tables = Vec::new();
    while !members.is_empty() {
        // The region that suits the others least leaves them, until all that are left suit.
        let mut others = Vec::new();
        let table = loop {
            let together: Vec<&CellRegion> = members.iter().map(|&i| &regions[i]).collect();
            let table = match &members[..] {
                &[only] => alone[only].clone(),
                _ => fit(&together),
            };
            let kept = |at: usize| {
                let quality = table
                    .as_ref()
                    .map_or(0.0, |table| table.regions[at].quality);
                quality / quality_alone(members[at]).max(MIN_PROBABILITY)
            };
            let worst = (0..members.len()).min_by(|&a, &b| kept(a).total_cmp(&kept(b)));
            match worst.filter(|&at| kept(at) < parameters.surface.min_shared_quality) {
                Some(at) if members.len() > 1 => others.push(members.remove(at)),
                _ => break table,
            }
        };
        let is_other = |at: &usize| !members.contains(at) && alone[*at].is_some();
        let others_of_table = (0..regions.len()).filter(is_other);
        if let Some(mut table) = table {
            table.others = others_of_table.map(|at| regions[at].clone()).collect();
            tables.push((members[0], table));
        }
        others.sort_unstable();
        members = others;
    }
    tables.sort_by_key(|(first, _)| *first);
    tables.into_iter().map(|(_, table)| table).collect()
}

/// The table that some regions make together; none where no rows are found.
fn fit_table(
    maps: &Segmentation,
    regions: &[&CellRegion],
    parameters: &Parameters,
) -> Option<FittedTable> {
    let frame = Homography::onto(&find_first_frame(maps, regions, &parameters.surface)?)?;
    let mut lines = place_lines(regions, &frame, parameters)?;
    let mut surface = follow_slopes(
        &Surface::flat(frame),
        Edges::Rows,
        maps,
        &parameters.surface,
    )?;
    let mut rows = 0;
    for (round, tolerance) in parameters.rows.tolerance_px.into_iter().enumerate() {
        let samples = Samples::take(maps, &surface, &lines, parameters)?;
        let edges = find_edges(&samples.profile(tolerance, parameters), &parameters.rows)?;
        rows = edges.len() - 1;
        let mut points = samples.edge_points(&edges, &surface, &lines, regions, parameters);
        if points.len() < lines.len() * rows / 4 {
            return None;
        }
        let places = |points: &[(usize, SurfacePoint)]| -> Vec<SurfacePoint> {
            points.iter().map(|point| point.1).collect()
        };
        surface = Surface::fit(&places(&points), round > 0, &parameters.surface)?;
        // A line's place across is not known better than the frame; the fit tells it.
        move_lines(&mut lines, &mut points, &surface);
        surface = Surface::fit(&places(&points), true, &parameters.surface)?;
    }
    let surface = follow_slopes(&surface, Edges::Columns, maps, &parameters.surface)?;
    let of_region = |region: usize| {
        let of_region = lines.iter().filter(|line| line.region == region);
        fit_region(
            maps,
            &surface,
            rows,
            &of_region.copied().collect::<Vec<_>>(),
        )
    };
    Some(FittedTable {
        regions: (0..regions.len()).map(of_region).collect(),
        surface,
        rows,
        others: Vec::new(),
    })
}

/// A region on a surface, by its sampling lines.
fn fit_region(
    maps: &Segmentation,
    surface: &Surface,
    rows: usize,
    lines: &[SamplingLine],
) -> FittedRegion {
    let (first, last) = (lines[0].u, lines[lines.len() - 1].u);
    // The outer lines run half a distance inside the borders.
    let half = (last - first) / (2.0 * (lines.len() - 1) as f64);
    let bounds = [first - half, last + half];
    let cell = |p: Point| maps.cell_at(p);
    let rows_of_region = find_run(rows, |row| {
        let places = places_in_cell(surface, rows, bounds, row);
        log_odds(mean_over(&places, cell))
    });
    let edges = (rows_of_region.0..=rows_of_region.1).flat_map(|edge| {
        let v = f64::from(edge) / rows as f64;
        let of_line = move |line: &SamplingLine| maps.at(Channel::Row, surface.at(line.u, v));
        lines.iter().map(of_line)
    });
    let edges: Vec<f32> = edges.collect();
    FittedRegion {
        rows: rows_of_region,
        bounds,
        quality: edges.iter().sum::<f32>() / edges.len() as f32,
    }
}

/// The run of rows with the largest sum of scores, its first row and the one behind its last.
fn find_run(rows: usize, score: impl Fn(i32) -> f32) -> (i32, i32) {
    let first = -MAX_FURTHER_ROWS;
    let scores: Vec<f32> = (first..rows as i32 + MAX_FURTHER_ROWS).map(score).collect();
    let (start, end) = best_run(&scores);
    (first + start as i32, first + end as i32)
}

/// Start and end of the run of neighbouring scores with the largest sum (Bentley 1984, Programming
/// pearls, algorithm 4).
fn best_run(scores: &[f32]) -> (usize, usize) {
    let (mut best, mut run) = ((0.0, 0, 0), (0.0f32, 0));
    for (i, score) in scores.iter().enumerate() {
        if run.0 <= 0.0 {
            run = (0.0, i);
        }
        run.0 += score;
        if run.0 > best.0 {
            best = (run.0, run.1, i + 1);
        }
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::super::cell_regions::find_cell_regions;
    use super::super::drawn_table::{DrawnTable, SIZE};
    use super::*;
    use crate::geometry::Quad;

    /// The tables that are found where rows drop, and where the corners of their regions lie.
    fn fit(drop: fn(f64, f64) -> f64) -> Vec<Vec<Quad>> {
        let maps = DrawnTable {
            drop,
            ..DrawnTable::default()
        };
        let (maps, parameters) = (maps.maps(), Parameters::default());
        let tables = fit_tables(
            &maps,
            &find_cell_regions(&maps, &parameters.regions),
            &parameters,
        );
        let corners = tables.iter().map(|table| {
            let regions = table.regions.iter().map(|region| {
                let (first, last) = region.rows;
                assert_eq!(last - first, 20);
                let [left, right] = region.bounds;
                [(left, first), (right, first), (right, last), (left, last)]
                    .map(|(u, edge)| table.surface.at(u, f64::from(edge) / table.rows as f64))
            });
            regions.collect()
        });
        corners.collect()
    }

    fn assert_near(found: &Quad, drawn: [(f64, f64); 4]) {
        for (found, (x, y)) in found.iter().zip(drawn) {
            let off = found.distance(Point::new(x, y));
            assert!(off < 1.0 / 3.0, "{off} pixels off {x}, {y}");
        }
    }

    #[test]
    fn blocks_of_one_slope_are_one_table_with_their_corners() {
        let tables = fit(|x, _| 0.05 * x);
        assert_eq!(tables.len(), 1);
        let left = [(20.0, 31.0), (91.0, 34.55), (91.0, 224.55), (20.0, 221.0)];
        assert_near(&tables[0][0], left);
        let right = [
            (109.0, 35.45),
            (180.0, 39.0),
            (180.0, 229.0),
            (109.0, 225.45),
        ];
        assert_near(&tables[0][1], right);
    }

    #[test]
    fn a_block_of_seven_rows_beside_one_of_twenty_is_on_the_same_surface() {
        let drawn = DrawnTable::default();
        let maps = Segmentation::drawn(SIZE, |channel, x, y| {
            // The last edge reaches some pixels down.
            let end = drawn.top + 7.0 * drawn.pitch + 2.0;
            if x > 100.0 && y > end {
                0.0
            } else {
                drawn.probability(channel, x, y)
            }
        });
        let parameters = Parameters::default();
        let regions = find_cell_regions(&maps, &parameters.regions);
        let tables = fit_tables(&maps, &regions, &parameters);
        let rows = |table: &FittedTable| -> Vec<(i32, i32)> {
            table.regions.iter().map(|region| region.rows).collect()
        };
        let rows: Vec<_> = tables.iter().map(rows).collect();
        assert_eq!(rows, [vec![(0, 20), (0, 7)]]);
    }

    #[test]
    fn pages_of_a_book_that_tilt_against_each_other_are_two_tables() {
        let tables = fit(|x, _| {
            if x < 100.0 {
                0.15 * x
            } else {
                22.0 - 0.15 * (x - 100.0)
            }
        });
        assert_eq!(tables.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
        let left = [(20.0, 33.0), (91.0, 43.65), (91.0, 233.65), (20.0, 223.0)];
        assert_near(&tables[0][0], left);
        let right = [
            (109.0, 50.65),
            (180.0, 40.0),
            (180.0, 230.0),
            (109.0, 240.65),
        ];
        assert_near(&tables[1][0], right);
    }
}
