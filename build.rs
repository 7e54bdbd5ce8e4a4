//! Tells the program which build it is, so that it never takes from its cache what another build has read.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

/// Everything that what is read depends on.
const SOURCES: [&str; 8] = [
    "src",
    "models/reader.onnx",
    "models/second_stage.onnx",
    "models/table.onnx",
    "models/numbers.onnx",
    "models/ngrams.tsv",
    "Cargo.toml",
    "Cargo.lock",
];

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        let path = Path::new(source);
        // A package from a registry may lack its lock file.
        if path.exists() {
            add(path, &mut hasher)?;
        }
    }
    println!("cargo:rustc-env=SHEETSCAN_BUILD={:016x}", hasher.finish());
    Ok(())
}

/// Adds a file, or the files of a folder in the order of their names.
fn add(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    if !path.is_dir() {
        path.hash(hasher);
        fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().try_for_each(|path| add(path, hasher))
}
