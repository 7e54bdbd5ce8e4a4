//! Cuts the sheets of shards short, groups them, and counts right and wrong joins.
//!
//! `group_sheets GAMES.tsv [WAY] < SHARDS.jsonl` reads the lines of `sheetscan scan --shard` and a
//! table whose columns `page` and `same_game` name the game of each picture by the picture's name
//! without extension. It prints one line for each way of cutting: the sheets, how many of the pairs
//! of sheets of one game are joined, and each pair of sheets that is joined or said to begin alike
//! although the games differ. WAY leaves only the ways of cutting whose names begin so. The ways:
//!
//! - `whole`: every sheet as it is;
//! - `all stop at N`: every sheet has its first N written cells;
//! - `one stops at N`: of the sheets in a row every second one does, so that of two copies one is
//!   whole;
//! - `pages of N rows`: every sheet with more rows becomes two pages, the second one first.
//!
//! `docs/experiments/2026-11-28-copies-that-stop.md` has a table.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, stdin};

use anyhow::{Context, Result};
use sheetscan::Parameters;
use sheetscan::batch::{SheetGroup, SheetId, SheetSummary, group_by_content};
use sheetscan::ink::CellState;
use sheetscan::schema::GameRecord;
use sheetscan::shard_payload::ShardPayload;

/// Numbers of cells behind which sheets are cut off.
const STOPS: [usize; 6] = [14, 20, 24, 28, 30, 36];

/// Numbers of rows behind which sheets are cut into pages.
const PAGE_ROWS: [u32; 3] = [15, 20, 30];

/// A sheet, and the game that it records.
#[derive(Clone)]
struct LabelledSheet {
    name: String,
    game: String,
    payload: ShardPayload,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let table = arguments.next();
    let table = table.context("usage: group_sheets GAMES.tsv [WAY] < SHARDS.jsonl")?;
    let wanted = arguments.next().unwrap_or_default();
    let sheets = read_sheets(&read_games(&std::fs::read_to_string(table)?)?)?;
    for (way, cut) in cuts() {
        if way.starts_with(&wanted) {
            let cut_sheets = sheets
                .iter()
                .enumerate()
                .flat_map(|(i, sheet)| cut(i, sheet));
            report(&way, &cut_sheets.collect::<Vec<_>>());
        }
    }
    Ok(())
}

/// Gives what is left of the sheet of an index.
type Cut = Box<dyn Fn(usize, &LabelledSheet) -> Vec<LabelledSheet>>;

/// The ways of cutting, by name.
fn cuts() -> Vec<(String, Cut)> {
    let mut cuts: Vec<(String, Cut)> = Vec::new();
    let mut add = |name: String, cut: Cut| cuts.push((name, cut));
    add("whole".into(), Box::new(|_, sheet| vec![sheet.clone()]));
    for stop in STOPS {
        let cut = move |_, sheet: &LabelledSheet| stop_at(sheet, stop).into_iter().collect();
        add(format!("all stop at {stop}"), Box::new(cut));
    }
    for stop in STOPS {
        let cut = move |i, sheet: &LabelledSheet| match i % 2 {
            0 => vec![sheet.clone()],
            _ => stop_at(sheet, stop).into_iter().collect(),
        };
        add(format!("one stops at {stop}"), Box::new(cut));
    }
    for rows in PAGE_ROWS {
        let cut = move |_, sheet: &LabelledSheet| {
            let pages = split_pages(sheet, rows).into_iter().flatten();
            pages.rev().collect()
        };
        add(format!("pages of {rows} rows"), Box::new(cut));
    }
    cuts
}

/// The game of each picture.
fn read_games(table: &str) -> Result<BTreeMap<String, String>> {
    let mut lines = table
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().context("the table is empty")?;
    let column = |name: &str| {
        let at = header.iter().position(|column| *column == name);
        at.with_context(|| format!("the table has no column {name}"))
    };
    let (page, game) = (column("page")?, column("same_game")?);
    Ok(lines
        .map(|line| (line[page].to_owned(), line[game].to_owned()))
        .collect())
}

