//! `sheetscan scan`: sheets in, games out.

use anyhow::{Context, Result};

use sheetscan::cache::{Cache, Entry};
use sheetscan::decode::Options;
use sheetscan::event::Level;
use sheetscan::guard;
use sheetscan::ink::CellState;
use sheetscan::reader::Network;
use sheetscan::scan::{ScannedGame, Scanner, Sheet};
use sheetscan::shard_payload::ShardPayload;

use super::args::ScanArgs;
use super::fixes::{self, Fix, Fixes, SheetName};
use super::games::{Decoded, Games, Totals};
use super::groups::{self, Group, Known};
use super::inputs::{self, Input};
use super::pile::{self, Form, Page};
use super::progress::Progress;
use super::reading::{PageReader, Read};
use super::writers::Writers;
use super::{cache, folder, layout, parallel};
use crate::Exit;

/// Runs the command. Every page is read first, and what was read goes to disk; once it is known which form doubtful sheets
/// are of and which sheets are copies of one game, each game is decoded from there. Where sheets are to know nothing of each
/// other, a game is decoded as soon as its sheet is read. Either way memory holds no more sheets than are worked on.
pub fn run(args: &ScanArgs) -> Result<Exit> {
    let inputs = inputs::resolve(&args.sheets)?;
    let jobs = parallel::set_up(args.sheets.jobs)?;
    let fixes = Fixes::gather(&args.answers)?;
    let mut games = Games {
        writers: Writers::open(args, &inputs)?,
        totals: Totals::default(),
    };
    let options = Options {
        language: args.lang,
        ask: args.ask,
        runners_up: args.n_best.get() - 1,
        ..Options::default()
    };
    let (network, mut model) = cache::model(args.model.as_deref())?;
    let mut scanner = Scanner::new(Box::new(network), options.clone());
    if args.event.trf.is_some() || args.shard {
        // Whose sheet it is, is asked here or by `merge`.
        let words = Network::embedded_words().context("the built-in model of words")?;
        scanner = scanner.with_words(Box::new(words));
        model += "-words";
    }
    let layout = layout::given(args.layout.layout.as_deref())?;
    if let Some(known) = &layout {
        model = format!("{model}-{}", known.digits);
    }
    let mut progress = Progress::start(inputs.len(), args.sheets.quiet);
    let kept = cache::open(&args.kept, &model, &progress)?;
    let stems = folder::stems(&inputs);
    let reader = PageReader {
        scanner: &scanner,
        cache: &kept.cache,
        layout: layout.as_ref().map(|known| &known.layout),
        debug_dir: args.debug_dir.as_deref(),
        stems: &stems,
    };
    let apart = args.no_pair || args.shard;
    let shard = args.shard.then_some(&options);
    let votes = !apart && layout.is_none();
    let work = |i: usize, input: &Input| {
        reader.pages(i, input, |read| {
            let held = fixes.of(&[SheetName::of(&read.sheet)]);
            Seen {
                written: written(&read.sheet),
                continues_from: read.sheet.continues_from(),
                before: read.before,
                made: if apart {
                    Made::Game(alone(read, &scanner, held, shard))
                } else {
                    Made::Known(Known::of(&read.sheet, read.digest))
                },
            }
        })
    };
    let mut pile: Vec<Page> = Vec::new();
    let mut input = 0;
    parallel::in_order(&inputs, jobs, work, |outcomes| {
        for (number, outcome) in (1..).zip(outcomes?) {
            games.totals.sheets += 1;
            let name = outcome.name;
            let read = match outcome.result {
                Ok(seen) => {
                    progress.read(&name, &seen.told());
                    match seen.made {
                        Made::Known(sheet) => Ok(Known {
                            name: name.clone(),
                            ..sheet
                        }),
                        Made::Game(game) => {
                            games.take(Decoded { name, ..game }, &progress)?;
                            continue;
                        }
                    }
                }
                Err(why) if votes => Err(why),
                Err(why) => {
                    games.totals.fault(&name, &why, &progress);
                    continue;
                }
            };
            pile.push(Page {
                name,
                input,
                path: inputs[input].path().to_owned(),
                number,
                read,
            });
        }
        input += 1;
        progress.file_done();
        Ok(())
    })?;
    let (forms, mended) = if votes {
        pile::mend(&mut pile, &reader, jobs)?
    } else {
        (Vec::new(), Vec::new())
    };
    mended.iter().for_each(|line| progress.found(line));
    let mut known: Vec<Known> = Vec::new();
    for page in pile {
        match page.read {
            Ok(sheet) => known.push(sheet),
            Err(why) => games.totals.fault(&page.name, &why, &progress),
        }
    }
    fixes.check(&progress)?;
    let caches = Caches {
        found: &kept.cache,
        forms: &forms,
    };
    let groups = if args.pair.is_empty() {
        groups::found(&known, |copies| {
            let copies = copies.iter().map(|pages| caches.loaded(pages, &known));
            let copies = copies.collect::<Result<Vec<_>, _>>().ok()?;
            guard::catch(|| scanner.decode(copies, &[])).ok()
        })
    } else {
        groups::said(&known, &args.pair)?
    };
    let decode = |_: usize, group: &Group| Decoded {
        name: group.name(&known),
        game: together(group, &known, &caches, &scanner, &fixes),
        payload: None,
    };
    parallel::in_order(&groups, jobs, decode, |game| games.take(game, &progress))?;
    let Games { writers, totals } = games;
    let worst = writers.finish(&progress)?;
    totals.close(progress);
    Ok(match worst {
        Some(Level::Error) => Exit::Conflicts,
        Some(Level::Warning) => Exit::LookAgain,
        _ => totals.exit(),
    })
}

