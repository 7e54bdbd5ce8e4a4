//! A sheet that sheetscan has printed, filled by hand (made) and photographed at a slant.
#![cfg(feature = "forms")]

use std::path::Path;

use image::Luma;
use serde::Deserialize;
use sheetscan::form::FormCode;
use sheetscan::geometry::{Point, Quad, area};
use sheetscan::grid::Side;
use sheetscan::marks::{MarkParameters, PrintedSheet, find_printed_sheet};
use sheetscan::page::{self, Page};
use sheetscan::reader::Network;
use sheetscan::{Parameters, scan};

/// What `models/train/printed_round.py` knows of the picture.
#[derive(Deserialize)]
struct Truth {
    code: String,
    cells: Vec<TrueCell>,
}

#[derive(Deserialize)]
struct TrueCell {
    #[serde(rename = "move")]
    number: u32,
    side: Side,
    #[serde(rename = "box")]
    corners: [[f64; 2]; 4],
}

fn truth() -> Truth {
    serde_json::from_str(include_str!("../data/printed_sheet.json")).expect("the truth")
}

fn photograph() -> Page {
    let path = Path::new("tests/data/printed_sheet.jpg");
    let page = page::open(path).expect("a picture").next();
    page.expect("a page").expect("it can be decoded")
}

/// The photograph with a disc of some colour over a place of it.
fn cover(place: Point, radius: f64) -> Page {
    let mut page = photograph();
    for (x, y, pixel) in page.luma.enumerate_pixels_mut() {
        if Point::new(x.into(), y.into()).distance(place) < radius {
            *pixel = Luma([120]);
        }
    }
    Page::new(page.path, page.number, page.sha256, page.luma)
}

fn find(page: &Page) -> Option<PrintedSheet> {
    find_printed_sheet(page, &MarkParameters::default())
}

#[test]
fn the_code_of_a_photographed_sheet_is_read() {
    let sheet = find(&photograph()).expect("a printed sheet");
    assert_eq!(Ok(sheet.code), FormCode::parse(&truth().code));
    assert_eq!(sheet.seen_marks, 4);
}

#[test]
fn a_sheet_is_known_though_a_mark_is_covered() {
    let all = find(&photograph()).expect("a printed sheet");
    for (covered, &mark) in all.marks.iter().enumerate() {
        let sheet = find(&cover(mark, 30.0)).expect("a printed sheet");
        assert_eq!((sheet.code, sheet.seen_marks), (all.code, 3));
        let off = sheet.marks[covered].distance(mark);
        assert!(
            off < 40.0,
            "mark {covered} is taken to be {off} pixels away"
        );
    }
}

#[test]
fn a_sheet_whose_code_is_covered_is_an_ordinary_one() {
    let [_, top_right, ..] = find(&photograph()).expect("a printed sheet").marks;
    assert_eq!(find(&cover(top_right, 350.0)), None);
}

#[test]
fn every_cell_lies_where_it_is_printed() {
    let model = Network::embedded().expect("the built-in model");
    let parameters = Parameters::default().scan;
    let table = scan::read_table(&photograph(), &model, None, &parameters).expect("a table");
    let truth = truth();
    assert_eq!(Ok(table.code), FormCode::parse(&truth.code).map(Some));
    assert_eq!(table.cells.len(), truth.cells.len());
    for cell in truth.cells {
        let found = table
            .cells
            .iter()
            .find(|found| (found.id.number, found.id.side) == (cell.number, cell.side));
        let found = found.expect("the cell").quad;
        let corners: Quad = cell.corners.map(Point::from);
        let height = corners[0].distance(corners[3]);
        let off = found.iter().zip(corners).map(|(a, b)| a.distance(b));
        let off = off.fold(0.0, f64::max);
        assert!(
            off < 0.25 * height,
            "a corner of {} {:?} lies {off} pixels off",
            cell.number,
            cell.side
        );
        assert!((area(&found) / area(&corners) - 1.0).abs() < 0.2);
    }
}
