//! The folder of the cache that a run uses, and the names of models in its keys.

use std::path::Path;

use anyhow::{Context, Result};

use sheetscan::batch::short_hash;
use sheetscan::cache::Cache;
use sheetscan::reader::Network;

use super::args::CacheArgs;
use super::progress::Progress;

/// Opens the cache that the arguments ask for. If the user's own cache folder cannot be written, a
/// message says so and nothing is kept beyond the run.
pub fn open(args: &CacheArgs, model: &str, progress: &Progress) -> Result<Cache> {
    let shared = |folder: &Path| {
        Cache::open(folder, model).with_context(|| {
            format!(
                "the cache folder {} cannot be written; choose another one",
                folder.display()
            )
        })
    };
    if let Some(folder) = &args.cache {
        return shared(folder);
    }
    if let (false, Some(folder)) = (args.no_cache, dirs::cache_dir()) {
        match shared(&folder.join("sheetscan")) {
            Ok(cache) => return Ok(cache),
            Err(why) => progress.fault(&format!(
                "{}; nothing is kept of this run",
                super::progress::error_line(&why)
            )),
        }
    }
    Ok(Cache::temporary())
}

/// Reports the first error of the cache's folder, once.
pub fn report_fault(cache: &Cache, progress: &Progress) {
    if let Some((folder, error)) = cache.take_fault() {
        progress.fault(&format!(
            "the cache folder {} cannot be written ({error}); the run goes on, but what it reads \
             may not be kept for the next one",
            folder.display()
        ));
    }
}

/// Loads the model in a file, or the built-in one, with a name or hash that tells it from others.
pub fn model(path: Option<&Path>) -> Result<(Network, String)> {
    let Some(path) = path else {
        let network = Network::embedded().context("the built-in model")?;
        return Ok((network, "built-in".to_owned()));
    };
    let place = || format!("the model {}", path.display());
    let network = Network::from_file(path).with_context(place)?;
    let bytes = std::fs::read(path).with_context(place)?;
    Ok((network, short_hash(&bytes)))
}
