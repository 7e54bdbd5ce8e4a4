//! Tables laid along the strips that the table model sees, without any line: on a page in strong
//! perspective, or one without upright lines, what is traced is seldom all of a table, but White's
//! and Black's columns stand apart on the maps.

use imageproc::region_labelling::{Connectivity, connected_components};

use super::columns::MOST_BLOCKS;
use super::maps::Maps;
use super::outline::Curve;
use super::posts::{self, Post};
use super::settle;
use super::table;
use super::view::View;
use super::{Block, Grid, MAX_ROWS, MIN_ROWS, NumberColumn, Row, Side};
use crate::geometry::Point;

/// Pixels of the maps between two cells of a strip that are closed: boxes stand apart.
const CLOSED: u32 = 4;
/// A strip's least area by the largest one's: the last block of some forms has a quarter of the
/// others' rows.
const LEAST: f64 = 0.15;
/// Shares of a strip's height between which its sides are taken.
const INNER: (f64, f64) = (0.03, 0.97);
/// Places across a strip at which its ends are looked for.
const ACROSS: usize = 16;
/// Places across a column along which its rows are counted.
const PROBED: [f64; 3] = [0.25, 0.5, 0.75];
/// How much deeper a block's foot is thought to lie than its head, in steps, and how many of these
/// either way.
const DEEPER: f64 = 0.0125;
/// See [`DEEPER`].
const DEPTHS: i32 = 48;
/// Width of what lies between White and Black, by that of White, from which it is a column of
/// numbers.
const BETWEEN: f64 = 0.12;

/// The table along the strips of the maps, in the order of reading; None where no White and Black
/// stand beside each other.
pub fn find(maps: &Maps, view: &View) -> Option<Grid> {
    let strips = strips(maps);
    let pairs = strips.windows(2).filter_map(|pair| {
        let [white, black] = pair else { return None };
        (white.side == Side::White && black.side == Side::Black)
            .then(|| block(white, black, maps, view))
    });
    let blocks: Vec<Block> = pairs.collect();
    if blocks.is_empty() || blocks.len() > MOST_BLOCKS {
        return None;
    }
    let corner = |quad: &dyn Fn(&Block) -> Option<Point>, block: Option<&Block>| {
        let p = view.in_view(block.and_then(quad)?);
        Some((p.x as f32, p.y as f32))
    };
    let (first, last) = (blocks.first(), blocks.last());
    let corners = [
        corner(&|b| Some(b.rows.first()?.white[0]), first)?,
        corner(&|b| Some(b.rows.first()?.black[1]), last)?,
        corner(&|b| Some(b.rows.last()?.black[2]), last)?,
        corner(&|b| Some(b.rows.last()?.white[3]), first)?,
    ];
    let rows = first.map_or(0, |b| b.rows.len() as i32);
    let (header, result) = table::regions(corners, rows, view);
    Some(Grid {
        blocks,
        header,
        result,
    })
}

/// A column of cells in pixels of the view.
struct Strip {
    side: Side,
    /// Left and right side: x by y.
    sides: [Curve; 2],
    /// Upper and lower end: y by the share of the way from the left side to the right one.
    ends: [Curve; 2],
    /// Mean x.
    middle: f64,
}

impl Strip {
    /// Where its left side (0) or its right one (1) crosses an end of it, the upper (0) or the
    /// lower one (1).
    fn corner(&self, side: usize, end: usize) -> Point {
        let y = self.ends[end].at(side as f64);
        Point::new(self.sides[side].at(y), y)
    }
}

/// The strips of the maps from left to right.
fn strips(maps: &Maps) -> Vec<Strip> {
    let mut players = maps.players();
    let (width, height) = players.dimensions();
    for x in 0..width {
        let mut last: Option<(u32, u8)> = None;
        for y in 0..height {
            let player = players.get_pixel(x, y).0;
            if player[0] == 0 {
                continue;
            }
            if let Some((above, same)) = last
                && same == player[0]
                && y - above <= CLOSED + 1
            {
                (above + 1..y).for_each(|between| players.get_pixel_mut(x, between).0 = player);
            }
            last = Some((y, player[0]));
        }
    }
    let labels = connected_components(&players, Connectivity::Four, image::Luma([0]));
    let mut places: Vec<Vec<(u32, u32)>> = Vec::new();
    for (x, y, label) in labels.enumerate_pixels() {
        let label = label.0[0] as usize;
        places.resize(places.len().max(label + 1), Vec::new());
        if label > 0 {
            places[label].push((x, y));
        }
    }
    let largest = places.iter().map(Vec::len).max().unwrap_or(0);
    let large = places
        .iter()
        .filter(|p| p.len() as f64 >= LEAST * largest as f64);
    let mut strips: Vec<Strip> = large
        .filter_map(|places| {
            let &(x, y) = places.first()?;
            let side = if players.get_pixel(x, y).0[0] == 1 {
                Side::White
            } else {
                Side::Black
            };
            Some(strip(side, places, f64::from(maps.pixel())))
        })
        .collect();
    strips.sort_by(|a, b| a.middle.total_cmp(&b.middle));
    strips
}

