//! Rows laid on the edges that the table model sees, place by place across a block: on a curled page the lines along which
//! a table is found end before its cells do, or run off them.

use super::Block;
use super::maps::Maps;
use super::posts::{self, Post};
use super::view::View;

/// Rows by which edges are moved.
const STEP: f64 = 0.05;
/// Steps by which an edge may lie off the same edge at the place beside.
const APART: i32 = 6;
/// What it costs, in edges that the model is sure of, that an edge is moved a row more than the one above it; the square of less.
const UNEVEN: f64 = 8.0;
/// The same for one that is moved a row more than at the place beside.
const ALONE: f64 = 0.3;
/// Times that the first place is looked at, each time from where it was before.
const LOOKS: usize = 4;
/// Mean probability of an edge that must be gained over all places of a block: lines that are printed are laid exactly as it is.
const GAINED: f32 = 0.06;

/// Places to a row at which edges are looked for.
const PARTS: usize = 8;

/// How far each edge lies below where it was thought to be, in rows.
type Bend = Vec<f64>;

/// The block with its rows on the edges that the maps show, where clearly more edges are met so.
pub fn settled(block: Block, maps: &Maps, view: &View) -> Block {
    settled_for(block, maps, view, GAINED)
}

/// The same where so much more is met in the mean.
pub fn settled_for(mut block: Block, maps: &Maps, view: &View, least: f32) -> Block {
    let posts = posts::posts(&block, view);
    let level = vec![0.0; block.rows.len() + 1];
    let unbent: Vec<f32> = posts.iter().map(|p| seen(p, maps, &level)).collect();
    let Some(first) = (0..posts.len()).max_by(|&a, &b| unbent[a].total_cmp(&unbent[b])) else {
        return block;
    };
    let bends = bends(&posts, maps, first);
    let bent = posts
        .iter()
        .zip(&bends)
        .map(|(p, bend)| seen(p, maps, bend));
    let gained = bent.sum::<f32>() - unbent.iter().sum::<f32>();
    if gained >= least * posts.len() as f32 {
        let edges: Vec<Vec<f64>> = bends.iter().map(|bend| below(bend).collect()).collect();
        posts::lay(&mut block, &posts, &edges, view);
    }
    block
}

/// How a block's edges and those that the maps show agree.
pub struct Met {
    /// Number of its edges that the maps show, each counted by how sure the model is of it.
    pub edges: f32,
    /// Of the edges that the maps show down its columns, the share that lies where its own do: that of a table of every second row
    /// is small, all of whose edges are met.
    pub recalled: f32,
}

/// How far the maps show a block's edges, and no others between them.
pub fn met(block: &Block, maps: &Maps, view: &View) -> Met {
    let posts = posts::posts(block, view);
    let rows = block.rows.len();
    let level = vec![0.0; rows + 1];
    let edges: f32 = posts.iter().map(|p| seen(p, maps, &level)).sum();
    let (mut near, mut all) = (0.0, 0.0);
    for post in &posts {
        for place in 0..=PARTS * rows {
            let seen = post.seen(maps, place as f64 / PARTS as f64);
            let from_edge = (place % PARTS).min(PARTS - place % PARTS);
            all += seen;
            near += if from_edge <= 1 { seen } else { 0.0 };
        }
    }
    Met {
        edges: edges * level.len() as f32 / posts.len().max(1) as f32,
        recalled: if all > 0.0 { near / all } else { 0.0 },
    }
}

/// Where the edges lie, in rows below the first one.
fn below(bend: &Bend) -> impl Iterator<Item = f64> {
    bend.iter().enumerate().map(|(edge, by)| edge as f64 + by)
}

/// Mean probability that an edge of the maps lies where a post's do.
fn seen(post: &Post, maps: &Maps, bend: &Bend) -> f32 {
    let seen = below(bend).map(|rows| post.seen(maps, rows));
    seen.sum::<f32>() / bend.len() as f32
}

/// The bend near another one that meets most and changes least from edge to edge (Viterbi's search).
fn bent(post: &Post, maps: &Maps, near: &Bend) -> Bend {
    let moves: Vec<f64> = (-APART..=APART).map(|by| f64::from(by) * STEP).collect();
    let worth = |edge: usize, by: f64| {
        f64::from(post.seen(maps, edge as f64 + near[edge] + by)) - ALONE * by * by
    };
    let best_of = |sums: &[f64]| (0..sums.len()).max_by(|&a, &b| sums[a].total_cmp(&sums[b]));
    let mut best: Vec<f64> = moves.iter().map(|&by| worth(0, by)).collect();
    let mut above: Vec<Vec<usize>> = Vec::with_capacity(near.len());
    for edge in 1..near.len() {
        let between = near[edge] - near[edge - 1];
        let (from, sums): (Vec<usize>, Vec<f64>) = moves
            .iter()
            .map(|&by| {
                let cost = |&above: &f64| UNEVEN * (between + by - above).powi(2);
                let reached: Vec<f64> = moves
                    .iter()
                    .zip(&best)
                    .map(|(above, sum)| sum - cost(above))
                    .collect();
                let from = best_of(&reached).unwrap_or(0);
                (from, reached[from] + worth(edge, by))
            })
            .unzip();
        best = sums;
        above.push(from);
    }
    let mut state = best_of(&best).unwrap_or(0);
    let mut bend = near.clone();
    for edge in (0..near.len()).rev() {
        bend[edge] += moves[state];
        if edge > 0 {
            state = above[edge - 1][state];
        }
    }
    bend
}

