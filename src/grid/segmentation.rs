//! What the table network sees in a picture: a map for each part of a move table.
//!
//! The network (`models/table.onnx`, trained by `models/train/table.py`) says what is there:
//! cells, edges between rows, columns, printed numbers, names above columns, rulings. It is told
//! nothing about forms, and nothing teaches it that a table is no score sheet.

use std::sync::LazyLock;

use image::GrayImage;
use sheetscan_kernels::Level;
use sheetscan_kernels::activation::apply_sigmoid;

use crate::geometry::Point;
use crate::models;
use crate::onnx::Onnx;
use crate::page::downscale;

/// Pixels of the picture for one of a map, on either side.
pub const STRIDE: u32 = 4;
/// Number of maps.
const CHANNELS: usize = Channel::RulingsAlongColumns as usize + 1;
/// Smallest deviation of a picture's luma, in shares of 255, by which it is scaled.
const MIN_DEVIATION: f32 = 0.02;

/// Largest factor by which a picture is enlarged for the network.
const MAX_ENLARGEMENT: f64 = 1.5;

/// A map of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Inside a White cell.
    White,
    /// Inside a Black cell.
    Black,
    /// On an edge between rows of move cells, printed or not.
    Row,
    /// On the outline of a column of move cells.
    Column,
    /// Inside a column of printed numbers.
    Numbers,
    /// On the name above a column of move cells.
    Heads,
    /// On a printed ruling along columns; the map before it, of those along rows, is not used.
    RulingsAlongColumns = 7,
}

/// How closely the network looks at a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// A longer side of 640 pixels, enough to see where the table lies and which way up.
    Coarse,
    /// A longer side of 1024 pixels.
    Fine,
}

impl Detail {
    /// Longer and shorter side of the network's window in pixels.
    pub const fn window(self) -> (u32, u32) {
        match self {
            Self::Coarse => (640, 480),
            Self::Fine => (1024, 768),
        }
    }
}

/// The network prepared for a window; none where it cannot be loaded.
type Prepared = LazyLock<Option<Onnx>>;

/// Prepares the network for a window of some width and height.
fn prepare((width, height): (u32, u32)) -> Option<Onnx> {
    Onnx::new(models::TABLE, (width, height))
}

static COARSE_UPRIGHT: Prepared = LazyLock::new(|| prepare((480, 640)));
static COARSE_LYING: Prepared = LazyLock::new(|| prepare((640, 480)));
static FINE_UPRIGHT: Prepared = LazyLock::new(|| prepare((768, 1024)));
static FINE_LYING: Prepared = LazyLock::new(|| prepare((1024, 768)));

/// The likeliest of the quarter turns to the right that a picture may have made.
pub fn likeliest_turn(probabilities: [f32; 4]) -> usize {
    let turns = (0..4).rev();
    turns
        .max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]))
        .unwrap_or(0)
}

/// The maps of a picture.
pub struct Segmentation {
    /// Width and height of a map.
    size: (usize, usize),
    /// Map pixels per picture pixel.
    scale: f64,
    /// Probabilities, channel by channel and row by row.
    planes: Vec<f32>,
    /// Probabilities that the picture was turned to the right by 0, 1, 2 and 3 quarters.
    quarter_turns: [f32; 4],
}

impl Segmentation {
    /// Runs the network on a picture; None where the picture is empty or the network fails.
    pub fn new(picture: &GrayImage, detail: Detail) -> Option<Self> {
        let (width, height) = picture.dimensions();
        if width == 0 || height == 0 {
            return None;
        }
        let (long, short) = detail.window();
        let is_upright = height >= width;
        let window = if is_upright {
            (short, long)
        } else {
            (long, short)
        };
        let network = match (detail, is_upright) {
            (Detail::Coarse, true) => &COARSE_UPRIGHT,
            (Detail::Coarse, false) => &COARSE_LYING,
            (Detail::Fine, true) => &FINE_UPRIGHT,
            (Detail::Fine, false) => &FINE_LYING,
        };
        let factor = (f64::from(window.0) / f64::from(width))
            .min(f64::from(window.1) / f64::from(height))
            .min(MAX_ENLARGEMENT);
        let luma = downscale(picture, factor);
        let mut outputs = LazyLock::force(network)
            .as_ref()?
            .run_all(&standardize(&luma, window))?;
        let turn = outputs.pop()?;
        let mut planes = outputs.pop()?;
        apply_sigmoid(Level::current(), &mut planes);
        let sum: f32 = turn.iter().map(|logit| logit.exp()).sum();
        let turns: Vec<f32> = turn.iter().map(|logit| logit.exp() / sum).collect();
        Some(Self {
            size: ((window.0 / STRIDE) as usize, (window.1 / STRIDE) as usize),
            scale: factor / f64::from(STRIDE),
            planes,
            quarter_turns: turns.try_into().ok()?,
        })
    }