/// The strip of some places on the maps, so many pixels of the view large.
fn strip(side: Side, places: &[(u32, u32)], pixel: f64) -> Strip {
    let sides = sides(places, pixel);
    let mut across = [[f64::INFINITY, f64::NEG_INFINITY]; ACROSS];
    for &(x, y) in places {
        let middle = Point::new(
            (f64::from(x) + 0.5) * pixel - 0.5,
            (f64::from(y) + 0.5) * pixel - 0.5,
        );
        let [left, right] = sides.each_ref().map(|side| side.at(middle.y));
        let share = (middle.x - left) / (right - left).max(1.0);
        if let Some([top, bottom]) = across.get_mut((share.max(0.0) * ACROSS as f64) as usize) {
            *top = top.min(middle.y - pixel / 2.0);
            *bottom = bottom.max(middle.y + pixel / 2.0);
        }
    }
    let ends = [0, 1].map(|end| {
        let met = across
            .iter()
            .enumerate()
            .filter(|(_, ends)| ends[0] < ends[1]);
        let points = met.map(|(i, ends)| ((i as f64 + 0.5) / ACROSS as f64, ends[end]));
        Curve::through(&points.collect::<Vec<_>>(), Some(0.0))
    });
    let xs = places.iter().map(|p| (f64::from(p.0) + 0.5) * pixel - 0.5);
    Strip {
        side,
        sides,
        ends,
        middle: xs.sum::<f64>() / places.len() as f64,
    }
}

/// The left and the right side of some places on the maps.
fn sides(places: &[(u32, u32)], pixel: f64) -> [Curve; 2] {
    let mut lines: Vec<(u32, u32)> = places.iter().map(|&(x, y)| (y, x)).collect();
    lines.sort_unstable();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return [Curve::default(); 2];
    };
    let share = |y: u32| f64::from(y - first.0) / f64::from((last.0 - first.0).max(1));
    let inner: Vec<[(u32, u32); 2]> = lines
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|line| (INNER.0..=INNER.1).contains(&share(line[0].0)))
        .filter_map(|line| {
            // Spots beside the strip that hang together with it elsewhere are none of it.
            let runs = line.chunk_by(|a, b| a.1 + 1 == b.1);
            let longest = runs.max_by_key(|run| run.len())?;
            Some([longest[0], longest[longest.len() - 1]])
        })
        .collect();
    // A place is a square of the maps: its sides lie half of it from its middle.
    [0, 1].map(|end| {
        let points = inner.iter().map(|ends| {
            let (y, x) = ends[end];
            let middle = (f64::from(y) + 0.5) * pixel - 0.5;
            (middle, (f64::from(x) + end as f64) * pixel - 0.5)
        });
        Curve::through(&points.collect::<Vec<_>>(), None)
    })
}

/// The block of two strips, with as many rows as the maps show edges of.
fn block(white: &Strip, black: &Strip, maps: &Maps, view: &View) -> Block {
    let between = black.corner(0, 0).x - white.corner(1, 0).x;
    let wide = white.corner(1, 0).x - white.corner(0, 0).x;
    let laid = |(rows, depth): (i32, f64)| {
        let quad = |strip: &Strip, row: i32| {
            let corner = |side: usize, edge: i32| {
                let (top, bottom) = (strip.corner(side, 0), strip.corner(side, 1));
                let share = seen_from(depth, f64::from(edge) / f64::from(rows));
                let y = top.towards(bottom, share).y;
                view.on_page((strip.sides[side].at(y) as f32, y as f32))
            };
            [
                corner(0, row),
                corner(1, row),
                corner(1, row + 1),
                corner(0, row + 1),
            ]
        };
        let row = |row: i32| Row {
            number: row as u32 + 1,
            white: quad(white, row),
            black: quad(black, row),
        };
        Block {
            rows: (0..rows).map(row).collect(),
            number_column: if between > BETWEEN * wide {
                NumberColumn::Between
            } else {
                NumberColumn::Absent
            },
        }
    };
    let posts = posts::posts(&laid((1, 0.0)), view);
    let posts: Vec<&Post> = posts.iter().filter(|p| PROBED.contains(&p.share)).collect();
    let seen = |depth: f64, share: f64| {
        let of = posts.iter().map(|p| p.seen(maps, seen_from(depth, share)));
        of.sum::<f32>()
    };
    let told = |(rows, depth): (i32, f64)| {
        let at = |edge: f64| seen(depth, edge / f64::from(rows));
        let edges: f32 = (0..=rows).map(|edge| at(f64::from(edge))).sum();
        let middles: f32 = (0..rows).map(|row| at(f64::from(row) + 0.5)).sum();
        edges / (rows + 1) as f32 - middles / rows as f32
    };
    let depths = (-DEPTHS..=DEPTHS).map(|step| f64::from(step) * DEEPER);
    let thought = depths.flat_map(|depth| (MIN_ROWS..=MAX_ROWS).map(move |rows| (rows, depth)));
    let told = thought.map(|thought| (told(thought), thought));
    let best = told.max_by(|a, b| a.0.total_cmp(&b.0));
    let (_, rows) = best.unwrap_or((0.0, (MIN_ROWS, 0.0)));
    settle::settled_for(laid(rows), maps, view, 0.0)
}

