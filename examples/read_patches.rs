//! Reads move cells as the program does, for `models/train/measure.py`.
//!
//! Standard input is luma, `[N, 64, 224]`: for each cell its patch of 48 x 192 pixels, 8 more above
//! and below it and 16 at its sides. Standard output is one line of text a cell.

use std::io::{Read, stdin};

use image::GrayImage;
use sheetscan::cell::{Cell, PICTURE_HEIGHT, PICTURE_WIDTH};
use sheetscan::geometry::Point;
use sheetscan::grid::{CellId, Side};
use sheetscan::ink::CellState;
use sheetscan::reader::{self, Network};

/// Number of cells that are read together. They are taken for one sheet, of one writer and in one
/// language.
const CELLS_PER_SHEET: usize = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes)?;
    let pictures = bytes.chunks_exact((PICTURE_WIDTH * PICTURE_HEIGHT) as usize);
    let cells = pictures.filter_map(|luma| {
        Some(Cell {
            id: CellId {
                number: 1,
                side: Side::White,
            },
            quad: [Point::new(0.0, 0.0); 4],
            picture: GrayImage::from_raw(PICTURE_WIDTH, PICTURE_HEIGHT, luma.to_vec())?,
            ink: 0.0,
            state: CellState::Written,
        })
    });
    let cells: Vec<Cell> = cells.collect();
    let network = Network::embedded()?;
    for sheet in cells.chunks(CELLS_PER_SHEET) {
        for reading in reader::read(&network, sheet)? {
            println!("{}", reading.text);
        }
    }
    Ok(())
}