    /// Maps of these probabilities, channel by channel and row by row, on an upright picture of
    /// four times their size; None where there are not as many as that, or the maps have no inside.
    pub fn of_planes((width, height): (usize, usize), planes: Vec<f32>) -> Option<Self> {
        let is_whole = planes.len() == CHANNELS * width * height;
        (is_whole && width.min(height) >= 2).then(|| Self {
            size: (width, height),
            scale: f64::from(STRIDE).recip(),
            planes,
            quarter_turns: [1.0, 0.0, 0.0, 0.0],
        })
    }

    /// Maps of a formula for the probability at each pixel x and y, on an upright picture of four
    /// times their size.
    #[cfg(test)]
    pub fn drawn(
        (width, height): (usize, usize),
        probability: impl Fn(Channel, f64, f64) -> f32,
    ) -> Self {
        let channels = [
            Channel::White,
            Channel::Black,
            Channel::Row,
            Channel::Column,
            Channel::Numbers,
            Channel::Heads,
            Channel::RulingsAlongColumns,
        ];
        let mut planes = vec![0.0; CHANNELS * width * height];
        for channel in channels {
            let plane = &mut planes[channel as usize * width * height..][..width * height];
            for (i, value) in plane.iter_mut().enumerate() {
                *value = probability(channel, (i % width) as f64, (i / width) as f64);
            }
        }
        Self::of_planes((width, height), planes).expect("a value for every pixel")
    }

    /// Probabilities that the picture was turned to the right by 0, 1, 2 and 3 quarters.
    pub fn quarter_turns(&self) -> [f32; 4] {
        self.quarter_turns
    }

    /// The quarter turns to the right that the picture has made, where they have at least this
    /// probability.
    pub fn sure_turn(&self, min_probability: f32) -> Option<usize> {
        let turn = likeliest_turn(self.quarter_turns);
        (self.quarter_turns[turn] >= min_probability).then_some(turn)
    }

    /// Sets all maps to 0 where the picture shows nothing of the page.
    pub fn clear_beyond(&mut self, is_on_page: impl Fn(Point) -> bool) {
        let (width, height) = self.size;
        for at in 0..width * height {
            let place = Point::new((at % width) as f64, (at / width) as f64);
            if !is_on_page(self.in_picture(place)) {
                for plane in self.planes.chunks_exact_mut(width * height) {
                    plane[at] = 0.0;
                }
            }
        }
    }

    /// Width and height of a map in pixels.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// A length in pixels of a map that is more than that of any line on it.
    pub fn longest_line(&self) -> f64 {
        (self.size.0 + self.size.1) as f64
    }

    /// The map of a channel, row by row.
    pub fn map(&self, channel: Channel) -> &[f32] {
        let pixels = self.size.0 * self.size.1;
        &self.planes[channel as usize * pixels..][..pixels]
    }

    /// Probability at a place of a map, in its pixels; 0 beyond its border.
    #[inline]
    pub fn at(&self, channel: Channel, p: Point) -> f32 {
        let (width, height) = self.size;
        let (last_x, last_y) = ((width - 1) as f64, (height - 1) as f64);
        if !(p.x >= 0.0 && p.y >= 0.0 && p.x <= last_x && p.y <= last_y) {
            return 0.0;
        }
        let (x, y) = (
            (p.x as usize).min(width - 2),
            (p.y as usize).min(height - 2),
        );
        let (fx, fy) = ((p.x - x as f64) as f32, (p.y - y as f64) as f32);
        let map = self.map(channel);
        let row = |y: usize| {
            let at = y * width + x;
            map[at] + fx * (map[at + 1] - map[at])
        };
        row(y) + fy * (row(y + 1) - row(y))
    }

    /// Probability that a place of a map lies in a cell, whosever it is.
    pub fn cell_at(&self, p: Point) -> f32 {
        let white = self.at(Channel::White, p);
        white.max(self.at(Channel::Black, p))
    }

