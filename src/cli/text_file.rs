//! Text files of other programs, read whole.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Result, anyhow, bail};

use sheetscan::text::{self, DecodedText};

use super::progress::print_message;

/// Largest size of a text file, in MiB. A report file of 3,000 players has 1 MiB.
const MAX_TEXT_MIB: u64 = 64;

/// The name of a file in messages; `-` is standard input.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Reads a text, of at most [`MAX_TEXT_MIB`]; `-` is standard input. An encoding that had to be
/// assumed is told. Lines of the text end with LF.
pub fn read(path: &Path) -> Result<String> {
    read_up_to(path, MAX_TEXT_MIB)
}

/// The same for a text of at most some MiB.
pub fn read_up_to(path: &Path, max_mib: u64) -> Result<String> {
    let bytes = read_bytes(path, max_mib)?;
    let name = name(path);
    let DecodedText { text, assumed } = text::decode(&bytes).map_err(|e| anyhow!("{name}: {e}"))?;
    if let Some(encoding) = assumed {
        print_message(&format!(
            "{name}: the text is not UTF-8, and {encoding} was assumed; if its letters come out \
             wrong, save it as UTF-8"
        ));
    }
    Ok(text)
}

/// The bytes of a text of at most [`MAX_TEXT_MIB`]; `-` is standard input.
pub fn read_raw(path: &Path) -> Result<Vec<u8>> {
    read_bytes(path, MAX_TEXT_MIB)
}

fn read_bytes(path: &Path, max_mib: u64) -> Result<Vec<u8>> {
    let fault = |why: std::io::Error| {
        let name = name(path);
        anyhow!("{name}: cannot be read: {why}; check the path and its permissions")
    };
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(fault)?)
    };
    let mut bytes = Vec::new();
    let mut source = source.take((max_mib << 20) + 1);
    source.read_to_end(&mut bytes).map_err(fault)?;
    if bytes.len() as u64 > max_mib << 20 {
        bail!(
            "{}: the text is longer than {max_mib} MiB; split it",
            name(path)
        );
    }
    Ok(bytes)
}
