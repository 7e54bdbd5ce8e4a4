//! The edges between rows: a dynamic programme over the samples along the sampling lines.

use super::parameters::RowParameters;

/// Steps, in samples, by which a row may be lower or higher than the one before it.
const PITCH_STEPS: [isize; 3] = [-1, 0, 1];

/// What a sampling line of the whole table shows, sample by sample from top to bottom.
pub struct RowProfile {
    /// Score in nats of an edge between rows.
    pub edge: Vec<f32>,
    /// Score in nats of cells, for each sample.
    pub cells: Vec<f32>,
    /// Cost in nats of a sample amid a row that looks like an edge.
    pub skipped: Vec<f32>,
    /// Distance between two samples in pixels of a map.
    pub step_px: f64,
}

/// The samples at which edges lie: those of the chain of rows with the best score. None where the
/// profile is too short for one, where none has a score, or where it has fewer than `min_edge_rows`
/// rows.
///
/// The score of a chain is the sum of its edges' scores and of the cells' between them, less what
/// looks like an edge in the middle half of a row, and less a cost for each step by which the pitch
/// changes from row to row.
pub fn find_edges(profile: &RowProfile, parameters: &RowParameters) -> Option<Vec<usize>> {
    let samples = profile.edge.len();
    let low = ((parameters.min_pitch_px / profile.step_px) as usize).max(2);
    let high = ((parameters.max_pitch_px / profile.step_px) as usize)
        .min(samples / parameters.min_edge_rows);
    if high < low {
        return None;
    }
    let sums = |values: &[f32]| running_sums(values.iter().copied());
    let (cells, skipped) = (sums(&profile.cells), sums(&profile.skipped));
    let pitches = high - low + 1;
    // By sample and pitch: the best chain that ends there with a row of that height, and the pitch
    // of the row before it.
    let mut best = vec![f32::NEG_INFINITY; samples * pitches];
    let mut previous = vec![None::<u32>; samples * pitches];
    let mut last = (f32::NEG_INFINITY, 0, 0);
    for at in low..samples {
        for k in 0..pitches.min(at + 1 - low) {
            let top = at - (low + k);
            // A chain may begin with the edge above.
            let mut score = profile.edge[top];
            let mut from = None;
            for step in PITCH_STEPS {
                let Some(j) = k.checked_add_signed(step).filter(|j| *j < pitches) else {
                    continue;
                };
                let cost = parameters.pitch_change_cost * step.unsigned_abs() as f32;
                let chain = best[top * pitches + j] - cost;
                if chain > score {
                    (score, from) = (chain, Some(j as u32));
                }
            }
            let inset = (low + k) / 4;
            score += profile.edge[at] + (cells[at] - cells[top]);
            score -= skipped[at + 1 - inset] - skipped[top + inset];
            best[at * pitches + k] = score;
            previous[at * pitches + k] = from;
            if score > last.0 {
                last = (score, at, k);
            }
        }
    }
    let (score, mut at, mut k) = last;
    if score == f32::NEG_INFINITY {
        return None;
    }
    let mut edges = vec![at];
    while edges.len() <= samples {
        let from = previous[at * pitches + k];
        at -= low + k;
        edges.push(at);
        match from {
            Some(j) => k = j as usize,
            None => break,
        }
    }
    edges.reverse();
    (edges.len() > parameters.min_edge_rows).then_some(edges)
}

/// Sums of the values before each index, and of all.
pub fn running_sums(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sum = 0.0;
    let sums = values.map(|value| {
        sum += value;
        sum
    });
    std::iter::once(0.0).chain(sums).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile with edges at these samples and cells between the first and the last.
    fn profile(edges: &[usize], faint: &[usize]) -> RowProfile {
        let (first, last) = (edges[0], edges[edges.len() - 1]);
        let samples = last + 40;
        let edge = (0..samples).map(|i| match edges.contains(&i) {
            true if faint.contains(&i) => -0.5,
            true => 2.0,
            false => -1.5,
        });
        let cells = (0..samples).map(|i| {
            if (first..last).contains(&i) {
                0.05
            } else {
                -0.05
            }
        });
        let skipped = (0..samples).map(|i| if edges.contains(&i) { 1.0 } else { 0.0 });
        RowProfile {
            edge: edge.collect(),
            cells: cells.collect(),
            skipped: skipped.collect(),
            step_px: 0.5,
        }
    }

    /// Edges whose pitch grows slowly, as perspective makes them.
    fn edges() -> Vec<usize> {
        let mut edges = vec![33];
        for row in 0..25 {
            edges.push(edges[row] + 14 + row / 6);
        }
        edges
    }

    #[test]
    fn edges_whose_pitch_grows_are_found_and_faint_ones_among_them() {
        let faint = [edges()[4], edges()[13]];
        let found = find_edges(&profile(&edges(), &faint), &RowParameters::default());
        assert_eq!(found, Some(edges()));
    }

    #[test]
    fn a_line_amid_a_row_makes_no_row() {
        let mut profile = profile(&edges(), &[]);
        profile.edge[edges()[7] + 6] = 2.0;
        assert_eq!(
            find_edges(&profile, &RowParameters::default()),
            Some(edges())
        );
    }

    #[test]
    fn a_profile_without_scores_has_no_rows() {
        let mut profile = profile(&edges(), &[]);
        profile.edge.fill(f32::NAN);
        assert_eq!(find_edges(&profile, &RowParameters::default()), None);
    }

    #[test]
    fn a_few_lines_are_no_rows() {
        let profile = profile(&[20, 34, 48, 62, 76], &[]);
        assert_eq!(find_edges(&profile, &RowParameters::default()), None);
    }
}
