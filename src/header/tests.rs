use image::Luma;

use super::*;
use crate::geometry::Point;
use crate::grid::{Block, NumberColumn, Row};
use crate::patch::{MARGIN_Y, PATCH_HEIGHT, PATCH_WIDTH};

/// Height of a row of the table in pixels.
const HIGH: u32 = 40;
/// The upper left corner of the table in pixels.
const CORNER: (u32, u32) = (60, 400);
/// Rows of the table.
const ROWS: u32 = 12;
/// Width of a cell in pixels.
const WIDE: u32 = 300;

fn words_of(page: &Page, grid: &Grid) -> Vec<WordCrop> {
    find_words(page, grid, &Parameters::default())
}

fn words_on_line(page: &Page, line: WordBox) -> Vec<WordCrop> {
    let parameters = Parameters::default();
    let view = HeaderView::new(page, &grid(), &parameters).unwrap();
    let words = view.find_words_on_line(&line);
    words.iter().map(|word| view.crop_word(word)).collect()
}

fn grid() -> Grid {
    bent_grid(0.0)
}

/// Pixels by which paper sags at column x where it sags by `sag` pixels in the middle of the table.
fn sag_at(sag: f64, x: u32) -> f64 {
    let t = (f64::from(x) - f64::from(CORNER.0)) / f64::from(2 * WIDE);
    sag * 4.0 * t * (1.0 - t)
}

fn bent_grid(sag: f64) -> Grid {
    let quad = |x: u32, y: u32| {
        let corners = [(x, y), (x + WIDE, y), (x + WIDE, y + HIGH), (x, y + HIGH)];
        corners.map(|(x, y)| Point::new(x.into(), f64::from(y) + sag_at(sag, x)))
    };
    let row = |i: u32| Row {
        number: i + 1,
        white: quad(CORNER.0, CORNER.1 + i * HIGH),
        black: quad(CORNER.0 + WIDE, CORNER.1 + i * HIGH),
    };
    Grid {
        blocks: vec![Block {
            rows: (0..ROWS).map(row).collect(),
            number_column: NumberColumn::Absent,
        }],
        header: None,
        result: None,
    }
}

fn fill(page: &mut GrayImage, left: u32, top: u32, wide: u32, high: u32) {
    for y in top..top + high {
        for x in left..left + wide {
            page.put_pixel(x, y, Luma([40]));
        }
    }
}

/// Draws a word of so many letters, each like an F without its upper bar, 24 pixels high, with one
/// letter every 10 pixels.
fn word(page: &mut GrayImage, left: u32, top: u32, letters: u32) {
    for i in 0..letters {
        fill(page, left + 10 * i, top, 3, 24);
        fill(page, left + 10 * i, top + 10, 7, 3);
    }
}

/// A page with a word of five letters and one of three on the same ruling above the table, a word
/// in the table and one below it.
fn page() -> Page {
    let mut luma = GrayImage::from_pixel(760, 1000, Luma([220]));
    word(&mut luma, 100, 200, 5);
    word(&mut luma, 300, 200, 3);
    fill(&mut luma, 90, 221, 500, 2);
    word(&mut luma, 100, 600, 6);
    word(&mut luma, 200, 930, 4);
    Page::new("a.png".into(), 1, String::new(), luma)
}

/// A pixel of the page in the table's coordinates.
fn rows(x: u32, y: u32) -> (f32, f32) {
    let row = HIGH as f32;
    (
        (x as f32 - CORNER.0 as f32) / row,
        (y as f32 - CORNER.1 as f32) / row,
    )
}

#[test]
fn words_stand_where_they_were_written_and_none_in_the_table() {
    let words = words_of(&page(), &grid());
    let drawn = [(100, 200, 47, 24), (300, 200, 27, 24), (200, 930, 37, 24)];
    for (x, y, wide, high) in drawn {
        assert!(
            stands(&words, x, y, wide, high),
            "{x},{y} in {:?}",
            words.iter().map(|w| w.bounds).collect::<Vec<_>>()
        );
    }
    let inside = |p: &WordBox| p.top > 0.1 && p.bottom < ROWS as f32 - 0.1;
    assert!(!words.iter().any(|w| inside(&w.bounds)));
    // The ruling connects nothing: no word reaches from the first to the second.
    let (gap, _) = rows(220, 0);
    assert!(
        !words
            .iter()
            .any(|w| w.bounds.left < gap && w.bounds.right > gap && w.bounds.bottom < 0.0)
    );
}

#[test]
fn words_on_sagging_paper_stand_where_they_would_if_it_were_flat() {
    let flat = page().luma;
    let bent = GrayImage::from_fn(flat.width(), flat.height(), |x, y| {
        let y = (f64::from(y) - sag_at(-20.0, x)).round().max(0.0) as u32;
        *flat.get_pixel(x, y.min(flat.height() - 1))
    });
    let words = words_of(
        &Page::new("a.png".into(), 1, String::new(), bent),
        &bent_grid(-20.0),
    );
    for (x, y, wide, high) in [(100, 200, 47, 24), (300, 200, 27, 24), (200, 930, 37, 24)] {
        assert!(
            stands(&words, x, y, wide, high),
            "{x},{y} in {:?}",
            words.iter().map(|w| w.bounds).collect::<Vec<_>>()
        );
    }
}

