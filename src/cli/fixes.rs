//! What a person has read on sheets: `--fix`, and the file of `--fixes`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use toml::Spanned;

use sheetscan::batch::{Fix, Fixes, SheetNames};

use super::args::FixArgs;
use super::progress::Progress;
use super::text_file;

/// The fixes of the command line, each of which must name a sheet of the run, and those of a file,
/// which may be of a whole event.
pub fn gather(args: &FixArgs) -> Result<Fixes> {
    let from_file = args.fixes.as_deref().map(load).transpose()?;
    Ok(Fixes::new(args.fix.clone(), from_file.unwrap_or_default()))
}

/// Lets every fix name its sheet by the path.
///
/// # Errors
/// A message if a fix names two sheets.
pub fn resolve_names(fixes: &mut Fixes, names: &SheetNames) -> Result<()> {
    fixes.resolve_names(names).context("--fix or --fixes")
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
        "--fix {fix}: no game that the sheet allows has this there, it was left out; look at the \
         moves before it"
    ));
}

/// The fixes of a TOML file: a table for each sheet, in it a move by its ply.
fn load(path: &Path) -> Result<Vec<Fix>> {
    let text = text_file::read(path)?;
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
                "{line}: {}; what was read on a sheet is [\"SHEET\"] and below it 23 = \"Nf3\"",
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The fixes of a file with this text, as `SHEET:PLY=SAN`, or what is told about it.
    fn load_text(text: &str) -> Result<Vec<String>, String> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("the file is written");
        let fixes = load(file.path()).map_err(|error| format!("{error:#}"))?;
        Ok(fixes.iter().map(Fix::to_string).collect())
    }

    #[test]
    fn a_file_may_hold_the_moves_of_many_sheets_with_names_in_any_script() {
        let text = "[\"über.jpg\"]\n23 = \"Nf3\"\n8 = \"O-O\"\n[\"ход.png\"]\n1 = \"e4\"\n";
        let fixes = load_text(text).expect("a file of fixes");
        assert_eq!(fixes, ["über.jpg:23=Nf3", "über.jpg:8=O-O", "ход.png:1=e4"]);
    }

    #[test]
    fn a_fault_is_told_with_its_line_behind_letters_of_several_bytes() {
        let text = "[\"über.jpg\"]\n\n23 = \"Sf3é\"\n";
        let told = load_text(text).expect_err("no SAN");
        assert!(
            told.contains("line 3") && told.contains("not SAN"),
            "{told}"
        );
        let told = load_text("[\"über.jpg\"]\n23 = Nf3\n").expect_err("no TOML");
        assert!(told.contains("line 2"), "{told}");
        let told = load_text("[\"a.jpg\"]\n0 = \"e4\"\n").expect_err("no ply");
        assert!(told.contains("line 2") && told.contains("from 1"), "{told}");
    }
}
