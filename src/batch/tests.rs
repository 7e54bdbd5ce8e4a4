//! Which sheets are put together, on summaries of sheets that nobody read.

use super::form_consensus::{BatchPage, is_better, vote};
use super::groups::{group_by_content, group_by_pairs};
use super::{
    Fix, FixError, Fixes, MoveNumberRange, Parameters, SheetGroup, SheetId, SheetSummary,
    TableSummary,
};
use crate::copies::{self, TextFingerprint};
use crate::form::{EventHash, FormCode, SheetForm, SheetSide, SheetSize};

/// The summary of sheet `i`: rows `first` to `last`, all of them written in, and `move_like` of 100
/// cells with ink read like moves.
fn summary(i: u8, (first, last): (u32, u32), move_like: usize) -> SheetSummary {
    SheetSummary {
        name: format!("{i}.jpg"),
        id: SheetId {
            path: format!("{i}.jpg").into(),
            page: 1,
            sha256: String::new(),
        },
        fingerprint: TextFingerprint::new(&[]),
        digest: [i; 32],
        numbers: MoveNumberRange {
            continues_from: (first > 1).then_some(first),
            last,
            last_inked: last,
        },
        code: None,
        table: TableSummary {
            rows: (first, (last - first + 1) as usize),
            inked: 100,
            move_like,
            mean_confidence: 0.9,
        },
        form: None,
    }
}

fn by_pairs(summaries: &[SheetSummary], pairs: &[(&str, &str)]) -> Vec<SheetGroup> {
    let pairs: Vec<_> = pairs.iter().map(|(a, b)| (a.into(), b.into())).collect();
    let parameters = Parameters::default();
    group_by_pairs(
        summaries,
        &pairs,
        &parameters,
        &copies::Parameters::default(),
    )
    .unwrap()
}

#[test]
fn pairs_that_share_a_sheet_make_one_game() {
    let sheets: Vec<_> = (0..5).map(|i| summary(i, (1, 60), 100)).collect();
    let groups = by_pairs(&sheets, &[("3.jpg", "4.jpg"), ("0.jpg", "3.jpg")]);
    let members: Vec<_> = groups.iter().map(SheetGroup::members).collect();
    assert_eq!(members, [vec![0, 3, 4], vec![1], vec![2]]);
}

#[test]
fn the_sheets_of_a_pair_are_pages_where_their_numbers_say_so() {
    let sheets = [summary(0, (1, 30), 100), summary(1, (31, 60), 100)];
    let groups = by_pairs(&sheets, &[("0.jpg", "1.jpg")]);
    assert_eq!(groups[0].copies, [vec![0, 1]]);
    let sheets = [summary(0, (1, 30), 100), summary(1, (1, 30), 100)];
    let groups = by_pairs(&sheets, &[("0.jpg", "1.jpg")]);
    assert_eq!(groups[0].copies, [vec![0], vec![1]]);
}

#[test]
fn the_same_picture_under_two_names_is_one_copy() {
    let mut sheets: Vec<_> = (0..3).map(|i| summary(i, (1, 60), 100)).collect();
    sheets[2].digest = sheets[0].digest;
    let parameters = (Parameters::default(), copies::Parameters::default());
    let groups = group_by_content(&sheets, &parameters.0, &parameters.1, |_| None);
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[0].copies, [vec![0]]);
    assert_eq!(groups[0].same, [(2, 0)]);
    assert_eq!(groups[0].name(&sheets), "0.jpg + 2.jpg");
}

#[test]
fn the_last_rows_of_a_page_may_be_empty_but_not_many_of_them() {
    let page = summary(0, (1, 30), 100).numbers;
    let next = summary(1, (31, 60), 100).numbers;
    let leads = |last_inked: u32| MoveNumberRange { last_inked, ..page }.leads_to(&next, 2);
    assert_eq!([30, 28, 27].map(leads), [true, true, false]);
    let not_next = summary(1, (32, 60), 100).numbers;
    assert!(!page.leads_to(&not_next, 2));
}

/// The pages with these summaries, by their number.
fn pages(sheets: Vec<Result<SheetSummary, String>>) -> Vec<BatchPage> {
    let page = |(i, sheet)| BatchPage {
        name: format!("{i}.jpg"),
        input: i,
        path: format!("{i}.jpg").into(),
        number: 1,
        sheet,
    };
    sheets.into_iter().enumerate().map(page).collect()
}

#[test]
fn three_sheets_of_a_form_outvote_a_table_that_hardly_reads_like_moves() {
    let of_form = |i: u8, move_like: usize| Ok(summary(i, (1, 60), move_like));
    let mut sheets = vec![of_form(0, 80), of_form(1, 95), of_form(2, 95)];
    sheets.push(Ok(summary(3, (1, 58), 30)));
    sheets.push(Ok(summary(4, (1, 58), 70)));
    sheets.push(Err("no move table found".to_owned()));
    // It begins within the form: it has lost its first block.
    sheets.push(Ok(summary(6, (31, 60), 100)));
    let vote = vote(&pages(sheets), &Parameters::default());
    assert_eq!(vote.examples, [1], "the first of those that are read best");
    assert_eq!(vote.doubtful, [3, 5, 6]);
}

