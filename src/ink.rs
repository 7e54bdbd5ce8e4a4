//! How much ink a cell holds, and whether that makes it blank, written or struck out.

use image::{GrayImage, Luma};
use imageproc::definitions::Image;
use imageproc::filter::box_filter;
use imageproc::morphology::{Mask, grayscale_dilate, grayscale_erode};
use imageproc::region_labelling::{Connectivity, connected_components};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::Quad;
use crate::patch::{self, CELL_CANVAS, Canvas};

/// Half the side, in canvas pixels, of the window of the morphological closing that finds strokes:
/// strokes are up to eight pixels wide, shadows and shaded bands are wider.
const STROKE_RADIUS: u8 = 4;
/// Grey levels below the closing from which a pixel is ink: faint pencil is ten below it, paper
/// grain and JPEG noise six.
const MIN_INK_DEPTH: u8 = 8;
/// Pixels inside the cell's corners, across and down, that belong to its rulings. What is left is
/// the inner zone.
const RULING_WIDTH: (u32, u32) = (8, 4);
/// A component that lies wholly within so many pixels of one of the inner zone's edges is left out:
/// it is a neighbour's descender or a ruling.
const BORDER: u32 = 5;
/// Ink pixels of a component below which it is paper grain.
const MIN_COMPONENT_AREA: u32 = 6;
/// Share of the inner zone's width from which a flat component is a ruling that runs into the cell.
const MIN_RULING_SHARE: f32 = 0.8;
/// Ink pixels from which a cell is written in: 1 in 500 of the 11,000 written cells of the HCS and
/// EPFL pages has less than 165, and 98 of 100 blank cells have less than 30.
const MIN_WRITTEN_AREA: u32 = 110;
/// Longer side in pixels from which the largest component can be writing. Chosen by eye.
const MIN_WRITTEN_SIDE: u32 = 11;
/// Share of the paper's grey level below which a pixel is dark enough to be part of a scribble.
const MAX_DARK_SHARE: f32 = 0.8;
/// Share of a column's height that is dark under a scribble; of a letter only single strokes reach
/// it.
const MIN_DENSE_SHARE: f32 = 0.55;
/// Smallest and largest width of a scribble in pixels; what is wider is a shadow.
const SCRIBBLE_WIDTH: (u32, u32) = (40, 120);
/// Share of the dark pixels that may lie beside a scribble. Chosen by eye.
const MAX_SHARE_BESIDE: f32 = 0.05;
/// Share of a scribble's columns that must be dense. Chosen by eye.
const MIN_DENSE_COLUMNS: f32 = 0.85;
/// Share of a block's rows that must be blank for the block to count as blank. Chosen by eye.
const MIN_BLANK_ROWS: f64 = 0.9;

/// What the ink alone says about a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CellState {
    /// No ink.
    Blank,
    /// Ink that may be a move.
    Written,
    /// Ink that is struck out, with nothing written beside it.
    StruckOut,
}

impl CellState {
    /// Whether there is any ink, struck out or not.
    pub fn has_ink(self) -> bool {
        self != Self::Blank
    }
}

/// How much ink a patch holds.
#[derive(Debug, Clone, Copy)]
pub struct InkStats {
    /// Share of the inner zone's pixels that are ink, 0 to 1.
    pub share: f32,
    /// What follows from it for the cell.
    pub state: CellState,
}

/// Measures the ink of the cell on a canvas. A patch that does not have the canvas's size, and a
/// canvas without an inner zone, count as [`CellState::Written`]: when in doubt, the reader
/// decides.
pub fn measure(patch: &GrayImage, canvas: Canvas) -> InkStats {
    let (left, top) = (
        canvas.margin_x + RULING_WIDTH.0,
        canvas.margin_y + RULING_WIDTH.1,
    );
    let width = canvas.width.saturating_sub(2 * left);
    let height = canvas.height.saturating_sub(2 * top);
    if width == 0 || height <= 2 * BORDER || patch.dimensions() != (canvas.width, canvas.height) {
        return InkStats {
            share: 0.0,
            state: CellState::Written,
        };
    }
    let strokes = stroke_depth(patch);
    let zone = GrayImage::from_fn(width, height, |x, y| {
        Luma([
            if strokes.get_pixel(left + x, top + y).0[0] >= MIN_INK_DEPTH {
                255
            } else {
                0
            },
        ])
    });
    let (ink, largest) = measure_components(&zone);
    let share = ink as f32 / (width * height) as f32;
    let state = if ink < MIN_WRITTEN_AREA || largest < MIN_WRITTEN_SIDE {
        CellState::Blank
    } else if is_scribble(&image::imageops::crop_imm(patch, left, top, width, height).to_image()) {
        CellState::StruckOut
    } else {
        CellState::Written
    };
    InkStats { share, state }
}

