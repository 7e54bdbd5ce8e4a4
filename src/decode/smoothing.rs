//! Posteriors made humble: some of each character's mass goes to those it is mistaken for.
//!
//! A network is surer than it is right, and a player writes d4 for d5; either way one wrong character must not make a
//! move impossible.

use crate::reader::Posteriors;

/// Pairs that the readers of the first attempt confused most, both ways.
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

/// Share of the full smoothing where the reader has no doubt: slips of the pen remain.
const SURE: f64 = 0.15;
/// By how much the share grows with the mass beside the likeliest character; full from a tenth on.
const DOUBTFUL: f64 = 8.0;

/// How much mass moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Smoothing {
    /// Share that goes to other characters of the same kind: files, ranks, capitals.
    pub kind: f64,
    /// Share that goes to each character it is often confused with.
    pub pair: f64,
    /// Probability that any character has at least.
    pub floor: f64,
}

/// Probabilities of a cell, class after class: `p[class * frames + frame]`. Beyond the alphabet
/// stand two more classes: any file or rank, and any letter.
#[derive(Debug)]
pub(super) struct Columns {
    pub frames: usize,
    pub p: Vec<f64>,
}

impl Columns {
    pub(super) fn class(&self, class: usize) -> &[f64] {
        &self.p[class * self.frames..(class + 1) * self.frames]
    }
}

/// The kinds of characters within which mass moves, and the pairs, for one alphabet.
#[derive(Debug)]
pub(super) struct Confusions {
    kinds: [Vec<usize>; 3],
    pairs: Vec<(usize, usize)>,
    places: Vec<usize>,
    letters: Vec<usize>,
    classes: usize,
}

impl Confusions {
    pub(super) fn new(alphabet: &[char]) -> Self {
        let of = |range: std::ops::RangeInclusive<char>| -> Vec<usize> {
            (0..alphabet.len())
                .filter(|&i| range.contains(&alphabet[i]))
                .map(|i| i + 1)
                .collect()
        };
        let find = |c: char| alphabet.iter().position(|&a| a == c).map(|i| i + 1);
        let pairs = CONFUSED
            .iter()
            .filter_map(|&(a, b)| Some((find(a)?, find(b)?)))
            .collect();
        let (files, ranks) = (of('a'..='h'), of('1'..='8'));
        let places = [files.clone(), ranks.clone()].concat();
        let letters = (0..alphabet.len())
            .filter(|&i| alphabet[i].is_alphabetic())
            .map(|i| i + 1)
            .collect();
        Self {
            kinds: [files, ranks, of('A'..='Z')],
            pairs,
            places,
            letters,
            classes: alphabet.len() + 1,
        }
    }

    /// Smoothed probabilities of a cell; none where the posteriors are not of this alphabet or have no frame.
    pub(super) fn apply(&self, posteriors: &Posteriors, smoothing: Smoothing) -> Option<Columns> {
        let (frames, classes) = (posteriors.frames, self.classes);
        if frames == 0 || posteriors.classes != classes || posteriors.log.len() < frames * classes {
            return None;
        }
        let mut p = vec![0.0; frames * (classes + 2)];
        let mut row = vec![0.0; classes];
        for (t, log) in posteriors
            .log
            .chunks_exact(classes)
            .take(frames)
            .enumerate()
        {
            // Most classes are as unlikely as can be told: the same number over and over.
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
            let surest = row.iter().copied().fold(0.0, f64::max);
            let scale = (SURE + DOUBTFUL * (1.0 - surest)).min(1.0);
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
            for (class, members) in [(classes, &self.places), (classes + 1, &self.letters)] {
                p[class * frames + t] =
                    members.iter().map(|&c| row[c]).sum::<f64>() + smoothing.floor;
            }
        }
        Some(Columns { frames, p })
    }
}
