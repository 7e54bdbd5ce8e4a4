//! Reads the pages of a file, or takes from the cache what was read of them before.

use std::path::{Path, PathBuf};

use image::DynamicImage;

use crate::cache::{Cache, Digest, Entry};
use crate::grid::Grid;
use crate::grid::layout::FormLayout;
use crate::page::{self, Page, PageError};
use crate::scan::{Scanner, Sheet, SheetError};
use crate::{debug, guard, whole_file};

use super::{BatchError, Input, PageOutcome, SheetId};

/// Where the tables that are found get drawn.
#[derive(Debug, Clone)]
pub struct Drawings {
    /// The folder of the pictures.
    pub folder: PathBuf,
    /// For each input the stem of its pictures' names, as in `sheet` for `sheet-p1.png`.
    pub stems: Vec<String>,
}

impl Drawings {
    /// Draws the table of a page of input `i`.
    fn draw(&self, i: usize, page: &Page, grid: &Grid) -> Result<(), BatchError> {
        let name = format!("{}-p{}.png", self.stems[i], page.number);
        let path = self.folder.join(name);
        let picture = DynamicImage::ImageRgb8(debug::draw_grid(page, grid));
        whole_file::write_png(&path, &picture).map_err(|error| BatchError::Drawing(path, error))
    }
}

/// What every page is read with.
#[derive(Clone, Copy)]
pub(super) struct PageReader<'a> {
    /// Finds tables and reads cells.
    pub scanner: &'a Scanner,
    /// Stores what is read.
    pub cache: &'a Cache,
    /// The layout of the form, where the tables are not to be found.
    pub layout: Option<&'a FormLayout>,
    /// Where tables are drawn. A page whose table is drawn is not taken from the cache.
    pub drawings: Option<&'a Drawings>,
}

/// A sheet as it was read.
pub(super) struct SheetReading {
    /// What stands on it.
    pub sheet: Sheet,
    /// The hash of what was read, equal for sheets with the same picture.
    pub digest: Digest,
    /// Whether it was taken from the cache.
    pub cached: bool,
}

impl PageReader<'_> {
    /// Reads every page of input `i`, one at a time, and calls `map` with each sheet.
    pub fn read_pages<T>(
        &self,
        i: usize,
        input: &Input,
        map: impl Fn(SheetReading) -> T,
    ) -> Result<Vec<PageOutcome<T>>, BatchError> {
        let failed = |path, reason| Ok(PageOutcome::name_pages(path, vec![Err(reason)]));
        let path = match input {
            Input::File(path) => path,
            Input::Refused(path, reason) => return failed(path, reason.clone()),
        };
        let mut pages = match page::open(path) {
            Ok(pages) => pages,
            Err(error) => return failed(path, error.to_string()),
        };
        let sha256 = pages.sha256().to_owned();
        let mut results = Vec::new();
        // Pages taken from the cache are only decoded if a later one has to be.
        let mut passed_over = 0;
        // Another run may draw pages that this one cannot, and find further ones behind them.
        let mut may_go_on = false;
        for number in 1.. {
            let (entry, cached) = match self.cached_entry(&sha256, number) {
                Some(entry) => {
                    passed_over += 1;
                    (Ok(entry), true)
                }
                None => {
                    let page = pages.nth(passed_over);
                    passed_over = 0;
                    if may_go_on && page.is_none() {
                        break;
                    }
                    (self.read_entry(i, &sha256, number, page)?, false)
                }
            };
            results.push(match entry {
                Ok((Entry::End, _)) => break,
                Ok((Entry::Sheet(sheet), digest)) => Ok(map(SheetReading {
                    sheet: SheetId::of_page(path, number, &sha256).identify(sheet),
                    digest,
                    cached,
                })),
                Ok((Entry::Fault(reason), _)) => Err(reason),
                Err(error) => {
                    may_go_on = true;
                    Err(error.to_string())
                }
            });
        }
        Ok(PageOutcome::name_pages(path, results))
    }

    /// Reads one page of input `i`; none where it gives no sheet.
    pub fn read_page(
        &self,
        i: usize,
        path: &Path,
        number: u32,
    ) -> Result<Option<(Sheet, Digest)>, BatchError> {
        let Ok(mut pages) = page::open(path) else {
            return Ok(None);
        };
        let sha256 = pages.sha256().to_owned();
        let entry = match self.cached_entry(&sha256, number) {
            Some(entry) => Ok(entry),
            None => self.read_entry(i, &sha256, number, pages.nth(number as usize - 1))?,
        };
        Ok(match entry {
            Ok((Entry::Sheet(sheet), digest)) => Some((
                SheetId::of_page(path, number, &sha256).identify(sheet),
                digest,
            )),
            _ => None,
        })
    }

    /// The entry of a page in the cache; none where tables are drawn.
    fn cached_entry(&self, sha256: &str, number: u32) -> Option<(Entry, Digest)> {
        match self.drawings {
            Some(_) => None,
            None => self.cache.get(sha256, number),
        }
    }

    /// Reads a page and stores its entry. Faults that another run may not have are not stored.
    fn read_entry(
        &self,
        i: usize,
        sha256: &str,
        number: u32,
        page: Option<Result<Page, PageError>>,
    ) -> Result<Result<(Entry, Digest), SheetError>, BatchError> {
        let mut drawn = Ok(());
        let sheet = page.map(|page| {
            let page = page?;
            let sheet = guard::catch(|| self.read_sheet(i, &page, &mut drawn));
            sheet.unwrap_or_else(|panic| Err(SheetError::Internal(panic)))
        });
        drawn?;
        let entry = match sheet {
            None => Entry::End,
            Some(Ok(sheet)) => Entry::Sheet(sheet),
            Some(Err(error)) if !error.is_lasting() => return Ok(Err(error)),
            Some(Err(error)) => Entry::Fault(error.to_string()),
        };
        let digest = self.cache.put(sha256, number, &entry);
        Ok(Ok((entry, digest)))
    }

    /// Reads a page. A drawing that cannot be saved is no fault of the sheet, so its error goes to
    /// `drawn`.
    fn read_sheet(
        &self,
        i: usize,
        page: &Page,
        drawn: &mut Result<(), BatchError>,
    ) -> Result<Sheet, SheetError> {
        let table = self.scanner.read_table(page, self.layout)?;
        if let Some(drawings) = self.drawings {
            *drawn = drawings.draw(i, page, &table.grid);
        }
        self.scanner.read(page, table)
    }
}