/// Whether both cells of a row, given by their corners in pixels of a picture, hold no ink.
pub fn are_blank(picture: &GrayImage, cells: [Quad; 2]) -> bool {
    let state = |quad| measure(&patch::warp(picture, quad, CELL_CANVAS), CELL_CANVAS).state;
    cells.iter().all(|quad| state(quad) == CellState::Blank)
}

/// Whether at least nine in ten of the rows, each given by the corners of its two cells, are blank.
pub fn are_mostly_blank(
    picture: &GrayImage,
    rows: impl ExactSizeIterator<Item = [Quad; 2]>,
) -> bool {
    let all = rows.len() as f64;
    let blank = rows.filter(|row| are_blank(picture, *row)).count() as f64;
    blank >= MIN_BLANK_ROWS * all
}

/// How many grey levels darker each pixel is than the paper around it: the black top-hat transform,
/// a closing minus the picture, which keeps only what is thinner than the window.
fn stroke_depth(patch: &GrayImage) -> GrayImage {
    let smooth: Image<Luma<u8>> = box_filter(patch, 1, 1);
    let side = 2 * STROKE_RADIUS + 1;
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

/// Ink pixels in all components, and the longer side of the largest one. Grain, rulings and what
/// reaches in from a neighbouring cell are left out.
fn measure_components(zone: &GrayImage) -> (u32, u32) {
    struct Component {
        area: u32,
        x: (u32, u32),
        y: (u32, u32),
    }
    let labels = connected_components(zone, Connectivity::Eight, Luma([0]));
    let mut components: Vec<Component> = Vec::new();
    for (x, y, label) in labels.enumerate_pixels() {
        let Some(i) = (label.0[0] as usize).checked_sub(1) else {
            continue;
        };
        while components.len() <= i {
            components.push(Component {
                area: 0,
                x: (u32::MAX, 0),
                y: (u32::MAX, 0),
            });
        }
        let p = &mut components[i];
        p.area += 1;
        p.x = (p.x.0.min(x), p.x.1.max(x));
        p.y = (p.y.0.min(y), p.y.1.max(y));
    }
    let (width, height) = zone.dimensions();
    let mut ink = 0;
    let mut largest = 0;
    for p in &components {
        let (w, h) = (p.x.1 - p.x.0 + 1, p.y.1 - p.y.0 + 1);
        let at_border =
            p.y.1 < BORDER || p.y.0 + BORDER >= height || p.x.1 < BORDER || p.x.0 + BORDER >= width;
        let ruling =
            w as f32 >= MIN_RULING_SHARE * width as f32 && h <= height / 2 && p.area <= 6 * w;
        if p.area < MIN_COMPONENT_AREA || at_border || ruling {
            continue;
        }
        ink += p.area;
        largest = largest.max(w.max(h));
    }
    (ink, largest)
}

/// Whether all the ink of a zone is one dense scribble.
fn is_scribble(zone: &GrayImage) -> bool {
    let (width, height) = zone.dimensions();
    let mut sorted = zone.as_raw().clone();
    let at = sorted.len() * 4 / 5;
    let paper = *sorted.select_nth_unstable(at).1;
    let dark = f32::from(paper) * MAX_DARK_SHARE;
    let columns: Vec<u32> = (0..width)
        .map(|x| {
            (0..height)
                .filter(|&y| f32::from(zone.get_pixel(x, y).0[0]) < dark)
                .count() as u32
        })
        .collect();
    let dense = |x: usize| columns[x] as f32 >= MIN_DENSE_SHARE * height as f32;
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
    (SCRIBBLE_WIDTH.0..=SCRIBBLE_WIDTH.1).contains(&wide)
        && filled >= MIN_DENSE_COLUMNS * wide as f32
        && (all - inside) as f32 <= MAX_SHARE_BESIDE * all as f32
}
