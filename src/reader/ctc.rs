//! Strings under CTC posteriors (Graves et al. 2006, Connectionist temporal classification): the
//! likeliest ones by prefix beam search (Hannun et al. 2014, First-pass large vocabulary continuous
//! speech recognition using bi-directional recurrent DNNs), and the probability of a given one.

use std::collections::BTreeMap;

use super::Posteriors;
use crate::logprob::log_add_f32;

/// Number of prefixes that are kept after each frame. Wider beams were not measured.
const BEAM_WIDTH: usize = 16;
/// Prefixes whose log-probability lies more than this many nats below the best one's are dropped;
/// the character n-grams never make up for so much.
const BEAM_WINDOW_NATS: f32 = 10.0;
/// Largest number of strings that are returned.
const MAX_STRINGS: usize = 12;
/// Smallest log-probability, in nats, of a class that extends a prefix in a frame: e^-9 is about
/// one in 8,100.
const MIN_EXTENSION_LOG_PROB: f32 = -9.0;

/// A string and its log-probability under posteriors, in nats.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ScoredString {
    pub(super) text: String,
    pub(super) log_prob: f32,
}

/// Log-probabilities of a prefix by what the last frame emitted.
#[derive(Clone, Copy)]
struct PrefixLogProbs {
    /// The last frame emitted the blank.
    blank: f32,
    /// The last frame emitted the prefix's last label.
    label: f32,
}

impl PrefixLogProbs {
    const IMPOSSIBLE: Self = Self {
        blank: f32::NEG_INFINITY,
        label: f32::NEG_INFINITY,
    };
    /// The empty prefix before the first frame.
    const START: Self = Self {
        blank: 0.0,
        label: f32::NEG_INFINITY,
    };

    fn total(self) -> f32 {
        log_add_f32(self.blank, self.label)
    }
}

/// A prefix, as classes, and its log-probabilities.
type Hypothesis = (Vec<usize>, PrefixLogProbs);

/// The likeliest strings, best first.
pub(super) fn best_strings(posteriors: &Posteriors, alphabet: &[char]) -> Vec<ScoredString> {
    let mut beam = vec![(Vec::new(), PrefixLogProbs::START)];
    for frame in posteriors.log.chunks_exact(posteriors.classes.max(1)) {
        if beam.is_empty() {
            break;
        }
        beam = extend_prefixes(&beam, frame);
        beam.sort_by(|a, b| b.1.total().total_cmp(&a.1.total()));
        beam.truncate(BEAM_WIDTH);
        let best = beam.first().map_or(0.0, |(_, probs)| probs.total());
        beam.retain(|(_, probs)| probs.total() >= best - BEAM_WINDOW_NATS);
    }
    let text = |prefix: &[usize]| {
        let characters = prefix.iter().filter_map(|&class| alphabet.get(class - 1));
        characters.collect()
    };
    let best = beam.iter().take(MAX_STRINGS);
    best.map(|(prefix, probs)| ScoredString {
        text: text(prefix),
        log_prob: probs.total().min(0.0),
    })
    .collect()
}

/// Every prefix of a beam, best first, with one more frame: as it is, and with each likely label
/// behind it. Sorted by prefix, so that the order of equally likely ones is always the same.
fn extend_prefixes(beam: &[Hypothesis], frame: &[f32]) -> Vec<Hypothesis> {
    let labels = frame.iter().enumerate().skip(1);
    let labels = labels.filter(|&(_, &p)| p > MIN_EXTENSION_LOG_PROB);
    let labels: Vec<(usize, f32)> = labels.map(|(class, &p)| (class, p)).collect();
    // A lower bound of the best total after this frame tells which extensions need not be made: it
    // is that of the best prefix with the blank, or with the likeliest other label behind it.
    let lower_bound = beam.first().map_or(f32::NEG_INFINITY, |(best, probs)| {
        let others = labels
            .iter()
            .filter(|(class, _)| best.last() != Some(class));
        let step = others.map(|&(_, p)| p).fold(frame[0], f32::max);
        probs.total() + step - BEAM_WINDOW_NATS
    });
    let mut next = BTreeMap::<Vec<usize>, PrefixLogProbs>::new();
    for (prefix, probs) in beam {
        let total = probs.total();
        let same = next
            .entry(prefix.clone())
            .or_insert(PrefixLogProbs::IMPOSSIBLE);
        same.blank = log_add_f32(same.blank, total + frame[0]);
        if let Some(&last) = prefix.last() {
            same.label = log_add_f32(same.label, probs.label + frame[last]);
        }
        for &(class, p) in &labels {
            // A doubled label needs a blank between.
            let is_doubled = prefix.last() == Some(&class);
            let before = if is_doubled { probs.blank } else { total };
            if before + p < lower_bound {
                continue;
            }
            let mut longer = prefix.clone();
            longer.push(class);
            let longer = next.entry(longer).or_insert(PrefixLogProbs::IMPOSSIBLE);
            longer.label = log_add_f32(longer.label, before + p);
        }
    }
    next.into_iter().collect()
}

