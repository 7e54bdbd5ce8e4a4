//! A batch whose pages are read and whose sheets are grouped; its games are decoded one by one.

use std::sync::Arc;

use crate::cache::{Cache, Entry};
use crate::guard;
use crate::scan::{RecordSheets, Sheet};

use super::form_consensus::{BatchPage, Form, reread_doubtful_pages};
use super::page_reader::{PageReader, SheetReading};
use super::{
    BatchError, BatchGame, BatchOptions, BatchProgress, Grouping, Input, PageSummary, SheetGroup,
    SheetId, SheetSummary, decode_with_fixes, group_by_content, group_by_pairs, process_in_order,
    regroup,
};

/// What was read in a batch: its sheets, and which of them make one game. What stands in their
/// cells is in the cache that they were read with.
pub struct ReadBatch {
    /// The sheets in the order of the input.
    pub sheets: Vec<SheetSummary>,
    /// The sheets of each game, in the order of their first sheets.
    pub groups: Vec<SheetGroup>,
    /// The groups before a person has said anything of them.
    unsaid: Vec<SheetGroup>,
    /// The forms with whose layouts some sheets were read.
    forms: Arc<Vec<Form>>,
}

impl ReadBatch {
    /// Reads the pages of all inputs into a cache, and groups the sheets.
    ///
    /// # Errors
    /// [`BatchError`] where the run cannot go on.
    pub fn read(
        inputs: &[Input],
        options: &BatchOptions,
        cache: &Cache,
        progress: &mut dyn BatchProgress,
    ) -> Result<Self, BatchError> {
        let reader = PageReader {
            scanner: options.scanner,
            cache,
            layout: options.layout,
            drawings: options.drawings.as_ref(),
        };
        Self::read_with(inputs, options, &reader, progress)
    }

    pub(super) fn read_with(
        inputs: &[Input],
        options: &BatchOptions,
        reader: &PageReader,
        progress: &mut dyn BatchProgress,
    ) -> Result<Self, BatchError> {
        if matches!(options.grouping, Grouping::Alone { .. }) {
            refuse_copies(options)?;
        }
        let (sheets, forms) = read_sheets(inputs, options, reader, progress)?;
        let ids: Vec<SheetId> = sheets.iter().map(|sheet| sheet.id.clone()).collect();
        report_unmatched_fixes(&ids, options, progress)?;
        let mut batch = Self {
            sheets,
            groups: Vec::new(),
            unsaid: Vec::new(),
            forms: Arc::new(forms),
        };
        let (scanner, parameters) = (options.scanner, &options.parameters);
        let copy_parameters = &scanner.options().copies;
        batch.unsaid = match &options.grouping {
            Grouping::Alone { .. } => (0..batch.sheets.len()).map(SheetGroup::of_one).collect(),
            Grouping::Pairs(pairs) => {
                group_by_pairs(&batch.sheets, pairs, parameters, copy_parameters)?
            }
            Grouping::ByContent => {
                group_by_content(&batch.sheets, parameters, copy_parameters, |copies| {
                    let copies = batch.load_copies(copies, reader.cache)?;
                    guard::catch(|| scanner.decode(copies)).ok()
                })
            }
        };
        Ok(batch.regrouped(options))
    }

    /// The same sheets, grouped as the fixes of `options` say.
    #[must_use]
    pub fn regrouped(&self, options: &BatchOptions) -> Self {
        let (fixes, parameters) = (&options.fixes, &options.parameters);
        let copy_parameters = &options.scanner.options().copies;
        let (sheets, unsaid) = (self.sheets.clone(), self.unsaid.clone());
        Self {
            groups: regroup(&unsaid, &sheets, fixes, parameters, copy_parameters),
            forms: Arc::clone(&self.forms),
            sheets,
            unsaid,
        }
    }

    /// The game of a group, with the fixes of its sheets.
    pub fn decode(&self, group: &SheetGroup, options: &BatchOptions, cache: &Cache) -> BatchGame {
        let fixes = options.fixes.of_sheets(&group.ids(&self.sheets));
        let scanner = options.scanner;
        let decoded = self
            .record(group, scanner.alphabet(), cache)
            .and_then(|record| {
                guard::catch(|| {
                    decode_with_fixes(&fixes, &record, |answers| {
                        record.decode(scanner.decoder(), answers)
                    })
                })
            });
        let decoded = decoded.map(|(mut scanned, refused)| {
            scanned.same = group.same_sheets(&self.sheets);
            (scanned, refused)
        });
        BatchGame {
            begins_like: group.begins_like.map(|i| self.sheets[i].name.clone()),
            ..BatchGame::new(group.name(&self.sheets), decoded)
        }
    }

