//! Grids that are detected on drawn forms whose corners are known.

use std::path::PathBuf;

use image::{GrayImage, Luma, imageops};
use imageproc::drawing::{draw_filled_rect_mut, draw_line_segment_mut};
use imageproc::geometric_transformations::{Border, Interpolation, Projection, warp};
use imageproc::rect::Rect;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sheetscan::cell;
use sheetscan::geometry::Point;
use sheetscan::grid::{self, Grid, GridError, NumberColumn};
use sheetscan::ink::CellState;
use sheetscan::numbers;
use sheetscan::page::Page;

const INK: Luma<u8> = Luma([40]);
const PAPER: Luma<u8> = Luma([225]);

/// A form to draw.
#[derive(Clone, Copy)]
struct Form {
    blocks: i32,
    /// Rows of a block.
    rows: i32,
    numbers: NumberColumn,
    heading: bool,
    /// Pixels between two blocks.
    gap: i32,
    /// Rows by which the first block and its heading stand lower than the others.
    lower: i32,
    /// Rows of the first block that are written in.
    written: i32,
    /// Height of a row in pixels.
    row: i32,
    /// Width of a cell in pixels.
    cell: i32,
}

/// The form of which the tests change one thing each.
const TYPICAL: Form = Form {
    blocks: 2,
    rows: 30,
    numbers: NumberColumn::Left,
    heading: true,
    gap: 0,
    lower: 0,
    written: 24,
    row: 38,
    cell: 200,
};

/// Width of the number column in pixels.
const NUMBER: i32 = 60;
/// Left edge of the first block in pixels.
const LEFT: i32 = 80;
/// Top edge of the first row in pixels.
const TOP: i32 = 200;

impl Form {
    fn block_width(&self) -> i32 {
        2 * self.cell
            + if self.numbers == NumberColumn::Absent {
                0
            } else {
                NUMBER
            }
    }

    /// Left edges of number, White and Black in a block, and the block's right edge.
    fn columns(&self, block: i32) -> (Option<i32>, i32, i32, i32) {
        let x = LEFT + block * (self.block_width() + self.gap);
        let c = self.cell;
        let right = x + self.block_width();
        match self.numbers {
            NumberColumn::Left => (Some(x), x + NUMBER, x + NUMBER + c, right),
            NumberColumn::Between => (Some(x + c), x, x + c + NUMBER, right),
            NumberColumn::Right => (Some(x + 2 * c), x, x + c, right),
            NumberColumn::Absent => (None, x, x + c, right),
        }
    }

    /// Top edge of the first row of a block.
    fn top(&self, block: i32) -> i32 {
        TOP + if block == 0 { self.lower * self.row } else { 0 }
    }

    fn draw(&self) -> GrayImage {
        let (_, _, _, right) = self.columns(self.blocks - 1);
        let mut page = GrayImage::from_pixel(
            (right + LEFT) as u32,
            (TOP + self.rows * self.row + 160) as u32,
            PAPER,
        );
        let line = |page: &mut GrayImage, x0: i32, y0: i32, x1: i32, y1: i32| {
            for d in 0..2 {
                let (dx, dy) = if x0 == x1 { (d, 0) } else { (0, d) };
                draw_line_segment_mut(
                    page,
                    ((x0 + dx) as f32, (y0 + dy) as f32),
                    ((x1 + dx) as f32, (y1 + dy) as f32),
                    INK,
                );
            }
        };
        let mut seed = 7u32;
        for block in 0..self.blocks {
            let (number, white, black, right) = self.columns(block);
            let left = number.map_or(white, |n| n.min(white));
            let top = self.top(block);
            let heading = i32::from(self.heading);
            for row in -heading..=self.rows {
                line(
                    &mut page,
                    left,
                    top + row * self.row,
                    right,
                    top + row * self.row,
                );
            }
            let middle = number
                .filter(|&n| n > white)
                .map_or(black, |n| n.min(black));
            let mut bounds = vec![left, white, middle, black, right];
            bounds.extend(number);
            bounds.dedup();
            for x in bounds {
                let (from, to) = (top - heading * self.row, top + self.rows * self.row);
                line(&mut page, x, from, x, to);
            }
            if self.heading {
                for (x, bars) in [(white, 5), (black, 6)] {
                    for i in 0..bars {
                        let at = Rect::at(x + 60 + 12 * i, top - heading * self.row + 12)
                            .of_size(5 + (i as u32 * 7) % 4, 14);
                        draw_filled_rect_mut(&mut page, at, INK);
                    }
                }
            }
            for row in 0..self.rows {
                let y = top + row * self.row;
                if let Some(x) = number {
                    for digit in 0..if block == 0 && row < 9 { 1 } else { 2 } {
                        let at = Rect::at(x + 20 + 12 * digit, y + 12).of_size(6, 14);
                        draw_filled_rect_mut(&mut page, at, INK);
                    }
                }
                if block == 0 && row < self.written {
                    for x in [white, black] {
                        scrawl(&mut page, x + 30, y + self.row / 2, self.row, &mut seed);
                    }
                }
            }
        }
        page
    }

