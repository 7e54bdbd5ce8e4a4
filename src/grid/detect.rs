//! From a page to its move table: a coarse look tells which way up the page lies and where the
//! table is, a close one gives the maps, and from these come columns, blocks, rows and cells.

use std::borrow::Cow;

use super::blocks::{TableBlock, find_blocks};
use super::cell_regions::find_cell_regions;
use super::fit::fit_tables;
use super::orientation::cell_skew;
use super::parameters::Parameters;
use super::refine::{EdgePlaces, SnappedSurface, snap_to_edges};
use super::segmentation::{Channel, Detail, STRIDE, Segmentation, likeliest_turn};
use super::view::View;
use super::{Block, Grid, GridError, Row, turned};
use crate::geometry::{Point, Quad};
use crate::page::Page;

/// Room above or below a table, in row heights, that is enough for a header or a result.
const MIN_REGION_ROWS: f64 = 0.8;

/// Finds the move table of a page that lies in any direction. A table that stands on its head may
/// be taken for an upright one; [`detect_upside_down`] finds it the other way round.
///
/// # Errors
/// [`GridError::NoTable`] where nothing on the page is a table of blocks of rows.
pub fn detect(page: &Page, parameters: &Parameters) -> Result<Grid, GridError> {
    detect_turned(page, 0, parameters)
}

/// Finds the move table as [`detect`] does, on the page turned upside down.
///
/// # Errors
/// As [`detect`]; also where the network is sure that the page does not stand on its head.
pub fn detect_upside_down(page: &Page, parameters: &Parameters) -> Result<Grid, GridError> {
    detect_turned(page, 2, parameters)
}

/// Finds the table in the direction that the network takes for upright, turned by some further
/// quarters.
fn detect_turned(page: &Page, further: usize, parameters: &Parameters) -> Result<Grid, GridError> {
    let coarse = Segmentation::new(&page.working, Detail::Coarse).ok_or(GridError::NoTable)?;
    let sure_turn = coarse.sure_turn(parameters.view.sure_turn_probability);
    if further != 0 && sure_turn.is_some() {
        return Err(GridError::NoTable);
    }
    let quarters = (likeliest_turn(coarse.quarter_turns()) + further) % 4;
    let coarse = (quarters == 0).then_some(coarse);
    let mut looks = Looks::take(page, quarters, coarse, parameters).ok_or(GridError::NoTable)?;
    // The close look may know better than the coarse one how the page lies.
    let more = looks.likeliest_turn();
    if further == 0 && more != 0 {
        let turned = Looks::take(page, (quarters + more) % 4, None, parameters);
        looks = turned.ok_or(GridError::NoTable)?;
    }
    let Looks {
        page: upright,
        view,
        maps,
        ..
    } = &looks;
    let grid = find_grid(upright, view, maps, parameters).ok_or(GridError::NoTable)?;
    Ok(match looks.quarters {
        0 => grid,
        quarters => turned::map_back(grid, page, quarters),
    })
}

/// Finds the move table of an upright page in maps that are given instead of the network's, each a
/// quarter as wide and high as the page. The fuzzer makes them of any bytes: the network would take
/// nearly all its time.
///
/// # Errors
/// As [`detect`]; also where the maps are too small or too few.
#[doc(hidden)]
pub fn detect_in_maps(
    page: &Page,
    maps: Vec<f32>,
    parameters: &Parameters,
) -> Result<Grid, GridError> {
    let (width, height) = page.working.dimensions();
    let size = ((width / STRIDE) as usize, (height / STRIDE) as usize);
    let maps = Segmentation::of_planes(size, maps).ok_or(GridError::NoTable)?;
    find_grid(page, &View::whole(page), &maps, parameters).ok_or(GridError::NoTable)
}

/// A page turned back by some quarters, and two looks at it.
struct Looks<'a> {
    quarters: usize,
    page: Cow<'a, Page>,
    coarse: Segmentation,
    view: View,
    maps: Segmentation,
}

