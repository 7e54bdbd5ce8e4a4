//! What is read outside the table of each page named: `cargo run --release --example header_words -- PICTURE...`, a line a
//! word: the picture, its place in rows of the table, what it says. With `--cut DIR` first, the patches go there; then another
//! model may be named.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use sheetscan::reader::{Network, read_words};
use sheetscan::{grid, header, page};

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let folder =
        (paths.first().is_some_and(|p| p.as_os_str() == "--cut")).then(|| paths.drain(..2).nth(1));
    let named = paths
        .first()
        .is_some_and(|p| p.extension().is_some_and(|e| e == "onnx"));
    let model = if named {
        Network::from_file(&paths.remove(0))?
    } else {
        Network::words()?
    };
    for path in paths {
        for page in page::open(&path)? {
            let page = page?;
            let Ok(grid) = grid::find(&page) else {
                eprintln!("{}: no table", path.display());
                continue;
            };
            let from = Instant::now();
            let words = header::words(&page, &grid);
            let found = from.elapsed();
            let read = read_words(&model, &words)?;
            eprintln!(
                "{}: {} words, found in {found:?}, read in {:?}",
                path.display(),
                words.len(),
                from.elapsed() - found
            );
            if let Some(Some(folder)) = &folder {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                for (i, word) in words.iter().enumerate() {
                    word.patch.save(folder.join(format!("{stem}-{i:03}.png")))?;
                }
            }
            for word in &read {
                let p = word.place();
                println!(
                    "{}\t{:.2}\t{:.2}\t{:.2}\t{:.2}\t{}",
                    path.display(),
                    p.left,
                    p.top,
                    p.right,
                    p.bottom,
                    word.text
                );
            }
        }
    }
    Ok(())
}
