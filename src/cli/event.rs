//! `--trf`: the games of a run are matched with the pairings of an event, checked, and written with
//! the names of the players.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use sheetscan::Parameters;
use sheetscan::batch::SheetNames;
use sheetscan::crops;
use sheetscan::event::coverage::{self, CoverageStatus};
use sheetscan::event::games::GameFormat;
use sheetscan::event::{CheckCode, Event, Header, Ledger, Level, Scope, headers_of_sheets};
use sheetscan::event::{audit, checks, games, report};
use sheetscan::geometry::{Point, Quad};
use sheetscan::pgn::Comments;
use sheetscan::schema::{CellRecord, GameRecord, PackedWords, SheetRecord};

use super::args::EventArgs;
use super::event_file::{self, EventFile};
use super::folder;
use super::headers::TypedHeaders;
use super::output::{self, Output};
use super::progress::Progress;

/// Largest number of findings of one check that are printed on standard error. The report has all.
const MAX_FINDINGS_PER_CODE: usize = 10;

/// A file of `--report`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ReportFile {
    /// The page for people.
    Page,
    /// Every pairing, and whether its game is there; only an event has it.
    Coverage,
    /// Every move, and where it comes from.
    Audit,
    /// Every finding of the checks.
    Checks,
}

impl ReportFile {
    /// Its name in the folder.
    fn name(self) -> &'static str {
        match self {
            Self::Page => "report.html",
            Self::Coverage => "coverage.csv",
            Self::Audit => "audit.jsonl",
            Self::Checks => "checks.csv",
        }
    }
}

/// An event, and the games of the run that have been added so far.
pub struct EventGames {
    event: Event,
    scope: Scope,
    parameters: Parameters,
    typed: TypedHeaders,
    games: Vec<(GameRecord, Vec<Header>)>,
    /// With `--split-rounds`: the path after which the file of each round is named.
    split_rounds: Option<PathBuf>,
    /// The folder of `--report`.
    report: Option<PathBuf>,
    files: EventFiles,
    /// The folders below which the pictures of sheets may be opened; none where any may.
    picture_folders: Option<Vec<PathBuf>>,
    format: GameFormat,
}

/// The open files of an event, besides the PGN file of a run that does not split rounds.
#[derive(Default)]
struct EventFiles {
    /// Those of the rounds, and of the games without a pairing.
    rounds: BTreeMap<Option<u32>, Output>,
    /// Those of `--report`.
    report: BTreeMap<ReportFile, Output>,
}

impl EventGames {
    /// Reads the files of the pairing program before any sheet is read, so that a run with a wrong
    /// file fails at once. `None` without `--trf` and `--report`; a run with the latter alone has
    /// an event without players. `output` is the PGN file of the run.
    pub fn open(
        args: &EventArgs,
        output: Option<&Path>,
        comments: Comments,
        parameters: &Parameters,
    ) -> Result<Option<Self>> {
        let EventFile { event, scope } = match event_file::load(args)? {
            Some(file) => file,
            None if args.report.is_some() => EventFile::default(),
            None => return Ok(None),
        };
        let split_rounds = match output {
            Some(path) if args.split_rounds && path != Path::new("-") => Some(path.to_owned()),
            _ if args.split_rounds => bail!(
                "--split-rounds writes several files; name them after one, as in -o games.pgn"
            ),
            _ => None,
        };
        if let Some(report) = &args.report {
            folder::make_writable(report)?;
        }
        if let Some(parent) = split_rounds
            .as_deref()
            .and_then(Path::parent)
            .filter(|p| *p != Path::new(""))
        {
            folder::make_writable(parent)?;
        }
        Ok(Some(Self {
            scope,
            parameters: parameters.clone(),
            typed: TypedHeaders::load(args.headers.as_deref())?,
            games: Vec::new(),
            event,
            split_rounds,
            report: args.report.clone(),
            files: EventFiles::default(),
            picture_folders: None,
            format: GameFormat {
                dotted_rounds: args.dotted_rounds,
                comments,
            },
        }))
    }

    /// Finds the sheets that the typed headers name among those of the run, and tells what is named
    /// and not there.
    ///
    /// # Errors
    /// A message if a header names two sheets.
    pub fn resolve_names(&mut self, names: &SheetNames) -> Result<()> {
        let parameters = &self.parameters.event.typed;
        self.typed.resolve_names(names, &self.event, parameters)
    }

