//! The pages of one input, each worked on by itself, so that no sheet stops another.

use std::path::Path;

use sheetscan::guard;
use sheetscan::page::{self, Page, PageError};
use sheetscan::scan::SheetError;

use super::inputs::Input;

/// What came of one page, and its name for messages.
pub struct Outcome<T> {
    /// The file, and the page in it where there are several.
    pub name: String,
    /// What was made of it, or the line to tell.
    pub result: Result<T, String>,
}

/// Does `work` on every page of an input. A panic in it is told as a fault of that page.
pub fn each_page<T>(
    input: &Input,
    mut work: impl FnMut(&Page) -> Result<T, SheetError>,
) -> Vec<Outcome<T>> {
    let path = match input {
        Input::File(path) => path,
        Input::Refused(path, why) => return named(path, vec![Err(why.clone())]),
    };
    let mut guarded = |page: Result<Page, PageError>| -> Result<T, SheetError> {
        let page = page?;
        guard::catch(|| work(&page)).unwrap_or_else(|panic| Err(SheetError::Fault(panic)))
    };
    let results = match page::open(path) {
        Ok(pages) => pages.map(&mut guarded).collect::<Vec<_>>(),
        Err(error) => vec![Err(error.into())],
    };
    let told = results.into_iter();
    let told = told.map(|result| result.map_err(|error| error.to_string()));
    named(path, told.collect())
}

/// The results of the pages of a file, from the first on, with their names.
pub fn named<T>(path: &Path, results: Vec<Result<T, String>>) -> Vec<Outcome<T>> {
    let single = results.len() == 1;
    let named = results.into_iter().enumerate().map(|(i, result)| {
        let name = if single {
            path.display().to_string()
        } else {
            format!("{}, page {}", path.display(), i + 1)
        };
        Outcome { name, result }
    });
    named.collect()
}
