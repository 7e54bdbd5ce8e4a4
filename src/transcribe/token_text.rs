//! What a token says without what stands around it.

use std::borrow::Cow;

use crate::notation::{MAX_MOVE_CHARS, WordForm};

/// Largest length of a word that can be a move, in bytes of UTF-8.
const MAX_NORMALIZED_BYTES: usize = 4 * MAX_MOVE_CHARS;

/// Whether a character is a bullet, dash or quotation mark that can stand before a word.
pub(super) fn is_bullet_or_quote(c: char) -> bool {
    matches!(
        c,
        '-' | '–' | '—' | '*' | '•' | '·' | '_' | '\'' | '‘' | '’' | '\u{feff}'
    )
}

/// A token without the bullets, quotation marks and single brackets around it.
pub(super) fn trim_punctuation(text: &str) -> &str {
    let mut text = text.trim_start_matches(is_bullet_or_quote);
    if !text.contains(')') {
        text = text.trim_start_matches(['(', '[', '{']);
    }
    if !text.contains('(') && text.trim_end_matches(['.', ')']) != text.trim_end_matches('.') {
        // A bracket behind a number belongs to the number: `1)`.
        let inside = text.trim_end_matches(['.', ')', ']', '}']);
        if !inside.chars().all(|c| c.is_ascii_digit()) {
            text = inside;
        }
    }
    if text.ends_with("ch'") || text.ends_with("ch’") {
        return text;
    }
    text.trim_end_matches(['_', '*', '\'', '‘', '’', '•'])
}

/// The number at the start of `1.d4`, `1`, `1)` or `1e4`, and what stands after it.
pub(super) fn split_leading_number(text: &str) -> Option<(u32, &str)> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - after.len()];
    let value = digits
        .parse()
        .ok()
        .filter(|_| digits.len() <= 3 && !digits.starts_with('0'))?;
    let is_closed = after.is_empty() || after.starts_with(['.', '…', ')', ':']);
    let after = after.trim_start_matches(':');
    (is_closed || WordForm::classify(&normalize(after)) == WordForm::Move).then_some((value, after))
}

/// Whether a word is a time of the clock, as `1:25` and `01:27:10`, which some write beside a move.
pub(super) fn is_clock_time(word: &str) -> bool {
    let parts: Vec<&str> = word.splitn(4, ':').collect();
    let is_number = |part: &str, len| part.len() <= len && part.bytes().all(|b| b.is_ascii_digit());
    match parts[..] {
        [hours, ref rest @ ..] if matches!(rest.len(), 1 | 2) => {
            !hours.is_empty()
                && is_number(hours, 2)
                && rest
                    .iter()
                    .all(|part| part.len() == 2 && is_number(part, 2))
        }
        _ => false,
    }
}

/// A word in which dashes, multiplication signs, apostrophes and Cyrillic letters that look like
/// files or castling signs are replaced by the usual ones.
pub(super) fn normalize(text: &str) -> Cow<'_, str> {
    if text.len() > MAX_NORMALIZED_BYTES {
        return Cow::Borrowed(text);
    }
    if text.is_ascii() {
        return lower_files_of_long_form(text);
    }
    let is_castling = text.chars().all(|c| "OОоo0О-–—−‐‑+#!?.".contains(c));
    let mut normalized = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let before_rank = chars.peek().is_some_and(|c| ('1'..='8').contains(c));
        normalized.push(match c {
            '–' | '—' | '−' | '‐' | '‑' => '-',
            '×' | '✕' | 'х' => 'x',
            '’' | '′' => '\'',
            // On a Cyrillic keyboard these files look like the Latin ones.
            'а' if before_rank => 'a',
            'с' if before_rank => 'c',
            'е' if before_rank => 'e',
            'О' | 'о' if is_castling => 'O',
            // A pawn has no letter.
            '♙' | '♟' => continue,
            // Variation selectors, zero-width spaces and soft hyphens.
            '\u{fe0e}' | '\u{fe0f}' | '\u{200b}' | '\u{ad}' => continue,
            other => other,
        });
    }
    Cow::Owned(lower_files_of_long_form(&normalized).into_owned())
}

/// A word of two squares whose files are capitals, as `NG1-F3`, with small ones. One square alone
/// may be that of a piece, as in `B4`.
fn lower_files_of_long_form(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_capital_square =
        |i: &usize| (b'A'..=b'H').contains(&bytes[*i]) && (b'1'..=b'8').contains(&bytes[i + 1]);
    let places = 0..text.len().saturating_sub(1);
    let files: Vec<usize> = places.filter(is_capital_square).collect();
    let [from, to] = files[..] else {
        return Cow::Borrowed(text);
    };
    // Without a mark between them, the first may be a piece's letter and a rank, as in `D1E2`.
    if from + 2 == to {
        return Cow::Borrowed(text);
    }
    let mut lowered = text.to_owned();
    for i in files {
        lowered[i..=i].make_ascii_lowercase();
    }
    Cow::Owned(lowered)
}
