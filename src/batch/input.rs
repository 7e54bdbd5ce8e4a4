//! The files of a batch, and the results of their pages.

use std::path::{Path, PathBuf};

use crate::guard;
use crate::page::{self, Page, PageError};
use crate::scan::SheetError;

/// An input of a batch. Games are delivered in the order of the inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file with one page or more.
    File(PathBuf),
    /// A path that gives no file, as an empty folder, and the reason.
    Refused(PathBuf, String),
}

impl Input {
    /// The path of the file, or the one that gives none.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Refused(path, _) => path,
        }
    }

    /// The same as text, with a replacement for what is not Unicode.
    pub fn display_path(&self) -> String {
        self.path().to_string_lossy().into_owned()
    }
}

/// What became of a page.
#[derive(Debug)]
pub struct PageOutcome<T> {
    /// The path of the file, with the page in it where there are several.
    pub name: String,
    /// The result, or the reason why there is none.
    pub result: Result<T, String>,
}

impl<T> PageOutcome<T> {
    /// Names the results of all pages of a file, from page 1.
    pub(super) fn name_pages(path: &Path, results: Vec<Result<T, String>>) -> Vec<Self> {
        let single = results.len() == 1;
        let outcome = |(i, result)| Self {
            name: if single {
                path.display().to_string()
            } else {
                format!("{}, page {}", path.display(), i + 1)
            },
            result,
        };
        results.into_iter().enumerate().map(outcome).collect()
    }
}

/// Does `work` on every page of an input. A panic in it is a failure of that page alone.
pub fn process_pages<T>(
    input: &Input,
    mut work: impl FnMut(&Page) -> Result<T, SheetError>,
) -> Vec<PageOutcome<T>> {
    let path = match input {
        Input::File(path) => path,
        Input::Refused(path, reason) => {
            return PageOutcome::name_pages(path, vec![Err(reason.clone())]);
        }
    };
    let guarded = |page: Result<Page, PageError>| -> Result<T, SheetError> {
        let page = page?;
        guard::catch(|| work(&page)).unwrap_or_else(|panic| Err(SheetError::Internal(panic)))
    };
    let results = match page::open(path) {
        Ok(pages) => pages.map(guarded).collect(),
        Err(error) => vec![Err(error.into())],
    };
    let results = results.into_iter();
    let results = results.map(|result| result.map_err(|error| error.to_string()));
    PageOutcome::name_pages(path, results.collect())
}
