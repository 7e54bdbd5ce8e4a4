//! What a person calls a sheet: its file with or without folder and ending.

use std::collections::{BTreeMap, HashMap};

/// A name means several files of a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} names two sheets, {first} and {second}; write the folder too")]
pub struct AmbiguousName {
    /// The name as it was written.
    pub name: String,
    /// The first file that it means.
    pub first: String,
    /// Another one.
    pub second: String,
}

/// The files of a run by what a person may call them.
#[derive(Debug, Default)]
pub struct SheetNames {
    /// The paths as they were given, each once.
    paths: Vec<String>,
    by_path: HashMap<String, usize>,
    /// For each file name, with and without ending, in lower case: the indices of its paths.
    by_file_name: BTreeMap<String, Vec<usize>>,
}

impl SheetNames {
    /// Collects the names of some files. A path that comes several times is one file.
    pub fn new(paths: impl IntoIterator<Item = String>) -> Self {
        let mut names = Self::default();
        for path in paths {
            if names.by_path.contains_key(&path) {
                continue;
            }
            let at = names.paths.len();
            names.by_path.insert(path.clone(), at);
            let lower = file_name(&path).to_lowercase();
            let stem = stem(&lower);
            if stem != lower {
                names
                    .by_file_name
                    .entry(stem.to_owned())
                    .or_default()
                    .push(at);
            }
            names.by_file_name.entry(lower).or_default().push(at);
            names.paths.push(path);
        }
        names
    }

    /// The path of the file that a name means, if there is one. The name is the path itself, or its
    /// end, with or without the ending of the file, and with any folders before it that a person
    /// sees. Capitals do not matter where only one file has the name.
    ///
    /// # Errors
    /// [`AmbiguousName`] if two files have the name.
    pub fn find(&self, name: &str) -> Result<Option<&str>, AmbiguousName> {
        if let Some(&at) = self.by_path.get(name) {
            return Ok(Some(&self.paths[at]));
        }
        let same_name = self.by_file_name.get(&file_name(name).to_lowercase());
        let candidates = same_name
            .into_iter()
            .flatten()
            .map(|&at| self.paths[at].as_str());
        let candidates: Vec<&str> = candidates.filter(|path| ends_alike(path, name)).collect();
        let in_same_case = |path: &&&str| {
            let (own, name) = (file_name(path), file_name(name));
            own == name || stem(own) == name
        };
        let exact: Vec<&str> = candidates.iter().filter(in_same_case).copied().collect();
        let found = if exact.is_empty() { candidates } else { exact };
        match found[..] {
            [] => Ok(None),
            [path] => Ok(Some(path)),
            [first, second, ..] => Err(AmbiguousName {
                name: name.to_owned(),
                first: first.to_owned(),
                second: second.to_owned(),
            }),
        }
    }

    /// The path of the file that a name means, and the page where the name ends with one, as in
    /// `scans.pdf#2`.
    ///
    /// # Errors
    /// [`AmbiguousName`] if two files have the name.
    pub fn find_page(&self, name: &str) -> Result<Option<(&str, Option<u32>)>, AmbiguousName> {
        if let Some(path) = self.find(name)? {
            return Ok(Some((path, None)));
        }
        let parts = name.rsplit_once('#');
        let Some((file, page)) = parts.and_then(|(file, n)| Some((file, n.parse().ok()?))) else {
            return Ok(None);
        };
        Ok(self.find(file)?.map(|path| (path, Some(page))))
    }
}

/// The last part of a path, whose folders may be divided as on Windows.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A file name without its ending.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// Whether the folders of two paths are the same from the file up to where one of them ends.
fn ends_alike(path: &str, name: &str) -> bool {
    let folders = |path: &str| -> Vec<String> {
        let parts = path.split(['/', '\\']).rev().skip(1);
        let parts = parts.filter(|part| !matches!(*part, "" | "."));
        parts.map(str::to_lowercase).collect()
    };
    folders(path)
        .iter()
        .zip(&folders(name))
        .all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str) -> Result<Option<String>, AmbiguousName> {
        let paths = [
            "r1/IMG_1.jpg",
            "r2/IMG_1.jpg",
            "r2/IMG_2.jpg",
            "r2/Img_2.png",
            "c.d.tif",
        ];
        let names = SheetNames::new(paths.map(str::to_owned));
        names.find(name).map(|path| path.map(str::to_owned))
    }

    #[test]
    fn a_sheet_is_named_with_or_without_folder_and_ending() {
        for name in [
            "c.d.tif",
            "c.d",
            "C.D.TIF",
            "./c.d.tif",
            "/home/ana/c.d.tif",
        ] {
            assert_eq!(find(name), Ok(Some("c.d.tif".to_owned())), "{name}");
        }
        for name in [
            "r1/IMG_1.jpg",
            "r1/IMG_1",
            "r1\\img_1.JPG",
            "C:\\sheets\\r1\\IMG_1.jpg",
        ] {
            assert_eq!(find(name), Ok(Some("r1/IMG_1.jpg".to_owned())), "{name}");
        }
        assert_eq!(find("IMG_2.jpg"), Ok(Some("r2/IMG_2.jpg".to_owned())));
        assert_eq!(find("IMG_2"), Ok(Some("r2/IMG_2.jpg".to_owned())));
        for name in ["c", "IMG_3", "r3/IMG_1", "c.d.jpg", ""] {
            assert_eq!(find(name), Ok(None), "{name}");
        }
    }

    #[test]
    fn a_name_of_two_sheets_is_told_with_both() {
        let told = find("IMG_1").expect_err("two sheets").to_string();
        assert_eq!(
            told,
            "IMG_1 names two sheets, r1/IMG_1.jpg and r2/IMG_1.jpg; write the folder too"
        );
        assert!(find("img_2").is_err());
    }
}
