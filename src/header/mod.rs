//! The words on a page outside its table: what is printed and written about the players, the round and the board.
//!
//! Ink is parted into pieces, and pieces that stand close together are a word. Nobody knows beforehand how wide a hand
//! leaves the gap between two words, so that the same ink is offered in several partings: a word too many costs a look,
//! a word that is missing is lost.

mod frame;
mod pieces;
mod strips;
mod strokes;

use image::{GrayImage, Luma};

use crate::cell::{CANVAS, MARGIN_X, MARGIN_Y, PATCH_HEIGHT, PATCH_WIDTH};
use crate::grid::Grid;
use crate::page::Page;
use crate::patch::{self, Canvas};

use self::frame::{Area, Frame};

pub use strips::words_in;

/// Pixels a row's height in the pictures in which words are looked for first.
const ROW: f64 = 32.0;
/// Height in pixels that small letters, as those of labels, want; where they are smaller, they are looked at again so large, but
/// not more than so many times as large.
const LETTER: f64 = 13.0;
const LARGER: f64 = 2.5;
/// Pixels that the paper may bend in a picture that is taken for flat.
const FLAT: f64 = 1.0;
/// Rows by which the edges of a word differ where it is seen at two sizes, at most.
const SAME: f32 = 0.08;
/// Most words of a page; a page of prose beside a table has more.
const MOST_WORDS: usize = 200;
/// Share of a word's height that is left free above and below it in its patch, together.
const AIR: f64 = 0.12;
/// Share of its height that is left free on either side.
const SIDE: f64 = 0.15;

/// Where a word stands, in rows of the table: x from the table's left edge to the right, y from its first row down, so
/// that what stands above the table has a negative y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
}

impl Place {
    /// The place of both.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Rows from its left edge to its right.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Rows from its upper edge to its lower.
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Share of the smaller of two places that lies in the other.
    pub fn shared(&self, other: &Self) -> f32 {
        let wide = (self.right.min(other.right) - self.left.max(other.left)).max(0.0);
        let high = (self.bottom.min(other.bottom) - self.top.max(other.top)).max(0.0);
        let area = |p: &Self| p.width() * p.height();
        wide * high / area(self).min(area(other)).max(1e-6)
    }

    /// Whether the edges of both are the same but for a pixel or two.
    fn is_as(&self, other: &Self) -> bool {
        let near = |a: f32, b: f32| (a - b).abs() < SAME;
        near(self.left, other.left)
            && near(self.top, other.top)
            && near(self.right, other.right)
            && near(self.bottom, other.bottom)
    }
}

/// A word, or what may be one.
#[derive(Debug, Clone)]
pub struct Word {
    /// Where it stands.
    pub place: Place,
    /// Luma of the size and the margins of a cell's patch ([`crate::cell::Cell::patch`]); the word stands at its left, by
    /// itself.
    pub patch: GrayImage,
}

/// Finds the words above, below and beside the table, from the top left of each of these parts to its bottom right.
pub fn words(page: &Page, grid: &Grid) -> Vec<Word> {
    let Some(frame) = Frame::of(grid) else {
        return Vec::new();
    };
    let mut found: Vec<Lying> = Vec::new();
    for area in frame.outside(page.luma.dimensions(), grid) {
        found.extend(places(page, &frame, &area));
    }
    if found.len() > MOST_WORDS {
        // The widest are the surest to be words.
        found.sort_by(|a, b| b.place.width().total_cmp(&a.place.width()));
        found.truncate(MOST_WORDS);
    }
    found.sort_by(|a, b| {
        let (a, b) = (a.place, b.place);
        a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left))
    });
    let word = |lying: Lying| lying.word(page, &frame);
    found.into_iter().map(word).collect()
}

/// A word before it is cut out.
struct Lying {
    place: Place,
    /// Rows by which it falls in one to the right.
    slope: f64,
    /// Upper and lower edge at its middle when it is laid level, in rows.
    level: (f64, f64),
}

impl Lying {
    fn word(&self, page: &Page, frame: &Frame) -> Word {
        Word {
            place: self.place,
            patch: cut(page, frame, self),
        }
    }
}

/// The words of one part of the page, each once.
fn places(page: &Page, frame: &Frame, area: &Area) -> Vec<Lying> {
    let at = |row: f64| {
        let picture = picture(row, page, frame, area, 0.0);
        let (words, small) = pieces::words(&strokes::of(&picture));
        let words = words.into_iter().map(|line| lying(line, row, area, 0.0));
        (words.collect::<Vec<_>>(), small)
    };
    let (mut found, letter) = at(ROW);
    let larger = LETTER / letter.unwrap_or(LETTER);
    if larger > 1.0 {
        let (finer, _) = at(ROW * larger.min(LARGER));
        let known = |lying: &Lying| found.iter().any(|other| lying.place.is_as(&other.place));
        let new: Vec<Lying> = finer.into_iter().filter(|lying| !known(lying)).collect();
        found.extend(new);
    }
    found
}

