//! Whether standard output was open when the program began. The runtime of Rust opens `/dev/null`
//! in the place of a closed one before `main`, so that results would vanish without an error.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Looks at standard output before that.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look_at_stdout() {
    let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    IS_CLOSED.store(is_closed, Ordering::Relaxed);
}

/// Whether whoever started the program closed its standard output.
pub fn stdout_is_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}
