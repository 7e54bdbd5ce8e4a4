//! Pages of formats whose decoders are not trusted with this process: PDF, HEIC and JPEG 2000.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::raster::Picture;
use super::{Format, MAX_FAILING_PAGES, PageError, child, untrusted};

/// Draws the pages of one file.
pub(super) struct Drawing {
    format: Format,
    file: File,
    /// Number of pages before the next one, in a row, whose decoder gave up.
    failed_in_a_row: u32,
    /// Whether another run may draw all of them.
    may_be_drawn_later: bool,
}

impl Drawing {
    /// For an open file of a format that has its decoder here.
    pub(super) fn new(format: Format, file: File) -> Self {
        Self {
            format,
            file,
            failed_in_a_row: 0,
            may_be_drawn_later: false,
        }
    }

    /// Draws a page, counted from 1; none where the file ends before it. It is drawn by a child
    /// process if the program has named one, and by this process otherwise.
    pub(super) fn draw(&mut self, number: u32) -> Option<Result<Picture, PageError>> {
        if self.failed_in_a_row > MAX_FAILING_PAGES {
            return None;
        }
        if self.failed_in_a_row == MAX_FAILING_PAGES {
            self.failed_in_a_row += 1;
            return Some(Err(if self.may_be_drawn_later {
                PageError::NotDrawn("the rest of the file is left out".to_owned())
            } else {
                PageError::RestLeftOut
            }));
        }
        let page = match child::draw(&mut self.file, self.format, number) {
            Some(page) => page,
            None => match read_all(&mut self.file) {
                Ok(bytes) => untrusted::decode(bytes, self.format, number),
                Err(error) => Some(Err(error.into())),
            },
        };
        match &page {
            Some(Err(error)) if error.is_costly() => {
                self.failed_in_a_row += 1;
                self.may_be_drawn_later |= !error.is_lasting();
            }
            _ => (self.failed_in_a_row, self.may_be_drawn_later) = (0, false),
        }
        page
    }
}

/// Reads a file from its start.
fn read_all(file: &mut File) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
