//! Where the cells of printed sheets stand: `printed_cells < CODES > LINES`
//!
//! Standard input has the text of a sheet's QR code in each line. The output has a line of JSON for
//! each: what the code says, the size of the sheet, and all its cells and its code, in millimetres
//! from the sheet's top left corner. `models/train/printed_round.py` fills and judges the cells.

use anyhow::Result;
use serde_json::json;
use sheetscan::form::{FormCode, SheetSide};

fn main() -> Result<()> {
    for text in std::io::stdin().lines() {
        let text = text?;
        let code = FormCode::parse(&text)?;
        let form = code.form;
        let mut cells = Vec::new();
        for block in form.blocks() {
            for row in 0..block.rows {
                let (top, bottom) = (block.row_edge(row), block.row_edge(row + 1));
                let number = block.first_row + u16::from(row);
                for (side, [left, right]) in [("white", block.white), ("black", block.black)] {
                    cells.push(json!({
                        "move": number,
                        "side": side,
                        "box": [left, top, right, bottom],
                    }));
                }
            }
        }
        let square = form.code_square();
        let line = json!({
            "code": text,
            "round": code.round,
            "white": code.white,
            "side": code.side.map(|side| match side {
                SheetSide::White => "white",
                SheetSide::Black => "black",
            }),
            "size": form.size().dimensions(),
            "square": [square.left, square.top, square.right, square.bottom],
            "result_boxes": form.result_boxes().map(|b| [b.left, b.top, b.right, b.bottom]),
            "cells": cells,
        });
        println!("{line}");
    }
    Ok(())
}
