//! `sheetscan review`: a page on which a person settles the doubts of a run.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};

use sheetscan::Parameters;
use sheetscan::batch::{self, BatchGame, BatchProgress, Fixes, Input, SheetNames};
use sheetscan::event::games::GameFormat;
use sheetscan::review::http::{PhoneOptions, Server, ServerOptions, open_browser};
use sheetscan::review::lock::ReviewLock;
use sheetscan::review::{
    AnswerFile, ExportedFiles, Review, ReviewEvent, ReviewOptions, TypedHeaderOf,
};

use super::args::{ReviewArgs, ScanArgs, SheetArgs};
use super::event_file::{self, EventFile};
use super::exit_status::ExitStatus;
use super::games::{GameSink, SheetCounts};
use super::headers::TypedHeaders;
use super::inputs::Inputs;
use super::layout::LayoutFile;
use super::progress::{self, Progress, print_message};
use super::scan::{SheetReporter, grouping, load_scanner};
use super::writers::{Writers, comments};
use super::{cache, fixes, inputs, layout, signals, threads};

/// Runs the command.
pub fn run(args: &ReviewArgs) -> Result<ExitStatus> {
    ensure!(
        !args.scan.shard && args.scan.debug_dir.is_none(),
        "--shard and --debug-dir are for scan; a review reads all sheets in one run"
    );
    let stopped = signals::notify();
    let outputs: Vec<PathBuf> = args.scan.event.report.iter().cloned().collect();
    let Inputs {
        files: inputs,
        left_out,
    } = inputs::resolve(&args.scan.sheets, &outputs)?;
    let jobs = threads::start_pool(args.scan.sheets.jobs)?;
    let base = base_path(&args.scan.sheets.paths);
    let scan = with_outputs(&args.scan, &base);
    let answers = scan.fixes.fixes.clone();
    let answers = answers.context("the review has a file of answers")?;
    let mut lock = ReviewLock::take(&answers)?;
    let file = AnswerFile::open(&answers)?;
    let names = SheetNames::new(inputs.iter().map(Input::display_path));
    let mut known = Fixes::new(scan.fixes.fix.clone(), file.fixes());
    fixes::resolve_names(&mut known, &names)?;
    let parameters = Parameters::default();
    // The outputs are tried before the long work.
    drop(Writers::open(&scan, &inputs, &names, &parameters)?);
    let (scanner, mut model) = load_scanner(&scan, &parameters)?;
    let layout = layout::load(scan.form.layout.as_deref())?;
    if let Some(LayoutFile { hash, .. }) = &layout {
        model = format!("{model}-{hash}");
    }
    let progress = Progress::start(inputs.len(), scan.sheets.quiet);
    left_out.iter().for_each(|line| progress.print(line));
    let cache = cache::open(&scan.cache, &model, &progress)?;
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let epoch = format!("{:x}", since_1970.map_or(0, |time| time.as_micros()));
    let find_inputs = input_finder(args.scan.sheets.clone(), outputs, inputs);
    let options = ReviewOptions {
        scanner,
        cache,
        layout: layout.map(|file| file.layout),
        jobs,
        grouping: grouping(&scan),
        fixes: scan.fixes.fix.clone(),
        find_inputs: Arc::clone(&find_inputs),
        inbox: inbox(&args.scan.sheets.paths),
        parameters: parameters.batch,
        name: base
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        output: scan
            .output
            .as_ref()
            .map_or_else(String::new, |path| path.display().to_string()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        event: review_event(&scan, &parameters)?,
        export: exporter(scan.clone(), find_inputs, parameters),
    };
    let review = Review::new(file, options, epoch);
    let server = Server::start(
        ServerOptions {
            port: args.port,
            token_file: token_path(&answers),
            on_new_address: Some(print_new_address),
            phones: args.listen.then(PhoneOptions::default),
            ..ServerOptions::default()
        },
        Arc::clone(&review) as _,
    )?;
    lock.write_address(&server.address())?;
    progress.announce(&format!("review at {}", server.secret_address()));
    progress.print("keep this address to yourself; Ctrl-C ends the review, answers are saved");
    if !args.no_open {
        open_browser(&server.opening_address()?, || {
            print_message("no browser could be opened; open the address yourself");
        });
    }
    let reader = Arc::clone(&review);
    // Whoever stops the run does not wait for the sheets that are being read.
    thread::spawn(move || {
        let mut reporter = SheetReporter::new(&progress, reader.cache());
        if let Err(error) = reader.read(&mut reporter as &mut dyn BatchProgress) {
            progress.fault(&error);
        }
        progress.close(&[]);
    });
    // The sender lives as long as the program.
    let _ = stopped.recv();
    server.stop();
    Ok(ExitStatus::finished(review.is_settled()))
}

/// The path after which the files of a run are named: the folder that is read, or the one of the
/// first file.
fn base_path(paths: &[PathBuf]) -> PathBuf {
    let first = paths.first().map_or(Path::new("."), PathBuf::as_path);
    let folder = if first.is_dir() {
        first
    } else {
        first.parent().unwrap_or(Path::new("."))
    };
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    match folder.file_name() {
        Some(_) => folder,
        None => folder.join("games"),
    }
}

/// The arguments with the files of a run where none are named: beside its folder.
fn with_outputs(args: &ScanArgs, base: &Path) -> ScanArgs {
    let beside = |ending: &str| {
        let mut path = base.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    };
    let mut args = args.clone();
    args.output.get_or_insert_with(|| beside(".pgn"));
    args.json.get_or_insert_with(|| beside(".jsonl"));
    args.fixes
        .fixes
        .get_or_insert_with(|| beside(".fixes.toml"));
    args
}

/// The event of a run, if one is given.
fn review_event(args: &ScanArgs, parameters: &Parameters) -> Result<Option<ReviewEvent>> {
    let Some(EventFile { event, scope }) = event_file::load(&args.event)? else {
        return Ok(None);
    };
    let typed = TypedHeaders::load(args.event.headers.as_deref())?;
    let matching = parameters.event;
    let known = event.clone();
    let find_typed = move |names: &SheetNames| {
        let (mut typed, event) = (typed.clone(), known.clone());
        typed
            .find_sheets(names)
            .map_err(|e| progress::error_line(&e))?;
        let header = move |sheet: &_| typed.header(&event, sheet, &matching.typed);
        Ok(Box::new(header) as Box<TypedHeaderOf>)
    };
    Ok(Some(ReviewEvent {
        event,
        scope,
        parameters: matching,
        fields: parameters.scan.fields,
        format: GameFormat {
            dotted_rounds: args.event.dotted_rounds,
            comments: comments(args.comments),
        },
        find_typed: Box::new(find_typed),
    }))
}

/// Where the token is kept, so that a page that is still open goes on working after a restart: in
/// the user's own folder, under a hash of the path of the answers.
fn token_path(answers: &Path) -> Option<PathBuf> {
    let folder = dirs::cache_dir()?.join("sheetscan").join("review");
    fs::create_dir_all(&folder).ok()?;
    let path = std::path::absolute(answers).unwrap_or_else(|_| answers.to_owned());
    let name = batch::short_hash(path.to_string_lossy().as_bytes());
    Some(folder.join(name))
}

/// Prints the address after the old one had to be replaced.
fn print_new_address(address: &str) {
    print_message("somebody else has used the address that the browser was to open");
    print_message(&format!("the review is now at {address}"));
}

/// Finds the files that the arguments name; those of a list, which may be standard input, are the
/// `first` ones each time.
fn input_finder(
    args: SheetArgs,
    outputs: Vec<PathBuf>,
    first: Vec<Input>,
) -> Arc<sheetscan::review::FindInputs> {
    Arc::new(move || {
        if args.files_from.is_some() {
            return Ok(first.clone());
        }
        let found = inputs::resolve(&args, &outputs);
        let found = found.map_err(|error| progress::error_line(&error))?;
        Ok(found.files)
    })
}

/// The folder that takes pictures: one in the only folder that is read, so that a later scan of
/// that folder finds them too.
fn inbox(paths: &[PathBuf]) -> Option<PathBuf> {
    match paths {
        [folder] if folder.is_dir() => Some(folder.join("inbox")),
        _ => None,
    }
}

/// Writes the files as `scan --fixes` does.
fn exporter(
    args: ScanArgs,
    find_inputs: Arc<sheetscan::review::FindInputs>,
    parameters: Parameters,
) -> Box<sheetscan::review::ExportFiles> {
    Box::new(move |games: Vec<BatchGame>, (sheets, failed)| {
        let write = || -> Result<ExportedFiles> {
            let progress = Progress::start(0, true);
            let inputs = find_inputs().map_err(anyhow::Error::msg)?;
            let names = SheetNames::new(inputs.iter().map(Input::display_path));
            let writers = Writers::open(&args, &inputs, &names, &parameters)?;
            let event_paths = writers.event_paths();
            let mut sink = GameSink::new(writers, &progress);
            let mut moves = 0;
            let count = games.len();
            for game in games {
                moves += game.result.as_ref().map_or(0, |game| game.game.plies.len());
                sink.take(game)?;
            }
            let (writers, totals) = sink.finish(SheetCounts { sheets, failed });
            let worst = writers.finish(&progress)?;
            let status = ExitStatus::of_event(worst, totals.is_all_read());
            // A run that splits rounds has files of its own for the games.
            let games = args.output.as_ref().filter(|_| !args.event.split_rounds);
            let files = [
                (games, "games"),
                (args.json.as_ref(), "games with their cells"),
            ];
            let files = files
                .into_iter()
                .filter_map(|(path, what)| Some((path?, what)));
            // A round without games has no file.
            let others = event_paths.iter().filter(|path| path.exists());
            let files = files.chain(others.map(|path| (path, describe_event_file(path))));
            Ok(ExportedFiles {
                files: files
                    .map(|(path, what)| (path.display().to_string(), what))
                    .collect(),
                games: count,
                moves,
                status: status as u8,
            })
        };
        write().map_err(|error| progress::error_line(&error))
    })
}

/// What a file of the event is, for people.
fn describe_event_file(path: &Path) -> &'static str {
    match path.extension().and_then(OsStr::to_str) {
        Some("html") => "report",
        Some("csv") => "table of the report",
        Some("jsonl") => "audit of the moves",
        _ => "games",
    }
}
