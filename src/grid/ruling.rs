//! Long thin dark lines traced as polylines, tolerant of gaps, bends and ink that crosses them.
//!
//! Everything here is written for lines that run "along" one axis and are found "across" the other, so that the same
//! code traces horizontal rulings (on the transposed picture) and vertical ones.

use image::GrayImage;

/// Width of a strip in pixels: long enough that a printed line stands out of paper noise and handwriting, short
/// enough that a bent line is straight in it.
pub const STRIP: usize = 16;
/// Half the width in pixels within which a line has to be darker than the paper on both of its sides. Rulings are one
/// to five pixels wide at working size.
const HALF_WIDTH: usize = 4;
/// Steepest slope (pixels across per pixel along) that is followed, and the step between the slopes tried. 0.06 moves
/// a line half a pixel at the end of a strip.
const STEEPEST: f32 = 0.30;
const SLOPE_STEP: f32 = 0.06;
/// Darkness is clipped here, so that a pen stroke weighs little more than a ruling.
const CLIP: i16 = 32;
/// Mean darkness (grey levels below both neighbours) below which nothing is a line.
const FAINTEST: f32 = 2.0;
/// A line must be this many times darker than the usual response of its strip.
const ABOVE_NOISE: f32 = 2.5;
/// Strips a line may be invisible for while it is followed: four strips are a word of dense handwriting.
const LONGEST_GAP: usize = 4;
/// Strips a line must be seen in.
const SHORTEST: usize = 5;

/// Neighbours on either side that say where a point of a line should be: over 30 strips even a curled page's lines
/// stray less than two pixels from straight.
const NEIGHBOURS: usize = 15;
/// Points between every two of which a line is tried, and pixels within which another point agrees with it.
const ANCHORS: usize = 8;
const AGREE: f32 = 2.0;
/// Pixels a point may lie off its neighbours' line.
const OFF_LINE: f32 = 3.0;
/// Strips two pieces of one line may have in common.
const OVERLAP: usize = 6;

/// A place in a strip where a line crosses it.
#[derive(Clone, Copy)]
struct Peak {
    across: f32,
    slope: f32,
    strength: f32,
}

/// A traced line.
#[derive(Debug, Clone)]
pub struct Ruling {
    /// Strip and position across the line's direction, in pixels; strips ascend, some may be missing.
    pub points: Vec<(usize, f32)>,
    /// Mean darkness against the paper beside it, in grey levels.
    pub strength: f32,
}

impl Ruling {
    /// First strip in which the line was seen.
    pub fn first(&self) -> usize {
        self.points[0].0
    }

    /// Last strip in which the line was seen.
    pub fn last(&self) -> usize {
        self.points[self.points.len() - 1].0
    }

    /// How much speaks for the line: its strength at all the points at which it was seen.
    pub fn weight(&self) -> f32 {
        self.strength * self.points.len() as f32
    }

    /// Pixels across per pixel along, from the first to the last point.
    pub fn slope(&self) -> f64 {
        let (p, q) = (self.points[0], self.points[self.points.len() - 1]);
        f64::from(q.1 - p.1) / ((q.0 - p.0).max(1) * STRIP) as f64
    }

    /// Position across at a strip between [`Ruling::first`] and [`Ruling::last`], interpolated over gaps.
    pub fn at_strip(&self, strip: usize) -> Option<f32> {
        let i = self.points.partition_point(|p| p.0 < strip);
        let right = self.points.get(i)?;
        if right.0 == strip {
            return Some(right.1);
        }
        let left = self.points.get(i.checked_sub(1)?)?;
        let t = (strip - left.0) as f32 / (right.0 - left.0) as f32;
        Some(left.1 + t * (right.1 - left.1))
    }

    /// Position across at a pixel along, extended straight on beyond the ends.
    pub fn at(&self, along: f32) -> f32 {
        let s = (along - centre(0)) / STRIP as f32;
        let n = self.points.len();
        let i = self.points.partition_point(|p| (p.0 as f32) < s);
        let (a, b) = if i == 0 {
            (0, END_FIT.min(n - 1))
        } else if i == n {
            (n.saturating_sub(1 + END_FIT), n - 1)
        } else {
            (i - 1, i)
        };
        let (p, q) = (self.points[a], self.points[b]);
        if q.0 == p.0 {
            return p.1;
        }
        let slope = (q.1 - p.1) / (q.0 - p.0) as f32;
        let from = if i == 0 { p } else { q };
        from.1 + slope * (s - from.0 as f32)
    }
}

/// Points at the end of a line from which it is extended straight on.
const END_FIT: usize = 10;

/// Pixel along at the centre of a strip.
pub fn centre(strip: usize) -> f32 {
    (strip * STRIP) as f32 + (STRIP as f32 - 1.0) / 2.0
}

