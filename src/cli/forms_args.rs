//! The arguments of `sheetscan forms`. Comments are the text of `--help`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::help_texts;
use super::paper::Paper;
use super::value_parsers::{language_code, output_parser};

/// Largest number of blank sheets in one file.
const MAX_BLANK: i64 = 2000;

/// `sheetscan forms`
#[derive(Debug, Args)]
#[command(after_help = help_texts::FORMS)]
#[command(group = ArgGroup::new("sheets").args(["trf", "blank"]).required(true).multiple(true))]
pub struct FormsArgs {
    /// Print the sheets of a round of the event in a tournament report file (TRF16 or TRF26), for
    /// White and Black of every game
    #[arg(long, value_name = "FILE")]
    pub trf: Option<PathBuf>,
    /// Take boards, and pairings that the report file lacks, from the pairing program's header PGN
    #[arg(long, value_name = "FILES", num_args = 1.., requires = "trf")]
    pub pairings: Vec<PathBuf>,
    /// Print round N [default: the last one that is paired; with --blank none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    pub round: Option<u32>,
    /// Print N sheets without players instead, with --trf for its event
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_BLANK))]
    pub blank: Option<u32>,
    /// Write the PDF to FILE; `-` is standard output
    #[arg(long, short, value_name = "FILE", value_parser = output_parser())]
    pub output: PathBuf,
    /// The paper, and the sheets on it
    #[arg(long, value_name = "PAPER", default_value = "a5-on-a4")]
    pub paper: Paper,
    /// Language of what is printed, and of the piece letters in the foot, as in `pt`, `es`, `uk`
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = language_code)]
    pub lang: String,
    /// Rows of a block [default: 30, on A5 and half letter 20]
    #[arg(long, value_name = "N")]
    pub rows: Option<u8>,
    /// Blocks of rows beside each other [default: 2, on A5 and half letter 3, there with --clock 2]
    #[arg(long, value_name = "N")]
    pub blocks: Option<u8>,
    /// Add a column for the clock beside each move
    #[arg(long)]
    pub clock: bool,
    /// Print page N of the record: from 2 on continuation sheets, whose rows go on from the page
    /// before
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=9))]
    pub page: u8,
    /// Print each sheet N times, for sets of copying paper; the code tells the copies apart
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=9))]
    pub copies: u8,
    /// Print the picture in FILE in the head, in shades of grey
    #[arg(long, value_name = "FILE")]
    pub logo: Option<PathBuf>,
}
