//! `sheetscan merge`: games that were scanned in several runs, joined, and as those of an event.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use sheetscan::event::{Level, Record, games};
use sheetscan::evidence::Evidence;
use sheetscan::scan::ScannedGame;
use sheetscan::{guard, json};

use super::args::MergeArgs;
use super::event::Entries;
use super::fixes::{self, Fixes, SheetName};
use super::games::refusal;
use super::groups::{self, Group, Known};
use super::output::Output;
use super::overwrite;
use super::parallel;
use super::progress::Progress;
use super::spool::{Place, Spool};
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
        let source: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            let file =
                File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
            Box::new(BufReader::new(file))
        };
        for (line, number) in source.lines().zip(1..) {
            let at = || format!("{}, line {number}", path.display());
            let line = line.with_context(|| format!("{} cannot be read", at()))?;
            if line.trim().is_empty() {
                continue;
            }
            if let Err(why) = lines.add(&line) {
                refused += 1;
                progress.fault(&format!("{}: {why:#}; it is left out", at()));
            }
        }
    }
    refused += lines.join(&fixes, jobs, &progress)?;
    let joined = lines.records.into_iter().flatten();
    let mut count = 0;
    for record in joined {
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
    /// The game of each; none where it went into that of a line before.
    records: Vec<Option<Record>>,
    /// The sheets that came with all that was read on them.
    known: Vec<Known>,
    /// The line of each of these, and its evidence.
    sheets: Vec<(usize, Place)>,
    spool: Spool,
}

impl Lines {
    /// Takes a line in.
    fn add(&mut self, line: &str) -> Result<()> {
        let mut record = Record::parse(line)?;
        if let (Some(text), [facts]) = (record.evidence.take(), &record.sheets[..]) {
            let evidence = Evidence::unpack(&text)?;
            let name = SheetName {
                path: facts.path.clone().into(),
                page: facts.page,
                sha256: facts.sha256.clone(),
            };
            let digest = evidence.digest();
            self.known.push(Known {
                name: record.name(),
                ..Known::of(&name.given_to(evidence.sheet), digest)
            });
            self.sheets
                .push((self.records.len(), self.spool.put(&text)?));
        }
        self.records.push(Some(record));
        Ok(())
    }

    /// Finds the copies among the sheets and puts their joint games in the places of their own; tells how many
    /// sheets were lost on the way.
    fn join(&mut self, fixes: &Fixes, jobs: usize, progress: &Progress) -> Result<usize> {
        let load = |i: usize| -> Result<Evidence> {
            let mut evidence = Evidence::unpack(&self.spool.get(self.sheets[i].1)?)?;
            evidence.sheet = self.known[i].sheet.given_to(evidence.sheet);
            Ok(evidence)
        };
        let mut groups = groups::found(&self.known, |copies| {
            let pages = |copy: &&[usize]| copy.iter().map(|&i| load(i)).collect();
            let copies = copies.iter().map(pages);
            let copies = copies.collect::<Result<Vec<Vec<_>>>>().ok()?;
            guard::catch(|| Evidence::decode(copies, &[])).ok()
        });
        // A sheet by itself has its game already, unless there is something new to hold in it.
        groups.retain(|group| {
            let held = fixes.of(&group.sheets(&self.known));
            group.members().len() > 1 || !held.is_empty()
        });
        fixes.check(progress)?;
        let (known, sheets) = (&self.known, &self.sheets);
        let decode = |_: usize, group: &Group| {
            let game = together(group, known, fixes, load);
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
                    records[sheets[members[0]].0] = Some(Record::parse(&json::line(&scanned))?);
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

/// The game of some copies from different lines, with what a person has read on them.
fn together(
    group: &Group,
    known: &[Known],
    fixes: &Fixes,
    load: impl Fn(usize) -> Result<Evidence>,
) -> Result<(ScannedGame, Vec<String>)> {
    let mut held = fixes.of(&group.sheets(known));
    let mut loaded: HashMap<usize, Evidence> = HashMap::new();
    for i in group.members() {
        let evidence = load(i)?;
        let travelled = fixes::travelled(&known[i].sheet.path, &evidence.held);
        fixes::join(&mut held, travelled);
        loaded.insert(i, evidence);
    }
    let mut copy = |pages: &Vec<usize>| pages.iter().filter_map(|i| loaded.remove(i)).collect();
    let copies: Vec<Vec<Evidence>> = group.copies.iter().map(&mut copy).collect();
    let (mut scanned, refused) =
        guard::catch(|| fixes::settle(held, |held| Evidence::decode(copies.clone(), held)))
            .map_err(|panic| anyhow!("sheetscan failed on it ({panic}); please report it"))?;
    scanned.same = group.same(known);
    Ok((scanned, refused))
}
