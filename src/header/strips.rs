//! The words of single lines of a header, cut out of the page before its ink is parted: what reaches in from the lines above
//! and below joins nothing.

use image::{GrayImage, imageops};

use super::frame::{Area, Frame};
use super::{LARGER, MOST_WORDS, Place, ROW, Word, lying, picture, pieces, strokes};
use crate::grid::Grid;
use crate::page::Page;

/// Height of a line's strip in pixels, as far as that does not enlarge the page too much.
const HIGH: f64 = 56.0;
/// Heights of a line above and below it in which it may lie: the page is not flat there.
const AROUND: f32 = 0.4;
/// What it costs to look for it a height higher or lower, as a share of its length full of ink that is cut.
const OFF: f64 = 0.15;
/// How a line falls is looked for over so much of it, in heights; in a picture so many pixels high.
const AHEAD: f64 = 4.0;
const COARSE: f64 = 48.0;
/// The steps in which it is sought, and then more closely: far from its table, on a page that is not flat, the frame is well
/// out of true. How much clearer a line that falls one in one to the right must be.
const STEEPEST: i32 = 12;
const COARSE_STEP: f64 = 0.04;
const FINER: i32 = 3;
const FINE_STEP: f64 = 0.01;
const STEEPER: f64 = 1.0;

/// The words of these lines of writing, from left to right. A place is that of a line's beginning; where the line rises or
/// falls, it is followed, and its words are given as if it were level.
pub fn words_in(page: &Page, grid: &Grid, lines: &[Place]) -> Vec<Word> {
    let Some(frame) = Frame::of(grid) else {
        return Vec::new();
    };
    lines
        .iter()
        .flat_map(|line| words_of(page, &frame, line))
        .take(MOST_WORDS)
        .collect()
}

fn words_of(page: &Page, frame: &Frame, line: &Place) -> Vec<Word> {
    let around = Area {
        left: line.left.into(),
        top: (line.top - AROUND * line.height()).into(),
        right: line.right.into(),
        bottom: (line.bottom + AROUND * line.height()).into(),
    };
    let slope = slope(page, frame, &around);
    let row = (HIGH / f64::from(line.height())).min(frame.row.max(ROW * LARGER));
    let around_it = strokes::of(&picture(row, page, frame, &around, slope));
    let high = (f64::from(line.height()) * row).max(1.0) as u32;
    let top = freest(&around_it, high);
    let ink = imageops::crop_imm(&around_it, 0, top, around_it.width(), high).to_image();
    let area = Area {
        top: around.top + f64::from(top) / row,
        ..around
    };
    let mut lines = pieces::words_of_line(&ink);
    lines.sort_by_key(|line| (line.bounds.left, line.bounds.right));
    let word = |found: pieces::Line| {
        let lying = lying(found, row, &area, slope);
        let fallen = slope as f32 * (lying.place.left + lying.place.right - 2.0 * line.left) / 2.0;
        let off = fallen + area.top as f32 - line.top;
        let mut word = lying.word(page, frame);
        (word.place.top, word.place.bottom) = (word.place.top - off, word.place.bottom - off);
        word
    };
    lines.into_iter().map(word).collect()
}

/// Pixels of ink in each row.
fn filled(ink: &GrayImage) -> Vec<f64> {
    let rows = ink.as_raw().chunks(ink.width().max(1) as usize);
    rows.map(|row| row.iter().filter(|&&p| p > 0).count() as f64)
        .collect()
}

/// Where a band so high cuts least ink, from the first row of pixels; the middle, if nothing is gained.
fn freest(ink: &GrayImage, high: u32) -> u32 {
    let filled = filled(ink);
    let last = ink.height().saturating_sub(high);
    let middle = f64::from(last) / 2.0;
    let cut = |top: u32| {
        let at = |y: u32| filled.get(y as usize).copied().unwrap_or(0.0);
        let off = (f64::from(top) - middle).abs() / f64::from(high.max(1));
        at(top) + at(top + high - 1) + OFF * off * f64::from(ink.width())
    };
    let tops = (0..=last).map(|top| (top, cut(top)));
    let best = tops.min_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(0, |best| best.0)
}

/// How much the line falls in one to the right: laid level, its writing and rulings fill some rows of pixels and leave others
/// free.
fn slope(page: &Page, frame: &Frame, around: &Area) -> f64 {
    let high = around.bottom - around.top;
    let seen = Area {
        right: around.right.min(around.left + AHEAD * high),
        ..*around
    };
    let clear = |slope: f64| {
        let filled = filled(&strokes::ink(&picture(
            COARSE / high,
            page,
            frame,
            &seen,
            slope,
        )));
        let all = filled.iter().sum::<f64>().max(1.0);
        let steps = filled.windows(2).map(|pair| (pair[1] - pair[0]).powi(2));
        steps.sum::<f64>() / all / (1.0 + STEEPER * slope.abs())
    };
    let best = |from: f64, steps: i32, step: f64| {
        // The least steep first, so that of two as clear it wins.
        let slopes = (0..=steps).flat_map(|k| [k, -k]);
        let slopes = slopes.map(|k| from + f64::from(k) * step);
        let found = slopes.map(|slope| (slope, clear(slope)));
        let best = found.reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.map_or(from, |best| best.0)
    };
    best(best(0.0, STEEPEST, COARSE_STEP), FINER, FINE_STEP)
}
