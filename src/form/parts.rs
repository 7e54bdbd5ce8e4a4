//! The sizes of sheets, and the shapes of which one consists.

use super::measures::{LARGE, Measures, SMALL};

/// The size of a sheet, portrait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SheetSize {
    /// ISO A4, 210 x 297 mm.
    A4,
    /// ISO A5, 148 x 210 mm; two of them lie on an A4 page.
    A5,
    /// US letter, 215.9 x 279.4 mm.
    Letter,
    /// Half of a US letter page, 139.7 x 215.9 mm.
    HalfLetter,
}

impl SheetSize {
    /// All sizes.
    pub const ALL: [Self; 4] = [Self::A4, Self::A5, Self::Letter, Self::HalfLetter];

    /// Width and height in millimetres.
    pub const fn dimensions(self) -> [f64; 2] {
        match self {
            Self::A4 => [210.0, 297.0],
            Self::A5 => [148.0, 210.0],
            Self::Letter => [215.9, 279.4],
            Self::HalfLetter => [139.7, 215.9],
        }
    }

    pub(super) const fn measures(self) -> &'static Measures {
        match self {
            Self::A4 | Self::Letter => &LARGE,
            Self::A5 | Self::HalfLetter => &SMALL,
        }
    }
}

/// A rectangle on a sheet, in millimetres from its top left corner, y down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// The left edge.
    pub left: f64,
    /// The top edge.
    pub top: f64,
    /// The right edge.
    pub right: f64,
    /// The bottom edge.
    pub bottom: f64,
}

impl Rect {
    /// Its width in millimetres.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Its height in millimetres.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// A mark in a corner of the sheet: a black ring around a white gap around a black dot, all with
/// one centre. No ordinary form has such marks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The centre, in millimetres from the top left corner of the sheet, y down.
    pub centre: [f64; 2],
    /// Outer radius of the ring in millimetres, the same for all marks of a sheet.
    pub ring: f64,
    /// Outer radius of the gap, which is the inner one of the ring. In the mark at the top left it
    /// is 0.45 of the ring's, in the others 0.6; halfway out, the former is black and the others
    /// are white, which tells the way up.
    pub gap: f64,
    /// Radius of the dot, 0.2 of the ring's. Along a line through the centre, the others' widths
    /// are as 1:1:1:1:1, unlike the 1:1:3:1:1 of a QR code's finder pattern.
    pub dot: f64,
}

/// A block of rows of equal height. All places are in millimetres from the sheet's top left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FormBlock {
    /// Number of the first row.
    pub first_row: u16,
    /// Number of rows.
    pub rows: u8,
    /// Top edge of the first row.
    pub top: f64,
    /// Bottom edge of the last row.
    pub bottom: f64,
    /// Left and right edge of the column of row numbers.
    pub numbers: [f64; 2],
    /// Left and right edge of White's column.
    pub white: [f64; 2],
    /// Left and right edge of the clock's column beside White's.
    pub white_clock: Option<[f64; 2]>,
    /// Left and right edge of Black's column.
    pub black: [f64; 2],
    /// Left and right edge of the clock's column beside Black's.
    pub black_clock: Option<[f64; 2]>,
}

impl FormBlock {
    /// The right edge of its last column.
    pub fn right(&self) -> f64 {
        self.black_clock.unwrap_or(self.black)[1]
    }

    /// The top edge of a row, counted from 0; that behind the last row is its bottom edge.
    pub fn row_edge(&self, row: u8) -> f64 {
        self.top + f64::from(row) / f64::from(self.rows) * (self.bottom - self.top)
    }
}
