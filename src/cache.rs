//! The cache: what was read on every page, kept on disk by the hash of its file.
//!
//! A page is read once, a run that was killed goes on where it stopped, and no run holds more than
//! a few sheets in memory. Nothing is removed; the folder may be deleted while no run is going on.
//! The key of an entry is the SHA-256 of the file, the page number, the build of this program (its
//! version and a hash of its sources and models), the model, whether all words around the table
//! were read (`--trf` and `--shard`) or those above it alone, and the layout if the page is read
//! with one. The file holds the SHA-256 of what follows, then the [`Entry`] in postcard's form; an
//! entry whose hash does not fit counts as missing. An entry that the folder does not take, since
//! the disk is full, say, is kept in a temporary file for the rest of the run.
//!
//! ```
//! use sheetscan::cache::{Cache, Entry};
//!
//! let folder = tempfile::tempdir()?;
//! let cache = Cache::open(folder.path(), "built-in")?;
//! cache.put("00ff", 2, &Entry::End);
//! assert_eq!(cache.get("00ff", 2).map(|(entry, _)| entry), Some(Entry::End));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::scan::Sheet;
use crate::spool::{Spool, SpoolRange};
use crate::whole_file::WholeFile;

/// Largest size of an entry's file, in bytes: 64 MiB. The largest entries of real sheets have less
/// than one.
const MAX_ENTRY_BYTES: u64 = 64 << 20;

/// SHA-256 of what was read on a page. Two pages with the same digest show the same picture,
/// whatever their files are called: they agree in every corner and every posterior.
pub type Digest = [u8; 32];

/// The result of reading a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Entry {
    /// What was read on it; path, page and hash are not kept.
    Sheet(Sheet),
    /// Why there is no game on it, as a message for people.
    Fault(String),
    /// The file ends before this page.
    End,
}

/// A folder of entries, which any number of runs may share at a time.
#[derive(Debug)]
pub struct Cache {
    /// None where nothing is kept beyond this run.
    folder: Option<PathBuf>,
    overflow: Mutex<Overflow>,
    /// The first error of the folder that nobody was told of. Caches for other layouts share it.
    fault: Arc<Mutex<Fault>>,
}

/// What is known of errors in a cache's folder.
#[derive(Debug, Default)]
struct Fault {
    /// The first one, until it is taken.
    first: Option<(PathBuf, io::Error)>,
    /// Whether there was one.
    happened: bool,
}

/// Entries that are in no folder.
#[derive(Debug, Default)]
struct Overflow {
    places: HashMap<(String, u32), Place>,
    /// Made with the first entry.
    spool: Option<Spool>,
}

/// Where an entry that is in no folder is kept.
#[derive(Debug)]
enum Place {
    Spooled(SpoolRange),
    /// In memory, where no temporary file takes it either.
    InMemory(Vec<u8>),
}

impl Cache {
    /// Opens the entries under `folder` that this build of the program makes with a model. `model`
    /// is a name or hash that tells the model, and the parameters of the scanner where they are not
    /// the default ones, from others. Missing folders are made.
    ///
    /// # Errors
    /// If a folder cannot be made.
    pub fn open(folder: &Path, model: &str) -> io::Result<Self> {
        let reader = concat!(env!("CARGO_PKG_VERSION"), "-", env!("SHEETSCAN_BUILD"));
        let folder = folder.join(format!("{reader}-{model}"));
        fs::create_dir_all(&folder)?;
        Ok(Self::at(Some(folder), Arc::default()))
    }

    /// A cache that serves this run alone and leaves nothing behind.
    pub fn temporary() -> Self {
        Self::at(None, Arc::default())
    }

    /// The entries that the same build makes with the same model if it reads every page with one
    /// layout. `layout` is a hash that tells the layout from others.
    #[must_use]
    pub fn with_layout(&self, layout: &str) -> Self {
        let folder = self.folder.clone().map(|folder| {
            let mut folder = folder.into_os_string();
            folder.push(format!("-{layout}"));
            folder.into()
        });
        Self::at(folder, Arc::clone(&self.fault))
    }

    fn at(folder: Option<PathBuf>, fault: Arc<Mutex<Fault>>) -> Self {
        Self {
            folder,
            overflow: Mutex::default(),
            fault,
        }
    }

    /// The folder of a page's entry and its name there. There is a folder for each first two digits
    /// of the hash, so that no folder gets too many files.
    fn place(&self, sha256: &str, page: u32) -> Option<(PathBuf, String)> {
        let group = sha256.get(..2).unwrap_or("__");
        let folder = self.folder.as_ref()?.join(group);
        Some((folder, format!("{sha256}-{page}")))
    }

    /// The entry of a page and its digest; `None` if it is missing or damaged.
    pub fn get(&self, sha256: &str, page: u32) -> Option<(Entry, Digest)> {
        let bytes = self.overflow().get(sha256, page).or_else(|| {
            let (folder, name) = self.place(sha256, page)?;
            read_entry(&folder.join(name)).ok()
        })?;
        let (digest, body) = bytes.split_first_chunk::<32>()?;
        if Sha256::digest(body)[..] != digest[..] {
            return None;
        }
        Some((postcard::from_bytes(body).ok()?, *digest))
    }

