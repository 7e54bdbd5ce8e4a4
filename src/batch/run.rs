//! The steps of a batch, from its inputs to its games.

use crate::cache::Cache;
use crate::guard;
use crate::scan::{RecordSheets, ScannedGame, Scanner, Sheet, SheetError};
use crate::shard_payload::ShardPayload;

use super::page_reader::PageReader;
use super::read_batch::{page_summary, refuse_copies, report_unmatched_fixes};
use super::{
    BatchError, BatchGame, BatchOptions, BatchProgress, Fix, Grouping, Input, ReadBatch,
    SheetGroup, SheetId, decode_with_fixes, process_in_order,
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
    refuse_copies(options)?;
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
        let record = RecordSheets::new(vec![vec![sheet]], scanner.alphabet());
        decode_with_fixes(&fixes, &record, |answers| {
            record.decode(scanner.decoder(), answers)
        })
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
    let batch = ReadBatch::read_with(inputs, options, reader, progress, None)?;
    let decode = |_: usize, group: &SheetGroup| batch.decode(group, options, reader.cache);
    process_in_order(&batch.groups, options.jobs, decode, sink)
}

impl BatchGame {
    /// A game without payload from what decoding gave, or from the text of an internal fault.
    pub(super) fn new(name: String, decoded: Result<(ScannedGame, Vec<Fix>), String>) -> Self {
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
