//! A file that appears under its name whole or not at all, and leaves nothing behind where the
//! program is stopped.
//!
//! ```
//! use std::io::Write;
//! use sheetscan::whole_file::WholeFile;
//!
//! let folder = tempfile::tempdir()?;
//! let target = folder.path().join("games.pgn");
//! let mut file = WholeFile::create(&target)?;
//! file.write_all(b"1. e4 *")?;
//! assert!(!target.exists());
//! file.publish()?;
//! assert_eq!(std::fs::read(&target)?, b"1. e4 *");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// Held while a file has a temporary name, which is just before it gets its own.
static NAMING: Mutex<()> = Mutex::new(());

/// Waits until no file has a temporary name. As long as the guard lives none gets one, so that the
/// program can end without leaving any.
pub fn pause_naming() -> MutexGuard<'static, ()> {
    NAMING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is being written. It has no name yet, so that it vanishes when this is dropped or
/// the program ends in any way.
pub struct WholeFile {
    file: BufWriter<File>,
    target: PathBuf,
    permissions: Option<Permissions>,
}

impl WholeFile {
    /// Makes a file that is to replace or become `target`.
    ///
    /// # Errors
    /// If the folder of `target` is missing or cannot be written.
    pub fn create(target: &Path) -> io::Result<Self> {
        let file = open_unnamed(folder_of(target))?;
        Ok(Self {
            file: BufWriter::new(file),
            target: target.to_owned(),
            permissions: None,
        })
    }

    /// Gives the file these permissions instead of those that any new file gets.
    pub fn set_permissions(&mut self, permissions: Permissions) {
        self.permissions = Some(permissions);
    }

    /// The path that it is to have.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes all that was given so far to the disk, so that only its name is missing.
    ///
    /// # Errors
    /// If it cannot be written, as when the disk is full.
    pub fn settle(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }

    /// Writes the rest and gives the file its name; what was there before is replaced.
    ///
    /// # Errors
    /// If it cannot be written or named.
    pub fn publish(mut self) -> io::Result<()> {
        self.settle()?;
        let _naming = pause_naming();
        if let Some(permissions) = &self.permissions {
            self.file.get_ref().set_permissions(permissions.clone())?;
        }
        let folder = folder_of(&self.target);
        let link = |path: &Path| link_unnamed(self.file.get_ref(), path);
        match named().make_in(folder, link) {
            Ok(named) => named.persist(&self.target).map_err(|e| e.error)?,
            Err(_) => self.copy_under_its_name()?,
        }
        Ok(())
    }

    /// Copies the file to one with a name, where the system cannot give it one.
    fn copy_under_its_name(&mut self) -> io::Result<()> {
        let mut copy: NamedTempFile = named()
            .tempfile_in(folder_of(&self.target))
            .map_err(without_temporary_name)?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        io::copy(file, &mut copy)?;
        if let Some(permissions) = &self.permissions {
            copy.as_file().set_permissions(permissions.clone())?;
        }
        copy.as_file().sync_all()?;
        copy.persist(&self.target).map_err(|e| e.error)?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(target)?;
    file.write_all(bytes)?;
    file.publish()
}

/// Writes a picture as PNG, whole or not at all.
///
/// # Errors
/// If it cannot be encoded or written.
pub fn write_png(target: &Path, picture: &image::DynamicImage) -> image::ImageResult<()> {
    let mut bytes = Vec::new();
    // `write_to` would compile the encoders of all formats into this crate.
    picture.write_with_encoder(image::codecs::png::PngEncoder::new(&mut bytes))?;
    Ok(write(target, &bytes)?)
}

/// An error of `tempfile` without the name of the temporary file, which tells a user nothing.
pub fn without_temporary_name(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

/// The folder that a path lies in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// How files with temporary names are made: with the permissions that any new file gets, while
/// `tempfile` keeps others out by default.
fn named() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sheetscan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder
}

/// Opens a file without a name in a folder. Not every file system can give it a name later.
fn open_unnamed(folder: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
        let file = File::options()
            .read(true)
            .write(true)
            .mode(0o666)
            .custom_flags(flags)
            .open(folder);
        if let Ok(file) = file {
            return Ok(file);
        }
    }
    tempfile::tempfile_in(folder).map_err(without_temporary_name)
}

/// Gives a file without a name one.
#[cfg(target_os = "linux")]
fn link_unnamed(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD};
    use std::os::fd::AsRawFd;
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, unnamed, CWD, path, AtFlags::SYMLINK_FOLLOW)?;
    Ok(())
}

/// Only Linux can give a file without a name one.
#[cfg(not(target_os = "linux"))]
fn link_unnamed(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_copy_takes_the_place_of_a_link_where_the_file_system_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("games.pgn");
        fs::write(&target, "old").unwrap();
        let mut file = WholeFile::create(&target).unwrap();
        file.write_all(b"new").unwrap();
        file.settle().unwrap();
        file.copy_under_its_name().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (plain, whole) = (folder.path().join("plain"), folder.path().join("whole"));
        fs::write(&plain, "").unwrap();
        write(&whole, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&plain), mode(&whole));
    }
}
