//! The first frame of a table: the corners of the area that its regions fill, whose upper and lower
//! side run along the rows there. Where rows are low and fan out by perspective, an edge that is
//! followed from one block to the next at a wrong slope becomes its neighbour.

use super::cell_regions::CellRegion;
use super::orientation::row_slope;
use super::parameters::SurfaceParameters;
use super::segmentation::{Channel, Segmentation};
use crate::geometry::{Homography, Point, Quad};
use crate::robust::median;

/// Steps by which the slopes at the top and the bottom of a table are changed in search of those of
/// its rows, from coarse to fine, and the number of steps each way.
const SLOPE_STEPS: [(f64, i32); 3] = [(0.02, 6), (0.02, 3), (0.005, 3)];
/// Number of lines down a table that tell how coherent its rows are.
const LINE_COUNT: usize = 32;
/// Number of places on each of these lines.
const PLACE_COUNT: usize = 200;

/// Corners of the area that the regions fill, clockwise from top left: their borders, and rows at
/// their top and bottom. These have the slopes of the rows in the upper and the lower half of the
/// regions, or others near them at which the edges of all rows are most coherent.
pub fn find_first_frame(
    maps: &Segmentation,
    regions: &[&CellRegion],
    parameters: &SurfaceParameters,
) -> Option<Quad> {
    let first = [false, true].map(|is_lower| row_slope(maps, regions, is_lower));
    let (mut coherence, mut slopes) = (row_coherence(maps, regions, first), first);
    for (step, count) in SLOPE_STEPS {
        for end in 0..first.len() {
            if coherence >= parameters.enough_row_coherence {
                break;
            }
            let from = slopes;
            for k in -count..=count {
                let mut changed = from;
                changed[end] += f64::from(k) * step;
                let of_changed = row_coherence(maps, regions, changed);
                if of_changed > coherence {
                    (coherence, slopes) = (of_changed, changed);
                }
            }
        }
    }
    let is_coherent = coherence >= parameters.min_row_coherence;
    frame_with_slopes(regions, if is_coherent { slopes } else { first })
}

/// Corners of the area that the regions fill, with rows of these slopes at its top and bottom.
fn frame_with_slopes(regions: &[&CellRegion], [top, bottom]: [f64; 2]) -> Option<Quad> {
    let (left, right) = (regions.first()?, regions.last()?);
    let row = |slope: f64, y_of: fn(&CellRegion) -> f64| {
        let heights = regions.iter().map(|region| {
            let y = y_of(region);
            y - slope * region.x_at(0.5, y)
        });
        let height = median(heights, f64::total_cmp)?;
        let corner = |region: &CellRegion, share: f64| {
            let mut p = Point::new(0.0, y_of(region));
            for _ in 0..4 {
                p.x = region.x_at(share, p.y);
                p.y = slope * p.x + height;
            }
            p
        };
        Some((corner(left, 0.0), corner(right, 1.0)))
    };
    let (tl, tr) = row(top, |region| region.top)?;
    let (bl, br) = row(bottom, |region| region.bottom)?;
    Some([tl, tr, br, bl])
}

/// How well the edges of the rows on lines down the area of the regions lie beside each other, if
/// rows have these slopes at its top and bottom: 1 where they all do, on average 1 / n where n
/// lines have nothing in common, and 0 where these slopes make no area. With s_i as the step of
/// line i from one height to the next, it is the sum of (s_1 + ... + s_n)^2 over n times that of
/// s_1^2 + ... + s_n^2. The skew of printed text is found by the numerator (Postl 1986).
fn row_coherence(maps: &Segmentation, regions: &[&CellRegion], slopes: [f64; 2]) -> f32 {
    let frame = frame_with_slopes(regions, slopes).and_then(|frame| Homography::onto(&frame));
    let Some(frame) = frame else {
        return 0.0;
    };
    let share = |i: usize, count: usize| (i as f64 + 0.5) / count as f64;
    let edges = |place: usize| -> [f32; LINE_COUNT] {
        let v = share(place, PLACE_COUNT);
        std::array::from_fn(|line| maps.at(Channel::Row, frame.at(share(line, LINE_COUNT), v)))
    };
    let (mut together, mut alone) = (0.0, 0.0);
    let mut above = edges(0);
    for place in 1..PLACE_COUNT {
        let here = edges(place);
        let steps = here.iter().zip(above).map(|(here, above)| here - above);
        together += steps.clone().sum::<f32>().powi(2);
        alone += steps.map(|step| step * step).sum::<f32>();
        above = here;
    }
    if alone > 0.0 {
        together / (LINE_COUNT as f32 * alone)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell_regions::find_cell_regions;
    use super::super::drawn_table::DrawnTable;
    use super::super::fit::fit_tables;
    use super::super::parameters::Parameters;

    #[test]
    fn low_rows_that_fan_out_are_followed_across_all_blocks() {
        // Over the table the edges rise by 5 rows at its top and drop by as many at its bottom.
        let maps = DrawnTable {
            blocks: vec![
                [10.0, 38.0, 66.0],
                [72.0, 100.0, 128.0],
                [134.0, 162.0, 190.0],
            ],
            top: 45.0,
            pitch: 4.0,
            rows: 40,
            drop: |x, y| 0.0014 * (y - 125.0) * (x - 100.0),
        }
        .maps();
        let parameters = Parameters::default();
        let regions = find_cell_regions(&maps, &parameters.regions);
        let tables = fit_tables(&maps, &regions, &parameters);
        let rows: Vec<Vec<_>> = tables
            .iter()
            .map(|table| table.regions.iter().map(|region| region.rows).collect())
            .collect();
        assert_eq!(rows, [[(0, 40); 6]]);
    }
}
