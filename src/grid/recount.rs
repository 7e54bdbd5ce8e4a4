//! Blocks whose rows are counted anew along the edges that the table model sees: lines that are
//! traced across a curled page go over from one row to the next, and of rounded boxes or shaded
//! bands a ladder may take every second line or some twice.

use super::ladder;
use super::maps::Maps;
use super::posts::{self, Post};
use super::settle;
use super::view::View;
use super::{Block, Grid, MAX_ROWS, MIN_ROWS, Row};
use crate::robust::median;

/// Rows beyond either end of a block in which edges are looked for.
const BEYOND: f64 = 1.4;
/// Places to a row at which they are.
const FINE: usize = 12;
/// Probability from which there is an edge.
const EDGE: f32 = 0.35;
/// Rows, as they were found, that two edges lie apart at least; the lower edge of a box and the
/// upper one of the next are one.
const APART: f64 = 0.35;
/// And at most, in the same.
const WIDEST: f32 = 3.0;
/// Rows by which most edges may lie off where they are expected from the post beside.
const STEEP: f64 = 0.35;
/// Share of the edges that two posts show which must lie so: a post on which others do shows
/// nothing.
const ALIKE: f64 = 0.8;
/// Share of the posts that must show an edge.
const SHOWN: f64 = 0.3;
/// Share of them at which it must lie in the block as it was found, or no more than half a row
/// beyond.
const WITHIN: f64 = 0.25;
/// Rows from which an edge lies off, and share of them that must, for as many rows to be laid anew.
const OFF: f64 = 0.5;
/// See [`OFF`].
const MOVED: f64 = 0.05;
/// Edges more that must be met, each counted by how sure the model is of it.
const GAINED: f32 = 0.5;
/// Share of all edges, of all posts, that must be seen.
const CERTAIN: f64 = 0.7;

/// The table, settled, with those blocks laid anew whose edges, as they are seen, are others; rows
/// are numbered within their block.
pub fn recounted(mut grid: Grid, maps: &Maps, view: &View) -> Grid {
    let blocks = grid.blocks.into_iter().map(|block| {
        let settled = settle::settled(block, maps, view);
        counted(&settled, maps, view).unwrap_or(settled)
    });
    grid.blocks = blocks.collect();
    grid
}

/// The edges that a post shows: each with its number, the first that of 0, and the rows that it
/// lies below the first of the block.
type Shown = Vec<(i32, f64)>;

/// The block with other rows; None where the maps show those that it has, or are in doubt.
fn counted(block: &Block, maps: &Maps, view: &View) -> Option<Block> {
    let posts = posts::posts(block, view);
    let shown = linked(&posts, posts.iter().map(|p| shown(p, maps)).collect());
    let count = posts.len() as f64;
    let last = block.rows.len() as f64;
    let numbers = shown.iter().flatten().map(|e| e.0);
    let (lowest, highest) = (numbers.clone().min()?, numbers.max()?);
    let belongs = |number: &i32| {
        let rows = shown.iter().filter_map(|s| find(s, *number));
        let inside = rows.clone().filter(|r| (-0.5..=last + 0.5).contains(r));
        rows.count() as f64 >= SHOWN * count && inside.count() as f64 >= WITHIN * count
    };
    let first = (lowest..=highest).find(belongs)?;
    let last = (lowest..=highest).rev().find(belongs)?;
    let rows = last - first;
    let seen = shown
        .iter()
        .flatten()
        .filter(|e| (first..=last).contains(&e.0))
        .count();
    let off = shown
        .iter()
        .flatten()
        .filter(|e| (e.1 - f64::from(e.0 - first)).abs() > OFF);
    let moved = off.count() as f64 / seen as f64;
    if (rows as usize == block.rows.len() && moved < MOVED)
        || !(MIN_ROWS..=MAX_ROWS).contains(&rows)
        || (seen as f64) < CERTAIN * count * f64::from(rows + 1)
    {
        return None;
    }
    let edges: Vec<Vec<f64>> = (0..posts.len())
        .map(|i| filled(&shown, i, (first, last)))
        .collect();
    let mut laid = block.clone();
    let row = block.rows.first()?;
    let numbers = (row.number..).take(rows as usize);
    laid.rows = numbers
        .map(|number| Row {
            number,
            ..row.clone()
        })
        .collect();
    posts::lay(&mut laid, &posts, &edges, view);
    let laid = settle::settled(laid, maps, view);
    let met = |block: &Block| settle::met(block, maps, view).edges;
    (met(&laid) >= met(block) + GAINED).then_some(laid)
}

