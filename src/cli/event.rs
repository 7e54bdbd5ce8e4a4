//! The games of a batch as those of an event: matched, checked, written with names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use sheetscan::crops;
use sheetscan::event::coverage::{self, CoverageStatus};
use sheetscan::event::{CheckCode, Event, Header, Ledger, Level, MatchingParameters, Scope};
use sheetscan::event::{audit, checks, games, report};
use sheetscan::geometry::{Point, Quad};
use sheetscan::schema::{CellRecord, GameRecord, PackedWords, SheetRecord};

use super::args::EventArgs;
use super::folder;
use super::headers::TypedHeaders;
use super::output::Output;
use super::progress::Progress;

/// Findings of one code that are told on standard error; the report has them all.
const TOLD: usize = 10;

/// The files of `--report`: for the arbiter, and for programs.
const REPORT_FILES: [&str; 4] = ["report.html", "coverage.csv", "audit.jsonl", "checks.csv"];

/// An event while its games come in.
pub struct Entries {
    event: Event,
    scope: Scope,
    parameters: MatchingParameters,
    typed: TypedHeaders,
    games: Vec<(GameRecord, Vec<Header>)>,
    /// Where the rounds are split to.
    split: Option<PathBuf>,
    report: Option<PathBuf>,
    dotted: bool,
}

impl Entries {
    /// Reads the files of the pairing program, so that the run fails before the work where they cannot be read.
    pub fn open(args: &EventArgs, output: Option<&Path>) -> Result<Option<Self>> {
        let Some(trf) = &args.trf else {
            return Ok(None);
        };
        let mut event = Event::parse_trf(&trf.display().to_string(), &read(trf)?);
        ensure!(
            !event.players.is_empty(),
            "{}: there is no player in it; --trf takes the tournament report file of the pairing program",
            trf.display()
        );
        for path in &args.pairings {
            event.add_header_pgn(&path.display().to_string(), &read(path)?);
        }
        if let Some(round) = args.round {
            ensure!(
                event.pairings.iter().any(|p| p.round == round),
                "--round {round}: {} has no pairing in that round",
                trf.display()
            );
        }
        let norm_player = |id: &u64| {
            let player = event.players.iter().position(|p| p.fide_id == Some(*id));
            player.with_context(|| {
                format!(
                    "--norm-players: {} has no player with the FIDE number {id}",
                    trf.display()
                )
            })
        };
        let norm_players = args
            .norm_players
            .iter()
            .map(norm_player)
            .collect::<Result<_>>()?;
        let split = match output {
            Some(path) if args.split_rounds && path != Path::new("-") => Some(path.to_owned()),
            _ if args.split_rounds => bail!(
                "--split-rounds writes several files; name them after one, as in -o games.pgn"
            ),
            _ => None,
        };
        if let Some(report) = &args.report {
            folder::writable(report)?;
        }
        if let Some(parent) = split
            .as_deref()
            .and_then(Path::parent)
            .filter(|p| *p != Path::new(""))
        {
            folder::writable(parent)?;
        }
        Ok(Some(Self {
            scope: Scope {
                round: args.round,
                norm_players,
            },
            parameters: MatchingParameters::default(),
            typed: TypedHeaders::load(args.headers.as_deref())?,
            games: Vec::new(),
            event,
            split,
            report: args.report.clone(),
            dotted: args.dotted_rounds,
        }))
    }

    /// The files that are written at the end, but for the games' own where rounds are not split.
    pub fn outputs(&self) -> Vec<PathBuf> {
        let mut outputs = Vec::new();
        if let Some(path) = &self.split {
            let rounds = self
                .event
                .pairings
                .iter()
                .map(|pairing| Some(pairing.round));
            outputs.extend(rounds.chain([None]).map(|round| round_file(path, round)));
        }
        if let Some(report) = &self.report {
            outputs.extend(REPORT_FILES.iter().map(|name| report.join(name)));
        }
        outputs
    }

    /// Whether the games go to a file a round.
    pub fn splits(&self) -> bool {
        self.split.is_some()
    }

