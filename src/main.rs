//! The sheetscan program: arguments in, exit status out.

mod cli;

use std::io::ErrorKind;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use sheetscan_kernels::Level;

use cli::args::{Command, CommandLine};
use cli::exit_status::ExitStatus;

fn main() -> ExitCode {
    let status = match CommandLine::try_parse() {
        Ok(line) => run(line.command),
        Err(usage) => {
            // There is nobody to report to if this fails.
            let _ = usage.print();
            if cli::version::is_asked_for_details(&usage) {
                print!("{}", cli::version::details());
            }
            // clap would exit with 2 for wrong usage, which means "look at the moves" here.
            if usage.use_stderr() {
                ExitStatus::Failed
            } else {
                ExitStatus::AllRead
            }
        }
    };
    ExitCode::from(status as u8)
}

fn run(command: Command) -> ExitStatus {
    if !matches!(command, Command::Draw(_)) {
        cli::draw::use_children();
        if !command.ends_by_itself() {
            cli::signals::end_cleanly();
        }
    }
    execute(command).unwrap_or_else(|error| {
        let io = error.downcast_ref::<std::io::Error>();
        if io.is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) {
            // The reader of the output has all that it wanted: `sheetscan scan ... | head`.
            return ExitStatus::AllRead;
        }
        cli::progress::print_message(&cli::progress::error_line(&error));
        ExitStatus::Failed
    })
}

fn execute(command: Command) -> Result<ExitStatus> {
    // A misspelt level is told instead of ignored.
    Level::from_environment()?;
    match command {
        Command::Scan(args) => cli::scan::run(&args),
        #[cfg(feature = "review")]
        Command::Review(args) => cli::review::run(&args),
        Command::Cells(args) => cli::cells::run(&args),
        Command::Layout(args) => cli::layout::run(&args),
        #[cfg(feature = "forms")]
        Command::Forms(args) => cli::forms::run(&args),
        Command::Merge(args) => cli::merge::run(&args),
        Command::Transcribe(args) => cli::transcribe::run(&args),
        Command::Schema(args) => cli::schema::run(&args),
        Command::Completions(args) => cli::completions::run(&args),
        Command::Man(args) => cli::man::run(&args),
        Command::Draw(args) => cli::draw::run(&args),
    }
}
