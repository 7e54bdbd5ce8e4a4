//! The number of a move as it stands before the move in a line of text.

/// The number before a move that is not written together with its pair, as `3.` and `3...`; `ply`
/// counts from 0.
///
/// ```
/// use sheetscan::notation::move_number;
///
/// assert_eq!(format!("{} Bb5", move_number(4)), "3. Bb5");
/// assert_eq!(format!("{} a6", move_number(5)), "3... a6");
/// ```
pub fn move_number(ply: usize) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", ply / 2 + 1)
}
