//! What is wrong with a picture from which no game could be read, as advice to whoever took it.

use std::fmt;

use image::{GrayImage, imageops};
use imageproc::filter::box_filter;
use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::page::Page;
use crate::robust::median;

/// The bounds beyond which a picture is bad.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Longer side of a picture in pixels below which the picture is too small for a sheet. The
    /// smallest real sheet that was read has 837 pixels; a rendered one with few rows was still
    /// read at 420.
    pub min_side_px: u32,
    /// Median height of the rows in pixels below which their writing cannot be read.
    pub min_row_height_px: f64,
    /// Blur, from 0 to 1, from which writing cannot be read. The sheets at hand have 0.09 to 0.27;
    /// blurred by one two-thousandth of their longer side they have 0.25 to 0.45, by two of these
    /// 0.65 to 0.72.
    pub max_blur: f64,
    /// Radius in pixels of the box filter that blur is measured with.
    pub blur_radius_px: u32,
    /// Grey levels between the 5th and the 95th percentile of a picture below which ink hardly
    /// shows.
    pub min_contrast: u8,
    /// Pixels from the picture's edge within which a cell's corner shows that the table is cut off.
    pub edge_width_px: f64,
    /// Share of the picture's width and height along each edge in which no ink is looked for: there
    /// are shadows, punch holes, staples and the edges of other sheets.
    pub blank_margin: f64,
    /// Pixels around a pixel over which the grey level of the paper is averaged.
    pub paper_radius_px: u32,
    /// Grey levels by which ink is at least darker than the paper around it.
    pub min_ink_depth: u8,
    /// The same in multiples of the paper's grain, the median change from pixel to pixel.
    pub min_ink_depth_in_grains: f64,
    /// Share of ink below which a page is blank; specks of dust are left. A line of writing has
    /// four times as much.
    pub max_blank_ink: f64,
    /// Grey levels between the 5th and the 95th percentile of a blank page at most. What has more
    /// is no evenly lit paper.
    pub max_blank_contrast: u8,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            min_side_px: 500,
            min_row_height_px: 11.0,
            max_blur: 0.55,
            blur_radius_px: 4,
            min_contrast: 24,
            edge_width_px: 2.0,
            blank_margin: 0.08,
            paper_radius_px: 15,
            min_ink_depth: 6,
            min_ink_depth_in_grains: 8.0,
            max_blank_ink: 0.0005,
            max_blank_contrast: 40,
        }
    }
}

/// A side of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
    /// Top.
    Top,
    /// Bottom.
    Bottom,
}

/// What to do better, by what was measured on the picture. It displays as a sentence for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// The picture is too small for a sheet: its width and height in pixels.
    Small(u32, u32),
    /// The rows are too low to be read: their height in pixels.
    Low(u32),
    /// The picture is blurred.
    Blurred,
    /// There is no ink on it.
    Blank,
    /// Ink and paper hardly differ.
    Faint,
    /// The table goes on beyond the picture.
    CutOff(Side),
    /// None of these was measured.
    Other,
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Small(width, height) => write!(
                f,
                "the picture has only {width} x {height} pixels; photograph the sheet again, \
                 so that it fills the picture"
            ),
            Self::Low(pixels) => write!(
                f,
                "its rows are only {pixels} pixels high; photograph the sheet from nearer, \
                 or scan it with 200 dpi or more"
            ),
            Self::Blurred => write!(
                f,
                "the picture is blurred; hold the camera still and let it focus on the sheet, \
                 or scan the sheet"
            ),
            Self::Blank => write!(f, "the page is blank; leave it out if it is a back side"),
            Self::Faint => write!(
                f,
                "ink and paper are hardly told apart; photograph the sheet in more light"
            ),
            Self::CutOff(side) => {
                let side = match side {
                    Side::Left => "on the left",
                    Side::Right => "on the right",
                    Side::Top => "at the top",
                    Side::Bottom => "at the bottom",
                };
                write!(f, "the table is cut off {side}; photograph the whole sheet")
            }
            Self::Other => write!(f, "photograph the whole sheet, flat and in even light"),
        }
    }
}

/// Measures a page that gave no game, and the cells that were found on it if there are any.
pub fn assess(page: &Page, cells: &[Cell], parameters: &Parameters) -> Advice {
    let (width, height) = page.luma.dimensions();
    if width.max(height) < parameters.min_side_px {
        return Advice::Small(width, height);
    }
    if let Some(row) = row_height(cells)
        && row < parameters.min_row_height_px
    {
        return Advice::Low(row.round() as u32);
    }
    if cells.is_empty() && is_blank(&page.working, parameters) {
        return Advice::Blank;
    }
    if contrast(&page.working) < parameters.min_contrast {
        return Advice::Faint;
    }
    if blur(&page.working, parameters.blur_radius_px) >= parameters.max_blur {
        return Advice::Blurred;
    }
    let side = cut_off_side(cells, (width, height), parameters.edge_width_px);
    side.map_or(Advice::Other, Advice::CutOff)
}

