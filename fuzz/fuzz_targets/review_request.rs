//! Sends arbitrary bytes to the server of `sheetscan review`.
#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code, reason = "every target uses a part of it")]
mod inputs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inputs::requests::review_request(bytes));
