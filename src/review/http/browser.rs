//! Opening the page in the person's browser.

use std::io;
use std::process::{Child, Command, Stdio};

/// Opens an address in the browser. No shell sees it.
///
/// The programs show the address in their arguments, which other users of this machine can list
/// while they run; `file` therefore stands for a way through a private file where there is one.
///
/// # Errors
/// If there is no program that opens addresses.
pub fn open_browser(address: &str) -> io::Result<Child> {
    opener()
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

#[cfg(target_os = "macos")]
fn opener() -> Command {
    Command::new("open")
}

#[cfg(windows)]
fn opener() -> Command {
    // The empty argument is the title of the window, for which `start` takes the first in quotes.
    let mut command = Command::new("cmd");
    command.args(["/c", "start", ""]);
    command
}

#[cfg(not(any(target_os = "macos", windows)))]
fn opener() -> Command {
    Command::new("xdg-open")
}
