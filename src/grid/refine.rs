//! Bends a surface so that the rows and columns of known blocks lie on the edges that the maps
//! show, and on the printed rulings where there are some.

use image::GrayImage;

use super::parameters::SurfaceParameters;
use super::sampling::find_peak;
use super::segmentation::{Channel, Segmentation};
use super::surface::{Surface, SurfacePoint};
use crate::geometry::Point;
use crate::patch::bilinear;
use crate::robust::median;

/// Places across a cell at which its upper and lower edges are looked for, as shares of its width.
const EDGE_WIDTH_SHARES: [f64; 3] = [0.2, 0.5, 0.8];
/// How far from its place an edge is looked for, as a share of the row's height.
const REACH_ROWS: f64 = 0.4;
/// How far from its place a border is looked for, as a share of the column's width.
const REACH_COLUMNS: f64 = 0.12;
/// Number of places on either side of an edge at which the map is looked up.
const PROBES: i32 = 8;
/// How far from an edge a printed ruling is looked for, as a share of how far the edge itself is.
const RULING_REACH: f64 = 0.5;
/// Squared distance beyond which an offset has no weight.
const MAX_KERNEL_DISTANCE: f64 = 6.0;
/// Places along an edge whose mean luma tells a ruling from writing, as shares of a cell.
const LUMA_SHARES: [f64; 5] = [-0.12, -0.06, 0.0, 0.06, 0.12];
/// Rounds in which the surface is bent to the edges.
const ROUNDS: usize = 3;

/// Where the edges of a block lie on the form.
pub struct EdgePlaces {
    /// Left and right border of White's and of Black's column, as u.
    pub columns: [[f64; 2]; 2],
    /// The edges of the rows from top to bottom, as v.
    pub heights: Vec<f64>,
}

/// A surface with what the edges of the picture lie off it, for paper that is more crumpled than a
/// surface can be.
pub struct SnappedSurface {
    surface: Surface,
    /// What was measured on the edges of rows, and on the borders of columns.
    offsets: [Vec<EdgeOffset>; 2],
    /// Distance in u and v over which offsets are averaged: half a column, and one row.
    reach: (f64, f64),
    /// Weight of no offset.
    prior_weight: f64,
}

/// How far an edge lies off the surface, in pixels.
struct EdgeOffset {
    u: f64,
    v: f64,
    x: f64,
    y: f64,
    weight: f64,
}

impl SnappedSurface {
    /// The pixel of a place: that on the surface, and the mean offset of the edges near it,
    /// weighted by exp(-(du / reach)^2 - (dv / reach)^2).
    pub fn at(&self, u: f64, v: f64) -> Point {
        let mut place = self.surface.at(u, v);
        for offsets in &self.offsets {
            let (mut x, mut y, mut sum) = (0.0, 0.0, self.prior_weight);
            for offset in offsets {
                let du = (offset.u - u) / self.reach.0;
                let dv = (offset.v - v) / self.reach.1;
                let distance = du * du + dv * dv;
                if distance < MAX_KERNEL_DISTANCE {
                    let weight = offset.weight * (-distance).exp();
                    (x, y, sum) = (x + weight * offset.x, y + weight * offset.y, sum + weight);
                }
            }
            place = Point::new(place.x + x / sum, place.y + y / sum);
        }
        place
    }

    /// The plain surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }
}

