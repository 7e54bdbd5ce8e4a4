//! Text of the pairing program's files: its encoding, its lines, its columns.

use encoding_rs::{Encoding, WINDOWS_1252};

/// Text as the file holds it: by its byte order mark, as UTF-8, or else as Latin-1 in the form of Windows.
pub(super) fn decode(bytes: &[u8]) -> String {
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

/// Lines that end with LF, CR LF, or a bare CR.
pub(super) fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        lines.extend(line.split('\r'));
    }
    lines
}

/// A line by its columns, which count characters and not bytes, from 1.
pub(super) struct Columns(Vec<char>);

impl Columns {
    /// The columns of a line; what no text holds (DOS end marks, zero bytes) is blank.
    pub(super) fn of(line: &str) -> Self {
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

    /// The character of a column; blank beyond the end of the line.
    pub(super) fn at(&self, column: usize) -> char {
        self.0.get(column - 1).copied().unwrap_or(' ')
    }

    /// Columns from `first` to `last`, both included, without the blanks around the text.
    pub(super) fn field(&self, first: usize, last: usize) -> String {
        let end = last.min(self.0.len());
        let inside = self.0.get(first - 1..end).unwrap_or_default();
        inside.iter().collect::<String>().trim().to_owned()
    }

    /// Everything from a column on, without the blanks around it.
    pub(super) fn from(&self, first: usize) -> String {
        self.field(first, self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_is_an_end() {
        assert_eq!(lines("a\rb\r\nc\nd"), ["a", "b", "c", "d"]);
        assert_eq!(lines("a\r\n\r\nb"), ["a", "", "b"]);
    }

    #[test]
    fn utf8_and_windows_give_the_same_text() {
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"M\xfcller"), "Müller");
        assert_eq!(decode(b"\xef\xbb\xbf012 x"), "012 x");
        assert_eq!(decode(b"\x8akoda"), "Škoda");
    }

    #[test]
    fn columns_are_characters() {
        let line = Columns::of("Müller 12\u{1a}");
        assert_eq!(line.field(8, 9), "12");
        assert_eq!(line.field(8, 90), "12");
        assert_eq!(line.field(80, 90), "");
        assert_eq!(line.at(2), 'ü');
        assert_eq!(line.at(40), ' ');
    }
}
