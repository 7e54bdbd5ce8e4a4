//! Where the line of writing behind each label lies.

use serde::{Deserialize, Serialize};

use crate::header::WordBox;

use super::{Field, Label};

/// Tuned numbers of the lines behind labels, chosen by eye on the development pages. "Height" is
/// that of the label, "line" the distance from one line of the form to the next.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LineParameters {
    /// Labels whose left edges differ by at most so many rows stand in one column.
    pub max_column_offset_rows: f32,
    /// Line in heights, where no other label of the column tells it.
    pub default_line_heights: f32,
    /// Another label of the column counts as the next line from so many heights on.
    pub min_line_heights: f32,
    /// Largest line in heights.
    pub max_line_heights: f32,
    /// Handwriting reaches up to so many lines above the foot of the label.
    pub above_foot_lines: f32,
    /// Handwriting reaches down to so many lines below the foot of the label.
    pub below_foot_lines: f32,
    /// Largest width of a field in rows.
    pub max_width_rows: f32,
    /// Rows left free before the next label; a quarter of them behind the field's own label.
    pub clearance_rows: f32,
    /// Largest number of labels that are followed, the likeliest first: four blocks, two names, two
    /// signatures and three numbers are eleven.
    pub max_lines: usize,
    /// The next label on a line is at least so many lines away; what stands nearer is handwriting
    /// that was read as a label.
    pub min_next_label_lines: f32,
    /// Largest slope (dy/dx) of a line up to the next label on it.
    pub max_slope: f32,
}

impl Default for LineParameters {
    fn default() -> Self {
        Self {
            max_column_offset_rows: 1.0,
            default_line_heights: 2.2,
            min_line_heights: 0.8,
            max_line_heights: 4.5,
            above_foot_lines: 0.95,
            below_foot_lines: 0.35,
            max_width_rows: 14.0,
            clearance_rows: 0.2,
            max_lines: 15,
            min_next_label_lines: 1.5,
            max_slope: 0.02,
        }
    }
}

/// The lines on which players, round, board, date and result are written, behind the labels of
/// some fields, the likeliest first.
///
/// Handwriting crosses into the lines above and below, so that a name may be connected with
/// another by its ink; with the line known, it can be cut out alone
/// ([`crate::header::HeaderView::find_words_on_line`]).
pub(crate) fn locate_lines(
    labels: &[Label],
    is_wanted: impl Fn(Field) -> bool,
    parameters: &LineParameters,
) -> Vec<WordBox> {
    let wanted = labels
        .iter()
        .filter(|label| label.field.is_some_and(&is_wanted));
    wanted
        .take(parameters.max_lines)
        .filter_map(|label| line_behind(&label.bounds, labels, parameters))
        .collect()
}

/// The line behind a label; none where the next label leaves less room than a line is high.
pub(super) fn line_behind(
    label: &WordBox,
    labels: &[Label],
    parameters: &LineParameters,
) -> Option<WordBox> {
    let line = line_height(label, labels, parameters);
    let next = labels.iter().filter(|other| {
        let off = (other.bounds.bottom - label.bottom).abs();
        let gap = other.bounds.left - label.right;
        gap > parameters.min_next_label_lines * line
            && off < line / 2.0 + parameters.max_slope * gap
    });
    let next = next.map(|other| other.bounds.left - parameters.clearance_rows);
    let right = next.fold(label.right + parameters.max_width_rows, f32::min);
    let left = label.right + parameters.clearance_rows / 4.0;
    (right - left >= line).then_some(WordBox {
        left,
        top: label.bottom - parameters.above_foot_lines * line,
        right,
        bottom: label.bottom + parameters.below_foot_lines * line,
    })
}

/// Rows from one line of the form to the next: the distance to the nearest other label of the
/// column, within bounds.
fn line_height(label: &WordBox, labels: &[Label], parameters: &LineParameters) -> f32 {
    let high = label.height();
    let distance = |other: &Label| {
        let offset = (other.bounds.left - label.left).abs();
        let distance = (other.bounds.bottom - label.bottom).abs();
        let in_column = offset <= parameters.max_column_offset_rows;
        (in_column && distance >= parameters.min_line_heights * high).then_some(distance)
    };
    let nearest = labels.iter().filter_map(distance).reduce(f32::min);
    let line = nearest.unwrap_or(parameters.default_line_heights * high);
    line.min(parameters.max_line_heights * high)
}
