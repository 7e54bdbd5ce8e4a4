//! The best assignment of rows to columns, each row to one column or none, and by how much each part of it is the best.
//! Columns come in pairs: the two rooms of a place.
//!
//! Rows are added one by one along the alternating path that gains most (Kuhn 1955; the graph is sparse, so paths are
//! searched as by Bellman and Ford). A margin wants two more such paths: without the row, and with it elsewhere.

use std::collections::VecDeque;

/// Units in which scores are added up, a nat: whole numbers have no rounding that could turn a path in circles.
const UNIT: f64 = 1e6;

/// The two columns of a place.
pub(super) fn columns(place: usize) -> [usize; 2] {
    [2 * place, 2 * place + 1]
}

/// The place that a column is of.
pub(super) fn place(column: usize) -> usize {
    column / 2
}

/// The column of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Assigned {
    pub(super) column: usize,
    /// What the whole assignment loses where this row may not have this place, in nats.
    pub(super) margin: f64,
}

/// Assigns rows to columns so that the sum of scores is greatest. Rows list the columns that they may have with
/// scores above 0, which is the score of having none.
pub(super) fn assign(rows: &[Vec<(usize, f64)>]) -> Vec<Option<Assigned>> {
    let graph = Graph::new(rows);
    let mut best = Assignment::new(&graph);
    for i in 0..rows.len() {
        best.add(i, None);
    }
    let margin = |i: usize| {
        let column = best.of_row[i]?;
        let mut without = best.clone();
        let mut loss = without.remove(i);
        loss -= without.fill(column, i);
        loss -= without.add(i, Some(place(column)));
        Some(Assigned {
            column,
            margin: loss as f64 / UNIT,
        })
    };
    (0..rows.len()).map(margin).collect()
}

/// Who may have what.
struct Graph {
    /// Columns of each row, and scores.
    rows: Vec<Vec<(usize, i64)>>,
    /// Rows of each column, and scores.
    columns: Vec<Vec<(usize, i64)>>,
}

impl Graph {
    fn new(rows: &[Vec<(usize, f64)>]) -> Self {
        let whole = |&(column, score): &(usize, f64)| (column, (score * UNIT).round() as i64);
        let rows: Vec<Vec<(usize, i64)>> = rows
            .iter()
            .map(|row| row.iter().map(whole).collect())
            .collect();
        let most = rows
            .iter()
            .flatten()
            .map(|edge| edge.0 + 1)
            .max()
            .unwrap_or(0);
        let mut columns = vec![Vec::new(); most];
        for (i, row) in rows.iter().enumerate() {
            for &(column, score) in row {
                columns[column].push((i, score));
            }
        }
        Self { rows, columns }
    }

    fn score(&self, row: usize, column: usize) -> i64 {
        let found = self.rows[row].iter().find(|edge| edge.0 == column);
        found.map_or(0, |edge| edge.1)
    }
}

#[derive(Clone)]
struct Assignment<'g> {
    graph: &'g Graph,
    of_row: Vec<Option<usize>>,
    of_column: Vec<Option<usize>>,
}

impl<'g> Assignment<'g> {
    fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            of_row: vec![None; graph.rows.len()],
            of_column: vec![None; graph.columns.len()],
        }
    }

    /// Takes a row out; what its column gave.
    fn remove(&mut self, row: usize) -> i64 {
        let Some(column) = self.of_row[row].take() else {
            return 0;
        };
        self.of_column[column] = None;
        self.graph.score(row, column)
    }

    /// Puts in a row that has no column, others moving on where that gains; never to the `forbidden` place. The gain.
    fn add(&mut self, row: usize, forbidden: Option<usize>) -> i64 {
        // Gain along the best path on which a row is left without its column, and the row that took it.
        let mut path = Path::new(self.of_row.len(), row);
        let (mut most, mut end) = (0, None);
        while let Some(r) = path.next() {
            let gain = path.gain(r);
            // This row may be left out.
            if gain > most {
                (most, end) = (gain, Some((r, None)));
            }
            for &(column, score) in &self.graph.rows[r] {
                if r == row && forbidden == Some(place(column)) || self.of_row[r] == Some(column) {
                    continue;
                }
                match self.of_column[column] {
                    None if gain + score > most => {
                        (most, end) = (gain + score, Some((r, Some(column))))
                    }
                    None => {}
                    Some(holder) if holder == row => {}
                    Some(holder) => {
                        path.reach(holder, r, gain + score - self.graph.score(holder, column))
                    }
                }
            }
        }
        if let Some((mut r, mut takes)) = end {
            loop {
                let had = self.of_row[r];
                self.of_row[r] = takes;
                if let Some(column) = takes {
                    self.of_column[column] = Some(r);
                }
                let Some(before) = path.before(r) else { break };
                (r, takes) = (before, had);
            }
        }
        most
    }

    /// Gives a column that has come free to other rows than `absent`, as far as that gains. The gain.
    fn fill(&mut self, column: usize, absent: usize) -> i64 {
        let mut path = Path::new(self.of_column.len(), column);
        let (mut most, mut end) = (0, None);
        while let Some(c) = path.next() {
            let gain = path.gain(c);
            // This column may stay free.
            if gain > most {
                (most, end) = (gain, Some((c, None)));
            }
            for &(row, score) in &self.graph.columns[c] {
                if row == absent || self.of_row[row] == Some(c) {
                    continue;
                }
                match self.of_row[row] {
                    None if gain + score > most => {
                        (most, end) = (gain + score, Some((c, Some(row))))
                    }
                    None => {}
                    Some(left) if left == column => {}
                    Some(left) => path.reach(left, c, gain + score - self.graph.score(row, left)),
                }
            }
        }
        if let Some((mut c, mut takes)) = end {
            loop {
                let had = self.of_column[c];
                self.of_column[c] = takes;
                if let Some(row) = takes {
                    self.of_row[row] = Some(c);
                }
                let Some(before) = path.before(c) else { break };
                (c, takes) = (before, had);
            }
        }
        most
    }
}

