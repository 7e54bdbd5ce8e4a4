//! A folder for pictures, and names for the pictures that differ.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use sheetscan::batch::Input;
use sheetscan::whole_file;

/// Makes a folder if it is missing, and fails if no file can be written to it.
pub fn make_writable(folder: &Path) -> Result<()> {
    let attempt = fs::create_dir_all(folder)
        .and_then(|()| tempfile::tempfile_in(folder).map_err(whole_file::without_temporary_name));
    attempt.with_context(|| {
        format!(
            "the folder {} cannot be written; choose another one",
            folder.display()
        )
    })?;
    Ok(())
}

/// Largest number of bytes of a stem: file systems take names of 255, and what follows the stem
/// needs some of them.
const MAX_STEM_BYTES: usize = 200;

/// For every input the stem of its file, cut where it is very long. A second file with the stem
/// `sheet` gets `sheet~2`.
pub fn stems(inputs: &[Input]) -> Vec<String> {
    let mut used = HashSet::new();
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut stems = Vec::new();
    for input in inputs {
        let stem = input.path().file_stem();
        let stem = stem.map_or_else(|| "sheet".into(), |stem| stem.to_string_lossy());
        let stem = &stem[..stem.floor_char_boundary(MAX_STEM_BYTES)];
        let count = counts.entry(stem.to_owned()).or_default();
        let name = loop {
            *count += 1;
            let name = match *count {
                1 => stem.to_owned(),
                count => format!("{stem}~{count}"),
            };
            if used.insert(name.clone()) {
                break name;
            }
        };
        stems.push(name);
    }
    stems
}

/// Saves a picture as PNG.
pub fn save(folder: &Path, name: &str, picture: &image::DynamicImage) -> Result<()> {
    let path = folder.join(name);
    whole_file::write_png(&path, picture)
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

    #[test]
    fn a_name_of_the_greatest_length_leaves_room_for_page_and_ending() {
        let long = "ü".repeat(125);
        let paths = ["a/", "b/"].map(|folder| format!("{folder}{long}.jpg").into());
        let stems = stems(&paths.map(Input::File));
        assert_eq!(stems[0], "ü".repeat(100));
        assert_eq!(stems[1], format!("{}~2", stems[0]));
    }
}
