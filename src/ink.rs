//! How much ink is in a patch, and whether it is worth reading.

use image::{GrayImage, Luma};
use imageproc::definitions::Image;
use imageproc::filter::box_filter;
use imageproc::morphology::{Mask, grayscale_dilate, grayscale_erode};
use imageproc::region_labelling::{Connectivity, connected_components};

use crate::cell::CellState;
use crate::patch::Canvas;

/// Half the side of the square within which a stroke is darker than all around it, in canvas pixels: strokes are up to
/// eight pixels wide, shadows and shaded bands wider.
const STROKE: u8 = 4;
/// Grey levels below the surroundings from which a pixel is ink: faint pencil is ten, paper grain and JPEG noise six.
const INK: u8 = 8;
/// Pixels inside the cell's corners that belong to rulings, across and down.
const RULING: (u32, u32) = (8, 4);
/// Ink within so many pixels of the upper and lower edge of the zone is a neighbour's descender or ruling.
const HEM: u32 = 5;
/// Ink pixels below which a piece is grain.
const GRAIN: u32 = 6;
/// Share of the zone's width from which a thin piece is a ruling that runs into the cell.
const RUN: f32 = 0.8;
/// Ink pixels a written cell has at least: 1 in 500 of the 11,000 written cells of the HCS and EPFL pages had less than
/// 165, and 98 of 100 blank cells less than 30.
const LEAST_INK: u32 = 110;
/// The largest piece of a written cell is at least this high or wide.
const LEAST_PIECE: u32 = 11;
/// Darker than this share of the paper's grey level, a pixel counts as struck over.
const DARK: f32 = 0.8;
/// Share of a column's height that is dark under a scribble; letters reach it in single strokes only.
const DENSE: f32 = 0.55;
/// Narrowest and widest scribble in pixels; what is wider is a shadow.
const SCRIBBLE: (u32, u32) = (40, 120);
/// Share of the ink that may lie beside a scribble, and of its columns that must be dense.
const BESIDE: f32 = 0.05;
/// See [`BESIDE`].
const DENSE_COLUMNS: f32 = 0.85;

/// What was seen in a patch.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Share of the cell's inner pixels that are ink, 0 to 1.
    pub share: f32,
    /// What that says of the cell.
    pub state: CellState,
}

/// Looks at the cell on a canvas. In doubt a cell is [`CellState::Written`]: the reader sees more than a count of ink.
pub fn look(patch: &GrayImage, canvas: Canvas) -> Look {
    let (left, top) = (canvas.margin_x + RULING.0, canvas.margin_y + RULING.1);
    let width = canvas.width.saturating_sub(2 * left);
    let height = canvas.height.saturating_sub(2 * top);
    if width == 0 || height <= 2 * HEM || patch.dimensions() != (canvas.width, canvas.height) {
        return Look {
            share: 0.0,
            state: CellState::Written,
        };
    }
    let strokes = strokes(patch);
    let zone = GrayImage::from_fn(width, height, |x, y| {
        Luma([if strokes.get_pixel(left + x, top + y).0[0] >= INK {
            255
        } else {
            0
        }])
    });
    let (ink, largest) = pieces(&zone);
    let share = ink as f32 / (width * height) as f32;
    let state = if ink < LEAST_INK || largest < LEAST_PIECE {
        CellState::Blank
    } else if struck_out(&image::imageops::crop_imm(patch, left, top, width, height).to_image()) {
        CellState::StruckOut
    } else {
        CellState::Written
    };
    Look { share, state }
}

/// How much darker each pixel is than the paper about it, where something thin is darker.
fn strokes(patch: &GrayImage) -> GrayImage {
    let smooth: Image<Luma<u8>> = box_filter(patch, 1, 1);
    let side = 2 * STROKE + 1;
    let bar = |w: u8, h: u8| {
        Mask::from_image(
            &GrayImage::from_pixel(w.into(), h.into(), Luma([255])),
            w / 2,
            h / 2,
        )
    };
    let (across, down) = (bar(side, 1), bar(1, side));
    let mut closed = grayscale_dilate(&grayscale_dilate(&smooth, &across), &down);
    closed = grayscale_erode(&grayscale_erode(&closed, &across), &down);
    for (c, s) in closed.iter_mut().zip(smooth.iter()) {
        *c = c.saturating_sub(*s);
    }
    closed
}

/// Ink pixels and the longer side of the largest piece, without grain and without what belongs to the neighbours.
fn pieces(zone: &GrayImage) -> (u32, u32) {
    struct Piece {
        area: u32,
        x: (u32, u32),
        y: (u32, u32),
    }
    let labels = connected_components(zone, Connectivity::Eight, Luma([0]));
    let mut pieces: Vec<Piece> = Vec::new();
    for (x, y, label) in labels.enumerate_pixels() {
        let Some(i) = (label.0[0] as usize).checked_sub(1) else {
            continue;
        };
        while pieces.len() <= i {
            pieces.push(Piece {
                area: 0,
                x: (u32::MAX, 0),
                y: (u32::MAX, 0),
            });
        }
        let p = &mut pieces[i];
        p.area += 1;
        p.x = (p.x.0.min(x), p.x.1.max(x));
        p.y = (p.y.0.min(y), p.y.1.max(y));
    }
    let (width, height) = zone.dimensions();
    let mut ink = 0;
    let mut largest = 0;
    for p in &pieces {
        let (w, h) = (p.x.1 - p.x.0 + 1, p.y.1 - p.y.0 + 1);
        let hem = p.y.1 < HEM || p.y.0 + HEM >= height || p.x.1 < HEM || p.x.0 + HEM >= width;
        let ruling = w as f32 >= RUN * width as f32 && h <= height / 2 && p.area <= 6 * w;
        if p.area < GRAIN || hem || ruling {
            continue;
        }
        ink += p.area;
        largest = largest.max(w.max(h));
    }
    (ink, largest)
}

/// Whether all there is is one dense scribble.
fn struck_out(zone: &GrayImage) -> bool {
    let (width, height) = zone.dimensions();
    let mut sorted = zone.as_raw().clone();
    let at = sorted.len() * 4 / 5;
    let paper = *sorted.select_nth_unstable(at).1;
    let dark = f32::from(paper) * DARK;
    let columns: Vec<u32> = (0..width)
        .map(|x| {
            (0..height)
                .filter(|&y| f32::from(zone.get_pixel(x, y).0[0]) < dark)
                .count() as u32
        })
        .collect();
    let dense = |x: usize| columns[x] as f32 >= DENSE * height as f32;
    let (Some(first), Some(last)) = (
        (0..columns.len()).find(|&x| dense(x)),
        (0..columns.len()).rev().find(|&x| dense(x)),
    ) else {
        return false;
    };
    let wide = (last - first + 1) as u32;
    let inside: u32 = columns[first..=last].iter().sum();
    let all: u32 = columns.iter().sum();
    let filled = (first..=last).filter(|&x| dense(x)).count() as f32;
    (SCRIBBLE.0..=SCRIBBLE.1).contains(&wide)
        && filled >= DENSE_COLUMNS * wide as f32
        && (all - inside) as f32 <= BESIDE * all as f32
}
