//! The files of the pairing program that `--trf` and `--pairings` name.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use sheetscan::event::{Event, Scope};

use super::args::EventArgs;
use super::text_file;

/// An event as its files describe it, and which part of it is looked at.
#[derive(Default)]
pub struct EventFile {
    /// The event.
    pub event: Event,
    /// The part.
    pub scope: Scope,
}

/// Reads the files of the pairing program; `None` without `--trf`.
pub fn load(args: &EventArgs) -> Result<Option<EventFile>> {
    let Some(trf) = &args.trf else {
        return Ok(None);
    };
    let event = load_event(trf, &args.pairings, args.round)?;
    let scope = Scope {
        round: args.round,
        norm_players: find_norm_players(&event, trf, &args.norm_players)?,
    };
    Ok(Some(EventFile { event, scope }))
}

/// Reads a report file, and what the header PGN in `pairings` adds to it.
///
/// # Errors
/// A message if a file has no player, or no pairing in the round that is given.
pub fn load_event(trf: &Path, pairings: &[PathBuf], round: Option<u32>) -> Result<Event> {
    let mut event = Event::parse_trf(&trf.display().to_string(), &text_file::read(trf)?);
    ensure!(
        !event.players.is_empty(),
        "{}: there is no player in it; --trf takes the tournament report file of the pairing \
         program",
        trf.display()
    );
    for path in pairings {
        event.add_header_pgn(&path.display().to_string(), &text_file::read(path)?);
    }
    if let Some(round) = round {
        ensure!(
            event.pairings.iter().any(|p| p.round == round),
            "--round {round}: {} has no pairing in that round",
            trf.display()
        );
    }
    Ok(event)
}

/// The indices of the players with the FIDE numbers of `--norm-players`.
fn find_norm_players(event: &Event, trf: &Path, fide_ids: &[u64]) -> Result<Vec<usize>> {
    let find_player = |id: &u64| {
        let player = event.players.iter().position(|p| p.fide_id == Some(*id));
        player.with_context(|| {
            format!(
                "--norm-players: {} has no player with the FIDE number {id}",
                trf.display()
            )
        })
    };
    fide_ids.iter().map(find_player).collect()
}
