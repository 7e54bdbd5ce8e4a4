//! The arguments, as clap parses them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use sheetscan::batch::Fix;
use sheetscan::notation::Language;

/// Reads photographed handwritten chess scoresheets into PGN.
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXAMPLES)]
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
    /// Cut the move cells out of sheets, as the reader sees them
    Cells(CellsArgs),
    /// Write the layout of a form as a file, to mend it by hand and use it for a whole pile
    Layout(LayoutArgs),
    /// Join games that `scan --json` wrote, and match them with the pairings of an event
    Merge(MergeArgs),
    /// Read typed notation, in any language and amid prose, into PGN
    Transcribe(TranscribeArgs),
    /// Print the JSON Schema of the lines that `scan --json` writes
    Schema(SchemaArgs),
}

/// Which sheets, and how to go about them.
#[derive(Debug, Args)]
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
    /// No progress and no closing table; faults are still told
    #[arg(long, short)]
    pub quiet: bool,
}

/// `sheetscan scan`
#[derive(Debug, Args)]
#[command(after_help = SCAN_EXAMPLES)]
pub struct ScanArgs {
    /// The sheets.
    #[command(flatten)]
    pub sheets: SheetArgs,
    /// Write the games as PGN to FILE; `-` is standard output [default: - unless --json is given]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the games with confidences, alternatives and cells to FILE, one JSON object a line
    #[arg(long, visible_alias = "jsonl", value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Draw the table and the cells that were found on each page, as pictures in DIR
    #[arg(long, value_name = "DIR")]
    pub debug_dir: Option<PathBuf>,
    /// Language of the piece letters, as in `pt`, `it`, `en`, instead of finding it on each sheet
    #[arg(long, value_name = "LANG", value_parser = language)]
    pub lang: Option<&'static Language>,
    /// Never join sheets: one game a sheet, even where two sheets record the same game or are its pages, written as soon
    /// as it is known
    #[arg(long, conflicts_with = "pair")]
    pub no_pair: bool,
    /// This is one of several runs: write each sheet's game to --json as soon as it is known, with all that `merge`
    /// needs to join it with copies and pages from other runs
    #[arg(long, requires = "json", conflicts_with_all = ["pair", "no_pair", "trf"])]
    pub shard: bool,
    /// These two sheets record one game, as copies or, by their printed numbers, as its pages; sheets that no --pair names
    /// stay by themselves
    #[arg(long, value_name = "A,B", value_parser = pair)]
    pub pair: Vec<(PathBuf, PathBuf)>,
    /// Mark at most SHARE of each game's moves to look at, those whose answers repair most [default: every doubtful one]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub ask: Option<f32>,
    /// The moves that a person has read.
    #[command(flatten)]
    pub answers: FixArgs,
    /// Put the N likeliest games of each sheet into the JSON, the best one among them
    #[arg(long, value_name = "N", default_value = "1", requires = "json")]
    pub n_best: NonZeroUsize,
    /// Read with the ONNX model in FILE instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// The form.
    #[command(flatten)]
    pub layout: FormArgs,
    /// What is kept of every page.
    #[command(flatten)]
    pub kept: CacheArgs,
    /// The event.
    #[command(flatten)]
    pub event: EventArgs,
}

/// What is known of the form.
#[derive(Debug, Args)]
pub struct FormArgs {
    /// All sheets are of the form whose layout is in FILE, as `sheetscan layout` writes it; its place is sought on each
    #[arg(long, value_name = "FILE")]
    pub layout: Option<PathBuf>,
}

/// Moves that a person has read.
#[derive(Debug, Args)]
pub struct FixArgs {
    /// Hold the move that a person has read, and find the rest anew: `a.jpg:23=Nf3` for White's 12th, the 23rd ply;
    /// the sheet may be named by its picture's SHA-256 too
    #[arg(long, value_name = "SHEET:PLY=SAN")]
    pub fix: Vec<Fix>,
    /// Read further --fix from FILE, in TOML: a table a sheet, `23 = "Nf3"` in it
    #[arg(long, value_name = "FILE")]
    pub fixes: Option<PathBuf>,
}

