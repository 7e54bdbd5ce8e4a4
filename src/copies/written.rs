//! What two cells have in common, by what is read in them.

/// Likeness of two cells that name squares of one file or one rank.
const ONE_LINE: f32 = 0.5;

/// What is compared of a cell.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// What was read, without the signs that some players leave out.
    pub text: &'a str,
    /// File and rank of the last square that it names: where the man goes, in any notation.
    to: Option<[u8; 2]>,
}

impl<'a> Written<'a> {
    /// The cell that says this.
    pub fn of(text: &'a str) -> Self {
        let square = |two: &&[u8]| matches!(two, [b'a'..=b'h', b'1'..=b'8']);
        let mut pairs = text.as_bytes().windows(2);
        let to = pairs.rfind(square);
        Self {
            text,
            to: to.map(|two| [two[0], two[1]]),
        }
    }

    /// Whether both name one square.
    pub fn same_square(&self, other: &Self) -> bool {
        self.to.is_some() && self.to == other.to
    }
}

/// Likeness of two cells: of their texts, 1 less the edit distance by the longer one's length, or of the squares that they
/// name, whichever is more.
pub fn alike(a: &Written, b: &Written) -> f32 {
    if a.text == b.text || a.same_square(b) {
        return 1.0;
    }
    let on_one_line =
        a.to.zip(b.to)
            .is_some_and(|(a, b)| a[0] == b[0] || a[1] == b[1]);
    let squares = if on_one_line { ONE_LINE } else { 0.0 };
    texts_alike(a.text, b.text).max(squares)
}

fn texts_alike(a: &str, b: &str) -> f32 {
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
