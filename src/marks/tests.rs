//! Marks on drawn sheets that lie at a slant, and on pictures of anything else.

use image::{GrayImage, Luma};

use super::*;
use crate::form::SheetSize;
use crate::geometry::Homography;

/// Where the corners of a sheet lie on a page of 1200 x 1600 pixels that a camera saw from below.
const CORNERS: [(f64, f64); 4] = [
    (220.0, 150.0),
    (960.0, 190.0),
    (1120.0, 1480.0),
    (90.0, 1400.0),
];

/// The map from the sheet's unit square onto the page.
fn slanted() -> Homography {
    Homography::onto(&CORNERS.map(|(x, y)| Point::new(x, y))).expect("a convex quad")
}

/// The place of a sheet's point on the page.
fn on_page(form: &SheetForm, [x, y]: [f64; 2]) -> Point {
    let [width, height] = form.size().dimensions();
    slanted().at(x / width, y / height)
}

/// A page with the marks of a form, drawn as they are printed, and grey in a share of the light.
/// Those in `covered` are left out.
fn draw_marks(form: &SheetForm, covered: &[usize], light: f64) -> GrayImage {
    let back = slanted().inverse().expect("a map that has an inverse");
    let [width, height] = form.size().dimensions();
    let marks = form.marks();
    let luma = |x: f64, y: f64| {
        let p = back.at(x, y);
        let place = Point::new(p.x * width, p.y * height);
        let is_dark = marks.iter().enumerate().any(|(i, mark)| {
            let off = Point::from(mark.centre).distance(place);
            !covered.contains(&i) && off < mark.ring && !(mark.dot..mark.gap).contains(&off)
        });
        if is_dark { 40.0 } else { 225.0 }
    };
    // Four samples a pixel, as a lens averages.
    GrayImage::from_fn(1200, 1600, |x, y| {
        let samples = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
            .map(|(dx, dy)| luma(f64::from(x) + dx - 0.5, f64::from(y) + dy - 0.5));
        Luma([(light * samples.iter().sum::<f64>() / 4.0) as u8])
    })
}

#[test]
fn the_marks_of_a_sheet_at_a_slant_are_found_to_a_pixel_in_bright_and_dim_light() {
    for size in SheetSize::ALL {
        let form = SheetForm::standard(size, false);
        for light in [1.0, 0.4] {
            let page = draw_marks(&form, &[], light);
            let found = find_bulls_eyes(&page, &MarkParameters::default());
            assert_eq!(found.len(), 4, "{size:?}");
            for mark in form.marks() {
                let place = on_page(&form, mark.centre);
                let off = found.iter().map(|found| found.centre.distance(place));
                let off = off.fold(f64::INFINITY, f64::min);
                assert!(off < 1.0, "{off} pixels off at {size:?}");
            }
        }
    }
}

#[test]
fn discs_rings_and_stripes_are_no_marks() {
    let picture = GrayImage::from_fn(900, 900, |x, y| {
        let off = |cx: f64, cy: f64| (f64::from(x) - cx).hypot(f64::from(y) - cy);
        let disc = off(200.0, 200.0) < 30.0;
        let ring = (20.0..30.0).contains(&off(500.0, 200.0));
        let stripes = (300..600).contains(&y) && x % 20 < 10;
        let grid = y > 650 && (x % 24 < 12) != (y % 24 < 12);
        Luma([if disc || ring || stripes || grid {
            30
        } else {
            230
        }])
    });
    assert_eq!(find_bulls_eyes(&picture, &MarkParameters::default()), []);
}

#[test]
fn pictures_without_pixels_in_a_row_or_column_have_no_marks() {
    for size in [(1, 1), (1, 900), (900, 1), (33, 2)] {
        let picture = GrayImage::from_pixel(size.0, size.1, Luma([0]));
        assert_eq!(find_bulls_eyes(&picture, &MarkParameters::default()), []);
    }
}

#[test]
fn a_covered_mark_lies_where_the_others_and_the_code_say() {
    let form = SheetForm::standard(SheetSize::A5, false);
    let square = form.code_square();
    let code = [
        [square.left, square.top],
        [square.right, square.top],
        [square.right, square.bottom],
        [square.left, square.bottom],
    ]
    .map(|place| on_page(&form, place));
    let parameters = MarkParameters::default();
    for covered in 0..4 {
        let page = draw_marks(&form, &[covered], 1.0);
        let found = find_bulls_eyes(&page, &parameters);
        assert_eq!(found.len(), 3);
        let (places, seen) = assign_marks(&form, &code, &found, &parameters).expect("places");
        assert_eq!(seen, 3);
        for (i, (mark, place)) in form.marks().iter().zip(places).enumerate() {
            let off = place.distance(on_page(&form, mark.centre));
            let bound = if i == covered { 12.0 } else { 1.0 };
            assert!(
                off < bound,
                "{off} pixels off at mark {i}, {covered} is covered"
            );
        }
    }
}