/// What is known of a page once it is read.
struct Seen {
    /// Cells with ink.
    written: usize,
    /// The number that it begins with, where it is no first page.
    continues_from: Option<u32>,
    before: bool,
    made: Made,
}

/// What was made of it; neither has its name yet.
enum Made {
    /// It waits for its copies.
    Known(Known),
    /// Its game is known.
    Game(Decoded),
}

impl Seen {
    /// In words.
    fn told(&self) -> String {
        let before = if self.before { ", read before" } else { "" };
        let from = self.continues_from;
        let from = from.map_or_else(String::new, |number| format!(" from move {number} on"));
        format!("{} cells written{from}{before}", self.written)
    }
}

fn written(sheet: &Sheet) -> usize {
    let cells = sheet.cells.iter();
    cells.filter(|r| r.state != CellState::Blank).count()
}

/// The game of one sheet, with its payload in a run with `--shard`.
fn alone(read: Read, scanner: &Scanner, held: Vec<Fix>, shard: Option<&Options>) -> Decoded {
    let payload = shard.map(|options| {
        let mut payload = ShardPayload::new(read.sheet.clone(), scanner.alphabet(), options);
        payload.fixed_moves = held.iter().map(Fix::held).collect();
        payload.pack()
    });
    let game = guard::catch(|| {
        fixes::settle(held, |held| {
            scanner.decode(vec![vec![read.sheet.clone()]], held)
        })
    });
    Decoded {
        name: String::new(),
        game,
        payload,
    }
}

/// Where what was read is kept.
struct Caches<'a> {
    /// With the tables that were found.
    found: &'a Cache,
    /// With the layouts of the pile's forms.
    forms: &'a [Form],
}

impl Caches<'_> {
    /// Some sheets as they are kept.
    fn loaded(&self, sheets: &[usize], known: &[Known]) -> Result<Vec<Sheet>, String> {
        let load = |&i: &usize| {
            let name = &known[i].sheet;
            let form = known[i].form.and_then(|form| self.forms.get(form));
            let cache = form.map_or(self.found, |form| &form.cache);
            match cache.get(&name.sha256, name.page) {
                Some((Entry::Sheet(sheet), _)) => Ok(name.given_to(sheet)),
                _ => Err("what was read of it is gone from the cache".to_owned()),
            }
        };
        sheets.iter().map(load).collect()
    }
}

/// The game of some copies.
fn together(
    group: &Group,
    known: &[Known],
    caches: &Caches,
    scanner: &Scanner,
    fixes: &Fixes,
) -> Result<(ScannedGame, Vec<String>), String> {
    let copies = group.copies.iter();
    let copies = copies.map(|pages| caches.loaded(pages, known));
    let copies = copies.collect::<Result<Vec<_>, _>>()?;
    let held = fixes.of(&group.sheets(known));
    let (mut scanned, refused) =
        guard::catch(|| fixes::settle(held, |held| scanner.decode(copies.clone(), held)))?;
    scanned.same = group.same(known);
    Ok((scanned, refused))
}
