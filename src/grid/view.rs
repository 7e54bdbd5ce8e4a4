//! The picture that a table is looked for in: the working copy of a page as it lies, or turned.

use image::{GrayImage, Luma};

use crate::geometry::Point;
use crate::page::Page;
use crate::patch::bilinear;

/// A picture and the way from it to the page.
pub struct View {
    /// What is looked at.
    pub picture: GrayImage,
    /// Cosine and sine of the angle by which the working copy was turned (clockwise as seen).
    turn: (f64, f64),
    /// Middle of the working copy and of the view, in their pixels.
    middles: (Point, Point),
    /// Working pixels per pixel of the page.
    scale: f64,
}

impl View {
    /// The working copy turned clockwise about its middle by an angle in radians; the view holds all of it.
    pub fn turned(page: &Page, angle: f64) -> Self {
        let working = &page.working;
        let (w, h) = (f64::from(working.width()), f64::from(working.height()));
        let (sin, cos) = angle.sin_cos();
        let side = |a: f64, b: f64| (a * cos.abs() + b * sin.abs()).round().max(1.0) as u32;
        let (width, height) = (side(w, h), side(h, w));
        let middle = |w: f64, h: f64| Point::new((w - 1.0) / 2.0, (h - 1.0) / 2.0);
        let mut view = Self {
            picture: GrayImage::new(0, 0),
            turn: (cos, sin),
            middles: (middle(w, h), middle(f64::from(width), f64::from(height))),
            scale: page.scale,
        };
        view.picture = if angle == 0.0 {
            working.clone()
        } else {
            GrayImage::from_fn(width, height, |x, y| {
                let p = view.working(f64::from(x), f64::from(y));
                Luma([bilinear(working, p.x as f32, p.y as f32).round() as u8])
            })
        };
        view
    }

    /// Where a pixel of the view lies on the working copy.
    fn working(&self, x: f64, y: f64) -> Point {
        let (dx, dy) = (x - self.middles.1.x, y - self.middles.1.y);
        let (cos, sin) = self.turn;
        Point::new(
            self.middles.0.x + cos * dx + sin * dy,
            self.middles.0.y - sin * dx + cos * dy,
        )
    }

    /// Where a pixel of the view lies on the page, in pixels at full size.
    pub fn on_page(&self, (x, y): (f32, f32)) -> Point {
        let p = self.working(f64::from(x), f64::from(y));
        // Pixel centres lie at halves in both sizes.
        let full = |v: f64| (v + 0.5) / self.scale - 0.5;
        Point::new(full(p.x), full(p.y))
    }

    /// Where a point of the page at full size lies in the view.
    pub fn in_view(&self, p: Point) -> Point {
        let working = |v: f64| (v + 0.5) * self.scale - 0.5;
        let (dx, dy) = (
            working(p.x) - self.middles.0.x,
            working(p.y) - self.middles.0.y,
        );
        let (cos, sin) = self.turn;
        Point::new(
            self.middles.1.x + cos * dx - sin * dy,
            self.middles.1.y + sin * dx + cos * dy,
        )
    }
}