    /// Corners (of the flat drawing) of the White cell of a row.
    fn white(&self, number: i32) -> [(f32, f32); 4] {
        let (block, row) = ((number - 1) / self.rows, (number - 1) % self.rows);
        let (n, white, black, _) = self.columns(block);
        let right = n.filter(|&n| n > white).map_or(black, |n| n.min(black));
        let (x0, x1) = (white as f32 + 0.5, right as f32 + 0.5);
        let top = self.top(block) + row * self.row;
        let (y0, y1) = (top as f32 + 0.5, (top + self.row) as f32 + 0.5);
        [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    }
}

/// Pen strokes that stand for a move.
fn scrawl(page: &mut GrayImage, x: i32, y: i32, height: i32, seed: &mut u32) {
    let mut at = (x as f32, y as f32);
    for _ in 0..14 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let dx = ((*seed >> 16) % 17) as f32 - 4.0;
        let dy = ((*seed >> 24) % (height as u32 * 3 / 5)) as f32 - height as f32 * 0.3;
        let to = (at.0 + dx, y as f32 + dy);
        for d in 0..2 {
            draw_line_segment_mut(
                page,
                (at.0 + d as f32, at.1),
                (to.0 + d as f32, to.1),
                Luma([90]),
            );
        }
        at = to;
    }
}

fn page(luma: GrayImage) -> Page {
    Page {
        path: PathBuf::new(),
        number: 1,
        sha256: String::new(),
        working: luma.clone(),
        luma,
        scale: 1.0,
        missing: None,
    }
}

/// Checks that the grid has the form's cells, with corners within `tolerance` pixels of those
/// drawn, which `map` takes onto the page.
fn check(form: &Form, grid: &Grid, map: impl Fn((f32, f32)) -> (f32, f32), tolerance: f64) {
    assert_eq!(grid.blocks.len() as i32, form.blocks);
    let rows: Vec<_> = grid.blocks.iter().flat_map(|b| &b.rows).collect();
    assert_eq!(rows.len() as i32, form.blocks * form.rows);
    for block in &grid.blocks {
        assert_eq!(block.number_column, form.numbers);
    }
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.number as usize, i + 1);
        for (found, drawn) in row.white.iter().zip(form.white(row.number as i32)) {
            let (x, y) = map(drawn);
            let off = (found.x - f64::from(x)).hypot(found.y - f64::from(y));
            assert!(
                off <= tolerance,
                "row {}: {found:?} should be ({x}, {y})",
                row.number
            );
        }
    }
}

fn detect(form: &Form) -> Grid {
    grid::detect(&page(form.draw()), &grid::Parameters::default()).expect("a table")
}

#[test]
fn one_to_four_blocks_are_detected() {
    for (blocks, rows, cell) in [(1, 40, 300), (2, 30, 200), (3, 20, 160), (4, 15, 110)] {
        let form = Form {
            blocks,
            rows,
            cell,
            written: rows - 3,
            ..TYPICAL
        };
        check(&form, &detect(&form), |p| p, 2.5);
    }
}

#[test]
fn the_number_column_may_stand_anywhere_or_nowhere() {
    use NumberColumn::{Absent, Between, Left, Right};
    for numbers in [Left, Between, Right, Absent] {
        let form = Form { numbers, ..TYPICAL };
        check(&form, &detect(&form), |p| p, 2.5);
    }
}

#[test]
fn a_form_without_numbers_may_have_any_number_of_rows() {
    for rows in [21, 27, 32] {
        let form = Form {
            numbers: NumberColumn::Absent,
            rows,
            written: rows - 4,
            ..TYPICAL
        };
        check(&form, &detect(&form), |p| p, 2.5);
    }
}

#[test]
fn blocks_may_stand_apart() {
    let form = Form {
        gap: 70,
        heading: false,
        ..TYPICAL
    };
    check(&form, &detect(&form), |p| p, 2.5);
}

#[test]
fn a_block_may_stand_a_row_lower_than_the_next() {
    let form = Form {
        lower: 1,
        gap: 70,
        ..TYPICAL
    };
    let (page, parameters) = (page(form.draw()), numbers::Parameters::default());
    let grid = grid::detect(&page, &grid::Parameters::default()).expect("a table");
    let numbered = numbers::number_rows(&page, grid, &parameters);
    check(&form, &numbered.grid, |p| p, 2.5);
}

