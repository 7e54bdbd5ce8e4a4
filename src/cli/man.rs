//! `sheetscan man`: the manual pages, made of the texts of `--help`.

use std::fs;
use std::io::Write;

use anyhow::{Context, Result};
use clap_mangen::Man;

use super::args::{ManArgs, visible_command};
use super::exit_status::ExitStatus;

/// Runs the command.
pub fn run(args: &ManArgs) -> Result<ExitStatus> {
    // `sheetscan help` has no page of its own.
    let command = visible_command().disable_help_subcommand(true);
    if let Some(folder) = &args.out {
        let write = || {
            fs::create_dir_all(folder)?;
            clap_mangen::generate_to(command, folder)
        };
        write().with_context(|| format!("{}: cannot be written", folder.display()))?;
    } else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        std::io::stdout().write_all(&page)?;
    }
    Ok(ExitStatus::AllRead)
}
