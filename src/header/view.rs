//! Pictures of the page in the table's coordinates: of regions in which words are searched, and of
//! the words that are found.

use image::{GrayImage, Luma};
use serde::{Deserialize, Serialize};

use crate::grid::Grid;
use crate::page::Page;
use crate::patch::{self, Canvas};
use crate::patch::{CELL_CANVAS, MARGIN_X, MARGIN_Y, PATCH_HEIGHT, PATCH_WIDTH};

use super::binarize::binarize_without_rules;
use super::frame::{Region, TableFrame};
use super::reduced::warp_reduced;
use super::segment::PixelWord;
use super::{Parameters, WordBox, WordCrop};

/// Tuned numbers of the pictures in which words are searched, chosen by eye on the development
/// pages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ViewParameters {
    /// Pixels to a row of the table.
    pub row_px: f64,
    /// Smallest height in pixels that small letters should have, as those of labels; smaller ones
    /// are searched again at a larger scale.
    pub min_letter_px: f64,
    /// Largest factor by which that scale is larger.
    pub max_enlargement: f64,
    /// Largest sag of the paper in pixels of a picture that is rendered as if it were flat.
    pub max_flat_sag_px: f64,
}

impl Default for ViewParameters {
    fn default() -> Self {
        Self {
            row_px: 32.0,
            min_letter_px: 13.0,
            max_enlargement: 2.5,
            max_flat_sag_px: 1.0,
        }
    }
}

/// Tuned numbers of the pictures of words, chosen by eye on the development pages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CropParameters {
    /// Space left free above and below the word together, as a share of its height.
    pub vertical_padding: f64,
    /// Space left free on either side of the word, as a share of the padded height.
    pub side_padding: f64,
    /// Smallest height of a word in the picture, as a share of its width: a dash is not enlarged to
    /// the height of a letter.
    pub min_height_share: f64,
    /// Share of the side padding farthest from the word that is filled with paper.
    pub hidden_padding: f64,
}

impl Default for CropParameters {
    fn default() -> Self {
        Self {
            vertical_padding: 0.12,
            side_padding: 0.15,
            min_height_share: 0.12,
            hidden_padding: 0.2,
        }
    }
}

/// The page around a move table, in which words are found and from which they are cut out.
pub struct HeaderView<'a> {
    pub(super) page: &'a Page,
    pub(super) frame: TableFrame,
    pub(super) parameters: &'a Parameters,
    /// The region above the table, where most forms have their labels.
    pub(super) above: Option<Region>,
    /// The regions beside the table and below it.
    pub(super) beside: Vec<Region>,
}

/// A word on the page that need not be level.
#[derive(Debug, Clone, Copy)]
pub struct SkewedBox {
    /// Its box.
    pub bounds: WordBox,
    /// Which segmentation is the first that finds it: from 0 on those with the narrowest, the
    /// middle and the widest gaps within a word, then those in which uprights that may be sides of
    /// boxes are letters.
    pub segmentation: usize,
    /// Its slope (dy/dx).
    slope: f64,
    /// Its upper and lower edge in rows if it were turned level about its middle.
    level_edges: (f64, f64),
}

impl SkewedBox {
    /// A level word.
    #[cfg(test)]
    pub(crate) fn level(bounds: WordBox, segmentation: usize) -> Self {
        Self {
            bounds,
            segmentation,
            slope: 0.0,
            level_edges: (bounds.top.into(), bounds.bottom.into()),
        }
    }

    /// A word found in the picture of a region that was rendered with `row_px` pixels to a row and
    /// falling by `slope` (dy/dx).
    pub(super) fn from_pixels(word: PixelWord, row_px: f64, region: &Region, slope: f64) -> Self {
        let rows = |pixels: u32| f64::from(pixels) / row_px;
        let (left, right) = (rows(word.bounds.left), rows(word.bounds.right + 1));
        let top = region.top + slope * (left + right) / 2.0;
        let (upper, lower) = word.level_edges;
        Self {
            bounds: WordBox {
                left: (region.left + left) as f32,
                top: (top + rows(word.bounds.top)) as f32,
                right: (region.left + right) as f32,
                bottom: (top + rows(word.bounds.bottom + 1)) as f32,
            },
            segmentation: word.segmentation,
            slope: slope + word.slope,
            level_edges: (top + upper / row_px, top + lower / row_px),
        }
    }
}

impl<'a> HeaderView<'a> {
    /// A view of the page around a table; none where the table's corners make no quadrilateral.
    pub fn new(page: &'a Page, grid: &Grid, parameters: &'a Parameters) -> Option<Self> {
        let frame = TableFrame::from_grid(grid, &parameters.frame)?;
        let dimensions = page.luma.dimensions();
        let (above, beside) = frame.regions_outside(dimensions, grid, &parameters.frame);
        Some(Self {
            page,
            frame,
            parameters,
            above,
            beside,
        })
    }

    /// The ink of a region without printed lines, as a binary picture of [`Self::render`]'s size.
    pub(super) fn render_ink(&self, row_px: f64, region: &Region, slope: f64) -> GrayImage {
        let picture = self.render(row_px, region, slope);
        binarize_without_rules(&picture, &self.parameters.binarization)
    }

