//! Texts as the reader's classes, and the spellings of a move as a tree of them.

use rustc_hash::FxHashMap;

use crate::notation::{ANY_COORDINATE, ANY_LETTER, Spelling};

/// A character of some spellings of a move, as the reader's class. Spellings are merged where they begin alike: a tree,
/// laid out depth first.
#[derive(Debug)]
pub(super) struct Letter {
    pub class: u16,
    /// Characters before it.
    pub depth: u16,
    /// Where those end that go on from here, counted from the first of the move.
    pub after: u32,
    /// Probability that a hand writes the move with this character for its last; zero where none ends here.
    pub habit: f32,
    /// The greatest of the habits from here on.
    pub most: f32,
}

/// Turns characters into the reader's classes.
#[derive(Debug)]
pub(super) struct Encoder {
    classes: FxHashMap<char, u16>,
    /// Those of ASCII again, which nearly all texts are of; zero, no character's, where there is none.
    ascii: [u16; 128],
}

impl Encoder {
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

    /// The classes of a text; none where the reader lacks a character of it.
    pub(super) fn text(&self, text: &str) -> Option<Vec<u16>> {
        text.chars().map(|c| self.class(c)).collect()
    }

    /// The spellings that the reader can read at all; they come in alphabetical order.
    pub(super) fn spellings(&self, spellings: &[Spelling]) -> Vec<Letter> {
        let mut letters: Vec<Letter> = Vec::new();
        let (mut text, mut path): (Vec<u16>, Vec<usize>) = (Vec::new(), Vec::new());
        for spelling in spellings {
            text.clear();
            let readable = spelling.text.chars().all(|c| {
                let class = self.class(c);
                text.extend(class);
                class.is_some()
            });
            if !readable {
                continue;
            }
            let known = path.iter().zip(&text);
            let shared = known
                .take_while(|&(&at, class)| letters[at].class == *class)
                .count();
            path.truncate(shared);
            for &class in &text[shared..] {
                let depth = path.len() as u16;
                path.push(letters.len());
                letters.push(Letter {
                    class,
                    depth,
                    after: 0,
                    habit: 0.0,
                    most: 0.0,
                });
            }
            let habit = (-spelling.cost).exp();
            let after = letters.len() as u32;
            for &at in &path {
                let letter = &mut letters[at];
                (letter.most, letter.after) = (letter.most.max(habit), after);
            }
            if let Some(&last) = path.last() {
                letters[last].habit = habit;
            }
        }
        letters
    }
}
