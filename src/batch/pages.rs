//! Which sheets are pages of one record: a sheet whose printed numbers begin where those of another
//! one end, and whose moves go on with its game.

use crate::copies::{self, TextFingerprint};
use crate::decode::UnreadReason;
use crate::form::FormCode;
use crate::scan::ScannedGame;

use super::{Parameters, SheetSummary};

/// Joins pages to copies of a record, each of one page or more, in playing order. `sheets` are
/// indices of `summaries`, in the order of the input.
///
/// `fit_last_page` tells how well the last of some pages continues the others, and is none where
/// their game does not go on there. A sheet is added to a record that no other page continues,
/// whose code says that the sheet is its next page, or else whose numbers lead to it and whose game
/// goes on there: the nearest one, before it in the input rather than behind it, unless a page of
/// few moves fits another one clearly better. Where an earlier copy of that record will do as well,
/// the page is added to the first of these.
pub(super) fn join_pages(
    summaries: &[SheetSummary],
    sheets: &[usize],
    parameters: (&Parameters, &copies::Parameters),
    fit_last_page: impl Fn(&[usize]) -> Option<PageFit>,
) -> Vec<Vec<usize>> {
    let mut records: Vec<Vec<usize>> = Vec::new();
    // Every page comes after those that may lead to it.
    let mut in_playing_order = sheets.to_vec();
    in_playing_order.sort_by_key(|&sheet| summaries[sheet].numbers.continues_from);
    for sheet in in_playing_order {
        match find_record(summaries, &records, sheet, parameters, &fit_last_page) {
            Some(record) => records[record].push(sheet),
            None => records.push(vec![sheet]),
        }
    }
    records
}

/// The index of the record that a sheet continues.
fn find_record(
    summaries: &[SheetSummary],
    records: &[Vec<usize>],
    sheet: usize,
    (parameters, copy_parameters): (&Parameters, &copies::Parameters),
    fit_last_page: impl Fn(&[usize]) -> Option<PageFit>,
) -> Option<usize> {
    let numbers = &summaries[sheet].numbers;
    numbers.continues_from?;
    let last_page = |record: usize| records[record][records[record].len() - 1];
    if let Some(code) = summaries[sheet].code {
        let is_page_before = |&record: &usize| {
            let before = summaries[last_page(record)].code;
            before.is_some_and(|before| is_next_page(&before, &code))
        };
        let printed = (0..records.len()).find(is_page_before);
        if printed.is_some() {
            return printed;
        }
    }
    let leads_here = |&record: &usize| {
        let before = &summaries[last_page(record)].numbers;
        before.leads_to(numbers, parameters.max_empty_last_rows)
    };
    let fit = |record: usize| fit_last_page(&[&records[record][..], &[sheet]].concat());
    let mut open: Vec<usize> = (0..records.len()).filter(leads_here).collect();
    open.sort_by_key(|&record| {
        let page = last_page(record);
        (page > sheet, page.abs_diff(sheet))
    });
    let mut found: Option<(usize, PageFit)> = None;
    for &record in open.iter().take(parameters.max_tried_pages) {
        let Some(fit) = fit(record) else { continue };
        let min_nats = found.map(|(_, nearer)| nearer.nats + parameters.min_farther_page_nats);
        if min_nats.is_none_or(|min_nats| fit.nats >= min_nats) {
            found = Some((record, fit));
        }
        if fit.read_moves >= parameters.min_sure_page_moves {
            break;
        }
    }
    let (best, _) = found?;
    let fingerprint = join_fingerprints(summaries, &records[best]);
    let is_copy = |&record: &usize| {
        let other = join_fingerprints(summaries, &records[record]);
        fingerprint.is_same_game(&other, copy_parameters)
    };
    let first_copy = open
        .iter()
        .rev()
        .copied()
        .filter(|&record| record != best)
        .filter(is_copy)
        .find(|&record| fit(record).is_some())
        .filter(|&record| last_page(record) < last_page(best));
    first_copy.or(Some(best))
}

/// Whether a sheet was printed as the page of a record that comes after another sheet.
fn is_next_page(before: &FormCode, next: &FormCode) -> bool {
    before.is_of_same_game(next) == Some(true)
        && (before.side, before.copy, before.page + 1) == (next.side, next.copy, next.page)
}

/// The fingerprint of some pages in a row.
pub(super) fn join_fingerprints(summaries: &[SheetSummary], pages: &[usize]) -> TextFingerprint {
    let fingerprints = pages.iter().map(|&i| summaries[i].fingerprint.clone());
    let joined = fingerprints.reduce(|pages, next| pages.join(&next));
    joined.unwrap_or_else(|| TextFingerprint::new(&[]))
}

/// How well the last page of a game continues the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageFit {
    /// By how many nats the game of all pages is likelier than that of the pages before the last.
    pub nats: f32,
    /// Number of moves that are read from the last page.
    pub read_moves: usize,
}

/// Number of moves that are read from the last page of a game, where the game goes on there: from
/// at least `min_continued_share` of the cells that are written on it before the end of the game.
pub(super) fn count_continued_moves(
    scanned: &ScannedGame,
    parameters: &Parameters,
) -> Option<usize> {
    let last = scanned.sheets.len().checked_sub(1)?;
    let plies = scanned.game.plies.iter();
    let read = plies.filter(|ply| ply.cells.iter().any(|cell| cell.0 == last));
    let read = read.count();
    let unread = scanned.game.unread.iter().filter(|unread| {
        let belongs_elsewhere = matches!(
            unread.reason,
            UnreadReason::AfterTheEnd | UnreadReason::CrossedOut | UnreadReason::SecondGame
        );
        unread.sheet == last && !belongs_elsewhere
    });
    let written = read + unread.count();
    let goes_on = read > 0 && read as f32 >= parameters.min_continued_share * written as f32;
    goes_on.then_some(read)
}
