//! From paths, folders and lists to the files to read, in a fixed order.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use sheetscan::batch::Input;

use super::args::SheetArgs;
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
pub fn resolve(args: &SheetArgs, outputs: &[PathBuf]) -> Result<Inputs> {
    let mut paths = args.paths.clone();
    if let Some(list) = &args.files_from {
        let place = || format!("the list {} cannot be read", list.display());
        paths.extend(read_list(list).with_context(place)?);
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
    Ok(Inputs { files, left_out })
}

/// The lines of a list that are not empty; `-` is standard input.
fn read_list(list: &Path) -> std::io::Result<Vec<PathBuf>> {
    let reader: Box<dyn BufRead> = if list == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(BufReader::new(std::fs::File::open(list)?))
    };
    let mut paths = Vec::new();
    for line in reader.lines() {
        let line = line?;
        let path = line.trim_end_matches('\r');
        if !path.is_empty() {
            paths.push(PathBuf::from(path));
        }
    }
    Ok(paths)
}

/// The pictures in a folder and below it, sorted by name.
fn resolve_folder(folder: PathBuf, findings: Findings) -> Vec<Input> {
    let refused = findings.refused.into_iter();
    let mut inputs: Vec<Input> = refused
        .map(|(path, reason)| Input::Refused(path, reason))
        .collect();
    let mut pictures = findings.pictures;
    pictures.sort();
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
    fn a_list_may_have_empty_lines_and_line_ends_of_windows() {
        let list = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(list.path(), "a b.jpg\r\n\r\n ü.png\n").expect("the file is written");
        let paths = read_list(list.path()).expect("a list");
        assert_eq!(paths, [Path::new("a b.jpg"), Path::new(" ü.png")]);
    }
}
