//! `sheetscan forms`: the score sheets of a round as a PDF file.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use image::GrayImage;

use sheetscan::event::Event;
use sheetscan::form::{COMFORTABLE_ROW_MM, SheetForm};
use sheetscan::forms::{PrintOptions, Sheet, SheetSet, blank_sheets, print_sheets, round_sheets};
use sheetscan::page;

use super::event_file;
use super::exit_status::ExitStatus;
use super::forms_args::FormsArgs;
use super::output::Output;
use super::overwrite::refuse_overwriting;
use super::progress::print_message;

/// Runs the command.
pub fn run(args: &FormsArgs) -> Result<ExitStatus> {
    let inputs = args.trf.iter().chain(&args.pairings).chain(&args.logo);
    let inputs = inputs.map(|path| path.as_path());
    refuse_overwriting(inputs, std::slice::from_ref(&args.output))?;
    let set = SheetSet {
        form: choose_form(args)?,
        page: args.page,
        copies: args.copies,
    };
    let event = match &args.trf {
        // A round of blank sheets need not be paired yet.
        Some(trf) => {
            let round = args.round.filter(|_| args.blank.is_none());
            Some(event_file::load_event(trf, &args.pairings, round)?)
        }
        None => None,
    };
    let sheets = choose_sheets(args, event.as_ref(), &set)?;
    let options = PrintOptions {
        language: args.lang.clone(),
        two_up: args.paper.has_two_sheets(),
        logo: args.logo.as_deref().map(load_logo).transpose()?,
    };
    let mut output = Output::open(&args.output)?;
    output.write_bytes(&print_sheets(&sheets, &options)?)?;
    output.finish()?;
    let height = set.form.row_height();
    if height < COMFORTABLE_ROW_MM - 0.05 {
        print_message(&format!(
            "rows are {height:.1} mm high; {COMFORTABLE_ROW_MM} mm are easier to write in: take \
             fewer rows a block, more blocks or larger paper"
        ));
    }
    Ok(ExitStatus::AllRead)
}

/// The form that the arguments ask for, of the page that they ask for.
fn choose_form(args: &FormsArgs) -> Result<SheetForm> {
    let size = args.paper.sheet_size();
    let standard = SheetForm::standard(size, args.clock);
    let blocks = args.blocks.unwrap_or(standard.block_count());
    let rows = args.rows.unwrap_or(standard.rows_per_block());
    let mut form = SheetForm::new(size, blocks, rows, args.clock, 1)?;
    for _ in 1..args.page {
        form = form.continuation()?;
    }
    Ok(form)
}

fn choose_sheets(args: &FormsArgs, event: Option<&Event>, set: &SheetSet) -> Result<Vec<Sheet>> {
    if let Some(count) = args.blank {
        return Ok(blank_sheets(event, args.round, count, set));
    }
    let event = event.context("--trf or --blank is needed")?;
    let round = args.round.unwrap_or(event.last_round());
    let sheets = round_sheets(event, round, set);
    ensure!(
        !sheets.is_empty(),
        "there is no game in it to print a sheet for; add the round's header PGN with --pairings, \
         or print sheets without players with --blank"
    );
    Ok(sheets)
}

fn load_logo(path: &Path) -> Result<GrayImage> {
    let name = path.display();
    let mut pages = page::open(path).with_context(|| name.to_string())?;
    let page = pages
        .next()
        .with_context(|| format!("{name} has no page"))?;
    Ok(page.with_context(|| name.to_string())?.working)
}
