//! Texts that wait in a file until they are needed, so that they take no memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// A temporary file without a name, which vanishes with the run.
pub struct Spool(Mutex<File>);

/// Where a text stands in a [`Spool`], in bytes.
#[derive(Debug, Clone, Copy)]
pub struct SpoolRange {
    start: u64,
    length: u64,
}

impl Spool {
    /// Makes an empty spool.
    pub fn new() -> io::Result<Self> {
        tempfile::tempfile().map(Mutex::new).map(Self)
    }

    /// Appends a text.
    pub fn put(&self, text: &str) -> io::Result<SpoolRange> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let start = file.seek(SeekFrom::End(0))?;
        file.write_all(text.as_bytes())?;
        Ok(SpoolRange {
            start,
            length: text.len() as u64,
        })
    }

    /// Reads a text back.
    pub fn get(&self, range: SpoolRange) -> io::Result<String> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(range.start))?;
        let mut text = String::new();
        Read::by_ref(&mut *file)
            .take(range.length)
            .read_to_string(&mut text)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_back_in_any_order_and_while_others_are_added() {
        let spool = Spool::new().expect("a temporary file");
        let texts = ["Nf3", "", "Cavalo: \u{2658}f3\n", "ход"];
        let ranges = texts.map(|text| spool.put(text).expect("the text is written"));
        for (range, text) in ranges.into_iter().zip(texts).rev() {
            assert_eq!(spool.get(range).expect("the text is read"), text);
            spool.put("x").expect("the text is written");
        }
    }
}