/// Where a place lies that is a share of the way down a block seen in perspective: 0 and 1 stay,
/// and the deeper its foot lies the smaller the rows become towards it.
fn seen_from(depth: f64, share: f64) -> f64 {
    (1.0 + depth) * share / (1.0 + depth * share)
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::super::maps::Plane;
    use super::*;
    use crate::geometry::{Homography, Quad};
    use crate::page::Page;

    const SIZE: (u32, u32) = (900, 720);
    /// Rows of each block.
    const ROWS: usize = 16;
    /// Columns of the two blocks, White's before Black's, by the width of the table; numbers stand
    /// between the players of the second.
    const COLUMNS: [(f64, f64); 4] = [(0.0, 0.22), (0.24, 0.46), (0.55, 0.73), (0.82, 1.0)];
    /// Corners of the table, which leans as on a page photographed from one side.
    const CORNERS: [(f64, f64); 4] = [(60.0, 50.0), (850.0, 90.0), (690.0, 600.0), (120.0, 680.0)];

    /// The corners of a cell of one of the columns.
    fn cell(onto: &Homography, (left, right): (f64, f64), row: usize) -> Quad {
        let down = |edge: usize| edge as f64 / ROWS as f64;
        let (top, bottom) = (down(row), down(row + 1));
        [(left, top), (right, top), (right, bottom), (left, bottom)].map(|(x, y)| onto.at(x, y))
    }

    #[test]
    fn leaning_columns_without_lines_have_all_their_rows() {
        let corners = CORNERS.map(|(x, y)| Point::new(x, y));
        let onto = Homography::onto(&corners).expect("a table");
        let back = onto.inverse().expect("seen from in front");
        let maps = Maps::made(SIZE, |plane, x, y| {
            let p = back.at(f64::from(x), f64::from(y));
            let inside =
                |i: usize| (COLUMNS[i].0..COLUMNS[i].1).contains(&p.x) && (0.0..1.0).contains(&p.y);
            let edge = (p.y * ROWS as f64 - (p.y * ROWS as f64).round()).abs() < 0.1;
            let seen = match plane {
                Plane::White => inside(0) || inside(2),
                Plane::Black => inside(1) || inside(3),
                Plane::Row => edge && (0..4).any(inside),
                Plane::Column => false,
            };
            if seen { 0.9 } else { 0.05 }
        });
        let picture = GrayImage::new(SIZE.0, SIZE.1);
        let page = Page::new("a.png".into(), 1, String::new(), picture);
        let found = find(&maps, &View::turned(&page, 0.0)).expect("a table");
        assert_eq!(found.blocks.len(), 2);
        for (block, columns) in found.blocks.iter().zip(COLUMNS.chunks(2)) {
            assert_eq!(block.rows.len(), ROWS);
            for (i, row) in block.rows.iter().enumerate() {
                for (quad, &column) in [row.white, row.black].iter().zip(columns) {
                    let wanted = cell(&onto, column, i);
                    let off = quad.iter().zip(wanted).map(|(a, b)| a.distance(b));
                    let off = off.fold(0.0, f64::max);
                    assert!(off < 10.0, "row {i}: {off} pixels off");
                }
            }
        }
    }

    #[test]
    fn cells_of_one_player_alone_are_no_table() {
        let maps = Maps::made(SIZE, |plane, x, y| {
            let white =
                plane == Plane::White && (100.0..300.0).contains(&x) && (100.0..600.0).contains(&y);
            if white { 0.9 } else { 0.05 }
        });
        let picture = GrayImage::new(SIZE.0, SIZE.1);
        let page = Page::new("a.png".into(), 1, String::new(), picture);
        assert_eq!(find(&maps, &View::turned(&page, 0.0)), None);
    }
}