    /// Takes a game.
    pub fn enter(&mut self, mut record: GameRecord) {
        let header = |(i, sheet): (usize, &SheetRecord)| {
            if sheet.same_as.is_some() {
                // Its picture has said it already.
                return Header::default();
            }
            let also = record.sheets.iter().filter(|s| s.same_as == Some(i));
            let typed = |sheet| {
                self.typed
                    .header(&self.event, sheet, &self.parameters.typed)
            };
            let mut told = std::iter::once(sheet).chain(also).map(typed);
            told.find(|header| *header != Header::default())
                .unwrap_or_else(|| handwritten(&self.event, sheet, &self.parameters))
        };
        let headers = record.sheets.iter().enumerate().map(header).collect();
        for sheet in &mut record.sheets {
            // The headers hold all that is wanted of the words.
            sheet.words = None;
        }
        self.games.push((record, headers));
    }

    /// Matches, checks and writes; tells what was found, and how much it weighs.
    pub fn finish(self, pgn: Option<Output>, progress: &Progress) -> Result<Option<Level>> {
        let ledger = Ledger::match_games(self.event, self.games, self.scope, &self.parameters);
        let written = games::format_games(&ledger, self.dotted);
        let findings = checks::run_checks(&ledger, &written);
        if let Some(mut pgn) = pgn {
            for game in &written {
                pgn.write(&game.text)?;
            }
            pgn.finish()?;
        }
        if let Some(path) = &self.split {
            split(path, &written)?;
        }
        if let Some(report) = &self.report {
            let [html, coverage, audit, checks] = REPORT_FILES;
            page(&report.join(html), &ledger, &findings, &written)?;
            save(report, coverage, &coverage::format_csv(&ledger, &findings))?;
            save(report, audit, &audit::format_json_lines(&ledger, &written))?;
            save(report, checks, &checks::format_csv(&findings))?;
        }
        tell(&findings, progress);
        progress.print(&counted(&coverage::pairing_statuses(&ledger, &findings)));
        Ok(checks::max_level(&findings))
    }
}

/// What a hand has written into the header of a sheet, as far as its words came with it.
fn handwritten(event: &Event, sheet: &SheetRecord, parameters: &MatchingParameters) -> Header {
    let words = sheet.words.as_ref().and_then(PackedWords::unpack);
    words.map_or_else(Header::default, |words| {
        Header::from_handwriting(event, &words, &parameters.handwriting)
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// The report for people; the pictures of its cells are cut from the sheets once more.
fn page(
    path: &Path,
    ledger: &Ledger,
    findings: &[checks::Finding],
    written: &[games::GamePgn],
) -> Result<()> {
    let crops = |sheet: &SheetRecord, cells: &[&CellRecord]| {
        let quad = |cell: &&CellRecord| cell.corners.map(Point::from);
        let quads: Vec<Quad> = cells.iter().map(quad).collect();
        crops::crop_cells(Path::new(&sheet.path), sheet.page, &sheet.sha256, &quads)
            .map_err(|why| why.to_string())
    };
    let mut out = Output::open(path)?;
    report::write_html(ledger, findings, written, &crops, &mut |text| {
        out.write(text)
    })?;
    out.finish()
}

fn save(folder: &Path, name: &str, text: &str) -> Result<()> {
    let mut out = Output::open(&folder.join(name))?;
    out.write(text)?;
    out.finish()
}

/// A file a round beside `path`, `games-r03.pgn`, and one for games without a pairing.
fn split(path: &Path, written: &[games::GamePgn]) -> Result<()> {
    let mut files: BTreeMap<Option<u32>, String> = BTreeMap::new();
    for game in written {
        *files.entry(game.round).or_default() += &game.text;
    }
    for (round, text) in files {
        let mut out = Output::open(&round_file(path, round))?;
        out.write(&text)?;
        out.finish()?;
    }
    Ok(())
}

/// The file beside `path` for the games of a round, or for those without a pairing.
fn round_file(path: &Path, round: Option<u32>) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path
        .extension()
        .map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    let part = round.map_or_else(|| "unmatched".to_owned(), |round| format!("r{round:02}"));
    path.with_file_name(format!("{stem}-{part}{ending}"))
}

/// The findings that are more than to know, not too many of one kind.
fn tell(findings: &[checks::Finding], progress: &Progress) {
    let mut counts: BTreeMap<CheckCode, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|f| f.code.level() > Level::Info) {
        let count = counts.entry(finding.code).or_default();
        *count += 1;
        if *count <= TOLD {
            progress.fault(&finding.to_string());
        }
    }
    for (code, count) in counts.into_iter().filter(|&(_, count)| count > TOLD) {
        let more = count - TOLD;
        progress.fault(&format!(
            "{} {code}: and {more} more; --report DIR lists them all",
            code.level().letter()
        ));
    }
}

fn counted(statuses: &[(usize, CoverageStatus)]) -> String {
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
