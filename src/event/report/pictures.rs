//! The pictures of cells in the report, with captions.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::{CropSource, format_percent};
use crate::crops::Crop;
use crate::grid::Side;
use crate::schema::{CellRecord, GameRecord, SheetRecord};

/// A cell with its picture, or with the reason why there is none in the caption.
#[derive(Serialize)]
pub(super) struct CellPicture {
    /// JPEG in base64.
    jpeg: Option<String>,
    /// Width in pixels.
    width: u32,
    /// Height in pixels.
    height: u32,
    alt: String,
    caption: String,
}

/// The pictures of cells of a game, in the order of the cells. Each sheet is opened once.
pub(super) fn cell_pictures(
    record: &GameRecord,
    cells: &[&CellRecord],
    crops: &CropSource,
) -> Vec<CellPicture> {
    let mut pictures: Vec<Option<CellPicture>> = cells.iter().map(|_| None).collect();
    for (n, sheet) in record.sheets.iter().enumerate() {
        let indices: Vec<usize> = (0..cells.len()).filter(|&i| cells[i].sheet == n).collect();
        if indices.is_empty() {
            continue;
        }
        let cells_of_sheet: Vec<&CellRecord> = indices.iter().map(|&i| cells[i]).collect();
        let crops_of_sheet = crops(sheet, &cells_of_sheet);
        for (k, &i) in indices.iter().enumerate() {
            let crop = match &crops_of_sheet {
                Ok(crops) => crops.get(k).ok_or("there is no picture of it"),
                Err(why) => Err(why.as_str()),
            };
            pictures[i] = Some(cell_picture(sheet, cells[i], crop));
        }
    }
    let pictures = pictures.into_iter().zip(cells);
    pictures
        .map(|(picture, cell)| picture.unwrap_or_else(|| picture_of_unknown_sheet(cell)))
        .collect()
}

fn cell_picture(sheet: &SheetRecord, cell: &CellRecord, crop: Result<&Crop, &str>) -> CellPicture {
    let side = match cell.side {
        Side::White => "White",
        Side::Black => "Black",
    };
    let name = Path::new(&sheet.path).file_name();
    let name = name.map_or(sheet.path.as_str().into(), |name| name.to_string_lossy());
    let place = format!("{name}, move {} of {side}", cell.number);
    let confidence = format_percent(cell.read_confidence);
    let reading = match cell.read.as_str() {
        "" => "nothing can be read".to_owned(),
        read => format!("reads \u{201c}{read}\u{201d} ({confidence})"),
    };
    let caption = match crop {
        Ok(_) => format!("{place}: {reading}"),
        Err(why) => format!("{place}: {reading}; {why}"),
    };
    let crop = crop.ok();
    CellPicture {
        jpeg: crop.map(|crop| STANDARD.encode(&crop.jpeg)),
        width: crop.map_or(0, |crop| crop.width),
        height: crop.map_or(0, |crop| crop.height),
        alt: format!("The writing in {place}; {reading}"),
        caption,
    }
}

/// A cell whose sheet is not among those of its game.
fn picture_of_unknown_sheet(cell: &CellRecord) -> CellPicture {
    CellPicture {
        jpeg: None,
        width: 0,
        height: 0,
        alt: String::new(),
        caption: format!("Reads \u{201c}{}\u{201d} on an unknown sheet", cell.read),
    }
}
