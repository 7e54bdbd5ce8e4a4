//! Finds the cells of pictures with other parameters than the defaults:
//! `cargo run --release --example find_cells -- PATH=VALUE... < PICTURES > MANIFEST`
//!
//! A path is that of a field of [`sheetscan::Parameters`], as `scan.grid.rows.min_rows`, a value is
//! written as in TOML. Standard input has the path of a picture in each line. The output is the
//! manifest of `sheetscan cells` without its last column; `eval/sweep_tables.py` judges it.

use std::path::Path;

use anyhow::{Context, Result};
use sheetscan::Parameters;
use sheetscan::reader::Network;
use sheetscan::{page, scan};
use toml::Value;

mod parameter_path;

fn main() -> Result<()> {
    let mut tree = Value::try_from(Parameters::default())?;
    for argument in std::env::args().skip(1) {
        let (path, value) = argument
            .split_once('=')
            .context("usage: find_cells PATH=VALUE...")?;
        let value: toml::Table = toml::from_str(&format!("value = {value}"))?;
        parameter_path::set(&mut tree, path, &value["value"])?;
    }
    let parameters: Parameters = tree.try_into()?;
    let model = Network::embedded()?;
    println!("sheet\tpage\tmove\tside\tx0\ty0\tx1\ty1\tx2\ty2\tx3\ty3\tink\tstate");
    for path in std::io::stdin().lines() {
        let path = path?;
        for page in page::open(Path::new(&path))? {
            let page = page?;
            let Ok(table) = scan::read_table(&page, &model, None, &parameters.scan) else {
                continue;
            };
            for cell in table.cells {
                let side = serde_json::to_value(cell.id.side)?;
                let side = side.as_str().context("a side is a name")?;
                print!("{path}\t{}\t{}\t{side}", page.number, cell.id.number);
                for corner in cell.quad {
                    print!("\t{:.1}\t{:.1}", corner.x, corner.y);
                }
                let state = if cell.state.has_ink() {
                    "written"
                } else {
                    "blank"
                };
                println!("\t{:.4}\t{state}", cell.ink);
            }
        }
    }
    Ok(())
}
