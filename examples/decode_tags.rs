//! Decodes the tags of cells, which are their true texts, in the place of what the reader read. It
//! shows what the decoder alone gains and loses.
//!
//! `decode_tags TAGS.tsv [--pages PAGES.tsv --split dev] [--wrong 0.1 --doubt 0.2 --seed 1]
//! [--lang en] [--pictures FOLDER] [--posteriors FOLDER/dev]
//! [--costs '{"prior": 0.7, "beam": {"width": 192}}'] [--width 96] > GAMES.jsonl`.
//! The output is scored by `eval/score.py` of the shared data.
//!
//! Cells without a tag count as illegible. With `--pictures` they hold what the reader finds there
//! in the picture of the page, so that the decoder gets as much as from a perfect reader of the
//! tagged cells. With `--posteriors` it gets posteriors that a reader recorded, and no tags.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};
use sheetscan::decode::{Decoder, Game, Options, Ply, SheetReadings, Unread};
use sheetscan::geometry::Point;
use sheetscan::grid::{CellId, Side};
use sheetscan::ink::CellState;
use sheetscan::notation::Language;
use sheetscan::page;
use sheetscan::reader::{MixtureComponent, Network, Posteriors, Reading};
use sheetscan::scan::Scanner;

#[path = "../tests/integration/simulated/mod.rs"]
mod simulated;
use simulated::{Noise, Random};

/// Cells of a page by index, row by row and White before Black, with their tags.
type Tags = BTreeMap<usize, String>;

/// Where the posteriors of the cells come from.
enum Source {
    /// Files in which a reader recorded them.
    Recording(Recording),
    /// The tags, written over what the reader finds in the pictures of a folder.
    Pictures(PathBuf, Box<Scanner>),
    /// The tags alone.
    Tags,
}

/// The options behind the first argument, by name.
struct Arguments(BTreeMap<String, String>);

impl Arguments {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn number(&self, name: &str, default: f64) -> Result<f64, std::num::ParseFloatError> {
        self.get(name).map_or(Ok(default), str::parse)
    }

    fn noise(&self) -> Result<Noise, std::num::ParseFloatError> {
        Ok(Noise {
            wrong: self.number("--wrong", 0.0)?,
            doubt: self.number("--doubt", 0.002)?,
        })
    }

    fn options(&self) -> Result<Options, Box<dyn std::error::Error>> {
        let mut options = Options {
            language: self.get("--lang").and_then(Language::from_code),
            ..Options::default()
        };
        if let Some(costs) = self.get("--costs") {
            options.costs = serde_json::from_str(costs)?;
        }
        let beam = &mut options.costs.beam;
        beam.width = self.number("--width", beam.width as f64)? as usize;
        options.doubt = self.number("--review", f64::from(options.doubt))? as f32;
        Ok(options)
    }

    /// The pages of the split that `--split` names, or `None` without `--pages`.
    fn pages(&self) -> Result<Option<BTreeSet<String>>, Box<dyn std::error::Error>> {
        let Some(pages) = self.get("--pages") else {
            return Ok(None);
        };
        let split = self.get("--split").ok_or("--pages wants --split")?;
        let text = std::fs::read_to_string(pages)?;
        let rows = text.lines().map(|l| l.split('\t').collect::<Vec<_>>());
        let pages = rows.filter(|r| r.get(2) == Some(&split));
        Ok(Some(pages.map(|r| r[0].to_owned()).collect()))
    }

    fn source(&self, options: &Options) -> Result<Source, Box<dyn std::error::Error>> {
        if let Some(name) = self.get("--posteriors") {
            return Ok(Source::Recording(Recording::load(name)?));
        }
        let Some(folder) = self.get("--pictures") else {
            return Ok(Source::Tags);
        };
        let network = Box::new(Network::embedded()?);
        let scanner = Scanner::new(network, options.clone());
        Ok(Source::Pictures(PathBuf::from(folder), Box::new(scanner)))
    }
}

