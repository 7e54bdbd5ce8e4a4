//! What a person sees on standard error while sheets are read.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Says one line on standard error under the program's name.
pub fn complain(text: &str) {
    say(&format!("sheetscan: {text}"));
}

/// An error with its causes in one line; a cause that the line above it already tells is not told twice.
pub fn reasons(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if line.is_empty() {
            line = cause;
        } else if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line
}

/// A line on standard error; where nobody listens any more, that is no reason to stop.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Progress: a bar on a terminal, a line a file elsewhere, nothing when quiet. Faults are told in every case.
pub struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    files: usize,
    done: usize,
    started: Instant,
}

impl Progress {
    /// Starts the clock.
    pub fn start(files: usize, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style =
                ProgressStyle::with_template("{bar:30} {pos}/{len} sheets  {msg}  {eta} left");
            let bar = ProgressBar::new(files as u64).with_style(style.expect("a valid template"));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self {
            bar,
            quiet,
            files,
            done: 0,
            started: Instant::now(),
        }
    }

    /// A fault of one sheet.
    pub fn fault(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(text)),
            None => complain(text),
        }
    }

    /// A sheet of the current file was read.
    pub fn read(&self, sheet: &str, found: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(sheet.to_owned()),
            None if self.quiet => {}
            None => say(&format!(
                "[{}/{}] {sheet}: {found}",
                self.done + 1,
                self.files
            )),
        }
    }

    /// A game was found.
    pub fn found(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(line)),
            None if self.quiet => {}
            None => say(line),
        }
    }

    /// All sheets of a file are done.
    pub fn file_done(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Closes with a table of one line: the columns' names and figures, and the seconds it took.
    pub fn close(self, columns: &[(&str, usize)]) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.quiet {
            return;
        }
        let seconds = format!("{:.1}", self.started.elapsed().as_secs_f64());
        let figures = columns
            .iter()
            .map(|(name, n)| (*name, n.to_string()))
            .chain([("seconds", seconds)]);
        let (mut head, mut body) = (String::new(), String::new());
        for (name, figure) in figures {
            let width = name.len().max(figure.len()) + 2;
            head += &format!("{name:>width$}");
            body += &format!("{figure:>width$}");
        }
        say(&format!("{head}\n{body}"));
    }
}