/// The best paths from a start. No cycle gains anything where the assignment is the best so far, so the search ends.
struct Path {
    gains: Vec<Option<i64>>,
    before: Vec<usize>,
    waiting: VecDeque<usize>,
    start: usize,
}

impl Path {
    fn new(nodes: usize, start: usize) -> Self {
        let mut gains = vec![None; nodes];
        gains[start] = Some(0);
        Self {
            gains,
            before: vec![start; nodes],
            waiting: VecDeque::from([start]),
            start,
        }
    }

    fn next(&mut self) -> Option<usize> {
        self.waiting.pop_front()
    }

    fn gain(&self, node: usize) -> i64 {
        self.gains[node].unwrap_or(0)
    }

    fn reach(&mut self, node: usize, from: usize, gain: i64) {
        if self.gains[node].is_none_or(|known| gain > known) {
            self.gains[node] = Some(gain);
            self.before[node] = from;
            if !self.waiting.contains(&node) {
                self.waiting.push_back(node);
            }
        }
    }

    fn before(&self, node: usize) -> Option<usize> {
        (node != self.start).then(|| self.before[node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(rows: &[Vec<(usize, f64)>]) -> Vec<Option<(usize, f64)>> {
        let assigned = assign(rows);
        assigned
            .into_iter()
            .map(|a| a.map(|a| (a.column, (a.margin * 10.0).round() / 10.0)))
            .collect()
    }

    #[test]
    fn the_sum_decides_and_not_each_row() {
        // Both want column 0; the second loses less by taking the other.
        let rows = [vec![(0, 10.0), (2, 2.0)], vec![(0, 9.0), (2, 7.0)]];
        assert_eq!(told(&rows), [Some((0, 6.0)), Some((2, 6.0))]);
    }

    #[test]
    fn rows_that_cannot_be_told_apart_have_no_margin() {
        let rows = [
            vec![(4, 5.0), (6, 5.0)],
            vec![(4, 5.0), (6, 5.0)],
            vec![],
            vec![(9, 1.5)],
        ];
        let told = told(&rows);
        assert_eq!(told[0].map(|t| t.1), Some(0.0));
        assert_eq!(told[1].map(|t| t.1), Some(0.0));
        assert_eq!(told[2..], [None, Some((9, 1.5))]);
    }

    #[test]
    fn it_does_not_matter_who_has_which_room() {
        let rows = [vec![(0, 9.0), (1, 5.0)], vec![(0, 9.0), (1, 5.0)]];
        let margins: Vec<_> = told(&rows).into_iter().map(|t| t.map(|t| t.1)).collect();
        assert_eq!(margins, [Some(5.0), Some(5.0)]);
    }

    /// The greatest sum, by trying everything; `not` is a row and a place that it must not have.
    fn greatest(
        rows: &[Vec<(usize, f64)>],
        from: usize,
        taken: &mut Vec<usize>,
        not: Option<(usize, usize)>,
    ) -> f64 {
        let Some(row) = rows.get(from) else {
            return 0.0;
        };
        let mut best = greatest(rows, from + 1, taken, not);
        for &(column, score) in row {
            if !taken.contains(&column) && not != Some((from, place(column))) {
                taken.push(column);
                best = best.max(score + greatest(rows, from + 1, taken, not));
                taken.pop();
            }
        }
        best
    }

    #[test]
    fn sums_and_margins_are_those_of_trying_everything() {
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
            let assigned = assign(&rows);
            let score = |(i, a): (usize, &Option<Assigned>)| {
                let column = a.map(|a| a.column)?;
                Some(
                    rows[i]
                        .iter()
                        .find(|edge| edge.0 == column)
                        .expect("a column of the row")
                        .1,
                )
            };
            let sum: f64 = assigned.iter().enumerate().filter_map(score).sum();
            let best = greatest(&rows, 0, &mut Vec::new(), None);
            assert_eq!(sum, best, "{rows:?}");
            let mut columns: Vec<usize> = assigned.iter().flatten().map(|a| a.column).collect();
            columns.sort_unstable();
            assert!(
                columns.windows(2).all(|w| w[0] < w[1]),
                "a column for one row only: {rows:?}"
            );
            for (i, a) in assigned.iter().enumerate() {
                let Some(a) = a else { continue };
                let without = greatest(&rows, 0, &mut Vec::new(), Some((i, place(a.column))));
                assert!(
                    (a.margin - (best - without)).abs() < 1e-6,
                    "row {i} of {rows:?}"
                );
            }
        }
    }
}
