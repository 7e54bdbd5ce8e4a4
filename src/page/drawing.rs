//! Pages of formats whose decoders are not trusted with this process: PDF, HEIC and JPEG 2000.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use image::GrayImage;

use super::{Format, MAX_EXCEEDING_PAGES, PageError, child, heif, jpeg2000, pdf};
use crate::guard;

/// Draws the pages of one file.
pub(super) struct Drawing {
    format: Format,
    file: File,
    /// Number of pages before the next one that exceeded a limit, in a row.
    exceeding: u32,
}

impl Drawing {
    /// For an open file of a format that has its decoder here.
    pub(super) fn new(format: Format, file: File) -> Self {
        Self {
            format,
            file,
            exceeding: 0,
        }
    }

    /// Draws a page, counted from 1; none where the file ends before it. It is drawn by a child
    /// process if the program has named one, and by this process otherwise.
    pub(super) fn draw(&mut self, number: u32) -> Option<Result<GrayImage, PageError>> {
        if self.exceeding > MAX_EXCEEDING_PAGES {
            return None;
        }
        if self.exceeding == MAX_EXCEEDING_PAGES {
            self.exceeding += 1;
            return Some(Err(PageError::RestLeftOut));
        }
        let page = match child::draw(&mut self.file, self.format, number) {
            Some(page) => page,
            None => match read_all(&mut self.file) {
                Ok(bytes) => decode(bytes, self.format, number),
                Err(error) => Some(Err(error.into())),
            },
        };
        match &page {
            Some(Err(error)) if error.exceeds_limits() => self.exceeding += 1,
            _ => self.exceeding = 0,
        }
        page
    }
}

/// Decodes a page in this process; none where the file ends before it.
pub(super) fn decode(
    bytes: Vec<u8>,
    format: Format,
    number: u32,
) -> Option<Result<GrayImage, PageError>> {
    let page = guard::catch(|| match format {
        Format::Pdf => pdf::decode(bytes, number),
        _ if number > 1 => None,
        Format::Heif => Some(heif::decode(&bytes)),
        Format::Jpeg2000 => Some(jpeg2000::decode(&bytes)),
        other => Some(Err(PageError::Foreign(format!("it is {other}")))),
    });
    page.unwrap_or_else(|panic| Some(Err(PageError::decoder_failed(format, &panic))))
}

/// Reads a file from its start.
fn read_all(file: &mut File) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
