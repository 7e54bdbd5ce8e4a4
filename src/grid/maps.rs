//! What the table model sees on a page: where White's and Black's cells lie, and the edges between
//! them.
//!
//! The model (`models/table.onnx`, trained by `models/train/table.py`) is told nothing about forms.
//! It has learned on made forms and real pages what a move cell looks like, whether it is ruled,
//! underlined, shaded or bare.

use std::sync::LazyLock;

use image::{GrayImage, Luma};

use super::Side;
use crate::geometry::{Homography, Point, Quad};
use crate::onnx::Onnx;
use crate::page::downscale;

static EMBEDDED: &[u8] = include_bytes!("../../models/table.onnx");

/// Longer and shorter side of the model's window in pixels.
const WINDOW: (u32, u32) = (1024, 768);
/// Pixels of the window for one of the maps.
const STRIDE: u32 = 4;
/// Least deviation of a picture's luma, in shares of 255: flatter ones hold nothing.
const FLATTEST: f32 = 0.02;

/// Grey levels between the paper and a line that is certain where a map is drawn; a printed line's,
/// so that it is traced as one.
const CONTRAST: f32 = 60.0;

/// Probability from which a place belongs to a player, and mean probability from which a row does.
pub const OWNED: f32 = 0.5;

/// One in so many places that look like a cell at either end of the extent is a stray spot.
const STRAY: usize = 100;

/// The four maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plane {
    /// Inside a White cell.
    White,
    /// Inside a Black cell.
    Black,
    /// On an edge between rows.
    Row,
    /// On the outline of a White or a Black column.
    Column,
}

/// Probabilities over a picture.
pub struct Maps {
    /// Size of the picture in pixels.
    size: (u32, u32),
    /// Map pixels per picture pixel.
    scale: f32,
    /// Width and height of a map.
    extent: (usize, usize),
    /// [`Plane`] by plane, row by row.
    planes: [Vec<f32>; 4],
}

static UPRIGHT: LazyLock<Option<Onnx>> =
    LazyLock::new(|| Onnx::new(EMBEDDED, (WINDOW.1, WINDOW.0)));
static LYING: LazyLock<Option<Onnx>> = LazyLock::new(|| Onnx::new(EMBEDDED, WINDOW));

impl Maps {
    /// Runs the model on a picture; None where the picture is empty.
    pub fn of(picture: &GrayImage) -> Option<Self> {
        let (width, height) = picture.dimensions();
        if width == 0 || height == 0 {
            return None;
        }
        let (window, shrunk) = window((width, height));
        let network = if window == WINDOW {
            LYING.as_ref()?
        } else {
            UPRIGHT.as_ref()?
        };
        let luma = downscale(picture, f64::from(shrunk));
        let odds = network.run(&standard(&luma, window))?;
        let extent = ((window.0 / STRIDE) as usize, (window.1 / STRIDE) as usize);
        let odds: Vec<f32> = odds.iter().map(|o| 1.0 / (1.0 + (-o).exp())).collect();
        let mut planes = odds.chunks_exact(extent.0 * extent.1).map(<[f32]>::to_vec);
        Some(Self {
            size: (width, height),
            scale: shrunk / STRIDE as f32,
            extent,
            planes: [
                planes.next()?,
                planes.next()?,
                planes.next()?,
                planes.next()?,
            ],
        })
    }

    /// Probability at a place of the picture, in its pixels.
    pub fn at(&self, plane: Plane, x: f32, y: f32) -> f32 {
        let place = |v: f32, most: usize| {
            let v = ((v + 0.5) * self.scale - 0.5).clamp(0.0, (most - 1) as f32);
            let low = (v as usize).min(most.saturating_sub(2));
            (low, v - low as f32)
        };
        let ((x, fx), (y, fy)) = (place(x, self.extent.0), place(y, self.extent.1));
        let map = &self.planes[plane as usize];
        let line = |y: usize| {
            let from = y * self.extent.0 + x;
            map[from] + fx * (map[from + 1] - map[from])
        };
        line(y) + fy * (line(y + 1) - line(y))
    }

