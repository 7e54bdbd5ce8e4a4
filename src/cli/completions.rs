//! `sheetscan completions`: what a shell suggests for the arguments.

use std::io::Write;

use anyhow::Result;

use super::args::{CompletionsArgs, visible_command};
use super::exit_status::ExitStatus;

/// Runs the command.
pub fn run(args: &CompletionsArgs) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut visible_command(), "sheetscan", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(ExitStatus::AllRead)
}
