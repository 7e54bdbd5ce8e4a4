//! The tuned numbers of this stage.

use serde::{Deserialize, Serialize};

/// The tuned numbers of [`detect`](super::detect), a group for each of its steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// What part of the page is looked at, and how.
    pub view: ViewParameters,
    /// Regions of cells.
    pub regions: RegionParameters,
    /// Columns and blocks.
    pub columns: ColumnParameters,
    /// Edges between rows.
    pub rows: RowParameters,
    /// The surface of the table.
    pub surface: SurfaceParameters,
}

/// How the view of the table is chosen by a first, coarse segmentation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ViewParameters {
    /// Probability from which the network is sure how the page lies, so that it is not looked at
    /// upside down.
    pub sure_turn_probability: f32,
    /// Probability from which a place lies in a move cell.
    pub min_cell_probability: f32,
    /// Smallest number of such places, in pixels of a map, on which a table is looked for.
    pub min_cell_pixels: usize,
    /// Width of the border around the cells, as a share of the longer side of their extent. It
    /// leaves room for cells that the coarse segmentation does not see.
    pub border_share: f64,
    /// Share of the places that may be stray ones at each end of the extent.
    pub stray_share: f64,
}

impl Default for ViewParameters {
    fn default() -> Self {
        Self {
            sure_turn_probability: 0.9,
            min_cell_probability: 0.5,
            min_cell_pixels: 60,
            border_share: 0.12,
            stray_share: 0.005,
        }
    }
}

/// What makes a region of move cells. Lengths are pixels of a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RegionParameters {
    /// Probability from which a place lies in a cell.
    pub min_cell_probability: f32,
    /// Smallest height of a piece of a region.
    pub min_height_px: f64,
    /// Smallest width of a region.
    pub min_width_px: f64,
    /// Smallest share of the median width at which a row of pixels tells where the borders run.
    pub min_row_width_share: f64,
    /// Smallest width of a piece of a region, as a share of the width of another piece.
    pub min_piece_width_share: f64,
    /// Largest distance between the middles of two pieces of one region, as a share of its width.
    pub max_piece_offset_share: f64,
    /// Largest gap between two pieces of one region, as a share of the height of the larger one.
    pub max_piece_gap_share: f64,
    /// Smallest height of a region, as a share of the highest one of the page.
    pub min_height_share: f64,
    /// Distance between two sampling lines.
    pub line_distance_px: f64,
}

impl Default for RegionParameters {
    fn default() -> Self {
        Self {
            min_cell_probability: 0.5,
            min_height_px: 12.0,
            min_width_px: 5.0,
            min_row_width_share: 0.5,
            min_piece_width_share: 0.6,
            max_piece_offset_share: 0.35,
            max_piece_gap_share: 0.6,
            min_height_share: 0.25,
            line_distance_px: 10.0,
        }
    }
}

/// How the columns are chosen across a table. Scores are nats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ColumnParameters {
    /// Distance between two samples in pixels of a map.
    pub step_px: f64,
    /// How far a border may lie off the sample where it counts, in pixels of a map.
    pub border_tolerance_px: f64,
    /// Weight of the log-probability of a column, for each pixel of its width.
    pub column_weight: f32,
    /// Weight of the log-probability of a border.
    pub border_weight: f32,
    /// Weight of the log-odds of an outline amid a column, for each pixel.
    pub skip_weight: f32,
    /// How far a border is moved to the likeliest outline of a column, in pixels of a map.
    pub snap_px: f64,
    /// Smallest mean probability of an outline to which a border is moved.
    pub min_outline_probability: f32,
    /// Mean probability from which printed numbers stand at a place across the table.
    pub min_number_probability: f32,
    /// Mean probability from which a printed ruling divides numbers from moves.
    pub min_ruling_probability: f32,
    /// Score of a block that has numbers where the others have them, and cost of one that has none.
    pub number_weight: f32,
    /// How far numbers may reach into a column of moves, as a share of its width.
    pub max_number_width_share: f64,
    /// How far beyond the regions columns are looked for, as a share of the table's width.
    pub margin_share: f64,
    /// Number of samples that make one in the first search for the widths.
    pub coarse_step: usize,
    /// Distance between the widths in the first search, in pixels of a map.
    pub pattern_step_px: f64,
    /// Smallest width of a column of moves, in pixels of a map.
    pub min_width_px: f64,
    /// Largest gap between White and Black, as a share of White's width.
    pub max_gap_share: f64,
    /// Black's widths over White's in the first search.
    pub width_ratios: [f64; 3],
    /// Cost of different widths of White and Black, for each block, times the square of the
    /// logarithm of their ratio.
    pub width_ratio_cost: f32,
}

impl Default for ColumnParameters {
    fn default() -> Self {
        Self {
            step_px: 0.5,
            border_tolerance_px: 1.0,
            column_weight: 0.5,
            border_weight: 1.0,
            skip_weight: 4.0,
            snap_px: 2.5,
            min_outline_probability: 0.2,
            min_number_probability: 0.25,
            min_ruling_probability: 0.4,
            number_weight: 20.0,
            max_number_width_share: 0.25,
            margin_share: 0.1,
            coarse_step: 2,
            pattern_step_px: 2.0,
            min_width_px: 5.0,
            max_gap_share: 1.0,
            width_ratios: [0.8, 1.0, 1.25],
            width_ratio_cost: 50.0,
        }
    }
}