/// Rows below the first edge of the block at which a post shows an edge.
fn find(shown: &Shown, number: i32) -> Option<f64> {
    shown.iter().find(|e| e.0 == number).map(|e| e.1)
}

/// The edges that a post shows, numbered by their spacing.
fn shown(post: &Post, maps: &Maps) -> Shown {
    let rows = post.edges() as f64 - 1.0;
    let places = ((rows + 2.0 * BEYOND) * FINE as f64) as usize;
    let at = |place: usize| place as f64 / FINE as f64 - BEYOND;
    let odds: Vec<f32> = (0..places)
        .map(|place| post.seen(maps, at(place)))
        .collect();
    let peaks = (1..places.saturating_sub(1))
        .filter(|&p| odds[p] >= EDGE && odds[p] >= odds[p - 1] && odds[p] > odds[p + 1]);
    let mut edges: Vec<f64> = Vec::new();
    for rows in peaks.map(at) {
        match edges.last_mut() {
            Some(last) if rows - *last < APART => *last = (*last + rows) / 2.0,
            _ => edges.push(rows),
        }
    }
    let heights: Vec<f32> = edges.iter().map(|&rows| post.at(rows).y as f32).collect();
    let row = ((post.at(rows).y - post.at(0.0).y) / rows) as f32;
    let run = ladder::evenly(&heights, APART as f32 * row..=WIDEST * row);
    run.into_iter()
        .map(|(at, number)| (number, edges[at]))
        .collect()
}

/// The edges of all posts numbered alike, from the one that shows most on to either side; of one
/// whose edges do not go on in those of the post before, none.
fn linked(posts: &[Post], mut shown: Vec<Shown>) -> Vec<Shown> {
    let most = (0..posts.len()).max_by_key(|&i| shown[i].len());
    let first = most.unwrap_or_default();
    let right: Vec<usize> = (first + 1..posts.len()).collect();
    let left: Vec<usize> = (0..first).rev().collect();
    for order in [right, left] {
        let mut before = first;
        let mut fall = 0.0;
        for next in order {
            if shown[next].is_empty() {
                continue;
            }
            let far = (posts[next].x() - posts[before].x()).abs();
            let off = |shift: i32| {
                let pairs = shown[next].iter();
                let pairs =
                    pairs.filter_map(|e| find(&shown[before], e.0 + shift).map(|r| e.1 - r));
                median(pairs, f64::total_cmp)
            };
            let span = shown[before].len() as i32;
            let expected = fall * far;
            let Some((off, shift)) = (-span..=span)
                .filter_map(|shift| off(shift).map(|off| (off, shift)))
                .min_by(|a, b| (a.0 - expected).abs().total_cmp(&(b.0 - expected).abs()))
            else {
                shown[next].clear();
                continue;
            };
            let pairs = shown[next].iter().filter_map(|e| {
                let there = find(&shown[before], e.0 + shift)?;
                Some((e.1 - there - off).abs() <= STEEP)
            });
            let (count, agree) = pairs.fold((0, 0), |(n, k), near| (n + 1, k + usize::from(near)));
            if (off - expected).abs() > STEEP || (agree as f64) < ALIKE * f64::from(count) {
                shown[next].clear();
                continue;
            }
            for edge in &mut shown[next] {
                edge.0 += shift;
            }
            fall = off / far.max(1.0);
            before = next;
        }
    }
    shown
}

