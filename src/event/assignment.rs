//! The assignment of rows to columns with the greatest sum of scores, each row to one column or to
//! none, and for every row the margin by which that assignment is the best.
//!
//! In matching, a row is a game. Columns come in pairs, one pair for each pairing of the event: the
//! first column is for the game's own sheets, the second for a further sheet that was not found to
//! be a copy. Rows are added one by one along the alternating path that gains most (Kuhn 1955, "The
//! Hungarian method for the assignment problem"). The graph is sparse, so these paths are searched
//! as by Bellman and Ford. A margin takes two more searches: one without the row, and one with the
//! row barred from its column pair.

use std::collections::VecDeque;

use rayon::prelude::*;

/// Integer units per nat. Whole numbers add up without rounding, which could send a path in
/// circles.
const UNITS_PER_NAT: f64 = 1e6;

/// The two columns of a column pair.
pub(super) fn columns_of_pair(pair: usize) -> [usize; 2] {
    [2 * pair, 2 * pair + 1]
}

/// The column pair that a column belongs to.
pub(super) fn pair_of_column(column: usize) -> usize {
    column / 2
}

/// The column that a row is assigned to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AssignedColumn {
    pub(super) column: usize,
    /// What the sum of scores loses, in nats, if this row is barred from this column pair.
    pub(super) margin: f64,
}

/// Assigns rows to columns so that the sum of scores is greatest.
///
/// Each row lists the columns that it may have with scores (nats) above 0, the score of having
/// none.
pub(super) fn solve_assignment(rows: &[Vec<(usize, f64)>]) -> Vec<Option<AssignedColumn>> {
    let graph = BipartiteGraph::new(rows);
    let mut best = Assignment::new(&graph);
    for row in 0..rows.len() {
        best.insert_row(row, None);
    }
    let assigned_column = |row: usize| {
        let column = best.column_of_row[row]?;
        let mut without = best.clone();
        let mut loss = without.remove_row(row);
        loss -= without.fill_column(column, row);
        loss -= without.insert_row(row, Some(pair_of_column(column)));
        Some(AssignedColumn {
            column,
            margin: loss as f64 / UNITS_PER_NAT,
        })
    };
    (0..rows.len())
        .into_par_iter()
        .map(assigned_column)
        .collect()
}

/// The scores of all permitted pairs of a row and a column, in integer units.
struct BipartiteGraph {
    /// For each row its columns with their scores, in the order of the columns.
    columns_of_row: Vec<Vec<(usize, i64)>>,
    /// For each column its rows with their scores.
    rows_of_column: Vec<Vec<(usize, i64)>>,
}

impl BipartiteGraph {
    fn new(rows: &[Vec<(usize, f64)>]) -> Self {
        let to_units =
            |&(column, nats): &(usize, f64)| (column, (nats * UNITS_PER_NAT).round() as i64);
        let mut columns_of_row: Vec<Vec<(usize, i64)>> = rows
            .iter()
            .map(|row| row.iter().map(to_units).collect())
            .collect();
        columns_of_row
            .iter_mut()
            .for_each(|columns| columns.sort_by_key(|edge| edge.0));
        let edges = columns_of_row.iter().flatten();
        let column_count = edges.map(|edge| edge.0 + 1).max().unwrap_or(0);
        let mut rows_of_column = vec![Vec::new(); column_count];
        for (i, row) in columns_of_row.iter().enumerate() {
            for &(column, score) in row {
                rows_of_column[column].push((i, score));
            }
        }
        Self {
            columns_of_row,
            rows_of_column,
        }
    }

    fn score(&self, row: usize, column: usize) -> i64 {
        let edges = &self.columns_of_row[row];
        let at = edges.binary_search_by_key(&column, |edge| edge.0);
        at.map_or(0, |at| edges[at].1)
    }
}

/// Which row has which column.
#[derive(Clone)]
struct Assignment<'g> {
    graph: &'g BipartiteGraph,
    column_of_row: Vec<Option<usize>>,
    row_of_column: Vec<Option<usize>>,
}

impl<'g> Assignment<'g> {
    fn new(graph: &'g BipartiteGraph) -> Self {
        Self {
            graph,
            column_of_row: vec![None; graph.columns_of_row.len()],
            row_of_column: vec![None; graph.rows_of_column.len()],
        }
    }

    /// Takes a row out and returns the score that its column gave.
    fn remove_row(&mut self, row: usize) -> i64 {
        let Some(column) = self.column_of_row[row].take() else {
            return 0;
        };
        self.row_of_column[column] = None;
        self.graph.score(row, column)
    }