/// A part of the page that falls by `slope` in one to the right, in a picture with rows of so many pixels, in which what is level on
/// the paper is level.
fn picture(row: f64, page: &Page, frame: &Frame, area: &Area, slope: f64) -> GrayImage {
    let pixels = |rows: f64| (rows * row) as u32;
    let canvas = Canvas {
        width: pixels(area.right - area.left),
        height: pixels(area.bottom - area.top),
        margin_x: 0,
        margin_y: 0,
    };
    let quad = frame.quad(area.left, area.top, area.right, area.bottom, slope);
    let sag = |x: u32, y: u32| {
        let [x, y] = [x, y].map(|pixels| (f64::from(pixels) + 0.5) / row);
        row * frame.sag(area.left + x, area.top + slope * x + y)
    };
    let (width, height) = (canvas.width, canvas.height);
    let most = (0..=8).flat_map(|i| [sag(width * i / 8, 0), sag(width * i / 8, height)]);
    let most = most.map(f64::abs).fold(0.0, f64::max);
    if most < FLAT {
        return patch::warp(&page.luma, &quad, canvas);
    }
    let margin = most as u32 + 2;
    let canvas = Canvas {
        height: height + 2 * margin,
        margin_y: margin,
        ..canvas
    };
    let bent = patch::warp(&page.luma, &quad, canvas);
    GrayImage::from_fn(width, height, |x, y| {
        let below = f64::from(y + margin) + sag(x, y);
        let (upper, part) = (below.floor(), below.fract());
        let grey = |y: f64| f64::from(bent.get_pixel(x, (y as u32).min(canvas.height - 1)).0[0]);
        let grey = grey(upper) * (1.0 - part) + grey(upper + 1.0) * part;
        Luma([grey.round() as u8])
    })
}

/// Where a word of such a picture lies.
fn lying(line: pieces::Line, row: f64, area: &Area, slope: f64) -> Lying {
    let rows = |pixels: u32| f64::from(pixels) / row;
    let (left, right) = (rows(line.bounds.left), rows(line.bounds.right + 1));
    let above = area.top + slope * (left + right) / 2.0;
    Lying {
        place: Place {
            left: (area.left + left) as f32,
            top: (above + rows(line.bounds.top)) as f32,
            right: (area.left + right) as f32,
            bottom: (above + rows(line.bounds.bottom + 1)) as f32,
        },
        slope: slope + line.slope,
        level: (above + line.level.0 / row, above + line.level.1 / row),
    }
}

/// The patch of a word: as high as the reader is used to, at its left, and paper where others stand beside it.
fn cut(page: &Page, frame: &Frame, lying: &Lying) -> GrayImage {
    let [left, right] = [lying.place.left, lying.place.right].map(f64::from);
    let (top, bottom) = lying.level;
    let (inner_wide, inner_high) = (
        f64::from(PATCH_WIDTH - 2 * MARGIN_X),
        f64::from(PATCH_HEIGHT - 2 * MARGIN_Y),
    );
    let high = (bottom - top).max((right - left) * 0.12) * (1.0 + AIR);
    let side = high * SIDE;
    let wide = (right - left + 2.0 * side).max(high * inner_wide / inner_high);
    let upper = (top + bottom - high) / 2.0;
    let [from, to] = [left, right].map(|x| frame.sag(x, (top + bottom) / 2.0));
    let slope = lying.slope + (to - from) / (right - left).max(1e-6);
    // The slope counts from the patch's left edge, the word is level at its own middle.
    let upper = upper + (from + to) / 2.0 - slope * ((right - left) / 2.0 + side);
    let quad = frame.quad(left - side, upper, left - side + wide, upper + high, slope);
    let mut patch = patch::warp(&page.luma, &quad, CANVAS);
    let x = |at: f64| (at / wide * inner_wide) + f64::from(MARGIN_X);
    let (from, to) = (x(side * 0.2), x(right - left + side * 1.8));
    let inside = |x: u32| (from..to).contains(&f64::from(x));
    let mut levels: Vec<u8> = patch
        .enumerate_pixels()
        .filter(|p| inside(p.0) && (MARGIN_Y..PATCH_HEIGHT - MARGIN_Y).contains(&p.1))
        .map(|p| p.2.0[0])
        .collect();
    levels.sort_unstable();
    let paper = levels.get(levels.len() * 3 / 4).copied().unwrap_or(255);
    for (x, _, pixel) in patch.enumerate_pixels_mut() {
        if !inside(x) {
            *pixel = Luma([paper]);
        }
    }
    patch
}

#[cfg(test)]
mod tests;
