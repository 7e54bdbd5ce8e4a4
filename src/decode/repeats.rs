//! Rows that a player wrote a second time right below.

use super::costs::Costs;

/// Largest number of rows that are written twice in one go.
const MAX_ROWS: usize = 6;

/// The cost, in nats, of skipping each of `cells` cells whose row repeats the one above, or some
/// rows as many above them; none for all others. Rows begin at even indices.
///
/// `misfit` tells how badly, in nats, the cell of its second index repeats that of its first one;
/// none where both are blank.
pub(super) fn find_repeated_rows(
    cells: usize,
    mut misfit: impl FnMut(usize, usize) -> Option<f32>,
    costs: &Costs,
) -> Vec<Option<f32>> {
    let mut skip_nats: Vec<Option<f32>> = vec![None; cells];
    for rows in 1..=MAX_ROWS {
        let lag = 2 * rows;
        let skip = if rows == 2 {
            costs.skip_repeated_pair
        } else {
            costs.skip_repeated
        };
        let end = (cells + 1).saturating_sub(lag);
        for first in (lag..end).step_by(2) {
            let block = first..first + lag;
            let max_sum = costs.max_repeat_misfit * lag as f32;
            let Some(sum) = sum_misfits(block.clone(), lag, max_sum, &mut misfit) else {
                continue;
            };
            let nats = skip + sum / lag as f32;
            for known in &mut skip_nats[block] {
                *known = Some(known.map_or(nats, |known| known.min(nats)));
            }
        }
    }
    skip_nats
}

/// The sum of the misfits of some cells with those `lag` before them; none where it is more than
/// `max_sum` or all are blank.
fn sum_misfits(
    cells: std::ops::Range<usize>,
    lag: usize,
    max_sum: f32,
    misfit: &mut impl FnMut(usize, usize) -> Option<f32>,
) -> Option<f32> {
    let mut sum = None;
    for at in cells {
        if let Some(nats) = misfit(at - lag, at) {
            let so_far = sum.unwrap_or(0.0) + nats;
            if so_far > max_sum {
                return None;
            }
            sum = Some(so_far);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which cells of a sheet with these texts repeat others.
    fn repeated(texts: &str) -> Vec<usize> {
        let texts: Vec<&str> = texts.split(' ').collect();
        let misfit = |a: usize, b: usize| match (texts[a], texts[b]) {
            ("-", "-") => None,
            (a, b) => Some(if a == b { 0.0 } else { 7.0 }),
        };
        let skips = find_repeated_rows(texts.len(), misfit, &Costs::default());
        (0..texts.len()).filter(|&at| skips[at].is_some()).collect()
    }

    #[test]
    fn rows_that_repeat_as_many_above_them_are_found() {
        assert_eq!(repeated("e4 e5 Nf3 Nc6 Nf3 Nc6 Bb5 a6"), [4, 5]);
        assert_eq!(repeated("e4 e5 Nf3 Nc6 e4 e5 Nf3 Nc6"), [4, 5, 6, 7]);
        assert_eq!(repeated("e4 e5 Nf3 Nc6 Nf3 d6 Bb5 a6"), [0; 0]);
        assert_eq!(repeated("e4 e5 - - - - Nf3 Nc6"), [0; 0]);
    }
}
