//! The regions of a page that move cells fill, whosever they are, each with a left and a right
//! border: a column, a block or several blocks that touch.

use image::{GrayImage, Luma};
use imageproc::region_labelling::{Connectivity, connected_components};

use super::parabola::Parabola;
use super::parameters::RegionParameters;
use super::segmentation::{Channel, Segmentation};
use crate::robust::median;

/// A region of move cells. Lengths are pixels of a map.
#[derive(Debug, Clone)]
pub struct CellRegion {
    /// Where the region begins and ends from top to bottom.
    pub top: f64,
    /// See `top`.
    pub bottom: f64,
    /// The left border.
    pub left: Parabola,
    /// The right border.
    pub right: Parabola,
    /// Median width.
    pub width: f64,
    /// Where the rows of pixels begin and end: y, left and right x.
    spans: Vec<(f64, f64, f64)>,
}

impl CellRegion {
    /// A region of some spans.
    fn new((top, bottom): (f64, f64), spans: Vec<(f64, f64, f64)>) -> Self {
        let is_straight = spans.len() <= 20;
        let border = |x: fn(&(f64, f64, f64)) -> f64| {
            let points: Vec<(f64, f64)> = spans.iter().map(|span| (span.0, x(span))).collect();
            Parabola::fit(&points, is_straight)
        };
        let (left, right) = (border(|span| span.1), border(|span| span.2));
        let widths = spans.iter().map(|span| span.2 - span.1);
        let width = median(widths, f64::total_cmp).unwrap_or(0.0);
        Self {
            top,
            bottom,
            left,
            right,
            width,
            spans,
        }
    }

    /// Height of the region.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Pixel x at a share of the way from the left to the right border, at pixel y.
    pub fn x_at(&self, share: f64, y: f64) -> f64 {
        let left = self.left.at(y);
        left + share * (self.right.at(y) - left)
    }
}

/// The regions of a segmentation, from left to right.
pub fn find_cell_regions(maps: &Segmentation, parameters: &RegionParameters) -> Vec<CellRegion> {
    let mut pieces = find_pieces(maps, parameters);
    pieces.sort_by(|a, b| b.height().total_cmp(&a.height()));
    let mut regions: Vec<CellRegion> = Vec::new();
    for piece in pieces {
        let whole = regions
            .iter()
            .position(|region| continues(region, &piece, parameters));
        match whole {
            Some(at) => regions[at] = join(&regions[at], &piece),
            None => regions.push(piece),
        }
    }
    let highest = regions.iter().map(CellRegion::height).fold(0.0, f64::max);
    regions.retain(|region| region.height() > parameters.min_height_share * highest);
    let middle = |region: &CellRegion| region.x_at(0.5, (region.top + region.bottom) / 2.0);
    regions.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    regions
}

/// The connected regions that are large enough.
fn find_pieces(maps: &Segmentation, parameters: &RegionParameters) -> Vec<CellRegion> {
    let (width, height) = maps.size();
    let (white, black) = (maps.map(Channel::White), maps.map(Channel::Black));
    let cells: Vec<f32> = white.iter().zip(black).map(|(w, b)| w.max(*b)).collect();
    let mask = GrayImage::from_fn(width as u32, height as u32, |x, y| {
        let probability = cells[y as usize * width + x as usize];
        Luma([u8::from(probability > parameters.min_cell_probability)])
    });
    let labels = connected_components(&mask, Connectivity::Four, Luma([0]));
    let count = labels
        .as_raw()
        .iter()
        .max()
        .map_or(0, |&last| last as usize);
    // For each region and row of pixels: y, first and last pixel, and how many there are.
    let mut rows: Vec<Vec<(usize, usize, usize, usize)>> = vec![Vec::new(); count + 1];
    for (y, row) in labels.as_raw().chunks_exact(width).enumerate() {
        for (x, &label) in row.iter().enumerate().filter(|(_, label)| **label > 0) {
            let rows = &mut rows[label as usize];
            match rows.last_mut().filter(|last| last.0 == y) {
                Some(last) => (last.2, last.3) = (x, last.3 + 1),
                None => rows.push((y, x, x, 1)),
            }
        }
    }
    let pieces = rows.into_iter().filter_map(|rows| {
        let ends = (rows.first()?.0 as f64 - 0.5, rows.last()?.0 as f64 + 0.5);
        let usual = median(rows.iter().map(|row| row.3), usize::cmp)?;
        let min_width = parameters.min_row_width_share * usual as f64;
        let wide = rows.iter().filter(|row| row.3 as f64 >= min_width);
        let spans = wide.map(|&(y, from, to, _)| {
            let line = &cells[y * width..][..width];
            (y as f64, crossing(line, from, -1), crossing(line, to, 1))
        });
        Some(CellRegion::new(ends, spans.collect()))
    });
    let is_large = |region: &CellRegion| {
        region.height() >= parameters.min_height_px && region.width >= parameters.min_width_px
    };
    pieces.filter(is_large).collect()
}

