//! The arguments as clap parses them. Comments on commands and options are the text of `--help`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use sheetscan::batch::Fix;
use sheetscan::notation::Language;

#[cfg(feature = "forms")]
use super::forms_args::FormsArgs;
use super::help_texts;
use super::value_parsers::{language, output_parser, pair, share};

/// Reads photographed handwritten chess scoresheets into PGN.
#[derive(Debug, Parser)]
#[command(version, about, after_help = help_texts::PROGRAM)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read sheets into games
    Scan(Box<ScanArgs>),
    /// Read sheets, and settle what is in doubt on a page in the browser
    #[cfg(feature = "review")]
    Review(Box<ReviewArgs>),
    /// Cut the move cells out of sheets, as the reader sees them
    Cells(CellsArgs),
    /// Write the layout of a form as a file, to correct it by hand and use it for all its sheets
    Layout(LayoutArgs),
    /// Print score sheets from pairings, with a code by which `scan` knows them again
    #[cfg(feature = "forms")]
    Forms(FormsArgs),
    /// Join games that `scan --json` wrote, and match them with the pairings of an event
    Merge(MergeArgs),
    /// Read typed notation, in any language and amid prose, into PGN
    Transcribe(TranscribeArgs),
    /// Print the JSON Schema of the lines that `scan --json` writes
    Schema(SchemaArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands
    Man(ManArgs),
    /// Draw a page of the file on standard input, for the run that started this process
    #[command(name = DRAW_COMMAND, hide = true)]
    Draw(DrawArgs),
}

/// The command line without what nobody but sheetscan itself calls.
pub fn visible_command() -> clap::Command {
    let all = CommandLine::command();
    let shown = all
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let shown: Vec<clap::Command> = shown.cloned().collect();
    let about = all.get_about().cloned().unwrap_or_default();
    clap::Command::new("sheetscan")
        .version(env!("CARGO_PKG_VERSION"))
        .about(about)
        .after_help(help_texts::PROGRAM)
        .subcommand_required(true)
        .subcommands(shown)
}

impl Command {
    /// Whether it ends in its own way when it is asked to stop.
    pub fn ends_by_itself(&self) -> bool {
        #[cfg(feature = "review")]
        if matches!(self, Self::Review(_)) {
            return true;
        }
        false
    }
}

/// Which sheets to read, and how.
#[derive(Debug, Clone, Args)]
pub struct SheetArgs {
    /// Photographs, scans, PDF files, or folders of them
    #[arg(value_name = "FILES|FOLDERS", required_unless_present = "files_from")]
    pub paths: Vec<PathBuf>,
    /// Read further paths from LIST, one a line; `-` is standard input
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// Sheets worked on at a time [default: one a core]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// No progress, no line a sheet and no closing table; faults are still reported, and the exit
    /// status tells of doubts
    #[arg(long, short)]
    pub quiet: bool,
}

/// `sheetscan scan`
#[derive(Debug, Clone, Args)]
#[command(after_help = help_texts::SCAN)]
pub struct ScanArgs {
    /// The sheets.
    #[command(flatten)]
    pub sheets: SheetArgs,
    /// Write the games as PGN to FILE; `-` is standard output [default: - unless --json is given]
    #[arg(long, short, value_name = "FILE", value_parser = output_parser())]
    pub output: Option<PathBuf>,
    /// Write a comment on each move to look at: its probability, what the cell reads, other moves
    #[arg(long)]
    pub comments: bool,
    /// Write the games with confidences, alternatives and cells to FILE, one JSON object a line
    #[arg(long, visible_alias = "jsonl", value_name = "FILE", value_parser = output_parser())]
    pub json: Option<PathBuf>,
    /// Draw the table and the cells that were found on each page, as pictures in DIR
    #[arg(long, value_name = "DIR")]
    pub debug_dir: Option<PathBuf>,
    /// The language.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// Never join sheets: one game a sheet, even where two sheets record the same game or are its
    /// pages, written as soon as it is known
    #[arg(long, conflicts_with = "pair")]
    pub no_pair: bool,
    /// This is one of several runs: write each sheet's game to --json as soon as it is known, with
    /// all that `merge` needs to join it with copies and pages from other runs
    #[arg(long, requires = "json", conflicts_with_all = ["pair", "no_pair", "trf"])]
    pub shard: bool,
    /// These two sheets record one game, as copies or, by their printed numbers, as its pages;
    /// sheets that no --pair names stay by themselves
    #[arg(long, value_name = "A,B", value_parser = pair)]
    pub pair: Vec<(PathBuf, PathBuf)>,
    /// Mark at most SHARE of each game's moves to look at, those whose correction would correct
    /// most other moves [default: every doubtful one]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub ask: Option<f32>,
    /// The moves that a person has read.
    #[command(flatten)]
    pub fixes: FixArgs,
    /// Put the N likeliest games of each sheet into the JSON, the best one among them
    #[arg(long, value_name = "N", default_value = "1", requires = "json")]
    pub n_best: NonZeroUsize,
    /// Read with the ONNX model in FILE instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// The form of the sheets.
    #[command(flatten)]
    pub form: FormArgs,
    /// The cache.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// The event.
    #[command(flatten)]
    pub event: EventArgs,
}

