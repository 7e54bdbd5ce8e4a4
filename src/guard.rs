//! Turns a panic into an error, so that one sheet never takes the others with it.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Guarded calls this thread is inside of.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs `work`; a panic inside it comes back as its message instead of unwinding further.
///
/// Decoders of picture formats are fed whatever people send, and not all of them are free of panics. The default
/// hook would also print a backtrace notice for a panic that we are about to report in one line, so it is
/// silenced, for this thread and this call only: a panic anywhere else still speaks for itself.
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
    // What `work` captures is given up by every caller when it panics, so no broken state is seen.
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
