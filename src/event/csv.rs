//! Lines of CSV (RFC 4180).

/// Formats fields as one line with its line end; a field that needs quotes gets them.
pub(super) fn format_line<const N: usize>(fields: [String; N]) -> String {
    let quoted = fields.map(|field| {
        if field.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    });
    quoted.join(",") + "\n"
}
