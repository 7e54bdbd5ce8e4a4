//! Prints what is read outside the table of each page:
//! `cargo run --release --example header_words -- [--crops FOLDER] [MODEL.onnx] PICTURE...`
//!
//! One line a word, separated by tabs: the picture, the left, upper, right and lower edge in rows
//! of the table, and the text. `--crops` saves the pictures of the words in FOLDER. MODEL.onnx
//! reads the words in place of the built-in model.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sheetscan::header::WordCrop;
use sheetscan::page::Page;
use sheetscan::reader::{Network, read_words};
use sheetscan::{grid, header, page};

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let folder = match paths.first() {
        Some(first) if first.as_os_str() == "--crops" => paths.drain(..2).nth(1),
        _ => None,
    };
    let is_model = |path: &PathBuf| path.extension().is_some_and(|e| e == "onnx");
    let model = if paths.first().is_some_and(is_model) {
        Network::from_file(&paths.remove(0))?
    } else {
        Network::embedded_words()?
    };
    for path in paths {
        for page in page::open(&path)? {
            print_words(&model, &page?, folder.as_deref())?;
        }
    }
    Ok(())
}

/// Prints the words of a page, and the time that they took on standard error.
fn print_words(model: &Network, page: &Page, folder: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let picture = page.path.display();
    let Ok(grid) = grid::detect(page, &grid::Parameters::default()) else {
        eprintln!("{picture}: no table");
        return Ok(());
    };
    let start = Instant::now();
    let crops = header::find_words(page, &grid, &header::Parameters::default());
    let search_time = start.elapsed();
    let words = read_words(model, &crops)?;
    eprintln!(
        "{picture}: {} words, found in {search_time:?}, read in {:?}",
        crops.len(),
        start.elapsed() - search_time
    );
    if let Some(folder) = folder {
        save_crops(&crops, &page.path, folder)?;
    }
    for word in words.iter().flatten() {
        let bounds = word.bounds();
        println!(
            "{picture}\t{:.2}\t{:.2}\t{:.2}\t{:.2}\t{}",
            bounds.left, bounds.top, bounds.right, bounds.bottom, word.text
        );
    }
    Ok(())
}

/// Saves the pictures of words as `PICTURE-000.png` and so on.
fn save_crops(crops: &[WordCrop], picture: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let stem = picture.file_stem().unwrap_or_default().to_string_lossy();
    for (i, crop) in crops.iter().enumerate() {
        crop.patch.save(folder.join(format!("{stem}-{i:03}.png")))?;
    }
    Ok(())
}
