//! What a model is shown of a patch: its ink, and no more columns of it than it needs.

use std::ops::Range;

use image::GrayImage;

use crate::cell::{MARGIN_X, MARGIN_Y, PATCH_HEIGHT, PATCH_WIDTH};

const WIDE: usize = PATCH_WIDTH as usize;
/// Pixels inside the cell's border that count neither for its paper and ink levels nor as writing: rulings lie there.
const RULING: u32 = 4;
/// Rows of a patch within its rulings.
const ROWS: Range<usize> =
    (MARGIN_Y + RULING - 1) as usize..(PATCH_HEIGHT - MARGIN_Y - RULING + 1) as usize;
/// Columns of a patch within its rulings.
const COLUMNS: Range<usize> =
    (MARGIN_X + RULING) as usize..(PATCH_WIDTH - MARGIN_X - RULING) as usize;

/// Pixels of a patch that a model is shown which takes patches of any width: as its writing needs.
pub(super) const WIDTHS: [usize; 9] = [64, 80, 96, 112, 128, 144, 160, 176, WIDE];
/// Patches are cut at multiples of this, the pixels of a frame.
const FRAME: usize = 4;
/// How much darker than the shade about them, of 31 pixels in the row, the 3 x 3 pixels about one are that is part of the
/// writing: this much, or where little of the cell is so dark, as where pencil stands beside a black ruling, ...
const WRITING: f32 = 0.2;
/// ... this share of what the darkest of [`DARKEST`] pixels is, ...
const FAINT: f32 = 0.4;
/// ... but no less than this, the noise of paper. Rulings along the row and shadows are no darker than their shade.
const NOISE: f32 = 0.1;
/// One in this many pixels of a cell with a move in it is writing and dark at that.
const DARKEST: usize = 66;
/// Pixels on either side that are the shade about one.
const SHADE: usize = 15;
/// Pixels of writing in a column that has some.
const WRITTEN: u32 = 3;

/// Smallest span between paper and ink. Less contrast than 32 of 255 levels is noise on blank paper.
const LEAST_SPAN: f32 = 32.0;

/// Ink of a patch, row by row: paper is 0, its darkest ink 1, within -0.25 to 1.25. Paper is the upper quartile of
/// the luma inside the cell, ink its darkest half percent; `normalise` in models/train/augment.py is the same.
pub(super) fn ink(patch: &GrayImage) -> Vec<f32> {
    let rows = patch.as_raw().chunks_exact(WIDE);
    let rows = rows.take(ROWS.end).skip(ROWS.start);
    let inner = rows.flat_map(|row| &row[COLUMNS]);
    let mut inner: Vec<u8> = inner.step_by(3).copied().collect();
    let count = inner.len();
    let mut level = |k: usize| f32::from(*inner.select_nth_unstable(k).1);
    let (paper, dark) = (level(count * 3 / 4), level(count / 200));
    let span = (paper - dark).max(LEAST_SPAN);
    patch
        .as_raw()
        .iter()
        .map(|&v| ((paper - f32::from(v)) / span).clamp(-0.25, 1.25))
        .collect()
}

/// The columns of a patch to show: its writing and at least `beside` pixels of paper on either side, where the patch has them, as
/// many as one of [`WIDTHS`]. `narrowed` in models/train/augment.py does the same.
pub(super) fn shown(ink: &[f32], beside: usize) -> Range<usize> {
    let written = written(ink);
    let is_written = |&x: &usize| written[x] >= WRITTEN;
    let mut columns = COLUMNS;
    let writing = columns.find(is_written);
    let writing = writing.map(|x| (x, columns.rfind(is_written).unwrap_or(x) + 1));
    let (left, end) = writing.unwrap_or((WIDE / 2, WIDE / 2));
    let fits = |&width: &usize| width >= end - left + 2 * beside;
    let width = WIDTHS.into_iter().find(fits).unwrap_or(WIDE);
    let start = ((left + end).saturating_sub(width) / 2).min(WIDE - width) / FRAME * FRAME;
    start..start + width
}

