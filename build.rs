//! Gives the program a hash of its sources and models, `SHEETSCAN_BUILD`. It is part of the cache's
//! key, so that what another build has read is never taken for this one's. It also lists the files
//! of the page of `sheetscan review`.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

/// The files and folders that decide what is read on a page.
const SOURCES: [&str; 11] = [
    "src",
    "kernels/src",
    "models/reader.onnx",
    "models/second_stage.onnx",
    "models/words.onnx",
    "models/table.onnx",
    "models/numbers.onnx",
    "models/prior.bin",
    "models/ngrams.tsv",
    "Cargo.toml",
    "Cargo.lock",
];

/// How the names of the files end that a browser gets.
const PAGE_ENDINGS: [&str; 4] = [".html", ".js", ".css", ".svg"];

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
    let target = env::var("TARGET").map_err(io::Error::other)?;
    println!("cargo:rustc-env=SHEETSCAN_TARGET={target}");
    tell_commit();
    list_page_files()
}

/// Gives the program its commit, `SHEETSCAN_COMMIT`, where the environment says it, as for `make
/// deb`, or the file that Cargo puts into a package. It is not asked of Git, since the program would
/// then be compiled anew after every commit.
fn tell_commit() {
    println!("cargo:rerun-if-env-changed=SHEETSCAN_COMMIT");
    let packaged = || {
        let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
        let behind = text.split_once("\"sha1\"")?.1;
        behind.split('"').nth(1).map(str::to_owned)
    };
    let commit = env::var("SHEETSCAN_COMMIT").ok().or_else(packaged);
    if let Some(commit) = commit {
        let digits: String = commit.chars().take(12).collect();
        println!("cargo:rustc-env=SHEETSCAN_COMMIT={digits}");
    }
}

/// Writes `review_page.rs` for `src/review/http/page_files.rs`: name and content of each file of
/// the page of `sheetscan review`.
fn list_page_files() -> io::Result<()> {
    let folder = Path::new("src/review/page");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
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

/// A file of the page without lines that are comments alone, types within a line, empty lines,
/// indentation, and spaces, commas and semicolons that say nothing, as `tests/page/shorten.js` has
/// it.
fn shorten(name: &str, source: &str) -> String {
    let (is_css, is_js) = (name.ends_with(".css"), name.ends_with(".js"));
    let mut kept = String::new();
    let mut in_comment = false;
    let mut is_const = false;
    for line in source.lines().map(str::trim) {
        let opens = line.starts_with("/*");
        let is_comment = in_comment || opens || line.starts_with("//");
        let closes = line.contains("*/");
        let is_inline = !in_comment && closes && !line.ends_with("*/");
        in_comment = (in_comment || opens) && !closes;
        if line.is_empty() || (is_comment && !is_inline) {
            continue;
        }
        let line = strip_types(line);
        let packed = match () {
            () if is_css => remove_spaces(&line, "{}", ":;,{}"),
            () if is_js => pack_js(&line),
            () => line.clone(),
        };
        // Constants one below the other share their keyword.
        match packed.strip_prefix("const").filter(|_| is_const) {
            Some(further) => {
                kept.pop();
                kept.push(',');
                kept += further.trim_start();
            }
            None => kept += &packed,
        }
        // The next line may follow at once where no statement needs the end of this one: each has
        // its semicolon.
        let is_code = is_js && !line.contains("//");
        let is_joined = is_css && packed.ends_with([':', ';', ',', '{', '}'])
            || is_code && packed.ends_with([';', ',', '{', '}', '(', ')']);
        is_const = is_js && packed.starts_with("const") && packed.ends_with(';') && is_joined;
        if !is_joined {
            kept.push('\n');
        }
    }
    if !is_js && !is_css {
        return strip_quotes(&kept);
    }
    // The last of a list or of a block needs no sign behind it; no text of the page has these.
    let superfluous = [";}", ",}", ",]", ",)"];
    superfluous
        .iter()
        .fold(kept, |text, pair| text.replace(pair, &pair[1..]))
}

/// HTML without the quotes of attributes that are one word.
fn strip_quotes(html: &str) -> String {
    let (mut kept, mut rest) = (String::new(), html);
    while let Some((before, behind)) = rest.split_once("=\"") {
        kept += before;
        let Some((value, after)) = behind.split_once('"') else {
            break;
        };
        let is_word = value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        match is_word && !value.is_empty() && after.starts_with([' ', '>']) {
            true => kept += &format!("={value}"),
            false => kept += &format!("=\"{value}\""),
        }
        rest = after;
    }
    kept + rest
}

/// A line without the types of JSDoc that stand within it.
fn strip_types(line: &str) -> String {
    let (mut kept, mut rest) = (String::new(), line);
    while let Some((before, behind)) = rest.split_once("/** @") {
        let Some((_, after)) = behind.split_once("*/") else {
            break;
        };
        kept.push_str(before);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    kept + rest
}

/// A line of JavaScript without spaces beside signs, if it has only code and plain strings.
fn pack_js(line: &str) -> String {
    const SIGNS: &str = "=(){},:;?&|<>";
    if line.matches('`').count() > 2 || line.contains('\\') {
        return line.to_owned();
    }
    let (mut packed, mut rest) = (String::new(), line);
    loop {
        let quote = rest.find(['"', '`']).unwrap_or(rest.len());
        let (code, behind) = rest.split_at(quote);
        let mark = behind.chars().next();
        let end = mark.and_then(|mark| behind[1..].find(mark));
        if code.contains(['\'', '/']) || (mark.is_some() && end.is_none()) {
            return line.to_owned();
        }
        packed += &remove_spaces(code, SIGNS, SIGNS);
        let Some(end) = end else {
            return packed;
        };
        packed += &behind[..end + 2];
        rest = &behind[end + 2..];
    }
}

/// A text without the spaces before and behind some signs.
fn remove_spaces(text: &str, before: &str, behind: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let is_one = |i: usize, signs: &str| chars.get(i).is_some_and(|c| signs.contains(*c));
    let is_superfluous =
        |i: usize| chars[i] == ' ' && (is_one(i + 1, before) || i > 0 && is_one(i - 1, behind));
    let kept = (0..chars.len()).filter(|&i| !is_superfluous(i));
    kept.map(|i| chars[i]).collect()
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
