//! The paper that `sheetscan forms` prints on.

use clap::ValueEnum;
use sheetscan::form::SheetSize;

/// The paper of a printer, and the sheets on a page of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    /// Two A5 sheets on an A4 page, to be cut
    A5OnA4,
    /// A4 sheets
    A4,
    /// A5 sheets
    A5,
    /// Two half letter sheets on a letter page, to be cut
    HalfOnLetter,
    /// Letter sheets
    Letter,
    /// Half letter sheets
    HalfLetter,
}

impl Paper {
    /// The size of a sheet.
    pub fn sheet_size(self) -> SheetSize {
        match self {
            Self::A5OnA4 | Self::A5 => SheetSize::A5,
            Self::A4 => SheetSize::A4,
            Self::HalfOnLetter | Self::HalfLetter => SheetSize::HalfLetter,
            Self::Letter => SheetSize::Letter,
        }
    }

    /// Whether two sheets lie beside each other on a page.
    pub fn has_two_sheets(self) -> bool {
        matches!(self, Self::A5OnA4 | Self::HalfOnLetter)
    }
}
