//! `sheetscan layout`: the layout of a form as a file, and such a file read for the other commands.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use sheetscan::cell::Cell;
use sheetscan::grid::Grid;
use sheetscan::grid::layout::FormLayout;
use sheetscan::guard;
use sheetscan::page::{self, Page};
use sheetscan::reader::Network;
use sheetscan::scan::{self, SheetError};

use super::args::LayoutArgs;
use super::cache;
use super::output::Output;
use super::overwrite::refuse_overwriting;
use super::progress::complain;
use crate::Exit;

/// A layout that was given, with what tells it from others.
pub struct Known {
    /// The layout.
    pub layout: FormLayout,
    /// Digits of its file's hash.
    pub digits: String,
}

/// The layout in a file, if one is named.
pub fn given(path: Option<&Path>) -> Result<Option<Known>> {
    let Some(path) = path else { return Ok(None) };
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("the layout {name} cannot be read"))?;
    let layout = FormLayout::parse(&text).map_err(|e| anyhow!("{name}, {e}"))?;
    let digits = cache::short_hash(text.as_bytes());
    Ok(Some(Known { layout, digits }))
}

/// Runs the command.
pub fn run(args: &LayoutArgs) -> Result<Exit> {
    refuse_overwriting([args.path.as_path()], std::slice::from_ref(&args.output))?;
    let mut output = Output::open(&args.output)?;
    let name = args.path.display();
    let page = first_page(&args.path).with_context(|| name.to_string())?;
    let model = Network::embedded().context("the built-in model")?;
    let layout = found(&page, |page| scan::cells(page, &model, None));
    if layout.is_none() {
        complain(&format!(
            "{name}: no move table found; what is written is a template, whose corners, blocks and rows are to be filled in by hand"
        ));
    }
    let exit = if layout.is_some() {
        Exit::AllRead
    } else {
        Exit::LookAgain
    };
    output.write(
        &layout
            .unwrap_or_else(|| FormLayout::template(page.luma.dimensions()))
            .to_toml(),
    )?;
    output.finish()?;
    Ok(exit)
}

/// The layout of the table that `cells` finds on a page.
pub fn found(
    page: &Page,
    cells: impl FnOnce(&Page) -> Result<(Grid, Vec<Cell>), SheetError>,
) -> Option<FormLayout> {
    let (grid, _) = guard::catch(|| cells(page)).ok()?.ok()?;
    FormLayout::of(&grid, page.luma.dimensions())
}

fn first_page(path: &Path) -> Result<Page> {
    let page = page::open(path)?.next().context("the file has no page")?;
    Ok(page?)
}