/// `sheetscan review`
#[cfg(feature = "review")]
#[derive(Debug, Args)]
#[command(after_help = help_texts::REVIEW)]
pub struct ReviewArgs {
    /// What `scan` takes. Files that are not named stand beside the folder: FOLDER.pgn,
    /// FOLDER.jsonl, and FOLDER.fixes.toml for the answers.
    #[command(flatten)]
    pub scan: ScanArgs,
    /// Serve the page at this port of this machine [default: 7717, or any that is free]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Print the address of the page, and open no browser
    #[arg(long)]
    pub no_open: bool,
    /// Let phones on the same network send pictures, unencrypted, once the page has started it;
    /// they go into the folder `inbox` of the only folder that is read
    #[arg(long)]
    pub listen: bool,
}

/// The letters that stand for the pieces.
#[derive(Debug, Clone, Args)]
pub struct LanguageArgs {
    /// Language of the piece letters, as in `pt`, `it`, `en`, instead of finding it
    #[arg(long, value_name = "LANG", value_parser = language)]
    lang: Option<&'static Language>,
    /// Letters of king, queen, rook, bishop and knight in a language that sheetscan does not know,
    /// as in `MDTOK`; with commas where one has two letters, as in `K,F,R,B,Ri`
    #[arg(long, value_name = "KQRBN", value_parser = Language::from_letters)]
    #[arg(conflicts_with = "lang")]
    letters: Option<&'static Language>,
}

impl LanguageArgs {
    /// The language that is given, none if it is to be found.
    pub fn given(&self) -> Option<&'static Language> {
        self.lang.or(self.letters)
    }
}

/// The form of the sheets.
#[derive(Debug, Clone, Args)]
pub struct FormArgs {
    /// All sheets are of the form whose layout is in FILE, as `sheetscan layout` writes it; only
    /// its place is sought on each of them
    #[arg(long, value_name = "FILE")]
    pub layout: Option<PathBuf>,
}

/// Moves that a person has read.
#[derive(Debug, Clone, Args)]
pub struct FixArgs {
    /// Keep to the move that a person has read, and decode the others again: `a.jpg:23=Nf3` for
    /// White's 12th move, the 23rd ply; the sheet may be named by its picture's SHA-256 too
    #[arg(long, value_name = "SHEET:PLY=SAN")]
    pub fix: Vec<Fix>,
    /// Read further fixes from FILE, in TOML: a table for each sheet, with lines as `23 = "Nf3"`
    #[arg(long, value_name = "FILE")]
    pub fixes: Option<PathBuf>,
}

/// The cache of what was read.
#[derive(Debug, Clone, Args)]
pub struct CacheArgs {
    /// Keep what was read on every page in DIR, and do not read it again [default: the user's cache
    /// folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Read every page, whatever was read before, and keep nothing
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
}

