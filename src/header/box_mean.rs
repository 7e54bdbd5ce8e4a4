//! Means over the square about each pixel.

use image::GrayImage;

/// Largest radius of a square; sums over a wider one would overflow below.
const MAX_RADIUS: usize = 127;

/// The mean of the square of (2 x radius + 1) pixels about each pixel, its border pixels continued
/// outside: the mean over rows and then over columns, each rounded down.
pub fn box_mean(picture: &GrayImage, radius: u32) -> GrayImage {
    let radius = (radius as usize).min(MAX_RADIUS);
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    if width == 0 || height == 0 {
        return picture.clone();
    }
    let side = 2 * radius + 1;
    // sum / side is (sum x factor) >> 24 without a rest, for all sums of up to 255 pixels.
    let factor = (1 << 24) / side as u32 + 1;
    let divide = |sum: u32| ((sum * factor) >> 24) as u8;
    let mut rows = vec![0u8; width * height];
    let mut padded = vec![0u8; width + 2 * radius];
    for (row, mean) in picture
        .as_raw()
        .chunks_exact(width)
        .zip(rows.chunks_exact_mut(width))
    {
        padded[..radius].fill(row[0]);
        padded[radius..radius + width].copy_from_slice(row);
        padded[radius + width..].fill(row[width - 1]);
        let mut sum: u32 = padded[..side - 1].iter().map(|&p| u32::from(p)).sum();
        for ((mean, &enters), &leaves) in mean.iter_mut().zip(&padded[side - 1..]).zip(&padded) {
            sum += u32::from(enters);
            *mean = divide(sum);
            sum -= u32::from(leaves);
        }
    }
    let row = |y: usize| &rows[y * width..(y + 1) * width];
    let mut sums = vec![0u32; width];
    for k in 0..side {
        let y = k.saturating_sub(radius).min(height - 1);
        let row = row(y);
        sums.iter_mut()
            .zip(row)
            .for_each(|(s, &p)| *s += u32::from(p));
    }
    let mut out = vec![0u8; width * height];
    for (y, mean) in out.chunks_exact_mut(width).enumerate() {
        let leaves = row(y.saturating_sub(radius));
        let enters = row((y + radius + 1).min(height - 1));
        let changes = leaves.iter().zip(enters);
        for ((mean, sum), (&leaves, &enters)) in mean.iter_mut().zip(&mut sums).zip(changes) {
            *mean = divide(*sum);
            *sum = *sum + u32::from(enters) - u32::from(leaves);
        }
    }
    GrayImage::from_raw(picture.width(), picture.height(), out).expect("as many pixels as before")
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;
    use imageproc::definitions::Image;
    use imageproc::filter::box_filter;

    #[test]
    fn the_means_are_those_of_another_program() {
        for (width, height, radius) in [(90, 70, 20), (90, 70, 1), (5, 3, 20), (1, 9, 2)] {
            let grey = |x: u32, y: u32| (x * 7919 + y * 104_729 + x * y * 31) as u8;
            let picture = GrayImage::from_fn(width, height, |x, y| Luma([grey(x, y)]));
            let expected: Image<Luma<u8>> = box_filter(&picture, radius, radius);
            assert!(
                box_mean(&picture, radius) == expected,
                "{width} {height} {radius}"
            );
        }
    }
}
