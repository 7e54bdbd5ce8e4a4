//! Which sheets are pages of one record: a sheet whose printed numbers begin where those of another
//! one end, and whose moves go on with its game.

use crate::copies::{self, TextFingerprint};
use crate::decode::UnreadReason;
use crate::scan::ScannedGame;

use super::{Parameters, SheetSummary};

/// Joins pages to copies of a record, each of one page or more, in playing order. `sheets` are
/// indices of `summaries`, in the order of the input.
///
/// A sheet that continues another one is added to the nearest sheet whose numbers lead to it, that
/// no other page continues, and with which `continues` is true of all the pages: the nearest before
/// it in the input or, where there is none, behind it. Where an earlier copy of that sheet will do
/// as well, the page is added to the first of these.
pub(super) fn join_pages(
    summaries: &[SheetSummary],
    sheets: &[usize],
    parameters: (&Parameters, &copies::Parameters),
    continues: impl Fn(&[usize]) -> bool,
) -> Vec<Vec<usize>> {
    let mut records: Vec<Vec<usize>> = Vec::new();
    // Every page comes after those that may lead to it.
    let mut in_playing_order = sheets.to_vec();
    in_playing_order.sort_by_key(|&sheet| summaries[sheet].numbers.continues_from);
    for sheet in in_playing_order {
        match find_record(summaries, &records, sheet, parameters, &continues) {
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
    continues: impl Fn(&[usize]) -> bool,
) -> Option<usize> {
    let numbers = &summaries[sheet].numbers;
    numbers.continues_from?;
    let last_page = |record: usize| records[record][records[record].len() - 1];
    let leads_here = |&record: &usize| {
        let before = &summaries[last_page(record)].numbers;
        before.leads_to(numbers, parameters.max_empty_last_rows)
    };
    let continues = |&record: &usize| continues(&[&records[record][..], &[sheet]].concat());
    let mut open: Vec<usize> = (0..records.len()).filter(leads_here).collect();
    open.sort_by_key(|&record| {
        let page = last_page(record);
        (page > sheet, page.abs_diff(sheet))
    });
    let mut nearest = open.iter().take(parameters.max_tried_pages).copied();
    let nearest = nearest.find(continues)?;
    let fingerprint = join_fingerprints(summaries, &records[nearest]);
    let is_copy = |&record: &usize| {
        let other = join_fingerprints(summaries, &records[record]);
        fingerprint.is_same_game(&other, copy_parameters)
    };
    let first_copy = open
        .iter()
        .rev()
        .copied()
        .filter(|&record| record != nearest)
        .filter(is_copy)
        .find(continues)
        .filter(|&record| last_page(record) < last_page(nearest));
    first_copy.or(Some(nearest))
}

/// The fingerprint of some pages in a row.
pub(super) fn join_fingerprints(summaries: &[SheetSummary], pages: &[usize]) -> TextFingerprint {
    let fingerprints = pages.iter().map(|&i| summaries[i].fingerprint.clone());
    let joined = fingerprints.reduce(|pages, next| pages.join(&next));
    joined.unwrap_or_else(|| TextFingerprint::new(&[]))
}

/// Whether the last page of a game goes on where the one before it ends: moves are read from at
/// least `min_continued_share` of the cells that are written on it before the end of the game.
pub(super) fn last_page_continues(scanned: &ScannedGame, parameters: &Parameters) -> bool {
    let Some(last) = scanned.sheets.len().checked_sub(1) else {
        return false;
    };
    let plies = scanned.game.plies.iter();
    let read = plies.filter(|ply| ply.cells.iter().any(|cell| cell.0 == last));
    let read = read.count() as f32;
    let unread = scanned.game.unread.iter().filter(|unread| {
        let belongs_elsewhere = matches!(
            unread.reason,
            UnreadReason::AfterTheEnd | UnreadReason::CrossedOut | UnreadReason::SecondGame
        );
        unread.sheet == last && !belongs_elsewhere
    });
    read > 0.0 && read >= parameters.min_continued_share * (read + unread.count() as f32)
}
