//! The file of a review's answers: a table for each sheet, in it a value for each key
//! ([`Fix::new`]). It is the only place where answers are kept, and people may edit it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::batch::{Fix, FixError};
use crate::whole_file;

/// The key that says which sheet records the same game.
pub(super) const COPY_OF: &str = "copy_of";

/// Why a file of answers cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum AnswerFileError {
    /// The file cannot be opened or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no TOML, or has other than tables of texts.
    #[error("{}: {message}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        message: String,
    },
    /// A key or a value says nothing.
    #[error("{}: [\"{sheet}\"] {key} = \"{value}\": {error}", path.display())]
    Fix {
        /// The file.
        path: PathBuf,
        /// The table.
        sheet: String,
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// What is wrong with them.
        error: FixError,
    },
}

/// Where a key stands in the order of its table: by the order of the game, then by its text.
type KeyOrder = (u32, String);

/// What a person has read on one sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Table {
    /// Lines of comment above the table, each with its `#`.
    comments: Vec<String>,
    /// The comment behind its name: which file it is.
    note: String,
    values: BTreeMap<KeyOrder, String>,
}

/// A change of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChange {
    /// The table.
    pub sheet: String,
    /// The key.
    pub key: String,
    /// The value before; none where there was none.
    pub old: Option<String>,
    /// The value after; none where there is none any more.
    pub new: Option<String>,
}

impl ValueChange {
    /// The change that takes this one back.
    pub fn reversed(&self) -> Self {
        Self {
            old: self.new.clone(),
            new: self.old.clone(),
            ..self.clone()
        }
    }
}

/// The answers of a review, as they are on the disk.
#[derive(Debug)]
pub struct AnswerFile {
    path: PathBuf,
    tables: BTreeMap<String, Table>,
    /// Lines of comment below the last table.
    comments: Vec<String>,
    /// The text of the file when it was last read or written.
    text: String,
}

impl AnswerFile {
    /// Reads a file; one that does not exist holds no answers.
    ///
    /// # Errors
    /// [`AnswerFileError`].
    pub fn open(path: &Path) -> Result<Self, AnswerFileError> {
        let mut file = Self {
            path: path.to_owned(),
            tables: BTreeMap::new(),
            comments: Vec::new(),
            text: String::new(),
        };
        let text = file.read_text()?;
        file.parse(text)?;
        Ok(file)
    }

    /// Where the answers are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn read_text(&self) -> Result<String, AnswerFileError> {
        match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            read => read.map_err(|source| AnswerFileError::Io {
                path: self.path.clone(),
                source,
            }),
        }
    }

    fn parse(&mut self, text: String) -> Result<(), AnswerFileError> {
        let tables: BTreeMap<String, BTreeMap<String, String>> =
            toml::from_str(&text).map_err(|error| AnswerFileError::Toml {
                path: self.path.clone(),
                message: error.to_string().trim_end().replace('\n', " "),
            })?;
        self.tables.clear();
        for (sheet, values) in tables {
            let mut table = Table::default();
            for (key, value) in values {
                let order = self.order(&sheet, &key, &value)?;
                table.values.insert(order, value);
            }
            self.tables.insert(sheet, table);
        }
        self.take_comments(&text);
        self.text = text;
        Ok(())
    }

    /// Binds the lines of comment to the tables that they stand above.
    fn take_comments(&mut self, text: &str) {
        self.comments.clear();
        let mut comments = Vec::new();
        for line in text.lines().map(str::trim) {
            if line.starts_with('#') {
                comments.push(line.to_owned());
            } else if line.starts_with('[') {
                let named: Result<BTreeMap<String, toml::Table>, _> = toml::from_str(line);
                let sheet = named.ok().and_then(|named| named.into_keys().next());
                let Some(table) = sheet.and_then(|sheet| self.tables.get_mut(&sheet)) else {
                    continue;
                };
                table.comments.append(&mut comments);
                let note = line.rsplit_once("]").map_or("", |(_, note)| note.trim());
                table.note = note.trim_start_matches('#').trim().to_owned();
            }
        }
        self.comments = comments;
    }

    fn order(&self, sheet: &str, key: &str, value: &str) -> Result<KeyOrder, AnswerFileError> {
        let fix = Fix::new(sheet, key, value).map_err(|error| AnswerFileError::Fix {
            path: self.path.clone(),
            sheet: sheet.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
            error,
        })?;
        Ok((fix.order(), key.to_owned()))
    }

    /// All answers.
    pub fn fixes(&self) -> Vec<Fix> {
        self.fixes_of(|_| true)
    }

    /// The answers of the tables with some names.
    pub(super) fn fixes_of(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<Fix> {
        let tables = self.tables.iter().filter(|(sheet, _)| is_wanted(sheet));
        let fixes = tables.flat_map(|(sheet, table)| {
            let values = table.values.iter();
            values.filter_map(move |((_, key), value)| Fix::new(sheet, key, value).ok())
        });
        fixes.collect()
    }

    /// The value of a key of a sheet.
    pub fn value(&self, sheet: &str, key: &str) -> Option<&str> {
        let values = &self.tables.get(sheet)?.values;
        let value = values.iter().find(|((_, known), _)| known == key);
        value.map(|(_, value)| value.as_str())
    }

    /// Writes the file if there is none, as where nobody has answered anything yet.
    ///
    /// # Errors
    /// [`AnswerFileError::Io`].
    pub fn write_if_missing(&mut self) -> Result<(), AnswerFileError> {
        if self.path.exists() {
            return Ok(());
        }
        self.apply(&[], |_| String::new())
    }

    /// Reads the file again where somebody else has changed it since; whether that was so.
    ///
    /// # Errors
    /// [`AnswerFileError`]; the answers stay as they were then.
    pub fn reload(&mut self) -> Result<bool, AnswerFileError> {
        let text = self.read_text()?;
        if text == self.text {
            return Ok(false);
        }
        let mut changed = Self::open(&self.path)?;
        std::mem::swap(self, &mut changed);
        Ok(true)
    }

    /// Makes some changes and writes the file, whole or not at all. `note` gives the comment behind
    /// the name of a new table.
    ///
    /// # Errors
    /// [`AnswerFileError`]; the answers stay as they were then.
    pub fn apply(
        &mut self,
        changes: &[ValueChange],
        note: impl Fn(&str) -> String,
    ) -> Result<(), AnswerFileError> {
        let mut tables = self.tables.clone();
        for change in changes {
            let table = tables.entry(change.sheet.clone()).or_insert_with(|| Table {
                note: note(&change.sheet),
                ..Table::default()
            });
            table.values.retain(|(_, key), _| *key != change.key);
            if let Some(value) = &change.new {
                let order = self.order(&change.sheet, &change.key, value)?;
                table.values.insert(order, value.clone());
            }
            if table.values.is_empty() && table.comments.is_empty() {
                tables.remove(&change.sheet);
            }
        }
        let text = format_tables(&tables, &self.comments);
        whole_file::write(&self.path, text.as_bytes()).map_err(|source| AnswerFileError::Io {
            path: self.path.clone(),
            source,
        })?;
        (self.tables, self.text) = (tables, text);
        Ok(())
    }
}

