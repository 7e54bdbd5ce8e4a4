//! The blocks of a table: where White's and Black's columns stand on its surface, and in which rows
//! they have cells.

use super::MAX_ROWS;
use super::cell_probability::{log_odds, mean_over, places_in_cell, places_in_row};
use super::columns::{BlockColumns, find_columns};
use super::fit::{FittedTable, MAX_FURTHER_ROWS};
use super::parameters::{Parameters, RowParameters};
use super::refine::EdgePlaces;
use super::segmentation::{Channel, Segmentation};

/// Places across a column at which an edge is looked up, as shares of its width.
const EDGE_PLACES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// A name fills about one in so many parts of its cell.
const HEAD_SHARE: f32 = 4.0;

/// A block on the surface of a table.
pub struct TableBlock<'a> {
    /// The table.
    pub table: &'a FittedTable,
    /// Its columns.
    pub columns: BlockColumns,
    /// Its first row and the one behind its last.
    pub rows: (i32, i32),
}

impl TableBlock<'_> {
    /// Where its edges lie on the form.
    pub fn edge_places(&self) -> EdgePlaces {
        let height = |edge: i32| f64::from(edge) / self.table.rows as f64;
        EdgePlaces {
            columns: [self.columns.white, self.columns.black],
            heights: (self.rows.0..=self.rows.1).map(height).collect(),
        }
    }
}

/// The blocks of a table that have enough rows, from left to right.
///
/// Blocks of a form mostly have the same rows: a block has others than all together only where the
/// maps say so clearly.
pub fn find_blocks<'a>(
    table: &'a FittedTable,
    maps: &Segmentation,
    parameters: &Parameters,
) -> Vec<TableBlock<'a>> {
    let columns = find_columns(table, maps, &parameters.columns);
    let scores: Vec<RowScores> = columns
        .iter()
        .map(|columns| RowScores::take(table, columns, maps, &parameters.rows))
        .collect();
    let runs: Vec<Run> = scores.iter().map(RowScores::best_run).collect();
    let of_all = |run: &Run| scores.iter().map(|scores| scores.of(*run)).sum::<f32>();
    let shared = runs
        .iter()
        .max_by(|a, b| of_all(a).total_cmp(&of_all(b)))
        .copied();
    let blocks = columns.into_iter().zip(scores.iter().zip(&runs));
    let blocks = blocks.filter_map(|(columns, (scores, &own))| {
        let shared = shared?;
        let gain = scores.of(own) - scores.of(shared);
        let (start, end) = if gain > parameters.rows.min_own_rows_gain {
            own
        } else {
            shared
        };
        let rows = (scores.first + start as i32, scores.first + end as i32);
        (end - start >= parameters.rows.min_rows).then_some(TableBlock {
            table,
            columns,
            rows,
        })
    });
    blocks.collect()
}

/// Index of a first row and of the one behind a last.
type Run = (usize, usize);

/// How much the maps speak for the rows of a block, in nats.
struct RowScores {
    /// The first row that is looked at, counted from v = 0.
    first: i32,
    /// By row: log-odds of its two cells and of its number.
    cells: Vec<f32>,
    /// By edge, the one above each row and the last below: weighted log-odds of an edge.
    edges: Vec<f32>,
}

impl RowScores {
    fn take(
        table: &FittedTable,
        columns: &BlockColumns,
        maps: &Segmentation,
        parameters: &RowParameters,
    ) -> Self {
        let (surface, rows) = (&table.surface, table.rows);
        let first = -MAX_FURTHER_ROWS;
        let last = rows as i32 + MAX_FURTHER_ROWS;
        let both = [columns.white, columns.black];
        let cells = (first..last).map(|row| {
            let of_cell = |bounds| {
                let places = places_in_cell(surface, rows, bounds, row);
                let head = mean_over(&places, |p| maps.at(Channel::Heads, p));
                let against = parameters.head_weight * log_odds(HEAD_SHARE * head).max(0.0);
                log_odds(mean_over(&places, |p| maps.cell_at(p))) - against
            };
            let number = columns.number_u.map_or(0.0, |u| {
                let places = places_in_row(surface, rows, u, row);
                let seen = places.map(|p| maps.at(Channel::Numbers, p));
                log_odds(seen.iter().sum::<f32>() / seen.len() as f32)
            });
            both.map(of_cell).iter().sum::<f32>() + parameters.number_weight * number
        });
        let edges = (first..=last).map(|edge| {
            let v = f64::from(edge) / rows as f64;
            let places = both.into_iter().flat_map(|[left, right]| {
                EDGE_PLACES.map(|share| surface.at(left + share * (right - left), v))
            });
            let sum: f32 = places.map(|p| maps.at(Channel::Row, p)).sum();
            parameters.end_edge_weight * log_odds(sum / (2 * EDGE_PLACES.len()) as f32)
        });
        Self {
            first,
            cells: cells.collect(),
            edges: edges.collect(),
        }
    }

    /// Score of a run: that of its cells, and of the edges at its two ends.
    fn of(&self, (start, end): Run) -> f32 {
        self.cells[start..end].iter().sum::<f32>() + self.edges[start] + self.edges[end]
    }

    /// The run with the best score of those that are not too long.
    fn best_run(&self) -> Run {
        let count = self.cells.len();
        let ends = |start: usize| start + 1..=count.min(start + MAX_ROWS);
        let runs = (0..count).flat_map(|start| ends(start).map(move |end| (start, end)));
        runs.max_by(|a, b| self.of(*a).total_cmp(&self.of(*b)))
            .unwrap_or((0, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores of rows of which these are seen well and those badly, with sharp edges at the ends of
    /// the first ones.
    fn scores(seen: std::ops::Range<usize>, faint: &[usize]) -> RowScores {
        let cells = (0..20).map(|row| match seen.contains(&row) {
            true if faint.contains(&row) => -0.5,
            true => 4.0,
            false => -4.0,
        });
        let edges = (0..=20).map(|edge| match (seen.start..=seen.end).contains(&edge) {
            true => 2.0,
            false => -2.0,
        });
        RowScores {
            first: -3,
            cells: cells.collect(),
            edges: edges.collect(),
        }
    }

    #[test]
    fn a_block_ends_where_cells_and_edges_do() {
        assert_eq!(scores(3..17, &[]).best_run(), (3, 17));
        assert_eq!(scores(3..17, &[8]).best_run(), (3, 17));
    }

    #[test]
    fn a_faint_last_row_that_ends_in_an_edge_belongs_to_the_block() {
        let mut scores = scores(3..17, &[16]);
        scores.edges[16] = 0.5;
        assert_eq!(scores.best_run(), (3, 17));
    }
}
