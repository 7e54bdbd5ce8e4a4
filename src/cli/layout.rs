//! `sheetscan layout`: the layout of a form as a file, and such a file read for the other commands.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use sheetscan::Parameters;
use sheetscan::batch::short_hash;
use sheetscan::grid::layout::FormLayout;
use sheetscan::page::{self, Page};
use sheetscan::reader::Network;
use sheetscan::scan;

use super::args::LayoutArgs;
use super::exit_status::ExitStatus;
use super::output::Output;
use super::overwrite::refuse_overwriting;
use super::progress::print_message;
use super::text_file;

/// A layout from a file.
pub struct LayoutFile {
    /// The layout.
    pub layout: FormLayout,
    /// A hash of the file, which tells the layout from others.
    pub hash: String,
}

/// The layout in a file, if one is named.
pub fn load(path: Option<&Path>) -> Result<Option<LayoutFile>> {
    let Some(path) = path else { return Ok(None) };
    let name = path.display();
    let text = text_file::read(path)?;
    let layout = FormLayout::parse(&text).map_err(|e| anyhow!("{name}, {e}"))?;
    let hash = short_hash(text.as_bytes());
    Ok(Some(LayoutFile { layout, hash }))
}

/// Runs the command.
pub fn run(args: &LayoutArgs) -> Result<ExitStatus> {
    refuse_overwriting([args.path.as_path()], std::slice::from_ref(&args.output))?;
    let mut output = Output::open(&args.output)?;
    let name = args.path.display();
    let page = first_page(&args.path).with_context(|| name.to_string())?;
    let model = Network::embedded().context("the built-in model")?;
    let layout = scan::find_layout(&page, &model, &Parameters::default().scan);
    let is_found = layout.is_some();
    if !is_found {
        print_message(&format!(
            "{name}: no move table found; what is written is a template, \
             whose corners, blocks and rows are to be filled in by hand"
        ));
    }
    let layout = layout.unwrap_or_else(|| FormLayout::template(page.luma.dimensions()));
    output.write(&layout.to_toml())?;
    output.finish()?;
    Ok(ExitStatus::finished(is_found))
}

fn first_page(path: &Path) -> Result<Page> {
    let page = page::open(path)?.next().context("the file has no page")?;
    Ok(page?)
}
