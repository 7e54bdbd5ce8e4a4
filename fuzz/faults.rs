//! Panics that no one sees otherwise: `sheetscan::guard` turns those of decoders into errors, and a
//! server's thread ends alone.

use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of panics of sheetscan so far, in any thread.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Counts panics from now on. Those within a dependency do not count: the program guards itself
/// against them.
pub fn watch() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        // The guard sets its hook at its first call, and would silence one that is set before.
        let _ = sheetscan::guard::catch(|| ());
        let earlier = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let file = info.location().map_or("", |location| location.file());
            if !file.contains("/registry/") {
                eprintln!("{info}");
                COUNT.fetch_add(1, Ordering::SeqCst);
            }
            earlier(info);
        }));
    });
}

/// Panics where sheetscan has.
pub fn check() {
    assert_eq!(COUNT.load(Ordering::SeqCst), 0, "sheetscan has panicked");
}