/// Where the edges of a post lie, those that it does not show as they lie at the posts beside.
fn filled(shown: &[Shown], post: usize, (first, last): (i32, i32)) -> Vec<f64> {
    let by_distance = {
        let mut others: Vec<usize> = (0..shown.len()).collect();
        others.sort_by_key(|other| other.abs_diff(post));
        others
    };
    (first..=last)
        .map(|number| {
            let nearest = by_distance
                .iter()
                .find_map(|&other| find(&shown[other], number));
            nearest.unwrap_or_default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::super::NumberColumn;
    use super::super::maps::Plane;
    use super::*;
    use crate::geometry::Point;
    use crate::page::Page;

    const SIZE: (u32, u32) = (600, 640);

    /// A table of one block of so many rows between two heights, which fall by `fall` towards the
    /// right.
    fn table(rows: u32, (top, bottom): (f64, f64), fall: fn(f64) -> f64) -> Grid {
        let corner = |x: f64, edge: u32| {
            let y = top + (bottom - top) * f64::from(edge) / f64::from(rows);
            Point::new(x, y + fall(x))
        };
        let row = |number: u32| {
            let quad = |left: f64, right: f64| {
                let [above, below] = [number - 1, number];
                [(left, above), (right, above), (right, below), (left, below)]
                    .map(|(x, edge)| corner(x, edge))
            };
            Row {
                number,
                white: quad(60.0, 290.0),
                black: quad(290.0, 520.0),
            }
        };
        Grid {
            blocks: vec![Block {
                rows: (1..=rows).map(row).collect(),
                number_column: NumberColumn::Absent,
            }],
            ..Grid::default()
        }
    }

    /// The table recounted where the model sees the edges of another one, of 20 rows from 40 to 600
    /// that fall so, and the pixels by which corners lie off that one's.
    fn becomes(found: Grid, fall: fn(f64) -> f64) -> (Grid, f64) {
        let edge = |plane, x: f32, y: f32| {
            let y = f64::from(y) - fall(f64::from(x)) - 40.0;
            let off = (y - (y / 28.0).round().clamp(0.0, 20.0) * 28.0).abs();
            if plane == Plane::Row && off < 4.0 {
                0.9
            } else {
                0.05
            }
        };
        let maps = Maps::made(SIZE, edge);
        let picture = GrayImage::new(SIZE.0, SIZE.1);
        let page = Page::new("a.png".into(), 1, String::new(), picture);
        let found = recounted(found, &maps, &View::turned(&page, 0.0));
        let corners = |grid: &Grid| -> Vec<Point> {
            let rows = &grid.blocks[0].rows;
            rows.iter()
                .flat_map(|r| [r.white, r.black].concat())
                .collect()
        };
        let wanted = corners(&table(20, (40.0, 600.0), fall));
        let apart = corners(&found).into_iter().zip(wanted);
        let off = apart.map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
        (found, off)
    }

    #[test]
    fn a_block_of_every_second_line_has_all_rows_afterwards() {
        let (found, off) = becomes(table(10, (40.0, 600.0), |_| 0.0), |_| 0.0);
        assert_eq!(found.blocks[0].rows.len(), 20);
        assert!(off < 6.0, "{off} pixels off");
        let numbers = found.blocks[0].rows.iter().map(|row| row.number);
        assert!(numbers.eq(1..=20));
    }

    #[test]
    fn a_row_too_many_among_the_others_is_left_out() {
        let (found, off) = becomes(table(21, (40.0, 600.0), |_| 0.0), |_| 0.0);
        assert_eq!(found.blocks[0].rows.len(), 20);
        assert!(off < 6.0, "{off} pixels off");
    }

    #[test]
    fn rows_that_go_over_into_the_next_one_are_laid_anew() {
        // Traced level, but a row and a half lower at the right than at the left.
        let fall = |x: f64| 42.0 * ((x - 60.0) / 460.0);
        let (found, off) = becomes(table(20, (61.0, 621.0), |_| 0.0), fall);
        assert_eq!(found.blocks[0].rows.len(), 20);
        assert!(off < 6.0, "{off} pixels off");
    }

    #[test]
    fn rows_that_are_right_stay() {
        let right = table(20, (40.0, 600.0), |x| x / 40.0);
        let (found, _) = becomes(right.clone(), |x| x / 40.0);
        assert_eq!(found, right);
    }
}