/// Where a line of a map falls below one half beyond its pixel `at`, to the left (-1) or right (1).
fn crossing(line: &[f32], at: usize, step: isize) -> f64 {
    let inside = line[at];
    let outside = at.checked_add_signed(step).and_then(|next| line.get(next));
    let share = outside.map_or(0.0, |outside| (inside - 0.5) / (inside - outside).max(1e-3));
    at as f64 + step as f64 * f64::from(share.clamp(0.0, 1.0))
}

/// Whether a piece goes on where a region ends, above or below.
fn continues(region: &CellRegion, piece: &CellRegion, parameters: &RegionParameters) -> bool {
    let (narrow, wide) = (region.width.min(piece.width), region.width.max(piece.width));
    let overlap = region.bottom.min(piece.bottom) - region.top.max(piece.top);
    let max_offset = parameters.max_piece_offset_share * wide;
    let is_in_line = [piece.top, piece.bottom]
        .iter()
        .all(|&y| (region.x_at(0.5, y) - piece.x_at(0.5, y)).abs() < max_offset);
    overlap < 0.5 * piece.height()
        && narrow >= parameters.min_piece_width_share * wide
        && -overlap < parameters.max_piece_gap_share * region.height()
        && is_in_line
}

/// Two pieces as one region.
fn join(a: &CellRegion, b: &CellRegion) -> CellRegion {
    let ends = (a.top.min(b.top), a.bottom.max(b.bottom));
    CellRegion::new(ends, [a.spans.as_slice(), &b.spans].concat())
}

#[cfg(test)]
mod tests {
    use super::super::drawn_table::{DrawnTable, SIZE, covered};
    use super::*;

    #[test]
    fn blocks_with_a_gap_between_them_are_regions_with_their_borders() {
        let table = DrawnTable::default();
        let regions = find_cell_regions(&table.maps(), &RegionParameters::default());
        assert_eq!(regions.len(), 2);
        for (region, [left, _, right]) in regions.iter().zip(table.blocks) {
            for y in [40.0, 125.0, 210.0] {
                let borders = (region.x_at(0.0, y), region.x_at(1.0, y));
                assert!((borders.0 - left).abs() < 0.5, "{borders:?} for {left}");
                assert!((borders.1 - right).abs() < 0.5, "{borders:?} for {right}");
            }
            assert!((region.top - 30.0).abs() <= 0.5 && (region.bottom - 220.0).abs() <= 0.5);
        }
    }

    /// Where the regions end whose cells are a piece 70 pixels wide, and below a gap another one.
    fn bottoms_with_piece_below(left: f64, right: f64) -> Vec<f64> {
        let maps = Segmentation::drawn(SIZE, |channel, x, y| match channel {
            Channel::White => {
                let above = covered(x, [20.0, 90.0]) * covered(y, [20.5, 150.5]);
                above.max(covered(x, [left, right]) * covered(y, [160.5, 210.5])) as f32
            }
            _ => 0.0,
        });
        let mut regions = find_cell_regions(&maps, &RegionParameters::default());
        regions.sort_by(|a, b| a.top.total_cmp(&b.top));
        regions.iter().map(|region| region.bottom).collect()
    }

    #[test]
    fn a_piece_below_another_is_joined_to_it_if_it_is_as_wide_and_in_line() {
        assert_eq!(bottoms_with_piece_below(20.0, 90.0), [210.5]);
        assert_eq!(bottoms_with_piece_below(40.0, 70.0), [150.5, 210.5]);
        assert_eq!(bottoms_with_piece_below(55.0, 125.0), [150.5, 210.5]);
    }
}
