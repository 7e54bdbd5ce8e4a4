//! Gives the program a hash of its sources and models, `SHEETSCAN_BUILD`. It is part of the cache's
//! key, so that what another build has read is never taken for this one's.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

/// The files and folders that decide what is read on a page.
const SOURCES: [&str; 9] = [
    "src",
    "models/reader.onnx",
    "models/second_stage.onnx",
    "models/words.onnx",
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
        // The lock file may be missing from a package that comes from a registry.
        if path.exists() {
            hash_path(path, &mut hasher)?;
        }
    }
    println!("cargo:rustc-env=SHEETSCAN_BUILD={:016x}", hasher.finish());
    Ok(())
}

/// Hashes the name and content of a file, or of all files in a folder, sorted by name.
fn hash_path(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    if !path.is_dir() {
        path.hash(hasher);
        fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().try_for_each(|path| hash_path(path, hasher))
}