fn format_tables(tables: &BTreeMap<String, Table>, comments: &[String]) -> String {
    let mut text = String::new();
    for (sheet, table) in tables {
        if !text.is_empty() {
            text.push('\n');
        }
        for comment in &table.comments {
            text += &format!("{comment}\n");
        }
        text += &format!("[{}]", quote(sheet));
        if !table.note.is_empty() {
            text += &format!("  # {}", table.note);
        }
        text.push('\n');
        for ((_, key), value) in &table.values {
            let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let key = if key.chars().all(is_bare) {
                key.clone()
            } else {
                quote(key)
            };
            text += &format!("{key} = {}\n", quote(value));
        }
    }
    for comment in comments {
        text += &format!("{comment}\n");
    }
    text
}

/// A basic string of TOML 1.0.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(sheet: &str, key: &str, new: Option<&str>) -> ValueChange {
        ValueChange {
            sheet: sheet.to_owned(),
            key: key.to_owned(),
            old: None,
            new: new.map(str::to_owned),
        }
    }

    #[test]
    fn answers_are_written_in_the_order_of_the_game_and_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("round.fixes.toml");
        let mut file = AnswerFile::open(&path).expect("no file yet");
        let changes = [
            change("9f2c0a77d1b3", "24b", Some("-")),
            change("9f2c0a77d1b3", "3w", Some("Nf3")),
            change("9f2c0a77d1b3", "white", Some("Valle, \"P.\" \\ \u{7}")),
            change("9f2c0a77d1b3", "+22b", Some("Rxe3 Kf2")),
        ];
        let note = |_: &str| "IMG_0412.jpg".to_owned();
        file.apply(&changes, note).expect("it is written");
        let expected = "[\"9f2c0a77d1b3\"]  # IMG_0412.jpg\n3w = \"Nf3\"\n\"+22b\" = \"Rxe3 Kf2\"\n\
            24b = \"-\"\nwhite = \"Valle, \\\"P.\\\" \\\\ \\u0007\"\n";
        assert_eq!(fs::read_to_string(&path).expect("a file"), expected);
        let back = AnswerFile::open(&path).expect("what was written");
        assert_eq!(back.fixes(), file.fixes());
        assert_eq!(back.value("9f2c0a77d1b3", "24b"), Some("-"));
        let undone: Vec<ValueChange> = changes.iter().map(ValueChange::reversed).collect();
        file.apply(&undone, note).expect("it is written");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "");
    }

    #[test]
    fn comments_of_a_person_stay_above_their_tables() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("round.fixes.toml");
        let text = "# checked by Ana\n[\"b.jpg\"]\n23 = \"Nf3\"\n# the end\n";
        fs::write(&path, text).expect("it is written");
        let mut file = AnswerFile::open(&path).expect("a file");
        let changes = [change("a.jpg", "1w", Some("e4"))];
        file.apply(&changes, |_| String::new())
            .expect("it is written");
        let expected = "[\"a.jpg\"]\n1w = \"e4\"\n\n# checked by Ana\n[\"b.jpg\"]\n23 = \"Nf3\"\n\
            # the end\n";
        assert_eq!(fs::read_to_string(&path).expect("a file"), expected);
    }

    #[test]
    fn a_change_from_outside_is_seen_and_a_fault_in_it_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("round.fixes.toml");
        let mut file = AnswerFile::open(&path).expect("no file yet");
        assert!(!file.reload().expect("nothing changed"));
        fs::write(&path, "[a]\n1w = \"e4\"\n").expect("it is written");
        assert!(file.reload().expect("a file"));
        assert_eq!(file.value("a", "1w"), Some("e4"));
        fs::write(&path, "[a]\n1w = \"Sf3\"\n").expect("it is written");
        let told = file.reload().expect_err("no SAN").to_string();
        assert!(
            told.contains("1w = \"Sf3\"") && told.contains("SAN"),
            "{told}"
        );
        assert_eq!(file.value("a", "1w"), Some("e4"));
    }
}