/// The bend of each place, from the first one on to either side, each near its neighbour's.
fn bends(posts: &[Post], maps: &Maps, first: usize) -> Vec<Bend> {
    let level = vec![0.0; posts[first].edges()];
    let mut bends = vec![level; posts.len()];
    for _ in 0..LOOKS {
        bends[first] = bent(&posts[first], maps, &bends[first]);
    }
    for i in first + 1..posts.len() {
        bends[i] = bent(&posts[i], maps, &bends[i - 1]);
    }
    for i in (0..first).rev() {
        bends[i] = bent(&posts[i], maps, &bends[i + 1]);
    }
    bends
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::super::maps::Plane;
    use super::super::{NumberColumn, Row};
    use super::*;
    use crate::geometry::{Point, Quad};
    use crate::page::Page;

    const SIZE: (u32, u32) = (600, 640);
    const ROWS: u32 = 20;
    const HIGH: f64 = 28.0;

    /// A block of level rows, each edge moved down by what lies at its corner.
    fn block(fall: impl Fn(f64) -> f64) -> Block {
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
        Block {
            rows: (0..ROWS).map(row).collect(),
            number_column: NumberColumn::Absent,
        }
    }

    /// Maps that show the edges of such a block.
    fn maps(fall: fn(f64) -> f64) -> Maps {
        Maps::made(SIZE, |plane, x, y| {
            let y = (f64::from(y) - fall(f64::from(x)) - 20.0) / HIGH;
            let near = (y - y.round()).abs() * HIGH < 4.0;
            if plane == Plane::Row && near {
                0.9
            } else {
                0.05
            }
        })
    }

    fn view() -> View {
        let picture = GrayImage::new(SIZE.0, SIZE.1);
        View::turned(&Page::new("a.png".into(), 1, String::new(), picture), 0.0)
    }

    /// The block of level rows settled on edges that lie lower by what is said, and how far off it is then at the most, in rows.
    fn off(fall: fn(f64) -> f64) -> (Block, f64) {
        let found = settled(block(|_| 0.0), &maps(fall), &view());
        let wanted = block(fall);
        let corners = |b: &Block| -> Vec<Point> {
            b.rows
                .iter()
                .flat_map(|r| [r.white, r.black].concat())
                .collect()
        };
        let apart = corners(&found)
            .into_iter()
            .zip(corners(&wanted))
            .map(|(a, b)| (a.y - b.y).abs() / HIGH);
        let most = apart.fold(0.0, f64::max);
        (found, most)
    }

    #[test]
    fn rows_follow_edges_that_fall_towards_a_side() {
        // Three quarters of a row lower at the right: by itself, a cell there would be taken for one of the next row.
        let (_, off) = off(|x| 21.0 * ((x - 60.0) / 460.0).powi(2));
        assert!(off < 0.2, "{off} rows off");
    }

    #[test]
    fn rows_that_lie_on_their_edges_stay_where_they_are() {
        let (found, _) = off(|_| 0.0);
        assert_eq!(found, block(|_| 0.0));
    }
    #[test]
    fn of_a_table_of_every_second_row_all_edges_are_met_and_half_are_recalled() {
        let all = block(|_| 0.0);
        let mut half = all.clone();
        let pairs = all.rows.chunks(2).map(|pair| {
            let over = |of: fn(&Row) -> &Quad| {
                let (upper, lower) = (of(&pair[0]), of(&pair[1]));
                [upper[0], upper[1], lower[2], lower[3]]
            };
            Row {
                number: pair[0].number,
                white: over(|row| &row.white),
                black: over(|row| &row.black),
            }
        });
        half.rows = pairs.collect();
        let [all, half] = [all, half].map(|block| met(&block, &maps(|_| 0.0), &view()));
        assert!(
            all.edges > 16.0 && all.recalled > 0.8,
            "{} {}",
            all.edges,
            all.recalled
        );
        assert!(
            half.edges > 8.5 && half.recalled < 0.6,
            "{} {}",
            half.edges,
            half.recalled
        );
    }
}
