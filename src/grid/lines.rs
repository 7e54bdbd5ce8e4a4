//! The lines of a picture in both directions: those that are printed, or those that the table model sees.

use image::GrayImage;

use super::maps::{Maps, Plane};
use super::ruling::{self, Ruling};

/// Lines that were traced in a picture.
pub struct Lines {
    /// Near level ones.
    pub rows: Vec<Ruling>,
    /// Near upright ones.
    pub columns: Vec<Ruling>,
}

impl Lines {
    /// What is ruled in a picture.
    pub fn printed(picture: &GrayImage) -> Self {
        Self {
            rows: ruling::trace(&transposed(picture)),
            columns: ruling::trace(picture),
        }
    }

    /// Row edges and outlines of columns as the model sees them.
    pub fn drawn(maps: &Maps) -> Self {
        Self {
            rows: ruling::trace(&transposed(&maps.drawn(Plane::Row))),
            columns: ruling::trace(&maps.drawn(Plane::Column)),
        }
    }
}

fn transposed(picture: &GrayImage) -> GrayImage {
    GrayImage::from_fn(picture.height(), picture.width(), |x, y| {
        *picture.get_pixel(y, x)
    })
}
