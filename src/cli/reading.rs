//! Reads the pages of a file, or takes from the cache what was read of them before.

use std::path::Path;

use anyhow::{Context, Result};
use image::DynamicImage;

use sheetscan::cache::{Cache, Digest, Entry};
use sheetscan::grid::layout::FormLayout;
use sheetscan::page::{self, Page, PageError};
use sheetscan::scan::{Scanner, Sheet, SheetError};
use sheetscan::{debug, guard};

use super::inputs::Input;
use super::sheets::{self, Outcome};
use super::{cache, folder};

/// What every page is read with.
pub struct PageReader<'a> {
    /// Finds tables and reads cells.
    pub scanner: &'a Scanner,
    /// Keeps what was read.
    pub cache: &'a Cache,
    /// The layout of the form, where the tables need not be found.
    pub layout: Option<&'a FormLayout>,
    /// Where the tables that were found are drawn.
    pub debug_dir: Option<&'a Path>,
    /// Names for these pictures, by input.
    pub stems: &'a [String],
}

/// A page that was read.
pub struct Read {
    /// What stands on it.
    pub sheet: Sheet,
    /// What it has in common with others of the same picture.
    pub digest: Digest,
    /// Whether another run has read it, or this one under another name.
    pub before: bool,
}

impl PageReader<'_> {
    /// Reads every page of input `i` and hands it to `take`, one at a time.
    ///
    /// # Errors
    /// What stops the run and is no fault of a sheet: a folder that cannot be written.
    pub fn pages<T>(
        &self,
        i: usize,
        input: &Input,
        take: impl Fn(Read) -> T,
    ) -> Result<Vec<Outcome<T>>> {
        let path = match input {
            Input::File(path) => path,
            Input::Refused(path, why) => return Ok(sheets::named(path, vec![Err(why.clone())])),
        };
        let mut pages = match page::open(path) {
            Ok(pages) => pages,
            Err(why) => return Ok(sheets::named(path, vec![Err(why.to_string())])),
        };
        let sha256 = pages.sha256().to_owned();
        let mut results = Vec::new();
        let mut stepped_over = 0;
        for number in 1.. {
            let kept = self.kept(&sha256, number);
            let before = kept.is_some();
            let found = match kept {
                Some((entry, digest)) => Ok((entry, digest)),
                None => {
                    let page = pages.nth(stepped_over);
                    stepped_over = 0;
                    self.fresh(i, &sha256, number, page)?
                }
            };
            stepped_over += usize::from(before);
            results.push(match found {
                Ok((Entry::End, _)) => break,
                Ok((Entry::Sheet(sheet), digest)) => {
                    let sheet = placed(sheet, path, number, &sha256);
                    Ok(take(Read {
                        sheet,
                        digest,
                        before,
                    }))
                }
                Ok((Entry::Fault(why), _)) => Err(why),
                Err(fault) => Err(fault.to_string()),
            });
        }
        Ok(sheets::named(path, results))
    }

    /// Reads one page of input `i`; None where that gives no sheet.
    ///
    /// # Errors
    /// As [`Self::pages`].
    pub fn page(&self, i: usize, path: &Path, number: u32) -> Result<Option<(Sheet, Digest)>> {
        let Ok(mut pages) = page::open(path) else {
            return Ok(None);
        };
        let sha256 = pages.sha256().to_owned();
        let found = match self.kept(&sha256, number) {
            Some(kept) => Ok(kept),
            None => self.fresh(i, &sha256, number, pages.nth(number as usize - 1))?,
        };
        Ok(match found {
            Ok((Entry::Sheet(sheet), digest)) => {
                Some((placed(sheet, path, number, &sha256), digest))
            }
            _ => None,
        })
    }

    /// The entry of a page that is in the cache; what is to be drawn is to be looked for.
    fn kept(&self, sha256: &str, number: u32) -> Option<(Entry, Digest)> {
        match self.debug_dir {
            Some(_) => None,
            None => self.cache.get(sha256, number),
        }
    }

    /// The entry of a page that is not in the cache, which then is; but for a fault of ours, which the next version
    /// may not have.
    fn fresh(
        &self,
        i: usize,
        sha256: &str,
        number: u32,
        page: Option<Result<Page, PageError>>,
    ) -> Result<Result<(Entry, Digest), SheetError>> {
        let mut drawn = Ok(());
        let read = page.map(|page| {
            let page = page?;
            let read = guard::catch(|| self.read(i, &page, &mut drawn));
            read.unwrap_or_else(|panic| Err(SheetError::Fault(panic)))
        });
        drawn?;
        let entry = match read {
            None => Entry::End,
            Some(Ok(sheet)) => Entry::Sheet(sheet),
            Some(Err(fault @ (SheetError::Fault(_) | SheetError::Model(_)))) => {
                return Ok(Err(fault));
            }
            Some(Err(fault)) => Entry::Fault(fault.to_string()),
        };
        let digest = self
            .cache
            .put(sha256, number, &entry)
            .context(cache::CANNOT_KEEP)?;
        Ok(Ok((entry, digest)))
    }

    /// Reads a page. A debug picture that cannot be saved is a fault of the run, not of the sheet.
    fn read(&self, i: usize, page: &Page, drawn: &mut Result<()>) -> Result<Sheet, SheetError> {
        let (grid, cells) = self.scanner.cells(page, self.layout)?;
        if let Some(folder) = self.debug_dir {
            let name = format!("{}-p{}.png", self.stems[i], page.number);
            let picture = DynamicImage::ImageRgb8(debug::draw_grid(page, &grid));
            *drawn = folder::save(folder, &name, &picture);
        }
        self.scanner.read(page, &grid, &cells)
    }
}

/// The sheet with its place.
fn placed(mut sheet: Sheet, path: &Path, page: u32, sha256: &str) -> Sheet {
    path.clone_into(&mut sheet.path);
    sha256.clone_into(&mut sheet.sha256);
    sheet.page = page;
    sheet
}
