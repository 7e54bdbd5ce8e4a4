//! What each fuzz target does with arbitrary bytes. `tests/integration/fuzz_corpora.rs` does the
//! same with the files of `fuzz/corpus`, so that nothing that was found comes back.

mod faults;
#[path = "../src/cli/header_table.rs"]
#[allow(dead_code, reason = "only the program uses what is read")]
mod header_table;
#[cfg(feature = "review")]
pub mod requests;

use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::sync::LazyLock;

use image::{GrayImage, ImageReader, Luma};
use sheetscan::batch::Fix;
use sheetscan::cell::cut_cells;
use sheetscan::decode::{BeamParameters, Costs, Decoder, Options, SheetReadings};
use sheetscan::event::Event;
use sheetscan::geometry::Point;
use sheetscan::grid::layout::FormLayout;
use sheetscan::grid::{self, CellId, Side};
use sheetscan::header::{self, find_words};
use sheetscan::ink::CellState;
use sheetscan::page::{self, Page};
use sheetscan::reader::{MixtureComponent, Posteriors, Reading};
use sheetscan::schema::GameRecord;
use sheetscan::shard_payload::ShardPayload;
use sheetscan::text::{self, DecodedText};
use sheetscan::transcribe::transcribe;

/// Number of pixels from which on a picture is too slow for a fuzzer.
const MAX_PIXELS: u64 = 1 << 20;

/// The first two markers of a JPEG 2000 codestream. Behind them stand two fields of two bytes, where
/// the picture ends across and down, and where it begins.
const START_OF_JPEG_2000: [u8; 4] = [0xff, 0x4f, 0xff, 0x51];

/// Number of pages of a file that are decoded.
const MAX_PAGES: usize = 3;

/// Width and height of the maps of a made table, in pixels.
const MAP_SIZE: (usize, usize) = (64, 96);

/// Number of maps.
const MAPS: usize = 8;

/// The map that the table finder does not use. Here it is what is drawn on the page.
const DRAWN_MAP: usize = 6;

/// Pixels of a page for one of a map, on either side.
const MAP_STEP: u32 = 4;

/// The maps of the outlines of columns and of the rulings along them, whose lines run down.
const MAPS_OF_COLUMNS: [usize; 2] = [3, 7];

/// Bytes of a stroke, and the largest number of strokes of made maps.
const STROKE_BYTES: usize = 8;
const MAX_STROKES: usize = 48;

/// Number of rows of each block whose cells are cut out.
const MAX_CUT_ROWS: usize = 2;

/// Largest number of cells of a made sheet.
const MAX_CELLS: usize = 24;

/// Frames of a made cell.
const FRAMES: usize = 8;

/// The characters of a made reader.
const ALPHABET: &str = "abcdefgh12345678NBRQKO-x+=";

/// A file as a picture of a sheet, of the formats that are decoded in this process: PDF and HEIC are
/// decoded in a child, and their faults end only it. So is JPEG 2000, but its headers are read here.
pub fn picture(bytes: &[u8]) {
    faults::watch();
    let is_drawn_by_a_child = bytes.starts_with(b"%PDF") || bytes.get(4..8) == Some(b"ftyp");
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    if is_drawn_by_a_child || is_slow(bytes) || file.write_all(bytes).is_err() {
        return;
    }
    if let Ok(pages) = page::open(file.path()) {
        let _ = pages.take(MAX_PAGES).count();
    }
    faults::check();
}

/// Whether a file says that its picture is large, but not so large that it is refused.
fn is_slow(bytes: &[u8]) -> bool {
    let start = bytes.windows(4).position(|mark| mark == START_OF_JPEG_2000);
    let size = match start {
        Some(at) => {
            let side = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
            // A picture begins some way into its frame.
            let length = |end, start| Some(side(end)?.saturating_sub(side(start)?));
            length(at + 8, at + 16).zip(length(at + 12, at + 20))
        }
        None => {
            let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
            reader.ok().and_then(|reader| reader.into_dimensions().ok())
        }
    };
    size.is_some_and(|(width, height)| {
        let pixels = u64::from(width) * u64::from(height);
        (MAX_PIXELS..=page::MAX_PIXELS).contains(&pixels)
    })
}

