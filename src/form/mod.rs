//! The printed sheets of an event: where everything stands on one of them, and the code that tells
//! which game it belongs to.
//!
//! [`SheetForm`] is the geometry in millimetres, from which a sheet is printed and known again.
//! [`FormCode`] is the text of its QR code. It holds no personal data, and everything that rebuilds
//! the form.
//!
//! ```
//! use sheetscan::form::{EventHash, FormCode, SheetForm, SheetSide, SheetSize};
//!
//! let code = FormCode {
//!     event: Some(EventHash::new("Club Open", "", None)),
//!     round: Some(4),
//!     board: Some(12),
//!     white: Some(31),
//!     side: Some(SheetSide::White),
//!     page: 1,
//!     copy: 1,
//!     form: SheetForm::standard(SheetSize::A5, false),
//! };
//! assert_eq!(FormCode::parse(&code.to_text())?, code);
//! # Ok::<(), sheetscan::form::FormCodeError>(())
//! ```

mod code;
mod event_hash;
mod measures;
mod parts;
mod sheet;

pub use self::code::{FormCode, FormCodeError, MAX_BOARD, MAX_PAGE, MAX_ROUND, SheetSide};
pub use self::event_hash::EventHash;
pub use self::parts::{FormBlock, Mark, Rect, SheetSize};
pub use self::sheet::{COMFORTABLE_ROW_MM, FormError, MAX_BLOCKS, MIN_ROW_MM, SheetForm};

#[cfg(test)]
mod tests;
