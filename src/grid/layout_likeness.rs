//! How well a layout lies on what the table network sees.

use super::layout::FormLayout;
use super::segmentation::{Channel, Segmentation};
use crate::geometry::{Homography, Point, Quad, area};

/// Places across a cell at which the maps are looked up, as shares of its width.
const WIDTH_SHARES: [f64; 4] = [0.1, 0.35, 0.65, 0.9];
/// Heights in a cell at which the maps are looked up, as shares of its height.
const HEIGHT_SHARES: [f64; 3] = [0.15, 0.5, 0.85];
/// Weight of the edges between rows and between columns against that of the cells.
const EDGE_WEIGHT: f32 = 0.5;
/// Largest ratio of opposite sides of a table. A sheet photographed at 45 degrees from one and a
/// half times its length away has 1.6.
const MAX_SIDE_RATIO: f64 = 2.0;
/// Probability from which a place of the maps lies in a cell.
const MIN_CELL_PROBABILITY: f32 = 0.5;

/// Where the maps are looked up, in shares of the table.
pub struct Likeness<'a> {
    maps: &'a Segmentation,
    /// Places in cells, and whose they are.
    cells: Vec<(f64, f64, Channel)>,
    /// Places on edges and between them.
    edges: [EdgePlaces; 2],
    /// Share of the table that cells fill.
    filled_share: f64,
    /// Pixels of a map that lie in cells.
    cell_pixels: f32,
}

/// Places where a map is high, and such where it is low.
struct EdgePlaces {
    channel: Channel,
    on: Vec<(f64, f64)>,
    off: Vec<(f64, f64)>,
}

impl<'a> Likeness<'a> {
    /// The places of a layout, to be looked up on maps.
    pub fn new(layout: &FormLayout, maps: &'a Segmentation) -> Self {
        let places = |channel| EdgePlaces {
            channel,
            on: Vec::new(),
            off: Vec::new(),
        };
        let both = maps
            .map(Channel::White)
            .iter()
            .zip(maps.map(Channel::Black));
        let is_cell = |(white, black): &(&f32, &f32)| white.max(**black) > MIN_CELL_PROBABILITY;
        let mut likeness = Self {
            maps,
            cells: Vec::new(),
            edges: [places(Channel::Row), places(Channel::Column)],
            filled_share: 0.0,
            cell_pixels: both.filter(is_cell).count() as f32,
        };
        for block in &layout.blocks {
            let [rows, columns] = &mut likeness.edges;
            let heights: Vec<f64> = block.edges.iter().map(|&e| block.table_y(e)).collect();
            for (column, channel) in [(block.white, Channel::White), (block.black, Channel::Black)]
            {
                let [left, right] = column.map(|share| block.table_x(share));
                let across = WIDTH_SHARES.map(|t| left + t * (right - left));
                rows.on
                    .extend(heights.iter().flat_map(|&v| across.map(|u| (u, v))));
                for row in heights.windows(2) {
                    let (top, height) = (row[0], row[1] - row[0]);
                    let middle = top + height / 2.0;
                    let inside = HEIGHT_SHARES.map(|t| top + t * height);
                    let cell = inside
                        .into_iter()
                        .flat_map(|v| across.map(|u| (u, v, channel)));
                    likeness.cells.extend(cell);
                    rows.off.extend(across.map(|u| (u, middle)));
                    columns.on.extend([(left, middle), (right, middle)]);
                    columns.off.push(((left + right) / 2.0, middle));
                }
                likeness.filled_share += (right - left) * (block.down[1] - block.down[0]);
            }
        }
        likeness
    }

    /// How alike both are where the table has these corners on the maps. A table that no camera
    /// shows so is not alike at all.
    pub fn of(&self, corners: &Quad) -> f32 {
        if side_ratio(corners) > MAX_SIDE_RATIO {
            return f32::NEG_INFINITY;
        }
        let Some(map) = Homography::onto(corners) else {
            return f32::NEG_INFINITY;
        };
        self.of_place(|u, v| map.at(u, v), area(corners))
    }

    /// How alike both are where `place` maps shares of the table's width and height onto the maps,
    /// over an area in pixels of a map: IoU of the cells + `EDGE_WEIGHT` x sum of (mean of a map on
    /// its edges - mean off them). At most 2.
    pub fn of_place(&self, place: impl Fn(f64, f64) -> Point, table_area: f64) -> f32 {
        let at = |channel: Channel, u: f64, v: f64| self.maps.at(channel, place(u, v));
        let inside = self.cells.iter().map(|&(u, v, channel)| {
            // A form may have Black's column where White's usually stands.
            (at(channel, u, v) + self.maps.cell_at(place(u, v))) / 2.0
        });
        let share = inside.sum::<f32>() / self.cells.len() as f32;
        let cells = (self.filled_share * table_area) as f32;
        let shared = share * cells;
        let overlap = shared / (cells + self.cell_pixels - shared).max(1.0);
        let edges = self.edges.iter().map(|places| {
            let mean = |of: &[(f64, f64)]| {
                let sum: f32 = of.iter().map(|&(u, v)| at(places.channel, u, v)).sum();
                sum / of.len() as f32
            };
            mean(&places.on) - mean(&places.off)
        });
        overlap + EDGE_WEIGHT * edges.sum::<f32>()
    }
}

/// The larger ratio of two opposite sides, longer to shorter.
fn side_ratio(&[tl, tr, br, bl]: &Quad) -> f64 {
    let opposite = [
        (tl.distance(tr), bl.distance(br)),
        (tl.distance(bl), tr.distance(br)),
    ];
    let ratios = opposite.map(|(a, b)| a.max(b) / a.min(b));
    ratios[0].max(ratios[1])
}

#[cfg(test)]
mod tests {
    use super::super::drawn_table::DrawnTable;
    use super::*;

    #[test]
    fn a_layout_is_most_alike_where_its_table_lies() {
        let table = DrawnTable::default();
        let (layout, maps) = (table.layout(), table.maps());
        let likeness = Likeness::new(&layout, &maps);
        let shifted =
            |x: f64, y: f64| likeness.of(&table.corners().map(|p| Point::new(p.x + x, p.y + y)));
        let there = shifted(0.0, 0.0);
        assert!((1.6..=2.0).contains(&there), "{there}");
        // One row lower and higher all edges but one meet edges, and one row in 20 meets no cells.
        for (x, y) in [(0.0, 9.5), (0.0, -9.5), (0.0, 4.75), (3.0, 0.0)] {
            let beside = shifted(x, y);
            assert!(beside < there - 0.05, "{beside} at {x}, {y} for {there}");
        }
    }

    #[test]
    fn corners_that_make_no_table_are_not_alike_at_all() {
        let table = DrawnTable::default();
        let (layout, maps) = (table.layout(), table.maps());
        let [tl, tr, br, bl] = table.corners();
        let folded = Likeness::new(&layout, &maps).of(&[tl, br, tr, bl]);
        assert_eq!(folded, f32::NEG_INFINITY);
        // A left side a third as long as the right one.
        let bl = tl.towards(bl, 0.33);
        let tapering = Likeness::new(&layout, &maps).of(&[tl, tr, br, bl]);
        assert_eq!(tapering, f32::NEG_INFINITY);
    }
}