    /// Probability that a place lies in a cell, be it White's or Black's.
    pub fn cell(&self, x: f32, y: f32) -> f32 {
        self.at(Plane::White, x, y).max(self.at(Plane::Black, x, y))
    }

    /// Whose cell a place lies in, if in any.
    pub fn player(&self, x: f32, y: f32) -> Option<Side> {
        let (white, black) = (self.at(Plane::White, x, y), self.at(Plane::Black, x, y));
        let side = if black > white {
            Side::Black
        } else {
            Side::White
        };
        (white.max(black) > OWNED).then_some(side)
    }

    /// Shares of a cell of the picture that lie in cells of White and of Black, looked at in
    /// `probes` places along and across it; None where its corners make no cell.
    pub fn owned(&self, cell: &Quad, probes: usize) -> Option<[f32; 2]> {
        let cell = Homography::onto(cell)?;
        let place = |i: usize| (i as f64 + 0.5) / probes as f64;
        let mut owned = [0; 2];
        for i in 0..probes * probes {
            let p = cell.at(place(i % probes), place(i / probes));
            if let Some(side) = self.player(p.x as f32, p.y as f32) {
                owned[side as usize] += 1;
            }
        }
        Some(owned.map(|places| places as f32 / (probes * probes) as f32))
    }

    /// Pixels of the picture per map pixel.
    pub fn pixel(&self) -> f32 {
        self.scale.recip()
    }

    /// A map as dark lines on white paper, as large as the picture.
    pub fn drawn(&self, plane: Plane) -> GrayImage {
        GrayImage::from_fn(self.size.0, self.size.1, |x, y| {
            Luma([255 - (CONTRAST * self.at(plane, x as f32, y as f32)) as u8])
        })
    }

    /// The maps as a picture of their own size: 1 where a cell of White is seen, 2 where one of
    /// Black is, else 0.
    pub fn players(&self) -> GrayImage {
        let [white, black, ..] = &self.planes;
        let (width, height) = self.extent;
        GrayImage::from_fn(width as u32, height as u32, |x, y| {
            let at = y as usize * width + x as usize;
            let (white, black) = (white[at], black[at]);
            Luma([match white.max(black) > OWNED {
                true => 1 + u8::from(black > white),
                false => 0,
            }])
        })
    }

    /// The places of the picture that lie in cells, one for each pixel of a map.
    pub fn places(&self) -> impl Iterator<Item = (f32, f32)> {
        let [white, black, ..] = &self.planes;
        let inside = white.iter().zip(black).enumerate();
        let inside = inside.filter(|(_, (w, b))| w.max(**b) > OWNED);
        let pixel = |at: usize| at as f32 * self.pixel();
        inside.map(move |(i, _)| (pixel(i % self.extent.0), pixel(i / self.extent.0)))
    }

    /// Corners of the upright rectangle in the picture that holds the cells, but for stray spots;
    /// None where none are seen.
    pub fn extent(&self) -> Option<Quad> {
        let places = self.places().map(|(x, y)| (f64::from(x), f64::from(y)));
        let (xs, ys) = places.unzip();
        let ((left, right), (top, bottom)) = (ends(xs)?, ends(ys)?);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        Some(corners.map(|(x, y)| Point::new(x, y)))
    }

    /// Square pixels of the picture that lie in cells of White and of Black.
    pub fn area(&self) -> f32 {
        self.places().count() as f32 / (self.scale * self.scale)
    }
}

/// Where the places along a side of a table begin and end, but for stray ones; None where there are
/// none.
pub fn ends(mut along: Vec<f64>) -> Option<(f64, f64)> {
    along.sort_unstable_by(f64::total_cmp);
    let few = along.len() / STRAY;
    let last = along.len().checked_sub(1 + few)?;
    Some((along[few], along[last]))
}

/// The window for a picture of some width and height, and the size by which the picture is reduced
/// to fit into it.
fn window((width, height): (u32, u32)) -> ((u32, u32), f32) {
    let window = if width > height {
        WINDOW
    } else {
        (WINDOW.1, WINDOW.0)
    };
    let fits = (window.0 as f32 / width as f32).min(window.1 as f32 / height as f32);
    (window, fits.min(1.0))
}

