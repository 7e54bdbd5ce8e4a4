//! What a program that is installed says of itself: completions, manual pages, version.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{TestDir, commands, skip_without};
use sha2::{Digest, Sha256};

fn is_installed(tool: &str) -> bool {
    let mut command = Command::new(tool);
    let command = command.arg("--version").stdout(Stdio::null());
    command.stderr(Stdio::null()).status().is_ok()
}

#[test]
fn every_command_and_no_hidden_one_is_completed_in_every_shell() {
    let dir = TestDir::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let run = dir.run(&["completions", shell]);
        assert_eq!((run.status, run.stderr.len()), (0, 0), "{shell}");
        for command in commands() {
            assert!(run.stdout.contains(command), "{shell}: {command}");
        }
        assert!(!run.stdout.contains("__draw"), "{shell}");
    }
}

#[test]
fn bash_completes_a_command_that_was_begun() {
    let dir = TestDir::new();
    let script = dir.run(&["completions", "bash"]).stdout;
    dir.write("completions.bash", script);
    let words = "source completions.bash; COMP_WORDS=(sheetscan tran); COMP_CWORD=1; \
                 _sheetscan sheetscan tran sheetscan; echo ${COMPREPLY[@]}";
    let mut bash = Command::new("bash");
    let bash = bash.args(["--norc", "-ec", words]);
    let Ok(output) = bash.current_dir(dir.path("")).output() else {
        return skip_without("bash");
    };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.stdout, b"transcribe\n");
}

#[test]
fn every_command_has_a_manual_page_without_a_warning_of_groff() {
    let dir = TestDir::new();
    let run = dir.run(&["man", "--out", "man1"]);
    assert_eq!((run.status, run.stderr.len()), (0, 0));
    assert_eq!(
        dir.run(&["man"]).stdout,
        dir.text("man1/sheetscan.1"),
        "the page on standard output"
    );
    let pages = fs::read_dir(dir.path("man1")).unwrap();
    // That of the program, and one for each command.
    assert_eq!(pages.count(), 1 + commands().count());
    let main = dir.text("man1/sheetscan.1");
    for command in commands() {
        let name = format!("man1/sheetscan-{command}.1");
        assert!(dir.text(&name).contains(command), "{name}");
        assert!(main.contains(command), "{command}");
    }
    if !is_installed("groff") {
        return skip_without("groff");
    }
    for page in fs::read_dir(dir.path("man1")).unwrap() {
        let page = page.unwrap().path();
        let mut groff = Command::new("groff");
        let groff = groff
            .args(["-man", "-ww", "-z", "-Kutf8", "-Tutf8"])
            .arg(&page);
        let output = groff.output().unwrap();
        let warnings = String::from_utf8_lossy(&output.stderr);
        assert_eq!(warnings, "", "{}", page.display());
    }
}

#[test]
fn a_folder_of_pages_that_cannot_be_made_is_named() {
    let dir = TestDir::new();
    dir.write("taken", "a file");
    let run = dir.run(&["man", "--out", "taken"]);
    assert_eq!(run.status, 1);
    run.line_about("taken");
}

#[test]
fn the_short_version_is_one_line_and_the_long_one_begins_with_it() {
    let dir = TestDir::new();
    let line = concat!("sheetscan ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(dir.run(&["-V"]).stdout, line);
    let run = dir.run(&["--version"]);
    assert_eq!((run.status, run.stderr.len()), (0, 0));
    let details = run.stdout.strip_prefix(line).unwrap();
    assert!(details.starts_with("build "), "{details}");
    assert!(details.contains("\ntarget "), "{details}");
    for name in ["reader", "second_stage", "words", "table", "numbers"] {
        let file = fs::read(format!("models/{name}.onnx")).unwrap();
        let hash = Sha256::digest(file);
        let digits = hash[..6].iter().map(|byte| format!("{byte:02x}"));
        let line = format!("\nmodel {name}.onnx {}\n", digits.collect::<String>());
        assert!(details.contains(&line), "{line} not in {details}");
    }
}
