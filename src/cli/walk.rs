//! The pictures in a folder and in all folders below it, and what is left out there.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use sheetscan::page;
use walkdir::{DirEntry, WalkDir};

/// Extensions of the files that are read.
pub const EXTENSIONS: [&str; 19] = [
    "jpg", "jpeg", "jfif", "jpe", "jif", "mpo", "png", "webp", "bmp", "gif", "tif", "tiff", "heic",
    "heif", "hif", "jp2", "j2k", "jpx", "pdf",
];

/// Extensions of pictures that cannot be read. Each is reported as a sheet that gives no game,
/// since a game may be on it.
const UNREADABLE_EXTENSIONS: [&str; 19] = [
    "avif", "jxl", "svg", "psd", "xcf", "djvu", "ppm", "pgm", "pbm", "pnm", "tga", "cr2", "cr3",
    "nef", "arw", "dng", "raf", "orf", "rw2",
];

/// Endings of the names of copies that programs keep of a picture before they change it.
const BACKUP_ENDINGS: [&str; 4] = ["~", ".bak", ".orig", "_original"];

/// Number of files that are named of each kind that is left out.
const MAX_NAMED: usize = 6;

/// What was found in a folder.
#[derive(Debug, Default)]
pub struct Findings {
    /// The files to read, in no order.
    pub pictures: Vec<PathBuf>,
    /// What cannot be opened, with the reason.
    pub refused: Vec<(PathBuf, String)>,
    /// The names of what is left out, by kind.
    left_out: BTreeMap<LeftOut, Vec<String>>,
}

/// Why a file or folder is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LeftOut {
    NoPicture,
    Backup,
    Hidden,
    Special,
    SecondPath,
    OfThisRun,
}

impl LeftOut {
    /// What is said of so many of them.
    fn describe(self, count: usize) -> String {
        let (one, several) = match self {
            Self::NoPicture => ("file is no picture", "files are no pictures"),
            Self::Backup => ("is an older copy", "are older copies"),
            Self::Hidden => ("is hidden", "are hidden"),
            Self::Special => ("is a pipe or a device", "are pipes or devices"),
            Self::SecondPath => (
                "leads to what is read already",
                "lead to what is read already",
            ),
            Self::OfThisRun => (
                "folder is for this run's results",
                "folders are for results",
            ),
        };
        format!("{count} {}", if count == 1 { one } else { several })
    }
}

impl Findings {
    /// What was left out, in one line; none where nothing was.
    pub fn left_out_line(&self) -> Option<String> {
        let kinds = self.left_out.iter().map(|(kind, names)| {
            let mut line = kind.describe(names.len()) + ": ";
            line += &names[..names.len().min(MAX_NAMED)].join(", ");
            if let Some(more) = names.len().checked_sub(MAX_NAMED + 1) {
                line += &format!(" and {} more", more + 1);
            }
            line
        });
        let kinds: Vec<String> = kinds.collect();
        (!kinds.is_empty()).then(|| kinds.join("; "))
    }

    fn leave_out(&mut self, kind: LeftOut, path: &Path, root: &Path) {
        let name = path.strip_prefix(root).unwrap_or(path);
        let names = self.left_out.entry(kind).or_default();
        names.push(name.display().to_string());
    }
}

/// Looks through a folder and all folders below it. Links are followed; what is reached on two ways
/// is taken once. The folders in `outputs` are left out.
pub fn find_pictures(root: &Path, outputs: &[PathBuf]) -> Findings {
    let mut findings = Findings::default();
    let outputs: HashSet<PathBuf> = outputs
        .iter()
        .filter_map(|p| fs::canonicalize(p).ok())
        .collect();
    let mut seen = HashSet::new();
    let mut walk = WalkDir::new(root)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter();
    while let Some(entry) = walk.next() {
        match entry {
            Ok(entry) => {
                let kind = place(&entry, &outputs, &mut seen);
                match kind {
                    Some(kind) => {
                        findings.leave_out(kind, entry.path(), root);
                        if entry.file_type().is_dir() {
                            walk.skip_current_dir();
                        }
                    }
                    None if entry.file_type().is_file() => {
                        findings.pictures.push(entry.into_path());
                    }
                    None => {}
                }
            }
            Err(error) if error.loop_ancestor().is_some() => {
                let path = error.path().unwrap_or(root).to_owned();
                findings.leave_out(LeftOut::SecondPath, &path, root);
            }
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                let reason = error
                    .io_error()
                    .map_or_else(|| error.to_string(), |e| e.to_string());
                let reason = format!("cannot be opened: {reason}; check its permissions");
                findings.refused.push((path, reason));
            }
        }
    }
    findings
}