/// The tags in a file by page, of some pages or of all.
fn read_tags(
    path: &str,
    pages: Option<&BTreeSet<String>>,
) -> Result<BTreeMap<String, Tags>, Box<dyn std::error::Error>> {
    let mut sheets: BTreeMap<String, Tags> = BTreeMap::new();
    for line in std::fs::read_to_string(path)?.lines().skip(1) {
        let [page, row, side, written] = line.split('\t').collect::<Vec<_>>()[..] else {
            continue;
        };
        if pages.is_none_or(|pages| pages.contains(page)) {
            let tags = sheets.entry(page.to_owned()).or_default();
            tags.insert(cell_index(row, side)?, written.to_owned());
        }
    }
    Ok(sheets)
}

/// Index of a cell among those of its page. `row` is counted from 1, `side` is `white` or `black`.
fn cell_index(row: &str, side: &str) -> Result<usize, std::num::ParseIntError> {
    Ok((row.parse::<usize>()? - 1) * 2 + usize::from(side == "black"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let tags = arguments
        .next()
        .ok_or("usage: decode_tags TAGS.tsv [--option value]...")?;
    let arguments =
        Arguments(std::iter::from_fn(|| Some((arguments.next()?, arguments.next()?))).collect());
    let (noise, options) = (arguments.noise()?, arguments.options()?);
    let sheets = read_tags(&tags, arguments.pages()?.as_ref())?;
    let source = arguments.source(&options)?;
    let decoder = Decoder::new(options);
    let (mut seconds, mut slowest) = (0.0f64, 0.0f64);
    for (i, (page, tags)) in sheets.iter().enumerate() {
        let cell_count = tags.keys().last().map_or(0, |last| last + 1);
        let seed = arguments.number("--seed", 1.0)? as u64 * 1000 + i as u64;
        let readings = match &source {
            Source::Recording(recording) => recording.sheet(page),
            Source::Pictures(folder, scanner) => {
                let picture = folder.join(format!("{page}.jpg"));
                read_picture(scanner, &picture, tags, noise, seed)?
            }
            Source::Tags => {
                let texts: Vec<&str> = (0..cell_count)
                    .map(|c| tags.get(&c).map_or(simulated::ILLEGIBLE, String::as_str))
                    .collect();
                simulated::sheet(&texts, noise, seed)
            }
        };
        let start = Instant::now();
        let game = decoder.decode(std::slice::from_ref(&readings));
        let spent = start.elapsed().as_secs_f64();
        (seconds, slowest) = (seconds + spent, slowest.max(spent));
        println!("{}", json_line(page, &readings, &game));
    }
    eprintln!(
        "{} sheets, {:.0} ms a sheet, slowest {:.0} ms",
        sheets.len(),
        1e3 * seconds / sheets.len() as f64,
        1e3 * slowest
    );
    Ok(())
}

/// Reads the sheet in a picture as the program does, and puts the tags in the place of what it
/// read.
fn read_picture(
    scanner: &Scanner,
    path: &Path,
    tags: &Tags,
    noise: Noise,
    seed: u64,
) -> Result<SheetReadings, Box<dyn std::error::Error>> {
    let page = page::open(path)?.next().ok_or("no page")??;
    let table = scanner.read_table(&page, None)?;
    let mut readings = scanner.read(&page, table)?.cells;
    let alphabet = scanner.alphabet().to_vec();
    let mut random = Random(seed);
    for (&at, tag) in tags {
        let id = simulated::cell_id(at);
        let Some(reading) = readings.iter_mut().find(|r| r.id == id) else {
            continue;
        };
        let (posteriors, text) = simulated::read(tag, &alphabet, noise, &mut random);
        *reading = Reading {
            state: CellState::Written,
            text,
            confidence: 0.9,
            mixture: MixtureComponent::alone(&posteriors),
            ..reading.clone()
        };
    }
    Ok(SheetReadings { readings, alphabet })
}

/// Posteriors that a reader recorded in a folder: NAME.tsv (page, move, side, index, likeliest
/// string, tag), NAME.f32 (log-posteriors of shape `[cells, FRAMES, classes]`) and alphabet.txt.
struct Recording {
    alphabet: Vec<char>,
    /// By page and index of the cell: its index among the log-posteriors, and its likeliest string.
    cells: BTreeMap<String, BTreeMap<usize, (usize, String)>>,
    /// Log-posteriors of all cells, of shape `[cells, FRAMES, classes]`.
    log: Vec<f32>,
}

/// Number of frames of a recorded cell.
const FRAMES: usize = 48;

impl Recording {
    /// Loads the files of `FOLDER/NAME`.
    fn load(name: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let folder = std::path::Path::new(name)
            .parent()
            .ok_or("--posteriors FOLDER/NAME")?;
        let alphabet: Vec<char> = std::fs::read_to_string(folder.join("alphabet.txt"))?
            .chars()
            .collect();
        let mut cells: BTreeMap<String, BTreeMap<usize, (usize, String)>> = BTreeMap::new();
        for line in std::fs::read_to_string(format!("{name}.tsv"))?
            .lines()
            .skip(1)
        {
            let [page, row, side, index, best, _] = line.split('\t').collect::<Vec<_>>()[..] else {
                continue;
            };
            let cells = cells.entry(page.to_owned()).or_default();
            cells.insert(cell_index(row, side)?, (index.parse()?, best.to_owned()));
        }
        let bytes = std::fs::read(format!("{name}.f32"))?;
        let log = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        Ok(Self {
            alphabet,
            cells,
            log,
        })
    }

    /// What the reader recorded of a page.
    fn sheet(&self, page: &str) -> SheetReadings {
        let classes = self.alphabet.len() + 1;
        let size = FRAMES * classes;
        let empty = BTreeMap::new();
        let cells = self.cells.get(page).unwrap_or(&empty);
        let cell_count = cells.keys().last().map_or(0, |last| last + 1);
        let readings = (0..cell_count).map(|at| {
            let cell = cells.get(&at);
            let posteriors = cell.map(|(index, _)| {
                let log = self.log[index * size..(index + 1) * size].to_vec();
                Posteriors {
                    frames: FRAMES,
                    classes,
                    log,
                }
            });
            Reading {
                id: simulated::cell_id(at),
                quad: [Point::new(0.0, 0.0); 4],
                state: if cell.is_some() {
                    CellState::Written
                } else {
                    CellState::Blank
                },
                text: cell.map_or(String::new(), |(_, best)| best.clone()),
                confidence: 0.9,
                mixture: posteriors
                    .as_ref()
                    .map_or_else(Vec::new, MixtureComponent::alone),
            }
        });
        SheetReadings {
            readings: readings.collect(),
            alphabet: self.alphabet.clone(),
        }
    }
}

/// A game as a line of JSON, with the fields that `eval/score.py` of the shared data reads.
fn json_line(page: &str, readings: &SheetReadings, game: &Game) -> Value {
    let side = |id: CellId| match id.side {
        Side::White => "white",
        Side::Black => "black",
    };
    let cell = |id: CellId| {
        let reading = readings.readings.iter().find(|r| r.id == id);
        json!({
            "sheet": 0,
            "move": id.number,
            "side": side(id),
            "read": reading.map_or("", |r| &r.text),
            "read_confidence": reading.map_or(0.0, |r| r.confidence),
        })
    };
    let ply = |(i, ply): (usize, &Ply)| {
        let alternative = |(san, p): &(String, f32)| json!({"san": san, "confidence": p});
        let features = &ply.features;
        json!({
            "ply": i + 1,
            "san": ply.san,
            "uci": ply.uci,
            "confidence": ply.confidence,
            "review": ply.review,
            "features": [
                features.log_odds,
                features.log_odds_given_earlier,
                features.own,
                features.before,
                features.after,
            ],
            "alternatives": ply.alternatives.iter().map(alternative).collect::<Vec<_>>(),
            "cells": ply.cells.iter().map(|&(_, id)| cell(id)).collect::<Vec<_>>(),
        })
    };
    let unread = |unread: &Unread| {
        let mut value = cell(unread.cell);
        value["reason"] = json!(unread.reason);
        value
    };
    json!({
        "schema": 1,
        "sheets": [{"path": page, "page": 1, "language": game.languages.first()}],
        "language": game.languages.first(),
        "complete": game.complete,
        "plies": game.plies.iter().enumerate().map(ply).collect::<Vec<_>>(),
        "unread": game.unread.iter().map(unread).collect::<Vec<_>>(),
    })
}