/// The sheets of standard input whose pictures the table names.
fn read_sheets(games: &BTreeMap<String, String>) -> Result<Vec<LabelledSheet>> {
    let mut sheets = Vec::new();
    for line in stdin().lock().lines() {
        let record = GameRecord::parse(&line?)?;
        let stem = std::path::Path::new(&record.sheets[0].path).file_stem();
        let name = stem.and_then(|stem| stem.to_str()).unwrap_or_default();
        if let (Some(game), Some(evidence)) = (games.get(name), &record.evidence) {
            sheets.push(LabelledSheet {
                name: name.to_owned(),
                game: game.clone(),
                payload: ShardPayload::unpack(evidence)?,
            });
        }
    }
    Ok(sheets)
}

/// The sheet with its first cells only, the others blank; none where it has no more than those.
fn stop_at(sheet: &LabelledSheet, cells: usize) -> Option<LabelledSheet> {
    let mut stopped = sheet.clone();
    let inked = stopped.payload.sheet.cells.iter_mut();
    let inked = inked.filter(|cell| cell.state.has_ink()).skip(cells);
    let mut removed = 0;
    for cell in inked {
        (cell.state, cell.mixture) = (CellState::Blank, Vec::new());
        cell.text.clear();
        removed += 1;
    }
    (removed > 0).then_some(stopped)
}

/// The sheet as a page of so many rows and another one of the others, both written in.
fn split_pages(sheet: &LabelledSheet, rows: u32) -> Option<[LabelledSheet; 2]> {
    let mut pages = [sheet.clone(), sheet.clone()];
    for (page, half) in pages.iter_mut().enumerate() {
        let belongs = |number: u32| (number > rows) == (page == 1);
        half.payload
            .sheet
            .cells
            .retain(|cell| belongs(cell.id.number));
    }
    let is_written = |page: &LabelledSheet| {
        let mut cells = page.payload.sheet.cells.iter();
        cells.any(|cell| cell.state.has_ink())
    };
    pages.iter().all(is_written).then_some(pages)
}

/// Groups sheets, and prints what is joined.
fn report(way: &str, sheets: &[LabelledSheet]) {
    let parameters = Parameters::default();
    let options = parameters.decode_options();
    let summary = |(i, sheet): (usize, &LabelledSheet)| {
        let digest = sheet.payload.digest();
        let id = SheetId::of_page(sheet.name.as_ref(), i as u32 + 1, "");
        let identified = id.identify(sheet.payload.sheet.clone());
        SheetSummary::new(sheet.name.clone(), &identified, digest)
    };
    let summaries: Vec<SheetSummary> = sheets.iter().enumerate().map(summary).collect();
    let decode = |copies: &[&[usize]]| {
        let pages = |pages: &&[usize]| pages.iter().map(|&i| sheets[i].payload.clone()).collect();
        let copies = copies.iter().map(pages).collect();
        let (record, decoder) = ShardPayload::record(copies, &options);
        Some(record.decode(&decoder, &[]).0)
    };
    let groups = group_by_content(&summaries, &parameters.batch, &parameters.copies, decode);
    let pairs_of = |members: Vec<usize>| {
        let pairs = members.iter().enumerate();
        let pairs = pairs.flat_map(|(n, &a)| members[n + 1..].iter().map(move |&b| (a, b)));
        pairs.collect::<Vec<(usize, usize)>>()
    };
    let is_right = |&(a, b): &(usize, usize)| sheets[a].game == sheets[b].game;
    let joined = groups.iter().map(SheetGroup::members).flat_map(pairs_of);
    let joined: BTreeSet<(usize, usize)> = joined.collect();
    let wanted = pairs_of((0..sheets.len()).collect());
    let wanted: Vec<_> = wanted.into_iter().filter(is_right).collect();
    let found = wanted.iter().filter(|pair| joined.contains(pair)).count();
    let wrong: Vec<_> = joined.iter().filter(|pair| !is_right(pair)).collect();
    let said = groups
        .iter()
        .filter_map(|group| Some((group.members()[0], group.begins_like?)));
    let (said_right, said_wrong): (Vec<_>, Vec<_>) = said.partition(is_right);
    println!(
        "{way}: {} sheets, {found} of {} pairs joined, {} wrong; {} of one game and {} of two \
         said to begin alike",
        sheets.len(),
        wanted.len(),
        wrong.len(),
        said_right.len(),
        said_wrong.len()
    );
    for (what, pairs) in [
        ("joined", wrong),
        ("said to begin alike", said_wrong.iter().collect()),
    ] {
        for &(a, b) in pairs {
            println!("  {what}: {} and {}", sheets[a].name, sheets[b].name);
        }
    }
}