/// Why a file or folder is left out; none where the file is a picture, or the folder is looked
/// through.
fn place(
    entry: &DirEntry,
    outputs: &HashSet<PathBuf>,
    seen: &mut HashSet<PathBuf>,
) -> Option<LeftOut> {
    let path = entry.path();
    let is_root = entry.depth() == 0;
    if !is_root && entry.file_name().to_string_lossy().starts_with('.') {
        return Some(LeftOut::Hidden);
    }
    let own = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if !is_root && outputs.contains(&own) {
        return Some(LeftOut::OfThisRun);
    }
    let file_type = entry.file_type();
    if !file_type.is_dir() && !file_type.is_file() {
        return Some(LeftOut::Special);
    }
    if file_type.is_file() && !has_picture_extension(path) {
        // Some programs write pictures without an ending, or with one of their own.
        if !page::is_picture(path) {
            return Some(LeftOut::NoPicture);
        }
        if is_backup(path) {
            return Some(LeftOut::Backup);
        }
    }
    (!seen.insert(own)).then_some(LeftOut::SecondPath)
}

/// Whether a file's name is that of a copy that a program keeps of a picture before it changes it.
fn is_backup(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    BACKUP_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether a file's name is that of a picture, readable or not.
fn has_picture_extension(path: &Path) -> bool {
    let Some(extension) = path.extension().and_then(|e| e.to_str()) else {
        return false;
    };
    let mut known = EXTENSIONS.iter().chain(&UNREADABLE_EXTENSIONS);
    known.any(|known| known.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for name in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, "").expect("the file is written");
        }
        folder
    }

    fn names(findings: &Findings, root: &Path) -> Vec<String> {
        let name = |path: &PathBuf| {
            path.strip_prefix(root)
                .expect("below")
                .display()
                .to_string()
        };
        findings.pictures.iter().map(name).collect()
    }

    #[test]
    fn a_folder_gives_its_pictures_and_tells_what_it_leaves_out() {
        let files = [
            "a.tiff",
            "b.JPG",
            "sub/c.heic",
            "sub/deep/d.jfif",
            "e.avif",
            ".c.jpg",
            "notes.txt",
            "Thumbs.db",
            ".git/f.png",
            "drawn/a-p1.png",
        ];
        let folder = folder(&files);
        let root = folder.path();
        let findings = find_pictures(root, &[root.join("drawn")]);
        let wanted = ["a.tiff", "b.JPG", "e.avif", "sub/c.heic", "sub/deep/d.jfif"];
        assert_eq!(names(&findings, root), wanted);
        assert_eq!(
            findings.left_out_line().as_deref(),
            Some(
                "2 files are no pictures: Thumbs.db, notes.txt; 2 are hidden: .c.jpg, .git; \
                 1 folder is for this run's results: drawn"
            )
        );
    }

    #[test]
    fn a_picture_is_known_by_its_content_where_its_ending_says_nothing() {
        let folder = folder(&["notes", "BMW.txt", "P1.txt", "notes.jpg"]);
        let root = folder.path();
        let write = |name, bytes: &[u8]| fs::write(root.join(name), bytes).expect("a file");
        let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0";
        for name in ["scan", "IMG_1.jpg_original", "IMG_2.dat", "IMG_3~"] {
            write(name, jpeg);
        }
        write("BMW.txt", b"BM is no bitmap");
        write("P1.txt", b"P1 is no bitmap");
        write("page.tmp", b"%PDF-1.4\n");
        write("page.part", b"\0\0\0\x0cJXL \r\n\x87\n");
        let findings = find_pictures(root, &[]);
        let wanted = ["IMG_2.dat", "notes.jpg", "page.part", "page.tmp", "scan"];
        assert_eq!(names(&findings, root), wanted);
        assert_eq!(
            findings.left_out_line().as_deref(),
            Some(
                "3 files are no pictures: BMW.txt, P1.txt, notes; \
                 2 are older copies: IMG_1.jpg_original, IMG_3~"
            )
        );
    }

    #[test]
    fn many_files_are_counted_and_the_first_are_named() {
        let names: Vec<String> = (1..=9).map(|i| format!("{i}.txt")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let folder = folder(&names);
        let line = find_pictures(folder.path(), &[])
            .left_out_line()
            .expect("a line");
        assert!(
            line.starts_with("9 files are no pictures: 1.txt, "),
            "{line}"
        );
        assert!(line.ends_with("6.txt and 3 more"), "{line}");
    }

    #[cfg(unix)]
    #[test]
    fn what_links_lead_to_is_taken_once() {
        use std::os::unix::fs::symlink;
        let folder = folder(&["a.jpg", "sub/b.jpg"]);
        let elsewhere = tempfile::tempdir().expect("a folder");
        fs::write(elsewhere.path().join("c.jpg"), "").expect("the file is written");
        let root = folder.path();
        symlink(root.join("a.jpg"), root.join("z.jpg")).expect("a link");
        symlink(root, root.join("sub/up")).expect("a link");
        symlink(elsewhere.path(), root.join("sub/x")).expect("a link");
        symlink(root.join("gone.jpg"), root.join("gone.jpg")).expect("a link");
        let findings = find_pictures(root, &[]);
        assert_eq!(
            names(&findings, root),
            ["a.jpg", "sub/b.jpg", "sub/x/c.jpg"]
        );
        let line = findings.left_out_line().expect("a line");
        assert_eq!(line, "2 lead to what is read already: sub/up, z.jpg");
        assert_eq!(
            findings.refused.len(),
            1,
            "a link that leads nowhere is told"
        );
    }
}
