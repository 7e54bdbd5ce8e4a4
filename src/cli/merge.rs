//! `sheetscan merge`: games that were scanned before, as those of an event.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};

use sheetscan::event::{Level, Record};

use super::args::MergeArgs;
use super::event::Entries;
use super::output::Output;
use super::progress::Progress;
use crate::Exit;

/// Runs the command.
pub fn run(args: &MergeArgs) -> Result<Exit> {
    let mut entries =
        Entries::open(&args.event, Some(&args.output))?.context("--trf FILE is needed")?;
    let pgn = (!entries.splits())
        .then(|| Output::open(&args.output))
        .transpose()?;
    let progress = Progress::start(args.paths.len(), args.quiet);
    let (mut games, mut refused) = (0, 0);
    for path in &args.paths {
        let source: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            let file =
                File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
            Box::new(BufReader::new(file))
        };
        for (line, number) in source.lines().zip(1..) {
            let line =
                line.with_context(|| format!("{}, line {number} cannot be read", path.display()))?;
            if line.trim().is_empty() {
                continue;
            }
            match Record::parse(&line) {
                Ok(record) => {
                    games += 1;
                    entries.enter(record);
                }
                Err(why) => {
                    refused += 1;
                    progress.fault(&format!(
                        "{}, line {number}: {why}; it is left out",
                        path.display()
                    ));
                }
            }
        }
    }
    let worst = entries.finish(pgn, &progress)?;
    progress.close(&[("games", games), ("lines left out", refused)]);
    Ok(match worst {
        Some(Level::Error) => Exit::Conflicts,
        Some(Level::Warning) => Exit::LookAgain,
        _ if refused > 0 => Exit::LookAgain,
        _ => Exit::AllRead,
    })
}
