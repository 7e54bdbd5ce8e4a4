//! Names of players: the ways in which they are written, and how alike two of them are.

use deunicode::deunicode;

/// The words of a name in small letters without accents.
pub(super) fn words(name: &str) -> Vec<String> {
    let plain = deunicode(name).to_lowercase();
    let words = plain.split(|c: char| !c.is_alphanumeric());
    words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// What two spellings of one name share whatever the order of their words, commas and accents.
pub(super) fn key(name: &str) -> String {
    let mut words = words(name);
    words.sort();
    words.join(" ")
}

/// The ways in which a player may write a name that the report file has as `Last, First` or `Last First`: in this
/// order, in the other one, with initials for the first names, the last name alone. Small letters, no accents.
///
/// Without a comma it is not known where the last name ends, and every place is tried. These are the strings to score
/// against what is written in the name fields of a sheet.
pub fn spellings(name: &str) -> Vec<String> {
    let splits: Vec<(Vec<String>, Vec<String>)> = match name.split_once(',') {
        Some((last, first)) => vec![(words(last), words(first))],
        None => {
            let all = words(name);
            let split = |i| (all[..i].to_vec(), all[i..].to_vec());
            (1..=all.len()).map(split).collect()
        }
    };
    let mut spellings = Vec::new();
    for (last, first) in splits {
        let (last, initials) = (last.join(" "), initials(&first));
        let first = first.join(" ");
        for given in [first, initials, String::new()] {
            spellings.push(format!("{last} {given}").trim().to_owned());
            spellings.push(format!("{given} {last}").trim().to_owned());
        }
    }
    spellings.retain(|spelling| !spelling.is_empty());
    spellings.sort();
    spellings.dedup();
    spellings
}

fn initials(words: &[String]) -> String {
    let first = words.iter().filter_map(|word| word.chars().next());
    first.map(String::from).collect::<Vec<_>>().join(" ")
}

/// Likeness of a typed name to a player's, 0 to 1: of the spelling that is nearest, 1 less the edit distance by the
/// longer one's length. A last name that stands alone is a little less than the whole.
pub(super) fn likeness(typed: &str, name: &str) -> f64 {
    let typed = words(typed).join(" ");
    let whole = words(name).len();
    let alike = |spelling: &String| {
        let shorter = spelling.split(' ').count() < whole;
        strsim::normalized_levenshtein(&typed, spelling) - if shorter { 0.1 } else { 0.0 }
    };
    spellings(name).iter().map(alike).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_commas_and_accents_do_not_matter() {
        assert_eq!(key("Müller, Jörg"), key("jorg MULLER"));
        assert_eq!(key("Vasquez,Rodrigo"), key("Rodrigo Vasquez"));
        assert_ne!(key("Müller, Jörg"), key("Müller, Jens"));
        assert_eq!(key("Łukasz Sørensen"), "lukasz sorensen");
    }

    #[test]
    fn a_name_is_written_in_many_ways() {
        assert_eq!(
            spellings("Milov, Leonid"),
            [
                "l milov",
                "leonid milov",
                "milov",
                "milov l",
                "milov leonid"
            ]
        );
        let spanish = spellings("Sanz Perez Eduardo");
        for way in ["eduardo sanz perez", "sanz perez e", "sanz", "sanz perez"] {
            assert!(spanish.iter().any(|s| s == way), "{way} in {spanish:?}");
        }
        assert!(spellings(" , ").is_empty());
    }

    #[test]
    fn the_nearest_spelling_counts() {
        assert_eq!(likeness("Leonid Milov", "Milov,Leonid"), 1.0);
        assert!(likeness("L. Milow", "Milov,Leonid") > 0.7);
        assert!(likeness("Kunin V", "Milov,Leonid") < 0.5);
        assert!(likeness("Milov", "Milov,Leonid") > likeness("Malov", "Milov,Leonid"));
    }
}
