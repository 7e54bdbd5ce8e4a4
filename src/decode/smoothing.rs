//! Smooths the reader's posteriors: part of each character's mass goes to those it is mistaken for.
//!
//! A network is surer than it is right, and a player writes d4 for d5. Either way one wrong
//! character must not make a move impossible. For class `c` in a frame with probabilities `x`,
//!
//! `p(c) = x(c) + floor + s * (kind * Σ x(k) / n + pair * Σ x(l))`,
//!
//! where `k` runs over the `n` characters of the kind of `c` (files, ranks, capitals), `l` over
//! those that `c` is often confused with, and `s = min(1, 0.15 + 8 * (1 - max x))` is smaller where
//! the reader has no doubt. The sums may exceed 1; the search only compares them.

use crate::reader::Posteriors;

/// Pairs of characters that the readers of the first attempt confused most, in either direction.
const CONFUSED: [(char, char); 22] = [
    ('e', 'c'),
    ('a', 'g'),
    ('h', 'b'),
    ('f', 'd'),
    ('8', '6'),
    ('7', '1'),
    ('a', 'd'),
    ('f', 'e'),
    ('f', 'b'),
    ('g', 'a'),
    ('1', '2'),
    ('4', '6'),
    ('R', 'B'),
    ('R', 'K'),
    ('B', 'K'),
    ('N', 'K'),
    ('R', 'N'),
    ('b', '6'),
    ('5', '3'),
    ('3', '2'),
    ('9', 'g'),
    ('g', '8'),
];

/// Share of the full smoothing in a frame where the reader has no doubt: slips of the pen remain.
const CERTAIN_SHARE: f64 = 0.15;
/// By how much the share grows with the mass beside the likeliest class; it is 1 from 0.11 on.
const DOUBT_SLOPE: f64 = 8.0;

/// How much mass moves, as shares of a character's probability.
#[derive(Debug, Clone, Copy)]
pub(super) struct Smoothing {
    /// Share that goes to other characters of the same kind: files, ranks, capitals.
    pub kind: f64,
    /// Share that goes to each character it is often confused with.
    pub pair: f64,
    /// Probability that any character has at least.
    pub floor: f64,
}

/// Smoothed probabilities of a cell, class after class: `p[class * frames + frame]`. Behind the
/// classes of the alphabet stand two more: any coordinate (a file or a rank), and any letter.
#[derive(Debug)]
pub(super) struct ClassProbs {
    pub frames: usize,
    pub p: Vec<f64>,
}

impl ClassProbs {
    /// The probabilities of a class, frame by frame.
    pub(super) fn class(&self, class: usize) -> &[f64] {
        &self.p[class * self.frames..(class + 1) * self.frames]
    }
}

/// Which classes of an alphabet are mistaken for each other.
#[derive(Debug)]
pub(super) struct Confusions {
    /// Files, ranks and capitals.
    kinds: [Vec<usize>; 3],
    pairs: Vec<(usize, usize)>,
    coordinates: Vec<usize>,
    letters: Vec<usize>,
    /// Number of classes of the alphabet, the blank included.
    classes: usize,
}

impl Confusions {
    /// The confusions of an alphabet whose first character is class 1.
    pub(super) fn new(alphabet: &[char]) -> Self {
        let classes_of = |range: std::ops::RangeInclusive<char>| -> Vec<usize> {
            (0..alphabet.len())
                .filter(|&i| range.contains(&alphabet[i]))
                .map(|i| i + 1)
                .collect()
        };
        let class = |c: char| alphabet.iter().position(|&a| a == c).map(|i| i + 1);
        let pairs = CONFUSED
            .iter()
            .filter_map(|&(a, b)| Some((class(a)?, class(b)?)))
            .collect();
        let (files, ranks) = (classes_of('a'..='h'), classes_of('1'..='8'));
        let coordinates = [files.clone(), ranks.clone()].concat();
        let letters = (0..alphabet.len())
            .filter(|&i| alphabet[i].is_alphabetic())
            .map(|i| i + 1)
            .collect();
        Self {
            kinds: [files, ranks, classes_of('A'..='Z')],
            pairs,
            coordinates,
            letters,
            classes: alphabet.len() + 1,
        }
    }

