//! The words of single lines of a header, cut out of the page before its ink is parted: what reaches in from the lines above
//! and below joins nothing.

use image::{GrayImage, Luma};
use imageproc::region_labelling::{Connectivity, connected_components};

use super::frame::{Area, Frame};
use super::pieces::{self, Bounds};
use super::{LARGER, Place, ROW, Word, ink, lying};
use crate::grid::Grid;
use crate::page::Page;

/// Height of a line's strip in pixels, as far as that does not enlarge the page too much.
const HIGH: f64 = 56.0;
/// Ink at the upper or lower edge of a strip that reaches less than this share of its height into it is of another line.
const REACHES: f64 = 0.4;

/// A line of writing on the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strip {
    /// Its left end: where it is longer it rises or falls.
    pub place: Place,
    /// Rows by which it falls in one to the right.
    pub slope: f32,
}

/// The words of these strips, from left to right.
pub fn words_in(page: &Page, grid: &Grid, strips: &[Strip]) -> Vec<Word> {
    let Some(frame) = Frame::of(grid) else {
        return Vec::new();
    };
    strips
        .iter()
        .flat_map(|strip| words_of(page, &frame, strip))
        .collect()
}

fn words_of(page: &Page, frame: &Frame, strip: &Strip) -> Vec<Word> {
    let [left, top, right, bottom] = [
        strip.place.left,
        strip.place.top,
        strip.place.right,
        strip.place.bottom,
    ]
    .map(f64::from);
    let area = Area {
        left,
        top,
        right,
        bottom,
    };
    let slope = f64::from(strip.slope);
    let row = (HIGH / (bottom - top)).min(ROW * LARGER);
    let mut ink = ink(row, page, frame, &area, slope);
    take_others_out(&mut ink);
    let (mut lines, _) = pieces::words(&ink);
    lines.sort_by_key(|line| (line.bounds.left, line.bounds.right));
    let words = lines.into_iter().map(|line| lying(line, row, &area, slope));
    words.map(|lying| lying.word(page, frame)).collect()
}

/// Takes the ends out that lines above and below have in this strip.
fn take_others_out(ink: &mut GrayImage) {
    let labels = connected_components(ink, Connectivity::Eight, Luma([0]));
    let mut found: Vec<Option<Bounds>> = Vec::new();
    for (x, y, label) in labels.enumerate_pixels() {
        let label = label.0[0] as usize;
        if label == 0 {
            continue;
        }
        if found.len() <= label {
            found.resize(label + 1, None);
        }
        let here = Bounds {
            left: x,
            top: y,
            right: x,
            bottom: y,
        };
        found[label] = Some(found[label].map_or(here, |known| known.joined(here)));
    }
    let last = ink.height().saturating_sub(1);
    let high = f64::from(ink.height());
    let strange = |bounds: &Bounds| {
        let short = f64::from(bounds.bottom - bounds.top + 1) < REACHES * high;
        short && (bounds.top == 0 || bounds.bottom == last)
    };
    let strange: Vec<bool> = found
        .iter()
        .map(|bounds| bounds.as_ref().is_some_and(strange))
        .collect();
    for (pixel, label) in ink.pixels_mut().zip(labels.pixels()) {
        if strange.get(label.0[0] as usize) == Some(&true) {
            *pixel = Luma([0]);
        }
    }
}
