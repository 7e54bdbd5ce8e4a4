//! `sheetscan __draw`: draws a page in a process of its own, for a run that has a PDF, HEIC or
//! JPEG 2000 file to read. Nobody else calls it, so that `--help` does not list it.

use std::env;
use std::path::PathBuf;

use anyhow::Result;

use sheetscan::page;

use super::args::{DRAW_COMMAND, DrawArgs};
use super::exit_status::ExitStatus;

/// Has this program draw pages in child processes.
pub fn use_children() {
    // On Linux this leads to the program even where its file was replaced while it runs.
    let own = PathBuf::from("/proc/self/exe");
    let program = if own.exists() {
        own
    } else {
        // Without a name no child can be started, and each page is told as not drawn.
        env::current_exe().unwrap_or_default()
    };
    page::draw_in_children(program, vec![DRAW_COMMAND.into()]);
}

/// Runs the command.
pub fn run(args: &DrawArgs) -> Result<ExitStatus> {
    page::draw_as_child(args.page)?;
    Ok(ExitStatus::AllRead)
}
