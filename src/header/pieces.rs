//! Pieces of ink, and the words that they may be.

use image::{GrayImage, Luma};
use imageproc::region_labelling::{Connectivity, connected_components};

/// Pixels where letters are 16 high. A piece is at least so large, or it is grain or the dot of a dotted line.
const LEAST: u32 = 5;
/// And at most so wide and so high, or it is a picture.
const MOST: (u32, u32) = (300, 84);
/// An upright of at most this width and at least this height, and this share of its box full, may be a box's side.
const BAR: (u32, u32) = (6, 12);
const FULL: f32 = 0.8;
/// A piece so many times as high as letters may be of two lines that touch: it is cut between shares of its height, at the
/// row with the least ink, where that is at most this share of what a row has.
const TALL: f64 = 1.9;
const WAIST: (f64, f64) = (0.3, 0.7);
const THIN: f64 = 0.4;
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

/// A piece at the upper or lower edge of a line that reaches less than this share of its height into it is of another line.
const REACHES: f64 = 0.4;

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
#[derive(Debug, Clone)]
struct Piece {
    bounds: Bounds,
    /// A straight upright that may be the side of a box, or a letter.
    bar: bool,
    /// From its first row of pixels to its last; there is ink in each.
    rows: Vec<Run>,
}

/// The ink of a piece in one row of pixels: the leftmost, the rightmost, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Run {
    left: u32,
    right: u32,
    count: u32,
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

/// The words in a picture of ink, in every parting, each once: uprights as the sides of boxes, which join nothing, and then
/// as letters, with lines that touch cut apart. And the height of its small letters in pixels, the first quartile of
/// all; none where there are few.
pub fn words(ink: &GrayImage) -> (Vec<Line>, Option<f64>) {
    let whole = pieces(ink);
    let small = quantile(&whole, 0.25);
    (parted(whole), small)
}

/// The same in a picture of one line, without the ends that the lines above and below have in it.
pub fn words_of_line(ink: &GrayImage) -> Vec<Line> {
    let last = ink.height().saturating_sub(1);
    let high = f64::from(ink.height());
    let mut whole = pieces(ink);
    whole.retain(|Piece { bounds, .. }| {
        let inside = bounds.top > 0 && bounds.bottom < last;
        inside || f64::from(bounds.height()) >= REACHES * high
    });
    parted(whole)
}

fn parted(whole: Vec<Piece>) -> Vec<Line> {
    let letter = quantile(&whole, 0.5).unwrap_or(f64::INFINITY);
    let mut cut: Vec<Piece> = whole.iter().flat_map(|p| p.cut(TALL * letter)).collect();
    cut.iter_mut().for_each(|piece| piece.bar = false);
    cut.sort_by_key(|p| (p.bounds.left, p.bounds.top));
    let mut words: Vec<Line> = Vec::new();
    for pieces in [whole, cut] {
        for members in GAPS.iter().flat_map(|&gap| joined(&pieces, gap)) {
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

/// A quantile of the heights of letters.
fn quantile(pieces: &[Piece], share: f64) -> Option<f64> {
    let heights = pieces.iter().filter(|p| !p.bar).map(|p| p.bounds.height());
    let mut heights: Vec<u32> = heights.filter(|&high| high >= LEAST).collect();
    let at = (heights.len() as f64 * share) as usize;
    (heights.len() >= LETTERS).then(|| f64::from(*heights.select_nth_unstable(at).1))
}

impl Piece {
    /// The piece, or what is above and below its waist where it is higher than `tall` pixels and has one.
    fn cut(&self, tall: f64) -> Vec<Self> {
        let high = f64::from(self.bounds.height());
        let waist = (WAIST.0 * high) as usize..(WAIST.1 * high) as usize;
        let mean = self.rows.iter().map(|row| row.count).sum::<u32>();
        let mean = f64::from(mean) / high;
        let thinnest = waist.min_by_key(|&y| self.rows[y].count);
        match thinnest.filter(|&y| high > tall && f64::from(self.rows[y].count) <= THIN * mean) {
            Some(y) => {
                let (upper, lower) = self.rows.split_at(y);
                let top = self.bounds.top;
                vec![Self::of(top, upper), Self::of(top + y as u32, lower)]
            }
            None => vec![self.clone()],
        }
    }

    /// The piece whose first row is `top`.
    fn of(top: u32, rows: &[Run]) -> Self {
        let bounds = Bounds {
            left: rows.iter().map(|row| row.left).min().unwrap_or(0),
            top,
            right: rows.iter().map(|row| row.right).max().unwrap_or(0),
            bottom: top + rows.len() as u32 - 1,
        };
        let (wide, high) = (bounds.width(), bounds.height());
        let area = rows.iter().map(|row| row.count).sum::<u32>();
        let thin = wide <= BAR.0 && high >= BAR.1.max(3 * wide);
        Self {
            bounds,
            bar: thin && area as f32 >= FULL * (wide * high) as f32,
            rows: rows.to_vec(),
        }
    }
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
    // Of each component its first row, and its rows: it has ink in all from there to its last.
    let mut found: Vec<(u32, Vec<Run>)> = Vec::new();
    for (x, y, label) in labels.enumerate_pixels() {
        let label = label.0[0] as usize;
        if label == 0 {
            continue;
        }
        if found.len() <= label {
            found.resize(label + 1, (y, Vec::new()));
        }
        let (top, rows) = &mut found[label];
        if rows.is_empty() {
            *top = y;
        }
        match rows.get_mut((y - *top) as usize) {
            Some(row) => (row.right, row.count) = (x, row.count + 1),
            None => rows.push(Run {
                left: x,
                right: x,
                count: 1,
            }),
        }
    }
    let fits = |(top, rows): (u32, Vec<Run>)| {
        let piece = (!rows.is_empty()).then(|| Piece::of(top, &rows))?;
        let (w, h) = (piece.bounds.width(), piece.bounds.height());
        (w.max(h) >= LEAST && w <= MOST.0 && h <= MOST.1).then_some(piece)
    };
    let mut pieces: Vec<Piece> = found.into_iter().filter_map(fits).collect();
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
