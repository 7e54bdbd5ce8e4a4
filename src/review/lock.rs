//! One review at a time for the answers of one folder.
//!
//! ```
//! use sheetscan::review::lock::ReviewLock;
//!
//! let folder = tempfile::tempdir()?;
//! let answers = folder.path().join("round1.fixes.toml");
//! let mut lock = ReviewLock::take(&answers)?;
//! lock.write_address("http://127.0.0.1:7717/")?;
//! assert!(ReviewLock::take(&answers).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// More bytes than the address of a review has.
const MAX_ADDRESS_BYTES: u64 = 64;

/// Held as long as a review of these answers runs, however it ends. The file beside the answers
/// holds the address of the review, without its token, for other programs to read.
#[derive(Debug)]
pub struct ReviewLock(File);

/// Why the answers cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another review runs.
    #[error(
        "a review of these answers is running{}; go on there, or end it first",
        address.as_ref().map(|address| format!(" at {address}")).unwrap_or_default()
    )]
    Running {
        /// Where, if that can be read.
        address: Option<String>,
    },
    /// There is a file of that name that no review has made.
    #[error("{}: this is no lock of a review; move it away", .0.display())]
    Foreign(PathBuf),
    /// The file cannot be made or locked.
    #[error("{}: the answers cannot be locked: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl ReviewLock {
    /// Locks the answers in this file, which need not exist yet.
    ///
    /// # Errors
    /// If a review of them is running, or the file beside them cannot be made.
    pub fn take(answers: &Path) -> Result<Self, LockError> {
        let path = lock_path(answers);
        let failed = |source| LockError::Io {
            path: path.clone(),
            source,
        };
        let mut file = open_lock(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                // Windows lets nobody read a locked file.
                let address = read_address(&mut file).ok().flatten();
                return Err(LockError::Running { address });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // Behind a link of that name there could be any file of the person's own.
        let facts = file.metadata().map_err(failed)?;
        let is_own = facts.len() == 0 || read_address(&mut file).map_err(failed)?.is_some();
        if !facts.is_file() || !is_own {
            return Err(LockError::Foreign(path));
        }
        file.set_len(0).map_err(failed)?;
        Ok(Self(file))
    }

    /// Writes where the review runs.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_address(&mut self, address: &str) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.seek(SeekFrom::Start(0))?;
        writeln!(self.0, "{address}")?;
        self.0.flush()
    }
}

impl Drop for ReviewLock {
    /// Empties the file. It stays, since another program may be waiting for just this one, and a
    /// new one of its name would be another lock.
    fn drop(&mut self) {
        // What cannot be emptied is a lock that nobody holds, which the next review takes.
        let _ = self.0.set_len(0);
    }
}

/// The file that is locked for these answers.
#[must_use]
pub fn lock_path(answers: &Path) -> PathBuf {
    let mut path = answers.as_os_str().to_owned();
    path.push(".lock");
    path.into()
}

/// The address in a lock, or `None` if there is something else. The file may be another person's,
/// who could have written anything: the address is shown, and never opened.
fn read_address(file: &mut File) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    Read::by_ref(file)
        .take(MAX_ADDRESS_BYTES)
        .read_to_end(&mut bytes)?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(None);
    };
    let port = text
        .strip_prefix("http://127.0.0.1:")
        .and_then(|rest| rest.strip_suffix("/\n"));
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.len() <= 5;
    Ok(port
        .filter(|port| is_port(port))
        .map(|_| text.trim_end().to_owned()))
}

#[cfg(unix)]
fn open_lock(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // Without `NONBLOCK`, opening a named pipe would wait for a reader.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    lock_options()
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}

#[cfg(not(unix))]
fn open_lock(path: &Path) -> io::Result<File> {
    lock_options().open(path)
}

fn lock_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_second_review_is_told_where_the_first_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let answers = folder.path().join("round1.fixes.toml");
        let mut lock = ReviewLock::take(&answers).expect("a lock");
        let error = ReviewLock::take(&answers).expect_err("it is locked");
        assert!(
            matches!(error, LockError::Running { address: None }),
            "{error}"
        );
        lock.write_address("http://127.0.0.1:7717/")
            .expect("the address is written");
        let error = ReviewLock::take(&answers).expect_err("it is locked");
        if cfg!(unix) {
            let text = "a review of these answers is running at http://127.0.0.1:7717/; \
                        go on there, or end it first";
            assert_eq!(error.to_string(), text);
        }
        drop(lock);
        assert_eq!(fs::read(lock_path(&answers)).expect("the lock"), b"");
        ReviewLock::take(&answers).expect("it is free again");
    }

    #[test]
    fn a_lock_of_a_review_that_was_killed_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let answers = folder.path().join("round1.fixes.toml");
        fs::write(lock_path(&answers), "http://127.0.0.1:50123/\n").expect("a lock");
        ReviewLock::take(&answers).expect("nobody holds it");
    }

    #[test]
    fn a_file_of_another_kind_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let answers = folder.path().join("round1.fixes.toml");
        for text in [
            "my notes",
            "http://127.0.0.1:1@evil.example/\n",
            "http://127.0.0.1:1/\nx",
        ] {
            fs::write(lock_path(&answers), text).expect("a file");
            let error = ReviewLock::take(&answers).expect_err("no lock");
            assert!(matches!(error, LockError::Foreign(_)), "{error}");
            assert_eq!(
                fs::read_to_string(lock_path(&answers)).expect("the file"),
                text
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let answers = folder.path().join("round1.fixes.toml");
        let other = folder.path().join("empty");
        fs::write(&other, "").expect("a file");
        std::os::unix::fs::symlink(&other, lock_path(&answers)).expect("a link");
        let error = ReviewLock::take(&answers).expect_err("a link");
        assert!(matches!(error, LockError::Io { .. }), "{error}");
    }
}
