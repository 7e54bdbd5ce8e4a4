//! Which language a text is written in: judged by the letters of its men, then by what it tells in each.

use std::collections::HashMap;

use shakmaty::Role;

use crate::notation::{LANGUAGES, Language};

use super::kind::{Kind, is_file, is_rank, is_take};
use super::lexicon::Lexicon;
use super::records::{self, Found};
use super::words::Word;

/// A language that explains less than this share of the letters that the best one does is out.
const EXPLAINED: f32 = 0.85;
/// Languages whose games lie within this of the best, in nats, fit as well.
const APART: f32 = 1.0;

/// The languages that a text may be in, likelier ones first; of those that give all its letters the same men, one.
pub(super) fn plausible(words: &[Word]) -> Vec<&'static Language> {
    let mut heads: HashMap<String, usize> = HashMap::new();
    for word in words.iter().filter(|word| word.kind == Kind::Move) {
        if let Some(head) = head(&word.text) {
            *heads.entry(head).or_default() += 1;
        }
    }
    let mut heads: Vec<(String, usize)> = heads.into_iter().collect();
    heads.sort();
    let men = |language: &Language| -> Vec<Option<Role>> {
        heads.iter().map(|(head, _)| man(head, language)).collect()
    };
    let explained = |men: &[Option<Role>]| -> f32 {
        let known = men.iter().zip(&heads).filter(|(man, _)| man.is_some());
        known.map(|(_, (_, n))| *n as f32).sum()
    };
    let mut seen: Vec<(&'static Language, Vec<Option<Role>>)> = Vec::new();
    for language in LANGUAGES {
        let men = men(language);
        if seen.iter().all(|(_, known)| *known != men) {
            seen.push((language, men));
        }
    }
    let most = seen
        .iter()
        .map(|(_, men)| explained(men))
        .fold(0.0, f32::max);
    seen.retain(|(_, men)| explained(men) >= EXPLAINED * most);
    seen.into_iter().map(|(language, _)| language).collect()
}

/// The language in which a text tells most, its records, and another language that tells as much and otherwise.
pub(super) fn best(
    words: &[Word],
    languages: &[&'static Language],
) -> (&'static Language, Vec<Found>, Option<&'static Language>) {
    let mut told: Vec<(&'static Language, Vec<Found>, f32)> = languages
        .iter()
        .map(|language| {
            let found = records::find(words, &mut Lexicon::new(language));
            let score = found.iter().map(|record| record.line.score).sum();
            (*language, found, score)
        })
        .collect();
    // Of equals the first: the order of LANGUAGES.
    told.sort_by(|a, b| b.2.total_cmp(&a.2));
    let steps = |found: &[Found]| -> Vec<_> {
        found
            .iter()
            .flat_map(|record| record.line.steps.clone())
            .collect()
    };
    let mut told = told.into_iter();
    let Some((language, found, score)) = told.next() else {
        return (&LANGUAGES[0], Vec::new(), None);
    };
    let rival = told
        .take_while(|(.., other)| *other >= score - APART)
        .find(|(_, other, _)| steps(other) != steps(&found));
    (language, found, rival.map(|(rival, ..)| rival))
}

/// The beginning of a move that names a man: two characters, the second where it may be part of the name.
fn head(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let (first, second) = (chars.next()?, chars.next()?);
    let pawn = is_file(first)
        && (is_rank(second) || (first.is_lowercase() && (is_take(second) || is_file(second))));
    let castling = "Oo".contains(first) && "Oo-".contains(second);
    if pawn || castling || !first.is_alphabetic() {
        return None;
    }
    let more = second.is_alphabetic() && !is_take(second);
    Some(
        std::iter::once(first)
            .chain(more.then_some(second))
            .collect(),
    )
}

/// The man that a move's beginning names; of `Ri` and `R` the longer.
fn man(head: &str, language: &Language) -> Option<Role> {
    let named = |head: &str| {
        let men = Role::ALL.into_iter().filter(|&role| {
            let letters = language.letters(role);
            !letters.is_empty() && head.starts_with(letters)
        });
        men.max_by_key(|&role| language.letters(role).len())
    };
    named(head).or_else(|| {
        let first = head.chars().next()?;
        first.is_lowercase().then(|| named(&head.to_uppercase()))?
    })
}
