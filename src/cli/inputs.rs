//! From paths, folders and lists to the files to read, in a fixed order.

use std::path::{Path, PathBuf};

use anyhow::Result;

use sheetscan::batch::Input;

use super::args::SheetArgs;
use super::file_list;

/// Extensions of the files that are taken from a folder. A file that is named itself is read
/// whatever its extension.
const EXTENSIONS: [&str; 8] = ["jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "pdf"];

/// The files that the arguments name, and the folders that give none.
pub fn resolve(args: &SheetArgs) -> Result<Vec<Input>> {
    let mut paths = args.paths.clone();
    if let Some(list) = &args.files_from {
        paths.extend(file_list::read(list)?);
    }
    let mut inputs = Vec::new();
    for path in paths {
        if path.is_dir() {
            inputs.extend(resolve_folder(path));
        } else {
            inputs.push(Input::File(path));
        }
    }
    Ok(inputs)
}

/// The picture files of a folder, sorted by name in natural order, without those of the folders in
/// it.
fn resolve_folder(folder: PathBuf) -> Vec<Input> {
    let mut pictures = match paths_in(&folder) {
        Ok(paths) => paths,
        Err(error) => {
            let reason = format!("the folder cannot be opened: {error}; check its permissions");
            return vec![Input::Refused(folder, reason)];
        }
    };
    pictures.retain(|path| is_picture(path) && !path.is_dir());
    alphanumeric_sort::sort_path_slice(&mut pictures);
    if pictures.is_empty() {
        let extensions = EXTENSIONS.join(", ");
        let reason = format!("the folder holds no pictures; their names must end in {extensions}");
        return vec![Input::Refused(folder, reason)];
    }
    pictures.into_iter().map(Input::File).collect()
}

fn paths_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

/// Whether a file's name is that of a picture, and not hidden.
fn is_picture(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let extension = path.extension().and_then(|e| e.to_str());
    let is_known = |extension: &str| {
        let mut known = EXTENSIONS.iter();
        known.any(|known| known.eq_ignore_ascii_case(extension))
    };
    !name.starts_with('.') && extension.is_some_and(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_gives_its_pictures_by_name_and_neither_folders_nor_hidden_files() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.JPG", "a.tiff", ".c.jpg", "notes.txt", "d"] {
            std::fs::write(folder.path().join(name), "").expect("the file is written");
        }
        std::fs::create_dir(folder.path().join("e.png")).expect("a folder");
        let inputs = resolve_folder(folder.path().to_owned());
        let names: Vec<_> = inputs.iter().map(|i| i.path().file_name()).collect();
        assert_eq!(names, [Some("a.tiff".as_ref()), Some("b.JPG".as_ref())]);
        assert!(inputs.iter().all(|input| matches!(input, Input::File(_))));
    }

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
        let inputs = resolve_folder(folder.path().to_owned());
        let names = inputs.iter().map(|input| input.path().file_name());
        let names: Vec<_> = names.flatten().collect();
        assert_eq!(names, sorted);
    }
}
