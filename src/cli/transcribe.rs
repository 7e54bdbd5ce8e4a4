//! `sheetscan transcribe`: a text in, games out.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Result, anyhow};

use sheetscan::pgn;
use sheetscan::transcribe::{TranscribeError, Transcript, Transcription, transcribe};

use super::args::TranscribeArgs;
use super::exit_status::ExitStatus;
use super::output::Output;
use super::overwrite::refuse_overwriting;
use super::progress::Progress;

/// Largest size of a text, in MiB.
const MAX_TEXT_MIB: u64 = 64;

/// Runs the command.
pub fn run(args: &TranscribeArgs) -> Result<ExitStatus> {
    let stdin = args.path == Path::new("-");
    let name = if stdin {
        "standard input".to_owned()
    } else {
        args.path.display().to_string()
    };
    refuse_overwriting([args.path.as_path()], std::slice::from_ref(&args.output))?;
    let mut out = Output::open(&args.output)?;
    let progress = Progress::start(1, args.quiet);
    let transcription = read(&args.path).and_then(|text| transcribe(&text, args.language.given()));
    let transcription = transcription.map_err(|error| anyhow!("{name}: {error}"))?;
    for game in &transcription.games {
        progress.print(&game_line(&name, game, &transcription));
        if let Some(fault) = &game.fault {
            progress.fault(&format!("{name}: {fault}"));
        }
        if !game.plies.is_empty() {
            out.write(&pgn::export_transcript(game))?;
        }
    }
    if let Some(rival) = transcription.rival {
        let (one, other) = (transcription.language.code, rival.code);
        progress.fault(&format!(
            "{name}: the letters fit {one} and {other}, and {one} was taken; say which with --lang"
        ));
    }
    out.finish()?;
    let moves = transcription
        .games
        .iter()
        .map(|game| game.plies.len())
        .sum();
    let faults = transcription
        .games
        .iter()
        .filter(|game| game.fault.is_some())
        .count();
    let written = transcription
        .games
        .iter()
        .filter(|game| !game.plies.is_empty())
        .count();
    progress.close(&[("games", written), ("moves", moves), ("to look at", faults)]);
    Ok(ExitStatus::finished(transcription.is_whole()))
}

fn read(path: &Path) -> Result<String, TranscribeError> {
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path)?)
    };
    let mut bytes = Vec::new();
    source
        .take((MAX_TEXT_MIB << 20) + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_TEXT_MIB << 20 {
        return Err(TranscribeError::TooLong(MAX_TEXT_MIB));
    }
    String::from_utf8(bytes).map_err(|_| TranscribeError::NotText)
}

/// A game in a line.
fn game_line(name: &str, game: &Transcript, transcription: &Transcription) -> String {
    let (line, moves) = (game.line, game.plies.len());
    format!(
        "{name}: line {line}: {moves} moves, letters of {}",
        transcription.language.code
    )
}
