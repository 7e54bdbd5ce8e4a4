//! From paths, folders and lists to the files to read, in a fixed order.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::args::SheetArgs;

/// Files taken from a folder; a file that is named is read whatever it is called.
const EXTENSIONS: [&str; 8] = ["jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "pdf"];

/// An input, in the order in which its game will be written.
#[derive(Debug)]
pub enum Input {
    /// A file to read.
    File(PathBuf),
    /// A folder that gives no files, and why.
    Refused(PathBuf, String),
}

impl Input {
    /// The file or folder.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Refused(path, _) => path,
        }
    }
}

/// The files that the arguments name.
pub fn resolve(args: &SheetArgs) -> Result<Vec<Input>> {
    let mut paths = args.paths.clone();
    if let Some(list) = &args.files_from {
        paths.extend(read_list(list)?);
    }
    let mut inputs = Vec::new();
    for path in paths {
        if path.is_dir() {
            inputs.extend(pictures_in(path));
        } else {
            inputs.push(Input::File(path));
        }
    }
    Ok(inputs)
}

/// The lines of a list that are not empty.
fn read_list(list: &Path) -> Result<Vec<PathBuf>> {
    let reader: Box<dyn BufRead> = if list == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let file = std::fs::File::open(list)
            .with_context(|| format!("the list {} cannot be read", list.display()))?;
        Box::new(BufReader::new(file))
    };
    let lines = reader.lines().collect::<Result<Vec<_>, _>>();
    let lines = lines.with_context(|| format!("the list {} cannot be read", list.display()))?;
    let paths = lines.iter().map(|line| line.trim_end_matches('\r'));
    Ok(paths
        .filter(|line| !line.is_empty())
        .map(PathBuf::from)
        .collect())
}

/// The picture files of a folder, sorted by name; not of the folders in it.
fn pictures_in(folder: PathBuf) -> Vec<Input> {
    let entries =
        std::fs::read_dir(&folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut pictures = match entries {
        Ok(entries) => entries
            .into_iter()
            .map(|entry| entry.path())
            .collect::<Vec<_>>(),
        Err(e) => {
            return vec![Input::Refused(
                folder,
                format!("the folder cannot be opened: {e}; check its permissions"),
            )];
        }
    };
    pictures.retain(|path| is_picture(path) && !path.is_dir());
    pictures.sort();
    if pictures.is_empty() {
        let kinds = EXTENSIONS.join(", ");
        return vec![Input::Refused(
            folder,
            format!("the folder holds no pictures; their names must end in {kinds}"),
        )];
    }
    pictures.into_iter().map(Input::File).collect()
}

fn is_picture(path: &Path) -> bool {
    let extension = path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default();
    let hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    !hidden
        && EXTENSIONS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
}
