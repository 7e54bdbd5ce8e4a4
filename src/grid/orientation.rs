//! In which direction the cells and the rows run, by the gradients of the maps.

use super::cell_regions::CellRegion;
use super::segmentation::{Channel, Segmentation};

/// Largest slope of rows that is believed.
const MAX_SLOPE: f64 = 0.3;
/// Width of the border of a region where its rows are not looked at, as a share of its width.
const BORDER_SHARE: f64 = 0.15;

/// Angle in radians by which the cells are turned clockwise, from -pi/4 to pi/4; 0 where nothing is
/// seen. Their edges run in two directions at right angles, which the fourth powers of the complex
/// gradients g = gx + i gy, each over |g|^2, make one: the angle is a quarter of that of their sum.
pub fn cell_skew(maps: &Segmentation, spans: impl Fn(usize) -> Vec<(usize, usize)>) -> f64 {
    let mut sum = (0.0, 0.0);
    for channel in [Channel::White, Channel::Black, Channel::Row] {
        for_each_gradient(maps, channel, &spans, |gx, gy| {
            let power = gx * gx + gy * gy;
            if power > 0.0 {
                let square = (gx * gx - gy * gy, 2.0 * gx * gy);
                sum.0 += (square.0 * square.0 - square.1 * square.1) / power;
                sum.1 += 2.0 * square.0 * square.1 / power;
            }
        });
    }
    if sum == (0.0, 0.0) {
        return 0.0;
    }
    sum.1.atan2(sum.0) / 4.0
}

/// Slope dy/dx of the rows in the upper or lower half of some regions, by the structure tensor
/// (Bigün and Granlund 1987) of the map of their edges.
pub fn row_slope(maps: &Segmentation, regions: &[&CellRegion], is_lower: bool) -> f64 {
    let span = |region: &CellRegion, y: f64| {
        let middle = (region.top + region.bottom) / 2.0;
        let (top, bottom) = match is_lower {
            true => (middle, region.bottom),
            false => (region.top, middle),
        };
        let pixel = |share: f64| region.x_at(share, y).round().max(0.0) as usize;
        let is_in = (top..=bottom).contains(&y);
        // The ends of the edges, at the borders of the region, run the other way.
        is_in.then(|| (pixel(BORDER_SHARE), pixel(1.0 - BORDER_SHARE)))
    };
    let spans = |y: usize| regions.iter().filter_map(|c| span(c, y as f64)).collect();
    let (mut difference, mut product) = (0.0, 0.0);
    for_each_gradient(maps, Channel::Row, &spans, |gx, gy| {
        difference += gy * gy - gx * gx;
        product += 2.0 * gx * gy;
    });
    if difference == 0.0 && product == 0.0 {
        return 0.0;
    }
    let angle: f64 = -0.5 * product.atan2(difference);
    angle.tan().clamp(-MAX_SLOPE, MAX_SLOPE)
}

/// Calls a function with the gradient of a map by Sobel's filter, at the pixels of the spans (x,
/// from and to) of each row of pixels y.
fn for_each_gradient(
    maps: &Segmentation,
    channel: Channel,
    spans: &impl Fn(usize) -> Vec<(usize, usize)>,
    mut take: impl FnMut(f64, f64),
) {
    let (width, height) = maps.size();
    let map = maps.map(channel);
    for y in 1..height - 1 {
        let line = |dy: usize| &map[(y + dy - 1) * width..][..width];
        let (above, middle, below) = (line(0), line(1), line(2));
        for (from, to) in spans(y) {
            for x in from.max(1)..to.min(width - 1) {
                let gx = (above[x + 1] - above[x - 1])
                    + 2.0 * (middle[x + 1] - middle[x - 1])
                    + (below[x + 1] - below[x - 1]);
                let gy = (below[x - 1] - above[x - 1])
                    + 2.0 * (below[x] - above[x])
                    + (below[x + 1] - above[x + 1]);
                take(f64::from(gx), f64::from(gy));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell_regions::find_cell_regions;
    use super::super::drawn_table::{DrawnTable, SIZE, covered};
    use super::super::parameters::RegionParameters;
    use super::*;

    #[test]
    fn the_angle_of_turned_cells_is_told() {
        let table = DrawnTable::default();
        for degrees in [-30.0f64, 0.0, 5.0] {
            let angle = degrees.to_radians();
            let (sin, cos) = angle.sin_cos();
            let maps = Segmentation::drawn(SIZE, |channel, x, y| {
                let (x, y) = (x - 100.0, y - 125.0);
                let (u, v) = (cos * x + sin * y, cos * y - sin * x);
                table.probability(channel, 100.0 + u, 125.0 + v)
            });
            let skew = cell_skew(&maps, |_| vec![(0, SIZE.0)]);
            // Sobel's filter takes thin edges for less turned than they are.
            assert!((skew - angle).abs() < 0.035, "{skew} for {angle}");
        }
    }

    #[test]
    fn nothing_is_level() {
        let maps = Segmentation::drawn(SIZE, |_, _, _| 0.0);
        assert_eq!(cell_skew(&maps, |_| vec![(0, SIZE.0)]), 0.0);
    }

    #[test]
    fn the_slope_of_rows_is_told_above_and_below() {
        let slope = |y: f64| if y < 125.0 { 0.05 } else { -0.1 };
        let maps = Segmentation::drawn(SIZE, |channel, x, y| match channel {
            Channel::White => (covered(x, [20.0, 180.0]) * covered(y, [30.0, 220.0])) as f32,
            Channel::Row => {
                let rows = (y - slope(y) * x) / 9.5;
                (1.0 - 9.5 * (rows - rows.round()).abs() / 1.5).max(0.0) as f32
            }
            _ => 0.0,
        });
        let regions = find_cell_regions(&maps, &RegionParameters::default());
        let regions: Vec<&CellRegion> = regions.iter().collect();
        let [above, below] = [false, true].map(|is_lower| row_slope(&maps, &regions, is_lower));
        // Sobel's filter takes thin edges for flatter than they are.
        assert!((above - 0.05).abs() < 0.02, "{above}");
        assert!((below + 0.1).abs() < 0.02, "{below}");
    }
}
