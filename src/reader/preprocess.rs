//! What a network is given of a patch: its ink, cropped to the columns that the writing needs.

use std::ops::Range;

use image::GrayImage;

use crate::patch::{MARGIN_X, MARGIN_Y, PATCH_HEIGHT, PATCH_WIDTH};

/// Columns of a patch.
const COLUMNS: usize = PATCH_WIDTH as usize;
/// Pixels inside the cell's border that count neither for its levels of paper and ink nor as
/// writing, since rulings lie there.
const RULING_PX: u32 = 4;
/// Rows of a patch inside its rulings.
const INNER_ROWS: Range<usize> =
    (MARGIN_Y + RULING_PX - 1) as usize..(PATCH_HEIGHT - MARGIN_Y - RULING_PX + 1) as usize;
/// Columns of a patch inside its rulings.
const INNER_COLUMNS: Range<usize> =
    (MARGIN_X + RULING_PX) as usize..(PATCH_WIDTH - MARGIN_X - RULING_PX) as usize;

/// Widths in pixels of a patch as a network without a fixed width is given it.
pub(super) const INPUT_WIDTHS: [usize; 9] = [64, 80, 96, 112, 128, 144, 160, 176, COLUMNS];
/// A crop begins at a multiple of this, the pixels to a frame of the networks.
const FRAME_PX: usize = 4;
/// A pixel is writing where its local contrast ([`local_contrast`]) exceeds
/// clamp(0.4 x q, 0.1, 0.2), where q is the contrast that one in 66 pixels of the cell reaches.
/// This is the 0.4.
const CONTRAST_SHARE: f32 = 0.4;
/// The lower bound of that threshold, the noise of paper.
const MIN_THRESHOLD: f32 = 0.1;
/// The upper bound of that threshold.
const MAX_THRESHOLD: f32 = 0.2;
/// One in this many pixels of a cell with a move is ink of full darkness: the rank of q.
const DARK_PIXEL_RATIO: usize = 66;
/// The background of a pixel is the mean over this many pixels on either side in its row.
const BACKGROUND_RADIUS_PX: usize = 15;
/// Smallest number of pixels of writing in a column that counts as written.
const MIN_WRITING_PX: u32 = 3;

/// Smallest difference between paper and ink in grey levels of 255 to which ink is scaled; less
/// contrast than this is noise on blank paper.
const MIN_INK_SPAN: f32 = 32.0;

/// Ink of a patch, row by row: paper is 0 and its darkest ink 1, clamped to -0.25 to 1.25. Paper is
/// the upper quartile of the luma inside the cell, ink its darkest half percent; `normalize_ink`
/// in `models/train/augment.py` does the same.
pub(super) fn normalize_ink(patch: &GrayImage) -> Vec<f32> {
    let rows = patch.as_raw().chunks_exact(COLUMNS);
    let rows = rows.take(INNER_ROWS.end).skip(INNER_ROWS.start);
    let inner = rows.flat_map(|row| &row[INNER_COLUMNS]);
    let mut inner: Vec<u8> = inner.step_by(3).copied().collect();
    let count = inner.len();
    let mut level = |rank: usize| f32::from(*inner.select_nth_unstable(rank).1);
    let (paper, dark) = (level(count * 3 / 4), level(count / 200));
    let span = (paper - dark).max(MIN_INK_SPAN);
    patch
        .as_raw()
        .iter()
        .map(|&v| ((paper - f32::from(v)) / span).clamp(-0.25, 1.25))
        .collect()
}

/// The columns of a patch that a network is given: the smallest of [`INPUT_WIDTHS`] that holds the
/// writing and at least `padding` pixels of paper on either side, as far as the patch has them.
/// `crop_to_ink` in `models/train/augment.py` does the same.
pub(super) fn crop_to_ink(ink: &[f32], padding: usize) -> Range<usize> {
    let writing = writing_by_column(ink);
    let is_written = |&x: &usize| writing[x] >= MIN_WRITING_PX;
    let mut columns = INNER_COLUMNS;
    let first = columns.find(is_written);
    let written = first.map(|x| (x, columns.rfind(is_written).unwrap_or(x) + 1));
    let (left, end) = written.unwrap_or((COLUMNS / 2, COLUMNS / 2));
    let fits = |&width: &usize| width >= end - left + 2 * padding;
    let width = INPUT_WIDTHS.into_iter().find(fits).unwrap_or(COLUMNS);
    let start = ((left + end).saturating_sub(width) / 2).min(COLUMNS - width);
    let start = start / FRAME_PX * FRAME_PX;
    start..start + width
}

