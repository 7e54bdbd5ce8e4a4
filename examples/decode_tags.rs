//! Decodes the true texts of cells in the reader's place: what the decoder alone gains and loses.
//!
//! `decode_tags TAGS.tsv [--pages PAGES.tsv --split dev] [--wrong 0.1 --doubt 0.2 --seed 1] [--lang en]
//! [--costs '{"prior":0.7}'] [--width 96] > GAMES.jsonl`, for score.py.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use serde_json::{Value, json};
use sheetscan::decode::{Decoder, Game, Options, SheetReadings, UnreadReason};
use sheetscan::grid::{CellId, Side};
use sheetscan::notation::Language;

#[path = "../tests/simulated/mod.rs"]
mod simulated;
use simulated::Noise;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let tags = arguments.next().ok_or("usage: decode_tags TAGS.tsv [--option value]...")?;
    let given: BTreeMap<String, String> = std::iter::from_fn(|| Some((arguments.next()?, arguments.next()?))).collect();
    let number = |name: &str, default: f64| given.get(name).map_or(Ok(default), |v| v.parse::<f64>());
    let noise = Noise { wrong: number("--wrong", 0.0)?, doubt: number("--doubt", 0.002)? };
    let mut options = Options { language: given.get("--lang").and_then(|l| Language::find(l)), ..Options::default() };
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
            Some(rows.filter(|r| r.get(2) == Some(&split.as_str())).map(|r| r[0].to_owned()).collect())
        }
    };
    let mut sheets: BTreeMap<String, BTreeMap<usize, String>> = BTreeMap::new();
    for line in std::fs::read_to_string(tags)?.lines().skip(1) {
        let [page, row, side, written] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        if wanted.as_ref().is_none_or(|w| w.contains(page)) {
            let index = (row.parse::<usize>()? - 1) * 2 + usize::from(side == "black");
            sheets.entry(page.to_owned()).or_default().insert(index, written.to_owned());
        }
    }
    let decoder = Decoder::new(options);
    let (mut seconds, mut slowest) = (0.0f64, 0.0f64);
    for (i, (page, cells)) in sheets.iter().enumerate() {
        let last = cells.keys().last().map_or(0, |l| l + 1);
        let texts: Vec<&str> = (0..last).map(|c| cells.get(&c).map_or(simulated::ILLEGIBLE, String::as_str)).collect();
        let readings = simulated::sheet(&texts, noise, number("--seed", 1.0)? as u64 * 1000 + i as u64);
        let begun = Instant::now();
        let game = decoder.decode(&readings);
        let spent = begun.elapsed().as_secs_f64();
        (seconds, slowest) = (seconds + spent, slowest.max(spent));
        println!("{}", contract(page, &readings, &game));
    }
    eprintln!("{} sheets, {:.0} ms a sheet, slowest {:.0} ms", sheets.len(), 1e3 * seconds / sheets.len() as f64, 1e3 * slowest);
    Ok(())
}

/// One line of the contract.
fn contract(page: &str, readings: &SheetReadings, game: &Game) -> Value {
    let side = |id: CellId| if id.side == Side::White { "white" } else { "black" };
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
            });
            value
        })
        .collect();
    json!({"schema": 1, "sheets": [{"path": page, "page": 1, "language": game.languages.first()}],
           "language": game.languages.first(), "complete": game.complete, "plies": plies, "unread": unread})
}