/// The surface nearest to the edges that the maps and the picture show near those of the blocks on
/// `surface`.
pub fn snap_to_edges(
    surface: Surface,
    blocks: &[EdgePlaces],
    maps: &Segmentation,
    picture: &GrayImage,
    parameters: &SurfaceParameters,
) -> SnappedSurface {
    let mut bent = surface;
    let mut points = Vec::new();
    for round in 0..=ROUNDS {
        points = find_points(&bent, blocks, maps, parameters);
        // Rulings are looked for nearer by, once the surface lies on the edges.
        if round > 0 {
            points.extend(find_rulings(&bent, blocks, maps, picture, parameters));
        }
        if round < ROUNDS {
            let places: Vec<SurfacePoint> = points.iter().map(|point| point.1).collect();
            bent = Surface::fit(&places, true, parameters).unwrap_or(bent);
        }
    }
    let offsets = [Channel::Row, Channel::Column].map(|channel| {
        let of_channel = points.iter().filter(|point| point.0 == channel);
        let offset = of_channel.map(|(_, p)| {
            let flat = bent.at(p.u, p.v);
            EdgeOffset {
                u: p.u,
                v: p.v,
                x: p.pixel.x - flat.x,
                y: p.pixel.y - flat.y,
                weight: p.weight,
            }
        });
        offset.collect()
    });
    let widths = blocks.iter().flat_map(|block| block.columns);
    let width = median(widths.map(|[left, right]| right - left), f64::total_cmp);
    let heights = blocks.iter().flat_map(|block| block.heights.windows(2));
    let height = median(heights.map(|row| row[1] - row[0]), f64::total_cmp);
    SnappedSurface {
        surface: bent,
        offsets,
        reach: (0.5 * width.unwrap_or(1.0), height.unwrap_or(1.0)),
        prior_weight: parameters.offset_prior_weight,
    }
}

/// An edge of a cell to look for: on a row's edge or on a border.
struct Edge {
    channel: Channel,
    u: f64,
    v: f64,
    /// How far from its place it may lie, across itself.
    reach: (f64, f64),
    /// Size of a cell along it.
    cell: (f64, f64),
}

/// Calls a function for three places on each row's edge, and one on each border of each cell.
fn for_each_edge(blocks: &[EdgePlaces], mut look: impl FnMut(Edge)) {
    for block in blocks {
        let heights = &block.heights;
        let row = (heights[heights.len() - 1] - heights[0]) / (heights.len() - 1) as f64;
        for [left, right] in block.columns {
            let width = right - left;
            for &v in heights {
                for share in EDGE_WIDTH_SHARES {
                    look(Edge {
                        channel: Channel::Row,
                        u: left + share * width,
                        v,
                        reach: (0.0, REACH_ROWS * row),
                        cell: (width, 0.0),
                    });
                }
            }
            for v in heights.windows(2).map(|row| (row[0] + row[1]) / 2.0) {
                for u in [left, right] {
                    look(Edge {
                        channel: Channel::Column,
                        u,
                        v,
                        reach: (REACH_COLUMNS * width, 0.0),
                        cell: (0.0, row),
                    });
                }
            }
        }
    }
}

/// The point of the peak of a function of (u, v) across an edge, within a share of its reach, if
/// the function of all values and the largest one gives a weight.
fn find_across(
    surface: &Surface,
    edge: &Edge,
    share: f64,
    of: impl Fn(f64, f64) -> f32,
    weigh: impl Fn(&[f32], f32) -> Option<f32>,
) -> Option<SurfacePoint> {
    let place = |i: f64| {
        let share = share * i / f64::from(PROBES);
        (edge.u + share * edge.reach.0, edge.v + share * edge.reach.1)
    };
    let values = (-PROBES..=PROBES).map(|i| {
        let (u, v) = place(f64::from(i));
        of(u, v)
    });
    let values: Vec<f32> = values.collect();
    let (at, value) = find_peak(&values, PROBES as usize, PROBES as usize)?;
    let weight = weigh(&values, value)?;
    let (u, v) = place(at - f64::from(PROBES));
    Some(SurfacePoint {
        u: edge.u,
        v: edge.v,
        pixel: surface.at(u, v),
        weight: f64::from(weight),
    })
}

/// Where the edges lie on the maps, near their places on a surface.
fn find_points(
    surface: &Surface,
    blocks: &[EdgePlaces],
    maps: &Segmentation,
    parameters: &SurfaceParameters,
) -> Vec<(Channel, SurfacePoint)> {
    let mut points = Vec::new();
    for_each_edge(blocks, |edge| {
        let of = |u, v| maps.at(edge.channel, surface.at(u, v));
        let weigh = |_: &[f32], p: f32| (p >= parameters.min_edge_probability).then_some(p);
        let point = find_across(surface, &edge, 1.0, of, weigh);
        points.extend(point.map(|point| (edge.channel, point)));
    });
    points
}

