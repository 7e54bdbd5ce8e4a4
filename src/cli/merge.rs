//! `sheetscan merge`: joins games that were scanned in several runs, and matches them with the
//! pairings of an event.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use sheetscan::Parameters;
use sheetscan::batch::{
    Fix, Fixes, SheetGroup, SheetId, SheetNames, SheetSummary, add_fixes, decode_with_fixes,
    group_by_content, process_in_order, regroup,
};
use sheetscan::decode::Options;
use sheetscan::event::games;
use sheetscan::guard;
use sheetscan::scan::ScannedGame;
use sheetscan::schema::GameRecord;
use sheetscan::shard_payload::ShardPayload;
use sheetscan::spool::{Spool, SpoolRange};
use sheetscan::text::LineReader;

use super::args::MergeArgs;
use super::event::EventGames;
use super::exit_status::ExitStatus;
use super::games::begins_like_line;
use super::output::Output;
use super::progress::Progress;
use super::writers::comments;
use super::{fixes, overwrite, threads};

/// Runs the command.
pub fn run(args: &MergeArgs) -> Result<ExitStatus> {
    let mut fixes = fixes::gather(&args.fixes)?;
    let parameters = Parameters::default();
    let comments = comments(args.comments);
    let mut event = EventGames::open(&args.event, Some(&args.output), comments, &parameters)?;
    let split = event.as_ref().is_some_and(EventGames::splits_rounds);
    let mut outputs: Vec<PathBuf> = (!split).then(|| args.output.clone()).into_iter().collect();
    outputs.extend(event.iter().flat_map(EventGames::output_paths));
    let inputs = args.paths.iter().map(PathBuf::as_path);
    let inputs = inputs.chain(overwrite::event_inputs(&args.event));
    overwrite::refuse_overwriting(inputs.chain(overwrite::fix_inputs(&args.fixes)), &outputs)?;
    if let Some(event) = &mut event {
        event.open_outputs()?;
        event.open_pictures_below(picture_folders(args));
    }
    let mut pgn = (!split).then(|| Output::open(&args.output)).transpose()?;
    let jobs = threads::start_pool(None)?;
    let progress = Progress::start(args.paths.len(), args.quiet);
    let mut lines = Lines {
        records: Vec::new(),
        sheets: Vec::new(),
        summaries: Vec::new(),
        spool: Spool::new().context("no temporary file can be made")?,
    };
    let (mut refused, mut empty) = (0, 0);
    for path in &args.paths {
        let before = lines.records.len();
        let left_out = lines.read(path, &progress)?;
        if left_out == 0 && lines.records.len() == before {
            empty += 1;
            progress.fault(&format!(
                "{}: there is no game in it; merge takes the lines of scan --json",
                path.display()
            ));
        }
        refused += left_out;
    }
    let names = lines.sheet_names();
    fixes::resolve_names(&mut fixes, &names)?;
    if let Some(event) = &mut event {
        event.resolve_names(&names)?;
    }
    refused += lines.join(&fixes, &parameters, jobs, &progress)?;
    let mut count = 0;
    for record in lines.records.into_iter().flatten() {
        count += 1;
        if record.plies.is_empty() {
            empty += 1;
            progress.fault(&format!("{}: no moves", record.name()));
        }
        match (&mut event, &mut pgn) {
            (Some(event), _) => event.add_game(record),
            (None, Some(pgn)) => pgn.write(&games::format_without_event(&record, comments))?,
            (None, None) => {}
        }
    }
    let worst = match event {
        Some(event) => event.finish(pgn, None, &progress)?,
        None => {
            pgn.map(Output::finish).transpose()?;
            None
        }
    };
    progress.close(&[("games", count), ("lines left out", refused)]);
    Ok(ExitStatus::of_event(worst, refused + empty == 0))
}

/// The folders below which the pictures of sheets are opened. The lines may come from anybody, and
/// name any file.
fn picture_folders(args: &MergeArgs) -> Vec<PathBuf> {
    let folder_of = |path: &PathBuf| path.parent().map(Path::to_owned);
    let mut folders = vec![PathBuf::from(".")];
    folders.extend(args.paths.iter().filter_map(folder_of));
    folders.extend(args.pictures.iter().cloned());
    folders
}

/// The lines of all files, in their order.
struct Lines {
    /// The game of each line; `None` if it was joined with that of an earlier line.
    records: Vec<Option<GameRecord>>,
    /// The sheets of the lines that carry a payload.
    summaries: Vec<SheetSummary>,
    /// For each of these sheets the index of its line, and where its packed payload is spooled.
    sheets: Vec<(usize, SpoolRange)>,
    spool: Spool,
}

