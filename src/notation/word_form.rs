//! What a word of a text can be, judged by its form alone and without a position.

use shakmaty::Role;

use super::descriptive::is_descriptive;
use super::language::figurines;
use super::outcome::{END_MARKS, EndMark};
use super::result_text::{is_draw_word, parse_score};
use super::square::{is_file, is_rank};
use super::suffix::{is_printed_suffix, stems};

/// Largest length of a move in characters: a long promotion with suffixes.
pub(crate) const MAX_MOVE_CHARS: usize = 18;

/// Largest length of a garbled move in characters.
const MAX_GARBLED_CHARS: usize = 8;

/// What a word can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordForm {
    /// A move in some language: `Cxd5`, `e4`, `O-O`.
    Move,
    /// A move among moves, and a word among words: `de`, `ed`, `00`.
    WordOrMove,
    /// A move in descriptive notation: `P-K4`, `C3AR`.
    Descriptive,
    /// Letters with digits that are no move: a slip of the pen among moves, a word elsewhere.
    Garbled,
    /// A text that stands behind a move: `e.p.`, `(=)`, `!?`.
    Suffix,
    /// A text that ends a record.
    End(EndMark),
    /// Anything else.
    Prose,
}

/// Whether a word has the form of a move in some language, whatever the position: `Cxd5`, `e4` and
/// `O-O` have it, `9JN` has not.
pub fn reads_like_a_move(word: &str) -> bool {
    WordForm::classify(word) == WordForm::Move
}

impl WordForm {
    /// The form of a word without blanks.
    pub(crate) fn classify(word: &str) -> Self {
        if word.chars().nth(MAX_MOVE_CHARS).is_some() {
            return Self::Prose;
        }
        if let Some(mark) = typed_end_mark(word) {
            return Self::End(mark);
        }
        if is_suffix(word) {
            return Self::Suffix;
        }
        if is_descriptive(word) {
            return Self::Descriptive;
        }
        let stems = || stems(word).into_iter().map(|stem| stem.text);
        if stems().any(is_move) {
            Self::Move
        } else if stems().any(is_word_or_move) {
            Self::WordOrMove
        } else if is_garbled(word) {
            Self::Garbled
        } else {
            Self::Prose
        }
    }
}

/// The end mark that a typed word is. Texts that are more often numbers or signs where they are
/// typed are none, and a full stop behind the mark does not count.
fn typed_end_mark(word: &str) -> Option<EndMark> {
    const ONLY_HANDWRITTEN: [&str; 6] = ["10", "01", "=", "#", "---", "--"];
    let bare = word.trim_end_matches('.');
    let known = END_MARKS.iter().find(|(mark, ..)| {
        !ONLY_HANDWRITTEN.contains(mark) && (*mark == word || mark.trim_end_matches('.') == bare)
    });
    known.map(|(_, mark, _)| *mark).or_else(|| {
        // `0,5-0,5` and `(1-0)`; a half or a sign alone is none.
        if bare.chars().all(char::is_alphabetic) && is_draw_word(bare) {
            return Some(EndMark::Draw);
        }
        let has_both = bare.contains(['0', '1', '½']) && bare.chars().count() > 2;
        has_both.then(|| parse_score(bare)).flatten()?.mark()
    })
}

fn is_suffix(word: &str) -> bool {
    let lowercase = word.to_lowercase();
    matches!(
        lowercase.as_str(),
        "e.p." | "e.p" | "ep" | "ep." | "e." | "p." | "ch" | "ch." | "ch'" | "(=)"
    ) || word.starts_with('$')
        || word
            .chars()
            .all(|c| "+#!?=.:'/()[]{}<>~^&%-…".contains(c) || is_printed_suffix(c))
}

/// Whether a character is a mark of a capture.
pub(crate) fn is_capture_mark(c: char) -> bool {
    matches!(c, 'x' | 'X' | ':')
}

/// Whether a character can name a piece in some language.
fn is_piece(c: char) -> bool {
    c.is_alphabetic() || Role::ALL.iter().any(|&role| figurines(role).contains(&c))
}

fn is_garbled(word: &str) -> bool {
    word.chars().count() <= MAX_GARBLED_CHARS
        && word.contains(|c: char| c.is_ascii_digit())
        && word.contains(|c: char| c.is_ascii_alphabetic())
}

/// Whether a stem is castling, a move to a square, or a piece that captures a piece.
fn is_move(stem: &str) -> bool {
    let chars: Vec<char> = stem.chars().collect();
    if is_castling(&chars) {
        return chars.contains(&'-');
    }
    let Some((before, after)) = split_at_target(&chars) else {
        return is_piece_takes_piece(&chars);
    };
    is_before_target(before) && !is_lowercase_word(before) && is_promotion(after)
}

/// Whether what stands before the target square is a word of at least three lower-case letters, as
/// in `page1`. `ridf6` with a Faroese knight has three as well.
fn is_lowercase_word(before: &[char]) -> bool {
    letters(before).count() > 2 && letters(before).all(char::is_lowercase)
}

