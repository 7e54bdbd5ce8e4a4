//! A folder for pictures, and names for the pictures that differ.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use sheetscan::batch::Input;

use super::output;

/// Makes a folder if it is missing, and fails if no file can be written to it.
pub fn make_writable(folder: &Path) -> Result<()> {
    let attempt = fs::create_dir_all(folder)
        .and_then(|()| tempfile::tempfile_in(folder).map_err(output::without_temporary_name));
    attempt.with_context(|| {
        format!(
            "the folder {} cannot be written; choose another one",
            folder.display()
        )
    })?;
    Ok(())
}

/// For every input the stem of its file. A second file with the stem `sheet` gets `sheet~2`.
pub fn stems(inputs: &[Input]) -> Vec<String> {
    let mut used = HashSet::new();
    let mut stems = Vec::new();
    for input in inputs {
        let stem = input.path().file_stem();
        let stem = stem.map_or_else(|| "sheet".into(), |stem| stem.to_string_lossy());
        let mut name = stem.to_string();
        let mut number = 1;
        while !used.insert(name.clone()) {
            number += 1;
            name = format!("{stem}~{number}");
        }
        stems.push(name);
    }
    stems
}

/// Saves a picture as PNG.
pub fn save(folder: &Path, name: &str, picture: &image::DynamicImage) -> Result<()> {
    let path = folder.join(name);
    picture
        .save(&path)
        .with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_stem_in_several_folders_get_names_that_differ() {
        let paths = ["a/x.jpg", "b/x.png", "c/x~2.jpg", "d/x.jpg", "noten.tar.gz"];
        let inputs = paths.map(|path| Input::File(path.into()));
        assert_eq!(stems(&inputs), ["x", "x~2", "x~2~2", "x~3", "noten.tar"]);
    }
}
