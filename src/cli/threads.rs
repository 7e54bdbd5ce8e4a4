//! How many threads a run has.

use std::num::NonZeroUsize;
use std::thread;

use anyhow::Result;

/// Gives rayon, on which cells are read, as many threads as there are jobs, by default one a core;
/// gives their number. It is to be called before a model is loaded, since a model from a file is
/// tried on a patch.
pub fn start_pool(jobs: Option<NonZeroUsize>) -> Result<usize> {
    let jobs = match jobs {
        Some(jobs) => jobs.get(),
        None => thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build_global()?;
    Ok(jobs)
}