#[test]
fn a_heading_is_no_row_of_moves() {
    let grid = detect(&TYPICAL);
    assert!((grid.blocks[0].rows[0].white[0].y - f64::from(TOP)).abs() < 3.0);
    assert!(grid.header.is_some());
}

#[test]
fn perspective_is_followed() {
    let flat = TYPICAL.draw();
    let (w, h) = (flat.width() as f32, flat.height() as f32);
    let corners = [
        (40.0, 30.0),
        (w - 30.0, 60.0),
        (w - 90.0, h - 20.0),
        (70.0, h - 50.0),
    ];
    let map = Projection::from_control_points([(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)], corners)
        .expect("a quad");
    let seen = warp(&flat, map, Interpolation::Bilinear, Border::Constant(PAPER));
    let grid = grid::detect(&page(seen), &grid::Parameters::default()).expect("a table");
    check(&TYPICAL, &grid, |p| map * p, 3.0);
}

#[test]
fn written_and_blank_cells_are_told_apart() {
    let page = page(TYPICAL.draw());
    let grid = grid::detect(&page, &grid::Parameters::default()).expect("a table");
    for cell in cell::cut_cells(&page, &grid) {
        let written = cell.id.number as i32 <= TYPICAL.written;
        assert_eq!(
            cell.state != CellState::Blank,
            written,
            "{:?}, ink {}",
            cell.id,
            cell.ink
        );
    }
}

// Tables and lined paper that are no scoresheet may give a grid: what is read in it tells that.
#[test]
fn empty_pages_give_no_table() {
    for picture in [
        GrayImage::from_pixel(800, 1000, PAPER),
        GrayImage::new(800, 1000),
    ] {
        assert_eq!(
            grid::detect(&page(picture), &grid::Parameters::default()),
            Err(GridError::NoTable)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2),
        ..ProptestConfig::default()
    })]

    #[test]
    fn noise_and_stripes_of_any_size_make_nothing_panic(
        w in 1u32..400,
        h in 1u32..400,
        seed: u32,
        noise: bool,
    ) {
        let mut state = seed;
        let picture = GrayImage::from_fn(w, h, |x, y| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let ruled = x % (seed % 50 + 5) < 2 || y % (seed % 23 + 9) < 2;
            Luma([if noise { (state >> 24) as u8 } else if ruled { 20 } else { 230 }])
        });
        let page = page(picture);
        let _ = grid::detect(&page, &grid::Parameters::default());
    }
}

#[test]
fn a_point_or_a_line_of_pixels_is_no_table() {
    for (w, h) in [(1, 1), (1, 5000), (5000, 1), (3000, 12)] {
        assert!(grid::detect(&page(GrayImage::new(w, h)), &grid::Parameters::default()).is_err());
    }
}

#[test]
fn a_turned_page_has_the_cells_that_it_has_upright() {
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples/05_appendice_e_it.jpg");
    let upright = image::open(sample).expect("a sample").to_luma8();
    let (right, bottom) = (
        f64::from(upright.width()) - 1.0,
        f64::from(upright.height()) - 1.0,
    );
    let whole = |luma: GrayImage| Page::new(PathBuf::new(), 1, String::new(), luma);
    let wanted = corners(
        &grid::detect(&whole(upright.clone()), &grid::Parameters::default()).expect("its table"),
    );
    let same = |grid: Result<Grid, GridError>, back: &dyn Fn(Point) -> Point| {
        let found = corners(&grid.expect("its table"));
        let near = |(a, b): (&Point, &Point)| back(*a).distance(*b) < 0.01;
        found.len() == wanted.len() && found.iter().zip(&wanted).all(near)
    };
    let turned: [(GrayImage, &dyn Fn(Point) -> Point); 3] = [
        (imageops::rotate90(&upright), &|p| {
            Point::new(p.y, bottom - p.x)
        }),
        (imageops::rotate180(&upright), &|p| {
            Point::new(right - p.x, bottom - p.y)
        }),
        (imageops::rotate270(&upright), &|p| {
            Point::new(right - p.y, p.x)
        }),
    ];
    for (luma, back) in turned {
        let page = whole(luma);
        // The table does not tell which way is up; the writing does.
        let either = same(grid::detect(&page, &grid::Parameters::default()), back)
            || same(
                grid::detect_upside_down(&page, &grid::Parameters::default()),
                back,
            );
        assert!(either, "{} x {}", page.luma.width(), page.luma.height());
    }
}

/// Corners of all cells, row by row.
fn corners(grid: &Grid) -> Vec<Point> {
    let rows = grid.blocks.iter().flat_map(|block| &block.rows);
    rows.flat_map(|row| [row.white, row.black].into_iter().flatten())
        .collect()
}
