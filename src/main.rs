//! The sheetscan program: arguments in, exit status out.

mod cli;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::Parser;

use cli::args::{Command, CommandLine};

/// What the shell is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// Every sheet was read and no move needs a look.
    AllRead = 0,
    /// Wrong usage, or input or output that stopped the run.
    Failed = 1,
    /// The run finished; some sheet could not be read or has moves to look at.
    LookAgain = 2,
    /// The run finished; the report file, the sheets and the games contradict each other.
    Conflicts = 3,
}

fn main() -> ExitCode {
    let exit = match CommandLine::try_parse() {
        Ok(line) => run(line.command),
        Err(usage) => {
            // Nobody is left to tell if this fails.
            let _ = usage.print();
            // clap would exit with 2 for wrong usage, which here means "look at the moves".
            if usage.use_stderr() {
                Exit::Failed
            } else {
                Exit::AllRead
            }
        }
    };
    ExitCode::from(exit as u8)
}

fn run(command: Command) -> Exit {
    let result = match command {
        Command::Scan(args) => cli::scan::run(&args),
        Command::Cells(args) => cli::cells::run(&args),
        Command::Layout(args) => cli::layout::run(&args),
        Command::Merge(args) => cli::merge::run(&args),
        Command::Transcribe(args) => cli::transcribe::run(&args),
        Command::Schema(args) => cli::schema::run(&args),
    };
    result.unwrap_or_else(|error| {
        let io = error.downcast_ref::<std::io::Error>();
        if io.is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) {
            // Whoever read our output has seen enough: `sheetscan scan ... | head`.
            return Exit::AllRead;
        }
        cli::progress::complain(&cli::progress::reasons(&error));
        Exit::Failed
    })
}