    /// The files that [`Self::finish`] writes, except the PGN file of a run that does not split
    /// rounds.
    pub fn output_paths(&self) -> Vec<PathBuf> {
        let rounds = self.round_files().into_iter().map(|(_, path)| path);
        let report = self.report_files().into_iter().map(|(_, path)| path);
        rounds.chain(report).collect()
    }

    /// The files of `--report` with their paths.
    fn report_files(&self) -> Vec<(ReportFile, PathBuf)> {
        let Some(folder) = &self.report else {
            return Vec::new();
        };
        let coverage = (!self.event.players.is_empty()).then_some(ReportFile::Coverage);
        let files = [ReportFile::Page, ReportFile::Audit, ReportFile::Checks];
        let files = files.into_iter().chain(coverage);
        files.map(|file| (file, folder.join(file.name()))).collect()
    }

    /// Opens these files, so that the run fails before the work if one cannot be written.
    pub fn open_outputs(&mut self) -> Result<()> {
        for (round, path) in self.round_files() {
            self.files.rounds.insert(round, Output::open(&path)?);
        }
        for (file, path) in self.report_files() {
            self.files.report.insert(file, Output::open(&path)?);
        }
        Ok(())
    }

    /// Has the pictures of sheets opened below these folders only, for games whose lines come from
    /// somebody else.
    pub fn open_pictures_below(&mut self, folders: Vec<PathBuf>) {
        let folders = folders.iter().map(|folder| {
            let folder = if *folder == Path::new("") {
                Path::new(".")
            } else {
                folder
            };
            fs::canonicalize(folder)
        });
        self.picture_folders = Some(folders.filter_map(Result::ok).collect());
    }

    /// The PGN file of each round, and that of the games without a pairing; none where the run does
    /// not split rounds.
    fn round_files(&self) -> Vec<(Option<u32>, PathBuf)> {
        let Some(path) = &self.split_rounds else {
            return Vec::new();
        };
        let pairings = self.event.pairings.iter();
        let rounds: BTreeSet<u32> = pairings.map(|pairing| pairing.round).collect();
        let rounds = rounds.into_iter().map(Some).chain([None]);
        rounds
            .map(|round| (round, round_file(path, round)))
            .collect()
    }

    /// Whether each round gets a PGN file of its own.
    pub fn splits_rounds(&self) -> bool {
        self.split_rounds.is_some()
    }

    /// Adds a game, and scores the headers of its sheets.
    ///
    /// A typed header of the sheet, or of another name of the same picture, replaces what was read.
    pub fn add_game(&mut self, mut record: GameRecord) {
        let Parameters { event, scan, .. } = &self.parameters;
        let typed = |sheet: &SheetRecord| self.typed.header(&self.event, sheet, &event.typed);
        let read = |sheet: &SheetRecord| {
            let words = sheet.words.as_ref().and_then(PackedWords::unpack);
            words.map_or_else(Header::default, |words| {
                Header::from_handwriting(&self.event, &words, &scan.fields, &event.handwriting)
            })
        };
        let headers = headers_of_sheets(&record.sheets, typed, read);
        for sheet in &mut record.sheets {
            self.typed.settle(sheet);
            // Words and cells are needed no more, and take much memory.
            sheet.words = None;
            sheet.cells = Vec::new();
        }
        self.games.push((record, headers));
    }

