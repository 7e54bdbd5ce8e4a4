//! The folder of the cache that a run uses, and the names of models in its keys.

use std::path::Path;

use anyhow::{Context, Result};
use tempfile::TempDir;

use sheetscan::batch::short_hash;
use sheetscan::cache::Cache;
use sheetscan::reader::Network;

use super::args::CacheArgs;
use super::progress::Progress;

/// An open cache.
pub struct OpenCache {
    /// The entries.
    pub cache: Cache,
    /// The folder of a cache that serves this run alone; it is removed when this is dropped.
    _temporary: Option<TempDir>,
}

/// Opens the cache that the arguments ask for. If the user's own cache folder cannot be written, a
/// message says so and the run keeps its entries in a temporary folder.
pub fn open(args: &CacheArgs, model: &str, progress: &Progress) -> Result<OpenCache> {
    let shared = |folder: &Path| {
        let cache = Cache::open(folder, model);
        let place = || {
            format!(
                "the cache folder {} cannot be written; choose another one",
                folder.display()
            )
        };
        let cache = cache.with_context(place)?;
        Ok(OpenCache {
            cache,
            _temporary: None,
        })
    };
    if let Some(folder) = &args.cache {
        return shared(folder);
    }
    if let (false, Some(folder)) = (args.no_cache, dirs::cache_dir()) {
        match shared(&folder.join("sheetscan")) {
            Ok(open) => return Ok(open),
            Err(why) => progress.fault(&format!(
                "{}; nothing is kept of this run",
                super::progress::error_line(&why)
            )),
        }
    }
    let place = "no temporary folder can be made; name one with --cache DIR";
    let folder = TempDir::with_prefix("sheetscan-").context(place)?;
    Ok(OpenCache {
        cache: Cache::open(folder.path(), model).context(place)?,
        _temporary: Some(folder),
    })
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