    /// Puts in a row that has no column and returns the gain.
    ///
    /// Other rows change their columns where that gains more. The row gets no column of
    /// `forbidden_pair`.
    fn insert_row(&mut self, row: usize, forbidden_pair: Option<usize>) -> i64 {
        let mut paths = AlternatingPaths::new(self.column_of_row.len(), row);
        let (mut best_gain, mut end) = (0, None);
        while let Some(last) = paths.pop_node() {
            let gain = paths.gain(last);
            // The path may end here, with the last row left without a column.
            if gain > best_gain {
                (best_gain, end) = (gain, Some((last, None)));
            }
            for &(column, score) in &self.graph.columns_of_row[last] {
                let forbidden = last == row && forbidden_pair == Some(pair_of_column(column));
                if forbidden || self.column_of_row[last] == Some(column) {
                    continue;
                }
                match self.row_of_column[column] {
                    None if gain + score > best_gain => {
                        (best_gain, end) = (gain + score, Some((last, Some(column))))
                    }
                    None => {}
                    Some(holder) if holder == row => {}
                    Some(holder) => {
                        let next_gain = gain + score - self.graph.score(holder, column);
                        paths.improve(holder, last, next_gain);
                    }
                }
            }
        }
        if let Some((mut row, mut new_column)) = end {
            loop {
                let old_column = self.column_of_row[row];
                self.column_of_row[row] = new_column;
                if let Some(column) = new_column {
                    self.row_of_column[column] = Some(row);
                }
                let Some(predecessor) = paths.predecessor(row) else {
                    break;
                };
                (row, new_column) = (predecessor, old_column);
            }
        }
        best_gain
    }

    /// Gives a column that has become free to another row than `absent_row` where that gains, and
    /// returns the gain.
    fn fill_column(&mut self, column: usize, absent_row: usize) -> i64 {
        let mut paths = AlternatingPaths::new(self.row_of_column.len(), column);
        let (mut best_gain, mut end) = (0, None);
        while let Some(last) = paths.pop_node() {
            let gain = paths.gain(last);
            // The path may end here, with the last column left free.
            if gain > best_gain {
                (best_gain, end) = (gain, Some((last, None)));
            }
            for &(row, score) in &self.graph.rows_of_column[last] {
                if row == absent_row || self.column_of_row[row] == Some(last) {
                    continue;
                }
                match self.column_of_row[row] {
                    None if gain + score > best_gain => {
                        (best_gain, end) = (gain + score, Some((last, Some(row))))
                    }
                    None => {}
                    Some(vacated) if vacated == column => {}
                    Some(vacated) => {
                        let next_gain = gain + score - self.graph.score(row, vacated);
                        paths.improve(vacated, last, next_gain);
                    }
                }
            }
        }
        if let Some((mut column, mut new_row)) = end {
            loop {
                let old_row = self.row_of_column[column];
                self.row_of_column[column] = new_row;
                if let Some(row) = new_row {
                    self.column_of_row[row] = Some(column);
                }
                let Some(predecessor) = paths.predecessor(column) else {
                    break;
                };
                (column, new_row) = (predecessor, old_row);
            }
        }
        best_gain
    }
}

/// The best alternating paths from a start node to every other node of the same side.
///
/// No cycle gains anything while the assignment is the best for its rows, so the search ends.
struct AlternatingPaths {
    /// Gain along the best path to a node so far, in integer units.
    gains: Vec<Option<i64>>,
    predecessors: Vec<usize>,
    queue: VecDeque<usize>,
    /// Whether a node is in the queue.
    is_queued: Vec<bool>,
    start: usize,
}

impl AlternatingPaths {
    fn new(node_count: usize, start: usize) -> Self {
        let mut gains = vec![None; node_count];
        gains[start] = Some(0);
        let mut is_queued = vec![false; node_count];
        is_queued[start] = true;
        Self {
            gains,
            is_queued,
            predecessors: vec![start; node_count],
            queue: VecDeque::from([start]),
            start,
        }
    }

    /// Takes the next node whose path has become better.
    fn pop_node(&mut self) -> Option<usize> {
        let node = self.queue.pop_front()?;
        self.is_queued[node] = false;
        Some(node)
    }

    fn gain(&self, node: usize) -> i64 {
        self.gains[node].unwrap_or(0)
    }

