//! Lines of CSV (RFC 4180), which are safe to open in a spreadsheet.

use csv::{Terminator, WriterBuilder};

/// Characters with which a spreadsheet's formula begins.
const FORMULA_SIGNS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Formats fields as one line with its line end; a field that needs quotes gets them, and one that
/// a spreadsheet would take for a formula gets an apostrophe before it.
pub(super) fn format_line<const N: usize>(fields: [String; N]) -> String {
    let mut builder = WriterBuilder::new();
    let mut writer = builder
        .terminator(Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    let written = writer.write_record(fields.map(disarm_formula));
    let bytes = written.map(|()| writer.into_inner().unwrap_or_default());
    String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
}

fn disarm_formula(field: String) -> String {
    if field.starts_with(FORMULA_SIGNS) {
        format!("'{field}")
    } else {
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_and_are_never_formulas() {
        let line =
            format_line(["=1+1", "a,b", "\"x\"", "-", "1-0", "@x", "a\nb"].map(String::from));
        assert_eq!(line, "'=1+1,\"a,b\",\"\"\"x\"\"\",'-,1-0,'@x,\"a\nb\"\n");
    }
}
