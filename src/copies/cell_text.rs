//! What two cells have in common, by what is read in them.

/// The text of a cell and the square that it names.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellText<'a> {
    /// The text without the signs that some players leave out.
    pub text: &'a str,
    /// File and rank of the last square in the text: where the piece goes, in any notation.
    target: Option<[u8; 2]>,
}

impl<'a> CellText<'a> {
    pub fn new(text: &'a str) -> Self {
        let is_square = |pair: &&[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
        let mut pairs = text.as_bytes().windows(2);
        let target = pairs.rfind(is_square);
        Self {
            text,
            target: target.map(|pair| [pair[0], pair[1]]),
        }
    }

    /// Whether both name a square, and the same one.
    pub fn has_square_of(&self, other: &Self) -> bool {
        self.target.is_some() && self.target == other.target
    }

    /// Likeness, 0 to 1: 1 for equal texts or squares, else the larger of
    /// `1 − edit distance / length of the longer text` and, where both squares lie on one file or
    /// one rank, `same_line_likeness`.
    pub fn likeness(&self, other: &Self, same_line_likeness: f32) -> f32 {
        if self.text == other.text || self.has_square_of(other) {
            return 1.0;
        }
        let targets = self.target.zip(other.target);
        let on_one_line = targets.is_some_and(|(a, b)| a[0] == b[0] || a[1] == b[1]);
        let of_squares = if on_one_line { same_line_likeness } else { 0.0 };
        likeness_of_texts(self.text, other.text).max(of_squares)
    }
}

/// 1 less the edit distance (Levenshtein) by the length of the longer text.
fn likeness_of_texts(a: &str, b: &str) -> f32 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    1.0 - row[b.len()] as f32 / a.len().max(b.len()) as f32
}
