//! Answers of a person: `SHEET:PLY=SAN`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use shakmaty::san::SanPlus;

use sheetscan::decode::Held;
use sheetscan::scan::{ScannedGame, Scanner, Sheet};

/// A move that a person has read on a sheet.
#[derive(Debug, Clone)]
pub struct Fix {
    /// The sheet's file as it was given, or its name without folder and ending.
    sheet: PathBuf,
    held: Held,
    text: String,
}

impl Fix {
    /// Reads `SHEET:PLY=SAN`. The last colon counts, so that paths may have some.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "not of the form SHEET:PLY=SAN, as in a.jpg:23=Nf3";
        let (sheet, answer) = text.rsplit_once(':').ok_or(form)?;
        let (ply, san) = answer.split_once('=').ok_or(form)?;
        let ply = ply.trim().parse::<u16>().ok().filter(|&ply| ply > 0);
        let ply = ply.ok_or("the ply is a number from 1: White's first move is 1, Black's 2")?;
        let san = san.trim().parse::<SanPlus>();
        let san =
            san.map_err(|_| "the move is not SAN with English letters, as in Nf3, exd5, O-O")?;
        Ok(Self {
            sheet: sheet.into(),
            held: Held { ply, san: san.san },
            text: text.to_owned(),
        })
    }

    /// The fixes of a file, one a line.
    pub fn load(path: &Path) -> Result<Vec<Self>> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let mut fixes = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                let fix = Self::parse(line);
                let at = || format!("{}, line {number}: {line}", path.display());
                fixes.push(fix.map_err(anyhow::Error::msg).with_context(at)?);
            }
        }
        Ok(fixes)
    }

    fn names(&self, sheet: &Sheet) -> bool {
        sheet.path == self.sheet || sheet.path.file_stem() == Some(self.sheet.as_os_str())
    }
}

/// All the answers of a run.
#[derive(Debug)]
pub struct Fixes(Vec<Fix>);

impl Fixes {
    /// Those of the command line and those of a file.
    pub fn gather(given: &[Fix], file: Option<&Path>) -> Result<Self> {
        let mut fixes = given.to_vec();
        if let Some(path) = file {
            fixes.extend(Fix::load(path)?);
        }
        Ok(Self(fixes))
    }

    /// Complains of a fix whose sheet was not read.
    pub fn check(&self, sheets: &[&Sheet]) -> Result<()> {
        let unknown = |fix: &&Fix| !sheets.iter().any(|sheet| fix.names(sheet));
        match self.0.iter().find(unknown) {
            Some(fix) => bail!("--fix {}: no sheet of that name was read", fix.text),
            None => Ok(()),
        }
    }

    /// The game of these sheets with what is held in it, and the fixes that no game could take in: the board does not
    /// allow them, or the record ends before. They are left out.
    pub fn decode(&self, scanner: &Scanner, sheets: &[Sheet]) -> (ScannedGame, Vec<&str>) {
        let named = |fix: &&Fix| sheets.iter().any(|sheet| fix.names(sheet));
        let mut kept: Vec<&Fix> = self.0.iter().filter(named).collect();
        kept.sort_by_key(|fix| fix.held.ply);
        let mut refused = Vec::new();
        loop {
            let held: Vec<Held> = kept.iter().map(|fix| fix.held.clone()).collect();
            let scanned = scanner.decode(sheets.to_vec(), &held);
            let plies = scanned.game.plies.len();
            // The game stopped at the first that it could not play.
            let Some(first) = held.iter().position(|h| usize::from(h.ply) > plies) else {
                return (scanned, refused);
            };
            refused.push(kept.remove(first).text.as_str());
        }
    }
}
