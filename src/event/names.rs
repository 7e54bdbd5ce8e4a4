//! Names of players: the ways in which they are written, and how similar two of them are.

use deunicode::deunicode;

/// The words of a name in lower case without accents.
pub(super) fn split_name(name: &str) -> Vec<String> {
    let plain = deunicode(name).to_lowercase();
    let words = plain.split(|c: char| !c.is_alphanumeric());
    words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// A key that is equal for two spellings of a name that differ only in the order of the words, in
/// punctuation, case or accents.
pub(super) fn name_key(name: &str) -> String {
    let mut words = split_name(name);
    words.sort();
    words.join(" ")
}

/// A name in lower case without accents, in which a vowel with an umlaut is the same letter however
/// it is written: `Müller` and `Mueller`.
pub(super) fn fold_umlauts(name: &str) -> String {
    let plain = deunicode(name).to_lowercase();
    let pairs = [("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a")];
    pairs
        .iter()
        .fold(plain, |name, (pair, vowel)| name.replace(pair, vowel))
}

/// Whether one of two names is a short form of the other: each of its words is a word of the other
/// or the initial of one, and one of them is a whole word of the last name. Where a name has no
/// comma, any word may be the last name.
pub(super) fn is_short_form(a: &str, b: &str) -> bool {
    let (words_a, words_b) = (split_name(a), split_name(b));
    let (short, long) = if words_a.len() <= words_b.len() {
        (&words_a, &words_b)
    } else {
        (&words_b, &words_a)
    };
    let last_names = [a, b].map(|name| name.split_once(',').map(|(last, _)| split_name(last)));
    let mut has_last_name = false;
    let mut free: Vec<&String> = long.iter().collect();
    // Whole words first, so that an initial does not take the place of one.
    let (whole, initials): (Vec<&String>, Vec<&String>) =
        short.iter().partition(|word| long.contains(word));
    for word in &whole {
        let Some(at) = free.iter().position(|other| other == word) else {
            return false;
        };
        free.remove(at);
        let may_be_last =
            |last: &Option<Vec<String>>| last.as_ref().is_none_or(|last| last.contains(word));
        has_last_name |= word.chars().count() > 1 && last_names.iter().all(may_be_last);
    }
    for word in initials {
        let is_initial = |other: &&String| {
            let (mut own, mut others) = (word.chars(), other.chars());
            own.next() == others.next() && (own.next().is_none() || others.next().is_none())
        };
        let Some(at) = free.iter().position(is_initial) else {
            return false;
        };
        free.remove(at);
    }
    has_last_name
}

/// The ways in which a player may write a name that the report file gives as `Last, First` or
/// `Last First`: in this order or the other, with initials for the first names, or the last name
/// alone. The strings are in lower case without accents, sorted.
///
/// If there is no comma, the end of the last name is unknown, and every split is tried. These are
/// the strings to score against what is written in the name fields of a sheet.
pub fn name_spellings(name: &str) -> Vec<String> {
    let splits: Vec<(Vec<String>, Vec<String>)> = match name.split_once(',') {
        Some((last, first)) => vec![(split_name(last), split_name(first))],
        None => {
            let all = split_name(name);
            let split = |i| (all[..i].to_vec(), all[i..].to_vec());
            (1..=all.len()).map(split).collect()
        }
    };
    let mut spellings = Vec::new();
    for (last, first) in splits {
        let (last, initials) = (last.join(" "), join_initials(&first));
        for first in [first.join(" "), initials, String::new()] {
            spellings.push(format!("{last} {first}").trim().to_owned());
            spellings.push(format!("{first} {last}").trim().to_owned());
        }
    }
    spellings.retain(|spelling| !spelling.is_empty());
    spellings.sort();
    spellings.dedup();
    spellings
}

fn join_initials(words: &[String]) -> String {
    let initials = words.iter().filter_map(|word| word.chars().next());
    initials.map(String::from).collect::<Vec<_>>().join(" ")
}

/// Similarity of a typed name to a player's, 0 to 1: the greatest over the player's spellings of
/// 1 − edit distance / length of the longer string, less `partial_name_penalty` for a spelling with
/// fewer words than the name.
pub(super) fn name_similarity(typed: &str, name: &str, partial_name_penalty: f64) -> f64 {
    let typed = split_name(typed).join(" ");
    let word_count = split_name(name).len();
    let similarity = |spelling: &String| {
        let is_partial = spelling.split(' ').count() < word_count;
        let penalty = if is_partial {
            partial_name_penalty
        } else {
            0.0
        };
        strsim::normalized_levenshtein(&typed, spelling) - penalty
    };
    name_spellings(name)
        .iter()
        .map(similarity)
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_commas_and_accents_do_not_matter() {
        assert_eq!(name_key("Müller, Jörg"), name_key("jorg MULLER"));
        assert_eq!(name_key("Vasquez,Rodrigo"), name_key("Rodrigo Vasquez"));
        assert_ne!(name_key("Müller, Jörg"), name_key("Müller, Jens"));
        assert_eq!(name_key("Łukasz Sørensen"), "lukasz sorensen");
    }

    #[test]
    fn a_short_form_has_the_last_name_and_words_or_initials_of_the_others() {
        for short in [
            "Alfa, A.",
            "A. Alfa",
            "Alfa",
            "Alfa A M",
            "ALFA, Ana",
            "Ana Maria Alfa",
        ] {
            assert!(is_short_form(short, "Alfa, Ana Maria"), "{short}");
        }
        for other in ["Ana", "A. M.", "Alfa, B.", "Alfa, Eva", "Alfa, Ana Eva", ""] {
            assert!(!is_short_form(other, "Alfa, Ana Maria"), "{other}");
        }
        assert!(is_short_form("Sanz Perez E", "Sanz Perez Eduardo"));
    }

    #[test]
    fn a_name_has_many_spellings() {
        assert_eq!(
            name_spellings("Milov, Leonid"),
            [
                "l milov",
                "leonid milov",
                "milov",
                "milov l",
                "milov leonid"
            ]
        );
        let spanish = name_spellings("Sanz Perez Eduardo");
        for spelling in ["eduardo sanz perez", "sanz perez e", "sanz", "sanz perez"] {
            assert!(
                spanish.iter().any(|s| s == spelling),
                "{spelling} in {spanish:?}"
            );
        }
        assert!(name_spellings(" , ").is_empty());
    }

    #[test]
    fn the_most_similar_spelling_counts() {
        let similarity = |typed| name_similarity(typed, "Milov,Leonid", 0.1);
        assert_eq!(similarity("Leonid Milov"), 1.0);
        assert!(similarity("L. Milow") > 0.7);
        assert!(similarity("Kunin V") < 0.5);
        assert!(similarity("Milov") > similarity("Malov"));
    }
}
