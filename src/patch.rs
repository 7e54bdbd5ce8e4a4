//! Warps a quadrilateral of a page onto an upright canvas of fixed size.
//!
//! ```
//! use image::{GrayImage, Luma};
//! use sheetscan::{geometry::Point, patch};
//!
//! let page = GrayImage::from_pixel(400, 300, Luma([230]));
//! let corners = [(50.0, 40.0), (350.0, 60.0), (340.0, 120.0), (45.0, 110.0)];
//! let cell = corners.map(|(x, y)| Point::new(x, y));
//! let patch = patch::warp(&page, &cell, patch::CELL_CANVAS);
//! assert_eq!(patch.dimensions(), (patch::PATCH_WIDTH, patch::PATCH_HEIGHT));
//! ```

use image::{GrayImage, Luma};
use sheetscan_kernels::Level;
use sheetscan_kernels::warp::RowSampler;

use crate::geometry::{Homography, Quad};

/// Width of a cell's patch in pixels.
pub const PATCH_WIDTH: u32 = 192;
/// Height of a cell's patch in pixels.
pub const PATCH_HEIGHT: u32 = 48;
/// Pixels of a cell's patch left of the cell, and right of it.
pub const MARGIN_X: u32 = 4;
/// Pixels of a cell's patch above the cell, and below it: a fifth of the cell's height, where ink
/// crosses the ruling.
pub const MARGIN_Y: u32 = 7;

/// The canvas of a cell's patch, which the reader was trained on.
pub const CELL_CANVAS: Canvas = Canvas {
    width: PATCH_WIDTH,
    height: PATCH_HEIGHT,
    margin_x: MARGIN_X,
    margin_y: MARGIN_Y,
};

/// Largest number of samples along one side of a canvas pixel when a large page is reduced.
const MAX_SAMPLES: u32 = 4;

/// How many samples more or less than a whole number are due to rounding alone.
const SAMPLE_ROUNDING: f64 = 1e-6;

/// The size of a canvas, and how much of it lies outside the quadrilateral.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canvas {
    /// Width in pixels, both margins included.
    pub width: u32,
    /// Height in pixels, both margins included.
    pub height: u32,
    /// Pixels left of the quadrilateral, and right of it.
    pub margin_x: u32,
    /// Pixels above the quadrilateral, and below it.
    pub margin_y: u32,
}

impl Canvas {
    /// The canvas with `pixels` more margin on each side, at the same scale.
    #[must_use]
    pub fn with_wider_margin(self, pixels: u32) -> Self {
        Self {
            width: self.width + 2 * pixels,
            height: self.height + 2 * pixels,
            margin_x: self.margin_x + pixels,
            margin_y: self.margin_y + pixels,
        }
    }
}

/// Warps the page so that `quad` fills the canvas within its margins, which show what lies around
/// it. Outside the page its border pixels continue. A quad that is not convex, or has no area,
/// gives a canvas of its first corner's grey.
///
/// Where the page is finer than the canvas, each canvas pixel is the mean of up to 4 x 4 bilinear
/// samples.
pub fn warp(page: &GrayImage, quad: &Quad, canvas: Canvas) -> GrayImage {
    let (x0, y0) = (f64::from(canvas.margin_x), f64::from(canvas.margin_y));
    let (wide, high) = (
        f64::from(canvas.width) - 2.0 * x0,
        f64::from(canvas.height) - 2.0 * y0,
    );
    let map = Homography::onto(quad)
        .filter(|_| wide > 0.0 && high > 0.0 && page.width() > 0 && page.height() > 0);
    let Some(map) = map else {
        let (w, h) = page.dimensions();
        let grey = if w == 0 || h == 0 {
            0.0
        } else {
            bilinear(page, quad[0].x as f32, quad[0].y as f32)
        };
        return GrayImage::from_pixel(canvas.width, canvas.height, Luma([grey.round() as u8]));
    };
    let side = |a: usize, b: usize| quad[a].distance(quad[b]);
    let samples = |pixels: f64, onto: f64| {
        let samples = (pixels / onto - SAMPLE_ROUNDING).ceil();
        (samples as u32).clamp(1, MAX_SAMPLES)
    };
    let across = samples(side(0, 1).max(side(3, 2)), wide);
    let down = samples(side(0, 3).max(side(1, 2)), high);
    let us: Vec<f32> = (0..canvas.width * across)
        .map(|i| (((f64::from(i) + 0.5) / f64::from(across) - x0) / wide) as f32)
        .collect();
    let height_of = |sample: u32| ((f64::from(sample) + 0.5) / f64::from(down) - y0) / high;
    let (right, bottom) = ((page.width() - 1) as f32, (page.height() - 1) as f32);
    let is_inside = |(x, y): (f32, f32)| x >= 0.0 && y >= 0.0 && x < right && y < bottom;
    let (level, width) = (Level::current(), page.width() as usize);
    let mut sampler = RowSampler::new(us.clone());
    let mut clamped = vec![0.0; us.len()];
    let mut sums = vec![0.0f32; canvas.width as usize];
    let mut out = GrayImage::new(canvas.width, canvas.height);
    for y in 0..canvas.height {
        sums.fill(0.0);
        for j in 0..down {
            let row = map.row(height_of(y * down + j));
            let mut samples = sampler.sample(level, &row.coefficients(), page.as_raw(), width);
            // A row maps to a straight line, which lies inside the page if its ends do.
            let ends = [us.first(), us.last()].into_iter().flatten();
            if !ends.map(|&u| row.at(u)).all(is_inside) {
                clamped.copy_from_slice(samples);
                for (sample, &u) in clamped.iter_mut().zip(&us) {
                    let (x, y) = row.at(u);
                    if !is_inside((x, y)) {
                        *sample = bilinear(page, x, y);
                    }
                }
                samples = &clamped;
            }
            for (sum, samples) in sums.iter_mut().zip(samples.chunks_exact(across as usize)) {
                for sample in samples {
                    *sum += sample;
                }
            }
        }
        for (x, sum) in (0..canvas.width).zip(&sums) {
            out.put_pixel(x, y, Luma([(sum / (across * down) as f32).round() as u8]));
        }
    }
    out
}

