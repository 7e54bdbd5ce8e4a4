//! Decodes simulated sheets that have slips of the player and errors of the reader, and compares
//! the decoder with a strict search, which takes every cell for a legal move as it is written.
//!
//! `simulate [--games 12] [--plies 70]` prints a table with a line for each slip and strength of
//! noise: the moves played, which share of them the strict search and the decoder got right, and
//! which share of the decoder's moves is wrong without a mark or marked for a look. Seeds are
//! fixed, so that the same program prints the same table. Games are drawn from the move prior, so
//! that no player's game is in the repository.
//! `docs/experiments/2026-11-23-simulated-sheets.md` has a table.

use std::collections::BTreeMap;

use sheetscan::decode::{Costs, Decoder, Options, Ply};
use sheetscan::notation::Language;
use sheetscan::prior::Prior;

#[path = "../tests/simulated/mod.rs"]
mod simulated;
use simulated::{Noise, Random};
#[path = "../tests/simulated/game.rs"]
mod game;
use game::game;

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

/// A player's slip: it changes the texts of a game's cells, row by row and White before Black.
type Slip = fn(&mut Vec<String>, &mut Random);

/// The slips of players by name.
const SLIPS: [(&str, Slip); 9] = [
    ("none", |_, _| {}),
    ("row left empty", |cells, random| {
        let at = random_row(cells, random);
        cells.splice(at..at, [String::new(), String::new()]);
    }),
    ("row written twice", |cells, random| {
        let at = random_row(cells, random);
        let repeated = cells[at..at + 2].to_vec();
        cells.splice(at..at, repeated);
    }),
    ("half a row off", |cells, random| {
        let at = random_row(cells, random);
        cells.insert(at, String::new());
    }),
    ("move left out", |cells, random| {
        let at = random_row(cells, random) + random.below(2);
        cells.remove(at);
    }),
    ("row left out", |cells, random| {
        let at = random_row(cells, random);
        cells.drain(at..at + 2);
    }),
    ("illegal move kept", |cells, random| {
        let at = random_row(cells, random) + random.below(2);
        cells[at] = ["Qa9", "Kxh0", "Nj4", "Rd0"][random.below(4)].to_owned();
    }),
    ("two moves swapped", |cells, random| {
        let at = random_row(cells, random) + random.below(2);
        cells.swap(at, at + 2);
    }),
    ("columns swapped from a row on", |cells, random| {
        let at = random_row(cells, random);
        cells[at..]
            .chunks_exact_mut(2)
            .for_each(|row| row.swap(0, 1));
    }),
];

/// Index of the first cell of a random row in the middle half of the game.
fn random_row(cells: &[String], random: &mut Random) -> usize {
    let rows = cells.len() / 2;
    (rows / 4 + random.below((rows / 2).max(1))) * 2
}

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
}

impl Counts {
    /// Adds the moves of one sheet: as played, and as the strict search and the decoder have them.
    fn add(&mut self, truth: &[String], strict: &[Ply], decoded: &[Ply]) {
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
    }

    /// Prints a line of the table. `strength` is the strength of the noise, from 1.
    fn print(&self, slip: &str, strength: usize) {
        let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        println!(
            "{slip}\t{strength}\t{}\t{:.1} %\t{:.1} %\t{:.1} %\t{:.1} %",
            self.played,
            share(self.right_strict, self.played),
            share(self.right, self.played),
            share(self.silent, self.out),
            share(self.asked, self.out)
        );
    }
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
    let prior = Prior::embedded();
    let options = Options {
        language: Language::from_code("en"),
        ..Options::default()
    };
    let decoder = Decoder::new(options.clone());
    let strict_decoder = Decoder::new(Options {
        costs: strict_costs(),
        ..options
    });
    println!("fault\tnoise\tmoves\tstrict\tsheetscan\tsilent\tasks");
    for (kind, (name, slip)) in SLIPS.iter().enumerate() {
        for (strength, noise) in STRENGTHS.into_iter().enumerate() {
            let mut counts = Counts::default();
            for seed in 0..games as u64 {
                let truth = game(&prior, plies, &mut Random(seed));
                let mut cells = truth.clone();
                slip(&mut cells, &mut Random(seed * 100 + kind as u64));
                let texts: Vec<&str> = cells.iter().map(String::as_str).collect();
                let readings = [simulated::sheet(&texts, noise, seed * 10 + strength as u64)];
                let strict = strict_decoder.decode(&readings);
                counts.add(&truth, &strict.plies, &decoder.decode(&readings).plies);
            }
            counts.print(name, strength + 1);
        }
    }
    Ok(())
}