/// Where printed rulings lie in the picture, near the places of the edges on a surface.
fn find_rulings(
    surface: &Surface,
    blocks: &[EdgePlaces],
    maps: &Segmentation,
    picture: &GrayImage,
    parameters: &SurfaceParameters,
) -> Vec<(Channel, SurfacePoint)> {
    let luma = |p: Point| {
        let p = maps.in_picture(p);
        bilinear(picture, p.x as f32, p.y as f32)
    };
    let mut points = Vec::new();
    for_each_edge(blocks, |edge| {
        let darkness = |u: f64, v: f64| {
            let along =
                LUMA_SHARES.map(|t| luma(surface.at(u + t * edge.cell.0, v + t * edge.cell.1)));
            255.0 - along.iter().sum::<f32>() / LUMA_SHARES.len() as f32
        };
        let weigh = |values: &[f32], dark: f32| {
            let usual = median(values.iter().copied(), f32::total_cmp)?;
            (dark - usual >= parameters.min_ruling_contrast).then_some(parameters.ruling_weight)
        };
        let point = find_across(surface, &edge, RULING_REACH, darkness, weigh);
        points.extend(point.map(|point| (edge.channel, point)));
    });
    points
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::super::drawn_table::DrawnTable;
    use super::*;
    use crate::geometry::Homography;

    /// The surface of a table snapped to its maps and a picture, from one that is shifted.
    fn snap(table: &DrawnTable, shift: (f64, f64), luma: impl Fn(Point) -> u8) -> SnappedSurface {
        let maps = table.maps();
        let layout = table.layout();
        let places = layout.blocks.iter().map(|block| EdgePlaces {
            columns: [block.white, block.black].map(|of| of.map(|share| block.table_x(share))),
            heights: block.edges.clone(),
        });
        let picture = GrayImage::from_fn(800, 1000, |x, y| {
            Luma([luma(maps.on_map(Point::new(x.into(), y.into())))])
        });
        let corners = table
            .corners()
            .map(|p| Point::new(p.x + shift.0, p.y + shift.1));
        let surface = Surface::flat(Homography::onto(&corners).expect("a rectangle"));
        let places: Vec<EdgePlaces> = places.collect();
        snap_to_edges(
            surface,
            &places,
            &maps,
            &picture,
            &SurfaceParameters::default(),
        )
    }

    #[test]
    fn a_surface_a_pixel_off_the_edges_is_snapped_to_them() {
        let snapped = snap(&DrawnTable::default(), (-1.0, 1.0), |_| 220);
        for (u, v) in [(0.0, 0.0), (0.3, 0.5), (1.0, 0.25), (1.0, 1.0)] {
            let off = snapped
                .at(u, v)
                .distance(Point::new(20.0 + 160.0 * u, 30.0 + 190.0 * v));
            assert!(off < 0.2, "{off} pixels at {u}, {v}");
        }
    }

    #[test]
    fn printed_rulings_count_more_than_edges_on_the_maps() {
        // Rulings half a pixel below the edges.
        let snapped = snap(&DrawnTable::default(), (0.0, 0.0), |p| {
            let rows = (p.y - 30.5) / 9.5;
            if 9.5 * (rows - rows.round()).abs() < 0.4 {
                60
            } else {
                220
            }
        });
        for (u, v) in [(0.2, 0.2), (0.7, 0.5), (0.9, 0.8)] {
            let off = snapped.at(u, v).y - (30.0 + 190.0 * v);
            assert!((0.26..0.5).contains(&off), "{off} pixels at {u}, {v}");
        }
    }

    #[test]
    fn paper_that_is_crumpled_at_one_place_is_followed_there() {
        let table = DrawnTable {
            drop: |x, y| 2.0 * (-((x - 55.0) / 20.0).powi(2) - ((y - 125.0) / 20.0).powi(2)).exp(),
            ..DrawnTable::default()
        };
        let snapped = snap(&table, (0.0, 0.0), |_| 220);
        // The edge between the tenth and the eleventh row, 2 pixels below its place.
        let (u, v) = (35.0 / 160.0, 0.5);
        let (plain, off) = (
            snapped.surface().at(u, v).y - 127.0,
            snapped.at(u, v).y - 127.0,
        );
        assert!(plain.abs() > 1.0, "{plain}");
        assert!(off.abs() < 0.7 * plain.abs(), "{off} of {plain}");
    }
}
