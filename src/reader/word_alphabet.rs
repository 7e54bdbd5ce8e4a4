//! The classes of characters in which words are read: letters without case and accent, digits,
//! signs.

use deunicode::deunicode_char;

/// The characters that are told apart: letters without case and accent, digits, and the signs of
/// dates and results. Class 0 is the CTC blank, class i + 1 is character i, and the last class
/// stands for all other characters.
const WORD_ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789.,-/:='";
/// Number of classes of a frame.
pub(super) const CLASS_COUNT: usize = WORD_ALPHABET.len() + 2;

/// The class that a character is counted with.
pub(super) fn class_of(c: char) -> usize {
    let plain = deunicode_char(c).and_then(|s| s.bytes().next());
    let plain = plain
        .filter(|_| c != '½')
        .unwrap_or(b'?')
        .to_ascii_lowercase();
    let index = WORD_ALPHABET.iter().position(|&known| known == plain);
    index.unwrap_or(WORD_ALPHABET.len()) + 1
}

/// The class of each character of a string.
pub(super) fn classes_of(text: &str) -> Vec<usize> {
    text.chars().map(class_of).collect()
}
