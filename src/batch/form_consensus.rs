//! What the sheets of a batch say of each other's form: a sheet whose table was not found, or has
//! other rows than the tables of the rest, is read again with their layout.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

use crate::cache::Cache;
use crate::grid::layout::FormLayout;
use crate::page;

use super::page_reader::PageReader;
use super::parallel::process_in_order;
use super::{BatchError, Parameters, SheetSummary, TableSummary};

/// A page of a batch, read or not.
pub(super) struct BatchPage {
    /// The page's name in messages.
    pub name: String,
    /// Index of its input.
    pub input: usize,
    /// The file of that input.
    pub path: PathBuf,
    /// Its number in the file, from 1.
    pub number: u32,
    /// The sheet, or the reason why the page gives none.
    pub sheet: Result<SheetSummary, String>,
}

impl BatchPage {
    fn summary(&self) -> Option<&SheetSummary> {
        self.sheet.as_ref().ok()
    }

    fn move_like_share(&self) -> f64 {
        self.summary()
            .map_or(0.0, |sheet| sheet.table.move_like_share())
    }
}

/// A form that sheets of the batch share.
pub(super) struct Form {
    layout: FormLayout,
    /// Stores what is read with the layout.
    pub cache: Cache,
    /// The name of the sheet on which the layout was found.
    pub name: String,
}

/// Reads the doubtful pages of a batch again with the layouts of the others. Gives the forms, which
/// [`SheetSummary::form`] counts, and the indices of the pages that are read so now.
pub(super) fn reread_doubtful_pages(
    pages: &mut [BatchPage],
    reader: &PageReader,
    jobs: usize,
    parameters: &Parameters,
) -> Result<(Vec<Form>, Vec<usize>), BatchError> {
    let Vote { examples, doubtful } = vote(pages, parameters);
    if doubtful.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut forms = Vec::new();
    for example in examples {
        if let Some(layout) = layout_of(&pages[example], reader) {
            let digits = short_hash(layout.to_toml().as_bytes());
            forms.push(Form {
                layout,
                cache: reader.cache.with_layout(&digits),
                name: pages[example].name.clone(),
            });
        }
    }
    let mut reread = Vec::new();
    let work = |_: usize, &at: &usize| (at, reread_page(&pages[at], &forms, reader, parameters));
    process_in_order(&doubtful, jobs, work, |(at, sheet)| {
        reread.extend(sheet?.map(|sheet| (at, sheet)));
        Ok::<_, BatchError>(())
    })?;
    let reread = reread.into_iter().map(|(at, sheet)| {
        pages[at].sheet = Ok(sheet);
        at
    });
    let reread = reread.collect();
    Ok((forms, reread))
}