    /// The smoothed probabilities of a cell; none where the posteriors are not of this alphabet or
    /// have no frame.
    pub(super) fn smooth(
        &self,
        posteriors: &Posteriors,
        smoothing: Smoothing,
    ) -> Option<ClassProbs> {
        let (frames, classes) = (posteriors.frames, self.classes);
        if frames == 0 || posteriors.classes != classes || posteriors.log.len() < frames * classes {
            return None;
        }
        let mut p = vec![0.0; frames * (classes + 2)];
        let mut row = vec![0.0; classes];
        let rows = posteriors.log.chunks_exact(classes).take(frames);
        for (t, log) in rows.enumerate() {
            normalize(log, &mut row);
            let max = row.iter().copied().fold(0.0, f64::max);
            let scale = (CERTAIN_SHARE + DOUBT_SLOPE * (1.0 - max)).min(1.0);
            for (class, &x) in row.iter().enumerate() {
                p[class * frames + t] = x + smoothing.floor;
            }
            for &(a, b) in &self.pairs {
                p[a * frames + t] += scale * smoothing.pair * row[b];
                p[b * frames + t] += scale * smoothing.pair * row[a];
            }
            for kind in &self.kinds {
                let mass: f64 = kind.iter().map(|&c| row[c]).sum();
                let share = scale * smoothing.kind * mass / kind.len().max(1) as f64;
                for &c in kind {
                    p[c * frames + t] += share;
                }
            }
            let wildcards = [(classes, &self.coordinates), (classes + 1, &self.letters)];
            for (class, members) in wildcards {
                p[class * frames + t] =
                    members.iter().map(|&c| row[c]).sum::<f64>() + smoothing.floor;
            }
        }
        Some(ClassProbs { frames, p })
    }
}

/// Turns the log-probabilities of a frame into probabilities that sum to 1; what is not finite
/// counts as 0.
fn normalize(log: &[f32], row: &mut [f64]) {
    // Most classes share the smallest log-probability that is kept, so that the exponential of the
    // class before is nearly always the one needed.
    let mut last = (0.0, 1.0);
    for (to, &lp) in row.iter_mut().zip(log) {
        if lp != last.0 {
            let p = f64::from(lp.min(0.0)).exp();
            last = (lp, if lp.is_finite() { p } else { 0.0 });
        }
        *to = last.1;
    }
    let total: f64 = row.iter().sum();
    if total > 0.0 {
        row.iter_mut().for_each(|x| *x /= total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Smoothing = Smoothing {
        kind: 0.0,
        pair: 0.0,
        floor: 0.0,
    };

    /// One frame over blank, a, b, 4.
    fn smooth(p: [f32; 4], smoothing: Smoothing) -> Vec<f64> {
        let posteriors = Posteriors {
            frames: 1,
            classes: 4,
            log: p.map(f32::ln).to_vec(),
        };
        let confusions = Confusions::new(&['a', 'b', '4']);
        confusions.smooth(&posteriors, smoothing).unwrap().p
    }

    fn assert_near(p: &[f64], expected: [f64; 6]) {
        for (p, expected) in p.iter().zip(expected) {
            assert!((p - expected).abs() < 1e-6, "{p} is not {expected}");
        }
    }

    #[test]
    fn without_smoothing_wildcards_are_sums_of_their_members() {
        let p = smooth([0.5, 0.25, 0.125, 0.125], NONE);
        // The last two are any coordinate (a, b, 4) and any letter (a, b).
        assert_near(&p, [0.5, 0.25, 0.125, 0.125, 0.5, 0.375]);
    }

    #[test]
    fn a_doubtful_frame_shares_mass_within_a_kind_and_a_certain_one_less() {
        let kind = Smoothing { kind: 0.1, ..NONE };
        // The likeliest class has 0.5, so the scale is full; a and b have 0.375 to share.
        let p = smooth([0.5, 0.25, 0.125, 0.125], kind);
        let share = 0.1 * 0.375 / 2.0;
        assert!((p[1] - (0.25 + share)).abs() < 1e-6 && (p[2] - (0.125 + share)).abs() < 1e-6);
        let p = smooth([0.0, 1.0, 0.0, 0.0], kind);
        assert!((p[2] - 0.15 * 0.1 / 2.0).abs() < 1e-6);
    }

    #[test]
    fn posteriors_of_another_alphabet_give_nothing() {
        let posteriors = Posteriors {
            frames: 1,
            classes: 3,
            log: vec![0.0; 3],
        };
        let confusions = Confusions::new(&['a', 'b', '4']);
        assert!(confusions.smooth(&posteriors, NONE).is_none());
    }
}
