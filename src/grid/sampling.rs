//! What the maps show along sampling lines, which run down the regions of a table.

use std::ops::Range;

use super::cell_probability::log_odds;
use super::cell_regions::CellRegion;
use super::parameters::Parameters;
use super::rows::RowProfile;
use super::segmentation::{Channel, Segmentation};
use super::surface::{Surface, SurfacePoint};
use crate::geometry::{Homography, Point};
use crate::robust::median;

/// Smallest number of sampling lines down a region.
const MIN_LINES: usize = 3;
/// Weight of a sampling line where it runs through no cells, against 1 where it does.
const MIN_LINE_WEIGHT: f32 = 0.05;

/// A sampling line: u, and the region in which it runs down.
#[derive(Clone, Copy)]
pub struct SamplingLine {
    /// Place across the table.
    pub u: f64,
    /// Index of the region.
    pub region: usize,
    /// Share of the region's width.
    share: f64,
}

/// Sampling lines at equal distances down each region, with their u at half the region's height.
pub fn place_lines(
    regions: &[&CellRegion],
    frame: &Homography,
    parameters: &Parameters,
) -> Option<Vec<SamplingLine>> {
    let back = frame.inverse()?;
    let mut lines = Vec::new();
    for (at, region) in regions.iter().enumerate() {
        let y = (region.top + region.bottom) / 2.0;
        let count = (region.width / parameters.regions.line_distance_px) as usize;
        let count = count.max(MIN_LINES);
        lines.extend((0..count).map(|i| {
            let share = (i as f64 + 0.5) / count as f64;
            SamplingLine {
                u: back.at(region.x_at(share, y), y).x,
                region: at,
                share,
            }
        }));
    }
    Some(lines)
}

/// What the maps show along the sampling lines, at the same heights v on each.
pub struct Samples {
    heights: Vec<f64>,
    step_px: f64,
    /// Probability of an edge, by line and height.
    edges: Vec<Vec<f32>>,
    /// Probability of a cell, by line and height.
    cells: Vec<Vec<f32>>,
}

impl Samples {
    /// Samples the maps along lines, some way beyond v = 0 and v = 1. None where the surface has
    /// collapsed to less than a row, or is longer than any line on the maps.
    pub fn take(
        maps: &Segmentation,
        surface: &Surface,
        lines: &[SamplingLine],
        parameters: &Parameters,
    ) -> Option<Self> {
        let margin = parameters.rows.margin_share;
        let height_px = surface.at(0.5, 0.0).distance(surface.at(0.5, 1.0));
        if !(parameters.rows.min_pitch_px..=maps.longest_line()).contains(&height_px) {
            return None;
        }
        let count = (height_px * (1.0 + 2.0 * margin) / parameters.rows.step_px) as usize;
        let count = count.max(2);
        let step = (1.0 + 2.0 * margin) / (count - 1) as f64;
        let heights: Vec<f64> = (0..count).map(|i| i as f64 * step - margin).collect();
        let sample = |of: &dyn Fn(Point) -> f32| -> Vec<Vec<f32>> {
            let along = |line: &SamplingLine| -> Vec<f32> {
                let places = heights.iter().map(|&v| surface.at(line.u, v));
                places.map(of).collect()
            };
            lines.iter().map(along).collect()
        };
        Some(Self {
            step_px: step * height_px,
            edges: sample(&|p| maps.at(Channel::Row, p)),
            cells: sample(&|p| maps.cell_at(p)),
            heights,
        })
    }

    /// The profile of all lines together, each of which may be moved by the tolerance.
    pub fn profile(&self, tolerance_px: f64, parameters: &Parameters) -> RowProfile {
        let rows = &parameters.rows;
        let reach = (tolerance_px / self.step_px).round() as usize;
        let [low, high] = rows.edge_range;
        let count = self.heights.len();
        let cell_reach = (rows.min_pitch_px / self.step_px) as usize;
        // Lines beyond the end of their block say nothing of the rows of the others.
        let weigh_line = |cells: &Vec<f32>| -> Vec<f32> {
            let weight = |i| MIN_LINE_WEIGHT + highest_near(cells, i, cell_reach);
            (0..count).map(weight).collect()
        };
        let line_weights: Vec<Vec<f32>> = self.cells.iter().map(weigh_line).collect();
        let weighted_mean = |i: usize, lines: &[Vec<f32>], value: &dyn Fn(&[f32]) -> f32| {
            let (mut sum, mut weights) = (0.0, 0.0);
            for (line, weight) in lines.iter().zip(&line_weights) {
                sum += weight[i] * value(line);
                weights += weight[i];
            }
            sum / weights
        };
        let edge = |i: usize, reach: usize| {
            let mean = weighted_mean(i, &self.edges, &|edges| highest_near(edges, i, reach));
            (rows.edge_weight * log_odds(mean)).clamp(low, high)
        };
        let weight = rows.cell_weight * self.step_px as f32;
        let cells =
            (0..count).map(|i| weight * log_odds(weighted_mean(i, &self.cells, &|cells| cells[i])));
        let skip_weight = rows.skip_weight * self.step_px as f32;
        let skipped = (0..count).map(|i| skip_weight * edge(i, 0).max(0.0));
        RowProfile {
            edge: (0..count).map(|i| edge(i, reach)).collect(),
            cells: cells.collect(),
            skipped: skipped.collect(),
            step_px: self.step_px,
        }
    }