/// The first 16 hexadecimal digits of the SHA-256 of some bytes, which tell a file from others.
pub fn short_hash(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the tables of a batch say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Vote {
    /// For each form that is trusted the page that is read best, the form of most pages first.
    pub examples: Vec<usize>,
    /// The pages whose tables are doubtful.
    pub doubtful: Vec<usize>,
}

/// Counts the sheets with each first row number and number of rows. Sheets that continue others do
/// not count, and a picture counts once.
///
/// A form is trusted if at least `min_form_sheets` sheets have it and at least one of them reads
/// like moves: pictures without a sheet may agree by chance. A page is doubtful if it gives no
/// sheet, or if it is of no trusted form and less than `min_move_like_share` of it reads like
/// moves, or if it seems to continue another one but its first number lies within a trusted form:
/// then it has probably lost a block. Printed sheets say themselves how their tables are laid.
pub(super) fn vote(pages: &[BatchPage], parameters: &Parameters) -> Vote {
    let mut forms: BTreeMap<(u32, usize), Vec<usize>> = BTreeMap::new();
    let mut pictures = HashSet::new();
    for (at, page) in pages.iter().enumerate() {
        if let Some(sheet) = page.summary()
            && sheet.numbers.continues_from.is_none()
            && pictures.insert(sheet.digest)
        {
            forms.entry(sheet.table.rows).or_default().push(at);
        }
    }
    let is_read = |at: &usize| {
        let sheet = pages[*at].summary();
        sheet.is_some_and(|sheet| sheet.table.reads_like_moves(parameters))
    };
    forms.retain(|_, of_form| {
        of_form.len() >= parameters.min_form_sheets && of_form.iter().any(is_read)
    });
    let is_doubtful = |sheet: &SheetSummary| {
        let table = &sheet.table;
        if sheet.code.is_some() {
            return false;
        }
        if sheet.numbers.continues_from.is_some() {
            let mut forms = forms.keys();
            forms.any(|&(first, rows)| table.rows.0 < first + rows as u32)
        } else {
            !table.reads_like_moves(parameters) && !forms.contains_key(&table.rows)
        }
    };
    let doubtful = (0..pages.len()).filter(|&at| pages[at].summary().is_none_or(is_doubtful));
    let doubtful = doubtful.collect();
    let mut forms: Vec<Vec<usize>> = forms.into_values().collect();
    forms.sort_by_key(|pages| std::cmp::Reverse(pages.len()));
    // Of pages that are read equally well, `max_by` takes the last, so they go backwards here.
    let best = |form: &Vec<usize>| {
        let share = |at: usize| pages[at].move_like_share();
        let pages = form.iter().copied().rev();
        pages.max_by(|&a, &b| share(a).total_cmp(&share(b)))
    };
    let forms = forms.iter().take(parameters.max_tried_forms);
    Vote {
        examples: forms.filter_map(best).collect(),
        doubtful,
    }
}

/// The sheets of the files without a doubtful page, which further pages of the batch hardly change.
pub(super) fn sheets_beyond_doubt(
    pages: &[BatchPage],
    parameters: &Parameters,
) -> Vec<SheetSummary> {
    let doubtful = vote(pages, parameters).doubtful.into_iter();
    let doubtful: HashSet<usize> = doubtful.map(|at| pages[at].input).collect();
    let others = pages.iter().filter(|page| !doubtful.contains(&page.input));
    others.filter_map(BatchPage::summary).cloned().collect()
}

/// The layout of the table on a page.
fn layout_of(page: &BatchPage, reader: &PageReader) -> Option<FormLayout> {
    let picture = page::open(&page.path).ok()?.nth(page.number as usize - 1)?;
    reader.scanner.find_layout(&picture.ok()?)
}

/// A page read with the layout of the first form whose reading is better than that of its own
/// table; none where no form's is.
fn reread_page(
    page: &BatchPage,
    forms: &[Form],
    reader: &PageReader,
    parameters: &Parameters,
) -> Result<Option<SheetSummary>, BatchError> {
    let own = page.summary().map(|sheet| &sheet.table);
    for (number, form) in forms.iter().enumerate() {
        let with_form = PageReader {
            cache: &form.cache,
            layout: Some(&form.layout),
            drawings: None,
            ..*reader
        };
        let reading = with_form.read_page(page.input, &page.path, page.number)?;
        let Some((sheet, digest)) = reading else {
            continue;
        };
        if !is_better(&TableSummary::new(&sheet), own, parameters) {
            continue;
        }
        if reader.drawings.is_some() {
            let drawing = PageReader {
                drawings: reader.drawings,
                ..with_form
            };
            drawing.read_page(page.input, &page.path, page.number)?;
        }
        return Ok(Some(SheetSummary {
            form: Some(number),
            ..SheetSummary::new(page.name.clone(), &sheet, digest)
        }));
    }
    Ok(None)
}

/// Whether a table that is laid by another sheet's layout replaces the page's own one: more of its
/// cells read like moves, and about as clearly. Where rows are twice as high as in the layout, each
/// cell is cut in two that often read like the same move, but with doubt. Where no table was found,
/// the laid one must be beyond doubt.
pub(super) fn is_better(
    laid: &TableSummary,
    own: Option<&TableSummary>,
    parameters: &Parameters,
) -> bool {
    match own {
        Some(own) => {
            let confidence_loss = own.mean_confidence - laid.mean_confidence;
            laid.move_like > own.move_like && confidence_loss <= parameters.max_confidence_loss
        }
        None => {
            laid.mean_confidence >= parameters.min_mean_confidence
                && laid.reads_like_moves(parameters)
        }
    }
}
