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
    limit_arenas(jobs);
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build_global()?;
    Ok(jobs)
}

/// Lets the allocator of glibc have no more arenas than jobs. Each keeps what its threads have
/// freed, and there are twice as many threads: 200 photographs with two jobs took 511 MB for 770,
/// in the same time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn limit_arenas(jobs: usize) {
    let arenas = libc::c_int::try_from(jobs).unwrap_or(libc::c_int::MAX);
    // SAFETY: mallopt takes two numbers by value and may be called at any time.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, arenas) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn limit_arenas(_jobs: usize) {}
