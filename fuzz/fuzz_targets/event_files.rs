//! Feeds arbitrary bytes to the parsers of the pairing program's files. `cargo +nightly fuzz run
//! event_files fuzz/corpus/event_files tests/data/event` starts from the files that the tests read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sheetscan::event::Event;
use sheetscan::text::{self, DecodedText};

fuzz_target!(|bytes: &[u8]| {
    let Ok(DecodedText { text, .. }) = text::decode(bytes) else {
        return;
    };
    let mut event = Event::parse_trf("fuzz.trf", &text);
    // The header PGN is the same text, so that it can name players of the report file.
    event.add_header_pgn("fuzz.pgn", &text);
});
