//! A simulated reader: it gets the text of a cell, and gives CTC posteriors as a network would,
//! right or confused to a set degree.

use sheetscan::decode::SheetReadings;
use sheetscan::geometry::Point;
use sheetscan::grid::{CellId, Side};
use sheetscan::ink::CellState;
use sheetscan::reader::{MixtureComponent, Posteriors, Reading};

/// Number of frames of a cell, that of the shipped reader.
const FRAMES: usize = 48;

/// The alphabet of the shipped reader.
pub fn alphabet() -> Vec<char> {
    let latin = ('A'..='Z').chain('a'..='z').chain('0'..='9');
    latin
        .chain(":-+#=(),./'!?½éŞКрФЛСпТЦОΡΒΠΑΙ♔♕♖♗♘♙♚♛♜♝♞♟".chars())
        .collect()
}

/// Characters that look alike, after the confusions of a first reader.
const LOOKALIKES: [&str; 14] = [
    "ec", "RBKN", "agd", "hb", "fd", "86", "17", "53", "23", "46", "ft", "OQ", "DO", "CG",
];

/// SplitMix64 (Steele, Lea and Flood 2014), a seeded generator that is the same on every machine.
pub struct Random(pub u64);

impl Random {
    /// The next 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An integer below `n`, or 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// How badly the simulated reader reads.
#[derive(Clone, Copy)]
pub struct Noise {
    /// Share of characters whose likeliest reading is wrong.
    pub wrong: f64,
    /// Mean probability mass beside the likeliest reading of a character.
    pub doubt: f64,
}

/// A character that is mistaken for another one: mostly a lookalike, else any letter for a letter
/// and any digit for a digit.
fn confusable(c: char, alphabet: &[char], random: &mut Random) -> char {
    let lookalikes: Vec<char> = LOOKALIKES
        .iter()
        .filter(|set| set.contains(c))
        .flat_map(|set| set.chars())
        .filter(|&x| x != c)
        .collect();
    let same_kind = |x: &&char| {
        **x != c && (x.is_ascii_digit() == c.is_ascii_digit()) && x.is_ascii_alphanumeric()
    };
    if !lookalikes.is_empty() && random.unit() < 0.7 {
        lookalikes[random.below(lookalikes.len())]
    } else {
        let others: Vec<char> = alphabet.iter().filter(same_kind).copied().collect();
        others[random.below(others.len())]
    }
}

/// Posteriors for a text, each character in one frame, and the likeliest string in them.
pub fn read(
    text: &str,
    alphabet: &[char],
    noise: Noise,
    random: &mut Random,
) -> (Posteriors, String) {
    let classes = alphabet.len() + 1;
    let class = |c: char| alphabet.iter().position(|&a| a == c).map(|i| i + 1);
    let mut p = vec![1e-6f64; FRAMES * classes];
    for frame in p.chunks_exact_mut(classes) {
        frame[0] = 0.999;
    }
    let known: Vec<char> = text.chars().filter(|&c| class(c).is_some()).collect();
    let step = (FRAMES - 4) / known.len().max(1);
    let mut best = String::new();
    for (i, &c) in known.iter().enumerate() {
        let frame = &mut p[(2 + i * step) * classes..][..classes];
        frame[0] = 0.001;
        let doubt = (noise.doubt * 2.0 * random.unit()).min(0.45);
        let rival = confusable(c, alphabet, random);
        let third = confusable(c, alphabet, random);
        let (first, second) = if random.unit() < noise.wrong {
            (rival, c)
        } else {
            (c, rival)
        };
        best.push(first);
        for (glyph, mass) in [
            (first, 1.0 - doubt),
            (second, doubt * 0.7),
            (third, doubt * 0.2),
        ] {
            frame[class(glyph).unwrap_or(0)] += mass;
        }
    }
    for frame in p.chunks_exact_mut(classes) {
        let total: f64 = frame.iter().sum();
        frame.iter_mut().for_each(|x| *x /= total);
    }
    (
        Posteriors {
            frames: FRAMES,
            classes,
            log: p.iter().map(|x| x.ln() as f32).collect(),
        },
        best,
    )
}

/// The cell at an index of a sheet: row by row, White before Black.
pub fn cell_id(index: usize) -> CellId {
    CellId {
        number: index as u32 / 2 + 1,
        side: if index.is_multiple_of(2) {
            Side::White
        } else {
            Side::Black
        },
    }
}

/// The first character of the text of a cell that is struck out.
pub const STRUCK_OUT: char = '\u{336}';

/// The text that stands for a cell with ink of which nothing can be read.
pub const ILLEGIBLE: &str = "\u{fffd}";

/// A sheet with these texts in its cells; an empty text is a blank cell.
pub fn sheet(texts: &[&str], noise: Noise, seed: u64) -> SheetReadings {
    let alphabet = alphabet();
    let mut random = Random(seed);
    let readings = texts.iter().enumerate().map(|(i, text)| {
        let blank = text.is_empty();
        let (posteriors, best) = read(text, &alphabet, noise, &mut random);
        let is_legible = !blank && *text != ILLEGIBLE;
        Reading {
            id: cell_id(i),
            quad: [Point::new(0.0, 0.0); 4],
            state: if blank {
                CellState::Blank
            } else if text.starts_with(STRUCK_OUT) {
                CellState::StruckOut
            } else {
                CellState::Written
            },
            text: if blank { String::new() } else { best },
            confidence: if blank { 0.0 } else { 0.9 },
            mixture: if is_legible {
                MixtureComponent::alone(&posteriors)
            } else {
                Vec::new()
            },
        }
    });
    SheetReadings {
        readings: readings.collect(),
        alphabet,
    }
}
