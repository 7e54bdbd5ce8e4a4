//! The most probable strings under CTC posteriors, by prefix beam search (Hannun et al. 2014, First-pass large
//! vocabulary continuous speech recognition using bi-directional recurrent DNNs).

use std::collections::BTreeMap;

use super::Posteriors;
use super::ngrams::Candidate;
use crate::logprob::log_add_f32;

/// Prefixes kept a frame: a choice, not yet measured against wider beams.
const WIDTH: usize = 16;
/// Prefixes this far behind the best, in nats, are given up: no habit of writing outweighs it.
const WINDOW: f32 = 10.0;
/// Strings put out at most.
const CANDIDATES: usize = 12;

/// Classes below this log-probability in a frame start no new prefix: e^-9 is a ten-thousandth.
const FLOOR: f32 = -9.0;

/// Log-probabilities of a prefix whose last frame was the blank, or its last character.
#[derive(Clone, Copy)]
struct Ends {
    blank: f32,
    character: f32,
}

impl Ends {
    const NEVER: Self = Self {
        blank: f32::NEG_INFINITY,
        character: f32::NEG_INFINITY,
    };

    fn total(self) -> f32 {
        log_add_f32(self.blank, self.character)
    }
}

/// The likeliest strings and their log-probabilities, best first.
pub(super) fn best_strings(posteriors: &Posteriors, alphabet: &[char]) -> Vec<Candidate> {
    let mut beam = vec![(
        Vec::<usize>::new(),
        Ends {
            blank: 0.0,
            character: f32::NEG_INFINITY,
        },
    )];
    for row in posteriors.log.chunks_exact(posteriors.classes.max(1)) {
        let alive = row.iter().enumerate().skip(1).filter(|&(_, &p)| p > FLOOR);
        let alive: Vec<(usize, f32)> = alive.map(|(class, &p)| (class, p)).collect();
        let Some((likeliest, ends)) = beam.first() else {
            break;
        };
        // What the likeliest prefix is worth with this frame, at least: longer, or the same with the blank.
        let longer = |&&(class, _): &&(usize, f32)| likeliest.last() != Some(&class);
        let longer = alive.iter().filter(longer).map(|&(_, p)| p);
        let worth = longer.fold(row[0], f32::max);
        let given_up = ends.total() + worth - WINDOW;
        // Ordered by prefix, so that equal scores always fall the same way.
        let mut next = BTreeMap::<Vec<usize>, Ends>::new();
        for (prefix, ends) in &beam {
            let total = ends.total();
            let stay = next.entry(prefix.clone()).or_insert(Ends::NEVER);
            stay.blank = log_add_f32(stay.blank, total + row[0]);
            if let Some(&last) = prefix.last() {
                stay.character = log_add_f32(stay.character, ends.character + row[last]);
            }
            for &(class, p) in &alive {
                let before = if prefix.last() == Some(&class) {
                    ends.blank
                } else {
                    total
                };
                if before + p < given_up {
                    continue;
                }
                let mut longer = prefix.clone();
                longer.push(class);
                let grown = next.entry(longer).or_insert(Ends::NEVER);
                grown.character = log_add_f32(grown.character, before + p);
            }
        }
        beam = next.into_iter().collect();
        beam.sort_by(|a, b| b.1.total().total_cmp(&a.1.total()));
        beam.truncate(WIDTH);
        let best = beam.first().map_or(0.0, |(_, ends)| ends.total());
        beam.retain(|(_, ends)| ends.total() >= best - WINDOW);
    }
    let text = |prefix: &[usize]| {
        let characters = prefix.iter().filter_map(|&class| alphabet.get(class - 1));
        characters.collect()
    };
    beam.iter()
        .take(CANDIDATES)
        .map(|(prefix, ends)| (text(prefix), ends.total().min(0.0)))
        .collect()
}

/// Log-probability of the string that the best path says, all its alignments together (the forward variables of Graves et
/// al. 2006): one that is surely written may stand in several frames, so that no single path is likely.
pub(super) fn certainty(posteriors: &Posteriors) -> f32 {
    let rows = || posteriors.log.chunks_exact(posteriors.classes.max(1));
    let likeliest =
        |row: &[f32]| (1..row.len()).fold(0, |a, b| if row[b] > row[a] { b } else { a });
    let mut string: Vec<usize> = rows().map(likeliest).collect();
    string.dedup();
    string.retain(|&class| class != 0);
    // Of each prefix of the string, as of those above.
    let mut prefixes = vec![Ends::NEVER; string.len() + 1];
    prefixes[0].blank = 0.0;
    for row in rows() {
        for k in (0..prefixes.len()).rev() {
            let total = prefixes[k].total();
            let character = k.checked_sub(1).map(|last| {
                let doubled = last > 0 && string[last - 1] == string[last];
                let before = prefixes[last];
                let before = if doubled {
                    before.blank
                } else {
                    before.total()
                };
                log_add_f32(prefixes[k].character, before) + row[string[last]]
            });
            prefixes[k] = Ends {
                blank: total + row[0],
                character: character.unwrap_or(f32::NEG_INFINITY),
            };
        }
    }
    prefixes[string.len()].total().min(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posteriors(rows: &[[f32; 3]]) -> Posteriors {
        Posteriors {
            frames: rows.len(),
            classes: 3,
            log: rows.iter().flatten().map(|p| p.ln()).collect(),
        }
    }

    #[test]
    fn sums_over_alignments_where_the_best_path_would_say_nothing() {
        // The textbook case: the best path is blank blank (0.36), yet "a" has 0.6 * 0.4 * 2 + 0.16 = 0.64.
        let found = best_strings(
            &posteriors(&[[0.6, 0.4, 0.0], [0.6, 0.4, 0.0]]),
            &['a', 'b'],
        );
        let (text, log) = &found[0];
        assert_eq!(text, "a");
        assert!((log.exp() - 0.64).abs() < 1e-5);
        assert_eq!(found[1].0, "");
        assert!((found[1].1.exp() - 0.36).abs() < 1e-5);
    }

    #[test]
    fn certainty_is_that_of_the_string_and_not_of_one_of_its_paths() {
        // "a" in the first frame, the second or both: 0.4 * 0.4 + 0.4 * 0.6 + 0.6 * 0.6, where no path has more than 0.36.
        let p = posteriors(&[[0.4, 0.6, 0.0], [0.6, 0.4, 0.0]]);
        assert!((certainty(&p).exp() - 0.76).abs() < 1e-5);
        let letter = [0.1, 0.9, 0.0];
        let doubled = posteriors(&[letter, [0.8, 0.2, 0.0], letter]);
        assert!((certainty(&doubled).exp() - 0.9 * 0.8 * 0.9).abs() < 1e-5);
        let blank = posteriors(&[[0.9, 0.1, 0.0], [0.7, 0.3, 0.0]]);
        assert!((certainty(&blank).exp() - 0.63).abs() < 1e-5);
    }

    #[test]
    fn a_doubled_letter_needs_a_blank_between() {
        let letter = [0.01, 0.98, 0.01];
        let best = |p| best_strings(&p, &['a', 'b']).remove(0).0;
        assert_eq!(best(posteriors(&[letter, letter])), "a");
        assert_eq!(
            best(posteriors(&[letter, [0.98, 0.01, 0.01], letter])),
            "aa"
        );
    }
}
