//! The characters of a square.

/// Whether a character names a file, `é` for `e` included.
pub(crate) fn is_file(c: char) -> bool {
    ('a'..='h').contains(&c.to_ascii_lowercase()) || c == 'é'
}

/// Whether a character names a rank.
pub(crate) fn is_rank(c: char) -> bool {
    ('1'..='8').contains(&c)
}