/// The event that games belong to.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Event")]
pub struct EventArgs {
    /// Match the games with the pairings of a tournament report file (TRF16 or TRF26) and check
    /// them against it
    #[arg(long, value_name = "FILE")]
    pub trf: Option<PathBuf>,
    /// Take boards and dates from the pairing program's header PGN: tags without moves
    #[arg(long, value_name = "FILES", num_args = 1.., requires = "trf")]
    pub pairings: Vec<PathBuf>,
    /// All sheets are of round N
    #[arg(long, value_name = "N", requires = "trf")]
    pub round: Option<u32>,
    /// Take what the headers of the sheets say from FILE, typed by a person: a table with tabs, or
    /// as a spreadsheet saves it, see `sheetscan merge --help`
    #[arg(long, value_name = "FILE", requires = "trf")]
    pub headers: Option<PathBuf>,
    /// Write a PGN file a round, `games-r03.pgn`, and one for games without a pairing
    #[arg(long, requires = "trf")]
    pub split_rounds: bool,
    /// Write the board behind the round, `3.7`
    #[arg(long, requires = "trf")]
    pub dotted_rounds: bool,
    /// Write report.html, checks.csv and audit.jsonl into DIR, and with --trf coverage.csv
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// FIDE numbers of the players with a title result, all of whose games are needed
    #[arg(long, value_name = "ID,...", value_delimiter = ',', requires = "trf")]
    pub norm_players: Vec<u64>,
}

/// `sheetscan merge`
#[derive(Debug, Args)]
#[command(after_help = help_texts::MERGE)]
pub struct MergeArgs {
    /// What `scan --json` wrote; `-` is standard input
    #[arg(value_name = "FILES", required = true)]
    pub paths: Vec<PathBuf>,
    /// Write the games as PGN to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = output_parser())]
    pub output: PathBuf,
    /// Write a comment on each move to look at: its probability, what the cell reads, other moves
    #[arg(long)]
    pub comments: bool,
    /// No closing table; findings are still reported
    #[arg(long, short)]
    pub quiet: bool,
    /// The moves that a person has read.
    #[command(flatten)]
    pub fixes: FixArgs,
    /// Open the sheets' pictures for --report below these folders too, besides the current one and
    /// those of FILES
    #[arg(long, value_name = "DIR", requires = "report")]
    pub pictures: Vec<PathBuf>,
    /// The event.
    #[command(flatten)]
    pub event: EventArgs,
}

/// `sheetscan cells`
#[derive(Debug, Args)]
#[command(after_help = help_texts::CELLS)]
pub struct CellsArgs {
    /// The sheets.
    #[command(flatten)]
    pub sheets: SheetArgs,
    /// Folder for the patches and `manifest.tsv`; it is made where it is missing
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Add N pixels of the page on each side of every patch, in the patch's own scale, for training
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(..=MAX_MARGIN_PX)
    )]
    pub margin: u32,
    /// The form of the sheets.
    #[command(flatten)]
    pub form: FormArgs,
}

/// `sheetscan layout`
#[derive(Debug, Args)]
#[command(after_help = help_texts::LAYOUT)]
pub struct LayoutArgs {
    /// A sheet of the form; of a PDF the first page
    #[arg(value_name = "IMAGE")]
    pub path: PathBuf,
    /// Write the layout to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = output_parser())]
    pub output: PathBuf,
}

/// `sheetscan transcribe`
#[derive(Debug, Args)]
#[command(after_help = help_texts::TRANSCRIBE)]
pub struct TranscribeArgs {
    /// A text with games, or PGN in any language; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub path: PathBuf,
    /// Write the games as PGN to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = output_parser())]
    pub output: PathBuf,
    /// The language.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// No line a game and no closing table; faults are still reported
    #[arg(long, short)]
    pub quiet: bool,
}

/// `sheetscan schema`
#[derive(Debug, Args)]
#[command(after_help = help_texts::SCHEMA)]
pub struct SchemaArgs {
    /// Write the schema to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = output_parser())]
    pub output: PathBuf,
}

/// `sheetscan completions`
#[derive(Debug, Args)]
#[command(after_help = help_texts::COMPLETIONS)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// `sheetscan man`
#[derive(Debug, Args)]
#[command(after_help = help_texts::MAN)]
pub struct ManArgs {
    /// Write the pages of all commands into DIR: sheetscan.1, sheetscan-scan.1 and so on
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The name of the command that draws a page. Nobody but sheetscan itself calls it.
pub const DRAW_COMMAND: &str = "__draw";

/// `sheetscan __draw`
#[derive(Debug, Args)]
pub struct DrawArgs {
    /// Number of the page, from 1
    pub page: u32,
}

/// Largest margin of a patch in pixels; beyond its own width on each side lie other cells.
const MAX_MARGIN_PX: i64 = sheetscan::patch::PATCH_WIDTH as i64;
