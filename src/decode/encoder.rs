//! Texts as the reader's classes, and the spellings of a move as a trie of them.

use rustc_hash::FxHashMap;

use crate::notation::{ANY_COORDINATE, ANY_LETTER, Spelling};

/// A node of the trie of a move's spellings: one character, as the reader's class. The nodes are
/// laid out depth first, so that the subtree of a node follows it.
#[derive(Debug)]
pub(super) struct TrieNode {
    pub class: u16,
    /// Number of characters before it; a spelling has a dozen at most.
    pub depth: u8,
    /// Index behind the last node of its subtree.
    pub subtree_end: u32,
    /// Prior probability of the spelling that ends here; zero where none does.
    pub prior: f32,
    /// The greatest prior of the spellings in its subtree, its own included.
    pub max_prior: f32,
}

/// Turns characters into the reader's classes. Behind the classes of the alphabet stand two more:
/// any coordinate (a file or a rank), and any letter.
#[derive(Debug)]
pub(super) struct Encoder {
    classes: FxHashMap<char, u16>,
    /// The classes of ASCII again, which nearly all texts are of; zero for a character without one.
    ascii: [u16; 128],
}

impl Encoder {
    /// The encoder of an alphabet whose first character is class 1.
    pub(super) fn new(alphabet: &[char]) -> Self {
        let n = alphabet.len() as u16;
        let mut classes = FxHashMap::from_iter([(ANY_COORDINATE, n + 1), (ANY_LETTER, n + 2)]);
        for (&c, class) in alphabet.iter().zip(1..) {
            classes.entry(c).or_insert(class);
        }
        let mut ascii = [0; 128];
        for (&c, &class) in classes.iter().filter(|(c, _)| c.is_ascii()) {
            ascii[c as usize] = class;
        }
        Self { classes, ascii }
    }

    fn class(&self, c: char) -> Option<u16> {
        match self.ascii.get(c as usize) {
            Some(&class) => (class != 0).then_some(class),
            None => self.classes.get(&c).copied(),
        }
    }

    /// The classes of a text; none where the alphabet lacks a character of it.
    pub(super) fn encode(&self, text: &str) -> Option<Vec<u16>> {
        text.chars().map(|c| self.class(c)).collect()
    }

    /// The trie of those spellings that the alphabet can write. They come in alphabetical order, so
    /// that those that begin alike stand together.
    pub(super) fn build_trie(&self, spellings: &[Spelling]) -> Vec<TrieNode> {
        let mut nodes: Vec<TrieNode> = Vec::new();
        let (mut text, mut path): (Vec<u16>, Vec<usize>) = (Vec::new(), Vec::new());
        for spelling in spellings {
            text.clear();
            let writable = spelling.text.chars().all(|c| {
                let class = self.class(c);
                text.extend(class);
                class.is_some()
            });
            if !writable {
                continue;
            }
            let shared = path
                .iter()
                .zip(&text)
                .take_while(|&(&at, class)| nodes[at].class == *class)
                .count();
            path.truncate(shared);
            for &class in &text[shared..] {
                let depth = path.len() as u8;
                path.push(nodes.len());
                nodes.push(TrieNode {
                    class,
                    depth,
                    subtree_end: 0,
                    prior: 0.0,
                    max_prior: 0.0,
                });
            }
            let prior = (-spelling.cost).exp();
            let subtree_end = nodes.len() as u32;
            for &at in &path {
                let node = &mut nodes[at];
                (node.max_prior, node.subtree_end) = (node.max_prior.max(prior), subtree_end);
            }
            if let Some(&last) = path.last() {
                nodes[last].prior = prior;
            }
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::NotationStyles;

    fn spelling(text: &str, prior: f32) -> Spelling {
        Spelling {
            text: text.into(),
            cost: -prior.ln(),
            styles: NotationStyles::NONE,
        }
    }

    #[test]
    fn spellings_that_begin_alike_share_their_nodes() {
        let encoder = Encoder::new(&['N', 'f', '3', 'g']);
        let texts = [
            spelling("Nf3", 0.5),
            spelling("Ng3", 0.25),
            spelling("Sf3", 1.0), // S is not in the alphabet.
            spelling("f3", 0.125),
        ];
        let trie = encoder.build_trie(&texts);
        let classes: Vec<u16> = trie.iter().map(|node| node.class).collect();
        assert_eq!(classes, [1, 2, 3, 4, 3, 2, 3], "N f 3, g 3, f 3");
        let depths: Vec<u8> = trie.iter().map(|node| node.depth).collect();
        assert_eq!(depths, [0, 1, 2, 1, 2, 0, 1]);
        let ends: Vec<u32> = trie.iter().map(|node| node.subtree_end).collect();
        assert_eq!(ends, [5, 3, 3, 5, 5, 7, 7]);
        assert_eq!(
            (trie[2].prior, trie[4].prior, trie[6].prior),
            (0.5, 0.25, 0.125)
        );
        assert_eq!((trie[0].prior, trie[0].max_prior), (0.0, 0.5));
    }
}
