//! The picture that a table is looked for in: the working copy of a page as it lies, or turned.

use image::{GrayImage, Luma};

use super::maps::ends;
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
    /// Where the turned page begins and ends from top to bottom, in pixels of the view.
    pub ends: (f32, f32),
}

impl View {
    /// The working copy turned clockwise about its middle by an angle in radians; the view holds all of it.
    pub fn turned(page: &Page, angle: f64) -> Self {
        let (view, size) = Self::unseen(page, angle);
        view.taken(page, (0.0, 0.0), size)
    }

    /// The part of [`Self::turned`] that holds places of the page but for stray ones, with as much room about them on each
    /// side as `room` times their extent; None where there are no places.
    pub fn about(page: &Page, angle: f64, places: &[Point], room: f64) -> Option<Self> {
        let (view, size) = Self::unseen(page, angle);
        let side = |along: fn(Point) -> f64, most: f64| {
            let (low, high) = ends(places.iter().map(|&p| along(view.in_view(p))).collect())?;
            let room = room * (high - low);
            Some((
                (low - room).max(0.0).floor(),
                (high + room).min(most).ceil(),
            ))
        };
        let (left, right) = side(|p| p.x, size.0)?;
        let (top, bottom) = side(|p| p.y, size.1)?;
        Some(view.taken(page, (left, top), (right - left, bottom - top)))
    }

    /// The whole view without its picture, and the size that it would have.
    fn unseen(page: &Page, angle: f64) -> (Self, (f64, f64)) {
        let (w, h) = page.working.dimensions();
        let (w, h) = (f64::from(w), f64::from(h));
        let (sin, cos) = angle.sin_cos();
        let side = |a: f64, b: f64| (a * cos.abs() + b * sin.abs()).round().max(1.0);
        let (width, height) = (side(w, h), side(h, w));
        let middle = |w: f64, h: f64| Point::new((w - 1.0) / 2.0, (h - 1.0) / 2.0);
        let view = Self {
            picture: GrayImage::new(0, 0),
            turn: (cos, sin),
            middles: (middle(w, h), middle(width, height)),
            scale: page.scale,
            ends: (0.0, height as f32 - 1.0),
        };
        (view, (width, height))
    }

    /// The view from a place on, of a size, with its picture.
    fn taken(mut self, page: &Page, (left, top): (f64, f64), (width, height): (f64, f64)) -> Self {
        self.middles.1 = Point::new(self.middles.1.x - left, self.middles.1.y - top);
        self.ends = (self.ends.0 - top as f32, self.ends.1 - top as f32);
        let (width, height) = (width.max(1.0) as u32, height.max(1.0) as u32);
        let working = &page.working;
        self.picture = if self.turn.0 == 1.0 && (width, height) == working.dimensions() {
            working.clone()
        } else {
            GrayImage::from_fn(width, height, |x, y| {
                let p = self.working(f64::from(x), f64::from(y));
                Luma([bilinear(working, p.x as f32, p.y as f32).round() as u8])
            })
        };
        self
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
