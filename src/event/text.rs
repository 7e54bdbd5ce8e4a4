//! Text of the pairing program's files: encoding, lines and columns.

use encoding_rs::{Encoding, WINDOWS_1252};

/// Decodes the bytes of a file: by its byte order mark, else as UTF-8, else as Windows-1252, which
/// includes the letters of Latin-1.
pub(super) fn decode_text(bytes: &[u8]) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let text = encoding.decode_without_bom_handling(&bytes[mark..]).0;
        return text.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252
            .decode_without_bom_handling(bytes)
            .0
            .into_owned(),
    }
}

/// Splits a text into lines that end with LF, CR LF or a bare CR.
pub(super) fn split_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        lines.extend(line.split('\r'));
    }
    lines
}

/// A line with fields in fixed columns, which count characters from 1.
pub(super) struct FixedWidthLine(Vec<char>);

impl FixedWidthLine {
    /// Replaces control characters (DOS end marks, zero bytes) by spaces, and cuts the spaces at
    /// the end.
    pub(super) fn new(line: &str) -> Self {
        let visible = |c: char| if c.is_control() { ' ' } else { c };
        let mut columns: Vec<char> = line.chars().map(visible).collect();
        let end = columns.iter().rposition(|c| !c.is_whitespace());
        columns.truncate(end.map_or(0, |end| end + 1));
        Self(columns)
    }

    /// Number of columns.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The character in a column; a space beyond the end of the line.
    pub(super) fn char_at(&self, column: usize) -> char {
        self.0.get(column - 1).copied().unwrap_or(' ')
    }

    /// The text in the columns `first` to `last`, both included, without spaces around it.
    pub(super) fn field(&self, first: usize, last: usize) -> String {
        let end = last.min(self.0.len());
        let inside = self.0.get(first - 1..end).unwrap_or_default();
        inside.iter().collect::<String>().trim().to_owned()
    }

    /// The text from a column to the end of the line, without spaces around it.
    pub(super) fn field_from(&self, first: usize) -> String {
        self.field(first, self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_lf_cr_lf_or_cr() {
        assert_eq!(split_lines("a\rb\r\nc\nd"), ["a", "b", "c", "d"]);
        assert_eq!(split_lines("a\r\n\r\nb"), ["a", "", "b"]);
    }

    #[test]
    fn utf8_and_windows_1252_are_decoded_alike() {
        assert_eq!(decode_text("Müller".as_bytes()), "Müller");
        assert_eq!(decode_text(b"M\xfcller"), "Müller");
        assert_eq!(decode_text(b"\xef\xbb\xbf012 x"), "012 x");
        assert_eq!(decode_text(b"\x8akoda"), "Škoda");
    }

    #[test]
    fn columns_count_characters_and_not_bytes() {
        let line = FixedWidthLine::new("Müller 12\u{1a}");
        assert_eq!(line.field(8, 9), "12");
        assert_eq!(line.field(8, 90), "12");
        assert_eq!(line.field(80, 90), "");
        assert_eq!(line.char_at(2), 'ü');
        assert_eq!(line.char_at(40), ' ');
    }
}
