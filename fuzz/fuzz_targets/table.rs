//! Feeds maps made of arbitrary bytes to the table finder, in place of those of its network.
#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code, reason = "every target uses a part of it")]
mod inputs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inputs::table(bytes));