impl Lines {
    /// Reads the lines of a file, or of standard input for `-`, and returns how many of them were
    /// refused.
    fn read(&mut self, path: &Path, progress: &Progress) -> Result<usize> {
        let source: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            let file =
                File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
            Box::new(file)
        };
        let mut refused = Vec::new();
        let known = self.records.len();
        for (line, number) in LineReader::new(source).zip(1..) {
            let at = || format!("{}, line {number}", path.display());
            let line = line.with_context(|| format!("{} cannot be read", at()))?;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let line = str::from_utf8(&line).context("the line is not UTF-8");
            if let Err(why) = line.and_then(|line| self.add(line)) {
                refused.push(format!("{}: {why:#}; it is left out", at()));
            }
        }
        match &refused[..] {
            [first, _, ..] if self.records.len() == known => progress.fault(&format!(
                "{first}, as are all {} lines of the file; give the JSON that scan has written",
                refused.len()
            )),
            _ => refused.iter().for_each(|fault| progress.fault(fault)),
        }
        Ok(refused.len())
    }

    /// The names of all sheets.
    fn sheet_names(&self) -> SheetNames {
        let sheets = self
            .records
            .iter()
            .flatten()
            .flat_map(|record| &record.sheets);
        SheetNames::new(sheets.map(|sheet| sheet.path.clone()))
    }

    /// Adds the game of a line.
    fn add(&mut self, line: &str) -> Result<()> {
        let mut record = GameRecord::parse(line)?;
        if let (Some(text), [sheet]) = (record.evidence.take(), &record.sheets[..]) {
            let payload = ShardPayload::unpack(&text)?;
            let id = SheetId {
                path: sheet.path.clone().into(),
                page: sheet.page,
                sha256: sheet.sha256.clone(),
            };
            let digest = payload.digest();
            let sheet = id.identify(payload.sheet);
            self.summaries
                .push(SheetSummary::new(record.name(), &sheet, digest));
            self.sheets
                .push((self.records.len(), self.spool.put(text.as_bytes())?));
        }
        self.records.push(Some(record));
        Ok(())
    }

    /// Finds copies and pages of a game among the sheets, and puts the joint game of each group in
    /// the place of its first line. Returns the number of sheets whose joint game failed; these
    /// keep their own games.
    fn join(
        &mut self,
        fixes: &Fixes,
        parameters: &Parameters,
        jobs: usize,
        progress: &Progress,
    ) -> Result<usize> {
        let options = parameters.decode_options();
        let load = |i: usize| -> Result<ShardPayload> {
            let text = String::from_utf8(self.spool.get(self.sheets[i].1)?)?;
            let mut payload = ShardPayload::unpack(&text)?;
            payload.sheet = self.summaries[i].id.identify(payload.sheet);
            Ok(payload)
        };
        let decode = |copies: &[&[usize]]| {
            let pages = |copy: &&[usize]| copy.iter().map(|&i| load(i)).collect();
            let copies = copies.iter().map(pages);
            let copies = copies.collect::<Result<Vec<Vec<_>>>>().ok()?;
            guard::catch(|| {
                let (record, decoder) = ShardPayload::record(copies, &options);
                record.decode(&decoder, &[]).0
            })
            .ok()
        };
        let (batch, copies) = (&parameters.batch, &parameters.copies);
        let groups = group_by_content(&self.summaries, batch, copies, decode);
        let mut groups = regroup(&groups, &self.summaries, fixes, batch, copies);
        for group in &groups {
            if let Some(other) = group.begins_like {
                let name = group.name(&self.summaries);
                let other = &self.summaries[other].name;
                progress.print(&begins_like_line(&name, other));
            }
        }
        // A single sheet has its game already, unless a person has fixed a move in it.
        groups.retain(|group| {
            let has_fixes = !fixes.of_sheets(&group.ids(&self.summaries)).is_empty();
            group.members().len() > 1 || has_fixes
        });
        let ids: Vec<SheetId> = self
            .summaries
            .iter()
            .map(|sheet| sheet.id.clone())
            .collect();
        let unmatched = fixes.unmatched(&ids)?;
        if let Some(first) = unmatched.first() {
            fixes::report_unmatched(unmatched.len(), first, progress);
        }
        let (summaries, sheets) = (&self.summaries, &self.sheets);
        let decode = |_: usize, group: &SheetGroup| {
            let game = decode_group(group, summaries, fixes, &options, load);
            (group.members(), group.name(summaries), game)
        };
        let (mut lost, records) = (0, &mut self.records);
        process_in_order(&groups, jobs, decode, |(members, name, game)| {
            match game {
                Ok((scanned, refused)) => {
                    for fix in refused {
                        fixes::report_refused(&fix, progress);
                    }
                    for i in &members {
                        records[sheets[*i].0] = None;
                    }
                    records[sheets[members[0]].0] = Some(GameRecord::from(&scanned));
                }
                Err(why) => {
                    lost += members.len();
                    progress.fault(&format!("{name}: {why:#}; each is left by itself"));
                }
            }
            Ok::<_, anyhow::Error>(())
        })?;
        Ok(lost)
    }
}

/// Decodes the joint game of a group of sheets from different lines, with what a person
/// has read on them, in the shards' runs or in this one. Returns the game and the fixes that it
/// could not keep to.
fn decode_group(
    group: &SheetGroup,
    summaries: &[SheetSummary],
    fixes: &Fixes,
    options: &Options,
    load: impl Fn(usize) -> Result<ShardPayload>,
) -> Result<(ScannedGame, Vec<Fix>)> {
    let mut fixes = fixes.of_sheets(&group.ids(summaries));
    let mut loaded: HashMap<usize, ShardPayload> = HashMap::new();
    for i in group.members() {
        let payload = load(i)?;
        let sheet = summaries[i].id.path.to_string_lossy();
        let packed = payload.fixes.iter();
        let packed = packed.filter_map(|(key, value)| Fix::new(&sheet, key, value).ok());
        add_fixes(&mut fixes, packed.collect());
        loaded.insert(i, payload);
    }
    let mut copy = |pages: &Vec<usize>| pages.iter().filter_map(|i| loaded.remove(i)).collect();
    let copies: Vec<Vec<ShardPayload>> = group.copies.iter().map(&mut copy).collect();
    let (mut scanned, refused) = guard::catch(|| {
        let (record, decoder) = ShardPayload::record(copies, options);
        decode_with_fixes(&fixes, &record, |answers| record.decode(&decoder, answers))
    })
    .map_err(|panic| anyhow!("sheetscan failed on it ({panic}); please report it"))?;
    scanned.same = group.same_sheets(summaries);
    Ok((scanned, refused))
}
