//! Bytes that wait in a file until they are needed, so that they take no memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// A temporary file without a name, which vanishes with the run however that ends.
#[derive(Debug)]
pub struct Spool(Mutex<File>);

/// Where some bytes stand in a [`Spool`].
#[derive(Debug, Clone, Copy)]
pub struct SpoolRange {
    start: u64,
    length: u64,
}

impl Spool {
    /// Makes an empty spool.
    ///
    /// # Errors
    /// If no temporary file can be made.
    pub fn new() -> io::Result<Self> {
        tempfile::tempfile().map(Mutex::new).map(Self)
    }

    /// Appends some bytes.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn put(&self, bytes: &[u8]) -> io::Result<SpoolRange> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let start = file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)?;
        Ok(SpoolRange {
            start,
            length: bytes.len() as u64,
        })
    }

    /// Reads them back.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn get(&self, range: SpoolRange) -> io::Result<Vec<u8>> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(range.start))?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut *file)
            .take(range.length)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_back_in_any_order_and_while_others_are_added() {
        let spool = Spool::new().expect("a temporary file");
        let texts = [&b"Nf3"[..], b"", b"\xff\n", "\u{2658}f3".as_bytes()];
        let ranges = texts.map(|text| spool.put(text).expect("the text is written"));
        for (range, text) in ranges.into_iter().zip(texts).rev() {
            assert_eq!(spool.get(range).expect("the text is read"), text);
            spool.put(b"x").expect("the text is written");
        }
    }
}
