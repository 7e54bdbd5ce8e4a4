//! Pictures of a page that is much finer than they are.

use image::GrayImage;

use crate::geometry::{Homography, Point, Quad};
use crate::patch::{self, Canvas};

/// Largest factor by which a page is reduced: a byte for each pixel of a square of this side sums
/// to no more than 16 bits hold.
const MAX_FACTOR: f64 = 16.0;
/// Largest area of a part of a page, as a multiple of the page's.
const MAX_PART_AREA: f64 = 4.0;

/// Warps the page as [`patch::warp`] does, but in less time where the canvas shows much of the
/// page.
///
/// Where the page is finer than the canvas by a factor of two or more, the part of it that is shown
/// is reduced by that factor first, each pixel the mean of a square: a sample of the page takes as
/// long as the sum of some twenty of its pixels. The part holds all that the canvas shows, what
/// lies outside the page as well, since samples outside a picture take five times as long.
pub fn warp_reduced(page: &GrayImage, quad: &Quad, canvas: Canvas) -> GrayImage {
    let [wide, high] = [
        (canvas.width, canvas.margin_x),
        (canvas.height, canvas.margin_y),
    ]
    .map(|(size, margin)| f64::from(size.saturating_sub(2 * margin)).max(1.0));
    let side = |a: usize, b: usize| quad[a].distance(quad[b]);
    let across = side(0, 1).max(side(3, 2)) / wide;
    let down = side(0, 3).max(side(1, 2)) / high;
    let factor = (across.min(down).clamp(1.0, MAX_FACTOR)) as u32;
    let Some(part) = shown_part(page, quad, canvas, (wide, high), factor) else {
        return patch::warp(page, quad, canvas);
    };
    let reduced = reduce(page, &part, factor);
    let middle = f64::from(factor - 1) / 2.0;
    let place = |at: f64, from: i64| (at - from as f64 - middle) / f64::from(factor);
    let quad = quad.map(|p| Point::new(place(p.x, part.left), place(p.y, part.top)));
    patch::warp(&reduced, &quad, canvas)
}

/// A rectangle of pixels, not all of which need be on the page.
struct PagePart {
    left: i64,
    top: i64,
    width: usize,
    height: usize,
}

/// The part of the page that a canvas shows; none where it is much larger than the page, or the
/// canvas cannot be laid on it.
fn shown_part(
    page: &GrayImage,
    quad: &Quad,
    canvas: Canvas,
    (wide, high): (f64, f64),
    factor: u32,
) -> Option<PagePart> {
    let map = Homography::onto(quad)?;
    let (x, y) = (
        f64::from(canvas.margin_x) / wide,
        f64::from(canvas.margin_y) / high,
    );
    let corners = [(-x, -y), (1.0 + x, -y), (1.0 + x, 1.0 + y), (-x, 1.0 + y)];
    let corners = corners.map(|(u, v)| map.at(u, v));
    let margin = f64::from(2 * factor);
    let edges = |of: fn(&Point) -> f64| {
        let places = corners.iter().map(of);
        let ends = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), at| {
            (from.min(at), to.max(at))
        });
        ((ends.0 - margin).floor(), (ends.1 + margin).ceil())
    };
    let (left, right) = edges(|p| p.x);
    let (top, bottom) = edges(|p| p.y);
    let area = (right - left) * (bottom - top);
    let page_area = f64::from(page.width()) * f64::from(page.height());
    (area <= MAX_PART_AREA * page_area && page_area > 0.0).then_some(PagePart {
        left: left as i64,
        top: top as i64,
        width: (right - left) as usize,
        height: (bottom - top) as usize,
    })
}

/// A part of a page of which each pixel is the mean of `factor` x `factor` pixels. Outside the page
/// its border pixels continue.
fn reduce(page: &GrayImage, part: &PagePart, factor: u32) -> GrayImage {
    let (step, count) = (factor as usize, factor * factor);
    let (wide, high) = (part.width.div_ceil(step), part.height.div_ceil(step));
    let (width, height) = (page.width() as usize, page.height() as usize);
    let on_page = |at: i64, size: usize| at.clamp(0, size as i64 - 1) as usize;
    // The columns of the part before those on the page, and behind the last of them.
    let first = (-part.left).clamp(0, (wide * step) as i64) as usize;
    let end = (width as i64 - part.left).clamp(first as i64, (wide * step) as i64) as usize;
    let from = on_page(part.left, width);
    let mut out = GrayImage::new(wide as u32, high as u32);
    let mut sums = vec![0u16; wide * step];
    for (y, row) in out.chunks_exact_mut(wide.max(1)).enumerate() {
        sums.fill(0);
        for i in 0..step {
            let source = on_page(part.top + (y * step + i) as i64, height);
            let source = &page.as_raw()[source * width..][..width];
            let (before, rest) = sums.split_at_mut(first);
            let (inside, behind) = rest.split_at_mut(end - first);
            before
                .iter_mut()
                .for_each(|sum| *sum += u16::from(source[0]));
            let shown = inside.iter_mut().zip(&source[from..]);
            shown.for_each(|(sum, &p)| *sum += u16::from(p));
            let last = source[width - 1];
            behind.iter_mut().for_each(|sum| *sum += u16::from(last));
        }
        for (pixel, sums) in row.iter_mut().zip(sums.chunks_exact(step)) {
            let sum: u32 = sums.iter().map(|&sum| u32::from(sum)).sum();
            *pixel = ((sum + count / 2) / count) as u8;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    #[test]
    fn a_reduced_page_looks_as_the_page_does() {
        // Waves of 60 pixels, on a page that is 2.5 and 7 times as fine as the canvas.
        let wave = |at: u32| (f64::from(at) * std::f64::consts::TAU / 60.0).sin();
        let page = GrayImage::from_fn(900, 700, |x, y| {
            Luma([(128.0 + 60.0 * wave(x) + 60.0 * wave(y)) as u8])
        });
        for pixels in [2.5, 7.0] {
            let canvas = Canvas {
                width: (600.0 / pixels) as u32,
                height: (300.0 / pixels) as u32,
                margin_x: 4,
                margin_y: 4,
            };
            // It begins outside the page.
            let corners = [(-20.0, 50.0), (580.0, 70.0), (575.0, 370.0), (-25.0, 350.0)];
            let quad = corners.map(|(x, y)| Point::new(x, y));
            let exact = patch::warp(&page, &quad, canvas);
            let reduced = warp_reduced(&page, &quad, canvas);
            let pixels = exact.as_raw().iter().zip(reduced.as_raw());
            let largest = pixels.map(|(a, b)| a.abs_diff(*b)).max();
            assert!(largest < Some(12), "{largest:?}");
        }
    }
}