    /// Keeps the entry of a page, and returns its digest. It is written to the folder whole or not
    /// at all; what the folder does not take is kept for this run ([`Self::take_fault`]).
    pub fn put(&self, sha256: &str, page: u32, entry: &Entry) -> Digest {
        let body = postcard::to_stdvec(entry).expect("a vector takes any number of bytes");
        let digest: Digest = Sha256::digest(&body).into();
        let bytes = [&digest[..], &body].concat();
        let Some((folder, name)) = self.place(sha256, page) else {
            self.overflow().put(sha256, page, bytes);
            return digest;
        };
        if let Err(error) = write_entry(&folder, &name, &bytes) {
            self.overflow().put(sha256, page, bytes);
            let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
            if !fault.happened {
                fault.happened = true;
                fault.first = Some((folder, error));
            }
        }
        digest
    }

    /// The first error of the cache's folder, with the folder in it that took no entry. It is given
    /// once: what is read in the rest of the run may not be kept.
    pub fn take_fault(&self) -> Option<(PathBuf, io::Error)> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.first.take()
    }

    fn overflow(&self) -> std::sync::MutexGuard<'_, Overflow> {
        self.overflow.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Overflow {
    fn get(&self, sha256: &str, page: u32) -> Option<Vec<u8>> {
        match self.places.get(&(sha256.to_owned(), page))? {
            Place::Spooled(range) => self.spool.as_ref()?.get(*range).ok(),
            Place::InMemory(bytes) => Some(bytes.clone()),
        }
    }

    fn put(&mut self, sha256: &str, page: u32, bytes: Vec<u8>) {
        if self.spool.is_none() {
            self.spool = Spool::new().ok();
        }
        let spooled = self.spool.as_ref().map(|spool| spool.put(&bytes));
        let place = match spooled {
            Some(Ok(range)) => Place::Spooled(range),
            _ => Place::InMemory(bytes),
        };
        self.places.insert((sha256.to_owned(), page), place);
    }
}

/// Writes an entry, whole or not at all.
fn write_entry(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = WholeFile::create(&folder.join(name))?;
    file.write_all(bytes)?;
    file.publish()
}

/// Reads the file of an entry. Somebody may have put a pipe or a device in its place, which would
/// never end.
fn read_entry(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() || metadata.len() > MAX_ENTRY_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    fs::read(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Side;
    use crate::scan::tests::{cell, reading, scanned};

    #[test]
    fn an_entry_comes_back_until_a_byte_of_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), "built-in").unwrap();
        assert_eq!(cache.get("00ff", 2), None);
        let mut sheet = scanned().sheets.remove(0);
        sheet.cells = vec![reading(cell(1, Side::White), "e4")];
        let entry = Entry::Sheet(sheet.clone());
        let digest = cache.put("00ff", 2, &entry);
        let (back, same) = cache.get("00ff", 2).unwrap();
        let Entry::Sheet(back) = back else {
            panic!("{back:?}")
        };
        assert_eq!((back.cells, same), (sheet.cells, digest));
        assert_eq!(cache.get("00ff", 1), None);
        assert_eq!(
            Cache::open(folder.path(), "other").unwrap().get("00ff", 2),
            None,
            "another model reads otherwise"
        );
        let (folder, name) = cache.place("00ff", 2).unwrap();
        let place = folder.join(name);
        let whole = fs::read(&place).unwrap();
        for i in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[i] ^= 1;
            fs::write(&place, damaged).unwrap();
            assert_eq!(cache.get("00ff", 2), None, "byte {i}");
        }
        fs::write(&place, &whole[..whole.len() / 2]).unwrap();
        assert_eq!(cache.get("00ff", 2), None);
    }

    #[test]
    fn what_a_folder_does_not_take_is_kept_for_the_run_and_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), "built-in").unwrap();
        let (group, name) = cache.place("00ff", 1).unwrap();
        // A folder stands where the entry is to be, and a file where its folder is to be.
        fs::create_dir_all(group.join(name)).unwrap();
        fs::write(cache.place("11ff", 1).unwrap().0, "").unwrap();
        let entry = Entry::Fault("an empty page".to_owned());
        for sha256 in ["00ff", "11ff", "22ff"] {
            cache.put(sha256, 1, &entry);
            assert_eq!(cache.get(sha256, 1).unwrap().0, entry, "{sha256}");
        }
        assert_eq!(cache.take_fault().unwrap().0, group);
        assert!(cache.take_fault().is_none());
        let again = Cache::open(folder.path(), "built-in").unwrap();
        assert_eq!(again.get("00ff", 1), None);
        assert_eq!(again.get("22ff", 1).unwrap().0, entry);
    }

    #[test]
    fn a_temporary_cache_has_its_entries_by_layout() {
        let cache = Cache::temporary();
        let with_layout = cache.with_layout("ab");
        cache.put("00ff", 1, &Entry::End);
        assert_eq!(cache.get("00ff", 1).unwrap().0, Entry::End);
        assert_eq!(with_layout.get("00ff", 1), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_an_entry_is_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), "built-in").unwrap();
        cache.put("00ff", 1, &Entry::End);
        let (group, name) = cache.place("00ff", 1).unwrap();
        let place = group.join(name);
        fs::remove_file(&place).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&place).status();
        assert!(made.unwrap().success());
        assert_eq!(cache.get("00ff", 1), None);
    }
}
