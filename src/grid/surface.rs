//! A smooth family of curves through measured points, some of them missing or wrong.

use super::equations::{add, eliminate};
use crate::robust::median;

/// Rounds of fitting in which points far off are left out.
const ROUNDS: usize = 4;
/// Rounds in which the differences to the smooth model spread into places that were not seen.
const SPREAD: usize = 40;
/// Powers of (curve, along) in the model: perspective and a gentle curl, no more.
const POWERS: [(i32, i32); 9] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (0, 1),
    (1, 1),
    (2, 1),
    (0, 2),
    (1, 2),
];

/// Curves side by side, given at evenly spaced places along.
#[derive(Debug, Clone)]
pub struct Surface {
    model: [f64; POWERS.len()],
    /// Where each curve stands among the others, ascending, in steps of a row's height or near
    /// that.
    stands: Vec<f64>,
    places: (usize, usize),
    origin: f32,
    step: f32,
    /// What is left of the measurements beside the model, smoothed, per curve and place.
    rest: Vec<Vec<f32>>,
}

impl Surface {
    /// Fits the measured values (per curve, per place); values that do not belong are removed from
    /// `samples`. `stands` tells where each curve stands, `grid` the pixel of place 0 and the
    /// pixels between places. None where there is too little to fit.
    pub fn fit(
        samples: &mut [Vec<Option<f32>>],
        stands: Vec<f64>,
        places: (usize, usize),
        grid: (f32, f32),
    ) -> Option<Self> {
        let mut surface = Self {
            model: [0.0; POWERS.len()],
            stands,
            places,
            origin: grid.0,
            step: grid.1,
            rest: vec![vec![0.0; places.1 - places.0 + 1]; samples.len()],
        };
        let mut limit = f64::INFINITY;
        for _ in 0..ROUNDS {
            surface.model = surface.solve(samples, limit)?;
            let mut off: Vec<f64> = Vec::new();
            for (k, row) in samples.iter().enumerate() {
                for (s, v) in row.iter().enumerate() {
                    if let Some(v) = v {
                        off.push(
                            (f64::from(*v) - surface.modelled(surface.stands[k], s as f64)).abs(),
                        );
                    }
                }
            }
            limit = median(off, f64::total_cmp).map_or(1.5, |off| (4.0 * off).max(1.5));
        }
        surface.reject(samples);
        surface.fill(samples);
        Some(surface)
    }

    /// Value of a curve at a place.
    pub fn value(&self, curve: usize, place: usize) -> f32 {
        let rest = self.rest[curve][place.clamp(self.places.0, self.places.1) - self.places.0];
        self.modelled(self.stands[curve], place as f64) as f32 + rest
    }

    /// Value at a pixel along of a curve given by number, where curves stand at whole numbers from
    /// 0; fractions lie between curves.
    pub fn at(&self, curve: f32, along: f32) -> f32 {
        let place = (along - self.origin) / self.step;
        let curves = self.stands.len();
        let k = curve.clamp(0.0, (curves - 1) as f32);
        let s = place.clamp(self.places.0 as f32, self.places.1 as f32) - self.places.0 as f32;
        let (k0, s0) = (k as usize, s as usize);
        let (k1, s1) = (
            (k0 + 1).min(curves - 1),
            (s0 + 1).min(self.places.1 - self.places.0),
        );
        let (fk, fs) = (k - k0 as f32, s - s0 as f32);
        let rest = (self.rest[k0][s0] * (1.0 - fs) + self.rest[k0][s1] * fs) * (1.0 - fk)
            + (self.rest[k1][s0] * (1.0 - fs) + self.rest[k1][s1] * fs) * fk;
        self.modelled(f64::from(curve), f64::from(place)) as f32 + rest
    }

    /// The model outside the measured range goes on straight from its border: a cubic runs away.
    fn modelled(&self, curve: f64, place: f64) -> f64 {
        let (low, high) = (self.places.0 as f64, self.places.1 as f64);
        let (k, s) = (
            curve.clamp(self.stands[0], self.stands[self.stands.len() - 1]),
            place.clamp(low, high),
        );
        let value = self.evaluate(k, s);
        let mut out = value;
        if k != curve {
            let inner = if curve < k { k + 1.0 } else { k - 1.0 };
            out += (value - self.evaluate(inner, s)) * (curve - k).abs();
        }
        if s != place {
            let inner = if place < s { s + 1.0 } else { s - 1.0 };
            out += (value - self.evaluate(k, inner)) * (place - s).abs();
        }
        out
    }

