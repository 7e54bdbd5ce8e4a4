//! Decodes simulated sheets that have slips of the player and errors of the reader, and compares
//! the decoder with a strict search, which takes every cell for a legal move as it is written.
//!
//! `simulate [--games 12] [--plies 70] [--slip rows] [--costs '{"skip": 10.0}']` prints a table
//! with a line for each slip and strength of noise: the moves played, which share of them the
//! strict search and the decoder got right, which share of the decoder's moves is wrong without a
//! mark or marked for a look, and how many of them are invented: moves that stand in no cell, more
//! than two in a row. A slip takes 1 to 6 rows, early and late in the game. Seeds are fixed, so
//! that the same program prints the same table. Games are drawn from the move prior, so that no
//! player's game is in the repository. `docs/experiments/2026-11-28-gaps.md` has a table.

use std::collections::BTreeMap;

use sheetscan::decode::{Costs, Decoder, Options, Ply};
use sheetscan::grid::{CellId, Side};
use sheetscan::notation::Language;
use sheetscan::prior::Prior;

#[path = "../../tests/integration/simulated/mod.rs"]
mod simulated;
use simulated::{Noise, Random};
#[path = "../../tests/integration/simulated/game.rs"]
mod game;
use game::game;
mod slips;
use slips::{Place, SLIPS};

/// The noise of the simulated reader in three strengths: 0, 4 and 10 % of characters misread.
const STRENGTHS: [Noise; 3] = [
    Noise {
        wrong: 0.0,
        doubt: 0.02,
    },
    Noise {
        wrong: 0.04,
        doubt: 0.15,
    },
    Noise {
        wrong: 0.1,
        doubt: 0.3,
    },
];

/// Number of moves of the truth that the output has in their order: the length of the longest
/// common subsequence.
fn count_right(out: &[String], truth: &[String]) -> usize {
    let mut row = vec![0; truth.len() + 1];
    for a in out {
        let mut corner = 0;
        for (j, b) in truth.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if a == b {
                corner + 1
            } else {
                above.max(row[j])
            };
            corner = above;
        }
    }
    row[truth.len()]
}

/// Largest number of rows that a slip takes.
const MAX_ROWS: usize = 6;

/// Number of moves in a row that may stand in no cell: those of one row.
const MAX_UNWRITTEN: usize = 2;

/// Counts of moves over some simulated games.
#[derive(Default)]
struct Counts {
    /// Moves played.
    played: usize,
    /// Moves that the strict search got right.
    right_strict: usize,
    /// Moves that the decoder got right.
    right: usize,
    /// Moves that the decoder put out.
    out: usize,
    /// Wrong moves that it put out without asking.
    silent: usize,
    /// Moves that it asked about.
    asked: usize,
    /// Moves that it put out and that stand in no cell, more than two in a row.
    invented: usize,
}

impl Counts {
    /// Adds the moves of one sheet: as played, as written in its cells, and as the strict search
    /// and the decoder have them.
    fn add(&mut self, truth: &[String], cells: &[String], strict: &[Ply], decoded: &[Ply]) {
        let sans = |plies: &[Ply], holds: fn(&Ply) -> bool| -> Vec<String> {
            let plies = plies.iter().filter(|ply| holds(ply));
            plies.map(|ply| ply.san.clone()).collect()
        };
        let unasked = sans(decoded, |ply| !ply.review);
        self.played += truth.len();
        self.right_strict += count_right(&sans(strict, |_| true), truth);
        self.right += count_right(&sans(decoded, |_| true), truth);
        self.out += decoded.len();
        self.silent += unasked.len() - count_right(&unasked, truth);
        self.asked += decoded.len() - unasked.len();
        let is_written = |ply: &Ply| {
            let texts = ply.cells.iter().map(|&(_, id)| &cells[index_of(id)]);
            texts.into_iter().any(|text| *text == ply.san)
        };
        let runs = decoded.chunk_by(|a, b| is_written(a) == is_written(b));
        let unwritten = runs.filter(|run| !is_written(&run[0])).map(<[Ply]>::len);
        self.invented += unwritten.filter(|&n| n > MAX_UNWRITTEN).sum::<usize>();
    }

    /// Prints a line of the table. `strength` is the strength of the noise, from 1.
    fn print(&self, slip: &str, strength: usize) {
        let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        println!(
            "{slip}\t{strength}\t{}\t{:.1} %\t{:.1} %\t{:.1} %\t{:.1} %\t{}",
            self.played,
            share(self.right_strict, self.played),
            share(self.right, self.played),
            share(self.silent, self.out),
            share(self.asked, self.out),
            self.invented
        );
    }
}

/// The index of a cell on a simulated sheet.
fn index_of(id: CellId) -> usize {
    (id.number as usize - 1) * 2 + usize::from(id.side == Side::Black)
}

/// Costs in nats that leave the search no way but to take every cell for a legal move as written.
/// Where one is not, the game ends. Only swapped columns are still found.
fn strict_costs() -> Costs {
    Costs {
        garbage: 1e3,
        skip: 1e3,
        skip_struck: 1e3,
        skip_blank: 1e3,
        blank: 1e3,
        missing: 1e3,
        missing_next: 1e3,
        ..Costs::default()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let options: BTreeMap<String, String> =
        std::iter::from_fn(|| Some((arguments.next()?, arguments.next()?))).collect();
    let number = |name: &str, default: usize| options.get(name).map_or(Ok(default), |v| v.parse());
    let (games, plies) = (number("--games", 12)?, number("--plies", 70)?);
    let only = options.get("--slip").cloned().unwrap_or_default();
    let prior = Prior::embedded();
    let costs = options.get("--costs").map_or("{}", String::as_str);
    let options = Options {
        language: Language::from_code("en"),
        costs: serde_json::from_str(costs)?,
        ..Options::default()
    };
    let decoder = Decoder::new(options.clone());
    let strict_decoder = Decoder::new(Options {
        costs: strict_costs(),
        ..options
    });
    let kinds = SLIPS.iter().enumerate();
    let kinds = kinds.filter(|(_, (name, _))| name.contains(&only));
    println!("slip\tnoise\tmoves\tstrict\tsheetscan\tsilent\tasks\tinvented");
    for (kind, (name, slip)) in kinds {
        for (strength, noise) in STRENGTHS.into_iter().enumerate() {
            let mut counts = Counts::default();
            for seed in 0..games as u64 {
                let truth = game(prior, plies, &mut Random(seed));
                let mut cells = truth.clone();
                let place = Place {
                    rows: 1 + seed as usize % MAX_ROWS,
                    late: seed as usize / MAX_ROWS % 2 == 1,
                };
                slip(&mut cells, place, &mut Random(seed * 100 + kind as u64));
                let texts: Vec<&str> = cells.iter().map(String::as_str).collect();
                let readings = [simulated::sheet(&texts, noise, seed * 10 + strength as u64)];
                let strict = strict_decoder.decode(&readings);
                let decoded = decoder.decode(&readings);
                counts.add(&truth, &cells, &strict.plies, &decoded.plies);
            }
            counts.print(name, strength + 1);
        }
    }
    Ok(())
}