/// How the edges between rows are chosen along the sampling lines. Lengths are pixels of a map,
/// scores are nats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RowParameters {
    /// Smallest distance between two edges.
    pub min_pitch_px: f64,
    /// Largest distance between two edges.
    pub max_pitch_px: f64,
    /// Distance between two samples along a sampling line.
    pub step_px: f64,
    /// Weight of the log-odds of an edge.
    pub edge_weight: f32,
    /// Smallest and largest score of an edge.
    pub edge_range: [f32; 2],
    /// Score for each pixel of height of a row, times the log-odds of cells there.
    pub cell_weight: f32,
    /// Weight of what looks like an edge amid a row, for each pixel.
    pub skip_weight: f32,
    /// Cost of each step by which a row is higher or lower than the one before it.
    pub pitch_change_cost: f32,
    /// By how much the samples of a line may be moved to meet those of the others, in each round.
    pub tolerance_px: [f64; 3],
    /// How far beyond the columns' ends edges are looked for, as a share of their height.
    pub margin_share: f64,
    /// Weight of the log-odds of the edges at which a block begins and ends.
    pub end_edge_weight: f32,
    /// Weight of the log-odds of names above columns, which speak against a row of moves.
    pub head_weight: f32,
    /// Weight of the log-odds of a row's printed number.
    pub number_weight: f32,
    /// Smallest gain in nats for which a block has other rows than the blocks beside it.
    pub min_own_rows_gain: f32,
    /// Smallest number of rows of a block.
    pub min_rows: usize,
    /// Smallest number of rows that are followed down the regions of a table. In a region by itself
    /// some of a block's rows may be missed.
    pub min_edge_rows: usize,
}

impl Default for RowParameters {
    fn default() -> Self {
        Self {
            min_pitch_px: 3.5,
            max_pitch_px: 60.0,
            step_px: 0.5,
            edge_weight: 0.6,
            edge_range: [-1.5, 2.0],
            cell_weight: 0.03,
            skip_weight: 1.0,
            pitch_change_cost: 0.6,
            tolerance_px: [1.6, 0.8, 0.4],
            margin_share: 0.15,
            end_edge_weight: 1.0,
            head_weight: 2.0,
            number_weight: 1.0,
            min_own_rows_gain: 3.0,
            min_rows: 10,
            min_edge_rows: 5,
        }
    }
}

/// How the surface of the table is fitted to the edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SurfaceParameters {
    /// Smallest coherence of the rows at which the slopes that the search has found are used. Where
    /// nothing is printed between rows, 0.10 to 0.45 are reached by chance; made forms with rulings
    /// have 0.63 to 0.99.
    pub min_row_coherence: f32,
    /// Coherence of the rows at which no other slopes are sought. Chosen by eye.
    pub enough_row_coherence: f32,
    /// Smallest probability of an edge on a sampling line that counts for the fit.
    pub min_edge_probability: f32,
    /// Largest distance of an edge on one line from its place on all lines, as a share of the
    /// pitch.
    pub max_edge_offset_share: f64,
    /// Weight of an edge beyond the end of its column, where its place across is not known.
    pub outside_weight: f64,
    /// Smallest distance in pixels of a map at which a point of the fit counts less.
    pub min_residual_px: f64,
    /// Smallest contrast of a printed ruling that counts for the fit, in grey levels of 255.
    pub min_ruling_contrast: f32,
    /// Weight of a point on a printed ruling, against the probability of one on an edge.
    pub ruling_weight: f32,
    /// Weight of no offset from the surface, against that of the edges nearby.
    pub offset_prior_weight: f64,
    /// Ridge penalty on the displacement of rows by their slopes, as a share of all slopes' weight.
    pub slope_ridge: f64,
    /// Ridge penalty on the bend of the surface, as a share of the weight of all points.
    pub bend_ridge: f64,
    /// Smallest share of the mean probability of its edges that a region must keep on the surface
    /// of all regions, against one of its own. Below, it gets its own, as the pages of a book need.
    pub min_shared_quality: f32,
}

impl Default for SurfaceParameters {
    fn default() -> Self {
        Self {
            min_row_coherence: 0.5,
            enough_row_coherence: 0.85,
            min_edge_probability: 0.25,
            max_edge_offset_share: 0.33,
            outside_weight: 0.3,
            min_residual_px: 0.5,
            min_ruling_contrast: 6.0,
            ruling_weight: 2.0,
            offset_prior_weight: 0.5,
            slope_ridge: 3e-2,
            bend_ridge: 2e-3,
            min_shared_quality: 0.6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_field_leaves_all_others_as_they_are() {
        let read: Parameters = toml::from_str("[rows]\nmin_rows = 12\n").expect("parameters");
        let mut expected = Parameters::default();
        assert_ne!(expected.rows.min_rows, 12);
        expected.rows.min_rows = 12;
        assert_eq!(read, expected);
    }

    #[test]
    fn a_field_or_group_that_does_not_exist_is_refused() {
        for text in ["[rows]\nleast_rows = 12\n", "[lines]\nmin_rows = 12\n"] {
            let error = toml::from_str::<Parameters>(text).expect_err("an unknown name");
            assert!(error.message().contains("unknown field"), "{error}");
        }
    }
}
