//! A batch whose pages are read and whose sheets are grouped; its games are decoded one by one.

use std::iter;
use std::path::Path;
use std::sync::Arc;

use crate::cache::{Cache, Digest, Entry};
use crate::guard;
use crate::scan::{RecordSheets, Sheet};

use super::decoded_copies::DecodedCopies;
use super::form_consensus::{BatchPage, Form, reread_doubtful_pages, sheets_beyond_doubt};
use super::page_reader::{PageReader, SheetReading};
use super::{
    BatchError, BatchGame, BatchOptions, BatchProgress, Grouping, Input, PageSummary, Parameters,
    SheetGroup, SheetId, SheetSummary, decode_with_fixes, group_by_content, group_by_pairs,
    process_in_order, regroup,
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
    /// Whether inputs were still being read when the sheets were grouped.
    is_early: bool,
}

/// Takes what is there of a batch while further pages are read.
pub type TakeEarlyBatch<'a> = dyn FnMut(ReadBatch) + 'a;

impl ReadBatch {
    /// Reads the pages of all inputs into a cache, and groups the sheets.
    ///
    /// `take_early` gets the sheets of the first inputs, grouped by themselves, as soon as so many
    /// are read as [`Parameters::first_early_inputs`] and [`Parameters::early_growth`] say. Files
    /// with pages that the rest of the batch may have read anew are not among them. Further sheets
    /// may change the groups.
    ///
    /// # Errors
    /// [`BatchError`] where the run cannot go on.
    pub fn read(
        inputs: &[Input],
        options: &BatchOptions,
        cache: &Cache,
        progress: &mut dyn BatchProgress,
        take_early: Option<&mut TakeEarlyBatch>,
    ) -> Result<Self, BatchError> {
        let reader = PageReader {
            scanner: options.scanner,
            cache,
            layout: options.layout,
            drawings: options.drawings.as_ref(),
        };
        Self::read_with(inputs, options, &reader, progress, take_early)
    }

    pub(super) fn read_with(
        inputs: &[Input],
        options: &BatchOptions,
        reader: &PageReader,
        progress: &mut dyn BatchProgress,
        take_early: Option<&mut TakeEarlyBatch>,
    ) -> Result<Self, BatchError> {
        if matches!(options.grouping, Grouping::Alone { .. }) {
            refuse_copies(options)?;
        }
        let mut pages = ReadPages::default();
        let decoded = take_early.is_some().then(DecodedCopies::default);
        if let Some(take_early) = take_early {
            for count in early_counts(inputs.len(), &options.parameters) {
                read_inputs(inputs, count, &mut pages, options, reader, progress)?;
                let decoded = decoded.as_ref();
                take_early(Self::early(&pages.pages, options, reader.cache, decoded)?);
            }
        }
        read_inputs(inputs, inputs.len(), &mut pages, options, reader, progress)?;
        let (sheets, forms) = conclude_reading(pages.pages, options, reader, progress)?;
        let ids: Vec<SheetId> = sheets.iter().map(|sheet| sheet.id.clone()).collect();
        report_unmatched_fixes(&ids, options, progress)?;
        let batch = Self {
            sheets,
            groups: Vec::new(),
            unsaid: Vec::new(),
            forms: Arc::new(forms),
            is_early: false,
        };
        batch.grouped(&options.grouping, options, reader.cache, decoded.as_ref())
    }

    /// What is there of a batch after the first pages.
    fn early(
        pages: &[BatchPage],
        options: &BatchOptions,
        cache: &Cache,
        decoded: Option<&DecodedCopies>,
    ) -> Result<Self, BatchError> {
        let sheets = match has_consensus(options) {
            true => sheets_beyond_doubt(pages, &options.parameters),
            false => pages
                .iter()
                .filter_map(|page| page.sheet.clone().ok())
                .collect(),
        };
        let grouping = match &options.grouping {
            Grouping::Pairs(pairs) => {
                let is_there = |path: &Path| sheets.iter().any(|sheet| sheet.id.path == path);
                let pairs = pairs.iter().filter(|(a, b)| is_there(a) && is_there(b));
                Grouping::Pairs(pairs.cloned().collect())
            }
            other => other.clone(),
        };
        let batch = Self {
            sheets,
            groups: Vec::new(),
            unsaid: Vec::new(),
            forms: Arc::default(),
            is_early: true,
        };
        batch.grouped(&grouping, options, cache, decoded)
    }

