//! `--files-from`: a list of paths, as `find` and `ls` write it.

use std::path::{Path, PathBuf};

use anyhow::Result;

use sheetscan::text;

use super::text_file;

/// The marks of UTF-16 at the start of a list, as PowerShell writes it.
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
/// The mark of UTF-8.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The paths of a list, one a line, or divided by zero bytes as `find -print0` writes them; `-` is
/// standard input. A name is taken by its bytes, whatever its encoding, as the file system does.
pub fn read(list: &Path) -> Result<Vec<PathBuf>> {
    Ok(parse(&text_file::read_raw(list)?))
}

/// The paths of a list with these bytes.
fn parse(bytes: &[u8]) -> Vec<PathBuf> {
    if UTF16_MARKS.iter().any(|mark| bytes.starts_with(mark))
        && let Ok(decoded) = text::decode(bytes)
    {
        return parse(decoded.text.as_bytes());
    }
    if let Some(decoded) = decode_unmarked_utf16(bytes) {
        return parse(decoded.as_bytes());
    }
    let bytes = bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes);
    let end = match bytes {
        bytes if bytes.contains(&0) => 0,
        bytes if bytes.contains(&b'\n') => b'\n',
        _ => b'\r',
    };
    let names = bytes.split(|byte| *byte == end);
    let names = names.map(|name| if end == b'\n' { trim_cr(name) } else { name });
    names.filter(|name| !name.is_empty()).map(to_path).collect()
}

/// The text of a list of lines in UTF-16 without a mark: most of its units have a zero byte at the
/// same place, and one is a line end.
fn decode_unmarked_utf16(bytes: &[u8]) -> Option<String> {
    if !bytes.len().is_multiple_of(2) {
        return None;
    }
    let decode = |unit: fn([u8; 2]) -> u16| {
        let pairs = bytes.chunks_exact(2);
        let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
        let of_latin = units.iter().filter(|unit| (1..0x100).contains(*unit));
        let is_list = units.contains(&u16::from(b'\n')) && 2 * of_latin.count() > units.len();
        is_list.then(|| String::from_utf16(&units).ok()).flatten()
    };
    decode(u16::from_le_bytes).or_else(|| decode(u16::from_be_bytes))
}

/// A line without the CR of a line end of Windows.
fn trim_cr(mut line: &[u8]) -> &[u8] {
    while let Some(rest) = line.strip_suffix(b"\r") {
        line = rest;
    }
    line
}

/// The path with these bytes. Where there is no such file, the list may have been saved in another
/// encoding than that of the file system, and the decoded name is tried.
fn to_path(name: &[u8]) -> PathBuf {
    let decoded = text::decode(name).map(|decoded| PathBuf::from(decoded.text));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(name));
        match decoded {
            Ok(decoded) if !path.exists() && decoded.exists() => decoded,
            _ => path,
        }
    }
    #[cfg(not(unix))]
    decoded.unwrap_or_else(|_| String::from_utf8_lossy(name).into_owned().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(bytes: &[u8]) -> Vec<PathBuf> {
        parse(bytes)
    }

    #[test]
    fn lists_may_have_empty_lines_any_line_ends_and_a_mark() {
        let expected = [Path::new("a b.jpg"), Path::new(" ü.png")];
        for list in [
            "a b.jpg\r\n\r\n ü.png\n",
            "\u{feff}a b.jpg\n ü.png",
            "a b.jpg\r ü.png\r",
            "a b.jpg\0 ü.png\0",
        ] {
            assert_eq!(paths(list.as_bytes()), expected, "{list:?}");
        }
        let utf16 = "\u{feff}a b.jpg\r\n ü.png\r\n".encode_utf16();
        let utf16: Vec<u8> = utf16.flat_map(u16::to_le_bytes).collect();
        assert_eq!(paths(&utf16), expected);
        assert_eq!(paths(&utf16[2..]), expected);
    }

    #[test]
    fn names_that_hold_line_breaks_are_whole_behind_zero_bytes() {
        assert_eq!(
            paths(b"a\nb.jpg\0c.jpg"),
            [Path::new("a\nb.jpg"), Path::new("c.jpg")]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_name_is_taken_by_its_bytes_unless_only_the_decoded_one_is_there() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().expect("a folder");
        let latin = [folder.path().as_os_str().as_bytes(), b"/caf\xe9.jpg"].concat();
        std::fs::write(folder.path().join("café.jpg"), "").expect("the file is written");
        assert_eq!(paths(&latin), [folder.path().join("café.jpg")]);
        let path = Path::new(std::ffi::OsStr::from_bytes(&latin));
        std::fs::write(path, "").expect("the file is written");
        assert_eq!(paths(&latin), [path]);
    }
}
