//! The time of each stage of a scan, on one core, for the sheets in `benches/sheets`: three easy
//! ones, six as they come from the field, three hard ones (`models/train/bench_sheets.py` makes
//! them).
//!
//! `cargo bench --bench stages` prints a table in milliseconds, the least of three runs of each
//! stage. Its last column is the ratio of the total to a floor that no program of these networks
//! can get below on the machine: decoding the JPEG file, and the multiply-adds of the networks at
//! the rate of a large matrix product that is measured in the same run.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use image::GrayImage;
use ndarray::Array2;
use sheetscan::Parameters;
use sheetscan::decode::Options;
use sheetscan::reader::{self, Model, ModelError, Network, Posteriors};
use sheetscan::scan::{Scanner, Table};
use sheetscan::{cell, grid, numbers, page};

/// Runs of each stage; the fastest counts.
const RUNS: usize = 3;
/// Multiply-adds of the first stage, and of the model of words, for a patch of 112 columns.
const FIRST_STAGE_MACS: f64 = 70e6;
/// Multiply-adds of the second stage for such a patch.
const SECOND_STAGE_MACS: f64 = 319e6;
/// Multiply-adds of the table model for a page of 4 x 3.
const TABLE_MACS: f64 = 1.1e9;
/// Rows and columns of the matrices of which the product is timed.
const MATRIX: usize = 512;

/// The names of the columns.
const STAGES: [&str; 7] = [
    "page", "grid", "numbers", "cells", "read", "header", "decode",
];

fn main() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("nothing else has used rayon");
    let only: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let counts = Arc::new(PatchCounts::default());
    let network = || Network::embedded().expect("the built-in model loads");
    let words = Network::embedded_words().expect("the built-in model loads");
    let scanner = Scanner::new(Box::new(network()), Options::default())
        .with_header(Box::new(Counted(words, Arc::clone(&counts))));
    let model = Counted(network(), Arc::clone(&counts));
    let macs_per_ms = matrix_product_macs_per_ms();
    println!(
        "matrix product: {:.1} multiply-adds a nanosecond",
        macs_per_ms / 1e6
    );
    println!(
        "{:<10}{}{:>8}{:>8}",
        "sheet",
        STAGES.map(|s| format!("{s:>9}")).concat(),
        "total",
        "ratio"
    );
    for path in sheets() {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !only.is_empty() && !only.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        // The first run plans the networks for the widths of this sheet.
        time_stages(&path, &scanner, &model);
        counts.clear();
        let runs: Vec<[f64; 7]> = (0..RUNS)
            .map(|_| time_stages(&path, &scanner, &model))
            .collect();
        let stages: [f64; 7] =
            std::array::from_fn(|i| runs.iter().map(|run| run[i]).fold(f64::INFINITY, f64::min));
        let total: f64 = stages.iter().sum();
        let floor = jpeg_ms(&path) + (TABLE_MACS + counts.macs() / RUNS as f64) / macs_per_ms;
        let columns = stages.map(|ms| format!("{ms:>9.0}")).concat();
        println!("{name:<10}{columns}{total:>8.0}{:>8.1}", total / floor);
    }
}

/// The pictures, by name.
fn sheets() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/sheets");
    let entries = fs::read_dir(folder).expect("the sheets are in the repository");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths
}

/// Milliseconds of each stage on one sheet.
fn time_stages(path: &Path, scanner: &Scanner, model: &dyn Model) -> [f64; 7] {
    let parameters = Parameters::default().scan;
    let mut times = Vec::new();
    let mut start = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        times.push((now - start).as_secs_f64() * 1e3);
        start = now;
    };
    let mut pages = page::open(path).expect("a JPEG file");
    let page = pages.next().expect("a page").expect("a whole picture");
    lap();
    let table = grid::detect(&page, &parameters.grid).expect("a table");
    lap();
    let table = numbers::number_rows(&page, table, &parameters.numbers).grid;
    lap();
    let cells = cell::cut_cells(&page, &table);
    lap();
    let readings = reader::read(model, &cells).expect("the model reads");
    lap();
    let table = Table {
        code: None,
        grid: table,
        cells,
        readings,
    };
    let sheet = scanner.read(&page, table).expect("a legible sheet");
    lap();
    black_box(scanner.decode(vec![vec![sheet]]));
    lap();
    times.try_into().expect("a time for each stage")
}

/// Milliseconds of decoding a JPEG file to grey.
fn jpeg_ms(path: &Path) -> f64 {
    let bytes = fs::read(path).expect("the picture");
    let runs = (0..RUNS).map(|_| {
        let start = Instant::now();
        let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(&bytes));
        black_box(decoder.decode().expect("a JPEG file"));
        start.elapsed().as_secs_f64() * 1e3
    });
    runs.fold(f64::INFINITY, f64::min)
}

/// Multiply-adds a millisecond of the product of two large matrices on one core.
fn matrix_product_macs_per_ms() -> f64 {
    let n = MATRIX;
    let [a, b] = [1.0f32, 0.5].map(|value| Array2::from_elem((n, n), value));
    let runs = (0..5).map(|_| {
        let start = Instant::now();
        black_box(a.dot(&b));
        start.elapsed().as_secs_f64() * 1e3
    });
    (n * n * n) as f64 / runs.fold(f64::INFINITY, f64::min)
}

/// How many patches the networks were given.
#[derive(Default)]
struct PatchCounts {
    first_stage: AtomicUsize,
    second_stage: AtomicUsize,
}

impl PatchCounts {
    fn clear(&self) {
        self.first_stage.store(0, Ordering::Relaxed);
        self.second_stage.store(0, Ordering::Relaxed);
    }

    fn macs(&self) -> f64 {
        FIRST_STAGE_MACS * self.first_stage.load(Ordering::Relaxed) as f64
            + SECOND_STAGE_MACS * self.second_stage.load(Ordering::Relaxed) as f64
    }
}

/// A network that counts its patches.
struct Counted(Network, Arc<PatchCounts>);

impl Model for Counted {
    fn alphabet(&self) -> &[char] {
        self.0.alphabet()
    }

    fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
        self.1
            .first_stage
            .fetch_add(patches.len(), Ordering::Relaxed);
        self.0.log_posteriors(patches)
    }

    fn second_stage_log_posteriors(
        &self,
        patches: &[GrayImage],
    ) -> Result<Vec<Posteriors>, ModelError> {
        self.1
            .second_stage
            .fetch_add(patches.len(), Ordering::Relaxed);
        self.0.second_stage_log_posteriors(patches)
    }
}