    /// The place in the picture of a place of a map, both in pixels.
    pub fn in_picture(&self, p: Point) -> Point {
        // Pixel centres lie at halves in both sizes.
        let picture = |v: f64| (v + 0.5) / self.scale - 0.5;
        Point::new(picture(p.x), picture(p.y))
    }

    /// The place on a map of a place in the picture, both in pixels.
    pub fn on_map(&self, p: Point) -> Point {
        let map = |v: f64| (v + 0.5) * self.scale - 0.5;
        Point::new(map(p.x), map(p.y))
    }
}

/// A picture with mean 0 and deviation 1 at the top left of the window, its border going on beyond
/// it; `standardize` in models/train/table_windows.py is the same.
fn standardize(luma: &GrayImage, window: (u32, u32)) -> Vec<f32> {
    let count = luma.as_raw().len() as f32;
    let (mut sum, mut squares) = (0.0f64, 0.0f64);
    for &v in luma.as_raw() {
        let v = f64::from(v) / 255.0;
        sum += v;
        squares += v * v;
    }
    let mean = sum as f32 / count;
    let variance = (squares as f32 / count - mean * mean).max(0.0);
    let deviation = variance.sqrt().max(MIN_DEVIATION);
    let (last_x, last_y) = (luma.width() - 1, luma.height() - 1);
    let mut values = Vec::with_capacity((window.0 * window.1) as usize);
    for y in 0..window.1 {
        for x in 0..window.0 {
            let v = luma.get_pixel(x.min(last_x), y.min(last_y)).0[0];
            values.push((f32::from(v) / 255.0 - mean) / deviation);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// What the trainer's network sees in `ruled_table`, in every eighth pixel of every eighth row
    /// of each map.
    static GOLDEN: &[u8] = include_bytes!("../../models/golden-table.bin");
    const GOLDEN_STEP_PX: usize = 8;

    /// A ruled table made by a formula, the same as `draw_ruled_table` in models/train/table.py.
    fn ruled_table() -> GrayImage {
        GrayImage::from_fn(768, 1024, |x, y| {
            let row = y % 32 < 2;
            let column = [60, 110, 240, 370, 420, 550, 680].contains(&(x & !1));
            let inside = (120..=920).contains(&y) && (60..=681).contains(&x);
            let grain = (x * 73 + y * 151 + x * y % 97) % 13;
            let line = inside && (row || column);
            Luma([if line { 70 } else { 225 - grain as u8 }])
        })
    }

    #[test]
    fn nothing_is_left_beyond_the_page() {
        let mut maps = Segmentation::drawn((20, 10), |_, _, _| 1.0);
        maps.clear_beyond(|p| p.x < 40.0);
        let row = |x: f64| maps.at(Channel::Row, Point::new(x, 5.0));
        assert_eq!([0.0, 9.0, 10.0, 19.0].map(row), [1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn the_network_sees_what_the_trainer_saw() {
        let maps = Segmentation::new(&ruled_table(), Detail::Fine).expect("a picture");
        let (width, height) = maps.size();
        assert_eq!((width, height), (192, 256));
        let (golden, rest) = GOLDEN.as_chunks::<4>();
        let channels = maps.planes.len() / (width * height);
        let count = channels * (width / GOLDEN_STEP_PX) * (height / GOLDEN_STEP_PX);
        assert_eq!((golden.len(), rest), (count, &[][..]));
        let mut golden = golden.iter().map(|bytes| f32::from_le_bytes(*bytes));
        for plane in maps.planes.chunks_exact(width * height) {
            for y in (0..height).step_by(GOLDEN_STEP_PX) {
                for x in (0..width).step_by(GOLDEN_STEP_PX) {
                    let trained = golden.next().expect("one for every place");
                    let seen = plane[y * width + x];
                    assert!(
                        (seen - trained).abs() < 1e-3,
                        "{x} {y}: {seen} for {trained}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_place_of_a_map_is_four_pixels_of_a_picture_that_is_not_scaled() {
        let maps = Segmentation::new(&ruled_table(), Detail::Fine).expect("a picture");
        let p = maps.in_picture(Point::new(10.0, 20.0));
        assert_eq!((p.x, p.y), (41.5, 81.5));
        assert_eq!(maps.on_map(p), Point::new(10.0, 20.0));
        assert_eq!(maps.at(Channel::White, Point::new(-1.0, 5.0)), 0.0);
    }
}