    /// The peaks of the edges on each line: where the edge lies on the form and in the picture.
    /// With each comes the index of its line.
    pub fn edge_points(
        &self,
        edges: &[usize],
        surface: &Surface,
        lines: &[SamplingLine],
        regions: &[&CellRegion],
        parameters: &Parameters,
    ) -> Vec<(usize, SurfacePoint)> {
        let rows = (edges.len() - 1) as f64;
        let mut points = Vec::new();
        for (at, (line, probabilities)) in lines.iter().zip(&self.edges).enumerate() {
            for (i, &edge) in edges.iter().enumerate() {
                let pitch = match i {
                    0 => edges[1] - edges[0],
                    i => edge - edges[i - 1],
                };
                let reach =
                    ((parameters.surface.max_edge_offset_share * pitch as f64) as usize).max(1);
                let Some((peak, probability)) = find_peak(probabilities, edge, reach) else {
                    continue;
                };
                if probability < parameters.surface.min_edge_probability {
                    continue;
                }
                let step = self.heights[1] - self.heights[0];
                let mut pixel = surface.at(line.u, self.heights[0] + step * peak);
                let region = regions[line.region];
                let is_inside = (region.top - 1.0..=region.bottom + 1.0).contains(&pixel.y);
                let mut weight = f64::from(probability);
                if is_inside {
                    pixel.x = region.x_at(line.share, pixel.y);
                } else {
                    weight *= parameters.surface.outside_weight;
                }
                let v = i as f64 / rows;
                points.push((
                    at,
                    SurfacePoint {
                        u: line.u,
                        v,
                        pixel,
                        weight,
                    },
                ));
            }
        }
        points
    }
}

/// The indices within `reach` of an index, of so many.
fn near(at: usize, reach: usize, count: usize) -> Range<usize> {
    at.saturating_sub(reach)..(at + reach + 1).min(count)
}

/// The largest value within `reach` of an index; at least 0.
pub fn highest_near(values: &[f32], at: usize, reach: usize) -> f32 {
    let values = &values[near(at, reach, values.len())];
    values.iter().copied().fold(0.0, f32::max)
}

/// The place of the largest value within `reach` of a sample, as a fraction of samples by a
/// parabola through it and its neighbours, and the value.
pub fn find_peak(values: &[f32], at: usize, reach: usize) -> Option<(f64, f32)> {
    let peak = near(at, reach, values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]))?;
    let value = values[peak];
    let neighbours = peak
        .checked_sub(1)
        .and_then(|before| values.get(before))
        .zip(values.get(peak + 1));
    let offset = neighbours.map_or(0.0, |(before, after)| {
        let curvature = before - 2.0 * value + after;
        match curvature.abs() > 1e-6 {
            true => (0.5 * (before - after) / curvature).clamp(-0.5, 0.5),
            false => 0.0,
        }
    });
    Some((peak as f64 + f64::from(offset), value))
}

/// Moves each line across to where its points lie on the surface.
pub fn move_lines(
    lines: &mut [SamplingLine],
    points: &mut [(usize, SurfacePoint)],
    surface: &Surface,
) {
    const STEP: f64 = 1e-3;
    for (at, line) in lines.iter_mut().enumerate() {
        let slope = (surface.at(line.u + STEP, 0.5).x - surface.at(line.u, 0.5).x) / STEP;
        let of_line = points.iter().filter(|p| p.0 == at);
        let offsets = of_line.map(|(_, p)| (p.pixel.x - surface.at(p.u, p.v).x) / slope);
        if let Some(offset) = median(offsets, f64::total_cmp) {
            line.u += offset;
        }
        for point in points.iter_mut().filter(|p| p.0 == at) {
            point.1.u = line.u;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn_table::DrawnTable;
    use super::*;

    #[test]
    fn a_surface_that_has_collapsed_or_exploded_has_no_samples() {
        let table = DrawnTable::default();
        let (maps, parameters) = (table.maps(), Parameters::default());
        let has_samples = |factor: f64| {
            let corners = table
                .corners()
                .map(|p| Point::new(factor * p.x, factor * p.y));
            let frame = Homography::onto(&corners).expect("a rectangle");
            let line = SamplingLine {
                u: 0.5,
                region: 0,
                share: 0.5,
            };
            let samples = Samples::take(&maps, &Surface::flat(frame), &[line], &parameters);
            samples
                .map(|samples| samples.profile(1.6, &parameters))
                .is_some()
        };
        assert!(has_samples(1.0));
        assert!(!has_samples(1e-25));
        assert!(!has_samples(1e15));
    }

    #[test]
    fn a_peak_between_two_samples_is_found_within_reach_only() {
        // A parabola with its top at 4.3.
        let values: Vec<f32> = (0..10)
            .map(|i| 1.0 - 0.01 * (i as f32 - 4.3).powi(2))
            .collect();
        let (place, value) = find_peak(&values, 5, 2).expect("values");
        assert!(
            (place - 4.3).abs() < 1e-3 && value > 0.99,
            "{place} {value}"
        );
        assert_eq!(
            find_peak(&values, 8, 1).map(|(place, _)| place.floor()),
            Some(6.0)
        );
        assert_eq!(find_peak(&[], 3, 1), None);
    }
}