/// The likeliest class of every frame, with repeats merged and blanks removed: greedy decoding.
fn greedy_labels(posteriors: &Posteriors) -> Vec<usize> {
    let frames = posteriors.log.chunks_exact(posteriors.classes.max(1));
    let likeliest =
        |frame: &[f32]| (1..frame.len()).fold(0, |a, b| if frame[b] > frame[a] { b } else { a });
    let mut labels: Vec<usize> = frames.map(likeliest).collect();
    labels.dedup();
    labels.retain(|&class| class != 0);
    labels
}

/// Log-probability of the greedy labelling, summed over all its alignments by the forward variables
/// of Graves et al. 2006. A string that is certain may be written in several frames, so that none
/// of its paths is likely by itself.
pub(super) fn greedy_label_log_likelihood(posteriors: &Posteriors) -> f32 {
    let labels = greedy_labels(posteriors);
    // Entry k is the prefix of the first k labels.
    let mut prefixes = vec![PrefixLogProbs::IMPOSSIBLE; labels.len() + 1];
    prefixes[0] = PrefixLogProbs::START;
    for frame in posteriors.log.chunks_exact(posteriors.classes.max(1)) {
        for k in (0..prefixes.len()).rev() {
            let total = prefixes[k].total();
            let label = k.checked_sub(1).map(|last| {
                let is_doubled = last > 0 && labels[last - 1] == labels[last];
                let before = prefixes[last];
                let before = if is_doubled {
                    before.blank
                } else {
                    before.total()
                };
                log_add_f32(prefixes[k].label, before) + frame[labels[last]]
            });
            prefixes[k] = PrefixLogProbs {
                blank: total + frame[0],
                label: label.unwrap_or(f32::NEG_INFINITY),
            };
        }
    }
    prefixes[labels.len()].total().min(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posteriors(frames: &[[f32; 3]]) -> Posteriors {
        Posteriors {
            frames: frames.len(),
            classes: 3,
            log: frames.iter().flatten().map(|p| p.ln()).collect(),
        }
    }

    #[test]
    fn sums_over_alignments_where_the_best_path_is_empty() {
        // The best path is blank, blank with 0.36, yet `a` has 0.6 * 0.4 * 2 + 0.4 * 0.4 = 0.64.
        let strings = best_strings(
            &posteriors(&[[0.6, 0.4, 0.0], [0.6, 0.4, 0.0]]),
            &['a', 'b'],
        );
        assert_eq!(strings[0].text, "a");
        assert!((strings[0].log_prob.exp() - 0.64).abs() < 1e-5);
        assert_eq!(strings[1].text, "");
        assert!((strings[1].log_prob.exp() - 0.36).abs() < 1e-5);
    }

    #[test]
    fn the_greedy_labelling_has_the_probability_of_all_its_alignments() {
        let p = |frames: &[[f32; 3]]| greedy_label_log_likelihood(&posteriors(frames)).exp();
        // `a` in the first frame, the second or both; no path has more than 0.36.
        let a = p(&[[0.4, 0.6, 0.0], [0.6, 0.4, 0.0]]);
        assert!((a - (0.6 * 0.6 + 0.4 * 0.4 + 0.6 * 0.4)).abs() < 1e-5);
        let letter = [0.1, 0.9, 0.0];
        let doubled = p(&[letter, [0.8, 0.2, 0.0], letter]);
        assert!((doubled - 0.9 * 0.8 * 0.9).abs() < 1e-5);
        let blank = p(&[[0.9, 0.1, 0.0], [0.7, 0.3, 0.0]]);
        assert!((blank - 0.9 * 0.7).abs() < 1e-5);
    }

    #[test]
    fn a_doubled_letter_needs_a_blank_between() {
        let letter = [0.01, 0.98, 0.01];
        let best = |p| best_strings(&p, &['a', 'b']).remove(0).text;
        assert_eq!(best(posteriors(&[letter, letter])), "a");
        assert_eq!(
            best(posteriors(&[letter, [0.98, 0.01, 0.01], letter])),
            "aa"
        );
    }
}
