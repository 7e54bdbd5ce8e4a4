//! Moves that a person has read: `--fix`, and the file of `--fixes`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use toml::Spanned;

use sheetscan::batch::{Fix, Fixes};

use super::args::FixArgs;
use super::progress::Progress;

/// The fixes of the command line, each of which must name a sheet of the run, and those of a file,
/// which may be of a whole event.
pub fn gather(args: &FixArgs) -> Result<Fixes> {
    let from_file = args.fixes.as_deref().map(load).transpose()?;
    Ok(Fixes::new(args.fix.clone(), from_file.unwrap_or_default()))
}

/// Reports fixes of a file that name no sheet of the run.
pub fn report_unmatched(count: usize, first: &Fix, progress: &Progress) {
    progress.fault(&format!(
        "--fixes: {count} of its moves are of sheets that were not read, {first} the first"
    ));
}

/// Reports a fix that no game can keep to.
pub fn report_refused(fix: &Fix, progress: &Progress) {
    progress.fault(&format!(
        "--fix {fix}: no game that the sheet allows has this move there, it was left out; \
         look at the moves before it"
    ));
}

/// The fixes of a TOML file: a table for each sheet, in it a move by its ply.
fn load(path: &Path) -> Result<Vec<Fix>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let line_of = |offset: usize| {
        // The span of an error counts bytes and may end within a character.
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        format!("{}, line {line}", path.display())
    };
    let tables: BTreeMap<String, BTreeMap<String, Spanned<String>>> = toml::from_str(&text)
        .map_err(|error| {
            let line = line_of(error.span().map_or(0, |span| span.start));
            anyhow!(
                "{line}: {}; a sheet's moves are [\"SHEET\"] and below it 23 = \"Nf3\"",
                error.message()
            )
        })?;
    let mut fixes = Vec::new();
    for (sheet, moves) in &tables {
        for (ply, san) in moves {
            let fix = Fix::new(sheet, ply, san.get_ref());
            fixes.push(fix.with_context(|| line_of(san.span().start))?);
        }
    }
    Ok(fixes)
}
