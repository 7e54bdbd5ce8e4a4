//! Turns a panic into an error, so that one sheet never takes the others with it.
//!
//! ```
//! use sheetscan::guard;
//!
//! assert_eq!(guard::catch(|| 7), Ok(7));
//! assert_eq!(guard::catch(|| panic!("row {}", 3)), Err::<(), _>("row 3".to_owned()));
//! ```

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Number of guarded calls that this thread is inside of.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs `work`; a panic inside it comes back as its message instead of unwinding further.
///
/// Decoders of picture formats are given whatever people send, and not all of them are free of
/// panics. The default hook would print a notice for a panic that is about to be reported in one
/// line, so it is silenced for this thread and this call only; a panic anywhere else is still
/// printed.
///
/// # Errors
/// The message of the panic.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if DEPTH.get() == 0 {
                default(info);
            }
        }));
    });
    DEPTH.set(DEPTH.get() + 1);
    // Every caller drops what `work` captures when it panics, so no half-changed state is ever
    // used.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "panic without a message".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(catch(|| 7), Ok(7));
        assert_eq!(
            catch(|| panic!("row {}", 3)),
            Err::<(), _>("row 3".to_owned())
        );
        assert_eq!(
            catch(|| catch(|| panic!("inner")).unwrap_err()),
            Ok::<String, String>("inner".to_owned())
        );
    }
}
