//! Lays the table of a form that sheetscan has printed on a page where the form's marks are known.
//!
//! Four marks say where a flat sheet lies. How it bends between them is searched for by the cells
//! and edges that the network sees, and then along the printed rulings.

use super::detect::regions;
use super::layout::FormLayout;
use super::layout_fit::edge_places;
use super::layout_likeness::Likeness;
use super::parameters::Parameters;
use super::refine::snap_to_edges;
use super::segmentation::{Detail, Segmentation};
use super::surface::{Surface, SurfacePoint};
use super::view::View;
use super::{Grid, Row};
use crate::form::SheetForm;
use crate::geometry::{Homography, Point, Quad, area};
use crate::page::Page;

/// Smallest likeness at which the table of the form lies on a page. Of 24 made photographs of four
/// forms, tilted by up to 30 degrees and curled, the least alike had 1.78; a row beside the right
/// place it is 1.45.
const MIN_LIKENESS: f32 = 1.6;
/// Number of ways in which a sheet bends. With two more, for sheets that bend most near one side, a
/// table of 80 was lost that is found without them.
const BEND_COUNT: usize = 7;
/// Bends in millimetres of the sheet from which the search starts: of the middle of the sheet
/// against its sides, and of the middle of its upper end against that of the lower one. They are
/// less than half a row apart, so that one of them lies near every place.
const START_MM: ([f64; 7], [f64; 5]) = (
    [-7.5, -5.0, -2.5, 0.0, 2.5, 5.0, 7.5],
    [-4.0, -2.0, 0.0, 2.0, 4.0],
);
/// First and smallest step in millimetres by which a bend is changed.
const STEP_MM: [f64; 2] = [1.0, 0.1];
/// Places along each side of the table at which the bent sheet becomes a surface.
const SAMPLE_COUNT: usize = 12;

/// Lays the table of a printed form on a page. `marks` are the centres of the form's marks on the
/// page, clockwise from the one at the top left of the sheet, whichever way the page lies. None
/// where the network sees no such table there.
pub fn fit_printed_form(
    page: &Page,
    form: &SheetForm,
    marks: &Quad,
    parameters: &Parameters,
) -> Option<Grid> {
    let sheet = PrintedSheet::new(form, marks)?;
    let layout = FormLayout::of_form(form);
    let flat = [0.0; BEND_COUNT];
    let corners = layout.corners.map(|p| sheet.on_page(p, &flat));
    let [tl, tr, br, bl] = corners;
    let angle = (tr.y - tl.y + br.y - bl.y).atan2(tr.x - tl.x + br.x - bl.x);
    let border = (parameters.view.border_share, 0.0);
    let view = View::around(page, -angle, &corners, border, Detail::Fine.window().0)?;
    let maps = Segmentation::new(&view.picture, Detail::Fine)?;
    let on_map = |p: Point| maps.on_map(view.in_view(p));

    let on_sheet = |u: f64, v: f64| {
        let [tl, _, br, _] = layout.corners;
        Point::new(tl.x + u * (br.x - tl.x), tl.y + v * (br.y - tl.y))
    };
    let table_area = area(&corners.map(on_map));
    let likeness = Likeness::new(&layout, &maps);
    let bends = search_bends(|bends| {
        likeness.of_place(
            |u, v| on_map(sheet.on_page(on_sheet(u, v), bends)),
            table_area,
        )
    });

    let share = |i: usize| i as f64 / (SAMPLE_COUNT - 1) as f64;
    let places = (0..SAMPLE_COUNT * SAMPLE_COUNT)
        .map(|i| (share(i % SAMPLE_COUNT), share(i / SAMPLE_COUNT)));
    let points = places.map(|(u, v)| SurfacePoint {
        u,
        v,
        pixel: on_map(sheet.on_page(on_sheet(u, v), &bends)),
        weight: 1.0,
    });
    let points: Vec<SurfacePoint> = points.collect();
    let bent = Surface::fit(&points, true, &parameters.surface)?;
    let edges = edge_places(&layout);
    let snapped = snap_to_edges(bent, &edges, &maps, &view.picture, &parameters.surface);
    if likeness.of_place(|u, v| snapped.at(u, v), table_area) < MIN_LIKENESS {
        return None;
    }
    let blocks = layout.blocks(|u, v| view.on_page(maps.in_picture(snapped.at(u, v))));
    let mut rows = blocks.iter().flat_map(|block| &block.rows);
    if !rows.all(Row::is_flat) {
        return None;
    }
    let (header, result) = regions(&blocks, page, &view)?;
    Some(Grid {
        blocks,
        header,
        result,
    })
}

