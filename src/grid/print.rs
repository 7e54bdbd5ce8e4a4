//! What is printed in the cells: the numbers, their shaded band, the heading over the columns.

use image::GrayImage;

use super::dividers::Divider;
use super::ladder::Ladder;

/// Size of the small pictures in which cells are looked at.
pub const SAMPLE_WIDTH: usize = 96;
/// See [`SAMPLE_WIDTH`].
pub const SAMPLE_HEIGHT: usize = 24;
/// Share of a sample's height and width left out at its borders, where rulings are.
const BORDER: usize = SAMPLE_HEIGHT / 6;
/// Where a shaded band or the digits of an unruled number column may end, as a share of White's width.
const NUMBER_END: (f32, f32) = (0.06, 0.36);
/// Places along a row's height at which a line between two columns is looked for.
const PROBES: usize = 12;
/// Pixels from such a line at which there is paper.
const PAPER: f32 = 5.0;
/// Grey levels by which the line is darker than that paper.
const DARKER: i32 = 5;
/// Grey levels between a shaded band and the paper beside it.
const SHADE: f32 = 2.5;

/// A straightened picture of the space between two dividers in one row.
pub struct Sample {
    /// [`SAMPLE_WIDTH`] x [`SAMPLE_HEIGHT`] grey levels.
    pub grey: Vec<u8>,
}

/// A corner: where a row edge crosses a divider.
pub fn corner(ladder: &Ladder, divider: &Divider, edge: f32) -> (f32, f32) {
    let mut x = divider
        .line
        .at(ladder.y(edge, divider.line.points[divider.line.points.len() / 2].1));
    for _ in 0..3 {
        x = divider.line.at(ladder.y(edge, x));
    }
    (x, ladder.y(edge, x))
}

/// Share of a row's height in which a divider shows as a dark line. What lies outside the picture counts as shown.
pub fn ruled(picture: &GrayImage, ladder: &Ladder, divider: &Divider, row: i32) -> f32 {
    let (width, height) = picture.dimensions();
    let grey =
        |x: f32, y: f32| i32::from(picture.get_pixel((x as u32).min(width - 1), y as u32).0[0]);
    let shown = (0..PROBES).filter(|&i| {
        let edge = row as f32 + (i as f32 + 0.5) / PROBES as f32;
        let (x, y) = corner(ladder, divider, edge);
        if !(0.0..height as f32).contains(&y) || !(PAPER..width as f32 - PAPER).contains(&x) {
            return true;
        }
        (-3..=3).any(|dx| {
            let x = x + dx as f32;
            grey(x - PAPER, y).min(grey(x + PAPER, y)) - grey(x, y) >= DARKER
        })
    });
    shown.count() as f32 / PROBES as f32
}

impl Sample {
    /// Takes the sample of the row below an edge, from a share `inset` of the width on.
    pub fn take(
        picture: &GrayImage,
        ladder: &Ladder,
        between: &(Divider, Divider),
        row: i32,
        inset: f32,
    ) -> Self {
        let corners = [
            (&between.0, row),
            (&between.1, row),
            (&between.1, row + 1),
            (&between.0, row + 1),
        ]
        .map(|(d, edge)| corner(ladder, d, edge as f32));
        let (w, h) = picture.dimensions();
        let raw = picture.as_raw();
        let mut grey = Vec::with_capacity(SAMPLE_WIDTH * SAMPLE_HEIGHT);
        for j in 0..SAMPLE_HEIGHT {
            let v = (j as f32 + 0.5) / SAMPLE_HEIGHT as f32;
            for i in 0..SAMPLE_WIDTH {
                let u = inset + (1.0 - inset) * (i as f32 + 0.5) / SAMPLE_WIDTH as f32;
                let mix = |a: [f32; 4]| {
                    (a[0] * (1.0 - u) + a[1] * u) * (1.0 - v) + (a[3] * (1.0 - u) + a[2] * u) * v
                };
                let x = mix(corners.map(|c| c.0)).round().clamp(0.0, (w - 1) as f32) as usize;
                let y = mix(corners.map(|c| c.1)).round().clamp(0.0, (h - 1) as f32) as usize;
                grey.push(raw[y * w as usize + x]);
            }
        }
        Self { grey }
    }

    fn column(&self, x: usize) -> impl Iterator<Item = u8> + '_ {
        (BORDER..SAMPLE_HEIGHT - BORDER).map(move |y| self.grey[y * SAMPLE_WIDTH + x])
    }

    /// The sample less the mean of each of its lines.
    fn levelled(&self) -> Vec<f32> {
        let mut out = Vec::with_capacity(self.grey.len());
        for line in self.grey.chunks_exact(SAMPLE_WIDTH) {
            let mean = line.iter().map(|&v| f32::from(v)).sum::<f32>() / SAMPLE_WIDTH as f32;
            out.extend(line.iter().map(|&v| f32::from(v) - mean));
        }
        out
    }

    /// The paper's grey level: most of a cell is paper, so the upper third is.
    pub fn paper(&self, from: usize, to: usize) -> u8 {
        let mut all: Vec<u8> = (from..to).flat_map(|x| self.column(x)).collect();
        all.sort_unstable();
        all.get(all.len() * 2 / 3).copied().unwrap_or(0)
    }

    /// Share of pixels between two columns that are darker than the paper there by a share of it.
    pub fn ink(&self, from: usize, to: usize, darker: f32) -> f32 {
        let dark = (f32::from(self.paper(from, to)) * (1.0 - darker)) as u8;
        let all = (to - from) * (SAMPLE_HEIGHT - 2 * BORDER);
        let inked = (from..to)
            .flat_map(|x| self.column(x))
            .filter(|&v| v < dark)
            .count();
        inked as f32 / all.max(1) as f32
    }
}

