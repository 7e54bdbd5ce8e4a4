//! Pieces of ink, and the words that they may be.

use image::{GrayImage, Luma};
use imageproc::region_labelling::{Connectivity, connected_components};

/// Pixels at 32 a row. A piece is at least so large, or it is grain or the dot of a dotted line.
const LEAST: u32 = 5;
/// And at most so wide and so high, or it is a picture.
const MOST: (u32, u32) = (300, 84);
/// An upright of at most this width and at least this height, and this share of its box full, may be a box's side.
const BAR: (u32, u32) = (6, 12);
const FULL: f32 = 0.8;
/// Most pieces that are looked at.
const MOST_PIECES: usize = 1500;
/// Gaps that do not part a word, as shares of the height of the letters beside them.
const GAPS: [f64; 3] = [0.22, 0.45, 0.85];
/// Heights of letters between which these shares are taken.
const LETTER: (f64, f64) = (10.0, 36.0);
/// Share of the lower piece's height that two pieces of a line have in common.
const BESIDE: f64 = 0.35;
/// A dot or an accent is at most so large, as a share of its letter's height and in pixels, and stands so close to it.
const DOT: (f64, u32, f64) = (0.45, 10, 0.5);
/// A word is at least so wide and so high.
const LEAST_WORD: (u32, u32) = (4, 7);

/// Letters that say how a word lies, at least; and the slopes at which it is laid level.
const LETTERS: usize = 4;
const LEVEL: f64 = 0.03;
const STEEPEST: f64 = 0.2;

/// A box of pixels, its edges inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
}

impl Bounds {
    fn width(&self) -> u32 {
        self.right - self.left + 1
    }

    fn height(&self) -> u32 {
        self.bottom - self.top + 1
    }

