//! Finds the bull's-eyes that stand in the corners of a form: a dark ring, a light one, and a dark
//! disc, so that a line through the middle crosses five stretches whose ratios are known.
//!
//! A camera keeps these ratios nearly as they are, whichever way the line goes. Every second row of
//! the working copy is searched for such stretches, and what is found is looked at along further
//! lines.

use image::GrayImage;

use super::parameters::MarkParameters;
use super::threshold::LocalThreshold;
use crate::geometry::Point;
use crate::patch::bilinear;

/// Number of stretches that a line through the middle crosses.
const STRETCH_COUNT: usize = 5;
/// Their lengths as shares of the diameter: for the marks of three corners, and for the one at the
/// top left, whose ring is wide ([`crate::form::Mark`]).
const STRETCH_SHARES: [[f64; STRETCH_COUNT]; 2] =
    [[0.2; STRETCH_COUNT], [0.275, 0.125, 0.2, 0.125, 0.275]];
/// Directions in which a candidate is looked at besides the row, as (cosine, sine): three more,
/// 45 degrees apart.
const OTHER_DIRECTIONS: [(f64, f64); 3] = [
    (0.0, 1.0),
    (
        std::f64::consts::FRAC_1_SQRT_2,
        std::f64::consts::FRAC_1_SQRT_2,
    ),
    (
        std::f64::consts::FRAC_1_SQRT_2,
        -std::f64::consts::FRAC_1_SQRT_2,
    ),
];

/// A bull's-eye in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BullsEye {
    /// Its middle, in pixels.
    pub centre: Point,
    /// Mean length in pixels of the lines through its middle.
    pub diameter: f64,
}

/// Finds the bull's-eyes of a picture, in the order of the rows; none where there
/// are more than `max_marks` of them.
pub fn find_bulls_eyes(picture: &GrayImage, parameters: &MarkParameters) -> Vec<BullsEye> {
    let threshold = LocalThreshold::new(picture, parameters);
    let mut found: Vec<BullsEye> = Vec::new();
    let mut runs = Vec::new();
    for y in (0..picture.height()).step_by(parameters.row_step) {
        threshold.runs(picture, y, &mut runs);
        // The first pixel of a row counts as one after a light one, so that dark runs begin at even
        // places.
        for ends in runs.windows(STRETCH_COUNT + 1).step_by(2) {
            let lengths: [f64; STRETCH_COUNT] =
                std::array::from_fn(|i| f64::from(ends[i + 1] - ends[i]));
            let length = f64::from(ends[STRETCH_COUNT] - ends[0]);
            if length < parameters.min_diameter_px || !are_alike(&lengths, parameters) {
                continue;
            }
            let middle = f64::from(ends[2] + ends[3]) / 2.0 - 0.5;
            let start = Point::new(middle, f64::from(y));
            let is_within = |mark: &BullsEye| mark.centre.distance(start) < mark.diameter / 2.0;
            if found.iter().any(is_within) {
                continue;
            }
            found.extend(look_around(picture, start, length, parameters));
            if found.len() > parameters.max_marks {
                return Vec::new();
            }
        }
    }
    found
}

/// Whether five lengths are those of the stretches of a bull's-eye.
fn are_alike(lengths: &[f64; STRETCH_COUNT], parameters: &MarkParameters) -> bool {
    let sum = lengths.iter().sum::<f64>();
    let slack = parameters.length_slack * sum + parameters.length_slack_px;
    STRETCH_SHARES.iter().any(|pattern| {
        let mut pairs = lengths.iter().zip(pattern);
        pairs.all(|(length, share)| (length - share * sum).abs() <= slack)
    })
}

/// Looks at a candidate along lines through its middle, which is moved to the middle of each line
/// in turn. None where one of them does not cross a bull's-eye.
fn look_around(
    picture: &GrayImage,
    start: Point,
    length: f64,
    parameters: &MarkParameters,
) -> Option<BullsEye> {
    let mut centre = start;
    let mut lengths = [length; OTHER_DIRECTIONS.len() + 1];
    // The vertical line first, so that the row that is looked at next leads through the middle.
    let (down, across) = ((0.0, 1.0), (1.0, 0.0));
    for direction in [down, across] {
        (centre, _) = cross(picture, centre, direction, length, parameters)?;
    }
    for (i, direction) in [across].into_iter().chain(OTHER_DIRECTIONS).enumerate() {
        let (middle, length) = cross(picture, centre, direction, length, parameters)?;
        if middle.distance(centre) > parameters.max_shift * length {
            return None;
        }
        lengths[i] = length;
    }
    let (low, high) = lengths
        .iter()
        .fold((f64::INFINITY, 0.0f64), |(low, high), &l| {
            (low.min(l), high.max(l))
        });
    let diameter = lengths.iter().sum::<f64>() / lengths.len() as f64;
    (high <= parameters.max_elongation * low).then_some(BullsEye { centre, diameter })
}

/// The middle and the length of the five stretches along a line about a point in the dark disc.
/// None where there are no such stretches.
fn cross(
    picture: &GrayImage,
    centre: Point,
    (cos, sin): (f64, f64),
    length: f64,
    parameters: &MarkParameters,
) -> Option<(Point, f64)> {
    let reach = parameters.max_elongation * length;
    let step = (length / 40.0).max(0.5);
    let count = (reach / step) as i32;
    let place = |at: f64| Point::new(centre.x + at * cos, centre.y + at * sin);
    let luma = |i: i32| {
        let p = place(f64::from(i) * step);
        bilinear(picture, p.x as f32, p.y as f32)
    };
    let profile: Vec<f32> = (-count..=count).map(luma).collect();
    let middle = count as usize;
    // Dark and light of this line: of its nearer half, so that the table beyond the paper does not
    // count.
    let near = &profile[middle - middle / 2..=middle + middle / 2];
    let (dark, light) = near
        .iter()
        .fold((255.0f32, 0.0f32), |(d, l), &v| (d.min(v), l.max(v)));
    if light - dark < parameters.min_contrast {
        return None;
    }
    let level = (dark + light) / 2.0;
    let behind = ends_of(profile[..=middle].iter().rev(), level)?;
    let ahead = ends_of(profile[middle..].iter(), level)?;
    let [a, b, c] = behind;
    let [d, e, f] = ahead;
    let lengths = [c - b, b - a, a + d, e - d, f - e].map(|samples| samples * step);
    if !are_alike(&lengths, parameters) {
        return None;
    }
    // The inner disc is the middle of the outer ring too, unless ink touches it.
    let middle = ((d - a) + (e - b) + (f - c)) / 6.0 * step;
    Some((place(middle), (c + f) * step))
}

/// Where a profile that begins in the dark crosses a level for the first, second and third time, in
/// samples from its beginning, between two of them.
fn ends_of<'a>(profile: impl Iterator<Item = &'a f32>, level: f32) -> Option<[f64; 3]> {
    let mut ends = [0.0; 3];
    let mut found = 0;
    let mut before: Option<f32> = None;
    for (i, &luma) in profile.enumerate() {
        let is_dark = found % 2 == 0;
        if (luma < level) != is_dark {
            // A profile that begins in the light is none of a disc.
            let last = before?;
            let share = (level - last) / (luma - last);
            ends[found] = i as f64 - 1.0 + f64::from(share);
            found += 1;
            if found == ends.len() {
                return Some(ends);
            }
        }
        before = Some(luma);
    }
    None
}