    /// Matches the games, runs the checks, writes all files and prints the findings. Returns the
    /// most serious level of the findings. `json` is the other output of the run, which gets its
    /// name with the files of the event or not at all.
    pub fn finish(
        self,
        pgn: Option<Output>,
        json: Option<Output>,
        progress: &Progress,
    ) -> Result<Option<Level>> {
        self.typed.report_unused(progress);
        let ledger =
            Ledger::match_games(self.event, self.games, self.scope, &self.parameters.event);
        let games = games::format_games(&ledger, self.format);
        let findings = checks::run_checks(&ledger, &games);
        let mut outputs: Vec<Output> = json.into_iter().collect();
        if let Some(mut pgn) = pgn {
            for game in &games {
                pgn.write(&game.text)?;
            }
            outputs.push(pgn);
        }
        outputs.extend(write_rounds(self.files.rounds, &games)?);
        for (file, mut out) in self.files.report {
            match file {
                ReportFile::Page => {
                    let folders = self.picture_folders.as_deref();
                    write_report(&mut out, &ledger, &findings, &games, folders)?;
                }
                ReportFile::Coverage => out.write(&coverage::format_csv(&ledger, &findings))?,
                ReportFile::Audit => out.write(&audit::format_json_lines(&ledger, &games))?,
                ReportFile::Checks => out.write(&checks::format_csv(&findings))?,
            }
            outputs.push(out);
        }
        output::finish_all(outputs)?;
        // Without an event, the findings are what the line of each game says already.
        if ledger.has_event() {
            print_findings(&findings, progress);
            let statuses = coverage::pairing_statuses(&ledger, &findings);
            progress.print(&count_statuses(&statuses));
        }
        Ok(checks::max_level(&findings))
    }
}

/// Writes report.html. The pictures of its cells are cut from the sheets once more.
fn write_report(
    out: &mut Output,
    ledger: &Ledger,
    findings: &[checks::Finding],
    games: &[games::GamePgn],
    folders: Option<&[PathBuf]>,
) -> Result<()> {
    let crops = |sheet: &SheetRecord, cells: &[&CellRecord]| {
        if !folders.is_none_or(|folders| is_below(Path::new(&sheet.path), folders)) {
            return Err("its picture lies in another folder; name that with --pictures".to_owned());
        }
        let quad = |cell: &&CellRecord| cell.corners.map(Point::from);
        let quads: Vec<Quad> = cells.iter().map(quad).collect();
        crops::crop_cells(Path::new(&sheet.path), sheet.page, &sheet.sha256, &quads)
            .map_err(|why| why.to_string())
    };
    report::write_html(ledger, findings, games, &crops, &mut |text| out.write(text))?;
    Ok(())
}

/// Whether a file lies below one of some folders, wherever links lead.
fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    // A file that is missing is reported as missing.
    let Ok(path) = fs::canonicalize(path) else {
        return true;
    };
    folders.iter().any(|folder| path.starts_with(folder))
}

/// Writes the games of each round, and those without a pairing, to their files. Returns the files
/// that have games.
fn write_rounds(
    mut files: BTreeMap<Option<u32>, Output>,
    games: &[games::GamePgn],
) -> Result<Vec<Output>> {
    let mut written = BTreeSet::new();
    for game in games {
        if let Some(file) = files.get_mut(&game.round) {
            file.write(&game.text)?;
            written.insert(game.round);
        }
    }
    files.retain(|round, _| written.contains(round));
    Ok(files.into_values().collect())
}

/// The path beside `path` for the games of a round, or for the games without a pairing.
fn round_file(path: &Path, round: Option<u32>) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path
        .extension()
        .map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    let part = round.map_or_else(|| "unmatched".to_owned(), |round| format!("r{round:02}"));
    path.with_file_name(format!("{stem}-{part}{ending}"))
}

/// Prints the warnings and errors, at most [`MAX_FINDINGS_PER_CODE`] of each check.
fn print_findings(findings: &[checks::Finding], progress: &Progress) {
    let mut counts: BTreeMap<CheckCode, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|f| f.code.level() > Level::Info) {
        let count = counts.entry(finding.code).or_default();
        *count += 1;
        if *count <= MAX_FINDINGS_PER_CODE {
            progress.fault(&finding.to_string());
        }
    }
    for (code, count) in counts
        .into_iter()
        .filter(|&(_, count)| count > MAX_FINDINGS_PER_CODE)
    {
        let more = count - MAX_FINDINGS_PER_CODE;
        progress.fault(&format!(
            "{} {code}: and {more} more; --report DIR lists them all",
            code.level().letter()
        ));
    }
}

/// The number of pairings with each status, in words.
fn count_statuses(statuses: &[(usize, CoverageStatus)]) -> String {
    let count = |status| statuses.iter().filter(|(_, s)| *s == status).count();
    format!(
        "{} pairings: {} ok, {} to review, {} missing, {} not expected",
        statuses.len(),
        count(CoverageStatus::Ok),
        count(CoverageStatus::Review),
        count(CoverageStatus::Missing),
        count(CoverageStatus::NotExpected)
    )
}