impl<'a> Looks<'a> {
    /// Both looks at a page turned back by some quarters, 0 to 3; the coarse one may be given.
    fn take(
        page: &'a Page,
        quarters: usize,
        coarse: Option<Segmentation>,
        parameters: &Parameters,
    ) -> Option<Self> {
        let page = match quarters {
            0 => Cow::Borrowed(page),
            _ => Cow::Owned(turned::turn_back(page, quarters)),
        };
        let coarse = coarse.or_else(|| Segmentation::new(&page.working, Detail::Coarse))?;
        let (view, maps) = look_closely(&page, &coarse, parameters)?;
        Some(Self {
            quarters,
            page,
            coarse,
            view,
            maps,
        })
    }

    /// The quarters by which the page is most likely still turned to the right, by both looks.
    fn likeliest_turn(&self) -> usize {
        let (coarse, close) = (self.coarse.quarter_turns(), self.maps.quarter_turns());
        likeliest_turn([0, 1, 2, 3].map(|turn| coarse[turn] * close[turn]))
    }
}

/// Finds the table of an upright page.
fn find_grid(
    page: &Page,
    view: &View,
    maps: &Segmentation,
    parameters: &Parameters,
) -> Option<Grid> {
    let regions = find_cell_regions(maps, &parameters.regions);
    let mut tables = fit_tables(maps, &regions, parameters);
    let snapped: Vec<SnappedSurface> = tables
        .iter_mut()
        .map(|table| {
            let blocks = find_blocks(table, maps, parameters);
            let places: Vec<EdgePlaces> = blocks.iter().map(TableBlock::edge_places).collect();
            let flat = table.surface.clone();
            let snapped = snap_to_edges(flat, &places, maps, &view.picture, &parameters.surface);
            table.surface = snapped.surface().clone();
            snapped
        })
        .collect();
    let mut blocks = Vec::new();
    for (table, snapped) in tables.iter().zip(&snapped) {
        let of_table = find_blocks(table, maps, parameters);
        blocks.extend(of_table.into_iter().map(|block| (block, snapped)));
    }
    assemble(page, &blocks, maps, view)
}

/// The part of a page where the coarse maps show cells, turned so that their rows are level, and
/// its maps; none where they show none.
pub(super) fn look_closely(
    page: &Page,
    coarse: &Segmentation,
    parameters: &Parameters,
) -> Option<(View, Segmentation)> {
    let (width, height) = coarse.size();
    let (white, black) = (coarse.map(Channel::White), coarse.map(Channel::Black));
    let min = parameters.view.min_cell_probability;
    let is_cell = |at: &usize| white[*at].max(black[*at]) > min;
    let cells: Vec<usize> = (0..width * height).filter(is_cell).collect();
    if cells.len() < parameters.view.min_cell_pixels {
        return None;
    }
    let angle = cell_skew(coarse, |_| vec![(0, width)]);
    let whole = View::whole(page);
    let place = |at: &usize| {
        let p = Point::new((at % width) as f64, (at / width) as f64);
        whole.on_page(coarse.in_picture(p))
    };
    let places: Vec<Point> = cells.iter().map(place).collect();
    let border = (parameters.view.border_share, parameters.view.stray_share);
    let view = View::around(page, -angle, &places, border, Detail::Fine.window().0)?;
    let mut maps = Segmentation::new(&view.picture, Detail::Fine)?;
    maps.clear_beyond(|p| view.shows_page_at(p, page));
    Some((view, maps))
}

