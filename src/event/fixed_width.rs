//! Lines with fields in fixed columns.

/// A line with fields in fixed columns, which count from 1.
pub(super) struct FixedWidthLine {
    /// The character in each column.
    columns: Vec<char>,
}

/// What stands in the columns behind the first one of a letter that counts as several.
const CONTINUATION: char = '\u{0}';

impl FixedWidthLine {
    /// Takes a line whose columns count characters. Control characters (DOS end marks, zero bytes)
    /// become spaces, and the spaces at the end are cut.
    pub(super) fn new(line: &str) -> Self {
        Self::of_columns(line.chars().map(without_control).collect())
    }

    /// Takes a line whose columns count the bytes of UTF-8, as programs write it that pad a field
    /// by its bytes.
    pub(super) fn of_bytes(line: &str) -> Self {
        let columns = line.chars().flat_map(|c| {
            // A letter that was cut after its first byte has one column.
            let is_cut = c == char::REPLACEMENT_CHARACTER;
            let bytes = if is_cut { 1 } else { c.len_utf8() };
            let more = std::iter::repeat_n(CONTINUATION, bytes - 1);
            std::iter::once(without_control(c)).chain(more)
        });
        Self::of_columns(columns.collect())
    }

    fn of_columns(mut columns: Vec<char>) -> Self {
        let end = columns.iter().rposition(|c| !c.is_whitespace());
        columns.truncate(end.map_or(0, |end| end + 1));
        Self { columns }
    }

    /// Number of columns.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The character in a column; a space beyond the end of the line.
    pub(super) fn char_at(&self, column: usize) -> char {
        self.columns.get(column - 1).copied().unwrap_or(' ')
    }

    /// The text in the columns `first` to `last`, both included, without spaces around it.
    pub(super) fn field(&self, first: usize, last: usize) -> String {
        let end = last.min(self.len());
        let inside = self.columns.get(first - 1..end).unwrap_or_default();
        let inside = inside.iter().filter(|c| **c != CONTINUATION);
        inside.collect::<String>().trim().to_owned()
    }

    /// The text from a column to the end of the line, without spaces around it.
    pub(super) fn field_from(&self, first: usize) -> String {
        self.field(first, self.len())
    }
}

fn without_control(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let line = FixedWidthLine::new("Müller 12\u{1a}");
        assert_eq!(line.field(8, 9), "12");
        assert_eq!(line.field(8, 90), "12");
        assert_eq!(line.field(80, 90), "");
        assert_eq!(line.char_at(2), 'ü');
        assert_eq!(line.char_at(40), ' ');
    }

    #[test]
    fn columns_may_count_bytes() {
        let line = FixedWidthLine::of_bytes("Müller 12");
        assert_eq!(
            (line.field(1, 7).as_str(), line.field(9, 10).as_str()),
            ("Müller", "12")
        );
        assert_eq!(line.field_from(9), "12");
    }
}
