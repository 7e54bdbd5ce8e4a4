//! What happens when the user or the system asks the program to stop.

/// Has Ctrl-C and SIGTERM end the program with the status that shells give to them, 130 and 143,
/// without a file under a temporary name. A second one ends it at once. What was read is in the
/// cache by then, entry by entry.
#[cfg(unix)]
pub fn end_cleanly() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    use sheetscan::whole_file;

    use super::progress;

    let is_ending = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // A signal that cannot be caught ends the program by itself.
        let _ = flag::register_conditional_shutdown(signal, status(signal), is_ending.clone())
            .and_then(|_| flag::register(signal, is_ending.clone()));
    }
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // Files get their names in a moment, or not at all.
            let _guard = whole_file::pause_naming();
            progress::print_message("stopped before the end");
            std::process::exit(status(signal));
        }
    });
}

/// Tells when Ctrl-C or SIGTERM asks the program to stop. A second one ends it at once.
#[cfg(all(unix, feature = "review"))]
pub fn notify() -> std::sync::mpsc::Receiver<()> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    let (sender, receiver) = std::sync::mpsc::channel();
    let is_ending = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // A signal that cannot be caught ends the program by itself.
        let _ = flag::register_conditional_shutdown(signal, status(signal), is_ending.clone())
            .and_then(|_| flag::register(signal, is_ending.clone()));
    }
    std::thread::spawn(move || {
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
            signals.forever().next();
            // Nobody waits where the program is ending already.
            let _ = sender.send(());
        }
    });
    receiver
}

/// Other systems end the program themselves: nothing is ever told.
#[cfg(all(not(unix), feature = "review"))]
pub fn notify() -> std::sync::mpsc::Receiver<()> {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let _sender = sender;
        loop {
            std::thread::park();
        }
    });
    receiver
}

/// The exit status for a signal.
#[cfg(unix)]
fn status(signal: i32) -> i32 {
    128 + signal
}

/// Other systems end the program themselves.
#[cfg(not(unix))]
pub fn end_cleanly() {}
