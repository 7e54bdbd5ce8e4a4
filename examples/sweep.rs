//! Sweeps tuned numbers over sheets whose games are known:
//! `cargo run --release --example sweep -- [--grid] [--no-pair] SWEEP.toml SHEET...`
//!
//! The table `[sweep]` of the TOML file has a list of values for each parameter, named by its path
//! in [`sheetscan::Parameters`]; `examples/sweep.toml` is an example. The first line of the output
//! is that of the defaults. Then each value has one, all other parameters at their defaults, or
//! with `--grid` each combination of values, the defaults among them. The truth of a sheet is the
//! PGN file of the same name beside it. With `--no-pair` each sheet is a game of its own; otherwise
//! copies and pages of one game are put together.
//!
//! One line a setting, separated by tabs: the parameter; its value; `n`, the moves of the truth;
//! `out`, the moves put out; `right`, those of them that are moves of the truth; `asked`, those
//! that a person is asked about; `silent`, those that are wrong and not asked about. Right are the
//! moves that an alignment of least edit distance pairs with an equal move.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::json;
use sheetscan::Parameters;
use sheetscan::batch::{BatchOptions, BatchProgress, Grouping, Input, scan_batch, short_hash};
use sheetscan::cache::Cache;
use sheetscan::decode::Ply;
use sheetscan::notation::Language;
use sheetscan::reader::Network;
use sheetscan::scan::{ScannedGame, Scanner};
use sheetscan::transcribe::transcribe;
use tempfile::TempDir;
use toml::Value;

mod parameter_path;

/// Parameters that change no move, which is all that is measured here.
const WITHOUT_EFFECT: [&str; 3] = ["event.", "scan.header.", "scan.fields."];

/// The file of a sweep.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SweepFile {
    /// The values of each parameter by its path.
    sweep: BTreeMap<String, Vec<Value>>,
}

/// Values of some parameters by their paths.
type Assignments = Vec<(String, Value)>;

/// One line of the output, not measured yet.
struct Setting {
    assignments: Assignments,
    parameters: Parameters,
}

fn main() -> Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut is_given = |option: &str| {
        let at = arguments.iter().position(|argument| argument == option);
        at.map(|at| arguments.remove(at)).is_some()
    };
    let (is_grid, no_pair) = (is_given("--grid"), is_given("--no-pair"));
    let [file, sheets @ ..] = &arguments[..] else {
        bail!("usage: sweep [--grid] [--no-pair] SWEEP.toml SHEET...");
    };
    let settings = read_settings(Path::new(file), is_grid)?;
    let sheets: Vec<PathBuf> = sheets.iter().map(PathBuf::from).collect();
    let truths = read_truths(&sheets)?;
    let grouping = if no_pair {
        Grouping::Alone {
            with_payload: false,
        }
    } else {
        Grouping::ByContent
    };
    let folder = TempDir::with_prefix("sweep-")?;
    println!("parameter\tvalue\tn\tout\tright\tasked\tsilent");
    for setting in &settings {
        // Settings that differ in nothing but decoding share what is read on the sheets.
        let reading = serde_json::to_vec(&setting.parameters.scan)?;
        let cache = Cache::open(folder.path(), &short_hash(&reading))?;
        let figures = measure(&setting.parameters, &cache, &grouping, &sheets, &truths)?;
        println!("{}\t{figures}", setting.title());
    }
    Ok(())
}

/// The defaults, then the settings of a file.
fn read_settings(path: &Path, is_grid: bool) -> Result<Vec<Setting>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
    let file: SweepFile = toml::from_str(&text).with_context(|| name.to_string())?;
    let mut assignments: Vec<Assignments> = vec![Vec::new()];
    for (path, values) in &file.sweep {
        let before = if is_grid { assignments.len() } else { 1 };
        for i in 0..before {
            for value in values {
                let last = (path.clone(), value.clone());
                assignments.push([&assignments[i][..], &[last]].concat());
            }
        }
    }
    let settings = assignments.into_iter().map(Setting::new);
    let settings: Result<Vec<Setting>> = settings.collect();
    settings.with_context(|| name.to_string())
}

impl Setting {
    /// The defaults with these values. Unknown paths and values of a wrong type are errors.
    fn new(assignments: Assignments) -> Result<Self> {
        let mut parameters = Parameters::default();
        for (path, value) in &assignments {
            if WITHOUT_EFFECT.iter().any(|prefix| path.starts_with(prefix)) {
                bail!("{path} changes no move, and only moves are measured");
            }
            let mut tree = Value::try_from(parameters)?;
            parameter_path::set(&mut tree, path, value).context(path.clone())?;
            parameters = tree.try_into().context(path.clone())?;
        }
        Ok(Self {
            assignments,
            parameters,
        })
    }