    fn evaluate(&self, curve: f64, place: f64) -> f64 {
        let row = self.terms(curve, place);
        row.iter().zip(&self.model).map(|(a, b)| a * b).sum()
    }

    fn terms(&self, curve: f64, place: f64) -> [f64; POWERS.len()] {
        let (first, last) = (self.stands[0], self.stands[self.stands.len() - 1]);
        let u = 2.0 * (curve - first) / (last - first).max(1.0) - 1.0;
        let span = (self.places.1 - self.places.0) as f64;
        let v = 2.0 * (place - self.places.0 as f64) / span.max(1.0) - 1.0;
        POWERS.map(|(a, b)| u.powi(a) * v.powi(b))
    }

    fn solve(&self, samples: &[Vec<Option<f32>>], limit: f64) -> Option<[f64; POWERS.len()]> {
        const N: usize = POWERS.len();
        let mut normal = [[0.0; N + 1]; N];
        let mut used = 0;
        for (k, row) in samples.iter().enumerate() {
            for (s, v) in row.iter().enumerate() {
                let Some(v) = v.map(f64::from) else { continue };
                if limit.is_finite() && (v - self.modelled(self.stands[k], s as f64)).abs() > limit
                {
                    continue;
                }
                used += 1;
                add(&mut normal, self.terms(self.stands[k], s as f64), v, 1.0);
            }
        }
        if used < 4 * N {
            return None;
        }
        // A little damping keeps a term that no sample tells about at zero.
        for (i, row) in normal.iter_mut().enumerate() {
            row[i] += 1e-6 * used as f64;
        }
        Some(eliminate(normal))
    }

    /// Removes values that differ from the model quite otherwise than their neighbours do.
    fn reject(&self, samples: &mut [Vec<Option<f32>>]) {
        let rest = |k: usize, s: usize, v: f32| v - self.modelled(self.stands[k], s as f64) as f32;
        let old = samples.to_vec();
        for k in 0..old.len() {
            for s in self.places.0..=self.places.1 {
                let Some(v) = old[k][s] else { continue };
                let (from, to) = (
                    s.saturating_sub(3).max(self.places.0),
                    (s + 3).min(self.places.1),
                );
                let mut near: Vec<f32> = Vec::new();
                for (kk, row) in old.iter().enumerate().take(k + 3).skip(k.saturating_sub(2)) {
                    let seen = row.iter().enumerate().take(to + 1).skip(from);
                    near.extend(seen.filter_map(|(ss, v)| v.map(|v| rest(kk, ss, v))));
                }
                let usual = median(near, f32::total_cmp).unwrap_or(0.0);
                let pitch = (self.modelled(self.stands[k] + 0.5, s as f64)
                    - self.modelled(self.stands[k] - 0.5, s as f64))
                    as f32;
                if (rest(k, s, v) - usual).abs() > (0.12 * pitch).max(2.0) {
                    samples[k][s] = None;
                }
            }
        }
    }

    fn fill(&mut self, samples: &[Vec<Option<f32>>]) {
        let width = self.places.1 - self.places.0 + 1;
        let known: Vec<Vec<Option<f32>>> = samples
            .iter()
            .enumerate()
            .map(|(k, row)| {
                (0..width)
                    .map(|s| {
                        let place = s + self.places.0;
                        row[place].map(|v| v - self.modelled(self.stands[k], place as f64) as f32)
                    })
                    .collect()
            })
            .collect();
        for _ in 0..SPREAD {
            let old = self.rest.clone();
            for k in 0..self.stands.len() {
                for s in 0..width {
                    // Neighbours on the same curve tell more than those on the next.
                    let mut sum = 0.0;
                    let mut weight = 0.0;
                    let mut add = |v: f32, w: f32| {
                        sum += v * w;
                        weight += w;
                    };
                    if s > 0 {
                        add(old[k][s - 1], 2.0);
                    }
                    if s + 1 < width {
                        add(old[k][s + 1], 2.0);
                    }
                    if k > 0 {
                        add(old[k - 1][s], 1.0);
                    }
                    if k + 1 < self.stands.len() {
                        add(old[k + 1][s], 1.0);
                    }
                    if let Some(v) = known[k][s] {
                        add(v, 12.0);
                    }
                    self.rest[k][s] = if weight > 0.0 { sum / weight } else { 0.0 };
                }
            }
        }
    }
}
