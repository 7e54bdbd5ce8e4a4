//! Pieces of ink, and the words that they may be.

use image::{GrayImage, Luma};
use imageproc::region_labelling::{Connectivity, connected_components};

/// Pixels at 32 a row. A piece is at least so large, or it is grain or the dot of a dotted line.
const LEAST: u32 = 5;
/// And at most so wide and so high, or it is a picture.
const MOST: (u32, u32) = (300, 84);
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

/// The words in a picture of ink, in every parting, each once.
pub fn words(ink: &GrayImage) -> Vec<Bounds> {
    let pieces = pieces(ink);
    let mut words: Vec<Bounds> = Vec::new();
    for gap in GAPS {
        for word in joined(&pieces, gap) {
            let large = word.width() >= LEAST_WORD.0 && word.height() >= LEAST_WORD.1;
            if large && word.height() <= MOST.1 && !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

fn pieces(ink: &GrayImage) -> Vec<Bounds> {
    let labels = connected_components(ink, Connectivity::Eight, Luma([0]));
    let mut found: Vec<Option<Bounds>> = Vec::new();
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
        found[label] = Some(found[label].map_or(here, |b| b.joined(here)));
    }
    let fits = |b: &Bounds| {
        let (w, h) = (b.width(), b.height());
        w.max(h) >= LEAST && w <= MOST.0 && h <= MOST.1
    };
    let mut pieces: Vec<Bounds> = found.into_iter().flatten().filter(fits).collect();
    if pieces.len() > MOST_PIECES {
        pieces.sort_by_key(|b| std::cmp::Reverse(b.width() * b.height()));
        pieces.truncate(MOST_PIECES);
    }
    pieces.sort_by_key(|b| (b.left, b.top));
    pieces
}

/// Pieces with no more than a gap between them, joined.
fn joined(pieces: &[Bounds], gap: f64) -> Vec<Bounds> {
    let mut group: Vec<usize> = (0..pieces.len()).collect();
    let widest = (gap * LETTER.1) as u32 + 1;
    for i in 0..pieces.len() {
        for j in i + 1..pieces.len() {
            // Sorted by their left edges: but for wide ones, all further ones are too far.
            if pieces[j].left > pieces[i].right + widest {
                break;
            }
            if one_word(&pieces[i], &pieces[j], gap) {
                let (a, b) = (root(&mut group, i), root(&mut group, j));
                group[a.max(b)] = a.min(b);
            }
        }
    }
    let mut words: Vec<Option<Bounds>> = vec![None; pieces.len()];
    for (i, &piece) in pieces.iter().enumerate() {
        let root = root(&mut group, i);
        words[root] = Some(words[root].map_or(piece, |word| word.joined(piece)));
    }
    words.into_iter().flatten().collect()
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