    /// The same sheets in the groups of their games. `decoded` keeps what is decoded for that.
    fn grouped(
        mut self,
        grouping: &Grouping,
        options: &BatchOptions,
        cache: &Cache,
        decoded: Option<&DecodedCopies>,
    ) -> Result<Self, BatchError> {
        let (scanner, parameters) = (options.scanner, &options.parameters);
        let copy_parameters = &scanner.options().copies;
        self.unsaid = match grouping {
            Grouping::Alone { .. } => (0..self.sheets.len()).map(SheetGroup::of_one).collect(),
            Grouping::Pairs(pairs) => {
                group_by_pairs(&self.sheets, pairs, parameters, copy_parameters)?
            }
            Grouping::ByContent => {
                group_by_content(&self.sheets, parameters, copy_parameters, |copies| {
                    let decode = || {
                        let sheets = self.load_copies(copies, cache)?;
                        guard::catch(|| scanner.decode(sheets)).ok()
                    };
                    match decoded {
                        Some(decoded) => decoded.get_or_decode(self.digests(copies), decode),
                        None => decode(),
                    }
                })
            }
        };
        Ok(self.regrouped(options))
    }

    /// Whether the first page of a game may be among those that are not read yet.
    pub fn lacks_beginning(&self, group: &SheetGroup) -> bool {
        let continues = |pages: &Vec<usize>| {
            let first = pages.first().map(|&i| &self.sheets[i].numbers);
            first.is_some_and(|numbers| numbers.continues_from.is_some())
        };
        self.is_early && group.copies.iter().all(continues)
    }

    /// For each of some copies, each a list of pages, the hashes of what was read on them.
    pub fn digests(&self, copies: &[impl AsRef<[usize]>]) -> Vec<Vec<Digest>> {
        let digests = |pages: &[usize]| pages.iter().map(|&i| self.sheets[i].digest).collect();
        copies.iter().map(|pages| digests(pages.as_ref())).collect()
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
            is_early: self.is_early,
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

/// Whether the sheets of a batch decide how doubtful ones are read. A layout that is given leaves
/// nothing to decide, nor do sheets that are kept to themselves.
fn has_consensus(options: &BatchOptions) -> bool {
    let is_alone = matches!(options.grouping, Grouping::Alone { .. });
    options.layout.is_none() && !is_alone
}

/// The pages of the first inputs of a batch.
#[derive(Default)]
struct ReadPages {
    pages: Vec<BatchPage>,
    /// Number of the inputs.
    inputs: usize,
}

/// The numbers of inputs, of `total`, after which an early batch is given.
fn early_counts(total: usize, parameters: &Parameters) -> impl Iterator<Item = usize> {
    let growth = parameters.early_growth.max(2);
    let first = parameters.first_early_inputs.max(1);
    let counts = iter::successors(Some(first), move |count| count.checked_mul(growth));
    counts.take_while(move |&count| count < total)
}

/// Reads the pages of the first `count` inputs behind those that are read.
fn read_inputs(
    inputs: &[Input],
    count: usize,
    pages: &mut ReadPages,
    options: &BatchOptions,
    reader: &PageReader,
    progress: &mut dyn BatchProgress,
) -> Result<(), BatchError> {
    let first = pages.inputs;
    let work = |i: usize, input: &Input| {
        reader.read_pages(first + i, input, |reading| {
            let summary = page_summary(&reading);
            let sheet = SheetSummary::new(String::new(), &reading.sheet, reading.digest);
            (summary, sheet)
        })
    };
    process_in_order(&inputs[first..count], options.jobs, work, |outcomes| {
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
                    if !has_consensus(options) {
                        progress.page_failed(&name, &reason);
                        continue;
                    }
                    Err(reason)
                }
            };
            pages.pages.push(BatchPage {
                name,
                input: pages.inputs,
                path: inputs[pages.inputs].path().to_owned(),
                number,
                sheet,
            });
        }
        pages.inputs += 1;
        progress.input_done(count);
        Ok(())
    })
}

/// Reads doubtful pages again with the layouts of the others. Gives the sheets in the order of the
/// input, and the forms with whose layouts some of them were read.
fn conclude_reading(
    mut pages: Vec<BatchPage>,
    options: &BatchOptions,
    reader: &PageReader,
    progress: &mut dyn BatchProgress,
) -> Result<(Vec<SheetSummary>, Vec<Form>), BatchError> {
    let mut forms = Vec::new();
    if has_consensus(options) {
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
