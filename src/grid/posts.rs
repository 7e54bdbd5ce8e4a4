//! Lines down the columns of a block, along which its rows are compared with what the table model sees.

use super::Block;
use super::maps::{Maps, Plane};
use super::view::View;
use crate::geometry::{Point, Quad};

/// Fewest lines down a column, and most; the first and the last are its sides. Between them there are as many as its rows
/// are wider than high, so that an edge that falls steeply stays near where it is at the line beside.
const PLACES: (usize, usize) = (5, 13);

/// A line down a column and where the edges between rows cross it, in pixels of the view.
pub struct Post {
    /// Whether it is Black's column.
    pub black: bool,
    /// Where it crosses the column: 0 on its left side, 1 on its right one.
    pub share: f64,
    edges: Vec<Point>,
}

impl Post {
    /// The place so many rows below the first edge; beyond the ends the rows go on.
    pub fn at(&self, rows: f64) -> Point {
        let above = (rows.max(0.0) as usize).min(self.edges.len() - 2);
        self.edges[above].towards(self.edges[above + 1], rows - above as f64)
    }

    /// Probability that an edge of the maps lies so many rows below the first edge.
    pub fn seen(&self, maps: &Maps, rows: f64) -> f32 {
        let p = self.at(rows);
        maps.at(Plane::Row, p.x as f32, p.y as f32)
    }

    /// Number of its edges.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Mean x of its edges.
    pub fn x(&self) -> f64 {
        self.edges.iter().map(|p| p.x).sum::<f64>() / self.edges.len() as f64
    }
}

/// The lines down a block's columns, from left to right; none where it has no rows.
pub fn posts(block: &Block, view: &View) -> Vec<Post> {
    let column = |black: bool| {
        let quads: Vec<Quad> = block
            .rows
            .iter()
            .map(|row| if black { row.black } else { row.white }.map(|p| view.in_view(p)))
            .collect();
        let length =
            |from: usize, to: usize| quads.iter().map(|q| q[from].distance(q[to])).sum::<f64>();
        let wide = (length(0, 1) / length(0, 3)).round() as usize;
        let places = wide.clamp(PLACES.0, PLACES.1);
        (0..places)
            .filter(|_| !block.rows.is_empty())
            .map(move |place| {
                let share = place as f64 / (places - 1) as f64;
                let upper = quads.iter().map(|q| q[0].towards(q[1], share));
                let lower = quads.last().map(|q| q[3].towards(q[2], share));
                Post {
                    black,
                    share,
                    edges: upper.chain(lower).collect(),
                }
            })
    };
    let mut posts: Vec<Post> = column(false).chain(column(true)).collect();
    posts.sort_by(|a, b| a.x().total_cmp(&b.x()));
    posts
}

/// Lays the corners of a block's rows on its sides, so many rows below the first edge as `edges` tells for every post.
pub fn lay(block: &mut Block, posts: &[Post], edges: &[Vec<f64>], view: &View) {
    for (post, edges) in posts.iter().zip(edges) {
        let [top, bottom] = match post.share {
            0.0 => [0, 3],
            1.0 => [1, 2],
            _ => continue,
        };
        for (row, ends) in block.rows.iter_mut().zip(edges.windows(2)) {
            let quad: &mut Quad = if post.black {
                &mut row.black
            } else {
                &mut row.white
            };
            for (corner, &rows) in [top, bottom].into_iter().zip(ends) {
                let p = post.at(rows);
                quad[corner] = view.on_page((p.x as f32, p.y as f32));
            }
        }
    }
}