/// What stands before and after the last square in a word.
fn split_at_target(chars: &[char]) -> Option<(&[char], &[char])> {
    let is_square = |i: &usize| is_file(chars[i - 1]) && is_rank(chars[*i]);
    let rank = (1..chars.len()).rfind(is_square)?;
    Some((&chars[..rank - 1], &chars[rank + 1..]))
}

fn is_castling(chars: &[char]) -> bool {
    let signs = chars.iter().filter(|c| "O0o".contains(**c)).count();
    let dashes = chars.iter().filter(|c| **c == '-').count();
    (2..=3).contains(&signs)
        && signs + dashes == chars.len()
        && (dashes == 0 || (dashes == signs - 1 && chars.first() != Some(&'-')))
}

/// Whether characters can stand before the target square of a move: a piece, a file, rank or
/// square, one mark of a capture or dash, a captured piece.
fn is_before_target(before: &[char]) -> bool {
    let is_mark = |c: char| is_capture_mark(c) || c == '-';
    // X is also the Vietnamese rook, so it does not count as a mark here.
    let marks = before.iter().skip(1).filter(|c| is_mark(**c) && **c != 'X');
    before.len() <= 7
        && before
            .iter()
            .all(|&c| is_piece(c) || is_rank(c) || is_mark(c))
        && letters(before).count() <= 4
        && marks.count() <= 1
}

fn letters(before: &[char]) -> impl Iterator<Item = char> {
    before
        .iter()
        .copied()
        .filter(|c| is_piece(*c) && !is_capture_mark(*c))
}

/// Whether characters can stand after the target square: nothing, or a promotion.
fn is_promotion(after: &[char]) -> bool {
    let is_uppercase_piece = |letters: &[char]| {
        (1..=2).contains(&letters.len()) && is_piece(letters[0]) && !letters[0].is_lowercase()
    };
    match after {
        [] => true,
        ['(', letters @ .., ')'] => is_uppercase_piece(letters),
        ['=' | '/', letters @ ..] => (1..=2).contains(&letters.len()) && is_piece(letters[0]),
        letters => is_uppercase_piece(letters),
    }
}

/// Whether a stem is a piece that captures a piece, as `BxN` and `exN`. `dxe` is not one, since it
/// may be a word.
fn is_piece_takes_piece(chars: &[char]) -> bool {
    let [piece, mark, captured] = chars else {
        return false;
    };
    is_piece(*piece)
        && is_capture_mark(*mark)
        && is_piece(*captured)
        && !captured.is_lowercase()
        && (!piece.is_lowercase() || is_file(*piece))
}

/// Whether a stem is castling without dashes, a pawn capture written as two files, or a square
/// behind letters that make it look like a word.
fn is_word_or_move(stem: &str) -> bool {
    let chars: Vec<char> = stem.chars().collect();
    let are_neighbours = |a: char, b: char| (a as i32 - b as i32).abs() == 1;
    is_castling(&chars)
        || split_at_target(&chars)
            .is_some_and(|(before, after)| is_before_target(before) && is_promotion(after))
        || match chars[..] {
            [a, b] => a.is_lowercase() && is_file(a) && is_file(b) && are_neighbours(a, b),
            [a, mark, b] => {
                is_capture_mark(mark) && is_file(a) && is_file(b) && are_neighbours(a, b)
            }
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_several_languages_have_the_form_of_a_move() {
        for word in [
            "e4",
            "Cxd5",
            "O-O",
            "0-0-0",
            "CF3",
            "♘c3",
            "exd6e.p.",
            "a8(D)",
            "BxN",
            "Крd8",
            "Rid7",
            "Xa1",
            "Ng1-f3+!?",
        ] {
            assert!(reads_like_a_move(word), "{word}");
        }
        for word in ["9JN", "page1", "de", "00", "P-K4", "Nf9", "---", "chess"] {
            assert!(!reads_like_a_move(word), "{word}");
        }
    }

    #[test]
    fn a_word_that_could_also_be_a_move_is_told_apart_from_both() {
        for word in ["de", "dxe", "00", "OOO", "page1"] {
            assert_eq!(WordForm::classify(word), WordForm::WordOrMove, "{word}");
        }
        for word in ["dd", "ag", "he's", "and"] {
            assert_eq!(WordForm::classify(word), WordForm::Prose, "{word}");
        }
    }

    #[test]
    fn results_and_signs_are_recognised_before_moves() {
        assert_eq!(WordForm::classify("1/2-1/2"), WordForm::End(EndMark::Draw));
        assert_eq!(WordForm::classify("abb"), WordForm::End(EndMark::LoserHere));
        assert_eq!(WordForm::classify("0,5-0,5"), WordForm::End(EndMark::Draw));
        assert_eq!(
            WordForm::classify("(0-1)"),
            WordForm::End(EndMark::BlackWins)
        );
        // Typed, ten is a number and not a result.
        assert_eq!(WordForm::classify("10"), WordForm::Prose);
        for word in ["e.p.", "$14", "(=)", "!?", "±", "…"] {
            assert_eq!(WordForm::classify(word), WordForm::Suffix, "{word}");
        }
    }
}
