//! The report for people: one HTML page that needs no network, with the coverage by round, the
//! findings of the checks, and every doubtful move with its cells, the board before it and the
//! candidates.
//!
//! It is written game by game, so that the pictures of many sheets are not in memory at once. The
//! templates escape all text that comes from files.

mod board;
mod doubtful;
mod pictures;
mod summary;

use std::io;

use minijinja::value::Serde;
use minijinja::{Environment, Value};

use super::checks::Finding;
use super::games::GamePgn;
use super::ledger::Ledger;
use crate::crops::Crop;
use crate::schema::{CellRecord, SheetRecord};

/// A function that cuts pictures of cells of one sheet, in the order of the cells, or says why
/// there are none.
pub type CropSource<'a> = dyn Fn(&SheetRecord, &[&CellRecord]) -> Result<Vec<Crop>, String> + 'a;

/// Writes the page to `out` in pieces.
///
/// # Errors
/// The errors of `out`.
pub fn write_html(
    ledger: &Ledger,
    findings: &[Finding],
    games: &[GamePgn],
    crops: &CropSource,
    out: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let mut templates = Environment::new();
    for (name, text) in [
        ("head.html", include_str!("head.html")),
        ("game.html", include_str!("game.html")),
    ] {
        templates
            .add_template(name, text)
            .map_err(io::Error::other)?;
    }
    let mut render = |name: &str, values: Value| {
        let template = templates.get_template(name);
        let text = template.and_then(|template| template.render(values));
        out(&text.map_err(io::Error::other)?)
    };
    let summary = summary::summarize(ledger, findings, games);
    render("head.html", Value::from(Serde(summary)))?;
    for game in games {
        let section = doubtful::game_section(ledger, game, crops);
        if !section.moves.is_empty() || !section.notes.is_empty() {
            render("game.html", Value::from(Serde(section)))?;
        }
    }
    out("</main>\n</body>\n</html>\n")
}

/// A probability as a percentage for people.
fn format_percent(probability: f64) -> String {
    match probability {
        small if small < 0.005 => "under 1 %".to_owned(),
        large if (0.995..1.0).contains(&large) => "over 99 %".to_owned(),
        other => format!("{:.0} %", other * 100.0),
    }
}

/// A text with its first letter in upper case.
fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