    fn joined(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// A piece of ink.
#[derive(Debug, Clone, Copy)]
struct Piece {
    bounds: Bounds,
    /// A straight upright that may be the side of a box: it joins nothing by itself.
    bar: bool,
}

/// A word and how it lies.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    pub bounds: Bounds,
    /// Pixels by which it falls in one to the right.
    pub slope: f64,
    /// Upper and lower edge at its middle when it is laid level.
    pub level: (f64, f64),
}

/// The words in a picture of ink, in every parting, each once.
pub fn words(ink: &GrayImage) -> Vec<Line> {
    let pieces = pieces(ink);
    let mut words: Vec<Line> = Vec::new();
    for gap in GAPS {
        for members in joined(&pieces, gap) {
            let word = Line::of(&members);
            let bounds = word.bounds;
            let large = bounds.width() >= LEAST_WORD.0 && bounds.height() >= LEAST_WORD.1;
            let known = words.iter().any(|other| other.bounds == bounds);
            if large && bounds.height() <= MOST.1 && !known {
                words.push(word);
            }
        }
    }
    words
}

impl Line {
    /// The line of pieces of one word, of which there is at least one.
    fn of(pieces: &[Bounds]) -> Self {
        let bounds = pieces[1..].iter().fold(pieces[0], |b, &p| b.joined(p));
        let slope = slope(pieces, &bounds);
        let middle = f64::from(bounds.left + bounds.right) / 2.0;
        let off = |p: &Bounds| slope * (f64::from(p.left + p.right) / 2.0 - middle);
        let tops = pieces.iter().map(|p| f64::from(p.top) - off(p));
        let bottoms = pieces.iter().map(|p| f64::from(p.bottom) + 1.0 - off(p));
        let level = (
            tops.fold(f64::INFINITY, f64::min),
            bottoms.fold(f64::NEG_INFINITY, f64::max),
        );
        Self {
            bounds,
            slope,
            level,
        }
    }
}

/// How the feet of letters fall to the right: the median over pairs that stand far apart (Theil and Sen). Words of few
/// letters, and those that lie level, have none.
fn slope(pieces: &[Bounds], word: &Bounds) -> f64 {
    let tallest = pieces.iter().map(Bounds::height).max().unwrap_or(0);
    let letters = pieces.iter().filter(|p| 2 * p.height() >= tallest);
    let feet: Vec<(f64, f64)> = letters
        .map(|p| (f64::from(p.left + p.right) / 2.0, f64::from(p.bottom)))
        .collect();
    if feet.len() < LETTERS {
        return 0.0;
    }
    let apart = f64::from(word.width()) * 0.4;
    let mut slopes = Vec::new();
    for (i, a) in feet.iter().enumerate() {
        for b in &feet[i + 1..] {
            if (b.0 - a.0).abs() >= apart {
                slopes.push((b.1 - a.1) / (b.0 - a.0));
            }
        }
    }
    slopes.sort_by(f64::total_cmp);
    let slope = slopes.get(slopes.len() / 2).copied().unwrap_or(0.0);
    if (LEVEL..=STEEPEST).contains(&slope.abs()) {
        slope
    } else {
        0.0
    }
}

fn pieces(ink: &GrayImage) -> Vec<Piece> {
    let labels = connected_components(ink, Connectivity::Eight, Luma([0]));
    let mut found: Vec<Option<(Bounds, u32)>> = Vec::new();
    for (x, y, label) in labels.enumerate_pixels() {
        let label = label.0[0] as usize;
        if label == 0 {
            continue;
        }
        if found.len() <= label {
            found.resize(label + 1, None);
        }
        let here = Bounds {
            left: x,
            top: y,
            right: x,
            bottom: y,
        };
        found[label] = Some(found[label].map_or((here, 1), |(b, n)| (b.joined(here), n + 1)));
    }
    let fits = |(b, area): (Bounds, u32)| {
        let (w, h) = (b.width(), b.height());
        let large = w.max(h) >= LEAST && w <= MOST.0 && h <= MOST.1;
        let thin = w <= BAR.0 && h >= BAR.1.max(3 * w);
        let bar = thin && area as f32 >= FULL * (w * h) as f32;
        large.then_some(Piece { bounds: b, bar })
    };
    let mut pieces: Vec<Piece> = found.into_iter().flatten().filter_map(fits).collect();
    if pieces.len() > MOST_PIECES {
        pieces.sort_by_key(|p| std::cmp::Reverse(p.bounds.width() * p.bounds.height()));
        pieces.truncate(MOST_PIECES);
    }
    pieces.sort_by_key(|p| (p.bounds.left, p.bounds.top));
    pieces
}

/// Pieces with no more than a gap between them, joined.
fn joined(pieces: &[Piece], gap: f64) -> Vec<Vec<Bounds>> {
    let mut group: Vec<usize> = (0..pieces.len()).collect();
    let widest = (gap * LETTER.1) as u32 + 1;
    for i in 0..pieces.len() {
        for j in i + 1..pieces.len() {
            // Sorted by their left edges: but for wide ones, all further ones are too far.
            if pieces[j].bounds.left > pieces[i].bounds.right + widest {
                break;
            }
            let bar = pieces[i].bar || pieces[j].bar;
            if !bar && one_word(&pieces[i].bounds, &pieces[j].bounds, gap) {
                let (a, b) = (root(&mut group, i), root(&mut group, j));
                group[a.max(b)] = a.min(b);
            }
        }
    }
    let mut words: Vec<Vec<Bounds>> = vec![Vec::new(); pieces.len()];
    for (i, piece) in pieces.iter().enumerate() {
        words[root(&mut group, i)].push(piece.bounds);
    }
    words.retain(|word| !word.is_empty());
    words
}

fn root(group: &mut [usize], mut i: usize) -> usize {
    while group[i] != i {
        group[i] = group[group[i]];
        i = group[i];
    }
    i
}

fn one_word(a: &Bounds, b: &Bounds, gap: f64) -> bool {
    let apart = f64::from(a.left.max(b.left)) - f64::from(a.right.min(b.right)) - 1.0;
    let shared = f64::from(a.bottom.min(b.bottom)) - f64::from(a.top.max(b.top)) + 1.0;
    let (low, high) = (
        f64::from(a.height().min(b.height())),
        f64::from(a.height().max(b.height())),
    );
    let size = |piece: &Bounds| piece.width().max(piece.height());
    let (small, large) = if size(a) < size(b) { (a, b) } else { (b, a) };
    let letter = f64::from(large.height());
    let dot = size(small) <= DOT.1 && f64::from(size(small)) <= DOT.0 * letter;
    if dot && apart < 0.0 && shared <= 0.0 {
        return -shared <= DOT.2 * letter;
    }
    shared >= BESIDE * low && apart <= gap * high.clamp(LETTER.0, LETTER.1)
}