/// Median height of the cells in pixels.
fn row_height(cells: &[Cell]) -> Option<f64> {
    let height = |cell: &Cell| {
        let [tl, tr, br, bl] = cell.quad;
        (tl.distance(bl) + tr.distance(br)) / 2.0
    };
    median(cells.iter().map(height), f64::total_cmp)
}

/// The side on which a cell comes within `edge_width` pixels of the edge of a picture of this width
/// and height.
fn cut_off_side(cells: &[Cell], (width, height): (u32, u32), edge_width: f64) -> Option<Side> {
    let (right, bottom) = (
        f64::from(width) - 1.0 - edge_width,
        f64::from(height) - 1.0 - edge_width,
    );
    let mut corners = cells.iter().flat_map(|cell| cell.quad);
    corners.find_map(|p| match p {
        _ if p.x < edge_width => Some(Side::Left),
        _ if p.x > right => Some(Side::Right),
        _ if p.y < edge_width => Some(Side::Top),
        _ if p.y > bottom => Some(Side::Bottom),
        _ => None,
    })
}

/// Grey levels between the 5th and the 95th percentile.
fn contrast(picture: &GrayImage) -> u8 {
    let mut grey = picture.as_raw().clone();
    if grey.is_empty() {
        return 0;
    }
    let (low, high) = (grey.len() / 20, grey.len() - 1 - grey.len() / 20);
    let dark = *grey.select_nth_unstable(low).1;
    *grey.select_nth_unstable(high).1 - dark
}

/// Whether a picture shows paper without ink: hardly any pixel is darker than its surroundings.
fn is_blank(picture: &GrayImage, parameters: &Parameters) -> bool {
    let margin = |side: u32| (f64::from(side) * parameters.blank_margin) as u32;
    let (left, top) = (margin(picture.width()), margin(picture.height()));
    let (width, height) = (picture.width() - 2 * left, picture.height() - 2 * top);
    let inner = imageops::crop_imm(picture, left, top, width, height).to_image();
    if width < 2 || height == 0 || contrast(&inner) > parameters.max_blank_contrast {
        return false;
    }
    let rows = inner.as_raw().chunks_exact(width as usize);
    let changes = rows.flat_map(|row| row.windows(2).map(|pair| pair[0].abs_diff(pair[1])));
    let grain = f64::from(median(changes, u8::cmp).unwrap_or(0));
    let depth = f64::from(parameters.min_ink_depth).max(parameters.min_ink_depth_in_grains * grain);
    let radius = parameters.paper_radius_px;
    let paper = box_filter(&inner, radius, radius);
    let pixels = inner.as_raw().iter().zip(paper.as_raw());
    let ink = pixels.filter(|&(&here, &paper)| f64::from(paper) - f64::from(here) > depth);
    (ink.count() as f64) < parameters.max_blank_ink * f64::from(width) * f64::from(height)
}

/// How blurred a picture is, from 0 to 1: the share of the change from pixel to pixel that is left
/// when a box filter of this radius in pixels blurs it further, across or down, whichever is more
/// (Crete and others 2007, The blur effect: perception and estimation with a new no-reference
/// perceptual blur metric).
fn blur(picture: &GrayImage, radius: u32) -> f64 {
    let share_left = |blurred: GrayImage, (dx, dy): (u32, u32)| {
        let (mut before, mut lost) = (0.0, 0.0);
        for y in dy..picture.height() {
            for x in dx..picture.width() {
                let change = |p: &GrayImage| {
                    let [here, there] = [p.get_pixel(x, y), p.get_pixel(x - dx, y - dy)];
                    f64::from(here.0[0].abs_diff(there.0[0]))
                };
                let (sharp, soft) = (change(picture), change(&blurred));
                before += sharp;
                lost += (sharp - soft).max(0.0);
            }
        }
        if before > 0.0 {
            (before - lost) / before
        } else {
            0.0
        }
    };
    share_left(box_filter(picture, radius, 0), (1, 0))
        .max(share_left(box_filter(picture, 0, radius), (0, 1)))
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// Paper of a scanner, a little darker on one side, with grain and two punch holes.
    fn paper() -> GrayImage {
        GrayImage::from_fn(1000, 1400, |x, y| {
            let hole = |cy: u32| x.abs_diff(45).pow(2) + y.abs_diff(cy).pow(2) < 400;
            let grain = (x * 73 + y * 151 + x * y % 97) % 5;
            Luma([if hole(560) || hole(840) {
                40
            } else {
                (215 + x / 50 + grain) as u8
            }])
        })
    }

    #[test]
    fn a_blank_back_is_blank_and_a_line_of_writing_is_not() {
        let parameters = Parameters::default();
        assert!(is_blank(
            &GrayImage::from_pixel(1240, 1754, Luma([255])),
            &parameters
        ));
        let mut page = paper();
        assert!(is_blank(&page, &parameters));
        // Strokes of two pixels, as on a note of one line.
        for x in (200..700).step_by(5) {
            for (dx, dy) in (0..2).flat_map(|dx| (0..25).map(move |dy| (dx, dy))) {
                page.put_pixel(x + dx, 300 + dy, Luma([90]));
            }
        }
        assert!(!is_blank(&page, &parameters));
    }
}
