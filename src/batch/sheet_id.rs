//! Which sheet is meant: the file, the page in it, and the hash of the picture.

use std::path::{Path, PathBuf};

use crate::scan::Sheet;

/// Number of leading hexadecimal digits of a SHA-256 that may stand for a picture.
const MIN_HASH_DIGITS: usize = 12;

/// The identity of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetId {
    /// The file as it was given.
    pub path: PathBuf,
    /// Page in it, from 1.
    pub page: u32,
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub sha256: String,
}

impl SheetId {
    /// The identity of the sheet on a page of a file with this SHA-256.
    pub fn of_page(path: &Path, page: u32, sha256: &str) -> Self {
        Self {
            path: path.to_owned(),
            page,
            sha256: sha256.to_owned(),
        }
    }

    /// The identity of a sheet.
    pub fn new(sheet: &Sheet) -> Self {
        Self {
            path: sheet.path.clone(),
            page: sheet.page,
            sha256: sheet.sha256.clone(),
        }
    }

    /// A sheet without identity, as the cache and shards store it, with this one.
    pub fn identify(&self, sheet: Sheet) -> Sheet {
        Sheet {
            path: self.path.clone(),
            page: self.page,
            sha256: self.sha256.clone(),
            ..sheet
        }
    }

    /// Whether a name that a person wrote means this sheet. A name is the path as it was given, the
    /// file's name without folder and extension, or at least 12 digits of the SHA-256. It means
    /// every page of the file, or only page N where `#N` follows.
    pub fn has_name(&self, name: &str) -> bool {
        let page = |(file, page): (&str, &str)| page.parse() == Ok(self.page) && self.is_in(file);
        self.is_in(name) || name.rsplit_once('#').is_some_and(page)
    }

    /// Whether a name without page means the file of this sheet.
    fn is_in(&self, name: &str) -> bool {
        let stem = self.path.file_stem().and_then(|stem| stem.to_str());
        self.path.to_string_lossy() == name
            || stem == Some(name)
            || name.len() >= MIN_HASH_DIGITS && self.sha256.starts_with(&name.to_ascii_lowercase())
    }
}
