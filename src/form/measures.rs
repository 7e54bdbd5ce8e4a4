//! The sizes of a sheet's parts.

/// Sizes that follow from the size of the sheet, in millimetres. A change to any of them needs a
/// new version of the code, since sheets that are printed already keep theirs.
pub(super) struct Measures {
    /// Blank strip along each edge of the sheet; laser printers leave up to 5 mm blank.
    pub(super) margin: f64,
    /// Outer radius of a corner mark: seen from so far that an A5 sheet has 2 megapixels, about 5
    /// pixels a millimetre, its gap is still 4 pixels wide.
    pub(super) mark_radius: f64,
    /// Blank strip beside a mark.
    pub(super) mark_clearance: f64,
    /// Side of the QR code without its quiet zone. It has 25 modules, of which each needs 3 pixels.
    pub(super) code_side: f64,
    /// Height of the two players' fields.
    pub(super) players_height: f64,
    /// Gap between the parts of the head.
    pub(super) head_gap: f64,
    /// Height of the heading above the rows.
    pub(super) heading_height: f64,
    /// Height from the last row to the margin at the bottom.
    pub(super) foot_height: f64,
    /// Gap between two blocks of rows.
    pub(super) block_gap: f64,
    /// Width of the column of row numbers.
    pub(super) number_width: f64,
    /// Width of a column for the clock.
    pub(super) clock_width: f64,
    /// Width and height of a box for the result.
    pub(super) result_box: [f64; 2],
}

/// Those of A5 and half letter.
pub(super) const SMALL: Measures = Measures {
    margin: 6.0,
    mark_radius: 3.5,
    mark_clearance: 3.5,
    code_side: 18.0,
    players_height: 10.0,
    head_gap: 1.5,
    heading_height: 4.5,
    foot_height: 17.5,
    block_gap: 2.0,
    number_width: 6.0,
    clock_width: 9.0,
    result_box: [13.0, 7.0],
};

/// Those of A4 and letter.
pub(super) const LARGE: Measures = Measures {
    margin: 6.0,
    mark_radius: 4.0,
    mark_clearance: 4.0,
    code_side: 22.0,
    players_height: 10.0,
    head_gap: 1.0,
    heading_height: 5.0,
    foot_height: 18.4,
    block_gap: 3.0,
    number_width: 8.0,
    clock_width: 13.0,
    result_box: [17.0, 8.0],
};
