//! Files of pairing programs, whatever is in them. The second folder holds the fixtures to begin with:
//! `cargo +nightly fuzz run event_files fuzz/corpus/event_files tests/data/event`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sheetscan::event::Event;

fuzz_target!(|bytes: &[u8]| {
    let mut event = Event::parse_trf("fuzz.trf", bytes);
    // The same bytes as header PGN: names of the report file may stand in it.
    event.add_header_pgn("fuzz.pgn", bytes);
});
