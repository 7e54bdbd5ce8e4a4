//! `sheetscan cells`: every cell of the sheets as a picture, with a manifest.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use image::DynamicImage;

use sheetscan::Parameters;
use sheetscan::batch::{Input, process_in_order, process_pages};
use sheetscan::cell::Cell;
use sheetscan::grid::Side;
use sheetscan::ink::CellState;
use sheetscan::page::Page;
use sheetscan::patch;
use sheetscan::reader::Network;
use sheetscan::scan::{self, SheetError};

use super::args::CellsArgs;
use super::exit_status::ExitStatus;
use super::inputs::Inputs;
use super::output::Output;
use super::progress::Progress;
use super::{folder, inputs, layout, overwrite, threads};

/// The first line of the manifest.
const MANIFEST_HEAD: &str =
    "sheet\tpage\tmove\tside\tx0\ty0\tx1\ty1\tx2\ty2\tx3\ty3\tink\tstate\tpatch\n";

/// Runs the command.
pub fn run(args: &CellsArgs) -> Result<ExitStatus> {
    let Inputs {
        files: inputs,
        left_out,
    } = inputs::resolve(&args.sheets, std::slice::from_ref(&args.output))?;
    let jobs = threads::start_pool(args.sheets.jobs)?;
    folder::make_writable(&args.output)?;
    let manifest = args.output.join("manifest.tsv");
    let paths: Vec<&Path> = inputs.iter().map(Input::path).collect();
    let lists = args.sheets.files_from.iter().chain(&args.form.layout);
    let all = paths.iter().copied().chain(lists.map(PathBuf::as_path));
    overwrite::refuse_overwriting(all, std::slice::from_ref(&manifest))?;
    overwrite::refuse_drawing_over(&paths, &args.output)?;
    let mut manifest = Output::open(&manifest)?;
    manifest.write(MANIFEST_HEAD)?;
    let stems = folder::stems(&inputs);
    let model = Network::embedded().context("the built-in model")?;
    let layout = layout::load(args.form.layout.as_deref())?.map(|file| file.layout);
    let parameters = Parameters::default().scan;
    let progress = Progress::start(inputs.len(), args.sheets.quiet);
    left_out.iter().for_each(|line| progress.print(line));
    let (mut pages, mut tables, mut cells) = (0, 0, 0);
    let work = |i: usize, input: &Input| {
        let mut saved = Ok(());
        let outcomes = process_pages(input, |page| {
            let table = scan::read_table(page, &model, layout.as_ref(), &parameters)?;
            let mut lines = Vec::new();
            for cell in &table.cells {
                let patch = patch_name(&stems[i], page, cell);
                if saved.is_ok() {
                    let picture = cut_patch(page, cell, args.margin);
                    saved = folder::save(&args.output, &patch, &picture);
                }
                lines.push(manifest_line(page, cell, &patch));
            }
            Ok::<_, SheetError>(lines)
        });
        saved.map(|()| outcomes)
    };
    process_in_order(&inputs, jobs, work, |outcomes| {
        for outcome in outcomes? {
            pages += 1;
            match &outcome.result {
                Ok(lines) => {
                    tables += 1;
                    cells += lines.len();
                    manifest.write(&lines.concat())?;
                    progress.sheet_read(&outcome.name, &format!("{} cells", lines.len()));
                }
                Err(reason) => progress.fault(&format!("{}: {reason}", outcome.name)),
            }
        }
        progress.file_done();
        Ok::<_, anyhow::Error>(())
    })?;
    manifest.finish()?;
    progress.close(&[("sheets", pages), ("tables", tables), ("cells", cells)]);
    Ok(ExitStatus::finished(tables == pages))
}

/// The file name of a patch, as in `sheet-p1-07b.png` for page 1, row 7, Black.
fn patch_name(stem: &str, page: &Page, cell: &Cell) -> String {
    let side = match cell.id.side {
        Side::White => 'w',
        Side::Black => 'b',
    };
    format!("{stem}-p{}-{:02}{side}.png", page.number, cell.id.number)
}

/// The patch with `margin` pixels more of the page on each side.
fn cut_patch(page: &Page, cell: &Cell, margin: u32) -> DynamicImage {
    let wider = patch::CELL_CANVAS.with_wider_margin(margin);
    DynamicImage::ImageLuma8(patch::warp(&page.luma, &cell.quad, wider))
}

/// A line of the manifest.
fn manifest_line(page: &Page, cell: &Cell, patch: &str) -> String {
    let side = match cell.id.side {
        Side::White => "white",
        Side::Black => "black",
    };
    let state = match cell.state {
        CellState::Blank => "blank",
        CellState::Written => "written",
        CellState::StruckOut => "struck-out",
    };
    let sheet = as_column(&page.path.to_string_lossy());
    let mut line = format!("{sheet}\t{}\t{}\t{side}", page.number, cell.id.number);
    for point in &cell.quad {
        let _ = write!(line, "\t{:.1}\t{:.1}", point.x, point.y);
    }
    let _ = writeln!(line, "\t{:.4}\t{state}\t{}", cell.ink, as_column(patch));
    line
}

/// A path without the signs that would end its column or line.
fn as_column(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}
