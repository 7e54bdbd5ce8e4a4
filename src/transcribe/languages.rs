//! Which language a text is written in: judged first by the letters that its moves begin with, then
//! by the games that it gives in each language.

use std::collections::HashMap;

use shakmaty::Role;

use crate::notation::{LANGUAGES, Language, WordForm, is_capture_mark, is_file, is_rank};

use super::interpreter::MoveInterpreter;
use super::passages::Passage;
use super::records::find_passage_records;
use super::typed_record::TypedRecord;
use super::words::TypedWord;

/// Smallest share of the moves' beginnings that a plausible language explains, relative to the
/// language that explains most of them.
const MIN_EXPLAINED_SHARE: f32 = 0.85;
/// Largest difference in nats between the scores of two languages that fit a text equally well.
const MAX_EQUAL_SCORE_NATS: f32 = 1.0;

/// The languages that a text can be in, likelier ones first. Of several in which all beginnings of
/// moves mean the same pieces, only the first is kept.
pub(super) fn plausible_languages<'a>(
    words: impl Iterator<Item = &'a TypedWord<'a>>,
) -> Vec<&'static Language> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for word in words.filter(|word| word.form == WordForm::Move) {
        if let Some(beginning) = piece_beginning(&word.text) {
            *counts.entry(beginning).or_default() += 1;
        }
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort();
    let explained = |pieces: &[Option<Role>]| -> f32 {
        let known = pieces
            .iter()
            .zip(&counts)
            .filter(|(role, _)| role.is_some());
        known.map(|(_, (_, count))| *count as f32).sum()
    };
    let mut languages: Vec<(&'static Language, Vec<Option<Role>>)> = Vec::new();
    for language in LANGUAGES {
        let pieces = counts
            .iter()
            .map(|(beginning, _)| piece_named(beginning, language))
            .collect();
        if languages.iter().all(|(_, known)| *known != pieces) {
            languages.push((language, pieces));
        }
    }
    let max_explained = languages
        .iter()
        .map(|(_, pieces)| explained(pieces))
        .fold(0.0, f32::max);
    languages.retain(|(_, pieces)| explained(pieces) >= MIN_EXPLAINED_SHARE * max_explained);
    languages
        .into_iter()
        .map(|(language, _)| language)
        .collect()
}

/// A language with the records that a text gives in it.
pub(super) struct LanguageChoice {
    /// The language.
    pub language: &'static Language,
    /// The records of each passage.
    pub records: Vec<Vec<TypedRecord>>,
    /// Another language that fits the text equally well and gives other moves.
    pub rival: Option<&'static Language>,
}

/// Chooses the language in which the records of a text have the highest score.
pub(super) fn choose_language(
    passages: &[Passage],
    languages: &[&'static Language],
) -> LanguageChoice {
    let read = |language: &&'static Language| {
        let mut interpreter = MoveInterpreter::new(language);
        let records = passages
            .iter()
            .map(|passage| find_passage_records(passage, &mut interpreter));
        let records: Vec<Vec<TypedRecord>> = records.collect();
        let score: f32 = records
            .iter()
            .flatten()
            .map(|record| record.moves.score)
            .sum();
        (*language, records, score)
    };
    let mut readings: Vec<_> = languages.iter().map(read).collect();
    // The sort is stable: of equal languages the first in `LANGUAGES` stays the first.
    readings.sort_by(|a, b| b.2.total_cmp(&a.2));
    let all_moves = |records: &[Vec<TypedRecord>]| -> Vec<_> {
        let steps = records
            .iter()
            .flatten()
            .map(|record| record.moves.steps.clone());
        steps.collect()
    };
    let mut readings = readings.into_iter();
    let Some((language, records, score)) = readings.next() else {
        return LanguageChoice {
            language: &LANGUAGES[0],
            records: Vec::new(),
            rival: None,
        };
    };
    let rival = readings
        .take_while(|(.., other)| *other >= score - MAX_EQUAL_SCORE_NATS)
        .find(|(_, other, _)| all_moves(other) != all_moves(&records));
    LanguageChoice {
        language,
        records,
        rival: rival.map(|(rival, ..)| rival),
    }
}

/// The beginning of a move that names a piece: its first character, with the second where that can
/// be part of the name.
fn piece_beginning(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let (first, second) = (chars.next()?, chars.next()?);
    let is_pawn = is_file(first)
        && (is_rank(second)
            || (first.is_lowercase() && (is_capture_mark(second) || is_file(second))));
    let is_castling = "Oo".contains(first) && "Oo-".contains(second);
    if is_pawn || is_castling || !first.is_alphabetic() {
        return None;
    }
    let has_second = second.is_alphabetic() && !is_capture_mark(second);
    Some(
        std::iter::once(first)
            .chain(has_second.then_some(second))
            .collect(),
    )
}

/// The piece that the beginning of a move names. Where the letters of two fit, as `R` and `Ri`, the
/// longer ones count.
fn piece_named(beginning: &str, language: &Language) -> Option<Role> {
    let piece = |beginning: &str| {
        let roles = Role::ALL.into_iter().filter(|&role| {
            let mut forms = language.forms(role);
            forms.any(|letters| beginning.starts_with(letters))
        });
        roles.max_by_key(|&role| language.letters(role).len())
    };
    piece(beginning).or_else(|| {
        let first = beginning.chars().next()?;
        first
            .is_lowercase()
            .then(|| piece(&beginning.to_uppercase()))?
    })
}

#[cfg(test)]
mod tests {
    use super::super::words::split_words;
    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        let languages = plausible_languages(split_words(text, 1).iter());
        languages.iter().map(|language| language.code).collect()
    }

    fn piece(beginning: &str, code: &str) -> Option<Role> {
        piece_named(beginning, Language::from_code(code).expect("a known code"))
    }

    #[test]
    fn the_letters_of_the_moves_leave_the_languages_that_have_them() {
        // S is a knight in German and a pawn in Finnish; L, T and D are the same in both.
        assert_eq!(codes("1. e4 e5 2. Sf3 Sc6 3. Lb5 Tb8 4. De2"), ["de", "fi"]);
        // C is the knight and A the bishop in Italian and Spanish, which are one row.
        assert_eq!(codes("1. e4 e5 2. Cf3 Cc6 3. Ab5 Tb8 4. De2 Rf8"), ["it"]);
    }

    #[test]
    fn letters_may_be_typed_without_their_marks() {
        // Lithuanian: K V B R Ž. Without Ž or Z it would be Hungarian or Icelandic in part.
        assert_eq!(codes("1. e4 e5 2. Žf3 Žc6 3. Rb5 Bb8 4. Ve2"), ["lt"]);
        assert_eq!(codes("1. e4 e5 2. Zf3 Zc6 3. Rb5 Bb8 4. Ve2"), ["lt"]);
    }

    #[test]
    fn languages_in_which_a_text_means_the_same_count_once() {
        assert_eq!(codes("1. e4 e5 2. d4 d5"), ["en"]);
    }

    #[test]
    fn the_longer_of_two_letters_names_the_piece() {
        assert_eq!(piece("Ri", "fo"), Some(Role::Knight));
        assert_eq!(piece("Ra", "fo"), Some(Role::Rook));
        assert_eq!(piece("Кр", "ru"), Some(Role::King));
        assert_eq!(piece("Кf", "ru"), Some(Role::Knight));
        assert_eq!(piece("n", "en"), Some(Role::Knight));
        assert_eq!(piece("S", "en"), None);
    }
}
