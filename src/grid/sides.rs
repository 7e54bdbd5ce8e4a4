//! The sides of a table's columns, taken in where the maps show that no moves stand along them: printed lines also part
//! the moves from columns for times.

use super::maps::{Maps, OWNED};
use super::view::View;
use super::{Grid, Row};
use crate::geometry::{Homography, Quad};

/// Parts across a column in which the maps are asked.
const PARTS: usize = 40;
/// Heights in a cell at which they are.
const HEIGHTS: [f64; 3] = [0.3, 0.5, 0.7];
/// Share of a part's places that lie in cells below which it is none of the column's: forms repeat, so all rows of all blocks count.
const BARE: f32 = 0.25;
/// Least share of a column's width that is taken in: less is the blur of the maps, and does a reading no harm.
const STRIP: f64 = 0.12;
/// Least share of the width that is left.
const LEFT_OVER: f64 = 0.5;

/// The table without what lies beside the moves in its columns.
pub fn taken_in(mut grid: Grid, maps: &Maps, view: &View) -> Grid {
    let players: [fn(&mut Row) -> &mut Quad; 2] = [|row| &mut row.white, |row| &mut row.black];
    for quad in players {
        let mut column: Vec<&mut Quad> = grid
            .blocks
            .iter_mut()
            .flat_map(|block| &mut block.rows)
            .map(quad)
            .collect();
        let owned = owned(column.iter().map(|quad| &**quad), maps, view);
        let bare = |strip: usize| strip as f64 / PARTS as f64;
        let strips = [
            owned.iter().take_while(|&&share| share < BARE).count(),
            owned
                .iter()
                .rev()
                .take_while(|&&share| share < BARE)
                .count(),
        ];
        let [left, right] = strips.map(|strip| {
            if bare(strip) < STRIP {
                0.0
            } else {
                bare(strip)
            }
        });
        if left + right == 0.0 || left + right > 1.0 - LEFT_OVER {
            continue;
        }
        for quad in &mut column {
            if let Some(map) = Homography::onto(quad) {
                let corners = [
                    (left, 0.0),
                    (1.0 - right, 0.0),
                    (1.0 - right, 1.0),
                    (left, 1.0),
                ];
                **quad = corners.map(|(u, v)| map.at(u, v));
            }
        }
    }
    grid
}

/// Share of the places in each part across the cells that the maps show in cells, from left to right.
fn owned<'a>(cells: impl Iterator<Item = &'a Quad>, maps: &Maps, view: &View) -> [f32; PARTS] {
    let (mut owned, mut asked) = ([0.0; PARTS], 0.0f32);
    for quad in cells {
        let Some(map) = Homography::onto(&quad.map(|p| view.in_view(p))) else {
            continue;
        };
        for height in HEIGHTS {
            asked += 1.0;
            for (part, owned) in owned.iter_mut().enumerate() {
                let p = map.at((part as f64 + 0.5) / PARTS as f64, height);
                if maps.cell(p.x as f32, p.y as f32) > OWNED {
                    *owned += 1.0;
                }
            }
        }
    }
    owned.map(|count| count / asked.max(1.0))
}
