//! Reads the QR code of a form, which stands beside one of its marks.

use image::GrayImage;

use super::bulls_eye::BullsEye;
use super::parameters::MarkParameters;
use crate::geometry::{Point, Quad};
use crate::patch::bilinear;

/// A code in a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadCode<T> {
    /// What it says.
    pub content: T,
    /// Its corners without the quiet zone in pixels, clockwise from its own top left one.
    pub corners: Quad,
}

/// A square part of a picture in which a code is looked for.
struct Window {
    /// Top left corner, in pixels of the picture.
    left: f64,
    top: f64,
    /// Side of the square, in pixels of the picture.
    side: f64,
    /// Pixels of the picture that become one of the window's.
    step: f64,
}

/// The first code beside one of the marks whose text `parse` knows. The code is looked for around
/// each mark, in the size in which codes are read best and, if that fails, once more enlarged.
pub fn read_code<T>(
    picture: &GrayImage,
    marks: &[BullsEye],
    parse: impl Fn(&str) -> Option<T>,
    parameters: &MarkParameters,
) -> Option<ReadCode<T>> {
    let windows = parameters.window_mark_px.iter().flat_map(|&mark_px| {
        marks.iter().map(move |mark| {
            let side = parameters.window_diameters * mark.diameter;
            Window {
                left: mark.centre.x - side / 2.0,
                top: mark.centre.y - side / 2.0,
                side,
                step: mark.diameter / mark_px,
            }
        })
    });
    windows
        .into_iter()
        .find_map(|window| window.read(picture, &parse))
}

impl Window {
    /// The code in the window whose text `parse` knows.
    fn read<T>(
        &self,
        picture: &GrayImage,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<ReadCode<T>> {
        let side = (self.side / self.step).ceil() as usize;
        let luma = |x: usize, y: usize| {
            let p = self.on_picture(x as f64, y as f64);
            mean_luma(picture, p, self.step)
        };
        let mut window = rqrr::PreparedImage::prepare_from_greyscale(side, side, luma);
        window.detect_grids().into_iter().find_map(|code| {
            let (_, text) = code.decode().ok()?;
            let content = parse(&text)?;
            let corners = code
                .bounds
                .map(|p| self.on_picture(f64::from(p.x), f64::from(p.y)));
            Some(ReadCode { content, corners })
        })
    }

    /// The place on the picture of a place in the window.
    fn on_picture(&self, x: f64, y: f64) -> Point {
        Point::new(self.left + self.step * x, self.top + self.step * y)
    }
}

/// The mean luma about a place, over a square with this side in pixels.
fn mean_luma(picture: &GrayImage, place: Point, side: f64) -> u8 {
    let at = |dx: f64, dy: f64| bilinear(picture, (place.x + dx) as f32, (place.y + dy) as f32);
    if side <= 1.5 {
        return at(0.0, 0.0).round() as u8;
    }
    let d = side / 4.0;
    ((at(-d, -d) + at(d, -d) + at(-d, d) + at(d, d)) / 4.0).round() as u8
}
