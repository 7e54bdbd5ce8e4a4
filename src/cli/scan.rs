//! `sheetscan scan`: sheets in, games out.

use std::path::Path;

use anyhow::{Context, Result, bail};
use image::DynamicImage;

use sheetscan::decode;
use sheetscan::page::Page;
use sheetscan::reader::Network;
use sheetscan::scan::{self, ScannedGame, Scanner, SheetError};
use sheetscan::{debug, json, pgn};

use super::args::ScanArgs;
use super::inputs::{self, Input};
use super::output::Output;
use super::progress::Progress;
use super::sheets::{self, Outcome};
use super::{folder, parallel};
use crate::Exit;

/// Runs the command.
pub fn run(args: &ScanArgs) -> Result<Exit> {
    let inputs = inputs::resolve(&args.sheets)?;
    let mut writers = Writers::open(args)?;
    let options = decode::Options {
        language: args.lang,
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
    parallel::in_order(&inputs, jobs, work, |outcomes| {
        for outcome in outcomes? {
            totals.add(&outcome);
            tell(&outcome, &progress);
            if let Ok(game) = &outcome.result {
                writers.write(game)?;
            }
        }
        progress.file_done();
        Ok(())
    })?;
    writers.finish()?;
    totals.close(progress);
    Ok(totals.exit())
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
    fn page(
        &self,
        i: usize,
        page: &Page,
        drawn: &mut Result<()>,
    ) -> Result<ScannedGame, SheetError> {
        let (grid, cells) = scan::cells(page)?;
        if let (Some(folder), Ok(())) = (self.debug_dir, &drawn) {
            let name = format!("{}-p{}.png", self.stems[i], page.number);
            let picture = DynamicImage::ImageRgb8(debug::draw(page, &grid));
            *drawn = folder::save(folder, &name, &picture);
        }
        self.scanner.game(page, &cells)
    }
}

/// The files that games go to.
struct Writers {
    pgn: Option<Output>,
    json: Option<Output>,
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
        Ok(Self {
            pgn: pgn.map(Output::open).transpose()?,
            json: args.json.as_deref().map(Output::open).transpose()?,
        })
    }

    fn write(&mut self, game: &ScannedGame) -> Result<()> {
        if let Some(out) = &mut self.pgn {
            out.write(&pgn::write(game))?;
        }
        if let Some(out) = &mut self.json {
            out.write(&(json::line(game) + "\n"))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        [self.pgn, self.json]
            .into_iter()
            .flatten()
            .try_for_each(Output::finish)
    }
}

/// What came of one sheet, in a line.
fn tell(outcome: &Outcome<ScannedGame>, progress: &Progress) {
    match &outcome.result {
        Ok(scanned) => {
            let mut found = format!("{} moves", scanned.game.plies.len());
            match scanned.asks() {
                0 => {}
                asks => found += &format!(", {asks} to look at"),
            }
            if !scanned.game.complete {
                found += ", not readable to the end";
            }
            progress.read(&outcome.name, &found);
        }
        Err(why) => progress.fault(&format!("{}: {why}", outcome.name)),
    }
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
    fn add(&mut self, outcome: &Outcome<ScannedGame>) {
        self.sheets += 1;
        match &outcome.result {
            Ok(scanned) => {
                self.games += 1;
                self.moves += scanned.game.plies.len();
                self.asks += scanned.asks();
                self.unfinished += usize::from(!scanned.game.complete);
            }
            Err(_) => self.unfinished += 1,
        }
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
