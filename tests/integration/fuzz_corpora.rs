//! The files of `fuzz/corpus` do no harm: what a fuzzer once found stays mended.

use std::path::Path;

#[path = "../../fuzz/inputs.rs"]
mod inputs;

/// Feeds all files of a target's corpus to it, which panics where one does harm.
fn run_corpus(target: &str, run: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let files = std::fs::read_dir(&folder).expect("a corpus");
    let mut count = 0;
    for file in files {
        let path = file.expect("a file").path();
        println!("{}", path.display());
        run(&std::fs::read(&path).expect("its bytes"));
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}

#[test]
fn pictures() {
    run_corpus("picture", inputs::picture);
}

#[test]
fn maps_of_tables() {
    run_corpus("table", inputs::table);
}

#[test]
fn files_of_pairing_programs() {
    run_corpus("event_files", inputs::event_files);
}

#[test]
fn tables_of_headers() {
    run_corpus("header_rows", inputs::header_rows);
}

#[cfg(feature = "review")]
#[test]
fn requests_to_a_review() {
    run_corpus("review_request", inputs::requests::review_request);
}

#[test]
fn typed_notation() {
    run_corpus("typed_notation", inputs::typed_notation);
}

#[test]
fn layouts_and_fixes() {
    run_corpus("layout_and_fixes", inputs::layout_and_fixes);
}

#[test]
fn lines_of_json() {
    run_corpus("json_line", inputs::json_line);
}

#[test]
fn posteriors() {
    run_corpus("posteriors", inputs::posteriors);
}
