//! Two rows of cells laid side by side so that most of them are alike (Needleman and Wunsch 1970).

/// Likeness of two cells, 0 to 1, from which they rather hold the same move than two.
const ALIKE: f32 = 0.4;
/// What a cell costs that the other copy lacks.
const GAP: f32 = 0.25;

/// A cell of each of two copies, or of one alone.
pub type Pair = (Option<usize>, Option<usize>);

/// The pairs of a best alignment of `n` cells with `m`, cells without a partner among them, and its gain up to the
/// end of either. Neither runs ahead by more than `band` cells: where one is longer by more, the pairs end with the shorter.
pub fn path(
    (n, m): (usize, usize),
    band: usize,
    likeness: impl Fn(usize, usize) -> f32,
) -> (f32, Vec<Pair>) {
    let mut gain = vec![vec![f32::NEG_INFINITY; m + 1]; n + 1];
    let mut step = vec![vec![(false, false); m + 1]; n + 1];
    for i in 0..=n {
        for j in i.saturating_sub(band)..=m.min(i + band) {
            let mut best = if i + j == 0 {
                (0.0, (false, false))
            } else {
                (f32::NEG_INFINITY, (false, false))
            };
            let mut consider = |total: f32, how| {
                if total > best.0 {
                    best = (total, how);
                }
            };
            if i > 0 && j > 0 {
                consider(
                    gain[i - 1][j - 1] + likeness(i - 1, j - 1) - ALIKE,
                    (true, true),
                );
            }
            if i > 0 {
                consider(gain[i - 1][j] - GAP, (true, false));
            }
            if j > 0 {
                consider(gain[i][j - 1] - GAP, (false, true));
            }
            (gain[i][j], step[i][j]) = best;
        }
    }
    let ends = (0..=n).map(|i| (i, m)).chain((0..=m).map(|j| (n, j)));
    let best = ends.max_by(|a, b| gain[a.0][a.1].total_cmp(&gain[b.0][b.1]));
    let best = best.unwrap_or((n, m));
    let most = gain[best.0][best.1];
    let whole = gain[n][m].is_finite();
    let (mut i, mut j) = if whole { (n, m) } else { best };
    let mut pairs = Vec::new();
    while i + j > 0 {
        let (a, b) = step[i][j];
        i -= usize::from(a);
        j -= usize::from(b);
        pairs.push((a.then_some(i), b.then_some(j)));
    }
    pairs.reverse();
    (most, pairs)
}
