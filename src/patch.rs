//! A quadrilateral of the page warped onto an upright canvas.

use image::{GrayImage, Luma};
use imageproc::geometric_transformations::Projection;

use crate::geometry::Quad;

/// Most samples a side taken for one canvas pixel when a large page is reduced.
const MOST_SAMPLES: u32 = 4;

/// Size of a canvas and what of it lies outside the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canvas {
    /// Width in pixels, both margins included.
    pub width: u32,
    /// Height in pixels, both margins included.
    pub height: u32,
    /// Pixels left and right of the cell.
    pub margin_x: u32,
    /// Pixels above and below the cell.
    pub margin_y: u32,
}

/// Warps the page so that `quad` fills the canvas within its margins; the margins show what lies around it, and the
/// page's border goes on where they leave the page. A quad without area gives a canvas of its first corner's grey.
///
/// Pixels are averaged where the page is finer than the canvas.
pub fn warp(page: &GrayImage, quad: &Quad, canvas: Canvas) -> GrayImage {
    let (x0, y0) = (canvas.margin_x as f32, canvas.margin_y as f32);
    let (x1, y1) = (canvas.width as f32 - x0, canvas.height as f32 - y0);
    // Coordinates near zero keep the single-precision solution exact to a hundredth of a pixel.
    let origin = quad[0];
    let corners = quad.map(|p| ((p.x - origin.x) as f32, (p.y - origin.y) as f32));
    let (ox, oy) = (origin.x as f32, origin.y as f32);
    let Some(map) = Projection::from_control_points([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], corners) else {
        let grey = bilinear(page, ox, oy);
        return GrayImage::from_pixel(canvas.width, canvas.height, Luma([grey.round() as u8]));
    };
    let side = |a: usize, b: usize| (corners[b].0 - corners[a].0).hypot(corners[b].1 - corners[a].1);
    let samples = |pixels: f32, onto: f32| ((pixels / onto).ceil() as u32).clamp(1, MOST_SAMPLES);
    let across = samples(side(0, 1).max(side(3, 2)), x1 - x0);
    let down = samples(side(0, 3).max(side(1, 2)), y1 - y0);
    GrayImage::from_fn(canvas.width, canvas.height, |x, y| {
        let mut sum = 0.0;
        for j in 0..down {
            for i in 0..across {
                let u = x as f32 + (i as f32 + 0.5) / across as f32;
                let v = y as f32 + (j as f32 + 0.5) / down as f32;
                let (px, py) = map * (u, v);
                sum += bilinear(page, px + ox, py + oy);
            }
        }
        Luma([(sum / (across * down) as f32).round() as u8])
    })
}

/// Grey level between pixel centres (at whole coordinates); outside, the border's.
fn bilinear(page: &GrayImage, x: f32, y: f32) -> f32 {
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
