//! Decodes the true texts of cells in the reader's place: what the decoder alone gains and loses.
//!
//! `decode_tags TAGS.tsv [--pages PAGES.tsv --split dev] [--wrong 0.1 --doubt 0.2 --seed 1] [--lang en]
//! [--pictures FOLDER] [--posteriors FOLDER/dev]
//! [--costs '{"prior":0.7}'] [--width 96] > GAMES.jsonl`, for score.py.
//!
//! Cells without a tag have unreadable ink in them, or with `--pictures` what the reader finds there in the page's
//! picture, so that the decoder is told as much as a perfect reader of the tagged cells would tell it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};
use sheetscan::decode::{Decoder, Game, Options, SheetReadings, UnreadReason};
use sheetscan::geometry::Point;
use sheetscan::grid::{CellId, Side};
use sheetscan::ink::CellState;
use sheetscan::notation::Language;
use sheetscan::page;
use sheetscan::reader::{Network, Posteriors, Reading};
use sheetscan::scan::Scanner;

#[path = "../tests/simulated/mod.rs"]
mod simulated;
use simulated::{Noise, Random};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let tags = arguments
        .next()
        .ok_or("usage: decode_tags TAGS.tsv [--option value]...")?;
    let given: BTreeMap<String, String> =
        std::iter::from_fn(|| Some((arguments.next()?, arguments.next()?))).collect();
    let number =
        |name: &str, default: f64| given.get(name).map_or(Ok(default), |v| v.parse::<f64>());
    let noise = Noise {
        wrong: number("--wrong", 0.0)?,
        doubt: number("--doubt", 0.002)?,
    };
    let mut options = Options {
        language: given.get("--lang").and_then(|l| Language::from_code(l)),
        ..Options::default()
    };
    if let Some(costs) = given.get("--costs") {
        options.costs = serde_json::from_str(costs)?;
    }
    options.width = number("--width", options.width as f64)? as usize;
    options.doubt = number("--review", f64::from(options.doubt))? as f32;
    let wanted: Option<BTreeSet<String>> = match given.get("--pages") {
        None => None,
        Some(pages) => {
            let split = given.get("--split").ok_or("--pages wants --split")?;
            let text = std::fs::read_to_string(pages)?;
            let rows = text.lines().map(|l| l.split('\t').collect::<Vec<_>>());
            Some(
                rows.filter(|r| r.get(2) == Some(&split.as_str()))
                    .map(|r| r[0].to_owned())
                    .collect(),
            )
        }
    };
    let mut sheets: BTreeMap<String, BTreeMap<usize, String>> = BTreeMap::new();
    for line in std::fs::read_to_string(tags)?.lines().skip(1) {
        let [page, row, side, written] = line.split('\t').collect::<Vec<_>>()[..] else {
            continue;
        };
        if wanted.as_ref().is_none_or(|w| w.contains(page)) {
            let index = (row.parse::<usize>()? - 1) * 2 + usize::from(side == "black");
            sheets
                .entry(page.to_owned())
                .or_default()
                .insert(index, written.to_owned());
        }
    }
    let recorded = given
        .get("--posteriors")
        .map(|p| Recorded::load(p))
        .transpose()?;
    let scanner = match given.get("--pictures") {
        Some(folder) => {
            let network = Box::new(Network::embedded()?);
            Some((
                PathBuf::from(folder),
                Scanner::new(network, options.clone()),
            ))
        }
        None => None,
    };
    let decoder = Decoder::new(options);
    let (mut seconds, mut slowest) = (0.0f64, 0.0f64);
    for (i, (page, cells)) in sheets.iter().enumerate() {
        let last = cells.keys().last().map_or(0, |l| l + 1);
        let seed = number("--seed", 1.0)? as u64 * 1000 + i as u64;
        let readings = match (&recorded, &scanner) {
            (Some(recorded), _) => recorded.sheet(page),
            (None, Some((folder, scanner))) => on_the_picture(
                scanner,
                &folder.join(format!("{page}.jpg")),
                cells,
                noise,
                seed,
            )?,
            (None, None) => {
                let texts: Vec<&str> = (0..last)
                    .map(|c| cells.get(&c).map_or(simulated::ILLEGIBLE, String::as_str))
                    .collect();
                simulated::sheet(&texts, noise, seed)
            }
        };
        let begun = Instant::now();
        let game = decoder.decode(std::slice::from_ref(&readings));
        let spent = begun.elapsed().as_secs_f64();
        (seconds, slowest) = (seconds + spent, slowest.max(spent));
        println!("{}", contract(page, &readings, &game));
    }
    eprintln!(
        "{} sheets, {:.0} ms a sheet, slowest {:.0} ms",
        sheets.len(),
        1e3 * seconds / sheets.len() as f64,
        1e3 * slowest
    );
    Ok(())
}