#[test]
fn two_sheets_of_a_form_and_their_repeats_lend_no_layout() {
    let mut repeat = summary(2, (1, 60), 95);
    repeat.digest = [0; 32];
    let sheets = vec![
        Ok(summary(0, (1, 60), 95)),
        Ok(summary(1, (1, 60), 95)),
        Ok(repeat),
        Err("no move table found".to_owned()),
    ];
    let vote = vote(&pages(sheets), &Parameters::default());
    assert!(vote.examples.is_empty());
}

#[test]
fn tables_that_do_not_read_like_moves_lend_no_layout() {
    let mut sheets: Vec<_> = (0..3).map(|i| Ok(summary(i, (1, 60), 30))).collect();
    sheets.push(Err("no move table found".to_owned()));
    let vote = vote(&pages(sheets), &Parameters::default());
    assert!(vote.examples.is_empty());
}

fn fix(text: &str) -> Fix {
    text.parse().unwrap()
}

#[test]
fn the_last_colon_of_a_fix_divides_the_sheet_from_the_move() {
    let parsed = fix("C:\\scans\\a.jpg:23=Nf3+");
    assert_eq!(parsed.sheet, "C:\\scans\\a.jpg");
    assert_eq!(parsed.key_and_value(), ("23".to_owned(), "Nf3".to_owned()));
    assert_eq!(parsed.to_string(), "C:\\scans\\a.jpg:23=Nf3+");
    for text in [
        "a:11w=Nb5",
        "a:12b=-",
        "a:13w=?",
        "a:+22b=Rxe3 Kf2",
        "a:end=24b",
        "a:round=3",
    ] {
        let (key, value) = fix(text).key_and_value();
        assert_eq!(format!("a:{key}={value}"), text);
    }
    let error = |text: &str| text.parse::<Fix>().unwrap_err();
    assert_eq!(error("a.jpg"), FixError::Form);
    assert_eq!(error("a.jpg:0=Nf3"), FixError::Ply);
    assert_eq!(error("a.jpg:23=Cf3"), FixError::San);
    assert_eq!(error("a.jpg:11x=Nf3"), FixError::Key);
    assert_eq!(error("a.jpg:end=24"), FixError::Cell);
    assert_eq!(error("a.jpg:+w=Nf3"), FixError::Cell);
    assert_eq!(error("a.jpg:settled="), FixError::San);
    assert_eq!(error("a.jpg:result=2-0"), FixError::Result);
}

#[test]
fn only_fixes_of_a_whole_event_may_name_sheets_of_other_runs() {
    let sheets = [summary(0, (1, 60), 100).id];
    let fixes = Fixes::new(
        vec![fix("0.jpg:5=Nf3")],
        vec![fix("1.jpg:1=e4"), fix("0:1=d4")],
    );
    let unmatched = fixes.unmatched(&sheets).unwrap();
    assert_eq!(unmatched, [&fix("1.jpg:1=e4")]);
    let of_sheets = fixes.of_sheets(&sheets);
    let keys: Vec<String> = of_sheets.iter().map(|fix| fix.key_and_value().0).collect();
    assert_eq!(keys, ["1", "5"]);
    let required = Fixes::new(vec![fix("1.jpg:1=e4")], Vec::new());
    let error = required.unmatched(&sheets).unwrap_err().to_string();
    assert_eq!(error, "--fix 1.jpg:1=e4: no sheet of that name was read");
}

#[test]
fn the_pages_of_a_printed_record_are_joined_by_their_codes() {
    let standard = SheetForm::standard(SheetSize::A5, false);
    let code = |white: u32, page: u8| FormCode {
        event: Some(EventHash::new("Open", "", None)),
        round: Some(4),
        board: None,
        white: Some(white),
        side: Some(SheetSide::White),
        page,
        copy: 1,
        form: standard,
    };
    let sheet = |i: u8, rows: (u32, u32), white: u32, page: u8| SheetSummary {
        code: Some(code(white, page)),
        ..summary(i, rows, 100)
    };
    // The page of the second game lies behind the first one's sheet.
    let sheets = [
        sheet(0, (1, 60), 1, 1),
        sheet(1, (61, 120), 2, 2),
        sheet(2, (1, 60), 2, 1),
    ];
    let parameters = (Parameters::default(), copies::Parameters::default());
    let groups = group_by_content(&sheets, &parameters.0, &parameters.1, |_| None);
    let pages: Vec<_> = groups.iter().map(|group| group.copies.clone()).collect();
    assert_eq!(pages, [vec![vec![0]], vec![vec![2, 1]]]);
}

#[test]
fn a_laid_table_that_cuts_each_row_in_two_does_not_replace_the_pages_own() {
    let table = |rows, (inked, move_like), mean_confidence| TableSummary {
        rows,
        inked,
        move_like,
        mean_confidence,
    };
    let replaces = |laid, own| is_better(&laid, Some(&own), &Parameters::default());
    // Page 2 of samples/two_pages, which has two blocks of 15 rows, by itself and with the layout
    // of sample 01, which has two of 30.
    let own = table((31, 30), (28, 27), 0.96);
    assert!(!replaces(table((1, 60), (56, 50), 0.74), own));
    // A page that lost its first block, and has it again by the layout.
    assert!(replaces(
        table((1, 60), (100, 96), 0.93),
        table((31, 30), (40, 39), 0.95)
    ));
    // A table that was found wrongly.
    assert!(replaces(
        table((1, 60), (100, 90), 0.9),
        table((1, 45), (80, 30), 0.5)
    ));
    assert!(!replaces(
        table((1, 60), (100, 30), 0.9),
        table((1, 45), (80, 30), 0.5)
    ));
}
