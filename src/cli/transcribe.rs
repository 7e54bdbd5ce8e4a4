//! `sheetscan transcribe`: a text in, games out.

use anyhow::{Result, anyhow};

use sheetscan::pgn;
use sheetscan::transcribe::{Transcript, Transcription, transcribe};

use super::args::TranscribeArgs;
use super::exit_status::ExitStatus;
use super::output::Output;
use super::overwrite::refuse_overwriting;
use super::progress::Progress;
use super::text_file;

/// Largest size of a text, in MiB: some five thousand games, which take ten seconds and half a GiB
/// at the worst.
const MAX_TEXT_MIB: u64 = 4;

/// Runs the command.
pub fn run(args: &TranscribeArgs) -> Result<ExitStatus> {
    let name = text_file::name(&args.path);
    refuse_overwriting([args.path.as_path()], std::slice::from_ref(&args.output))?;
    let mut out = Output::open(&args.output)?;
    let progress = Progress::start(1, args.quiet);
    let text = text_file::read_up_to(&args.path, MAX_TEXT_MIB)?;
    let transcription = transcribe(&text, args.language.given());
    let transcription = transcription.map_err(|error| anyhow!("{name}: {error}"))?;
    for game in &transcription.games {
        progress.print(&game_line(&name, game, &transcription));
        if let Some(fault) = &game.fault {
            progress.fault(&format!("{name}: {fault}"));
        }
        if game.is_game() {
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
        .filter(|game| game.is_game())
        .count();
    progress.close(&[("games", written), ("moves", moves), ("to look at", faults)]);
    Ok(ExitStatus::finished(transcription.is_whole()))
}

/// A game in a line.
fn game_line(name: &str, game: &Transcript, transcription: &Transcription) -> String {
    let (line, moves) = (game.line, game.plies.len());
    format!(
        "{name}: line {line}: {moves} moves, letters of {}",
        transcription.language.code
    )
}
