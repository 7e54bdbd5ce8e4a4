//! What each fuzz target does with arbitrary bytes. `tests/fuzz_corpora.rs` does the same with the
//! files of `fuzz/corpus`, so that nothing that was found comes back.

use std::io::Write;
use std::sync::LazyLock;

use sheetscan::batch::Fix;
use sheetscan::decode::{Decoder, Options, SheetReadings};
use sheetscan::event::Event;
use sheetscan::geometry::Point;
use sheetscan::grid::layout::FormLayout;
use sheetscan::grid::{self, CellId, Side};
use sheetscan::ink::CellState;
use sheetscan::page;
use sheetscan::reader::{Posteriors, Reading, SparsePosteriors};
use sheetscan::schema::GameRecord;
use sheetscan::shard_payload::ShardPayload;
use sheetscan::text::{self, DecodedText};
use sheetscan::transcribe::transcribe;

/// The largest side of a picture, in pixels, in which a table is looked for: the search of a
/// megapixel would take all the time.
const MAX_TABLE_SIDE: u32 = 400;

/// Number of pages of a file that are decoded.
const MAX_PAGES: usize = 3;

/// Largest number of cells of a made sheet.
const MAX_CELLS: usize = 24;

/// Frames of a made cell.
const FRAMES: usize = 8;

/// The characters of a made reader.
const ALPHABET: &str = "abcdefgh12345678NBRQKO-x+=";

/// A file as a picture of a sheet, of the formats that are decoded in this process: the others are
/// decoded in a child, and their faults end only it.
pub fn picture(bytes: &[u8]) {
    let is_drawn_by_a_child = bytes.starts_with(b"%PDF") || bytes.get(4..8) == Some(b"ftyp");
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    if is_drawn_by_a_child || file.write_all(bytes).is_err() {
        return;
    }
    let Ok(pages) = page::open(file.path()) else {
        return;
    };
    for page in pages.take(MAX_PAGES).flatten() {
        let (width, height) = page.luma.dimensions();
        if width.max(height) <= MAX_TABLE_SIDE {
            let _ = grid::detect(&page, &grid::Parameters::default());
        }
    }
}

/// A file of a pairing program: a report file, and headers of games that name its players.
pub fn event_files(bytes: &[u8]) {
    let Ok(DecodedText { text, .. }) = text::decode(bytes) else {
        return;
    };
    let mut event = Event::parse_trf("fuzz.trf", &text);
    // The header PGN is the same text, so that it can name players of the report file.
    event.add_header_pgn("fuzz.pgn", &text);
}

/// A text of typed notation.
pub fn typed_notation(bytes: &[u8]) {
    if let Ok(DecodedText { text, .. }) = text::decode(bytes) {
        let _ = transcribe(&text, None);
    }
}

/// A layout, and each of its lines as a move that a person has fixed.
pub fn layout_and_fixes(bytes: &[u8]) {
    let Ok(DecodedText { text, .. }) = text::decode(bytes) else {
        return;
    };
    if let Ok(layout) = FormLayout::parse(&text) {
        layout.blocks(Point::new);
    }
    for line in text.lines() {
        let _ = line.parse::<Fix>();
    }
}

/// A line of JSON, with what it holds for `sheetscan merge`.
pub fn json_line(bytes: &[u8]) {
    let Ok(record) = GameRecord::parse(&String::from_utf8_lossy(bytes)) else {
        return;
    };
    if let Some(evidence) = record.evidence {
        let _ = ShardPayload::unpack(&evidence);
    }
}

/// The cells of a sheet with any posteriors, eight frames a cell.
pub fn posteriors(bytes: &[u8]) {
    static DECODER: LazyLock<Decoder> = LazyLock::new(|| Decoder::new(Options::default()));
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let classes = alphabet.len() + 1;
    let cells = bytes.chunks(FRAMES * 2).take(MAX_CELLS).enumerate();
    let readings = cells.map(|(i, bytes)| {
        let mut log = vec![-9.0f32; FRAMES * classes];
        // Two bytes a frame: a class, and minus its logarithm.
        for (frame, bytes) in log.chunks_exact_mut(classes).zip(bytes.chunks(2)) {
            let class = usize::from(bytes[0]) % classes;
            frame[class] = -f32::from(*bytes.get(1).unwrap_or(&0)) / 32.0;
        }
        let posteriors = Posteriors {
            frames: FRAMES,
            classes,
            log,
        };
        Reading {
            id: CellId {
                number: i as u32 / 2 + 1,
                side: if i % 2 == 0 { Side::White } else { Side::Black },
            },
            quad: [Point::new(0.0, 0.0); 4],
            state: match bytes[0] {
                0 => CellState::Blank,
                255 => CellState::StruckOut,
                _ => CellState::Written,
            },
            text: String::new(),
            confidence: 0.5,
            posteriors: Some(SparsePosteriors::from(&posteriors)),
        }
    });
    let sheet = SheetReadings {
        readings: readings.collect(),
        alphabet,
    };
    DECODER.games(&[sheet], &[]);
}