/// Traces the lines that run down a picture's columns (near vertical); longest strips first in no particular order.
///
/// Position along is the picture's y, across its x.
pub fn trace(picture: &GrayImage) -> Vec<Ruling> {
    let strips = picture.height() as usize / STRIP;
    let peaks: Vec<Vec<Peak>> = (0..strips).map(|s| strip_peaks(picture, s)).collect();
    let mut lines = follow(&peaks);
    lines.retain_mut(|l| {
        straighten(&mut l.points);
        l.points.len() >= 3
    });
    let mut lines = join(lines, strips);
    lines.retain(|l| {
        let span = l.last() - l.first() + 1;
        l.points.len() >= SHORTEST && 2 * l.points.len() >= span
    });
    lines
}

fn strip_peaks(picture: &GrayImage, strip: usize) -> Vec<Peak> {
    let n = picture.width() as usize;
    if n < 4 * HALF_WIDTH {
        return Vec::new();
    }
    let raw = picture.as_raw();
    let shift_most = (STEEPEST * STRIP as f32 / 2.0).ceil() as usize;
    let padded = n + 2 * shift_most;
    let mut dark = vec![0i16; STRIP * padded];
    for (row, out) in dark.chunks_exact_mut(padded).enumerate() {
        let line = &raw[(strip * STRIP + row) * n..][..n];
        let out = &mut out[shift_most..shift_most + n];
        for i in HALF_WIDTH..n - HALF_WIDTH {
            let beside = i16::from(line[i - HALF_WIDTH]).min(i16::from(line[i + HALF_WIDTH]));
            out[i] = (beside - i16::from(line[i])).clamp(-4, CLIP);
        }
        // Lines at the very edge of the picture have paper on one side only.
        for i in 1..HALF_WIDTH {
            out[i] = (i16::from(line[i + HALF_WIDTH]) - i16::from(line[i])).clamp(-4, CLIP);
            let j = n - 1 - i;
            out[j] = (i16::from(line[j - HALF_WIDTH]) - i16::from(line[j])).clamp(-4, CLIP);
        }
    }
    let mut best = vec![i16::MIN; n];
    let mut slope_of = vec![0f32; n];
    let mut sum = vec![0i16; n];
    let steps = (STEEPEST / SLOPE_STEP).round() as i32;
    for step in -steps..=steps {
        let slope = step as f32 * SLOPE_STEP;
        sum.fill(0);
        for (row, line) in dark.chunks_exact(padded).enumerate() {
            let shift = (slope * (row as f32 - (STRIP as f32 - 1.0) / 2.0)).round() as isize;
            let from = (shift_most as isize + shift) as usize;
            for (s, d) in sum.iter_mut().zip(&line[from..from + n]) {
                *s += d;
            }
        }
        for i in 0..n {
            if sum[i] > best[i] {
                best[i] = sum[i];
                slope_of[i] = slope;
            }
        }
    }
    let mut sorted = best.clone();
    let (_, median, _) = sorted.select_nth_unstable(n / 2);
    let usual = f32::from(*median) / STRIP as f32;
    let least = FAINTEST.max(usual * ABOVE_NOISE);
    let mut peaks = Vec::new();
    for i in 1..n - 1 {
        let from = i.saturating_sub(HALF_WIDTH);
        let to = (i + HALF_WIDTH).min(n - 1);
        let strength = f32::from(best[i]) / STRIP as f32;
        if strength < least
            || best[from..i].iter().any(|&v| v >= best[i])
            || best[i + 1..=to].iter().any(|&v| v > best[i])
        {
            continue;
        }
        let (l, c, r) = (
            f32::from(best[i - 1]),
            f32::from(best[i]),
            f32::from(best[i + 1]),
        );
        let bend = l - 2.0 * c + r;
        let offset = if bend < -1.0 {
            (0.5 * (l - r) / bend).clamp(-0.5, 0.5)
        } else {
            0.0
        };
        peaks.push(Peak {
            across: i as f32 + offset,
            slope: slope_of[i],
            strength,
        });
    }
    peaks
}

struct Track {
    points: Vec<(usize, f32)>,
    slope: f32,
    strength: f32,
}

