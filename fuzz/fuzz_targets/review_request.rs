//! Sends arbitrary bytes to the server of `sheetscan review`.
#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code, reason = "every target uses a part of it")]
mod inputs;

use std::sync::Arc;

use signal_hook::consts::SIGPIPE;

libfuzzer_sys::fuzz_target!(
    init: {
        // A connection that is closed early ends no program of Rust, but a fuzzer's `main` is none.
        signal_hook::flag::register(SIGPIPE, Arc::default()).expect("the signal is caught");
    },
    |bytes: &[u8]| inputs::requests::review_request(bytes)
);
