//! Prints the sheets of a round, from which [`FormCode`](crate::form::FormCode) knows them again.
//!
//! [`round_sheets`] and [`blank_sheets`] say which sheets there are, and [`print_sheets`] makes a
//! PDF of them: PDF/A-2a, with its fonts in it, and the same bytes every time.
//!
//! ```
//! use sheetscan::form::{SheetForm, SheetSize};
//! use sheetscan::forms::{PrintOptions, SheetSet, blank_sheets, print_sheets};
//!
//! let form = SheetForm::standard(SheetSize::A5, false);
//! let set = SheetSet { form, page: 1, copies: 1 };
//! let options = PrintOptions { language: "pt".to_owned(), two_up: true, logo: None };
//! let pdf = print_sheets(&blank_sheets(None, None, 2, &set), &options)?;
//! assert!(pdf.starts_with(b"%PDF-1.7"));
//! # Ok::<(), sheetscan::forms::PrintError>(())
//! ```

mod canvas;
mod document;
mod draw;
mod head;
mod sheet;
mod typeface;
mod words;

pub use self::document::{PrintError, PrintOptions, print_sheets};
pub use self::draw::LongCodeError;
pub use self::sheet::{Sheet, SheetPlayer, SheetSet, blank_sheets, round_sheets};
pub use self::typeface::FontError;
