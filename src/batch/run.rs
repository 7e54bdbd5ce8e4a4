//! The steps of a batch, from its inputs to its games.

use crate::cache::{Cache, Entry};
use crate::guard;
use crate::scan::{RecordSheets, ScannedGame, Scanner, Sheet, SheetError};
use crate::shard_payload::ShardPayload;

use super::form_consensus::{BatchPage, Form, reread_doubtful_pages};
use super::page_reader::{PageReader, SheetReading};
use super::{
    BatchError, BatchGame, BatchOptions, BatchProgress, Fix, Grouping, Input, PageSummary,
    SheetGroup, SheetId, SheetSummary, decode_with_fixes, group_by_content, group_by_pairs,
    process_in_order,
};

/// The same as [`super::scan_batch`], but calls `sink` with every game as soon as it is known, in
/// the same order, so that memory holds only the sheets that are being worked on.
///
/// With [`Grouping::Alone`] a game is decoded as soon as its sheet is read. Otherwise every page is
/// read first and goes to the cache; then doubtful pages are read again with the layout of the
/// others, the sheets are grouped, and each game is decoded from the cache.
///
/// # Errors
/// [`BatchError`] where the run cannot go on, and the first error of `sink`.
pub fn scan_batch_with<E: From<BatchError>>(
    inputs: &[Input],
    options: &BatchOptions,
    progress: &mut dyn BatchProgress,
    sink: impl FnMut(BatchGame) -> Result<(), E>,
) -> Result<(), E> {
    let temporary;
    let cache = match options.cache {
        Some(cache) => cache,
        None => {
            temporary = Cache::temporary();
            &temporary
        }
    };
    let reader = PageReader {
        scanner: options.scanner,
        cache,
        layout: options.layout,
        drawings: options.drawings.as_ref(),
    };
    match options.grouping {
        Grouping::Alone { with_payload } => {
            scan_alone(inputs, options, &reader, with_payload, progress, sink)
        }
        _ => scan_grouped(inputs, options, &reader, progress, sink),
    }
}

/// Decodes every sheet by itself, as soon as it is read.
fn scan_alone<E: From<BatchError>>(
    inputs: &[Input],
    options: &BatchOptions,
    reader: &PageReader,
    with_payload: bool,
    progress: &mut dyn BatchProgress,
    mut sink: impl FnMut(BatchGame) -> Result<(), E>,
) -> Result<(), E> {
    let work = |i: usize, input: &Input| {
        reader.read_pages(i, input, |reading| {
            let summary = page_summary(&reading);
            let id = SheetId::new(&reading.sheet);
            let fixes = options.fixes.of_sheets(std::slice::from_ref(&id));
            let game = decode_alone(reading.sheet, options.scanner, fixes, with_payload);
            (summary, id, game)
        })
    };
    let mut sheets = Vec::new();
    process_in_order(inputs, options.jobs, work, |outcomes| {
        let outcomes = outcomes?;
        let pages = outcomes.len();
        for outcome in outcomes {
            let name = outcome.name;
            match outcome.result {
                Ok((summary, id, game)) => {
                    progress.page_read(&name, &summary);
                    sheets.push(id);
                    sink(BatchGame { name, ..game })?;
                }
                Err(reason) => progress.page_failed(&name, &reason),
            }
        }
        progress.input_done(pages);
        Ok::<_, E>(())
    })?;
    report_unmatched_fixes(&sheets, options, progress)?;
    Ok(())
}

/// The game of one sheet, which has no name yet.
fn decode_alone(sheet: Sheet, scanner: &Scanner, fixes: Vec<Fix>, with_payload: bool) -> BatchGame {
    let payload = with_payload.then(|| {
        let mut payload = ShardPayload::new(sheet.clone(), scanner.alphabet(), scanner.options());
        payload.fixes = fixes.iter().map(Fix::key_and_value).collect();
        payload.pack()
    });
    let decoded = guard::catch(|| {
        let mut record = RecordSheets::new(vec![vec![sheet]], scanner.alphabet());
        decode_with_fixes(&fixes, &mut record, scanner.decoder())
    });
    BatchGame {
        payload,
        ..BatchGame::new(String::new(), decoded)
    }
}