    /// Reaches a node by way of `predecessor` if that gains more than every earlier path to it.
    fn improve(&mut self, node: usize, predecessor: usize, gain: i64) {
        if self.gains[node].is_none_or(|known| gain > known) {
            self.gains[node] = Some(gain);
            self.predecessors[node] = predecessor;
            if !std::mem::replace(&mut self.is_queued[node], true) {
                self.queue.push_back(node);
            }
        }
    }

    fn predecessor(&self, node: usize) -> Option<usize> {
        (node != self.start).then(|| self.predecessors[node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Column and margin of every row, with the margin rounded to a tenth of a nat.
    fn solve_rounded(rows: &[Vec<(usize, f64)>]) -> Vec<Option<(usize, f64)>> {
        let assigned = solve_assignment(rows);
        assigned
            .into_iter()
            .map(|a| a.map(|a| (a.column, (a.margin * 10.0).round() / 10.0)))
            .collect()
    }

    #[test]
    fn the_sum_of_scores_decides_and_not_each_row() {
        // Both rows prefer column 0; the second loses less by taking the other.
        let rows = [vec![(0, 10.0), (2, 2.0)], vec![(0, 9.0), (2, 7.0)]];
        assert_eq!(solve_rounded(&rows), [Some((0, 6.0)), Some((2, 6.0))]);
    }

    #[test]
    fn rows_with_equal_scores_have_no_margin() {
        let rows = [
            vec![(4, 5.0), (6, 5.0)],
            vec![(4, 5.0), (6, 5.0)],
            vec![],
            vec![(9, 1.5)],
        ];
        let solution = solve_rounded(&rows);
        assert_eq!(solution[0].map(|row| row.1), Some(0.0));
        assert_eq!(solution[1].map(|row| row.1), Some(0.0));
        assert_eq!(solution[2..], [None, Some((9, 1.5))]);
    }

    #[test]
    fn the_two_columns_of_a_pair_are_no_alternatives_for_a_margin() {
        let rows = [vec![(0, 9.0), (1, 5.0)], vec![(0, 9.0), (1, 5.0)]];
        let solution = solve_rounded(&rows);
        let margins: Vec<_> = solution
            .into_iter()
            .map(|row| row.map(|row| row.1))
            .collect();
        assert_eq!(margins, [Some(5.0), Some(5.0)]);
    }

    /// The greatest sum over the rows from `first` on, by trying everything. `barred` is a row and
    /// a column pair that it must not have.
    fn brute_force_sum(
        rows: &[Vec<(usize, f64)>],
        first: usize,
        used_columns: &mut Vec<usize>,
        barred: Option<(usize, usize)>,
    ) -> f64 {
        let Some(row) = rows.get(first) else {
            return 0.0;
        };
        let mut best = brute_force_sum(rows, first + 1, used_columns, barred);
        for &(column, score) in row {
            let allowed = barred != Some((first, pair_of_column(column)));
            if allowed && !used_columns.contains(&column) {
                used_columns.push(column);
                best = best.max(score + brute_force_sum(rows, first + 1, used_columns, barred));
                used_columns.pop();
            }
        }
        best
    }

    #[test]
    fn sums_and_margins_equal_those_of_trying_everything() {
        // Marsaglia's xorshift generator with a fixed seed.
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) % below
        };
        for _ in 0..3000 {
            let mut row = || -> Vec<(usize, f64)> {
                let all = (0..6).map(|column| (column, next(12) as f64 - 5.0));
                all.filter(|edge| edge.1 > 0.0).collect()
            };
            let rows: Vec<_> = (0..5).map(|_| row()).collect();
            let assigned = solve_assignment(&rows);
            let score = |(i, a): (usize, &Option<AssignedColumn>)| {
                let column = a.map(|a| a.column)?;
                let edge = rows[i].iter().find(|edge| edge.0 == column);
                Some(edge.expect("a column of the row").1)
            };
            let sum: f64 = assigned.iter().enumerate().filter_map(score).sum();
            let best = brute_force_sum(&rows, 0, &mut Vec::new(), None);
            assert_eq!(sum, best, "{rows:?}");
            let mut columns: Vec<usize> = assigned.iter().flatten().map(|a| a.column).collect();
            columns.sort_unstable();
            assert!(
                columns.windows(2).all(|w| w[0] < w[1]),
                "a column for one row only: {rows:?}"
            );
            for (i, a) in assigned.iter().enumerate() {
                let Some(a) = a else { continue };
                let barred = Some((i, pair_of_column(a.column)));
                let without = brute_force_sum(&rows, 0, &mut Vec::new(), barred);
                assert!(
                    (a.margin - (best - without)).abs() < 1e-6,
                    "row {i} of {rows:?}"
                );
            }
        }
    }
}
