//! Which folder keeps what was read.

use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use sheetscan::cache::Cache;
use sheetscan::reader::Network;

use super::args::CacheArgs;
use super::progress::Progress;

/// Told where an entry cannot be written.
pub const UNKEPT: &str = "what was read cannot be kept; give another folder with --cache DIR";

/// An open cache, and the folder that is removed with it where it is for this run alone.
pub struct Kept {
    /// The entries.
    pub cache: Cache,
    _temporary: Option<TempDir>,
}

/// Opens the cache that the arguments ask for; a user's cache folder that cannot be written is told and done without.
pub fn open(args: &CacheArgs, model: &str, progress: &Progress) -> Result<Kept> {
    let shared = |folder: &Path| {
        let cache = Cache::open(folder, model);
        let place = || {
            format!(
                "the cache folder {} cannot be written; choose another one",
                folder.display()
            )
        };
        let cache = cache.with_context(place)?;
        Ok(Kept {
            cache,
            _temporary: None,
        })
    };
    if let Some(folder) = &args.cache {
        return shared(folder);
    }
    if let (false, Some(folder)) = (args.no_cache, dirs::cache_dir()) {
        match shared(&folder.join("sheetscan")) {
            Ok(kept) => return Ok(kept),
            Err(why) => progress.fault(&format!(
                "{}; nothing is kept of this run",
                super::progress::reasons(&why)
            )),
        }
    }
    let place = "no temporary folder can be made; name one with --cache DIR";
    let folder = TempDir::with_prefix("sheetscan-").context(place)?;
    Ok(Kept {
        cache: Cache::open(folder.path(), model).context(place)?,
        _temporary: Some(folder),
    })
}

/// Loads a model, with what tells it from others.
pub fn model(path: Option<&Path>) -> Result<(Network, String)> {
    let Some(path) = path else {
        let network = Network::embedded().context("the built-in model")?;
        return Ok((network, "built-in".to_owned()));
    };
    let place = || format!("the model {}", path.display());
    let network = Network::from_file(path).with_context(place)?;
    let bytes = std::fs::read(path).with_context(place)?;
    Ok((network, digits(&bytes)))
}

/// Digits of a hash, which tell a file from others.
pub fn digits(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