/// Grey level between pixel centres, which have whole coordinates; outside the page that of its
/// border.
pub(crate) fn bilinear(page: &GrayImage, x: f32, y: f32) -> f32 {
    let (w, h) = page.dimensions();
    let x = x.clamp(0.0, (w - 1) as f32);
    let y = y.clamp(0.0, (h - 1) as f32);
    let (x0, y0) = (x as usize, y as usize);
    let (x1, y1) = ((x0 + 1).min(w as usize - 1), (y0 + 1).min(h as usize - 1));
    let (fx, fy) = (x - x0 as f32, y - y0 as f32);
    let raw = page.as_raw();
    let at = |x: usize, y: usize| f32::from(raw[y * w as usize + x]);
    let top = at(x0, y0) + fx * (at(x1, y0) - at(x0, y0));
    let bottom = at(x0, y1) + fx * (at(x1, y1) - at(x0, y1));
    top + fy * (bottom - top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    const CANVAS: Canvas = Canvas {
        width: 60,
        height: 30,
        margin_x: 5,
        margin_y: 5,
    };

    fn quad(corners: [(f64, f64); 4]) -> Quad {
        corners.map(|(x, y)| Point::new(x, y))
    }

    #[test]
    fn the_quad_fills_the_canvas_within_its_margins() {
        let page = GrayImage::from_fn(200, 100, |x, y| {
            Luma([if (50..150).contains(&x) && (30..70).contains(&y) {
                200
            } else {
                20
            }])
        });
        let inner = quad([(49.5, 29.5), (149.5, 29.5), (149.5, 69.5), (49.5, 69.5)]);
        let patch = warp(&page, &inner, CANVAS);
        for (x, y, p) in patch.enumerate_pixels() {
            let inside = (5..55).contains(&x) && (5..25).contains(&y);
            assert_eq!(p.0[0], if inside { 200 } else { 20 }, "at {x},{y}");
        }
    }

    #[test]
    fn beyond_the_page_its_border_goes_on() {
        let page = GrayImage::from_fn(40, 40, |x, _| Luma([if x < 20 { 10 } else { 90 }]));
        let patch = warp(
            &page,
            &quad([(-40.0, -40.0), (80.0, -40.0), (80.0, 80.0), (-40.0, 80.0)]),
            CANVAS,
        );
        assert_eq!(patch.get_pixel(0, 0).0[0], 10);
        assert_eq!(patch.get_pixel(59, 29).0[0], 90);
    }

    /// The samples by the formula of bilinear interpolation, one by one.
    fn warp_plainly(page: &GrayImage, corners: &Quad, canvas: Canvas, samples: u32) -> GrayImage {
        let map = Homography::onto(corners).expect("a convex quad");
        let place = |i: u32, margin: u32, size: u32| {
            let inner = f64::from(size) - 2.0 * f64::from(margin);
            ((f64::from(i) + 0.5) / f64::from(samples) - f64::from(margin)) / inner
        };
        GrayImage::from_fn(canvas.width, canvas.height, |x, y| {
            let mut sum = 0.0;
            for j in 0..samples {
                let v = place(y * samples + j, canvas.margin_y, canvas.height);
                for i in 0..samples {
                    let u = place(x * samples + i, canvas.margin_x, canvas.width);
                    let (x, y) = map.row(v).at(u as f32);
                    sum += bilinear(page, x, y);
                }
            }
            Luma([(sum / (samples * samples) as f32).round() as u8])
        })
    }

    #[test]
    fn every_canvas_is_that_of_the_plain_formula() {
        let page = GrayImage::from_fn(400, 300, |x, y| Luma([(x * 7919 + y * 104_729) as u8]));
        for (corners, samples) in [
            ([(50.0, 40.0), (97.0, 43.0), (96.0, 58.0), (49.0, 59.0)], 1),
            (
                [(20.0, 30.0), (365.0, 60.0), (360.0, 178.0), (15.0, 160.0)],
                4,
            ),
            (
                [(20.0, 30.0), (115.0, 50.0), (110.0, 88.0), (15.0, 66.0)],
                2,
            ),
            (
                [(-20.0, 30.0), (75.0, 50.0), (70.0, 88.0), (-25.0, 66.0)],
                2,
            ),
            (
                [
                    (204.0, 224.0),
                    (402.0, 224.0),
                    (402.0, 302.0),
                    (204.0, 302.0),
                ],
                4,
            ),
        ] {
            let corners = quad(corners);
            let patch = warp(&page, &corners, CANVAS);
            assert!(
                patch == warp_plainly(&page, &corners, CANVAS, samples),
                "{corners:?}"
            );
        }
    }

    #[test]
    fn a_quad_without_area_gives_a_flat_canvas() {
        let page = GrayImage::from_pixel(10, 10, Luma([77]));
        let patch = warp(&page, &quad([(3.0, 3.0); 4]), CANVAS);
        assert!(patch.pixels().all(|p| p.0[0] == 77));
    }
}
