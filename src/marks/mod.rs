//! Knows the sheets that sheetscan has printed ([`crate::form`]) by the marks in their corners and
//! the code at their head.
//!
//! Most pages have no such marks, which takes a millisecond or two to see: [`bulls_eye`] searches
//! the working copy of a page for them. Only around marks is the [`code`] looked for, at full size.
//!
//! ```no_run
//! use sheetscan::{marks, page};
//!
//! let page = page::open("round4/scan001.jpg".as_ref())?.next().expect("a page")?;
//! if let Some(sheet) = marks::find_printed_sheet(&page, &marks::MarkParameters::default()) {
//!     println!("round {:?}, board {:?}", sheet.code.round, sheet.code.board);
//! }
//! # Ok::<(), sheetscan::page::PageError>(())
//! ```

mod bulls_eye;
mod code;
mod parameters;
mod threshold;

use self::bulls_eye::{BullsEye, find_bulls_eyes};
use self::code::read_code;
use crate::form::{FormCode, SheetForm};
use crate::geometry::{Homography, Point, Quad};
use crate::grid::{SurfacePoint, fit_homography};
use crate::page::Page;

pub use self::parameters::MarkParameters;

/// A printed sheet on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedSheet {
    /// What its code says.
    pub code: FormCode,
    /// The centres of its marks in pixels of the page, clockwise from the one at the top left of
    /// the sheet. A mark that is covered lies where the others and the code say.
    pub marks: Quad,
    /// How many of these marks were seen.
    pub seen_marks: usize,
}

/// The printed sheet on a page; none where no mark is seen, or no code can be read beside one.
pub fn find_printed_sheet(page: &Page, parameters: &MarkParameters) -> Option<PrintedSheet> {
    let on_page = |at: f64| (at + 0.5) / page.scale - 0.5;
    let marks = find_bulls_eyes(&page.working, parameters);
    let marks: Vec<BullsEye> = marks
        .into_iter()
        .map(|mark| BullsEye {
            centre: Point::new(on_page(mark.centre.x), on_page(mark.centre.y)),
            diameter: mark.diameter / page.scale,
        })
        .collect();
    let parse = |text: &str| FormCode::parse(text).ok();
    let found = read_code(&page.luma, &marks, parse, parameters)?;
    let (marks, seen_marks) = assign_marks(&found.content.form, &found.corners, &marks, parameters)?;
    Some(PrintedSheet {
        code: found.content,
        marks,
        seen_marks,
    })
}

/// The places of a form's marks, and how many of them were seen. They are taken one by one, from
/// the nearest to the code on: each is the bull's-eye nearest to where the code and the marks
/// before it say. None where the code's corners are those of no square.
fn assign_marks(
    form: &SheetForm,
    code: &Quad,
    found: &[BullsEye],
    parameters: &MarkParameters,
) -> Option<(Quad, usize)> {
    let [width, height] = form.size().dimensions();
    let on_sheet = |[x, y]: [f64; 2]| (x / width, y / height);
    let square = form.code_square();
    let code_places = [
        [square.left, square.top],
        [square.right, square.top],
        [square.right, square.bottom],
        [square.left, square.bottom],
    ];
    let point = |place: [f64; 2], pixel: Point, weight: f64| {
        let (u, v) = on_sheet(place);
        SurfacePoint {
            u,
            v,
            pixel,
            weight,
        }
    };
    let corners = code_places.into_iter().zip(*code);
    let mut points: Vec<SurfacePoint> = corners
        .map(|(place, pixel)| point(place, pixel, parameters.code_corner_weight))
        .collect();
    let mut map = fit_homography(&points)?;
    let code_middle = Point::new(
        (square.left + square.right) / 2.0,
        (square.top + square.bottom) / 2.0,
    );
    let centres = form.marks().map(|mark| mark.centre);
    let mut nearest_first = [0, 1, 2, 3];
    nearest_first.sort_by(|&a, &b| {
        let far = |i: usize| Point::from(centres[i]).distance(code_middle);
        far(a).total_cmp(&far(b))
    });
    let middle_on_page = {
        let (u, v) = on_sheet(code_middle.into());
        map.at(u, v)
    };
    let mut seen = 0;
    for i in nearest_first {
        let (u, v) = on_sheet(centres[i]);
        let expected = map.at(u, v);
        let off = |mark: &BullsEye| mark.centre.distance(expected);
        let nearest = found.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        let reach = parameters.max_mark_offset * expected.distance(middle_on_page);
        if let Some(mark) = nearest.filter(|mark| off(mark) <= reach) {
            points.push(point(centres[i], mark.centre, 1.0));
            map = fit_homography(&points).unwrap_or(map);
            seen += 1;
        }
    }
    Some((places_of(&map, &centres.map(on_sheet)), seen))
}

/// Where places of the unit square lie on the page.
fn places_of(map: &Homography, places: &[(f64, f64); 4]) -> Quad {
    places.map(|(u, v)| map.at(u, v))
}

#[cfg(test)]
mod tests;
