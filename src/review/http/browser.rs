//! Opening the page in the person's browser.

use std::io;
use std::process::{Command, Stdio};
use std::thread;

/// Opens an address in the browser. No shell sees it; other users of this machine can, so that it
/// must be one that works once ([`Server::opening_address`](super::Server::opening_address)).
///
/// This does not wait for the browser. `on_failure` is called, at once or later, if there is none.
pub fn open_browser(address: &str, on_failure: impl FnOnce() + Send + 'static) {
    let started = opener()
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let wait = move || {
        let opened = started.and_then(|mut child| child.wait());
        if !opened.is_ok_and(|status| status.success()) {
            on_failure();
        }
    };
    // Some openers end only when the browser does.
    let waiting: io::Result<_> = thread::Builder::new()
        .name("browser".to_owned())
        .spawn(wait);
    drop(waiting);
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
