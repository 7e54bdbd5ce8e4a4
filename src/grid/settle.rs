//! Rows laid on the edges that the table model sees, place by place across a block: on a curled page the lines along which
//! a table is found end before its cells do, or run off them.

use super::maps::{Maps, Plane};
use super::view::View;
use super::{Block, Grid};
use crate::geometry::{Point, Quad};

/// Places across a cell at which its rows are laid; the first and the last are its sides.
const PLACES: usize = 5;
/// Rows by which a bend's values are moved in turn.
const STEPS: [f64; 4] = [0.16, 0.08, 0.04, 0.02];
/// Rows by which the bend of a place may differ from its neighbour's in any of its values.
const APART: f64 = 0.3;
/// Mean probability of an edge that must be gained over all places of a block: lines that are printed are laid exactly as it is.
const GAINED: f32 = 0.06;

/// How far rows lie below where they were thought to be, in rows: at the middle of a block, more at its foot than
/// there, and more at both ends than there.
type Bend = [f64; 3];

/// The table with each block's rows on the edges that the maps show, where clearly more edges are met so.
pub fn settled(mut grid: Grid, maps: &Maps, view: &View) -> Grid {
    for block in &mut grid.blocks {
        let posts = posts(block, view);
        let unbent: Vec<f32> = posts.iter().map(|p| p.met(maps, &[0.0; 3])).collect();
        let first = (0..posts.len()).max_by(|&a, &b| unbent[a].total_cmp(&unbent[b]));
        let (Some(first), true) = (first, block.rows.len() > 1) else {
            continue;
        };
        let bends = bends(&posts, maps, first);
        let bent = posts.iter().zip(&bends).map(|(p, bend)| p.met(maps, bend));
        let bent: Vec<f32> = bent.collect();
        let mean = |met: &[f32]| met.iter().sum::<f32>() / posts.len() as f32;
        if mean(&bent) < mean(&unbent) + GAINED {
            continue;
        }
        for (post, bend) in posts.iter().zip(&bends) {
            let Some(right) = post.side else { continue };
            for (r, row) in block.rows.iter_mut().enumerate() {
                let quad: &mut Quad = if post.black {
                    &mut row.black
                } else {
                    &mut row.white
                };
                let [top, bottom] = if right { [1, 2] } else { [0, 3] };
                for (corner, edge) in [(top, r), (bottom, r + 1)] {
                    let p = post.at(edge, bend);
                    quad[corner] = view.on_page((p.x as f32, p.y as f32));
                }
            }
        }
    }
    grid
}

/// Where the edges between rows cross a line down a column, in pixels of the view.
struct Post {
    black: bool,
    /// Whether the line is the right side of the column or its left one, if it is a side.
    side: Option<bool>,
    edges: Vec<Point>,
}

impl Post {
    /// Place of an edge moved along the post.
    fn at(&self, edge: usize, bend: &Bend) -> Point {
        let last = self.edges.len() - 1;
        let (above, below) = (
            self.edges[edge.saturating_sub(1)],
            self.edges[(edge + 1).min(last)],
        );
        let rows = ((edge + 1).min(last) - edge.saturating_sub(1)).max(1) as f64;
        let t = 2.0 * edge as f64 / last as f64 - 1.0;
        let by = (bend[0] + bend[1] * t + bend[2] * t * t) / rows;
        let p = self.edges[edge];
        Point::new(
            p.x + by * (below.x - above.x),
            p.y + by * (below.y - above.y),
        )
    }

    /// Mean probability that an edge of the maps lies where the post's do.
    fn met(&self, maps: &Maps, bend: &Bend) -> f32 {
        let of = |edge: usize| {
            let p = self.at(edge, bend);
            maps.at(Plane::Row, p.x as f32, p.y as f32)
        };
        (0..self.edges.len()).map(of).sum::<f32>() / self.edges.len() as f32
    }

    /// The bend near another one that meets most.
    fn bent(&self, maps: &Maps, near: Bend) -> Bend {
        let mut best = (self.met(maps, &near), near);
        for step in STEPS {
            loop {
                let before = best.0;
                for value in 0..near.len() {
                    for by in [-step, step] {
                        let mut bend = best.1;
                        bend[value] += by;
                        let met = self.met(maps, &bend);
                        if (bend[value] - near[value]).abs() <= APART && met > best.0 {
                            best = (met, bend);
                        }
                    }
                }
                if best.0 <= before {
                    break;
                }
            }
        }
        best.1
    }
}