/// Number of pixels of writing in each column.
fn writing_by_column(ink: &[f32]) -> [u32; COLUMNS] {
    let contrast = local_contrast(ink);
    let inner = INNER_ROWS.flat_map(|y| &contrast[y * COLUMNS..][INNER_COLUMNS]);
    let mut inner: Vec<f32> = inner.step_by(3).copied().collect();
    let rank = inner.len() - inner.len() / DARK_PIXEL_RATIO;
    let (_, dark, _) = inner.select_nth_unstable_by(rank, f32::total_cmp);
    let threshold = (CONTRAST_SHARE * *dark).clamp(MIN_THRESHOLD, MAX_THRESHOLD);
    let mut counts = [0; COLUMNS];
    for y in INNER_ROWS {
        for (count, &contrast) in counts.iter_mut().zip(&contrast[y * COLUMNS..]) {
            *count += u32::from(contrast > threshold);
        }
    }
    counts
}

/// Local contrast of every pixel of the rows inside the rulings: the mean of the 3 x 3 pixels about
/// it less the mean of such means over 31 pixels of its row. Outside the patch is paper. Rulings
/// along the row and shadows have none.
fn local_contrast(ink: &[f32]) -> Vec<f32> {
    let mut contrast = vec![0.0; INNER_ROWS.end * COLUMNS];
    let mut soft = [0.0; COLUMNS + 2 * BACKGROUND_RADIUS_PX];
    for y in INNER_ROWS {
        let sums: [f32; COLUMNS] = std::array::from_fn(|x| {
            ink[(y - 1) * COLUMNS + x] + ink[y * COLUMNS + x] + ink[(y + 1) * COLUMNS + x]
        });
        let soft_row = &mut soft[BACKGROUND_RADIUS_PX..][..COLUMNS];
        soft_row[0] = (sums[0] + sums[1]) / 9.0;
        soft_row[COLUMNS - 1] = (sums[COLUMNS - 2] + sums[COLUMNS - 1]) / 9.0;
        for (soft, sums) in soft_row[1..].iter_mut().zip(sums.windows(3)) {
            *soft = (sums[0] + sums[1] + sums[2]) / 9.0;
        }
        // A running sum over the background of each pixel.
        let mut background: f32 = soft[..2 * BACKGROUND_RADIUS_PX].iter().sum();
        let row = &mut contrast[y * COLUMNS..][..COLUMNS];
        for (x, contrast) in row.iter_mut().enumerate() {
            background += soft[x + 2 * BACKGROUND_RADIUS_PX];
            let mean = background / (2 * BACKGROUND_RADIUS_PX + 1) as f32;
            *contrast = soft[x + BACKGROUND_RADIUS_PX] - mean;
            background -= soft[x];
        }
    }
    contrast
}

/// These columns of every row of a patch.
pub(super) fn select_columns(ink: &[f32], columns: &Range<usize>) -> Vec<f32> {
    let rows = ink.chunks_exact(COLUMNS);
    rows.flat_map(|row| &row[columns.clone()])
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ink of white paper with a black box in these columns, half as high as the cell.
    fn ink_of_box(columns: Range<u32>) -> Vec<f32> {
        normalize_ink(&GrayImage::from_fn(PATCH_WIDTH, PATCH_HEIGHT, |x, y| {
            let dark = columns.contains(&x) && (16..32).contains(&y);
            image::Luma([if dark { 20 } else { 230 }])
        }))
    }

    #[test]
    fn a_crop_holds_the_writing_and_paper_on_both_sides() {
        for (written, expected) in [
            (60..130, 36..148),
            (10..30, 0..64),
            (150..188, 112..192),
            (20..180, 0..192),
        ] {
            assert_eq!(crop_to_ink(&ink_of_box(written), 16), expected);
        }
    }

    #[test]
    fn neither_specks_nor_rulings_are_writing() {
        let mut ink = ink_of_box(80..100);
        for row in ink.chunks_exact_mut(PATCH_WIDTH as usize) {
            row[3] = 1.0;
        }
        for x in [20, 170] {
            ink[24 * PATCH_WIDTH as usize + x] = 1.0;
        }
        assert_eq!(crop_to_ink(&ink, 16), 56..120);
    }

    #[test]
    fn pencil_beside_a_black_ruling_is_writing() {
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
        assert_eq!(crop_to_ink(&normalize_ink(&picture), 16), 0..160);
    }

    #[test]
    fn the_same_columns_are_selected_from_every_row() {
        let ink: Vec<f32> = (0..PATCH_HEIGHT * PATCH_WIDTH).map(|i| i as f32).collect();
        let selected = select_columns(&ink, &(40..104));
        assert_eq!(selected.len(), 64 * PATCH_HEIGHT as usize);
        assert_eq!(
            (selected[0], selected[63], selected[64]),
            (40.0, 103.0, 232.0)
        );
    }
}