/// Links the peaks of neighbouring strips into tracks.
fn follow(peaks: &[Vec<Peak>]) -> Vec<Ruling> {
    let mut live: Vec<Track> = Vec::new();
    let mut done: Vec<Track> = Vec::new();
    for (strip, here) in peaks.iter().enumerate() {
        let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
        for (t, track) in live.iter().enumerate() {
            let (last, across) = track.points[track.points.len() - 1];
            let ahead = (strip - last) as f32;
            let predicted = across + track.slope * ahead * STRIP as f32;
            let tolerance = 2.5 + ahead;
            let from = here.partition_point(|p| p.across < predicted - tolerance);
            for (i, p) in here.iter().enumerate().skip(from) {
                let off = (p.across - predicted).abs();
                if p.across > predicted + tolerance {
                    break;
                }
                let turn = (p.slope - track.slope).abs();
                if turn <= 0.2 {
                    pairs.push((off + 15.0 * turn - 0.05 * p.strength + 0.5 * ahead, t, i));
                }
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut taken = vec![false; here.len()];
        let mut fed = vec![false; live.len()];
        for (_, t, i) in pairs {
            if taken[i] || fed[t] {
                continue;
            }
            taken[i] = true;
            fed[t] = true;
            let track = &mut live[t];
            let (last, across) = track.points[track.points.len() - 1];
            let seen = (here[i].across - across) / ((strip - last) * STRIP) as f32;
            track.slope = (0.7 * track.slope + 0.3 * seen).clamp(-STEEPEST, STEEPEST);
            track.strength += here[i].strength;
            track.points.push((strip, here[i].across));
        }
        let mut still = Vec::with_capacity(live.len());
        for track in live {
            if strip - track.points[track.points.len() - 1].0 <= LONGEST_GAP {
                still.push(track);
            } else {
                done.push(track);
            }
        }
        live = still;
        for (i, p) in here.iter().enumerate() {
            if !taken[i] {
                live.push(Track {
                    points: vec![(strip, p.across)],
                    slope: p.slope,
                    strength: p.strength,
                });
            }
        }
    }
    done.extend(live);
    done.into_iter()
        .map(|t| Ruling {
            strength: t.strength / t.points.len() as f32,
            points: t.points,
        })
        .collect()
}

/// Takes out points that lie off the straight line through their neighbours: where a line meets a pen stroke or a
/// printed digit, its end may have run along that.
fn straighten(points: &mut Vec<(usize, f32)>) {
    if points.len() < SHORTEST {
        return;
    }
    let old = points.clone();
    let mut index = 0usize;
    points.retain(|&(strip, across)| {
        // At the ends all neighbours lie on one side, but they are as many: a stray end is no majority.
        let from = index
            .saturating_sub(NEIGHBOURS)
            .min(old.len().saturating_sub(2 * NEIGHBOURS + 1));
        index += 1;
        let near = &old[from..(from + 2 * NEIGHBOURS + 1).min(old.len())];
        (across - most_agreed(near, strip)).abs() <= OFF_LINE
    });
}

/// Where the straight line that most points agree on passes a strip.
fn most_agreed(points: &[(usize, f32)], strip: usize) -> f32 {
    let step = (points.len() / ANCHORS).max(1);
    let mut best = (0, points[0].1);
    for i in (0..points.len()).step_by(step) {
        for j in (i + step..points.len()).step_by(step) {
            let (p, q) = (points[i], points[j]);
            let slope = (q.1 - p.1) / (q.0 - p.0) as f32;
            let at = |s: usize| p.1 + slope * (s as f32 - p.0 as f32);
            let agree = points
                .iter()
                .filter(|o| (o.1 - at(o.0)).abs() <= AGREE)
                .count();
            if agree > best.0 {
                best = (agree, at(strip));
            }
        }
    }
    best.1
}

/// Joins pieces that continue each other over a gap of up to a sixth of the picture.
fn join(mut lines: Vec<Ruling>, strips: usize) -> Vec<Ruling> {
    let reach = (strips / 6).max(6);
    let mut pairs: Vec<(usize, f32, usize, usize)> = Vec::new();
    for (i, a) in lines.iter().enumerate() {
        for (j, b) in lines.iter().enumerate() {
            let overlap = a.last().saturating_sub(b.first());
            if i == j || overlap > OVERLAP || b.first() <= a.first() || b.last() <= a.last() {
                continue;
            }
            let gap = b.first().saturating_sub(a.last());
            if gap > reach {
                continue;
            }
            if a.points.len().min(b.points.len()) * 2 < gap {
                continue;
            }
            let middle = (centre(a.last()) + centre(b.first())) / 2.0;
            let off = (a.at(middle) - b.at(middle)).abs();
            if off <= 2.5 + 0.1 * gap as f32 {
                pairs.push((gap, off, i, j));
            }
        }
    }
    pairs.sort_by(|a, b| {
        a.0.cmp(&b.0)
            .then(a.1.total_cmp(&b.1))
            .then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    let mut next: Vec<Option<usize>> = vec![None; lines.len()];
    let mut has_previous = vec![false; lines.len()];
    for (_, _, i, j) in pairs {
        if next[i].is_none() && !has_previous[j] {
            next[i] = Some(j);
            has_previous[j] = true;
        }
    }
    let mut joined = Vec::new();
    for i in 0..lines.len() {
        if has_previous[i] {
            continue;
        }
        let mut line = std::mem::replace(
            &mut lines[i],
            Ruling {
                points: Vec::new(),
                strength: 0.0,
            },
        );
        let mut strength = line.strength * line.points.len() as f32;
        let mut at = i;
        while let Some(j) = next[at] {
            strength += lines[j].strength * lines[j].points.len() as f32;
            let end = line.last();
            line.points
                .extend(lines[j].points.drain(..).filter(|p| p.0 > end));
            at = j;
        }
        line.strength = strength / line.points.len() as f32;
        joined.push(line);
    }
    joined
}
