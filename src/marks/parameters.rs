//! The tuned numbers of finding a printed form's marks.

use serde::{Deserialize, Serialize};

/// Tuned numbers of finding the marks and the code of a form. Lengths in pixels are those of the
/// page's working copy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MarkParameters {
    /// Rows from one that is searched to the next. The disc in the middle of the smallest mark is
    /// crossed by one at least.
    pub row_step: usize,
    /// Luma below which a pixel is dark, as a share of the mean of its surroundings.
    pub dark_share: f32,
    /// Smallest diameter of a mark: the 8 mm of a sheet of A4 that takes half the longer side of
    /// the picture are 21 pixels.
    pub min_diameter_px: f64,
    /// How far the length of a stretch may differ from its own, as a share of the diameter.
    pub length_slack: f64,
    /// How far it may differ besides: where a pixel is counted, and blur.
    pub length_slack_px: f64,
    /// Largest ratio of the longest line through the middle to the shortest one: 30 degrees of tilt
    /// make 1.16, and paper that curls makes more.
    pub max_elongation: f64,
    /// How far the middles of two lines lie from each other, as a share of the diameter.
    pub max_shift: f64,
    /// Smallest difference in luma of the light ring and the dark one.
    pub min_contrast: f32,
    /// Sides of the squares around a mark in which the code is looked for, in diameters of the
    /// mark: the code's far corner lies 4.2 of them from the mark's middle.
    pub window_diameters: f64,
    /// Diameters of a mark in pixels to which these squares are scaled, one after the other. A
    /// module of the code has a tenth of them.
    pub window_mark_px: [f64; 2],
    /// Weight of a corner of the code in the fit of the sheet's place, against that of a mark: the
    /// marks are farther apart, and their middles better known.
    pub code_corner_weight: f64,
    /// How far a mark may lie from where the code and the marks before it say, as a share of its
    /// distance from the code.
    pub max_mark_offset: f64,
    /// Number of marks from which a picture has none: it is a pattern.
    pub max_marks: usize,
}

impl Default for MarkParameters {
    fn default() -> Self {
        Self {
            row_step: 2,
            dark_share: 0.8,
            min_diameter_px: 13.0,
            length_slack: 0.06,
            length_slack_px: 0.8,
            max_elongation: 1.6,
            max_shift: 0.12,
            min_contrast: 40.0,
            window_diameters: 9.0,
            window_mark_px: [45.0, 75.0],
            code_corner_weight: 0.02,
            max_mark_offset: 0.4,
            max_marks: 64,
        }
    }
}
