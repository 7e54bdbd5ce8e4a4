//! Tests of the trie, and alignments by brute force for those of the scorer.

use super::*;

/// Number of classes: blank, and three characters.
pub const CLASS_COUNT: usize = 4;

/// Seeded probabilities of some frames.
pub fn probs(frames: usize) -> ClassProbs {
    let mut seed = 12_345u32;
    let mut p = vec![0.0; CLASS_COUNT * frames];
    for t in 0..frames {
        let row: [f64; CLASS_COUNT] = std::array::from_fn(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1u32 << 24) + 0.05
        });
        let total: f64 = row.iter().sum();
        for (class, x) in row.iter().enumerate() {
            p[class * frames + t] = x / total;
        }
    }
    ClassProbs { frames, p }
}

/// The text of an alignment: repeated classes merged, blanks dropped.
fn collapse(alignment: &[u16]) -> Vec<u16> {
    let mut text = alignment.to_vec();
    text.dedup();
    text.retain(|&class| class != 0);
    text
}

/// One class a frame, the text that it stands for, and its probability.
pub struct Alignment {
    pub classes: Vec<u16>,
    pub text: Vec<u16>,
    pub p: f64,
}

/// Every alignment of some frames.
pub fn alignments(probs: &ClassProbs) -> Vec<Alignment> {
    let all = (0..CLASS_COUNT.pow(probs.frames as u32)).map(|mut number| {
        let mut classes = Vec::new();
        let mut p = 1.0;
        for t in 0..probs.frames {
            let class = number % CLASS_COUNT;
            number /= CLASS_COUNT;
            classes.push(class as u16);
            p *= probs.class(class)[t];
        }
        let text = collapse(&classes);
        Alignment { classes, text, p }
    });
    all.collect()
}

pub fn assert_near(p: f64, expected: f64, text: &[u16]) {
    assert!(
        (p - expected).abs() < 1e-6,
        "{text:?}: {p} is not {expected}"
    );
}

#[test]
fn the_probability_of_a_text_is_the_sum_over_its_alignments() {
    let alignments = alignments(&probs(5));
    let mut trie = CtcTrie::new(probs(5), 0.0);
    for text in [
        &[][..],
        &[1],
        &[1, 2],
        &[1, 1],
        &[1, 1, 1],
        &[2, 1, 2, 1],
        &[3, 2, 1, 3, 2],
        &[1, 2, 2],
        &[1, 1, 1, 1],
    ] {
        let sum = |holds: &dyn Fn(&[u16]) -> bool| -> f64 {
            let fitting = alignments.iter().filter(|a| holds(&a.text));
            fitting.map(|a| a.p).sum()
        };
        let node = trie.find(text);
        let text_prob = node.map_or(0.0, |node| trie.text_prob(node));
        assert_near(text_prob, sum(&|t| t == text), text);
        let prefix_prob = node.map_or(0.0, |node| trie.prefix_prob(node));
        assert_near(prefix_prob, sum(&|t| t.starts_with(text)), text);
    }
}

#[test]
fn the_first_class_is_that_of_the_first_character_that_is_no_blank() {
    let alignments = alignments(&probs(5));
    let trie = CtcTrie::new(probs(5), 0.0);
    for class in 1..CLASS_COUNT as u16 {
        let first = alignments.iter().filter(|a| a.text.first() == Some(&class));
        let expected = first.map(|a| a.p).sum();
        assert_near(trie.first_class_prob(class), expected, &[class]);
    }
}

#[test]
fn a_trie_that_has_grown_large_is_built_anew_with_the_same_answers() {
    let mut trie = CtcTrie::new(probs(5), 0.0);
    let node = trie.find(&[1, 2]).unwrap();
    let known = trie.text_prob(node);
    assert!(!trie.forget_if_large());
    trie.forward.resize(MAX_KEPT_FRAMES + 1, [0.0; 2]);
    assert!(trie.forget_if_large());
    assert_eq!(trie.hopeful_nodes(), 1);
    let node = trie.find(&[1, 2]).unwrap();
    assert_eq!(trie.text_prob(node), known);
}

#[test]
fn the_order_of_questions_changes_no_answer() {
    let mut forward = CtcTrie::new(probs(5), 0.0);
    let mut backward = CtcTrie::new(probs(5), 0.0);
    let texts: [&[u16]; 4] = [&[1, 2, 3], &[1, 2], &[2], &[1]];
    let ask = |trie: &mut CtcTrie, text: &[u16]| {
        let node = trie.find(text).unwrap();
        trie.text_prob(node)
    };
    let first: Vec<f64> = texts.iter().map(|t| ask(&mut forward, t)).collect();
    let mut last: Vec<f64> = texts.iter().rev().map(|t| ask(&mut backward, t)).collect();
    last.reverse();
    assert_eq!(first, last);
}
