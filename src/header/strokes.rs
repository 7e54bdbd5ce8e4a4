//! Ink without the lines and boxes that forms print for it.

use image::imageops::{rotate90, rotate270};
use image::{GrayImage, Luma};
use imageproc::definitions::Image;
use imageproc::filter::box_filter;

/// Half the side of the square whose mean is taken for the paper about a pixel, in pixels where letters are 16 high.
const AROUND: u32 = 20;
/// Grey levels below the surroundings from which a pixel is ink, and the same as a share of them.
const DARKER: (f32, f32) = (7.0, 0.06);
/// A line is longer than this, in pixels, across and down: more than a letter has without a bend, less than a box about
/// a line of writing is high; and a dotted one, which has gaps of so many pixels, than that.
const LINE: (usize, usize) = (64, 44);
const DOTTED: usize = 96;
const GAP: usize = 6;
/// A line is not thicker than this, but where ink crosses it, and that is less than this share of it.
const THICK: usize = 7;
const CROSSED: f32 = 0.4;

/// A picture of 255 where there is ink, 0 elsewhere; without lines and boxes.
pub fn of(picture: &GrayImage) -> GrayImage {
    let across = without_lines(&ink(picture), LINE.0);
    rotate270(&without_lines(&rotate90(&across), LINE.1))
}

/// The same with them.
pub fn ink(picture: &GrayImage) -> GrayImage {
    let smooth: Image<Luma<u8>> = box_filter(picture, 1, 1);
    let around: Image<Luma<u8>> = box_filter(&smooth, AROUND, AROUND);
    let (width, height) = picture.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        let [paper, grey] = [&around, &smooth].map(|p| f32::from(p.get_pixel(x, y).0[0]));
        Luma([if grey + DARKER.0.max(DARKER.1 * paper) < paper {
            255
        } else {
            0
        }])
    })
}

/// Takes the horizontal lines out that are at least so long; ink that crosses one stays.
fn without_lines(ink: &GrayImage, length: usize) -> GrayImage {
    let (width, height) = (ink.width() as usize, ink.height() as usize);
    let raw = ink.as_raw();
    let mut out = raw.clone();
    let thick = |x: usize, y: usize| {
        let up = (0..y).rev().take_while(|&v| raw[v * width + x] > 0);
        let down = (y + 1..height).take_while(|&v| raw[v * width + x] > 0);
        1 + up.take(THICK).count() + down.take(THICK).count()
    };
    for y in 0..height {
        // A line that falls or rises a pixel is still one.
        let near = y.saturating_sub(1)..(y + 2).min(height);
        let dark = |x: usize| near.clone().any(|v| raw[v * width + x] > 0);
        let inked: Vec<usize> = (0..width).filter(|&x| dark(x)).collect();
        let runs = inked.chunk_by(|a, b| b - a <= 1);
        let dotted = inked.chunk_by(|a, b| b - a <= GAP + 1);
        for (runs, least) in [
            (runs.collect::<Vec<_>>(), length),
            (dotted.collect(), DOTTED),
        ] {
            for run in runs {
                if run[run.len() - 1] - run[0] < least {
                    continue;
                }
                let here = run.iter().copied().filter(|&x| raw[y * width + x] > 0);
                let (thin, crossing): (Vec<usize>, Vec<usize>) =
                    here.partition(|&x| thick(x, y) <= THICK);
                let all = thin.len() + crossing.len();
                if crossing.len() as f32 <= CROSSED * all as f32 {
                    for x in thin {
                        out[y * width + x] = 0;
                    }
                }
            }
        }
    }
    GrayImage::from_raw(ink.width(), ink.height(), out).expect("as many pixels as before")
}
