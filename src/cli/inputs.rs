//! From paths, folders and lists to the files to read, in a fixed order.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use sheetscan::batch::Input;

use super::args::SheetArgs;
use super::file_list;
use super::walk::{self, Findings};

/// The files of a run.
pub struct Inputs {
    /// What the arguments name, in its order; a folder that gives no file is refused.
    pub files: Vec<Input>,
    /// A line for each folder in which files were left out.
    pub left_out: Vec<String>,
}

/// The files that the arguments name, and the folders that give none. The folders in `outputs` are
/// for the run's own results, and what an earlier run left there is no input.
///
/// # Errors
/// Where no file exists: a mistyped name must not replace the games of an earlier run by none.
pub fn resolve(args: &SheetArgs, outputs: &[PathBuf]) -> Result<Inputs> {
    let mut paths = args.paths.clone();
    if let Some(list) = &args.files_from {
        paths.extend(file_list::read(list)?);
        ensure!(
            !paths.is_empty(),
            "{}: there is no path in it; --files-from takes a list of pictures, one a line",
            list.display()
        );
    }
    let (mut files, mut left_out) = (Vec::new(), Vec::new());
    for path in paths {
        if path.is_dir() {
            let findings = walk::find_pictures(&path, outputs);
            let line = findings.left_out_line();
            left_out.extend(line.map(|line| format!("{}: {line}", path.display())));
            files.extend(resolve_folder(path, findings));
        } else {
            files.push(Input::File(path));
        }
    }
    let is_missing = |input: &Input| matches!(input, Input::File(path) if !path.exists());
    if let Some(first) = files.first()
        && files.iter().all(is_missing)
    {
        let others = match files.len() {
            1 => String::new(),
            2 => ", nor does the other one".to_owned(),
            count => format!(", nor do the {} others", count - 1),
        };
        bail!(
            "{}: the file does not exist{others}; check the path",
            first.path().display()
        );
    }
    Ok(Inputs { files, left_out })
}

/// The pictures in a folder and below it, sorted by name in natural order, page9 before page10.
fn resolve_folder(folder: PathBuf, findings: Findings) -> Vec<Input> {
    let refused = findings.refused.into_iter();
    let mut inputs: Vec<Input> = refused
        .map(|(path, reason)| Input::Refused(path, reason))
        .collect();
    let mut pictures = findings.pictures;
    alphanumeric_sort::sort_path_slice(&mut pictures);
    if pictures.is_empty() && inputs.is_empty() {
        let extensions = walk::EXTENSIONS.join(", ");
        let reason = format!("the folder holds no pictures; their names must end in {extensions}");
        return vec![Input::Refused(folder, reason)];
    }
    inputs.extend(pictures.into_iter().map(Input::File));
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_the_names_of_a_folder_are_sorted_by_value() {
        let folder = tempfile::tempdir().expect("a folder");
        let sorted = [
            "Page 2.jpg",
            "page1.jpg",
            "page9.jpg",
            "page10.jpg",
            "page10b2.jpg",
            "page10b10.jpg",
            "pages.jpg",
        ];
        for name in sorted.iter().rev() {
            std::fs::write(folder.path().join(name), "").expect("the file is written");
        }
        let findings = walk::find_pictures(folder.path(), &[]);
        let inputs = resolve_folder(folder.path().to_owned(), findings);
        let names = inputs.iter().map(|input| input.path().file_name());
        let names: Vec<_> = names.flatten().collect();
        assert_eq!(names, sorted);
    }
}
