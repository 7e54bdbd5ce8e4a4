//! `sheetscan scan`: sheets in, games out.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use image::DynamicImage;

use sheetscan::cell::CellState;
use sheetscan::event::{Level, Record};
use sheetscan::page::Page;
use sheetscan::reader::Network;
use sheetscan::scan::{self, ScannedGame, Scanner, Sheet, SheetError};
use sheetscan::{debug, decode, guard, json, pgn};

use super::args::ScanArgs;
use super::event::Entries;
use super::fixes::Fixes;
use super::inputs::{self, Input};
use super::output::Output;
use super::progress::Progress;
use super::sheets;
use super::{folder, parallel};
use crate::Exit;

/// Runs the command.
pub fn run(args: &ScanArgs) -> Result<Exit> {
    let inputs = inputs::resolve(&args.sheets)?;
    let fixes = Fixes::gather(&args.fix, args.fixes.as_deref())?;
    let mut writers = Writers::open(args)?;
    let options = decode::Options {
        language: args.lang,
        ask: args.ask,
        runners_up: args.n_best.get() - 1,
        ..decode::Options::default()
    };
    let model = load(args.model.as_deref())?;
    let job = Job {
        scanner: Scanner::new(Box::new(model), options),
        debug_dir: args.debug_dir.as_deref(),
        stems: folder::stems(&inputs),
    };
    let jobs = parallel::set_up(args.sheets.jobs)?;
    let mut progress = Progress::start(inputs.len(), args.sheets.quiet);
    let mut totals = Totals::default();
    let work = |i: usize, input: &Input| {
        let mut drawn = Ok(());
        let outcomes = sheets::each_page(input, |page| job.page(i, page, &mut drawn));
        drawn.map(|()| outcomes)
    };
    let mut read: Vec<(String, Sheet)> = Vec::new();
    parallel::in_order(&inputs, jobs, work, |outcomes| {
        for outcome in outcomes? {
            totals.sheets += 1;
            match outcome.result {
                Ok(sheet) => {
                    let written = sheet.cells.iter().filter(|r| r.state != CellState::Blank);
                    progress.read(&outcome.name, &format!("{} cells written", written.count()));
                    read.push((outcome.name, sheet));
                }
                Err(why) => {
                    totals.unfinished += 1;
                    progress.fault(&format!("{}: {why}", outcome.name));
                }
            }
        }
        progress.file_done();
        Ok(())
    })?;
    fixes.check(&read.iter().map(|(_, sheet)| sheet).collect::<Vec<_>>())?;
    let groups = grouped(read, args.no_pair, &args.pair)?;
    let decode = |_: usize, (_, sheets): &(String, Vec<Sheet>)| {
        guard::catch(|| fixes.decode(&job.scanner, sheets))
    };
    let mut names = groups.iter().map(|(name, _)| name);
    parallel::in_order(&groups, jobs, decode, |game| {
        let name = names.next().map_or("", String::as_str);
        match game {
            Ok((scanned, refused)) => {
                totals.add(&scanned);
                for fix in refused {
                    totals.unfinished += 1;
                    progress.fault(&format!(
                        "--fix {fix}: no game that the sheet allows has this move there, it was left out; look at the moves before it"
                    ));
                }
                progress.found(&found(name, &scanned));
                writers.write(&scanned)?;
            }
            Err(panic) => {
                totals.unfinished += 1;
                progress.fault(&format!("{name}: {}", SheetError::Fault(panic)));
            }
        }
        Ok(())
    })?;
    let worst = writers.finish(&progress)?;
    totals.close(progress);
    Ok(match worst {
        Some(Level::Error) => Exit::Conflicts,
        Some(Level::Warning) => Exit::LookAgain,
        _ => totals.exit(),
    })
}

/// The sheets of each game with their names: copies found, or said by the caller, or none.
fn grouped(
    read: Vec<(String, Sheet)>,
    no_pair: bool,
    pairs: &[(PathBuf, PathBuf)],
) -> Result<Vec<(String, Vec<Sheet>)>> {
    let at = |path: &Path| {
        let place = read.iter().position(|(_, sheet)| sheet.path == path);
        place.with_context(|| {
            format!(
                "--pair names {}, of which no sheet was read",
                path.display()
            )
        })
    };
    let sheets: Vec<&Sheet> = read.iter().map(|(_, sheet)| sheet).collect();
    let groups = if no_pair {
        (0..sheets.len()).map(|i| vec![i]).collect()
    } else if pairs.is_empty() {
        scan::copies(&sheets)
    } else {
        let mut groups: Vec<Vec<usize>> = (0..sheets.len()).map(|i| vec![i]).collect();
        for (a, b) in pairs {
            let (a, b) = (at(a)?, at(b)?);
            let home = |i: usize| groups.iter().position(|g| g.contains(&i)).unwrap_or(i);
            let (a, b) = (home(a).min(home(b)), home(a).max(home(b)));
            if a != b {
                let more = groups.remove(b);
                groups[a].extend(more);
                groups[a].sort_unstable();
            }
        }
        groups
    };
    let mut read: Vec<Option<(String, Sheet)>> = read.into_iter().map(Some).collect();
    let gather = |group: Vec<usize>| {
        let (names, sheets): (Vec<String>, Vec<Sheet>) =
            group.into_iter().filter_map(|i| read[i].take()).unzip();
        (names.join(" + "), sheets)
    };
    Ok(groups.into_iter().map(gather).collect())
}