/// Whether a word was found with these edges, in pixels of the page.
fn stands(words: &[WordCrop], left: u32, top: u32, wide: u32, high: u32) -> bool {
    let ((left, top), (right, bottom)) = (rows(left, top), rows(left + wide, top + high));
    words.iter().any(|w| {
        let off = [
            w.bounds.left - left,
            w.bounds.top - top,
            w.bounds.right - right,
            w.bounds.bottom - bottom,
        ];
        off.iter().all(|d| d.abs() < 0.1)
    })
}

#[test]
fn lines_that_touch_are_split() {
    let mut luma = GrayImage::from_pixel(760, 1000, Luma([220]));
    for top in [100, 150, 200, 230, 300] {
        word(&mut luma, 100, top, 5);
    }
    // Two lines of connected writing, and a long stroke from one to the other.
    fill(&mut luma, 100, 210, 44, 3);
    fill(&mut luma, 100, 240, 44, 3);
    fill(&mut luma, 120, 220, 3, 14);
    let words = words_of(&Page::new("a.png".into(), 1, String::new(), luma), &grid());
    let upper = |high: u32| stands(&words, 100, 200, 47, high);
    assert!((24..=30).any(upper));
    let lower = |top: u32| stands(&words, 100, top, 47, 254 - top);
    assert!((224..=230).any(lower));
}

/// The box of a line of writing given in pixels of the page.
fn line(left: u32, top: u32, wide: u32, high: u32) -> WordBox {
    let ((left, top), (right, bottom)) = (rows(left, top), rows(left + wide, top + high));
    WordBox {
        left,
        top,
        right,
        bottom,
    }
}

#[test]
fn a_line_is_cut_out_although_its_ink_is_connected_with_the_next() {
    let mut luma = GrayImage::from_pixel(760, 1000, Luma([220]));
    word(&mut luma, 100, 200, 5);
    // Every letter of the lower line touches one of the upper.
    word(&mut luma, 103, 222, 5);
    let page = Page::new("a.png".into(), 1, String::new(), luma);
    let both = 46.0 / HIGH as f32;
    let lower = |w: &WordCrop| w.bounds.height() < both - 0.15 && w.bounds.width() > 1.0;
    assert!(!words_of(&page, &grid()).iter().any(lower));
    let words = words_on_line(&page, line(90, 190, 300, 40));
    assert!(words.iter().any(lower));
}

#[test]
fn a_falling_line_is_followed_and_the_boxes_of_its_words_are_level() {
    let mut luma = GrayImage::from_pixel(760, 1000, Luma([220]));
    for i in 0..20 {
        word(&mut luma, 100 + 10 * i, 200 + 3 * i, 1);
    }
    fill(&mut luma, 100, 290, 60, 3);
    let page = Page::new("a.png".into(), 1, String::new(), luma);
    let words = words_on_line(&page, line(95, 192, 300, 40));
    let whole = words
        .iter()
        .map(|w| w.bounds)
        .max_by(|a, b| a.width().total_cmp(&b.width()))
        .unwrap();
    let (left, top) = rows(100, 200);
    assert!((whole.left - left).abs() < 0.15 && (whole.width() - 197.0 / 40.0).abs() < 0.3);
    assert!(
        (whole.top - top).abs() < 0.3 && whole.height() < 0.9,
        "{whole:?}"
    );
}

#[test]
fn a_bar_that_is_a_letter_belongs_to_its_word() {
    let mut luma = GrayImage::from_pixel(760, 1000, Luma([220]));
    word(&mut luma, 100, 200, 3);
    fill(&mut luma, 130, 200, 3, 24);
    word(&mut luma, 137, 200, 3);
    let words = words_of(&Page::new("a.png".into(), 1, String::new(), luma), &grid());
    assert!(stands(&words, 100, 200, 64, 24));
}

#[test]
fn small_letters_are_found_too() {
    let mut luma = GrayImage::from_pixel(760, 1000, Luma([220]));
    for i in 0..6 {
        fill(&mut luma, 100 + 5 * i, 200, 2, 7);
        fill(&mut luma, 100 + 5 * i, 203, 4, 1);
    }
    let words = words_of(&Page::new("a.png".into(), 1, String::new(), luma), &grid());
    assert!(stands(&words, 100, 200, 29, 7));
}

#[test]
fn a_patch_shows_its_word_alone_at_the_left() {
    let words = words_of(&page(), &grid());
    let (left, _) = rows(100, 0);
    let (right, _) = rows(147, 0);
    let first = words
        .iter()
        .find(|w| {
            (w.bounds.left - left).abs() < 0.1
                && (w.bounds.right - right).abs() < 0.1
                && w.bounds.top < 0.0
        })
        .unwrap();
    assert_eq!(first.patch.dimensions(), (PATCH_WIDTH, PATCH_HEIGHT));
    let dark = |x: u32| {
        (MARGIN_Y..PATCH_HEIGHT - MARGIN_Y - 4)
            .filter(|&y| first.patch.get_pixel(x, y).0[0] < 120)
            .count()
    };
    let uprights = (0..PATCH_WIDTH)
        .filter(|&x| dark(x) > 15 && (x == 0 || dark(x - 1) <= 15))
        .count();
    assert_eq!(uprights, 5);
    // The word is 47 x 24 pixels; 24 become 30 of the 34 inner rows, and 47 become 59 columns.
    assert!((76..PATCH_WIDTH).all(|x| dark(x) == 0));
}

#[test]
fn a_page_without_a_table_has_no_words() {
    let grid = Grid {
        blocks: Vec::new(),
        ..grid()
    };
    assert!(words_of(&page(), &grid).is_empty());
}
