//! How writers spell moves: tries of spellings, built when first asked for. Those of writers of
//! whom nothing but the language is known are kept from game to game.

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::notation::MoveShape;

use super::component_scorer::SuffixContext;
use super::encoder::{Encoder, TrieNode};
use super::positions::ShapeId;
use super::writer::Writer;

/// The spellings of a shape.
type SpellingTrie = Arc<[TrieNode]>;

/// Largest number of shapes, of all languages together, that are kept from game to game: about
/// 10 MB. With four times as many 200 photographs took as much time.
const MAX_CACHED_SHAPES: usize = 4_096;

/// The spellings that every game asks for again, over one alphabet.
#[derive(Debug)]
pub(super) struct SpellingCache {
    encoder: Encoder,
    /// By language, and by shape without its check, which does not change how a move is spelt but
    /// what stands behind it.
    tries: RwLock<FxHashMap<(&'static str, MoveShape), SpellingTrie>>,
}

impl SpellingCache {
    /// An empty cache over an alphabet.
    pub(super) fn new(alphabet: &[char]) -> Self {
        Self {
            encoder: Encoder::new(alphabet),
            tries: RwLock::default(),
        }
    }

    fn build(&self, shape: &MoveShape, writer: &Writer) -> SpellingTrie {
        self.encoder.build_trie(&writer.spellings(shape)).into()
    }

    /// The spellings of a typical writer, from the cache where they are there.
    fn typical(&self, shape: &MoveShape, writer: &Writer) -> SpellingTrie {
        let check = false;
        let key = (writer.language.code, MoveShape { check, ..*shape });
        let tries = self.tries.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(trie) = tries.get(&key) {
            return Arc::clone(trie);
        }
        drop(tries);
        let trie = self.build(shape, writer);
        let mut tries = self.tries.write().unwrap_or_else(PoisonError::into_inner);
        if tries.len() < MAX_CACHED_SHAPES {
            tries.insert(key, Arc::clone(&trie));
        }
        trie
    }
}

/// The lexicons of the writers considered so far in a game, and which of them wrote each copy.
#[derive(Debug)]
pub(super) struct Lexicons<'a> {
    cache: &'a SpellingCache,
    lexicons: Vec<Lexicon<'a>>,
    /// Index of each copy's lexicon.
    of_copy: Vec<usize>,
}

impl<'a> Lexicons<'a> {
    /// No lexicons yet, and no copies.
    pub(super) fn new(cache: &'a SpellingCache) -> Self {
        Self {
            cache,
            lexicons: Vec::new(),
            of_copy: Vec::new(),
        }
    }

    /// The encoder of the alphabet.
    pub(super) fn encoder(&self) -> &'a Encoder {
        &self.cache.encoder
    }

    /// Sets the writer of each copy; whether that changes any.
    pub(super) fn set_writers(&mut self, writers: &[Writer]) -> bool {
        let before = std::mem::take(&mut self.of_copy);
        for &writer in writers {
            let known = self.lexicons.iter().position(|l| l.writer == writer);
            self.of_copy.push(known.unwrap_or(self.lexicons.len()));
            if known.is_none() {
                self.lexicons.push(Lexicon {
                    writer,
                    is_typical: writer == Writer::typical(writer.language),
                    cache: self.cache,
                    entries: Vec::new(),
                });
            }
        }
        self.of_copy != before
    }

    /// The lexicon of a copy's writer.
    pub(super) fn of_copy(&mut self, copy: usize) -> &mut Lexicon<'a> {
        &mut self.lexicons[self.of_copy[copy]]
    }
}

/// The spellings of shapes by one writer.
#[derive(Debug)]
pub(super) struct Lexicon<'a> {
    writer: Writer,
    is_typical: bool,
    cache: &'a SpellingCache,
    /// By the number of the shape.
    entries: Vec<Option<(SpellingTrie, SuffixContext)>>,
}

impl Lexicon<'_> {
    /// The spellings of a shape, and which suffixes fit behind them.
    pub(super) fn entry(&mut self, id: ShapeId, shape: &MoveShape) -> (&[TrieNode], SuffixContext) {
        let at = id.index();
        if self.entries.len() <= at {
            self.entries.resize_with(at + 1, || None);
        }
        let (trie, context) = self.entries[at].get_or_insert_with(|| {
            let trie = if self.is_typical {
                self.cache.typical(shape, &self.writer)
            } else {
                self.cache.build(shape, &self.writer)
            };
            (trie, SuffixContext::of(shape))
        });
        (trie, *context)
    }
}