/// Where what was read is kept.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// Keep what was read on every page in DIR, and do not read it again [default: the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Read every page, whatever was read before, and keep nothing
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
}

/// The event that games belong to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Event")]
pub struct EventArgs {
    /// Match the games with the pairings of a tournament report file (TRF16 or TRF26) and check them against it
    #[arg(long, value_name = "FILE")]
    pub trf: Option<PathBuf>,
    /// Take boards and dates from the pairing program's header PGN: tags without moves
    #[arg(long, value_name = "FILES", num_args = 1.., requires = "trf")]
    pub pairings: Vec<PathBuf>,
    /// All sheets are of round N
    #[arg(long, value_name = "N", requires = "trf")]
    pub round: Option<u32>,
    /// Take what the headers of the sheets say from FILE, typed by a person: a table with tabs, see the examples
    #[arg(long, value_name = "FILE", requires = "trf")]
    pub headers: Option<PathBuf>,
    /// Write a PGN file a round, `games-r03.pgn`, and one for games without a pairing
    #[arg(long, requires = "trf")]
    pub split_rounds: bool,
    /// Write the board behind the round, `3.7`
    #[arg(long, requires = "trf")]
    pub dotted_rounds: bool,
    /// Write report.html, coverage.csv, checks.csv and audit.jsonl into DIR
    #[arg(long, value_name = "DIR", requires = "trf")]
    pub report: Option<PathBuf>,
    /// FIDE numbers of the players with a title result, all of whose games are needed
    #[arg(long, value_name = "ID,...", value_delimiter = ',', requires = "trf")]
    pub norm_players: Vec<u64>,
}

/// `sheetscan merge`
#[derive(Debug, Args)]
#[command(after_help = MERGE_EXAMPLES)]
pub struct MergeArgs {
    /// What `scan --json` wrote; `-` is standard input
    #[arg(value_name = "FILES", required = true)]
    pub paths: Vec<PathBuf>,
    /// Write the games as PGN to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// No closing table; findings are still told
    #[arg(long, short)]
    pub quiet: bool,
    /// The moves that a person has read.
    #[command(flatten)]
    pub answers: FixArgs,
    /// The event.
    #[command(flatten)]
    pub event: EventArgs,
}

/// `sheetscan cells`
#[derive(Debug, Args)]
#[command(after_help = CELLS_EXAMPLES)]
pub struct CellsArgs {
    /// The sheets.
    #[command(flatten)]
    pub sheets: SheetArgs,
    /// Folder for the patches and `manifest.tsv`; it is made where it is missing
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Keep N pixels more of the page on each side of every patch, in the patch's own scale, for training
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=MOST_MARGIN))]
    pub margin: u32,
    /// The form.
    #[command(flatten)]
    pub layout: FormArgs,
}

/// `sheetscan layout`
#[derive(Debug, Args)]
#[command(after_help = LAYOUT_EXAMPLES)]
pub struct LayoutArgs {
    /// A sheet of the form; of a PDF the first page
    #[arg(value_name = "IMAGE")]
    pub path: PathBuf,
    /// Write the layout to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
}

/// `sheetscan transcribe`
#[derive(Debug, Args)]
#[command(after_help = TRANSCRIBE_EXAMPLES)]
pub struct TranscribeArgs {
    /// A text with games, in UTF-8; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub path: PathBuf,
    /// Write the games as PGN to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Language of the piece letters, as in `pt`, `it`, `en`, instead of finding it in the text
    #[arg(long, value_name = "LANG", value_parser = language)]
    pub lang: Option<&'static Language>,
    /// No line a game and no closing table; faults are still told
    #[arg(long, short)]
    pub quiet: bool,
}

/// `sheetscan schema`
#[derive(Debug, Args)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub struct SchemaArgs {
    /// Write the schema to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
}

/// More than a patch's width to each side is another cell's picture.
const MOST_MARGIN: i64 = sheetscan::patch::PATCH_WIDTH as i64;