/// How many pixels of each column are part of the writing.
fn written(ink: &[f32]) -> [u32; WIDE] {
    let darker = darker(ink);
    let inner = ROWS.flat_map(|y| &darker[y * WIDE..][COLUMNS]);
    let mut inner: Vec<f32> = inner.step_by(3).copied().collect();
    let darkest = inner.len() - inner.len() / DARKEST;
    let (_, darkest, _) = inner.select_nth_unstable_by(darkest, f32::total_cmp);
    let least = (FAINT * *darkest).clamp(NOISE, WRITING);
    let mut written = [0; WIDE];
    for y in ROWS {
        for (count, &darker) in written.iter_mut().zip(&darker[y * WIDE..]) {
            *count += u32::from(darker > least);
        }
    }
    written
}

/// How much darker than the shade about them the 3 x 3 pixels about each are, in the rows within the rulings. Beyond the patch is
/// paper.
fn darker(ink: &[f32]) -> Vec<f32> {
    let mut darker = vec![0.0; ROWS.end * WIDE];
    let mut soft = [0.0; WIDE + 2 * SHADE];
    for y in ROWS {
        let high: [f32; WIDE] = std::array::from_fn(|x| {
            ink[(y - 1) * WIDE + x] + ink[y * WIDE + x] + ink[(y + 1) * WIDE + x]
        });
        let soft_row = &mut soft[SHADE..][..WIDE];
        soft_row[0] = (high[0] + high[1]) / 9.0;
        soft_row[WIDE - 1] = (high[WIDE - 2] + high[WIDE - 1]) / 9.0;
        for (soft, high) in soft_row[1..].iter_mut().zip(high.windows(3)) {
            *soft = (high[0] + high[1] + high[2]) / 9.0;
        }
        let mut shade: f32 = soft[..2 * SHADE].iter().sum();
        for (x, darker) in darker[y * WIDE..][..WIDE].iter_mut().enumerate() {
            shade += soft[x + 2 * SHADE];
            *darker = soft[x + SHADE] - shade / (2 * SHADE + 1) as f32;
            shade -= soft[x];
        }
    }
    darker
}

/// These columns of every row of a patch.
pub(super) fn columns(ink: &[f32], shown: &Range<usize>) -> Vec<f32> {
    let rows = ink.chunks_exact(WIDE);
    rows.flat_map(|row| &row[shown.clone()]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White paper with a black box in these columns, half as high as the cell.
    fn boxed(written: Range<u32>) -> Vec<f32> {
        ink(&GrayImage::from_fn(PATCH_WIDTH, PATCH_HEIGHT, |x, y| {
            let dark = written.contains(&x) && (16..32).contains(&y);
            image::Luma([if dark { 20 } else { 230 }])
        }))
    }

    #[test]
    fn shows_the_writing_and_paper_on_both_sides() {
        for (written, expected) in [
            (60..130, 36..148),
            (10..30, 0..64),
            (150..188, 112..192),
            (20..180, 0..192),
        ] {
            assert_eq!(shown(&boxed(written), 16), expected);
        }
    }

    #[test]
    fn neither_specks_nor_rulings_are_writing() {
        let mut ink = boxed(80..100);
        for row in ink.chunks_exact_mut(PATCH_WIDTH as usize) {
            row[3] = 1.0;
        }
        for x in [20, 170] {
            ink[24 * PATCH_WIDTH as usize + x] = 1.0;
        }
        assert_eq!(shown(&ink, 16), 56..120);
    }

    #[test]
    fn pencil_beside_black_ink_is_writing_too() {
        let picture = GrayImage::from_fn(PATCH_WIDTH, PATCH_HEIGHT, |x, y| {
            let pencil = (60..130).contains(&x) && (16..32).contains(&y) && x % 8 < 3;
            let ruling = x < 10;
            image::Luma([if ruling {
                20
            } else if pencil {
                190
            } else {
                230
            }])
        });
        assert_eq!(shown(&ink(&picture), 16), 0..160);
    }

    #[test]
    fn columns_are_those_of_every_row() {
        let ink: Vec<f32> = (0..PATCH_HEIGHT * PATCH_WIDTH).map(|i| i as f32).collect();
        let cut = columns(&ink, &(40..104));
        assert_eq!(cut.len(), 64 * PATCH_HEIGHT as usize);
        assert_eq!((cut[0], cut[63], cut[64]), (40.0, 103.0, 232.0));
    }
}
