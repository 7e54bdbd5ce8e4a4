//! Two lists of cells side by side, so that most pairs are alike (Needleman and Wunsch 1970).

use super::Parameters;

/// A cell of each of two copies, or of one copy alone.
pub(super) type Pair = (Option<usize>, Option<usize>);

/// How the last cells of an alignment are used: whether a cell of the first list, and of the
/// second.
type Step = (bool, bool);

/// The best alignment of `n` cells with `m`, and its gain up to the end of either list. Neither
/// list runs ahead by more than `band` cells; where one is longer by more, the pairs end with the
/// shorter.
pub(super) fn align_cells(
    (n, m): (usize, usize),
    band: usize,
    parameters: &Parameters,
    likeness: impl Fn(usize, usize) -> f32,
) -> (f32, Vec<Pair>) {
    let mut gain = vec![vec![f32::NEG_INFINITY; m + 1]; n + 1];
    let mut step: Vec<Vec<Step>> = vec![vec![(false, false); m + 1]; n + 1];
    for i in 0..=n {
        for j in i.saturating_sub(band)..=m.min(i + band) {
            let start = if i + j == 0 { 0.0 } else { f32::NEG_INFINITY };
            let mut best = (start, (false, false));
            let mut consider = |total: f32, step| {
                if total > best.0 {
                    best = (total, step);
                }
            };
            if i > 0 && j > 0 {
                let total = gain[i - 1][j - 1] + likeness(i - 1, j - 1) - parameters.min_likeness;
                consider(total, (true, true));
            }
            if i > 0 {
                consider(gain[i - 1][j] - parameters.gap_cost, (true, false));
            }
            if j > 0 {
                consider(gain[i][j - 1] - parameters.gap_cost, (false, true));
            }
            (gain[i][j], step[i][j]) = best;
        }
    }
    let ends = (0..=n).map(|i| (i, m)).chain((0..=m).map(|j| (n, j)));
    let best_end = ends.max_by(|a, b| gain[a.0][a.1].total_cmp(&gain[b.0][b.1]));
    let best_end = best_end.unwrap_or((n, m));
    let is_whole = gain[n][m].is_finite();
    let end = if is_whole { (n, m) } else { best_end };
    (gain[best_end.0][best_end.1], trace_back(&step, end))
}

/// The pairs of the alignment that ends at a place of the table.
fn trace_back(step: &[Vec<Step>], end: (usize, usize)) -> Vec<Pair> {
    let (mut i, mut j) = end;
    let mut pairs = Vec::new();
    while i + j > 0 {
        let (a, b) = step[i][j];
        i -= usize::from(a);
        j -= usize::from(b);
        pairs.push((a.then_some(i), b.then_some(j)));
    }
    pairs.reverse();
    pairs
}