/// Maps of strokes, as if the table network had seen them, with the cells and words of the table
/// that they show.
pub fn table(bytes: &[u8]) {
    let mut maps = vec![0.0; MAPS * MAP_SIZE.0 * MAP_SIZE.1];
    for stroke in bytes.as_chunks().0.iter().take(MAX_STROKES) {
        draw_stroke(&mut maps, stroke);
    }
    let (width, height) = (MAP_SIZE.0 as u32, MAP_SIZE.1 as u32);
    let luma = GrayImage::from_fn(MAP_STEP * width, MAP_STEP * height, |x, y| {
        let pixel = (y / MAP_STEP * width + x / MAP_STEP) as usize;
        Luma([230 - (200.0 * maps[DRAWN_MAP * MAP_SIZE.0 * MAP_SIZE.1 + pixel]) as u8])
    });
    let page = Page::new(PathBuf::from("fuzz.png"), 1, String::new(), luma);
    if let Ok(mut grid) = grid::detect_in_maps(&page, maps, &grid::Parameters::default()) {
        find_words(&page, &grid, &header::Parameters::default());
        let blocks = grid.blocks.iter_mut();
        blocks.for_each(|block| block.rows.truncate(MAX_CUT_ROWS));
        cut_cells(&page, &grid);
    }
}

/// Draws a stroke on one of the maps: its map, a rectangle (left, top, right, bottom), the pitch of
/// the lines in it or 0 to fill it, by how much they lean, and their probability.
fn draw_stroke(maps: &mut [f32], stroke: &[u8; STROKE_BYTES]) {
    let [map, left, top, right, bottom, pitch, lean, probability] = stroke.map(f64::from);
    let place = |byte: f64, side: usize| byte / 256.0 * side as f64;
    let (left, right) = (place(left, MAP_SIZE.0), place(right, MAP_SIZE.0));
    let (top, bottom) = (place(top, MAP_SIZE.1), place(bottom, MAP_SIZE.1));
    let (pitch, lean) = (pitch / 16.0, (lean - 128.0) / 256.0);
    let (covers, map) = (map >= 128.0, map as usize % MAPS);
    let are_columns = MAPS_OF_COLUMNS.contains(&map);
    let pixels = &mut maps[map * MAP_SIZE.0 * MAP_SIZE.1..][..MAP_SIZE.0 * MAP_SIZE.1];
    for (i, pixel) in pixels.iter_mut().enumerate() {
        let (x, y) = ((i % MAP_SIZE.0) as f64, (i / MAP_SIZE.0) as f64);
        let (across, down) = if are_columns {
            (x - left - lean * (y - top), y - top)
        } else {
            (x - left, y - top - lean * (x - left))
        };
        // The lines at the ends reach a pixel beyond the rectangle.
        let (width, height) = (right - left + 1.0, bottom - top + 1.0);
        if !((-1.0..=width).contains(&across) && (-1.0..=height).contains(&down)) {
            continue;
        }
        let along = if are_columns { across } else { down };
        let share = match pitch {
            0.0 => 1.0,
            _ => 1.0 - (along - (along / pitch).round() * pitch).abs() / 1.5,
        };
        let drawn = (probability / 255.0 * share.max(0.0)) as f32;
        *pixel = if covers { drawn } else { pixel.max(drawn) };
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

/// A table of `--headers`.
pub fn header_rows(bytes: &[u8]) {
    if let Ok(DecodedText { text, .. }) = text::decode(bytes) {
        let _ = header_table::parse_table(&text);
    }
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

/// The decoder with a narrow beam: a wide one goes the same ways, more often.
static DECODER: LazyLock<Decoder> = LazyLock::new(|| {
    let beam = BeamParameters {
        width: 4,
        language_slots: 4,
        language_width: 2,
        probe_width_factor: 2,
        retry_width_factor: 2,
        ..BeamParameters::default()
    };
    Decoder::new(Options {
        costs: Costs {
            beam,
            ..Costs::default()
        },
        ..Options::default()
    })
});

/// The cells of a sheet with any posteriors, eight frames a cell.
pub fn posteriors(bytes: &[u8]) {
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
            mixture: MixtureComponent::alone(&posteriors),
        }
    });
    let sheet = SheetReadings {
        readings: readings.collect(),
        alphabet,
    };
    DECODER.games(&[sheet], &[]);
}
