//! `sheetscan merge`: joins games that were scanned in several runs, and matches them with the
//! pairings of an event.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use sheetscan::event::{Level, games};
use sheetscan::guard;
use sheetscan::scan::ScannedGame;
use sheetscan::schema::GameRecord;
use sheetscan::shard_payload::ShardPayload;

use super::args::MergeArgs;
use super::event::Entries;
use super::fixes::{self, Fixes, SheetName};
use super::games::refusal;
use super::groups::{self, Group, Known};
use super::output::Output;
use super::overwrite;
use super::parallel;
use super::progress::Progress;
use super::spool::{Spool, SpoolRange};
use crate::Exit;

/// Runs the command.
pub fn run(args: &MergeArgs) -> Result<Exit> {
    let fixes = Fixes::gather(&args.answers)?;
    let mut entries = Entries::open(&args.event, Some(&args.output))?;
    let mut outputs = vec![args.output.clone()];
    outputs.extend(entries.iter().flat_map(Entries::outputs));
    let inputs = args.paths.iter().map(PathBuf::as_path);
    let inputs = inputs.chain(overwrite::event_inputs(&args.event));
    overwrite::refuse_overwriting(inputs.chain(overwrite::fix_inputs(&args.answers)), &outputs)?;
    let split = entries.as_ref().is_some_and(Entries::splits);
    let mut pgn = (!split).then(|| Output::open(&args.output)).transpose()?;
    let jobs = parallel::set_up(None)?;
    let progress = Progress::start(args.paths.len(), args.quiet);
    let mut lines = Lines {
        records: Vec::new(),
        sheets: Vec::new(),
        known: Vec::new(),
        spool: Spool::new().context("no temporary file can be made")?,
    };
    let mut refused = 0;
    for path in &args.paths {
        refused += lines.read(path, &progress)?;
    }
    refused += lines.join(&fixes, jobs, &progress)?;
    let mut count = 0;
    for record in lines.records.into_iter().flatten() {
        count += 1;
        match (&mut entries, &mut pgn) {
            (Some(entries), _) => entries.enter(record),
            (None, Some(pgn)) => pgn.write(&games::format_without_event(&record))?,
            (None, None) => {}
        }
    }
    let worst = match entries {
        Some(entries) => entries.finish(pgn, &progress)?,
        None => {
            pgn.map(Output::finish).transpose()?;
            None
        }
    };
    progress.close(&[("games", count), ("lines left out", refused)]);
    Ok(match worst {
        Some(Level::Error) => Exit::Conflicts,
        Some(Level::Warning) => Exit::LookAgain,
        _ if refused > 0 => Exit::LookAgain,
        _ => Exit::AllRead,
    })
}

/// The lines of all files, in their order.
struct Lines {
    /// The game of each line; `None` if it was joined with that of an earlier line.
    records: Vec<Option<GameRecord>>,
    /// The sheets of the lines that carry a payload.
    known: Vec<Known>,
    /// For each of these sheets the index of its line, and where its packed payload is spooled.
    sheets: Vec<(usize, SpoolRange)>,
    spool: Spool,
}

impl Lines {
    /// Reads the lines of a file, or of standard input for `-`, and returns how many of them were
    /// refused.
    fn read(&mut self, path: &Path, progress: &Progress) -> Result<usize> {
        let source: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            let file =
                File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
            Box::new(BufReader::new(file))
        };
        let mut refused = 0;
        for (line, number) in source.lines().zip(1..) {
            let at = || format!("{}, line {number}", path.display());
            let line = line.with_context(|| format!("{} cannot be read", at()))?;
            if line.trim().is_empty() {
                continue;
            }
            if let Err(why) = self.add(&line) {
                refused += 1;
                progress.fault(&format!("{}: {why:#}; it is left out", at()));
            }
        }
        Ok(refused)
    }

    /// Adds the game of a line.
    fn add(&mut self, line: &str) -> Result<()> {
        let mut record = GameRecord::parse(line)?;
        if let (Some(text), [sheet]) = (record.evidence.take(), &record.sheets[..]) {
            let payload = ShardPayload::unpack(&text)?;
            let name = SheetName {
                path: sheet.path.clone().into(),
                page: sheet.page,
                sha256: sheet.sha256.clone(),
            };
            let digest = payload.digest();
            self.known.push(Known {
                name: record.name(),
                ..Known::of(&name.given_to(payload.sheet), digest)
            });
            self.sheets
                .push((self.records.len(), self.spool.put(&text)?));
        }
        self.records.push(Some(record));
        Ok(())
    }

    /// Finds copies and pages of a game among the sheets, and puts the joint game of each group in
    /// the place of its first line. Returns the number of sheets whose joint game failed; these keep
    /// their own games.
    fn join(&mut self, fixes: &Fixes, jobs: usize, progress: &Progress) -> Result<usize> {
        let load = |i: usize| -> Result<ShardPayload> {
            let mut payload = ShardPayload::unpack(&self.spool.get(self.sheets[i].1)?)?;
            payload.sheet = self.known[i].sheet.given_to(payload.sheet);
            Ok(payload)
        };
        let mut groups = groups::found(&self.known, |copies| {
            let pages = |copy: &&[usize]| copy.iter().map(|&i| load(i)).collect();
            let copies = copies.iter().map(pages);
            let copies = copies.collect::<Result<Vec<Vec<_>>>>().ok()?;
            guard::catch(|| ShardPayload::decode(copies, &[])).ok()
        });
        // A single sheet has its game already, unless a person has fixed a move in it.
        groups.retain(|group| {
            let held = fixes.of(&group.sheets(&self.known));
            group.members().len() > 1 || !held.is_empty()
        });
        fixes.check(progress)?;
        let (known, sheets) = (&self.known, &self.sheets);
        let decode = |_: usize, group: &Group| {
            let game = decode_group(group, known, fixes, load);
            (group.members(), group.name(known), game)
        };
        let (mut lost, records) = (0, &mut self.records);
        parallel::in_order(&groups, jobs, decode, |(members, name, game)| {
            match game {
                Ok((scanned, refused)) => {
                    for fix in refused {
                        progress.fault(&refusal(&fix));
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
            Ok(())
        })?;
        Ok(lost)
    }
}

/// Decodes the joint game of a group of sheets from different lines, with the moves that a person
/// has fixed in it, by the shards' answers or by those of this run. Returns the game and the answers
/// that it could not take in.
fn decode_group(
    group: &Group,
    known: &[Known],
    fixes: &Fixes,
    load: impl Fn(usize) -> Result<ShardPayload>,
) -> Result<(ScannedGame, Vec<String>)> {
    let mut held = fixes.of(&group.sheets(known));
    let mut loaded: HashMap<usize, ShardPayload> = HashMap::new();
    for i in group.members() {
        let payload = load(i)?;
        let travelled = fixes::travelled(&known[i].sheet.path, &payload.fixed_moves);
        fixes::join(&mut held, travelled);
        loaded.insert(i, payload);
    }
    let mut copy = |pages: &Vec<usize>| pages.iter().filter_map(|i| loaded.remove(i)).collect();
    let copies: Vec<Vec<ShardPayload>> = group.copies.iter().map(&mut copy).collect();
    let (mut scanned, refused) =
        guard::catch(|| fixes::settle(held, |held| ShardPayload::decode(copies.clone(), held)))
            .map_err(|panic| anyhow!("sheetscan failed on it ({panic}); please report it"))?;
    scanned.same = group.same(known);
    Ok((scanned, refused))
}
