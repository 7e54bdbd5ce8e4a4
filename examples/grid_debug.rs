//! Finds the grids of pictures and writes debug pictures, patches and cells.
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fast_image_resize as fr;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageReader};
use sheetscan::page::{Page, WORKING_SIDE};
use sheetscan::{cell, debug, grid};

fn load(path: &Path) -> anyhow::Result<Page> {
    let mut decoder = ImageReader::open(path)?.with_guessed_format()?.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    let luma = picture.into_luma8();
    let (w, h) = luma.dimensions();
    let scale = (f64::from(WORKING_SIDE) / f64::from(w.max(h))).min(1.0);
    let working = if scale < 1.0 {
        let (nw, nh) = ((f64::from(w) * scale).round() as u32, (f64::from(h) * scale).round() as u32);
        let mut out = GrayImage::new(nw.max(1), nh.max(1));
        let from = fr::images::ImageRef::new(w, h, luma.as_raw(), fr::PixelType::U8)?;
        let (ow, oh) = out.dimensions();
        let mut to = fr::images::Image::from_slice_u8(ow, oh, &mut out, fr::PixelType::U8)?;
        fr::Resizer::new().resize(&from, &mut to, None)?;
        out
    } else {
        luma.clone()
    };
    Ok(Page { path: path.to_owned(), number: 1, sha256: String::new(), luma, working, scale })
}

fn main() -> anyhow::Result<()> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let out = &args[0];
    std::fs::create_dir_all(out)?;
    let mut cells = std::fs::File::create(out.join("cells.jsonl"))?;
    for path in &args[1..] {
        let page = load(path)?;
        let started = Instant::now();
        let found = grid::find(&page);
        let grid_ms = started.elapsed().as_secs_f64() * 1e3;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match found {
            Ok(grid) => {
                let started = Instant::now();
                let cut = cell::cut(&page, &grid);
                let cut_ms = started.elapsed().as_secs_f64() * 1e3;
                let all: Vec<_> = cut
                    .iter()
                    .map(|c| serde_json::json!({"id": c.id, "box": c.quad, "ink": c.ink, "state": format!("{:?}", c.state)}))
                    .collect();
                let line = serde_json::json!({"page": name, "blocks": grid.blocks.iter().map(|b| b.rows.len()).collect::<Vec<_>>(), "number": format!("{:?}", grid.blocks[0].number_column), "grid_ms": grid_ms, "cut_ms": cut_ms, "cells": all});
                writeln!(cells, "{line}")?;
                debug::draw(&page, &grid).save(out.join(format!("{name}.png")))?;
                if std::env::var_os("PATCHES").is_some() {
                    let mut sheet = GrayImage::new(8 * cell::PATCH_WIDTH, (cut.len() as u32).div_ceil(8) * cell::PATCH_HEIGHT);
                    for (i, c) in cut.iter().enumerate() {
                        let (x, y) = (i as u32 % 8 * cell::PATCH_WIDTH, i as u32 / 8 * cell::PATCH_HEIGHT);
                        image::imageops::replace(&mut sheet, &c.patch, x.into(), y.into());
                    }
                    sheet.save(out.join(format!("{name}.cells.png")))?;
                }
            }
            Err(e) => {
                println!("{name}: {e} ({grid_ms:.0} ms)");
                writeln!(cells, "{}", serde_json::json!({"page": name, "error": e.to_string(), "grid_ms": grid_ms}))?;
                page.working.save(out.join(format!("{name}.png")))?;
            }
        }
    }
    Ok(())
}