/// The sheet in a picture as the program reads it, with the tags in the place of what it read.
fn on_the_picture(
    scanner: &Scanner,
    path: &Path,
    tags: &BTreeMap<usize, String>,
    noise: Noise,
    seed: u64,
) -> Result<SheetReadings, Box<dyn std::error::Error>> {
    let page = page::open(path)?.next().ok_or("no page")??;
    let (grid, cells) = scanner.cells(&page, None)?;
    let mut readings = scanner.read(&page, &grid, &cells)?.cells;
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
            posteriors: Some((&posteriors).into()),
            ..reading.clone()
        };
    }
    Ok(SheetReadings { readings, alphabet })
}

/// Posteriors that a reader left in a folder: NAME.tsv (page, move, side, index, best, tag), NAME.f32, alphabet.txt.
struct Recorded {
    alphabet: Vec<char>,
    cells: BTreeMap<String, BTreeMap<usize, (usize, String)>>,
    log: Vec<f32>,
}

/// Frames of a recorded cell.
const FRAMES: usize = 48;

impl Recorded {
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
            let at = (row.parse::<usize>()? - 1) * 2 + usize::from(side == "black");
            cells
                .entry(page.to_owned())
                .or_default()
                .insert(at, (index.parse()?, best.to_owned()));
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

    fn sheet(&self, page: &str) -> SheetReadings {
        let classes = self.alphabet.len() + 1;
        let size = FRAMES * classes;
        let empty = BTreeMap::new();
        let cells = self.cells.get(page).unwrap_or(&empty);
        let last = cells.keys().last().map_or(0, |l| l + 1);
        let readings = (0..last).map(|at| {
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
                posteriors: posteriors.as_ref().map(Into::into),
            }
        });
        SheetReadings {
            readings: readings.collect(),
            alphabet: self.alphabet.clone(),
        }
    }
}

/// One line of the contract.
fn contract(page: &str, readings: &SheetReadings, game: &Game) -> Value {
    let side = |id: CellId| {
        if id.side == Side::White {
            "white"
        } else {
            "black"
        }
    };
    let cell = |id: CellId| {
        let reading = readings.readings.iter().find(|r| r.id == id);
        json!({"sheet": 0, "move": id.number, "side": side(id), "read": reading.map_or("", |r| &r.text),
               "read_confidence": reading.map_or(0.0, |r| r.confidence)})
    };
    let plies: Vec<Value> = game
        .plies
        .iter()
        .enumerate()
        .map(|(i, ply)| {
            let alternatives: Vec<Value> =
                ply.alternatives.iter().map(|(san, p)| json!({"san": san, "confidence": p})).collect();
            let cells: Vec<Value> = ply.cells.iter().map(|&(_, id)| cell(id)).collect();
            json!({"ply": i + 1, "san": ply.san, "uci": ply.uci, "confidence": ply.confidence, "review": ply.review,
                   "features": [ply.features.share, ply.features.own, ply.features.before, ply.features.after],
                   "alternatives": alternatives, "cells": cells})
        })
        .collect();
    let unread: Vec<Value> = game
        .unread
        .iter()
        .map(|u| {
            let mut value = cell(u.cell);
            value["reason"] = json!(match u.reason {
                UnreadReason::Illegal => "illegal",
                UnreadReason::Illegible => "illegible",
                UnreadReason::CrossedOut => "crossed-out",
                UnreadReason::AfterTheEnd => "after-the-end",
                UnreadReason::SecondGame => "second-game",
            });
            value
        })
        .collect();
    json!({"schema": 1, "sheets": [{"path": page, "page": 1, "language": game.languages.first()}],
           "language": game.languages.first(), "complete": game.complete, "plies": plies, "unread": unread})
}
