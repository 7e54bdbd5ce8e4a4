//! A folder for pictures, and names in it that do not collide.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use sheetscan::batch::Input;

use super::output;

/// Makes a folder where it is missing, and makes sure that files can be written to it.
pub fn writable(folder: &Path) -> Result<()> {
    let attempt = fs::create_dir_all(folder)
        .and_then(|()| tempfile::tempfile_in(folder).map_err(output::plain));
    attempt.with_context(|| {
        format!(
            "the folder {} cannot be written; choose another one",
            folder.display()
        )
    })?;
    Ok(())
}

/// For every input the stem of its file; the second `sheet` of another folder becomes `sheet~2`.
pub fn stems(inputs: &[Input]) -> Vec<String> {
    let mut taken = HashSet::new();
    let name = |input: &Input| {
        let stem = input
            .path()
            .file_stem()
            .map_or_else(|| "sheet".into(), |stem| stem.to_string_lossy());
        let free = (1..).map(|n| {
            if n == 1 {
                stem.to_string()
            } else {
                format!("{stem}~{n}")
            }
        });
        free.into_iter()
            .find(|name| taken.insert(name.clone()))
            .expect("numbers do not end")
    };
    inputs.iter().map(name).collect()
}

/// Saves a picture as PNG.
pub fn save(folder: &Path, name: &str, picture: &image::DynamicImage) -> Result<()> {
    let path = folder.join(name);
    picture
        .save(&path)
        .with_context(|| format!("{} cannot be written", path.display()))
}
