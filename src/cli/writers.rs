//! The files that games are written to.

use std::path::{Path, PathBuf};

use anyhow::Result;

use sheetscan::Parameters;
use sheetscan::batch::{Input, SheetNames};
use sheetscan::event::Level;
use sheetscan::pgn::Comments;
use sheetscan::scan::ScannedGame;
use sheetscan::schema::GameRecord;
use sheetscan::{json, pgn};

use super::args::ScanArgs;
use super::event::EventGames;
use super::folder;
use super::output::{self, Output};
use super::overwrite;
use super::progress::Progress;

/// The outputs of `scan`.
pub struct Writers {
    pgn: Option<Output>,
    json: Option<Output>,
    /// The event, if one is given: it writes the PGN at the end.
    event: Option<EventGames>,
    comments: Comments,
}

/// The comments that games get, with or without `--comments`.
pub fn comments(on_doubts: bool) -> Comments {
    if on_doubts {
        Comments::Doubts
    } else {
        Comments::BreakOffOnly
    }
}

impl Writers {
    /// Opens every output, so that the run fails before the work if one cannot be written.
    pub fn open(
        args: &ScanArgs,
        inputs: &[Input],
        names: &SheetNames,
        parameters: &Parameters,
    ) -> Result<Self> {
        let stdout = Path::new("-");
        let pgn = match (&args.output, &args.json) {
            (Some(pgn), _) => Some(pgn.as_path()),
            (None, Some(_)) => None,
            (None, None) => Some(stdout),
        };
        let comments = comments(args.comments);
        let mut event = EventGames::open(&args.event, pgn, comments, parameters)?;
        if let Some(event) = &mut event {
            event.resolve_names(names)?;
        }
        let pgn = pgn.filter(|_| !event.as_ref().is_some_and(EventGames::splits_rounds));
        let mut outputs: Vec<PathBuf> = pgn.into_iter().map(Path::to_owned).collect();
        outputs.extend(args.json.clone());
        outputs.extend(event.iter().flat_map(EventGames::output_paths));
        let others = [&args.sheets.files_from, &args.form.layout, &args.model];
        let others = others.into_iter().flatten().map(PathBuf::as_path);
        let inputs: Vec<&Path> = inputs.iter().map(Input::path).collect();
        let all = inputs.iter().copied().chain(others);
        let all = all.chain(overwrite::event_inputs(&args.event));
        let all = all.chain(overwrite::fix_inputs(&args.fixes));
        overwrite::refuse_overwriting(all, &outputs)?;
        if let Some(folder) = &args.debug_dir {
            folder::make_writable(folder)?;
            overwrite::refuse_drawing_over(&inputs, folder)?;
        }
        if let Some(event) = &mut event {
            event.open_outputs()?;
        }
        Ok(Self {
            pgn: pgn.map(Output::open).transpose()?,
            json: args.json.as_deref().map(Output::open).transpose()?,
            event,
            comments,
        })
    }

    /// The files of the event, besides the PGN file of a run that does not split rounds.
    #[cfg(feature = "review")]
    pub fn event_paths(&self) -> Vec<PathBuf> {
        let event = self.event.iter();
        event.flat_map(EventGames::output_paths).collect()
    }

    /// Writes a game; `payload` is the packed payload of its sheet in a run with `--shard`.
    pub fn write(&mut self, game: &ScannedGame, payload: Option<String>) -> Result<()> {
        if let Some(out) = &mut self.json {
            let record = GameRecord {
                evidence: payload,
                ..GameRecord::from(game)
            };
            out.write(&(json::line(&record) + "\n"))?;
        }
        if let Some(event) = &mut self.event {
            event.add_game(GameRecord::from(game));
        } else if let Some(out) = &mut self.pgn {
            out.write(&pgn::export_scanned(game, self.comments))?;
        }
        Ok(())
    }

    /// Ends the files, and reports what the checks of the event found; gives its highest level.
    pub fn finish(self, progress: &Progress) -> Result<Option<Level>> {
        match self.event {
            Some(event) => event.finish(self.pgn, self.json, progress),
            None => {
                output::finish_all(self.pgn.into_iter().chain(self.json).collect())?;
                Ok(None)
            }
        }
    }
}
