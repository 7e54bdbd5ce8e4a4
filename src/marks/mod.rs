//! Knows the sheets that sheetscan has printed ([`crate::form`]) by the marks in their corners and
//! the code at their head.
//!
//! Most pages have no such marks, which takes a millisecond or two to see: `bulls_eye` searches
//! the working copy of a page for them. Only around marks is the `code` looked for, at full size.
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
use crate::geometry::{Point, Quad};
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
    let (marks, seen_marks) =
        assign_marks(&found.content.form, &found.corners, &marks, parameters)?;
    Some(PrintedSheet {
        code: found.content,
        marks,
        seen_marks,
    })
}

/// The places of a form's marks, and how many of them were seen. They are taken one by one, from
/// the nearest to the code on: each is the bull's-eye nearest to where the code and the marks
/// before it say. None where they determine no place.
fn assign_marks(
    form: &SheetForm,
    code: &Quad,
    found: &[BullsEye],
    parameters: &MarkParameters,
) -> Option<(Quad, usize)> {
    let square = form.code_square();
    let code_corners = [
        [square.left, square.top],
        [square.right, square.top],
        [square.right, square.bottom],
        [square.left, square.bottom],
    ];
    let mut places: Vec<(Point, Point)> = code_corners
        .map(Point::from)
        .into_iter()
        .zip(*code)
        .collect();
    let centres = form.marks().map(|mark| Point::from(mark.centre));
    let mut nearest_first = centres;
    let far = |centre: &Point| centre.distance(places[0].0);
    nearest_first.sort_by(|a, b| far(a).total_cmp(&far(b)));
    for centre in nearest_first {
        let expected = Affine::fit(&places)?.at(centre);
        let off = |mark: &&BullsEye| mark.centre.distance(expected);
        let nearest = found.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        let reach = parameters.max_mark_offset * expected.distance(code[0]);
        let seen = nearest.filter(|mark| off(mark) <= reach);
        places.extend(seen.map(|mark| (centre, mark.centre)));
    }
    let [width, height] = form.size().dimensions();
    let points = places
        .iter()
        .enumerate()
        .map(|(i, &(place, pixel))| SurfacePoint {
            u: place.x / width,
            v: place.y / height,
            pixel,
            weight: if i < code.len() {
                parameters.code_corner_weight
            } else {
                1.0
            },
        });
    let map = fit_homography(&points.collect::<Vec<_>>())?;
    let on_page = centres.map(|centre| map.at(centre.x / width, centre.y / height));
    Some((on_page, places.len() - code.len()))
}

/// A map that keeps parallels: what a few places near each other tell of others far away, while
/// their perspective tells nothing.
struct Affine {
    /// Mean of the places and of their pixels.
    middle: (Point, Point),
    /// Derivatives of x and of y by the place's x and y.
    slopes: [[f64; 2]; 2],
}

impl Affine {
    /// The map nearest to some places and their pixels by least squares; none where they lie on a
    /// line.
    fn fit(places: &[(Point, Point)]) -> Option<Self> {
        let count = places.len() as f64;
        let mean = |of: &dyn Fn(&(Point, Point)) -> f64| places.iter().map(of).sum::<f64>() / count;
        let from = Point::new(mean(&|p| p.0.x), mean(&|p| p.0.y));
        let to = Point::new(mean(&|p| p.1.x), mean(&|p| p.1.y));
        let [xx, xy, yy] = [
            mean(&|p| (p.0.x - from.x).powi(2)),
            mean(&|p| (p.0.x - from.x) * (p.0.y - from.y)),
            mean(&|p| (p.0.y - from.y).powi(2)),
        ];
        let determinant = xx * yy - xy * xy;
        let solve = |of: &dyn Fn(&Point) -> f64| {
            let by_x = mean(&|p| (p.0.x - from.x) * of(&p.1));
            let by_y = mean(&|p| (p.0.y - from.y) * of(&p.1));
            [
                (yy * by_x - xy * by_y) / determinant,
                (xx * by_y - xy * by_x) / determinant,
            ]
        };
        (determinant > 0.0).then(|| Self {
            middle: (from, to),
            slopes: [solve(&|p| p.x), solve(&|p| p.y)],
        })
    }

    /// The pixel of a place.
    fn at(&self, place: Point) -> Point {
        let (from, to) = self.middle;
        let (dx, dy) = (place.x - from.x, place.y - from.y);
        let [x, y] = self.slopes.map(|[by_x, by_y]| by_x * dx + by_y * dy);
        Point::new(to.x + x, to.y + y)
    }
}

#[cfg(test)]
mod tests;
