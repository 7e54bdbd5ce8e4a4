//! What a batch reports while it runs.

use crate::form::FormCode;

/// A page that was read, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSummary {
    /// Number of cells with ink.
    pub inked_cells: usize,
    /// The number of the first row, where the page continues another one.
    pub continues_from: Option<u32>,
    /// The code of a sheet that sheetscan has printed.
    pub code: Option<FormCode>,
    /// Whether the reading was taken from the cache.
    pub cached: bool,
    /// Whether the picture's file lost its end, behind a table that is whole.
    pub cut_short: bool,
}

/// Is told what happens in a batch, page by page in the order of the input. Every method does
/// nothing unless it is implemented; [`NoProgress`] implements none.
pub trait BatchProgress {
    /// A page was read. The name is that of the file, with the page where there are several.
    fn page_read(&mut self, _name: &str, _page: &PageSummary) {}

    /// A page gives no game, for this reason.
    fn page_failed(&mut self, _name: &str, _reason: &str) {}

    /// All pages of the next input were read or failed; there are so many.
    fn input_done(&mut self, _pages: usize) {}

    /// A page was read again with the layout that was found on the sheet `form`, and this reading
    /// is used.
    fn page_reread(&mut self, _name: &str, _form: &str) {}

    /// Some fixes that are not required name no sheet of the run; given are how many and the first.
    fn fixes_unmatched(&mut self, _count: usize, _first: &super::Fix) {}
}

/// Reports nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoProgress;

impl BatchProgress for NoProgress {}