/// The blocks as a grid in pixels of the page; none where there is no block.
fn assemble(
    page: &Page,
    blocks: &[(TableBlock, &SnappedSurface)],
    maps: &Segmentation,
    view: &View,
) -> Option<Grid> {
    let on_page = |p: Point| view.on_page(maps.in_picture(p));
    let mut grid = Grid::default();
    let mut number = 1;
    for (block, surface) in blocks {
        let table = block.table;
        let edge = |edge: i32| f64::from(edge) / table.rows as f64;
        let rows = (block.rows.0..block.rows.1)
            .zip(number..)
            .map(|(i, number)| {
                let cell = |[left, right]: [f64; 2]| -> Quad {
                    [(left, i), (right, i), (right, i + 1), (left, i + 1)]
                        .map(|(u, i)| on_page(surface.at(u, edge(i))))
                };
                Row {
                    number,
                    white: cell(block.columns.white),
                    black: cell(block.columns.black),
                }
            });
        let rows: Vec<Row> = rows.collect();
        // Where little is seen, a surface may fold.
        if rows.iter().all(Row::is_flat) {
            number += rows.len() as u32;
            grid.blocks.push(Block {
                rows,
                number_column: block.columns.numbers,
            });
        }
    }
    (grid.header, grid.result) = regions(&grid.blocks, page, view)?;
    Some(grid)
}

/// What lies above and below the blocks, over their width and to the edges of the page; none where
/// there is no room. None of nothing.
pub(super) fn regions(
    blocks: &[Block],
    page: &Page,
    view: &View,
) -> Option<(Option<Quad>, Option<Quad>)> {
    let corner = |p: Point| view.in_view(p);
    let (left, right) = (blocks.first()?, blocks.last()?);
    let (tl, bl) = (
        corner(left.rows.first()?.white[0]),
        corner(left.rows.last()?.white[3]),
    );
    let (tr, br) = (
        corner(right.rows.first()?.black[1]),
        corner(right.rows.last()?.black[2]),
    );
    let room = MIN_REGION_ROWS * (bl.y - tl.y) / left.rows.len() as f64;
    let (top, bottom) = view.page_ends(page);
    let on_page = |quad: Quad| quad.map(|p| view.on_page(p));
    let above = [Point::new(tl.x, top), Point::new(tr.x, top), tr, tl];
    let below = [bl, br, Point::new(br.x, bottom), Point::new(bl.x, bottom)];
    Some((
        (tl.y.min(tr.y) - top > room).then(|| on_page(above)),
        (bottom - bl.y.max(br.y) > room).then(|| on_page(below)),
    ))
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::super::NumberColumn;
    use super::*;

    /// A blank page of 400 x 600 pixels.
    fn blank_page() -> Page {
        let luma = GrayImage::from_pixel(400, 600, Luma([230]));
        Page::new("a.png".into(), 1, String::new(), luma)
    }

    /// What lies above and below a block of 20 rows from x = 50 to 350.
    fn regions_around(top: f64, bottom: f64) -> (Option<Quad>, Option<Quad>) {
        let page = blank_page();
        let rows = (0..20).map(|i| {
            let edge = |i: u32| top + (bottom - top) * f64::from(i) / 20.0;
            Row {
                number: i + 1,
                white: quad([50.0, 200.0], [edge(i), edge(i + 1)]),
                black: quad([200.0, 350.0], [edge(i), edge(i + 1)]),
            }
        });
        let block = Block {
            rows: rows.collect(),
            number_column: NumberColumn::Absent,
        };
        regions(&[block], &page, &View::whole(&page)).expect("a block")
    }

    fn quad([left, right]: [f64; 2], [top, bottom]: [f64; 2]) -> Quad {
        [(left, top), (right, top), (right, bottom), (left, bottom)].map(|(x, y)| Point::new(x, y))
    }

    #[test]
    fn an_empty_page_has_no_table_either_way_up() {
        let parameters = Parameters::default();
        assert_eq!(detect(&blank_page(), &parameters), Err(GridError::NoTable));
        assert_eq!(
            detect_upside_down(&blank_page(), &parameters),
            Err(GridError::NoTable)
        );
    }

    #[test]
    fn header_and_result_fill_the_page_above_and_below_the_table() {
        let above = quad([50.0, 350.0], [0.0, 100.0]);
        let below = quad([50.0, 350.0], [500.0, 599.0]);
        assert_eq!(regions_around(100.0, 500.0), (Some(above), Some(below)));
    }

    #[test]
    fn there_is_no_header_or_result_where_there_is_no_room() {
        assert_eq!(regions_around(10.0, 590.0), (None, None));
    }
}
