//! How well a layout lies on what the table model sees.

use super::layout::FormLayout;
use super::maps::{Maps, Plane};
use crate::geometry::{Homography, Quad, area};

/// Places across a cell, and heights in it, at which the maps are asked.
const ACROSS: [f64; 4] = [0.1, 0.35, 0.65, 0.9];
/// See [`ACROSS`].
const DOWN: [f64; 3] = [0.15, 0.5, 0.85];
/// What the edges between rows and between columns count by the cells.
const EDGES: f32 = 0.5;

/// Where the maps are asked, in shares of the table.
pub struct Likeness<'a> {
    maps: &'a Maps,
    /// Places in cells, and whose they are.
    cells: Vec<(f64, f64, Plane)>,
    /// Places on edges and between them.
    edges: [Probes; 2],
    /// Share of the table that cells fill.
    filled: f64,
    /// Square pixels of the picture that the model takes for cells.
    seen: f32,
}

/// Places where a map is high, and such where it is low.
struct Probes {
    plane: Plane,
    on: Vec<(f64, f64)>,
    off: Vec<(f64, f64)>,
}

impl<'a> Likeness<'a> {
    /// Of places of `layout` on `maps`.
    pub fn new(layout: &FormLayout, maps: &'a Maps) -> Self {
        let probes = |plane| Probes {
            plane,
            on: Vec::new(),
            off: Vec::new(),
        };
        let mut likeness = Self {
            maps,
            cells: Vec::new(),
            edges: [probes(Plane::Row), probes(Plane::Column)],
            filled: 0.0,
            seen: maps.area(),
        };
        for block in &layout.blocks {
            let [rows, columns] = &mut likeness.edges;
            let heights: Vec<f64> = block.edges.iter().map(|&e| block.table_y(e)).collect();
            for (column, plane) in [(block.white, Plane::White), (block.black, Plane::Black)] {
                let [left, right] = column.map(|share| block.table_x(share));
                let across = ACROSS.map(|t| left + t * (right - left));
                rows.on
                    .extend(heights.iter().flat_map(|&v| across.map(|u| (u, v))));
                for row in heights.windows(2) {
                    let (top, high) = (row[0], row[1] - row[0]);
                    let middle = top + high / 2.0;
                    let inside = DOWN.map(|t| top + t * high);
                    let cell = inside
                        .into_iter()
                        .flat_map(|v| across.map(|u| (u, v, plane)));
                    likeness.cells.extend(cell);
                    rows.off.extend(across.map(|u| (u, middle)));
                    columns.on.extend([(left, middle), (right, middle)]);
                    columns.off.push(((left + right) / 2.0, middle));
                }
                likeness.filled += (right - left) * (block.down[1] - block.down[0]);
            }
        }
        likeness
    }

    /// How alike they are where the table has these corners on the picture: what cells share with
    /// the model's by all that either has, and how much the edges stand out; the higher the better.
    pub fn of(&self, corners: &Quad) -> f32 {
        let Some(map) = Homography::onto(corners) else {
            return f32::NEG_INFINITY;
        };
        let at = |plane: Plane, u: f64, v: f64| {
            let p = map.at(u, v);
            self.maps.at(plane, p.x as f32, p.y as f32)
        };
        let inside = self.cells.iter().map(|&(u, v, plane)| {
            let p = map.at(u, v);
            let (x, y) = (p.x as f32, p.y as f32);
            // A form may have Black's column where White's usually stands.
            (self.maps.at(plane, x, y) + self.maps.cell(x, y)) / 2.0
        });
        let share = inside.sum::<f32>() / self.cells.len() as f32;
        let cells = (self.filled * area(corners)) as f32;
        let shared = share * cells;
        let overlap = shared / (cells + self.seen - shared).max(1.0);
        let edges = self.edges.iter().map(|probes| {
            let mean = |places: &[(f64, f64)]| {
                let seen = places.iter().map(|&(u, v)| at(probes.plane, u, v));
                seen.sum::<f32>() / places.len() as f32
            };
            mean(&probes.on) - mean(&probes.off)
        });
        overlap + EDGES * edges.sum::<f32>()
    }
}
