//! The cache: what was read on every page, kept on disk by the hash of its file.
//!
//! A page is read once, a run that was killed goes on where it stopped, and no run holds more than
//! a few sheets in memory. Nothing is removed; the folder may be deleted while no run is going on.
//! The key of an entry is the SHA-256 of the file, the page number, the build of this program (its
//! version and a hash of its sources and models), the model, whether the words of the header were
//! read too (`--trf` and `--shard`), and the layout if the page is read with one. The file holds
//! the SHA-256 of what follows, then the [`Entry`] in postcard's form; an entry whose hash does not
//! fit counts as missing.
//!
//! ```
//! use sheetscan::cache::{Cache, Entry};
//!
//! let folder = tempfile::tempdir()?;
//! let cache = Cache::open(folder.path(), "built-in")?;
//! cache.put("00ff", 2, &Entry::End)?;
//! assert_eq!(cache.get("00ff", 2).map(|(entry, _)| entry), Some(Entry::End));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::scan::Sheet;

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
    folder: PathBuf,
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
        Self::at(folder.join(format!("{reader}-{model}")))
    }

    /// Opens the entries that the same build makes with the same model if it reads every page with
    /// one layout. `layout` is a hash that tells the layout from others.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn with_layout(&self, layout: &str) -> io::Result<Self> {
        let mut folder = self.folder.clone().into_os_string();
        folder.push(format!("-{layout}"));
        Self::at(folder.into())
    }

    fn at(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    /// The file of a page's entry. There is a folder for each first two digits of the hash, so that
    /// no folder gets too many files.
    fn place(&self, sha256: &str, page: u32) -> PathBuf {
        let group = sha256.get(..2).unwrap_or("__");
        self.folder.join(group).join(format!("{sha256}-{page}"))
    }

    /// The entry of a page and its digest; `None` if it is missing or damaged.
    pub fn get(&self, sha256: &str, page: u32) -> Option<(Entry, Digest)> {
        let bytes = fs::read(self.place(sha256, page)).ok()?;
        let (digest, body) = bytes.split_first_chunk::<32>()?;
        if Sha256::digest(body)[..] != digest[..] {
            return None;
        }
        Some((postcard::from_bytes(body).ok()?, *digest))
    }

    /// Writes the entry of a page, whole or not at all, and returns its digest.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&self, sha256: &str, page: u32, entry: &Entry) -> io::Result<Digest> {
        let body = postcard::to_stdvec(entry).expect("a vector takes any number of bytes");
        let digest: Digest = Sha256::digest(&body).into();
        let place = self.place(sha256, page);
        let folder = place.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".part-")
            .tempfile_in(folder)?;
        file.write_all(&digest)?;
        file.write_all(&body)?;
        file.persist(&place).map_err(|e| e.error)?;
        Ok(digest)
    }
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
        let digest = cache.put("00ff", 2, &entry).unwrap();
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
        let place = cache.place("00ff", 2);
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
}
