//! Lines of CSV (RFC 4180).

/// A line of fields, with its end.
pub(super) fn line<const N: usize>(fields: [String; N]) -> String {
    let quoted = fields.map(|field| {
        if field.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    });
    quoted.join(",") + "\n"
}