/// The size by which a picture of some width and height is reduced before the model sees it; at
/// most 1.
pub fn reduction(size: (u32, u32)) -> f32 {
    window(size).1
}

/// A picture with mean 0 and deviation 1 at the top left of the window, its border going on beyond
/// it; `standardize` in models/train/table.py is the same.
fn standard(luma: &GrayImage, window: (u32, u32)) -> Vec<f32> {
    let count = luma.as_raw().len() as f32;
    let (mut sum, mut squares) = (0.0f64, 0.0f64);
    for &v in luma.as_raw() {
        let v = f64::from(v) / 255.0;
        sum += v;
        squares += v * v;
    }
    let mean = sum as f32 / count;
    let deviation = ((squares as f32 / count - mean * mean).max(0.0))
        .sqrt()
        .max(FLATTEST);
    let (width, height) = (luma.width() - 1, luma.height() - 1);
    let mut out = Vec::with_capacity((window.0 * window.1) as usize);
    for y in 0..window.1 {
        for x in 0..window.0 {
            let v = luma.get_pixel(x.min(width), y.min(height)).0[0];
            out.push((f32::from(v) / 255.0 - mean) / deviation);
        }
    }
    out
}

#[cfg(test)]
impl Maps {
    /// Maps of a picture of some width and height with these probabilities at its pixels, as coarse
    /// as the model's.
    pub fn made(size: (u32, u32), probability: impl Fn(Plane, f32, f32) -> f32) -> Self {
        let extent = ((size.0 / STRIDE) as usize, (size.1 / STRIDE) as usize);
        let pixel = |i: usize| (i as f32 + 0.5) * STRIDE as f32 - 0.5;
        let plane = |plane| {
            (0..extent.0 * extent.1)
                .map(|i| probability(plane, pixel(i % extent.0), pixel(i / extent.0)))
                .collect()
        };
        Self {
            size,
            scale: 1.0 / STRIDE as f32,
            extent,
            planes: [Plane::White, Plane::Black, Plane::Row, Plane::Column].map(plane),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the trainer's network sees in `ruled`, in every eighth pixel of every eighth row of a
    /// map.
    static GOLDEN: &[u8] = include_bytes!("../../models/golden-table.bin");
    const EVERY: u32 = 8;

    /// A ruled table made by a formula, the same as `draw_ruled_table` in models/train/table.py.
    fn ruled() -> GrayImage {
        GrayImage::from_fn(WINDOW.1, WINDOW.0, |x, y| {
            let row = y % 32 < 2;
            let column = [60, 110, 240, 370, 420, 550, 680].contains(&(x & !1));
            let inside = (120..=920).contains(&y) && (60..=681).contains(&x);
            let grain = (x * 73 + y * 151 + x * y % 97) % 13;
            let line = inside && (row || column);
            Luma([if line { 70 } else { 225 - grain as u8 }])
        })
    }

    #[test]
    fn the_network_sees_what_the_trainer_saw() {
        let maps = Maps::of(&ruled()).expect("a picture");
        let (width, height) = (WINDOW.1 / STRIDE / EVERY, WINDOW.0 / STRIDE / EVERY);
        let (golden, rest) = GOLDEN.as_chunks::<4>();
        assert_eq!((golden.len() as u32, rest), (4 * width * height, &[][..]));
        let mut golden = golden.iter().map(|bytes| f32::from_le_bytes(*bytes));
        for plane in [Plane::White, Plane::Black, Plane::Row, Plane::Column] {
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                let of_map = maps.planes[plane as usize]
                    [(y * EVERY * (WINDOW.1 / STRIDE) + x * EVERY) as usize];
                let trained = golden.next().expect("one for every place");
                assert!(
                    (of_map - trained).abs() < 1e-3,
                    "{plane:?} {x} {y}: {of_map} for {trained}"
                );
            }
        }
        let cells = maps.area() / (620 * 800) as f32;
        assert!(cells > 0.5, "of the table {cells} is taken for cells");
    }
}
