//! `sheetscan scan`: sheets in, games out.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use sheetscan::Parameters;
use sheetscan::batch::{
    self, BatchOptions, BatchProgress, Drawings, Fix, Grouping, Input, PageSummary, SheetNames,
};
use sheetscan::cache::Cache;
use sheetscan::decode::Options;
use sheetscan::form::{FormCode, SheetSide};
use sheetscan::reader::{Model, Network};
use sheetscan::scan::Scanner;

use super::args::ScanArgs;
use super::exit_status::ExitStatus;
use super::games::{GameSink, SheetCounts};
use super::inputs::Inputs;
use super::layout::LayoutFile;
use super::progress::Progress;
use super::writers::Writers;
use super::{cache, fixes, folder, inputs, layout, threads};

/// Runs the command.
pub fn run(args: &ScanArgs) -> Result<ExitStatus> {
    let outputs: Vec<PathBuf> = args
        .debug_dir
        .iter()
        .chain(&args.event.report)
        .cloned()
        .collect();
    let Inputs {
        files: inputs,
        left_out,
    } = inputs::resolve(&args.sheets, &outputs)?;
    let jobs = threads::start_pool(args.sheets.jobs)?;
    let names = SheetNames::new(inputs.iter().map(Input::display_path));
    let mut fixes = fixes::gather(&args.fixes)?;
    fixes::resolve_names(&mut fixes, &names)?;
    let parameters = Parameters::default();
    let writers = Writers::open(args, &inputs, &names, &parameters)?;
    let (scanner, mut model) = load_scanner(args, &parameters)?;
    let layout = layout::load(args.form.layout.as_deref())?;
    if let Some(LayoutFile { hash, .. }) = &layout {
        model = format!("{model}-{hash}");
    }
    let progress = Progress::start(inputs.len(), args.sheets.quiet);
    left_out.iter().for_each(|line| progress.print(line));
    let cache = cache::open(&args.cache, &model, &progress)?;
    let options = BatchOptions {
        scanner: &scanner,
        cache: Some(&cache),
        layout: layout.as_ref().map(|file| &file.layout),
        jobs,
        grouping: grouping(args),
        fixes,
        drawings: drawings(args, &inputs),
        parameters: parameters.batch,
    };
    let mut games = GameSink::new(writers, &progress);
    let mut sheets = SheetReporter::new(&progress, &cache);
    batch::scan_batch_with(&inputs, &options, &mut sheets, |game| games.take(game))?;
    let counts = sheets.counts;
    let (writers, totals) = games.finish(counts);
    let worst = writers.finish(&progress)?;
    progress.close(&totals.columns());
    Ok(ExitStatus::of_event(worst, totals.is_all_read()))
}

/// The scanner, and a name for its models in the cache.
pub fn load_scanner(args: &ScanArgs, parameters: &Parameters) -> Result<(Scanner, String)> {
    let options = Options {
        language: args.language.given(),
        ask: args.ask,
        runners_up: args.n_best.get() - 1,
        ..parameters.decode_options()
    };
    let (network, name) = cache::model(args.model.as_deref())?;
    let outside = options
        .language
        .and_then(|l| l.letter_outside(network.alphabet()));
    if let Some(letter) = outside {
        bail!(
            "the reader does not know the letter {letter}; give --letters with another one that \
             looks like it"
        );
    }
    let scanner = Scanner::new(Box::new(network), options);
    // The header of a sheet is matched with an event in this run, or later by `merge`.
    let has_event = args.event.trf.is_some() || args.shard;
    let parameters = parameters.scan.clone();
    let words = Network::embedded_words().context("the built-in model of words")?;
    let words = Box::new(words);
    let scanner = scanner.with_parameters(parameters);
    Ok(if has_event {
        (scanner.with_words(words), name + "-words")
    } else {
        (scanner.with_header(words), name)
    })
}

/// Which sheets are put together.
pub fn grouping(args: &ScanArgs) -> Grouping {
    if args.no_pair || args.shard {
        Grouping::Alone {
            with_payload: args.shard,
        }
    } else if args.pair.is_empty() {
        Grouping::ByContent
    } else {
        Grouping::Pairs(args.pair.clone())
    }
}

/// Where the tables get drawn.
fn drawings(args: &ScanArgs, inputs: &[Input]) -> Option<Drawings> {
    args.debug_dir.as_ref().map(|dir| Drawings {
        folder: dir.clone(),
        stems: folder::stems(inputs),
    })
}

/// Prints and counts what becomes of the sheets.
pub struct SheetReporter<'a> {
    progress: &'a Progress,
    cache: &'a Cache,
    counts: SheetCounts,
}

impl<'a> SheetReporter<'a> {
    /// A reporter that has seen no sheet yet.
    pub fn new(progress: &'a Progress, cache: &'a Cache) -> Self {
        Self {
            progress,
            cache,
            counts: SheetCounts::default(),
        }
    }
}

/// What the code of a printed sheet says, behind the other facts of its line.
fn describe_code(code: FormCode) -> String {
    let round = code.round.map(|round| format!("round {round}"));
    let board = code.board.map(|board| format!("board {board}"));
    let side = code.side.map(|side| match side {
        SheetSide::White => "White's sheet".to_owned(),
        SheetSide::Black => "Black's sheet".to_owned(),
    });
    let parts: Vec<String> = [round, board, side].into_iter().flatten().collect();
    match parts.is_empty() {
        true => ", printed by sheetscan".to_owned(),
        false => format!(", printed for {}", parts.join(", ")),
    }
}

impl BatchProgress for SheetReporter<'_> {
    fn page_read(&mut self, name: &str, page: &PageSummary) {
        let cached = if page.cached { ", read before" } else { "" };
        let from = page.continues_from;
        let from = from.map_or_else(String::new, |number| format!(" from move {number} on"));
        let printed = page.code.map_or_else(String::new, describe_code);
        let line = format!("{} cells written{from}{printed}{cached}", page.inked_cells);
        self.progress.sheet_read(name, &line);
        if page.cut_short {
            self.progress.fault(&format!(
                "{name}: the end of the file is missing, but the table was whole; copy it again \
                 from the camera or scanner if you can"
            ));
        }
    }

    fn page_failed(&mut self, name: &str, reason: &str) {
        self.counts.failed += 1;
        self.progress.fault(&format!("{name}: {reason}"));
    }

    fn input_done(&mut self, pages: usize) {
        cache::report_fault(self.cache, self.progress);
        self.counts.sheets += pages;
        self.progress.file_done();
    }

    fn page_reread(&mut self, name: &str, form: &str) {
        let line = format!("{name}: its table is laid as that of {form}");
        self.progress.print(&line);
    }

    fn fixes_unmatched(&mut self, count: usize, first: &Fix) {
        fixes::report_unmatched(count, first, self.progress);
    }
}
