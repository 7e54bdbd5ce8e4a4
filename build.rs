//! Gives the program a hash of its sources and models, `SHEETSCAN_BUILD`. It is part of the cache's
//! key, so that what another build has read is never taken for this one's. It also lists the files
//! of the page of `sheetscan review`.

use std::env;
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

/// How the names of the files end that a browser gets.
const PAGE_ENDINGS: [&str; 4] = [".html", ".js", ".css", ".svg"];

/// What is written more shortly in files of the page with an ending. No text of theirs has it.
const SHORTER: [(&str, &[(&str, &str)]); 2] = [
    (
        ".js",
        &[
            (" => ", "=>"),
            (" === ", "==="),
            (" !== ", "!=="),
            (" && ", "&&"),
            (" || ", "||"),
            (" ?? ", "??"),
        ],
    ),
    (
        ".css",
        &[
            (": ", ":"),
            ("; ", ";"),
            (" {", "{"),
            ("{ ", "{"),
            (" }", "}"),
            (", ", ","),
        ],
    ),
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
    list_page_files()
}

/// Writes `review_page.rs` for `src/review/http/page_files.rs`: name and content of each file of
/// the page of `sheetscan review`.
fn list_page_files() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/review/page");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if PAGE_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            names.push(name);
        }
    }
    names.sort();
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let out = Path::new(&out);
    let mut files = Vec::new();
    for name in &names {
        let path = out.join(name);
        let source = fs::read_to_string(folder.join(name))?;
        fs::write(&path, shorten(name, &source))?;
        files.push(format!("({name:?}, include_bytes!({path:?}) as &[u8]),"));
    }
    let list = format!("&[{}]", files.concat());
    fs::write(out.join("review_page.rs"), list)
}

/// A file of the page without comments, empty lines, indentation and some spaces, as
/// `tests/page/shorten.js` has it.
fn shorten(name: &str, source: &str) -> String {
    let mut short = strip_comments(source);
    if name.ends_with(".js") {
        short = strip_inner_comments(&short);
    }
    for (ending, pairs) in SHORTER {
        if name.ends_with(ending) {
            for (long, shorter) in pairs {
                short = short.replace(long, shorter);
            }
        }
    }
    short
}

/// A script without the comments that tell a type within a line, and the space behind each.
fn strip_inner_comments(source: &str) -> String {
    let mut parts = source.split("/**");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let after = part.split_once("*/").map_or(part, |(_, after)| after);
        kept += after.strip_prefix(' ').unwrap_or(after);
    }
    kept
}

/// A file of the page without lines that are comments alone, empty lines, and indentation.
fn strip_comments(source: &str) -> String {
    let mut kept = String::new();
    let mut in_comment = false;
    for line in source.lines().map(str::trim) {
        let opens = line.starts_with("/*");
        let is_comment = in_comment || opens || line.starts_with("//");
        let closes = line.contains("*/");
        let is_inline = !in_comment && closes && !line.ends_with("*/");
        in_comment = (in_comment || opens) && !closes;
        if !line.is_empty() && (!is_comment || is_inline) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
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