fn load(path: Option<&Path>) -> Result<Network> {
    match path {
        Some(path) => {
            Network::from_file(path).with_context(|| format!("the model {}", path.display()))
        }
        None => Network::embedded().context("the built-in model"),
    }
}

/// What is done with every page.
struct Job<'a> {
    scanner: Scanner,
    debug_dir: Option<&'a Path>,
    stems: Vec<String>,
}

impl Job<'_> {
    /// Reads one page of input `i`. A debug picture that cannot be saved is a fault of the run, not of the sheet.
    fn page(&self, i: usize, page: &Page, drawn: &mut Result<()>) -> Result<Sheet, SheetError> {
        let (grid, cells) = self.scanner.cells(page)?;
        if let (Some(folder), Ok(())) = (self.debug_dir, &drawn) {
            let name = format!("{}-p{}.png", self.stems[i], page.number);
            let picture = DynamicImage::ImageRgb8(debug::draw(page, &grid));
            *drawn = folder::save(folder, &name, &picture);
        }
        self.scanner.read(page, &cells)
    }
}

/// The files that games go to.
struct Writers {
    pgn: Option<Output>,
    json: Option<Output>,
    /// The event that takes the games before they are written.
    event: Option<Entries>,
}

impl Writers {
    /// Opens every output, so that the run fails before the work where one cannot be written.
    fn open(args: &ScanArgs) -> Result<Self> {
        let stdout = Path::new("-");
        let pgn = match (&args.output, &args.json) {
            (Some(pgn), Some(json)) if pgn == json => {
                bail!(
                    "-o and --json both name {}; give them different places",
                    pgn.display()
                )
            }
            (Some(pgn), _) => Some(pgn.as_path()),
            (None, Some(_)) => None,
            (None, None) => Some(stdout),
        };
        if let Some(folder) = &args.debug_dir {
            folder::writable(folder)?;
        }
        let event = Entries::open(&args.event, pgn)?;
        let pgn = pgn.filter(|_| !event.as_ref().is_some_and(Entries::splits));
        Ok(Self {
            pgn: pgn.map(Output::open).transpose()?,
            json: args.json.as_deref().map(Output::open).transpose()?,
            event,
        })
    }

    fn write(&mut self, game: &ScannedGame) -> Result<()> {
        if let Some(event) = &mut self.event {
            event.enter(Record::parse(&json::line(game))?);
        } else if let Some(out) = &mut self.pgn {
            out.write(&pgn::write(game))?;
        }
        if let Some(out) = &mut self.json {
            out.write(&(json::line(game) + "\n"))?;
        }
        Ok(())
    }

    /// Ends the files; tells what the checks of the event found, and how much it weighs.
    fn finish(self, progress: &Progress) -> Result<Option<Level>> {
        self.json.map(Output::finish).transpose()?;
        match self.event {
            Some(event) => event.finish(self.pgn, progress),
            None => {
                self.pgn.map(Output::finish).transpose()?;
                Ok(None)
            }
        }
    }
}

/// Moves to look at that are named in a game's line; the JSON has them all.
const NAMED: usize = 6;

/// The first moves to look at, with their numbers.
fn asked(scanned: &ScannedGame) -> String {
    let plies = scanned.game.plies.iter().enumerate();
    let asked = plies.filter(|(_, ply)| ply.review).map(|(i, ply)| {
        let dots = if i % 2 == 0 { "." } else { "..." };
        format!("{}{dots}{}", i / 2 + 1, ply.san)
    });
    let mut asked: Vec<String> = asked.collect();
    if asked.len() > NAMED {
        asked.truncate(NAMED);
        asked.push("...".to_owned());
    }
    asked.join(" ")
}

/// What came of the sheets of one game, in a line.
fn found(name: &str, scanned: &ScannedGame) -> String {
    let mut found = format!("{name}: {} moves", scanned.game.plies.len());
    match scanned.asks() {
        0 => {}
        asks => found += &format!(", {asks} to look at: {}", asked(scanned)),
    }
    if !scanned.game.complete {
        found += ", not readable to the end";
    }
    found
}

/// The figures of the closing table.
#[derive(Default)]
struct Totals {
    sheets: usize,
    games: usize,
    moves: usize,
    asks: usize,
    /// Sheets without a game, or with one that breaks off.
    unfinished: usize,
}

impl Totals {
    fn add(&mut self, scanned: &ScannedGame) {
        self.games += 1;
        self.moves += scanned.game.plies.len();
        self.asks += scanned.asks();
        self.unfinished += usize::from(!scanned.game.complete);
    }

    fn close(&self, progress: Progress) {
        progress.close(&[
            ("sheets", self.sheets),
            ("games", self.games),
            ("moves", self.moves),
            ("moves to look at", self.asks),
        ]);
    }

    fn exit(&self) -> Exit {
        if self.asks + self.unfinished == 0 {
            Exit::AllRead
        } else {
            Exit::LookAgain
        }
    }
}
