//! What a person reads on standard error while a command runs.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Prints a line on standard error under the program's name.
pub fn print_message(text: &str) {
    print_line(&format!("sheetscan: {text}"));
}

/// An error and its causes in one line. A cause whose text the line already has is left out.
pub fn error_line(error: &anyhow::Error) -> String {
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

/// Prints a line on standard error. A standard error that is closed is no reason to stop.
fn print_line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(text));
}

/// A text that changes nothing on a terminal but its line: control characters, line ends among
/// them, and the marks that turn the direction of writing are shown by their code, as in `\u{1b}`.
/// They come in with the names of files.
fn visible(text: &str) -> String {
    let is_direction = |c| {
        let marks = ['\u{61c}', '\u{200e}', '\u{200f}'];
        let ranges = ['\u{2028}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
        marks.contains(&c) || ranges.iter().any(|range| range.contains(&c))
    };
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_direction(c) {
            visible.extend(c.escape_unicode());
        } else {
            visible.push(c);
        }
    }
    visible
}

/// Progress: a bar on a terminal, a line a sheet elsewhere, nothing when quiet. Faults are printed
/// in every case.
pub struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    /// Number of files, and of those that are done.
    files: usize,
    done: Cell<usize>,
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
            done: Cell::new(0),
            started: Instant::now(),
        }
    }

    /// Prints a fault, even when quiet.
    pub fn fault(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print_message(text)),
            None => print_message(text),
        }
    }

    /// A sheet of the current file was read, with what is to be printed of it.
    pub fn sheet_read(&self, name: &str, text: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(visible(name)),
            None if self.quiet => {}
            None => {
                let (number, files) = (self.done.get() + 1, self.files);
                print_line(&format!("[{number}/{files}] {name}: {text}"));
            }
        }
    }

    /// Prints a line, unless quiet.
    pub fn print(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print_line(line)),
            None if self.quiet => {}
            None => print_line(line),
        }
    }

    /// Prints a line, even when quiet.
    #[cfg(feature = "review")]
    pub fn announce(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print_line(line)),
            None => print_line(line),
        }
    }

    /// All sheets of a file are done.
    pub fn file_done(&self) {
        self.done.set(self.done.get() + 1);
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Prints a closing table of one line: the names and figures of the columns, and the seconds
    /// since the start.
    pub fn close(self, columns: &[(&str, usize)]) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.quiet {
            return;
        }
        let seconds = format!("{:.1}", self.started.elapsed().as_secs_f64());
        let columns = columns.iter().map(|(name, n)| (*name, n.to_string()));
        let (mut names, mut figures) = (String::new(), String::new());
        for (name, figure) in columns.chain([("seconds", seconds)]) {
            let width = name.len().max(figure.len()) + 2;
            names += &format!("{name:>width$}");
            figures += &format!("{figure:>width$}");
        }
        print_line(&names);
        print_line(&figures);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_on_the_terminal_beyond_its_place() {
        for (name, shown) in [
            ("round 1/Müller.jpg", "round 1/Müller.jpg"),
            ("a\u{1b}[2Jb", r"a\u{1b}[2Jb"),
            ("a\nsheetscan: all read", r"a\u{a}sheetscan: all read"),
            ("gpj.\u{202e}exe", r"gpj.\u{202e}exe"),
            ("a\u{9b}31m\u{2066}\u{7f}", r"a\u{9b}31m\u{2066}\u{7f}"),
        ] {
            assert_eq!(visible(name), shown);
        }
    }
}