/// Reads every page, groups the sheets, and decodes the game of each group.
fn scan_grouped<E: From<BatchError>>(
    inputs: &[Input],
    options: &BatchOptions,
    reader: &PageReader,
    progress: &mut dyn BatchProgress,
    sink: impl FnMut(BatchGame) -> Result<(), E>,
) -> Result<(), E> {
    let (sheets, forms) = read_sheets(inputs, options, reader, progress)?;
    let ids: Vec<SheetId> = sheets.iter().map(|sheet| sheet.id.clone()).collect();
    report_unmatched_fixes(&ids, options, progress)?;
    let store = SheetStore {
        cache: reader.cache,
        forms: &forms,
        sheets: &sheets,
    };
    let (scanner, parameters) = (options.scanner, &options.parameters);
    let copy_parameters = &scanner.options().copies;
    let groups = match &options.grouping {
        Grouping::Pairs(pairs) => group_by_pairs(&sheets, pairs, parameters, copy_parameters)?,
        _ => group_by_content(&sheets, parameters, copy_parameters, |copies| {
            let copies = store.load_copies(copies)?;
            guard::catch(|| scanner.decode(copies)).ok()
        }),
    };
    let decode = |_: usize, group: &SheetGroup| BatchGame {
        begins_like: group.begins_like.map(|i| sheets[i].name.clone()),
        ..BatchGame::new(group.name(&sheets), decode_group(group, &store, options))
    };
    process_in_order(&groups, options.jobs, decode, sink)
}

/// Reads the pages of all inputs, doubtful ones again with the layouts of the others. Gives the
/// sheets in the order of the input, and the forms with whose layouts some of them were read.
fn read_sheets(
    inputs: &[Input],
    options: &BatchOptions,
    reader: &PageReader,
    progress: &mut dyn BatchProgress,
) -> Result<(Vec<SheetSummary>, Vec<Form>), BatchError> {
    // A layout that is given leaves nothing to decide.
    let has_consensus = options.layout.is_none();
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
fn page_summary(reading: &SheetReading) -> PageSummary {
    PageSummary {
        inked_cells: reading.sheet.inked_cells(),
        continues_from: reading.sheet.continues_from(),
        cached: reading.cached,
        cut_short: reading.sheet.cut_short,
    }
}

/// Reports fixes that name no sheet of the run; fails if one of them is required.
fn report_unmatched_fixes(
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

/// The sheets of a batch, kept in the caches that they were read into.
struct SheetStore<'a> {
    /// Has the sheets that were read with their own tables.
    cache: &'a Cache,
    /// Their caches have the sheets that were read with a form's layout.
    forms: &'a [Form],
    sheets: &'a [SheetSummary],
}

impl SheetStore<'_> {
    /// The sheets of some copies, each a list of pages; none where one is no longer in its cache.
    fn load_copies(&self, copies: &[impl AsRef<[usize]>]) -> Option<Vec<Vec<Sheet>>> {
        let load_pages = |pages: &[usize]| pages.iter().map(|&i| self.load(i)).collect();
        copies
            .iter()
            .map(|pages| load_pages(pages.as_ref()))
            .collect()
    }

    fn load(&self, i: usize) -> Option<Sheet> {
        let SheetSummary { id, form, .. } = &self.sheets[i];
        let form = form.and_then(|form| self.forms.get(form));
        let cache = form.map_or(self.cache, |form| &form.cache);
        match cache.get(&id.sha256, id.page) {
            Some((Entry::Sheet(sheet), _)) => Some(id.identify(sheet)),
            _ => None,
        }
    }
}

/// The game of a group with its fixes, or the text of an internal fault.
fn decode_group(
    group: &SheetGroup,
    store: &SheetStore,
    options: &BatchOptions,
) -> Result<(ScannedGame, Vec<Fix>), String> {
    let copies = store.load_copies(&group.copies);
    let copies = copies.ok_or("what was read of it is gone from the cache")?;
    let fixes = options.fixes.of_sheets(&group.ids(store.sheets));
    let scanner = options.scanner;
    let (mut scanned, refused) = guard::catch(|| {
        let mut record = RecordSheets::new(copies, scanner.alphabet());
        decode_with_fixes(&fixes, &mut record, scanner.decoder())
    })?;
    scanned.same = group.same_sheets(store.sheets);
    Ok((scanned, refused))
}

impl BatchGame {
    /// A game without payload from what decoding gave, or from the text of an internal fault.
    fn new(name: String, decoded: Result<(ScannedGame, Vec<Fix>), String>) -> Self {
        let (result, refused_fixes) = match decoded {
            Ok((scanned, refused)) => (Ok(scanned), refused),
            Err(fault) => (Err(SheetError::Internal(fault)), Vec::new()),
        };
        Self {
            name,
            result,
            begins_like: None,
            refused_fixes,
            payload: None,
        }
    }
}
