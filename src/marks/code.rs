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
/// each mark, in the size in which codes are read best and, if that fails, once more enlarged. If
/// the mark beside it is covered, it lies between the others.
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
    let between = Window::between(marks, parameters.window_mark_px[0]);
    windows
        .chain(between)
        .find_map(|window| window.read(picture, &parse))
}

impl Window {
    /// The window that holds all marks, in which one has this diameter in pixels; none of fewer
    /// than three.
    fn between(marks: &[BullsEye], mark_px: f64) -> Option<Self> {
        if marks.len() < 3 {
            return None;
        }
        let diameter = marks.iter().map(|mark| mark.diameter).sum::<f64>() / marks.len() as f64;
        let extent = |of: fn(&BullsEye) -> f64| {
            let places = marks.iter().map(of);
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
                (low.min(at), high.max(at))
            })
        };
        let (x, y) = (extent(|mark| mark.centre.x), extent(|mark| mark.centre.y));
        // The code reaches a little beyond the line between two marks.
        let side = (x.1 - x.0).max(y.1 - y.0) + 2.0 * diameter;
        Some(Self {
            left: (x.0 + x.1 - side) / 2.0,
            top: (y.0 + y.1 - side) / 2.0,
            side,
            step: diameter / mark_px,
        })
    }

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
