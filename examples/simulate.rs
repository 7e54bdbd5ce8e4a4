//! Games with players' and reader's faults, decoded and compared with a strict-legality search: the table of the model
//! card. `simulate [--games 12] [--plies 70]`; seeds are fixed, so the same program prints the same table.
//!
//! Games are drawn from the move prior, so that none of a player's is in the repository.

use std::collections::BTreeMap;

use sheetscan::decode::{Costs, Decoder, Options};
use sheetscan::notation::Language;
use sheetscan::prior::Prior;

#[path = "../tests/simulated/mod.rs"]
mod simulated;
use simulated::{Noise, Random};
#[path = "../tests/simulated/game.rs"]
mod drawn;
use drawn::game;

/// Share of characters misread and mass beside the likeliest reading, in three strengths.
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

/// What a player does to a sheet, from the cells that stand for the game to those that stand on paper.
type Fault = fn(&mut Vec<String>, &mut Random);

const FAULTS: [(&str, Fault); 9] = [
    ("none", |_, _| {}),
    ("row left empty", |cells, random| {
        let at = row(cells, random);
        cells.splice(at..at, [String::new(), String::new()]);
    }),
    ("row written twice", |cells, random| {
        let at = row(cells, random);
        let twice = cells[at..at + 2].to_vec();
        cells.splice(at..at, twice);
    }),
    ("half a row off", |cells, random| {
        let at = row(cells, random);
        cells.insert(at, String::new());
    }),
    ("move left out", |cells, random| {
        let at = row(cells, random) + random.below(2);
        cells.remove(at);
    }),
    ("row left out", |cells, random| {
        let at = row(cells, random);
        cells.drain(at..at + 2);
    }),
    ("illegal move kept", |cells, random| {
        let at = row(cells, random) + random.below(2);
        cells[at] = ["Qa9", "Kxh0", "Nj4", "Rd0"][random.below(4)].to_owned();
    }),
    ("two moves swapped", |cells, random| {
        let at = row(cells, random) + random.below(2);
        cells.swap(at, at + 2);
    }),
    ("columns swapped from a row on", |cells, random| {
        let at = row(cells, random);
        cells[at..]
            .chunks_exact_mut(2)
            .for_each(|row| row.swap(0, 1));
    }),
];

/// The first cell of a row in the middle half of the game.
fn row(cells: &[String], random: &mut Random) -> usize {
    let rows = cells.len() / 2;
    (rows / 4 + random.below((rows / 2).max(1))) * 2
}

/// Moves of the truth that the output has in their order: the longest common subsequence.
fn right(out: &[String], truth: &[String]) -> usize {
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let given: BTreeMap<String, String> =
        std::iter::from_fn(|| Some((arguments.next()?, arguments.next()?))).collect();
    let number = |name: &str, default: usize| given.get(name).map_or(Ok(default), |v| v.parse());
    let (games, plies) = (number("--games", 12)?, number("--plies", 70)?);
    let prior = Prior::embedded();
    let options = Options {
        language: Language::from_code("en"),
        ..Options::default()
    };
    // Every cell is a legal move as written, or the game ends there.
    let strict = Costs {
        garbage: 1e3,
        skip: 1e3,
        skip_struck: 1e3,
        skip_blank: 1e3,
        blank: 1e3,
        missing: 1e3,
        missing_next: 1e3,
        ..Costs::default()
    };
    let ours = Decoder::new(options.clone());
    let baseline = Decoder::new(Options {
        costs: strict,
        ..options
    });
    println!("fault\tnoise\tmoves\tstrict\tsheetscan\tsilent\tasks");
    for (kind, (name, fault)) in FAULTS.iter().enumerate() {
        for (strength, noise) in STRENGTHS.into_iter().enumerate() {
            let (mut moves, mut strictly, mut found) = (0, 0, 0);
            let (mut out, mut silent, mut asks) = (0, 0, 0);
            for seed in 0..games as u64 {
                let truth = game(&prior, plies, &mut Random(seed));
                let mut cells = truth.clone();
                fault(&mut cells, &mut Random(seed * 100 + kind as u64));
                let texts: Vec<&str> = cells.iter().map(String::as_str).collect();
                let readings = [simulated::sheet(&texts, noise, seed * 10 + strength as u64)];
                let sans = |decoder: &Decoder| decoder.decode(&readings).plies;
                let (plain, best) = (sans(&baseline), sans(&ours));
                let text = |plies: &[sheetscan::decode::Ply]| -> Vec<String> {
                    plies.iter().map(|p| p.san.clone()).collect()
                };
                let correct = right(&text(&best), &truth);
                moves += truth.len();
                strictly += right(&text(&plain), &truth);
                found += correct;
                out += best.len();
                let asked = best.iter().filter(|p| p.review).count();
                let sure: Vec<String> = best
                    .iter()
                    .filter(|p| !p.review)
                    .map(|p| p.san.clone())
                    .collect();
                asks += asked;
                silent += sure.len() - right(&sure, &truth);
            }
            let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
            println!(
                "{name}\t{}\t{moves}\t{:.1} %\t{:.1} %\t{:.1} %\t{:.1} %",
                strength + 1,
                share(strictly, moves),
                share(found, moves),
                share(silent, out),
                share(asks, out)
            );
        }
    }
    Ok(())
}
