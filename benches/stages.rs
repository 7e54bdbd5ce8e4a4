//! The time that the main stages take on one sheet of 12 megapixels, on one core.
//!
//! The sheet is a sample of the repository, enlarged to the size of a phone's photograph. The
//! samples are short, so that the decoder is also timed on a simulated sheet with a game of 60
//! moves that is drawn from the move prior. Rayon is limited to one thread.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{BatchSize, Criterion};
use image::imageops::FilterType;
use sheetscan::decode::{Decoder, Options, SheetReadings};
use sheetscan::prior::Prior;
use sheetscan::reader::{self, Model, Network};
use sheetscan::{cell, grid, page};

#[path = "../tests/simulated/mod.rs"]
mod simulated;
use simulated::{Noise, Random};
#[path = "../tests/simulated/game.rs"]
mod game;

/// How badly the reader reads the simulated sheet.
const READER_NOISE: Noise = Noise {
    wrong: 0.04,
    doubt: 0.15,
};

/// The longest sample, with 24 moves of each side.
const SAMPLE: &str = "06_partita_1_it.jpg";

fn main() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("nothing else has used rayon");
    let folder = tempfile::tempdir().expect("a folder for the picture");
    let path = folder.path().join("sheet.jpg");
    enlarge(&path);
    let model = Network::embedded().expect("the built-in model loads");
    let sheet_page = page::open(&path)
        .expect("a JPEG")
        .next()
        .expect("a page")
        .expect("a whole picture");

    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("12 megapixels");
    group.bench_function("page", |b| {
        b.iter(|| page::open(&path).map(|mut pages| black_box(pages.next())))
    });
    group.bench_function("grid", |b| {
        b.iter(|| grid::detect(black_box(&sheet_page), &grid::Parameters::default()))
    });
    let table =
        grid::detect(&sheet_page, &grid::Parameters::default()).expect("the table of the sample");
    let cells = cell::cut_cells(&sheet_page, &table);
    let readings = reader::read(&model, &cells).expect("the model reads");
    let sheet = SheetReadings {
        alphabet: model.alphabet().to_vec(),
        readings,
    };
    let decoder = Decoder::new(Options::default());
    group.bench_function("cells", |b| b.iter(|| cell::cut_cells(&sheet_page, &table)));
    group.bench_function("read", |b| {
        b.iter(|| reader::read(&model, black_box(&cells)))
    });
    group.bench_function("decode", |b| {
        b.iter(|| decoder.decode(black_box(std::slice::from_ref(&sheet))))
    });
    group.finish();

    let sans = game::game(&Prior::embedded(), 120, &mut Random(5));
    let texts: Vec<&str> = sans.iter().map(String::as_str).collect();
    let sheet = simulated::sheet(&texts, READER_NOISE, 1);
    let new_decoder = || Decoder::new(Options::default());
    criterion.bench_function("60 moves/decode the first sheet", |b| {
        let decode = |decoder: Decoder| decoder.decode(black_box(std::slice::from_ref(&sheet)));
        b.iter_batched(new_decoder, decode, BatchSize::PerIteration)
    });
    let decoder = new_decoder();
    criterion.bench_function("60 moves/decode", |b| {
        b.iter(|| decoder.decode(black_box(std::slice::from_ref(&sheet))))
    });
    criterion.final_summary();
}

/// Saves the sample enlarged to 4000 pixels along its longer side.
fn enlarge(path: &Path) {
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(SAMPLE);
    let small = image::open(sample).expect("the sample");
    let large = small.resize(4000, 4000, FilterType::CatmullRom);
    large.into_rgb8().save(path).expect("the picture is saved");
}
