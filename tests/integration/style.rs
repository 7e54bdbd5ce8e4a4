//! Lines of code, comments and documents end at column 100.
//!
//! Not held to it are rows of tables, links and commands in documents, web addresses, and literals
//! in tests, which are the data that a test reads.

use std::fs;
use std::path::Path;

use crate::common::{files_below, root};

/// Largest number of characters in a line.
const MAX_COLUMNS: usize = 100;

/// Folders of which every .rs, .py and .md file is checked.
const FOLDERS: [&str; 7] = [
    "src",
    "kernels",
    "tests",
    "benches",
    "examples",
    "models/train",
    "docs",
];

#[test]
fn no_line_is_longer_than_a_hundred_characters() {
    let mut long = Vec::new();
    for folder in FOLDERS {
        for file in files_below(&root().join(folder)) {
            check_file(&file, &mut long);
        }
    }
    assert!(
        long.is_empty(),
        "lines of more than {MAX_COLUMNS} characters:\n{}",
        long.join("\n")
    );
}

/// Adds the long lines of a file.
fn check_file(path: &Path, long: &mut Vec<String>) {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_document = extension == Some("md");
    if !is_document && !matches!(extension, Some("rs" | "py")) {
        return;
    }
    let name = path.strip_prefix(root()).unwrap_or(path);
    let is_test = name.starts_with("tests");
    let text = fs::read_to_string(path).expect("a text in UTF-8");
    let mut is_fenced = false;
    for (line, number) in text.lines().zip(1..) {
        is_fenced ^= is_document && line.trim_start().starts_with("```");
        let columns = line.chars().count();
        // rustfmt breaks all code in tests but literals.
        let is_literal = is_test && !line.trim_start().starts_with("//");
        let is_unbreakable = is_document && (is_fenced || is_row_or_link(line));
        if columns > MAX_COLUMNS && !is_literal && !is_unbreakable && !is_address(line) {
            long.push(format!("{}:{number}: {columns}", name.display()));
        }
    }
}

/// Whether a line of Markdown is a row of a table, or an item of a list that is one link.
fn is_row_or_link(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('|') || line.starts_with("- ") && line.ends_with(".md)")
}

/// Whether a line is long because of a web address that does not break.
fn is_address(line: &str) -> bool {
    let longest = line.split_whitespace().max_by_key(|word| word.len());
    longest.is_some_and(|word| word.contains("://") && word.len() > MAX_COLUMNS / 2)
}
