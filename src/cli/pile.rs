//! What the sheets of a pile say of each other's form: a sheet whose table was not found, or has other rows than the tables of
//! the rest, is read again with their layout.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use anyhow::{Context, Result};

use sheetscan::cache::Cache;
use sheetscan::grid::layout::FormLayout;
use sheetscan::ink::CellState;
use sheetscan::page;
use sheetscan::scan::Sheet;

use super::groups::Known;
use super::reading::PageReader;
use super::{cache, layout, parallel};

/// Mean confidence of the readings that a table must have where none was found: what is no writing reads like anything.
const SURE: f32 = 0.4;
/// Sheets whose tables must agree to be believed against another one.
const VOTES: usize = 3;
/// Share of the writing in a table that reads like moves from which the table is not doubted.
const LEGIBLE: f64 = 0.6;
/// Forms of a pile that are tried, those of most sheets first.
const FORMS: usize = 2;

/// The rows of a table and how it can be read.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Number of the first row, and how many there are.
    rows: (u32, usize),
    /// Cells with writing.
    written: usize,
    /// Those of them that read like moves.
    moves: usize,
    /// Mean confidence of what is read in it.
    sure: f32,
}

impl Table {
    /// Of a sheet.
    pub fn of(sheet: &Sheet) -> Self {
        let (written, moves) = sheet.legible();
        let first = sheet.cells.first().map_or(0, |cell| cell.id.number);
        let inked = sheet.cells.iter().filter(|r| r.state != CellState::Blank);
        let sum: f32 = inked.map(|r| r.confidence).sum();
        Self {
            rows: (first, sheet.cells.len() / 2),
            written,
            moves,
            sure: sum / written.max(1) as f32,
        }
    }

    fn share(&self) -> f64 {
        self.moves as f64 / self.written.max(1) as f64
    }

    /// Whether a table laid as those of other sheets is to be taken for the sheet's: more of its writing reads like moves than
    /// of the table that was found, or it is not to be doubted where none was.
    fn replaces(&self, found: Option<&Self>) -> bool {
        let enough = self.sure >= SURE && self.share() >= LEGIBLE;
        found.map_or(enough, |found| self.moves > found.moves)
    }
}

/// A page of the pile.
pub struct Page {
    /// For messages.
    pub name: String,
    /// Which input it belongs to.
    pub input: usize,
    /// That input's file.
    pub path: PathBuf,
    /// Its number in the file, from 1.
    pub number: u32,
    /// What is known of it, or the line to tell.
    pub read: Result<Known, String>,
}

impl Page {
    fn known(&self) -> Option<&Known> {
        self.read.as_ref().ok()
    }
}

/// A form that sheets of the pile share.
pub struct Form {
    layout: FormLayout,
    /// Keeps what is read with it.
    pub cache: Cache,
    /// The sheet that it was taken from.
    name: String,
}

/// Reads the doubtful pages of a pile again with the layouts of the others; gives the forms, by their numbers in
/// [`Known::form`], and a line for each page whose table is another one now.
///
/// # Errors
/// What stops the run and is no fault of a sheet.
pub fn mend(
    pages: &mut [Page],
    reader: &PageReader,
    jobs: usize,
) -> Result<(Vec<Form>, Vec<String>)> {
    let (leading, doubtful) = vote(pages);
    let mut forms = Vec::new();
    if doubtful.is_empty() {
        return Ok((forms, Vec::new()));
    }
    for example in leading {
        if let Some(layout) = layout(&pages[example], reader) {
            let digits = cache::short_hash(layout.to_toml().as_bytes());
            let cache = reader
                .cache
                .with_layout(&digits)
                .context(cache::CANNOT_KEEP)?;
            let name = pages[example].name.clone();
            forms.push(Form {
                layout,
                cache,
                name,
            });
        }
    }
    let mut mended = Vec::new();
    let work = |_: usize, &at: &usize| (at, laid(&pages[at], &forms, reader));
    parallel::in_order(&doubtful, jobs, work, |(at, known)| {
        mended.extend(known?.map(|known| (at, known)));
        Ok(())
    })?;
    let mut told = Vec::new();
    for (at, mut known) in mended {
        let page = &mut pages[at];
        let form = known.form.map_or("", |form| &forms[form].name);
        told.push(format!(
            "{}: its table is laid as that of {form}",
            page.name
        ));
        known.name.clone_from(&page.name);
        page.read = Ok(known);
    }
    Ok((forms, told))
}

/// An example of each form that leads, and the pages that are of none of these and doubtful: those that cannot be read well, and
/// those that begin with a number that a form has within, which have lost a block. Pages that continue others have no vote,
/// and a picture has one.
fn vote(pages: &[Page]) -> (Vec<usize>, Vec<usize>) {
    let mut votes: BTreeMap<(u32, usize), Vec<usize>> = BTreeMap::new();
    let mut pictures = HashSet::new();
    for (at, page) in pages.iter().enumerate() {
        if let Some(known) = page.known()
            && !known.reach.continues()
            && pictures.insert(known.digest)
        {
            votes.entry(known.table.rows).or_default().push(at);
        }
    }
    votes.retain(|_, pages| pages.len() >= VOTES);
    let doubts = |known: &Known| {
        let table = &known.table;
        if known.reach.continues() {
            votes
                .keys()
                .any(|&(first, rows)| table.rows.0 < first + rows as u32)
        } else {
            table.share() < LEGIBLE && !votes.contains_key(&table.rows)
        }
    };
    let doubtful = (0..pages.len()).filter(|&at| pages[at].known().is_none_or(doubts));
    let doubtful = doubtful.collect();
    let mut leading: Vec<Vec<usize>> = votes.into_values().collect();
    leading.sort_by_key(|pages| std::cmp::Reverse(pages.len()));
    let share = |at: usize| pages[at].known().map_or(0.0, |known| known.table.share());
    // Of pages that are read as well, the first.
    let best = |form: &Vec<usize>| {
        let pages = form.iter().copied().rev();
        pages.max_by(|&a, &b| share(a).total_cmp(&share(b)))
    };
    (
        leading.iter().take(FORMS).filter_map(best).collect(),
        doubtful,
    )
}

/// The layout of the table on a page.
fn layout(page: &Page, reader: &PageReader) -> Option<FormLayout> {
    let picture = page::open(&page.path).ok()?.nth(page.number as usize - 1)?;
    let picture = picture.ok()?;
    layout::found(&picture, |page| reader.scanner.cells(page, None))
}

/// A page as the first of the forms has it that it can be read as.
fn laid(page: &Page, forms: &[Form], reader: &PageReader) -> Result<Option<Known>> {
    let found = page.known().map(|known| &known.table);
    for (number, form) in forms.iter().enumerate() {
        let with = |debug_dir| PageReader {
            cache: &form.cache,
            layout: Some(&form.layout),
            debug_dir,
            ..*reader
        };
        let Some((sheet, digest)) = with(None).page(page.input, &page.path, page.number)? else {
            continue;
        };
        if !Table::of(&sheet).replaces(found) {
            continue;
        }
        if reader.debug_dir.is_some() {
            with(reader.debug_dir).page(page.input, &page.path, page.number)?;
        }
        let form = Some(number);
        return Ok(Some(Known {
            form,
            ..Known::of(&sheet, digest)
        }));
    }
    Ok(None)
}