    /// The luma of a region that falls by `slope` (dy/dx) in a picture with `row_px` pixels to a
    /// row, in which a line with this slope on the paper is level although the paper sags.
    pub(super) fn render(&self, row_px: f64, region: &Region, slope: f64) -> GrayImage {
        let pixels = |rows: f64| (rows * row_px) as u32;
        let canvas = Canvas {
            width: pixels(region.right - region.left),
            height: pixels(region.bottom - region.top),
            margin_x: 0,
            margin_y: 0,
        };
        let quad = self.frame.quad_on_page(region, slope);
        let sag = |x: u32, y: u32| {
            let [x, y] = [x, y].map(|pixels| (f64::from(pixels) + 0.5) / row_px);
            row_px * self.frame.sag(region.left + x, region.top + slope * x + y)
        };
        let (width, height) = (canvas.width, canvas.height);
        let edges = (0..=8).flat_map(|i| [sag(width * i / 8, 0), sag(width * i / 8, height)]);
        let max_sag = edges.map(f64::abs).fold(0.0, f64::max);
        if max_sag < self.parameters.view.max_flat_sag_px {
            return warp_reduced(&self.page.luma, &quad, canvas);
        }
        let margin = max_sag as u32 + 2;
        let canvas = Canvas {
            height: height + 2 * margin,
            margin_y: margin,
            ..canvas
        };
        let bent = warp_reduced(&self.page.luma, &quad, canvas);
        let columns = (0..width).map(|x| {
            let x = (f64::from(x) + 0.5) / row_px;
            (row_px * self.frame.sag_shape(region.left + x), slope * x)
        });
        let columns: Vec<(f64, f64)> = columns.collect();
        let (wide, last) = (width as usize, canvas.height as usize - 1);
        let mut flat = GrayImage::new(width, height);
        for (y, row) in flat.chunks_exact_mut(wide.max(1)).enumerate() {
            let below_top = (y as f64 + 0.5) / row_px;
            for (x, (grey, &(shape, fall))) in row.iter_mut().zip(&columns).enumerate() {
                let depth = self.frame.sag_depth(region.top + fall + below_top);
                let source = (y as f64 + f64::from(margin) + shape * depth).max(0.0);
                let (upper, part) = (source as usize, source.fract());
                let at = |y: usize| f64::from(bent.as_raw()[y.min(last) * wide + x]);
                *grey = (at(upper) * (1.0 - part) + at(upper + 1) * part).round() as u8;
            }
        }
        flat
    }

    /// The picture of a word, turned level: as high as the patch of a cell allows, at its left, and
    /// paper where other words stand beside it.
    pub fn crop_word(&self, word: &SkewedBox) -> WordCrop {
        let parameters = &self.parameters.crop;
        let [left, right] = [word.bounds.left, word.bounds.right].map(f64::from);
        let (top, bottom) = word.level_edges;
        let (inner_width, inner_height) = (
            f64::from(PATCH_WIDTH - 2 * MARGIN_X),
            f64::from(PATCH_HEIGHT - 2 * MARGIN_Y),
        );
        let min_height = (right - left) * parameters.min_height_share;
        let high = (bottom - top).max(min_height) * (1.0 + parameters.vertical_padding);
        let side = high * parameters.side_padding;
        let wide = (right - left + 2.0 * side).max(high * inner_width / inner_height);
        let upper = (top + bottom - high) / 2.0;
        let [from, to] = [left, right].map(|x| self.frame.sag(x, (top + bottom) / 2.0));
        let slope = word.slope + (to - from) / (right - left).max(1e-6);
        // The slope counts from the patch's left edge; the word is level about its own middle.
        let upper = upper + (from + to) / 2.0 - slope * ((right - left) / 2.0 + side);
        let region = Region {
            left: left - side,
            top: upper,
            right: left - side + wide,
            bottom: upper + high,
        };
        let quad = self.frame.quad_on_page(&region, slope);
        let mut patch = patch::warp(&self.page.luma, &quad, CELL_CANVAS);
        let column = |rows: f64| (rows / wide * inner_width) + f64::from(MARGIN_X);
        let hidden = parameters.hidden_padding;
        let visible = column(side * hidden)..column(right - left + side * (2.0 - hidden));
        erase_outside(&mut patch, |x| visible.contains(&f64::from(x)));
        WordCrop {
            bounds: word.bounds,
            patch,
        }
    }
}

/// Fills the columns that are not visible with the grey of the paper, the upper quartile of the
/// others within the margins.
fn erase_outside(patch: &mut GrayImage, is_visible: impl Fn(u32) -> bool) {
    let inner_rows = MARGIN_Y..PATCH_HEIGHT - MARGIN_Y;
    let mut levels: Vec<u8> = patch
        .enumerate_pixels()
        .filter(|&(x, y, _)| is_visible(x) && inner_rows.contains(&y))
        .map(|(_, _, pixel)| pixel.0[0])
        .collect();
    levels.sort_unstable();
    let paper = levels.get(levels.len() * 3 / 4).copied().unwrap_or(255);
    for (x, _, pixel) in patch.enumerate_pixels_mut() {
        if !is_visible(x) {
            *pixel = Luma([paper]);
        }
    }
}