/// Print is black: it is at least a quarter darker than its paper.
fn darker(paper: u8) -> u8 {
    (f32::from(paper) * 0.75) as u8
}

/// Where the unruled number column inside White ends, as a share of White's width: behind the printed digits, within
/// their shading where they are shaded (hands often start on the shading). None where there is neither.
///
/// `samples` holds White's samples of every row of every block.
pub fn number_end(samples: &[Sample]) -> Option<f32> {
    let rows = samples.len();
    if rows == 0 {
        return None;
    }
    match (shade_end(samples), digits_end(samples)) {
        (Some(shade), Some(digits)) if digits < shade && digits > shade / 2.0 => Some(digits),
        (shade, digits) => shade.or(digits),
    }
}

fn shade_end(samples: &[Sample]) -> Option<f32> {
    let brightness: Vec<f32> = (0..SAMPLE_WIDTH)
        .map(|x| {
            let mut of_rows: Vec<u8> = samples
                .iter()
                .map(|s| {
                    let mut column: Vec<u8> = s.column(x).collect();
                    column.sort_unstable();
                    column[column.len() * 3 / 4]
                })
                .collect();
            of_rows.sort_unstable();
            f32::from(of_rows[of_rows.len() / 2])
        })
        .collect();
    let mean =
        |from: usize, to: usize| brightness[from..to].iter().sum::<f32>() / (to - from) as f32;
    let window = SAMPLE_WIDTH / 24;
    let step = |x: usize| mean(x, x + window) - mean(x - window, x);
    let from = (NUMBER_END.0 * SAMPLE_WIDTH as f32) as usize + 1;
    let to = (NUMBER_END.1 * SAMPLE_WIDTH as f32) as usize;
    let best = (from.max(window)..to).max_by(|&a, &b| step(a).total_cmp(&step(b)))?;
    // Paper that darkens to one side, or writing below the samples' paper, has steps everywhere.
    let usual = (to + window..SAMPLE_WIDTH - 2 * window)
        .map(|x| step(x).abs())
        .fold(0.0f32, f32::max);
    (step(best) >= SHADE.max(2.0 * usual)).then_some(best as f32 / SAMPLE_WIDTH as f32)
}

fn digits_end(samples: &[Sample]) -> Option<f32> {
    // The paper of a sample takes a sort of all its pixels: once a sample, not once a column.
    let dark: Vec<u8> = samples
        .iter()
        .map(|sample| darker(sample.paper(0, SAMPLE_WIDTH)))
        .collect();
    let inked: Vec<f32> = (0..SAMPLE_WIDTH)
        .map(|x| {
            let rows = samples
                .iter()
                .zip(&dark)
                .filter(|(sample, dark)| sample.column(x).any(|v| v < **dark))
                .count();
            rows as f32 / samples.len() as f32
        })
        .collect();
    let to = (NUMBER_END.1 * SAMPLE_WIDTH as f32) as usize;
    // The ruling's own ink may reach a few columns into the sample.
    let first = (3..to).find(|&x| inked[x] > 0.6)?;
    let last = (first..to).find(|&x| inked[x] < 0.25)?;
    Some((last + 1) as f32 / SAMPLE_WIDTH as f32)
}

/// How alike two samples are, -1 to 1: the best normalised correlation with one of them moved a little. What is the
/// same all along a line of pixels (a ruling, the rest of a filled heading) does not count; 0 where either holds next
/// to nothing.
pub fn likeness(a: &Sample, b: &Sample) -> f32 {
    let (a, b) = (a.levelled(), b.levelled());
    let mut best = 0.0f32;
    for dy in -SHIFT_Y..=SHIFT_Y {
        for dx in -SHIFT_X..=SHIFT_X {
            best = best.max(correlation(&a, &b, dx, dy));
        }
    }
    best
}

/// Deviation in grey levels below which there is paper and noise only.
const PAPER_DEVIATION: f32 = 6.0;
/// How far two samples of the same print may be off in sample pixels.
const SHIFT_X: i32 = 4;
const SHIFT_Y: i32 = 2;

fn correlation(a: &[f32], b: &[f32], dx: i32, dy: i32) -> f32 {
    let (mut ab, mut aa, mut bb, mut n) = (0.0, 0.0, 0.0, 0.0f32);
    let margin = (SAMPLE_WIDTH / 16) as i32;
    for y in BORDER as i32..(SAMPLE_HEIGHT - BORDER) as i32 {
        for x in margin..SAMPLE_WIDTH as i32 - margin {
            let p = a[y as usize * SAMPLE_WIDTH + x as usize];
            let q = b[(y + dy) as usize * SAMPLE_WIDTH + (x + dx) as usize];
            ab += p * q;
            aa += p * p;
            bb += q * q;
            n += 1.0;
        }
    }
    let least = PAPER_DEVIATION * PAPER_DEVIATION * n;
    if aa < least || bb < least {
        0.0
    } else {
        ab / (aa * bb).sqrt()
    }
}
