//! A file that is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// Where a result is written. It is opened before the long work, so that a place that cannot be
/// written is reported at once.
pub enum Output {
    /// Standard output, which gets every result at once.
    Stdout(BufWriter<io::Stdout>),
    /// A device or pipe, which cannot be replaced by a finished file.
    Device(BufWriter<File>),
    /// A temporary file in the target's folder, which is renamed to the target in the end.
    Whole(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    /// Opens an output; `-` is standard output.
    pub fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout(BufWriter::new(io::stdout())));
        }
        Self::open_file(path).with_context(|| {
            format!(
                "{} cannot be written; choose another place with -o or --json",
                path.display()
            )
        })
    }

    fn open_file(path: &Path) -> io::Result<Self> {
        if path.to_string_lossy().ends_with(std::path::is_separator) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Writing through a symbolic link changes the file it leads to, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let metadata = match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) => Some(metadata),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(e),
        };
        if let Some(metadata) = &metadata {
            // A file that may not be written is not replaced either. Opening does not truncate it.
            let file = OpenOptions::new().write(true).open(&target)?;
            if !metadata.is_file() {
                return Ok(Self::Device(BufWriter::new(file)));
            }
        }
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let temporary = temporary_in(folder)?;
        if let Some(metadata) = metadata {
            temporary
                .as_file()
                .set_permissions(metadata.permissions())?;
        }
        Ok(Self::Whole(BufWriter::new(temporary), target))
    }

    /// Adds text, which goes at once to standard output or a device.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        let text = text.as_bytes();
        match self {
            Self::Stdout(out) => out.write_all(text).and_then(|()| out.flush()),
            Self::Device(out) => out.write_all(text).and_then(|()| out.flush()),
            Self::Whole(out, _) => out.write_all(text),
        }
    }

    /// Writes the rest, and gives the file its name.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => out.flush()?,
            Self::Device(mut out) => out.flush()?,
            Self::Whole(out, target) => {
                let place = || format!("{} cannot be written", target.display());
                let file = out
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)
                    .with_context(place)?;
                file.as_file().sync_all().with_context(place)?;
                file.persist(&target)
                    .map_err(|e| e.error)
                    .with_context(place)?;
            }
        }
        Ok(())
    }
}

/// A temporary file with the permissions that a new file would get; `tempfile` keeps others out by
/// default.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sheetscan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(without_temporary_name)
}

/// An error of `tempfile` without the name of the temporary file, which tells a user nothing.
pub fn without_temporary_name(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_output_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, "old").expect("the file is written");
        let mut output = Output::open(&path).expect("the output opens");
        output.write("new").expect("the text is written");
        drop(output);
        assert_eq!(fs::read_to_string(&path).expect("the file is there"), "old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn writing_through_a_link_keeps_the_link_and_the_permissions_of_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("games.pgn"), folder.path().join("link"));
        fs::write(&path, "old").expect("the file is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        let mut output = Output::open(&link).expect("the output opens");
        output.write("new").expect("the text is written");
        output.finish().expect("the file is whole");
        assert_eq!(fs::read_to_string(&path).expect("the file is there"), "new");
        assert!(link.is_symlink());
        let mode = fs::metadata(&path)
            .expect("the file is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}