    /// The first two columns of its line.
    fn title(&self) -> String {
        if self.assignments.is_empty() {
            return "default\t-".to_owned();
        }
        let (paths, values): (Vec<_>, Vec<_>) = self.assignments.iter().cloned().unzip();
        let values: Vec<String> = values
            .iter()
            .map(|value| json!(value).to_string())
            .collect();
        format!("{}\t{}", paths.join(" "), values.join(" "))
    }
}

/// The moves of each sheet that has a PGN file beside it.
fn read_truths(sheets: &[PathBuf]) -> Result<BTreeMap<PathBuf, Vec<String>>> {
    let mut truths = BTreeMap::new();
    for sheet in sheets {
        let path = sheet.with_extension("pgn");
        let name = path.display();
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("{}: not counted, since there is no {name}", sheet.display());
            continue;
        };
        let typed = transcribe(&text, Language::from_code("en"));
        let typed = typed.with_context(|| name.to_string())?;
        let [game] = &typed.games[..] else {
            bail!(
                "{name}: there are {} games in it and not one",
                typed.games.len()
            );
        };
        if let Some(fault) = &game.fault {
            bail!("{name}: {fault}");
        }
        let moves = game.plies.iter().map(|ply| ply.san.clone());
        truths.insert(sheet.clone(), moves.collect());
    }
    ensure!(
        !truths.is_empty(),
        "no sheet has a PGN file of its name beside it"
    );
    Ok(truths)
}

/// Prints why a page gives no game.
struct Failures;

impl BatchProgress for Failures {
    fn page_failed(&mut self, name: &str, reason: &str) {
        eprintln!("{name}: {reason}");
    }
}

/// Reads and decodes the sheets, and counts their moves: the last five columns of a line.
fn measure(
    parameters: &Parameters,
    cache: &Cache,
    grouping: &Grouping,
    sheets: &[PathBuf],
    truths: &BTreeMap<PathBuf, Vec<String>>,
) -> Result<String> {
    let scanner = Scanner::new(Box::new(Network::embedded()?), parameters.decode_options());
    let scanner = scanner.with_parameters(parameters.scan.clone());
    let options = BatchOptions {
        cache: Some(cache),
        grouping: grouping.clone(),
        parameters: parameters.batch,
        ..BatchOptions::new(&scanner)
    };
    let inputs: Vec<Input> = sheets.iter().cloned().map(Input::File).collect();
    let games = scan_batch(&inputs, &options, &mut Failures)?;
    let games = games.into_iter().filter_map(|game| game.result.ok());
    let games: Vec<ScannedGame> = games.collect();
    let [mut n, mut out, mut right, mut asked, mut silent] = [0; 5];
    for (path, truth) in truths {
        n += truth.len();
        let of_sheet = |game: &&ScannedGame| {
            let same = game.same.iter().map(|(sheet, _)| sheet);
            let mut sheets = game.sheets.iter().chain(same);
            sheets.any(|sheet| sheet.path == *path)
        };
        let scanned = games.iter().find(of_sheet);
        let plies = scanned.map_or(&[][..], |scanned| &scanned.game.plies);
        let [_, wrong_moves, silent_moves] = align(plies, truth);
        out += plies.len();
        right += plies.len() - wrong_moves;
        asked += plies.iter().filter(|ply| ply.review).count();
        silent += silent_moves;
    }
    Ok(format!("{n}\t{out}\t{right}\t{asked}\t{silent}"))
}

/// Edits, wrong moves and silent moves of the alignment that has least of each, in this order.
fn align(plies: &[Ply], truth: &[String]) -> [usize; 3] {
    let mut row: Vec<[usize; 3]> = (0..=truth.len()).map(|edits| [edits, 0, 0]).collect();
    for ply in plies {
        let is_silent = usize::from(!ply.review);
        let wrong = |[edits, wrong, silent]: [usize; 3]| [edits + 1, wrong + 1, silent + is_silent];
        let mut next = vec![wrong(row[0])];
        for (j, san) in truth.iter().enumerate() {
            let paired = if ply.san == *san {
                row[j]
            } else {
                wrong(row[j])
            };
            let [edits, wrong_moves, silent] = next[j];
            let left_out = [edits + 1, wrong_moves, silent];
            next.push(paired.min(wrong(row[j + 1])).min(left_out));
        }
        row = next;
    }
    row[truth.len()]
}
