//! How the sheets of a game are called: for people, in addresses, and in the file of answers.

use sha2::{Digest, Sha256};

use crate::batch::{SheetGroup, SheetId, SheetSummary};

use super::backend::ID_DIGITS;

/// What the page and the file need to name the sheets of a game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct SheetNaming {
    /// The names of the sheets for people.
    pub names: Vec<String>,
    /// Their ids.
    pub ids: Vec<String>,
    /// The table of each in the file of answers.
    pub tables: Vec<String>,
}

impl SheetNaming {
    /// The sheets of a group that differ, in the order of the game.
    pub(super) fn new(group: &SheetGroup, sheets: &[SheetSummary]) -> Self {
        let pages: Vec<&SheetSummary> =
            group.copies.iter().flatten().map(|&i| &sheets[i]).collect();
        Self {
            names: pages.iter().map(|sheet| sheet.name.clone()).collect(),
            ids: pages.iter().map(|sheet| short_id(&sheet.id)).collect(),
            tables: pages
                .iter()
                .map(|sheet| table_of(&sheet.id, sheets))
                .collect(),
        }
    }

    /// The name of the sheet with a table, if it is one of these.
    pub(super) fn name_of(&self, table: &str) -> Option<&str> {
        let at = self.tables.iter().position(|known| known == table)?;
        self.names.get(at).map(String::as_str)
    }
}

/// The table of a sheet: the first digits of the SHA-256 of its file, and its page where the file
/// has several.
fn table_of(id: &SheetId, sheets: &[SheetSummary]) -> String {
    let is_other_page =
        |other: &SheetSummary| other.id.sha256 == id.sha256 && other.id.page != id.page;
    let digits = id.sha256.get(..ID_DIGITS).unwrap_or(&id.sha256);
    if id.page != 1 || sheets.iter().any(is_other_page) {
        format!("{digits}#{}", id.page)
    } else {
        digits.to_owned()
    }
}

/// The id of a sheet, which is also that of the game whose first sheet it is: the first digits of
/// the SHA-256 of its file's SHA-256 and its page.
pub(super) fn short_id(id: &SheetId) -> String {
    let digest = Sha256::digest(format!("{}#{}", id.sha256, id.page));
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    digits.collect::<String>()[..ID_DIGITS].to_owned()
}
