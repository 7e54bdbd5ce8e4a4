//! Feeds arbitrary bytes to the parsers of the pairing program's files. `cargo +nightly fuzz run
//! event_files fuzz/corpus/event_files tests/data/event` starts from the files that the tests read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sheetscan::event::Event;

fuzz_target!(|bytes: &[u8]| {
    let mut event = Event::parse_trf("fuzz.trf", bytes);
    // The header PGN is the same bytes, so that it can name players of the report file.
    event.add_header_pgn("fuzz.pgn", bytes);
});
