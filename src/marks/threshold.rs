//! Dark and light of a picture, by the mean luma of the surroundings.

use image::GrayImage;

use super::parameters::MarkParameters;

/// Side in pixels of the blocks that have one threshold.
const BLOCK_PX: usize = 32;

/// The luma below which a pixel is dark, for each block of a picture.
pub struct LocalThreshold {
    columns: usize,
    rows: usize,
    /// A threshold a block, row by row.
    levels: Vec<u8>,
}

impl LocalThreshold {
    /// The thresholds of a picture: a share of the mean luma of each block and of those around it.
    pub fn new(picture: &GrayImage, parameters: &MarkParameters) -> Self {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let (columns, rows) = (width.div_ceil(BLOCK_PX), height.div_ceil(BLOCK_PX));
        let mut sums = vec![0u32; columns * rows];
        // Every fourth row tells the mean of a block well enough.
        for (y, line) in picture
            .as_raw()
            .chunks_exact(width.max(1))
            .enumerate()
            .step_by(4)
        {
            let sums = &mut sums[y / BLOCK_PX * columns..];
            for (sum, pixels) in sums.iter_mut().zip(line.chunks(BLOCK_PX)) {
                *sum += pixels.iter().map(|&luma| u32::from(luma)).sum::<u32>();
            }
        }
        let mean = |column: usize, row: usize| {
            let pixels = BLOCK_PX.min(width - column * BLOCK_PX);
            let lines = BLOCK_PX.min(height - row * BLOCK_PX).div_ceil(4);
            sums[row * columns + column] as f32 / (pixels * lines) as f32
        };
        let level = |i: usize| {
            let (column, row) = (i % columns, i / columns);
            let around = |at: usize, count: usize| at.saturating_sub(1)..count.min(at + 2);
            let blocks = around(row, rows)
                .flat_map(|row| around(column, columns).map(move |column| (column, row)));
            let (sum, count) = blocks.fold((0.0, 0.0), |(sum, count), (column, row)| {
                (sum + mean(column, row), count + 1.0)
            });
            (parameters.dark_share * sum / count) as u8
        };
        Self {
            columns,
            rows,
            levels: (0..columns * rows).map(level).collect(),
        }
    }

    /// Where the pixels of a row change from light to dark and back, beginning with the first dark
    /// one.
    pub fn runs(&self, picture: &GrayImage, y: u32, runs: &mut Vec<u32>) {
        runs.clear();
        let width = picture.width() as usize;
        let start = y as usize * width;
        let line = &picture.as_raw()[start..start + width];
        let row = (y as usize / BLOCK_PX).min(self.rows - 1);
        let levels = &self.levels[row * self.columns..(row + 1) * self.columns];
        let mut was_dark = false;
        for (block, (pixels, &level)) in line.chunks(BLOCK_PX).zip(levels).enumerate() {
            let mut dark = 0u32;
            for (bit, &luma) in pixels.iter().enumerate() {
                dark |= u32::from(luma < level) << bit;
            }
            // A bit where a pixel differs from the one before it.
            let mut changes = dark ^ (dark << 1 | u32::from(was_dark));
            if pixels.len() < BLOCK_PX {
                changes &= (1 << pixels.len()) - 1;
            }
            while changes != 0 {
                runs.push(block as u32 * BLOCK_PX as u32 + changes.trailing_zeros());
                changes &= changes - 1;
            }
            was_dark = dark >> (pixels.len() - 1) & 1 == 1;
        }
        if was_dark {
            runs.push(width as u32);
        }
    }
}
