//! Answers of a person: which move a sheet holds at a ply.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use shakmaty::san::SanPlus;
use toml::Spanned;

use sheetscan::decode::FixedMove;
use sheetscan::scan::{ScannedGame, Sheet};

use super::args::FixArgs;
use super::progress::Progress;

/// Digits of a hash that name a picture beyond doubt.
const DIGITS: usize = 12;

/// A move that a person has read on a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The sheet's file as it was given, its name without folder and ending, or its hash.
    sheet: String,
    held: FixedMove,
    /// As a person writes it.
    text: String,
}

/// What a sheet goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetName {
    /// The file as it was given.
    pub path: PathBuf,
    /// Page in it, from 1.
    pub page: u32,
    /// SHA-256 of the file.
    pub sha256: String,
}

impl SheetName {
    /// What a sheet goes by.
    pub fn of(sheet: &Sheet) -> Self {
        Self {
            path: sheet.path.clone(),
            page: sheet.page,
            sha256: sheet.sha256.clone(),
        }
    }

    /// A sheet with these for its path, page and hash.
    pub fn given_to(&self, sheet: Sheet) -> Sheet {
        Sheet {
            path: self.path.clone(),
            page: self.page,
            sha256: self.sha256.clone(),
            ..sheet
        }
    }

    /// Whether `name` names it: any page of a file, or the one behind `#`.
    fn goes_by(&self, name: &str) -> bool {
        let goes_by = |name: &str| {
            let stem = self.path.file_stem().and_then(|stem| stem.to_str());
            self.path == Path::new(name)
                || stem == Some(name)
                || name.len() >= DIGITS && self.sha256.starts_with(&name.to_ascii_lowercase())
        };
        let page = |(name, page): (&str, &str)| page.parse() == Ok(self.page) && goes_by(name);
        goes_by(name) || name.rsplit_once('#').is_some_and(page)
    }
}

impl Fix {
    /// Reads `SHEET:PLY=SAN`. The last colon counts, so that paths may have some.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "not of the form SHEET:PLY=SAN, as in a.jpg:23=Nf3";
        let (sheet, answer) = text.rsplit_once(':').ok_or(form)?;
        let (ply, san) = answer.split_once('=').ok_or(form)?;
        Self::new(sheet, ply, san)
    }

    fn new(sheet: &str, ply: &str, san: &str) -> Result<Self, String> {
        let ply = ply.trim().parse::<u16>().ok().filter(|&ply| ply > 0);
        let ply = ply.ok_or("the ply is a number from 1: White's first move is 1, Black's 2")?;
        let parsed = san.trim().parse::<SanPlus>();
        let parsed =
            parsed.map_err(|_| "the move is not SAN with English letters, as in Nf3, exd5, O-O")?;
        Ok(Self {
            sheet: sheet.to_owned(),
            held: FixedMove {
                ply,
                san: parsed.san,
            },
            text: format!("{sheet}:{ply}={}", san.trim()),
        })
    }

    /// The fixes of a file: a table a sheet, with a move by its ply.
    fn load(path: &Path) -> Result<Vec<Self>> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let at = |from: usize| {
            // The span of an error counts bytes and may end within a character.
            let before = &text.as_bytes()[..from.min(text.len())];
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            format!("{}, line {line}", path.display())
        };
        let tables: BTreeMap<String, BTreeMap<String, Spanned<String>>> = toml::from_str(&text)
            .map_err(|e| {
                let place = at(e.span().map_or(0, |span| span.start));
                anyhow::anyhow!(
                    "{place}: {}; a sheet's moves are [\"SHEET\"] and below it 23 = \"Nf3\"",
                    e.message()
                )
            })?;
        let mut fixes = Vec::new();
        for (sheet, moves) in &tables {
            for (ply, san) in moves {
                let fix = Self::new(sheet, ply, san.get_ref()).map_err(anyhow::Error::msg);
                fixes.push(fix.with_context(|| at(san.span().start))?);
            }
        }
        Ok(fixes)
    }

    /// The move as [`sheetscan::shard_payload::ShardPayload`] carries it.
    pub fn held(&self) -> (u16, String) {
        (self.held.ply, self.held.san.to_string())
    }
}

/// All the answers of a run.
#[derive(Debug)]
pub struct Fixes {
    given: Vec<Fix>,
    /// Whether a sheet was read that the fix names.
    met: Vec<AtomicBool>,
    /// How many are of the command line; the others are of a file.
    typed: usize,
}

impl Fixes {
    /// Those of the command line and those of a file.
    pub fn gather(args: &FixArgs) -> Result<Self> {
        let mut given = args.fix.clone();
        if let Some(path) = &args.fixes {
            given.extend(Fix::load(path)?);
        }
        Ok(Self {
            met: given.iter().map(|_| AtomicBool::new(false)).collect(),
            typed: args.fix.len(),
            given,
        })
    }

    /// The fixes that name one of these sheets, by their plies.
    pub fn of(&self, sheets: &[SheetName]) -> Vec<Fix> {
        let names = |fix: &Fix| sheets.iter().any(|sheet| sheet.goes_by(&fix.sheet));
        let mut named = Vec::new();
        for (fix, met) in self.given.iter().zip(&self.met) {
            if names(fix) {
                met.store(true, Ordering::Relaxed);
                named.push(fix.clone());
            }
        }
        named.sort_by_key(|fix| fix.held.ply);
        named
    }

    /// Complains of a fix on the command line that names no sheet of the run. A file may be of the whole event: how
    /// many of its fixes are for other sheets is told.
    pub fn check(&self, progress: &Progress) -> Result<()> {
        let strange = |i: &usize| !self.met[*i].load(Ordering::Relaxed);
        let strange: Vec<usize> = (0..self.given.len()).filter(strange).collect();
        match strange.first() {
            Some(&i) if i < self.typed => {
                bail!(
                    "--fix {}: no sheet of that name was read",
                    self.given[i].text
                )
            }
            Some(_) => {
                let (n, first) = (strange.len(), &self.given[strange[0]].text);
                progress.fault(&format!(
                    "--fixes: {n} of its moves are of sheets that were not read, {first} the first"
                ));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// The game of some sheets with what is held in it, and the fixes that no game could take in: the board does not allow
/// them, or the record ends before. They are left out.
pub fn settle(
    mut kept: Vec<Fix>,
    decode: impl Fn(&[FixedMove]) -> ScannedGame,
) -> (ScannedGame, Vec<String>) {
    let mut refused = Vec::new();
    loop {
        let held: Vec<FixedMove> = kept.iter().map(|fix| fix.held.clone()).collect();
        let scanned = decode(&held);
        let plies = scanned.game.plies.len();
        // The game stopped at the first that it could not play.
        let Some(first) = held.iter().position(|h| usize::from(h.ply) > plies) else {
            return (scanned, refused);
        };
        refused.push(kept.remove(first).text);
    }
}

/// The fixes that travelled with the payload of a sheet.
pub fn travelled(sheet: &Path, held: &[(u16, String)]) -> Vec<Fix> {
    let sheet = sheet.to_string_lossy();
    let fixes = held
        .iter()
        .map(|(ply, san)| Fix::new(&sheet, &ply.to_string(), san));
    fixes.filter_map(Result::ok).collect()
}

/// Puts further fixes to some, without saying anything twice.
pub fn join(fixes: &mut Vec<Fix>, more: Vec<Fix>) {
    for fix in more {
        if !fixes.iter().any(|known| known.held == fix.held) {
            fixes.push(fix);
        }
    }
    fixes.sort_by_key(|fix| fix.held.ply);
}