    /// The sheets of a group with all that was read on them, from their cache; posteriors are over
    /// `alphabet`.
    ///
    /// # Errors
    /// A message where the cache has lost a sheet.
    pub fn record(
        &self,
        group: &SheetGroup,
        alphabet: &[char],
        cache: &Cache,
    ) -> Result<RecordSheets, String> {
        let copies = self.load_copies(&group.copies, cache);
        let copies = copies.ok_or("what was read of it is gone from the cache")?;
        Ok(RecordSheets::new(copies, alphabet))
    }

    /// The sheets of some copies, each a list of pages; none where one is no longer in its cache.
    fn load_copies(
        &self,
        copies: &[impl AsRef<[usize]>],
        cache: &Cache,
    ) -> Option<Vec<Vec<Sheet>>> {
        let load_pages = |pages: &[usize]| pages.iter().map(|&i| self.load(i, cache)).collect();
        copies
            .iter()
            .map(|pages| load_pages(pages.as_ref()))
            .collect()
    }

    fn load(&self, i: usize, cache: &Cache) -> Option<Sheet> {
        let SheetSummary { id, form, .. } = &self.sheets[i];
        let form = form.and_then(|form| self.forms.get(form));
        let cache = form.map_or(cache, |form| &form.cache);
        match cache.get(&id.sha256, id.page) {
            Some((Entry::Sheet(sheet), _)) => Some(id.identify(sheet)),
            _ => None,
        }
    }
}

/// Reads the pages of all inputs, doubtful ones again with the layouts of the others. Gives the
/// sheets in the order of the input, and the forms with whose layouts some of them were read.
fn read_sheets(
    inputs: &[Input],
    options: &BatchOptions,
    reader: &PageReader,
    progress: &mut dyn BatchProgress,
) -> Result<(Vec<SheetSummary>, Vec<Form>), BatchError> {
    // A layout that is given leaves nothing to decide, nor do sheets that are kept to themselves.
    let is_alone = matches!(options.grouping, Grouping::Alone { .. });
    let has_consensus = options.layout.is_none() && !is_alone;
    let work = |i: usize, input: &Input| {
        reader.read_pages(i, input, |reading| {
            let summary = page_summary(&reading);
            let sheet = SheetSummary::new(String::new(), &reading.sheet, reading.digest);
            (summary, sheet)
        })
    };
    let mut pages: Vec<BatchPage> = Vec::new();
    let mut input = 0;
    process_in_order(inputs, options.jobs, work, |outcomes| {
        let outcomes = outcomes?;
        let count = outcomes.len();
        for (number, outcome) in (1..).zip(outcomes) {
            let name = outcome.name;
            let sheet = match outcome.result {
                Ok((summary, mut sheet)) => {
                    progress.page_read(&name, &summary);
                    sheet.name.clone_from(&name);
                    Ok(sheet)
                }
                Err(reason) => {
                    // It may yet be read with the layout of another sheet.
                    if !has_consensus {
                        progress.page_failed(&name, &reason);
                        continue;
                    }
                    Err(reason)
                }
            };
            pages.push(BatchPage {
                name,
                input,
                path: inputs[input].path().to_owned(),
                number,
                sheet,
            });
        }
        input += 1;
        progress.input_done(count);
        Ok::<_, BatchError>(())
    })?;
    let mut forms = Vec::new();
    if has_consensus {
        let reread;
        (forms, reread) =
            reread_doubtful_pages(&mut pages, reader, options.jobs, &options.parameters)?;
        for at in reread {
            let form = pages[at].sheet.as_ref().ok().and_then(|sheet| sheet.form);
            let form = form.map_or("", |form| &forms[form].name);
            progress.page_reread(&pages[at].name, form);
        }
    }
    let mut sheets = Vec::new();
    for page in pages {
        match page.sheet {
            Ok(sheet) => sheets.push(sheet),
            Err(reason) => progress.page_failed(&page.name, &reason),
        }
    }
    Ok((sheets, forms))
}

/// The numbers of a page that are reported.
pub(super) fn page_summary(reading: &SheetReading) -> PageSummary {
    PageSummary {
        inked_cells: reading.sheet.inked_cells(),
        continues_from: reading.sheet.continues_from(),
        code: reading.sheet.code,
        cached: reading.cached,
        cut_short: reading.sheet.cut_short,
    }
}

/// Refuses fixes that say which sheets record one game, where each sheet is kept by itself.
pub(super) fn refuse_copies(options: &BatchOptions) -> Result<(), BatchError> {
    match options.fixes.of_copies().next() {
        Some(fix) => Err(BatchError::CopiesAlone(fix.to_string())),
        None => Ok(()),
    }
}

/// Reports fixes that name no sheet of the run; fails if one of them is required.
pub(super) fn report_unmatched_fixes(
    sheets: &[SheetId],
    options: &BatchOptions,
    progress: &mut dyn BatchProgress,
) -> Result<(), BatchError> {
    let unmatched = options.fixes.unmatched(sheets)?;
    if let Some(first) = unmatched.first() {
        progress.fixes_unmatched(unmatched.len(), first);
    }
    Ok(())
}