/// The lines down a block's columns, from left to right.
fn posts(block: &Block, view: &View) -> Vec<Post> {
    let column = |black: bool| {
        let quads: Vec<Quad> = block
            .rows
            .iter()
            .map(|row| if black { row.black } else { row.white }.map(|p| view.in_view(p)))
            .collect();
        (0..PLACES).map(move |place| {
            let share = place as f64 / (PLACES - 1) as f64;
            let along = |a: Point, b: Point| {
                Point::new(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y))
            };
            let upper = quads.iter().map(|q| along(q[0], q[1]));
            let lower = quads.last().map(|q| along(q[3], q[2]));
            Post {
                black,
                side: (place == 0 || place == PLACES - 1).then_some(place > 0),
                edges: upper.chain(lower).collect(),
            }
        })
    };
    let mut posts: Vec<Post> = column(false).chain(column(true)).collect();
    let middle = |post: &Post| post.edges.iter().map(|p| p.x).sum::<f64>();
    posts.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    posts
}

/// The bend of each place, from the first one on to either side, each near its neighbour's.
fn bends(posts: &[Post], maps: &Maps, first: usize) -> Vec<Bend> {
    let mut bends = vec![[0.0; 3]; posts.len()];
    bends[first] = posts[first].bent(maps, [0.0; 3]);
    for i in first + 1..posts.len() {
        bends[i] = posts[i].bent(maps, bends[i - 1]);
    }
    for i in (0..first).rev() {
        bends[i] = posts[i].bent(maps, bends[i + 1]);
    }
    bends
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::super::{NumberColumn, Row};
    use super::*;
    use crate::page::Page;

    const SIZE: (u32, u32) = (600, 640);
    const ROWS: u32 = 20;
    const HIGH: f64 = 28.0;

    /// A block of level rows, each edge moved down by what lies at its corner.
    fn block(fall: impl Fn(f64) -> f64) -> Grid {
        let row = |number: u32| {
            let quad = |left: f64, right: f64| {
                let y = 20.0 + HIGH * f64::from(number);
                let corner = |x: f64, y: f64| Point::new(x, y + fall(x));
                [
                    corner(left, y),
                    corner(right, y),
                    corner(right, y + HIGH),
                    corner(left, y + HIGH),
                ]
            };
            Row {
                number: number + 1,
                white: quad(60.0, 290.0),
                black: quad(290.0, 520.0),
            }
        };
        let rows = (0..ROWS).map(row).collect();
        let number_column = NumberColumn::Absent;
        Grid {
            blocks: vec![Block {
                rows,
                number_column,
            }],
            ..Grid::default()
        }
    }

    /// The block of level rows settled on edges that lie lower by what is said, and how far off it is then at the most, in rows.
    fn off(fall: fn(f64) -> f64) -> (Grid, f64) {
        let edge = |plane, x: f32, y: f32| {
            let y = (f64::from(y) - fall(f64::from(x)) - 20.0) / HIGH;
            let near = (y - y.round()).abs() * HIGH < 4.0;
            if plane == Plane::Row && near {
                0.9
            } else {
                0.05
            }
        };
        let maps = Maps::made(SIZE, edge);
        let page = Page::new(
            "a.png".into(),
            1,
            String::new(),
            GrayImage::new(SIZE.0, SIZE.1),
        );
        let grid = settled(block(|_| 0.0), &maps, &View::turned(&page, 0.0));
        let (found, wanted) = (&grid.blocks[0], &block(fall).blocks[0]);
        let corners = |b: &Block| -> Vec<Point> {
            b.rows
                .iter()
                .flat_map(|r| [r.white, r.black].concat())
                .collect()
        };
        let apart = corners(found)
            .into_iter()
            .zip(corners(wanted))
            .map(|(a, b)| (a.y - b.y).abs() / HIGH);
        let most = apart.fold(0.0, f64::max);
        (grid, most)
    }

    #[test]
    fn rows_follow_edges_that_fall_towards_a_side() {
        // Three quarters of a row lower at the right: by itself, a cell there would be taken for one of the next row.
        let (_, off) = off(|x| 21.0 * ((x - 60.0) / 460.0).powi(2));
        assert!(off < 0.2, "{off} rows off");
    }

    #[test]
    fn rows_that_lie_on_their_edges_stay_where_they_are() {
        let (grid, _) = off(|_| 0.0);
        assert_eq!(grid, block(|_| 0.0));
    }
}
