//! The words of a header, each cut out of the page and read when it is first needed.

use crate::fields::{self, Field, FieldPlace, Label, WordWithParts};
use crate::header::{HeaderView, SkewedBox, WordBox};
use crate::reader::{self, Model, ModelError, WordReading, WordScorer};

/// Largest difference in rows of the edges of two boxes that are one word found twice on one line.
const MAX_SAME_CROP_ROWS: f32 = 0.01;
/// Largest number of words of which one word is made up.
const MAX_PARTS: usize = 4;
/// Two boxes show the same number where the narrower one is at least this share of the other's
/// width.
const MIN_TWIN_WIDTH: f32 = 0.6;
/// Largest number of words in a field, most of which turn out to be specks; more are a text.
const MAX_FIELD_WORDS: usize = 8;

/// What stands in one field.
pub(super) struct FieldContents {
    /// The field that its label names.
    pub field: Field,
    /// The words from left to right; none where the field is empty. No two share their ink.
    pub words: Vec<WordScorer>,
    /// The box of the words, or that of the line behind the label where there are none.
    pub bounds: WordBox,
}

/// The words on the page around one table.
pub(super) struct HeaderWords<'a> {
    /// The model of words, and the page that it reads; none where all words are read.
    source: Option<(&'a dyn Model, HeaderView<'a>)>,
    outlines: Vec<SkewedBox>,
    boxes: Vec<WordBox>,
    /// What is read of each of [`Self::boxes`].
    states: Vec<ReadState>,
    /// Words right above the table, until [`Self::add_headings`] adds them.
    headings: Vec<SkewedBox>,
}

/// What is known of a word.
enum ReadState {
    Unread,
    /// Nothing is read in it.
    Illegible,
    Legible(Box<LegibleWord>),
}

struct LegibleWord {
    reading: WordReading,
    scorer: WordScorer,
}

impl From<WordReading> for ReadState {
    fn from(reading: WordReading) -> Self {
        let scorer = reading.scorer();
        Self::Legible(Box::new(LegibleWord { reading, scorer }))
    }
}

impl<'a> HeaderWords<'a> {
    /// The words that the ink above a table shows, of which none is read, without those that it may
    /// print right above its columns.
    pub fn find(
        model: &'a dyn Model,
        view: HeaderView<'a>,
        is_heading: impl Fn(&WordBox) -> bool,
    ) -> Self {
        let found = view.find_words_above().into_iter();
        let (headings, others) = found.partition(|word| is_heading(&word.bounds));
        let mut words = Self {
            source: Some((model, view)),
            outlines: Vec::new(),
            boxes: Vec::new(),
            states: Vec::new(),
            headings,
        };
        words.add(others);
        words
    }

    /// Adds the words that may be printed right above the columns.
    pub fn add_headings(&mut self) {
        let headings = std::mem::take(&mut self.headings);
        self.add(headings);
    }

    fn add(&mut self, outlines: Vec<SkewedBox>) {
        self.boxes.extend(outlines.iter().map(|word| word.bounds));
        self.states
            .extend(outlines.iter().map(|_| ReadState::Unread));
        self.outlines.extend(outlines);
    }

    /// Adds the words on a line, cut from the page once more, since writing may touch the lines
    /// above and below; but not those whose edges differ by less than `max_offset` rows from those
    /// of a known word.
    pub fn add_line(&mut self, line: &WordBox, max_offset: f32) {
        let Some((_, view)) = &self.source else {
            return;
        };
        let mut words = view.find_words_on_line(line);
        words.retain(|word| {
            let mut known = self.boxes.iter();
            !known.any(|other| word.bounds.is_near(other, max_offset))
        });
        self.add(words);
    }

    /// Reads some words (indices), unless they are read.
    pub fn read(&mut self, indices: impl IntoIterator<Item = usize>) -> Result<(), ModelError> {
        let Some((model, view)) = &self.source else {
            return Ok(());
        };
        let is_unread = |&i: &usize| matches!(self.states[i], ReadState::Unread);
        let unread: Vec<usize> = indices.into_iter().filter(is_unread).collect();
        let crops: Vec<_> = unread
            .iter()
            .map(|&i| view.crop_word(&self.outlines[i]))
            .collect();
        let readings = reader::read_words(*model, &crops)?;
        for (i, reading) in unread.into_iter().zip(readings) {
            self.states[i] = reading.map_or(ReadState::Illegible, ReadState::from);
        }
        Ok(())
    }

    /// Reads all words around the table, also those beside it and below it and those on the lines
    /// behind labels: an event has use for every word that may be a name.
    pub fn read_all(&mut self, parameters: &fields::Parameters) -> Result<(), ModelError> {
        self.add_headings();
        let beside = self.source.as_ref();
        let beside = beside.map_or_else(Vec::new, |(_, view)| view.find_words_beside());
        self.add(beside);
        self.read(0..self.boxes.len())?;
        let labels = self.find_labels(parameters);
        for line in fields::locate_lines(&labels, |_| true, &parameters.lines) {
            self.add_line(&line, MAX_SAME_CROP_ROWS);
        }
        self.read(0..self.boxes.len())
    }

    /// Reads the words that may be labels.
    pub fn read_labels(&mut self, parameters: &fields::Parameters) -> Result<(), ModelError> {
        let mut places = fields::find_label_candidates(&self.outlines, &parameters.candidates);
        while !places.is_empty() {
            self.read(places.iter().map(|place| place[0]))?;
            places.retain_mut(|place| {
                let first = place.remove(0);
                let may_go_on = self.scorer(first).is_none_or(|word| {
                    let labels = fields::find_labels([word], &parameters.labels);
                    labels.is_empty() && fields::begins_label(&word.text)
                });
                may_go_on && !place.is_empty()
            });
        }
        Ok(())
    }

