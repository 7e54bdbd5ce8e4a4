//! Gives the program a hash of its sources and models, `SHEETSCAN_BUILD`. It is part of the cache's
//! key, so that what another build has read is never taken for this one's. Lists the files of the
//! page of `sheetscan review`.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write;
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

/// The page of `sheetscan review`, and the kinds of its files that are served.
const PAGE: &str = "src/review/page";
const PAGE_KINDS: [&str; 4] = ["html", "js", "css", "svg"];

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
    list_page_files()
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

/// Writes a Rust expression with the name and content of each file of the page.
fn list_page_files() -> io::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(PAGE)? {
        let path = entry?.path();
        let kind = path.extension().and_then(OsStr::to_str);
        let name = path.file_name().and_then(OsStr::to_str);
        if kind.is_some_and(|kind| PAGE_KINDS.contains(&kind)) {
            names.extend(name.map(str::to_owned));
        }
    }
    names.sort();
    let folder = env::current_dir()?.join(PAGE);
    let mut list = String::from("&[\n");
    for name in names {
        let path = folder.join(&name);
        let _ = writeln!(list, "    ({name:?}, include_bytes!({path:?}) as &[u8]),");
    }
    list.push_str("]\n");
    let target = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&target).join("review_page.rs"), list)
}
