//! The picture that a table is looked for in: a part of a page, turned so that the rows are level.

use image::GrayImage;

use crate::geometry::Point;
use crate::page::Page;
use crate::patch::{self, Canvas};

/// A picture and the way from it to the page.
pub struct View {
    /// The picture.
    pub picture: GrayImage,
    /// Cosine and sine of the angle by which the page was turned (clockwise as seen).
    turn: (f64, f64),
    /// Pixel of the turned page at full size that is pixel (0, 0) of the view.
    origin: Point,
    /// Pixels of the page at full size per pixel of the view.
    step: f64,
}

impl View {
    /// The whole page as it lies, in its working copy.
    pub fn whole(page: &Page) -> Self {
        let step = page.scale.recip();
        Self {
            picture: page.working.clone(),
            turn: (1.0, 0.0),
            // Pixel centres lie at halves in both sizes.
            origin: Point::new(0.5 * step - 0.5, 0.5 * step - 0.5),
            step,
        }
    }

    /// The part of a page that holds some places and a border about them, turned by an angle in
    /// radians (clockwise as seen). `border_share` is the border as a share of the longer side of
    /// the places' extent; `stray_share` of the places may lie beyond each side. The view has at
    /// least `side` pixels along its longer side, as far as the page has them. None where there
    /// are no places.
    pub fn around(
        page: &Page,
        angle: f64,
        places: &[Point],
        (border_share, stray_share): (f64, f64),
        side: u32,
    ) -> Option<Self> {
        let (sin, cos) = angle.sin_cos();
        let (low, high) = {
            let turned = |p: &Point| (cos * p.x - sin * p.y, sin * p.x + cos * p.y);
            let (xs, ys): (Vec<f64>, Vec<f64>) = places.iter().map(turned).unzip();
            let (x, y) = (extent(xs, stray_share)?, extent(ys, stray_share)?);
            (Point::new(x.0, y.0), Point::new(x.1, y.1))
        };
        let (width, height) = (high.x - low.x, high.y - low.y);
        let border = border_share * width.max(height);
        let (width, height) = (width + 2.0 * border, height + 2.0 * border);
        // The working copy is sharp enough where the view has enough of its pixels.
        let uses_working = width.max(height) * page.scale >= f64::from(side);
        let (source, scale) = match uses_working {
            true => (&page.working, page.scale),
            false => (&page.luma, 1.0),
        };
        let mut view = Self {
            picture: GrayImage::new(0, 0),
            turn: (cos, sin),
            origin: Point::new(low.x - border, low.y - border),
            step: scale.recip(),
        };
        let pixels = |length: f64| (length * scale).round().max(1.0);
        let (width, height) = (pixels(width), pixels(height));
        // The outline of the view's pixels, in pixels of the source.
        let outline = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)].map(|(x, y)| {
            let p = view.on_page(Point::new(x - 0.5, y - 0.5));
            let at = |v: f64| (v + 0.5) * scale - 0.5;
            Point::new(at(p.x), at(p.y))
        });
        let canvas = Canvas {
            width: width as u32,
            height: height as u32,
            margin_x: 0,
            margin_y: 0,
        };
        view.picture = patch::warp(source, &outline, canvas);
        Some(view)
    }

    /// The place on the page, in pixels at full size, of a place in the view.
    pub fn on_page(&self, p: Point) -> Point {
        let (x, y) = (
            self.origin.x + self.step * p.x,
            self.origin.y + self.step * p.y,
        );
        let (cos, sin) = self.turn;
        Point::new(cos * x + sin * y, cos * y - sin * x)
    }

    /// The place in the view of a place on the page, in pixels at full size.
    pub fn in_view(&self, p: Point) -> Point {
        let (cos, sin) = self.turn;
        let (x, y) = (cos * p.x - sin * p.y, sin * p.x + cos * p.y);
        Point::new(
            (x - self.origin.x) / self.step,
            (y - self.origin.y) / self.step,
        )
    }
}

impl View {
    /// Whether a place, in pixels of the view, lies in it and on the page. Where the view goes on
    /// beyond the page, it repeats the pixels of its border.
    pub fn shows_page_at(&self, p: Point, page: &Page) -> bool {
        let is_in = |p: Point, picture: &GrayImage| {
            let (width, height) = picture.dimensions();
            (-0.5..f64::from(width) - 0.5).contains(&p.x)
                && (-0.5..f64::from(height) - 0.5).contains(&p.y)
        };
        is_in(p, &self.picture) && is_in(self.on_page(p), &page.luma)
    }

    /// Where the page begins and ends from top to bottom, in pixels of the view.
    pub fn page_ends(&self, page: &Page) -> (f64, f64) {
        let (width, height) = page.luma.dimensions();
        let (right, bottom) = (f64::from(width) - 1.0, f64::from(height) - 1.0);
        let corners = [(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)];
        let heights = corners.map(|(x, y)| self.in_view(Point::new(x, y)).y);
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        (
            heights.into_iter().fold(low, f64::min),
            heights.into_iter().fold(high, f64::max),
        )
    }
}

/// Where values begin and end, but for a share of stray ones on either side; none of nothing.
fn extent(mut values: Vec<f64>, stray_share: f64) -> Option<(f64, f64)> {
    values.sort_unstable_by(f64::total_cmp);
    let stray = (stray_share * values.len() as f64) as usize;
    let last = values.len().checked_sub(1 + stray)?;
    Some((values[stray], values[last]))
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// A page of 400 x 300 pixels on which the luma of a pixel is a tenth of the sum of its places.
    fn page() -> Page {
        let luma = GrayImage::from_fn(400, 300, |x, y| Luma([((x + y) / 10) as u8]));
        Page::new("a.png".into(), 1, String::new(), luma)
    }

    #[test]
    fn a_view_holds_the_places_and_shows_what_lies_there_on_the_page() {
        let places =
            [(100.0, 100.0), (200.0, 120.0), (120.0, 180.0)].map(|(x, y)| Point::new(x, y));
        let view = View::around(&page(), 0.2, &places, (0.1, 0.0), 64).expect("places");
        let (width, height) = view.picture.dimensions();
        for place in places {
            let p = view.in_view(place);
            assert!(p.x > 0.0 && p.y > 0.0 && p.x < width.into() && p.y < height.into());
            assert!(view.on_page(p).distance(place) < 1e-9);
            let luma = f64::from(view.picture.get_pixel(p.x as u32, p.y as u32).0[0]);
            assert!(
                (luma - (place.x + place.y) / 10.0).abs() < 2.0,
                "{luma} at {place:?}"
            );
        }
    }

    #[test]
    fn a_row_that_leans_is_level_in_the_view() {
        let (left, right) = (Point::new(100.0, 100.0), Point::new(200.0, 120.0));
        let angle = (20.0f64 / 100.0).atan();
        let view = View::around(&page(), -angle, &[left, right], (0.1, 0.0), 64).expect("places");
        assert!((view.in_view(left).y - view.in_view(right).y).abs() < 1e-9);
    }

    #[test]
    fn nothing_has_no_view() {
        assert!(View::around(&page(), 0.0, &[], (0.1, 0.0), 64).is_none());
    }
}