    /// The labels among the words that are read.
    pub fn find_labels(&self, parameters: &fields::Parameters) -> Vec<Label> {
        let scorers = (0..self.boxes.len()).filter_map(|i| self.scorer(i));
        fields::find_labels(scorers, &parameters.labels)
    }

    /// What stands behind the labels, from top to bottom; two where two labels name one field.
    pub fn read_fields(
        &mut self,
        labels: &[Label],
        parameters: &fields::Parameters,
    ) -> Result<Vec<FieldContents>, ModelError> {
        let places = fields::locate_fields(&self.boxes, labels, parameters);
        let min_height = |field: Field| {
            let labels = labels.iter().filter(|label| label.field == Some(field));
            let lowest = labels.map(|label| label.bounds.height()).reduce(f32::min);
            let is_number = matches!(field, Field::Round | Field::Board);
            let lowest = lowest.filter(|_| is_number);
            lowest.map_or(0.0, |height| parameters.values.min_number_height * height)
        };
        let contents = places
            .iter()
            .map(|place| self.read_field(place, min_height(place.field), parameters));
        contents.collect()
    }

    fn read_field(
        &mut self,
        place: &FieldPlace,
        min_height: f32,
        parameters: &fields::Parameters,
    ) -> Result<FieldContents, ModelError> {
        let mut indices = place.words.clone();
        indices.retain(|&i| {
            let word = &self.boxes[i];
            parameters.values.is_likely(word) && word.height() >= min_height
        });
        let is_name = matches!(place.field, Field::White | Field::Black);
        let words = loop {
            indices.retain(|&i| !matches!(self.states[i], ReadState::Illegible));
            let words = fields::separate_words(&self.boxes, &indices, parameters.max_shared_ink);
            if words.len() > MAX_FIELD_WORDS {
                break Vec::new();
            }
            let is_read = |i: usize| !matches!(self.states[i], ReadState::Unread);
            if words.iter().all(|word| is_read(word.word)) {
                break words;
            }
            self.read(words.iter().map(|word| word.word))?;
        };
        let is_number = matches!(place.field, Field::Round | Field::Board);
        let mut chosen: Vec<usize> = Vec::new();
        for mut word in words {
            if is_number {
                chosen.extend(self.read_twins(&word)?);
                continue;
            }
            // Parts that read together as the whole show where the writer left a gap.
            if is_name && (2..=MAX_PARTS).contains(&word.parts.len()) {
                self.read(word.parts.iter().copied())?;
                word.parts.retain(|&part| self.scorer(part).is_some());
                let text = |i: usize| self.scorer(i).map_or("", |word| word.text.as_str());
                let joined: String = word.parts.iter().map(|&part| text(part)).collect();
                if word.parts.len() > 1 && joined == text(word.word) {
                    chosen.extend(word.parts);
                    continue;
                }
            }
            chosen.push(word.word);
        }
        let chosen = chosen.into_iter().filter_map(|i| self.scorer(i));
        Ok(FieldContents {
            field: place.field,
            words: chosen.cloned().collect(),
            bounds: place.bounds,
        })
    }

    /// Of the boxes that show one number, the page's and the line's, the one that is read least
    /// surely; none where they are not read as the same number.
    fn read_twins(&mut self, word: &WordWithParts) -> Result<Option<usize>, ModelError> {
        let min_width = MIN_TWIN_WIDTH * self.boxes[word.word].width();
        let parts = word.parts.iter().copied();
        let mut twins: Vec<usize> = parts
            .filter(|&i| self.boxes[i].width() >= min_width)
            .collect();
        self.read(twins.iter().copied())?;
        twins.push(word.word);
        let read = twins.iter().filter_map(|&i| Some((i, self.scorer(i)?)));
        let read: Vec<(usize, &WordScorer)> = read.collect();
        let number = |word: &WordScorer| word.text.trim_end_matches('.').to_owned();
        let is_same = read
            .windows(2)
            .all(|pair| number(pair[0].1) == number(pair[1].1));
        let log_probability = |word: &WordScorer| word.log_probability(&word.text);
        let least = read
            .iter()
            .min_by(|a, b| log_probability(a.1).total_cmp(&log_probability(b.1)));
        Ok(least.filter(|_| is_same).map(|&(i, _)| i))
    }

    /// A word, if it is read and legible.
    fn scorer(&self, i: usize) -> Option<&WordScorer> {
        match &self.states[i] {
            ReadState::Legible(word) => Some(&word.scorer),
            ReadState::Unread | ReadState::Illegible => None,
        }
    }

    /// The words that are read and legible.
    pub fn into_readings(self) -> Vec<WordReading> {
        let states = self.states.into_iter();
        let readings = states.filter_map(|state| match state {
            ReadState::Legible(word) => Some(word.reading),
            ReadState::Unread | ReadState::Illegible => None,
        });
        readings.collect()
    }
}

#[cfg(test)]
impl From<Vec<WordReading>> for HeaderWords<'_> {
    fn from(words: Vec<WordReading>) -> Self {
        Self {
            source: None,
            outlines: Vec::new(),
            boxes: words.iter().map(WordReading::bounds).collect(),
            states: words.into_iter().map(ReadState::from).collect(),
            headings: Vec::new(),
        }
    }
}
