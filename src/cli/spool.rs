//! Texts that wait on disk until they are wanted.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// A file without a name, which ends with the run.
pub struct Spool(Mutex<File>);

/// Where a text is in it.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    from: u64,
    length: u64,
}

impl Spool {
    /// An empty one.
    pub fn new() -> io::Result<Self> {
        tempfile::tempfile().map(Mutex::new).map(Self)
    }

    /// Puts a text away.
    pub fn put(&self, text: &str) -> io::Result<Place> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let from = file.seek(SeekFrom::End(0))?;
        file.write_all(text.as_bytes())?;
        Ok(Place {
            from,
            length: text.len() as u64,
        })
    }

    /// Takes it out again.
    pub fn get(&self, place: Place) -> io::Result<String> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place.from))?;
        let mut text = String::new();
        Read::by_ref(&mut *file)
            .take(place.length)
            .read_to_string(&mut text)?;
        Ok(text)
    }
}