/// Where the places of a sheet lie on a page by its marks.
struct PrintedSheet {
    /// Width and height in millimetres of the rectangle between the marks, and its corner.
    size: (f64, f64),
    corner: Point,
    /// The map from that rectangle, as a unit square, onto the page.
    map: Homography,
}

impl PrintedSheet {
    fn new(form: &SheetForm, marks: &Quad) -> Option<Self> {
        let [[left, top], _, [right, bottom], _] = form.marks().map(|mark| mark.centre);
        Some(Self {
            size: (right - left, bottom - top),
            corner: Point::new(left, top),
            map: Homography::onto(marks)?,
        })
    }

    /// The pixel of the page of a place on the bent sheet, in millimetres. The bends are in
    /// millimetres too; each of them leaves the four marks where they are.
    fn on_page(&self, place: Point, bends: &[f64; BEND_COUNT]) -> Point {
        let (width, height) = self.size;
        let (u, v) = (
            (place.x - self.corner.x) / width,
            (place.y - self.corner.y) / height,
        );
        let (across, down) = (4.0 * u * (1.0 - u), 4.0 * v * (1.0 - v));
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        // The sheet is taken for a cylinder, or nearly so, whose axis runs down or across it. Seen
        // at a slant, its middle is shifted, and the more so the farther down.
        let [shift, stretch, skew, rise, bulge, lean, sway] = *bends;
        let dy = (shift + stretch * y + skew * x) * across + rise * down;
        let dx = (bulge + lean * x) * across + sway * down;
        self.map.at(u + dx / width, v + dy / height)
    }
}

/// The bends at which a sheet is most alike to what the network sees: the best of some starts, from
/// which each bend is changed in turn, by smaller and smaller steps.
fn search_bends(likeness: impl Fn(&[f64; BEND_COUNT]) -> f32) -> [f64; BEND_COUNT] {
    let (shifts, stretches) = START_MM;
    let starts = shifts
        .iter()
        .flat_map(|&shift| stretches.map(|stretch| (shift, stretch)));
    let starts = starts.map(|(shift, stretch)| {
        let mut bends = [0.0; BEND_COUNT];
        [bends[0], bends[1]] = [shift, stretch];
        bends
    });
    let valued = starts.map(|start| (likeness(&start), start));
    let best = valued.max_by(|a, b| a.0.total_cmp(&b.0));
    let (mut value, mut bends) = best.unwrap_or((f32::NEG_INFINITY, [0.0; BEND_COUNT]));
    let [mut step, min_step] = STEP_MM;
    while step >= min_step {
        let mut is_better = false;
        for i in 0..BEND_COUNT {
            for change in [step, -step] {
                let mut changed = bends;
                changed[i] += change;
                let new = likeness(&changed);
                if new > value {
                    (value, bends, is_better) = (new, changed, true);
                }
            }
        }
        if !is_better {
            step /= 2.0;
        }
    }
    bends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::SheetSize;

    #[test]
    fn bends_leave_the_marks_in_their_places() {
        let form = SheetForm::standard(SheetSize::A5, false);
        let marks = [
            (100.0, 80.0),
            (900.0, 120.0),
            (950.0, 1300.0),
            (60.0, 1250.0),
        ]
        .map(|(x, y)| Point::new(x, y));
        let sheet = PrintedSheet::new(&form, &marks).expect("a convex quad");
        for (mark, pixel) in form.marks().iter().zip(marks) {
            let [x, y] = mark.centre;
            let place = sheet.on_page(Point::new(x, y), &[3.0, 2.0, 1.0, -2.0, 1.0, 0.7, 0.5]);
            assert!(place.distance(pixel) < 1e-6, "{place:?} for {pixel:?}");
        }
    }

    #[test]
    fn the_search_finds_a_bend_of_most_of_a_row() {
        let true_bends = [5.8, -2.3, 0.7, 1.4, -0.9, 0.5, 0.3];
        // A likeness with a peak at every row of 7 mm, the highest at the right one.
        let bends = search_bends(|bends| {
            let off = |i: usize| bends[i] - true_bends[i];
            let edges = (off(0) * std::f64::consts::TAU / 7.0).cos();
            let rest: f64 = (0..BEND_COUNT).map(|i| off(i).powi(2)).sum();
            (0.3 * edges - 0.02 * rest) as f32
        });
        for (bend, true_bend) in bends.iter().zip(true_bends) {
            assert!((bend - true_bend).abs() < 0.2, "{bends:?}");
        }
    }
}