fn pair(text: &str) -> Result<(PathBuf, PathBuf), String> {
    let (a, b) = text
        .split_once(',')
        .ok_or("two files with a comma between them, as in --pair a.jpg,b.jpg")?;
    Ok((a.into(), b.into()))
}

fn share(text: &str) -> Result<f32, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text, 1.0),
    };
    let share = number.parse::<f32>().ok().map(|n| n / scale);
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a share between 0 and 1, or a percentage, as in --ask 4%".to_owned())
}

fn language(code: &str) -> Result<&'static Language, String> {
    Language::from_code(code)
        .ok_or_else(|| "no language that sheetscan knows; examples are `pt`, `it`, `en`".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  sheetscan scan round1/*.jpg -o round1.pgn     read a round's photographs
  sheetscan scan scans.pdf                      read every page of a PDF, games to the screen
  sheetscan scan --help                         all that scan can do
  sheetscan transcribe games.txt                read typed notation: 1. e4 e5 2. Cf3 Cc6

Exit status:
  0  every sheet was read and no move needs a look
  2  finished, but some sheet could not be read or has moves to look at
  3  finished, but the sheets contradict the report file of the event
  1  wrong usage, or a file that could not be written";

const TRANSCRIBE_EXAMPLES: &str = "\
Examples:
  sheetscan transcribe games.txt                every game in the text, to the screen
  sheetscan transcribe games.txt -o games.pgn   into a file
  echo '1.d4 Cf6 2.c4 e6' | sheetscan transcribe
  sheetscan transcribe old.txt --lang de        the letters are German (K D T L S)

A game begins at move 1 and is legal from there on. All these are read, in any of the languages:
  1. e4 e5 2. Cf3 Cc6 3. Bb5 a6                 with figurines and capital files too: ♞f3, CF3
  1 e4, e5; 2 Cf3, Cc6; 3 Ac4, d6;              any numbering, one move a line or two columns
  1. e2-e4 e7-e5 2. Cg1-f3 2. ... Cb8-c6        long form; prose between the moves, dots for Black
  12 C:d6, A:f3; 13 C:f7++, Rc8                 captures with : inside or behind, ++ whatever it means
  5. O-O-O 0-0 exd6 e.p. e8=D b1C Rb1(=) abb.   castling, en passant, promotion, draw offers, results
Brackets hold comments and side lines, which are passed over. Where a record cannot be followed, the game is cut
there and the place told. Descriptive notation (P-K4, C3AR) is not read.

Exit status:
  0  every game was followed to its end
  2  finished, but some game needs a look
  1  wrong usage, nothing that can be read, or a file that could not be written";

const SCAN_EXAMPLES: &str = "\
Examples:
  sheetscan scan sheet.jpg                      one sheet, the game to the screen
  sheetscan scan round1/ -o round1.pgn          every picture in a folder, in the order of their names
  sheetscan scan *.jpg -o g.pgn --json g.jsonl  games, and what each move was read from
  sheetscan scan sheet.jpg --lang pt            the writer used Portuguese letters (R D T B C)
  sheetscan scan sheet.jpg --debug-dir seen     look at the table that was found
  sheetscan scan round1/ --no-pair -o all.pgn   one game a sheet; else copies of a game are joined
  sheetscan scan a.jpg b.jpg --pair a.jpg,b.jpg these two are copies of one game, whatever they look like
  sheetscan scan round1/ --ask 4% -o games.pgn  mark at most 4 moves in 100, those whose answers repair most
  sheetscan scan round1/ --layout form.toml     sheets of a form whose table is not found; see sheetscan layout --help
  sheetscan scan a.jpg --fix a.jpg:23=Nf3       White's 12th is Nf3; the moves after it are found anew
  find . -name '*.tif' | sheetscan scan --files-from - -o all.pgn
  ls *.jpg | parallel -k --pipe -N50 sheetscan scan --shard --files-from - --json - > all.jsonl
                                                many runs at a time; see sheetscan merge --help
  sheetscan scan round3/ --trf event.trf --round 3 --report seen -o round3.pgn
                                                games with names; what is missing or contradicts in seen/

Output is in the order of the input, the same whatever --jobs. Sheets that record the same game are found by what
is written on them and give one game, in the place of the first. A sheet whose printed numbers begin at 31, say, continues
the nearest sheet before it that ends with 30 and whose game goes on with its moves; give page 1 before page 2. A file is written whole or not
at all. A sheet that cannot be read is told on standard error and never stops the others.

What was read on a page is kept by the hash of its picture, so that a run that was killed goes on where it was, and a
page is never read twice by the same version of sheetscan. The folder may be deleted at any time.

fixes.toml has a table for each sheet, named as it was given, by its name without ending, or by the SHA-256 of its
picture, of which the first 12 digits will do; a page of a longer file is \"scans.pdf#2\":
  [\"9f2c0a77d1b3\"]
  23 = \"Nf3\"            # White's first move is ply 1, Black's is 2
  24 = \"e5\"

Exit status:
  0  every sheet was read and no move needs a look
  2  finished, but some sheet could not be read or has moves to look at
  3  finished, but the sheets contradict the report file, or it contradicts itself
  1  wrong usage, or a file that could not be written";

const MERGE_EXAMPLES: &str = "\
Examples:
  sheetscan merge round*.jsonl -o games.pgn     as one run over all the sheets would have written them
  sheetscan merge round*.jsonl --trf event.trf -o games.pgn
  sheetscan merge round*.jsonl --trf event.trf --pairings round*.pgn -o games.pgn --split-rounds
  sheetscan merge all.jsonl --trf event.trf --headers headers.tsv --report seen -o games.pgn
  sheetscan merge all.jsonl --trf event.trf --report seen --norm-players 735463,3400042 -o games.pgn

Lines that `scan --shard` wrote hold all that was read, and copies and pages of a game are found and decoded together, in
whichever lines they are; other lines are taken as they are. Games keep the order of the lines where no event orders
them, so the files must come in the order of the sheets.

headers.tsv has a first line that names its columns, of sheet, page, white, black, round, board, date, result; sheet
is the picture or its name without ending, the rest may be empty. A game is matched where the evidence is twenty times
that for any other pairing, and stays by itself otherwise. In DIR of --report, coverage.csv has every pairing: ok,
review, missing or not expected; checks.csv what the checks found; audit.jsonl where each move comes from.

Exit status:
  0  everything agrees
  2  finished, but there are games or findings to look at
  3  finished, but the sheets contradict the report file, or it contradicts itself
  1  wrong usage, or a file that could not be written";

const CELLS_EXAMPLES: &str = "\
Examples:
  sheetscan cells sheet.jpg -o cells            cells/sheet-p1-01w.png ... and cells/manifest.tsv
  sheetscan cells scans/ -o cells --quiet       every sheet of a folder
  sheetscan cells scans/ -o cells --margin 24   room to jitter the crop in training

manifest.tsv has one line a cell: sheet, page, move, side, the cell's corners in pixels of the upright page
(x0 y0 ... x3 y3, clockwise from top left), the share of it that is ink, its state (blank, written, struck-out)
and the patch's file.";

const LAYOUT_EXAMPLES: &str = "\
Examples:
  sheetscan layout sheet.jpg -o form.toml       the layout that was found; a template where none was
  sheetscan scan sheet.jpg --layout form.toml --debug-dir seen
                                                look at it, mend form.toml, and look again
  sheetscan scan round1/ --layout form.toml -o round1.pgn

form.toml tells how to mend it. It holds the four corners of the table, and how many rows each block of the table has
and where its columns are, as shares of the table's width and height. The pictures of a pile lie differently: the table
is sought on each of them with its blocks, rows and columns held, and lies where the corners are where it is not seen.

Exit status:
  0  a table was found
  2  none was found, and what was written is a template
  1  wrong usage, a picture that cannot be read, or a file that could not be written";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  sheetscan schema                              JSON Schema, draft 2020-12, to the screen
  sheetscan schema -o game.schema.json          into a file

Every line that `sheetscan scan --json` writes is one JSON object that fits the schema. Fields may be added in
later versions; one that changes its meaning makes the number in `schema` grow.

Exit status:
  0  the schema was written
  1  wrong usage, or a file that could not be written";
