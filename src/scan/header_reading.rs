//! What the header of a sheet says, read without an event whose players are known.

use serde::{Deserialize, Serialize};

use crate::date::Date;
use crate::fields::{self, Field, FieldContents};
use crate::geometry::Quad;
use crate::grid::Grid;
use crate::header;
use crate::notation::{Outcome, parse_result, terminator};
use crate::reader::{WordReading, WordScorer};

use super::HeaderField;
use super::parameters::{Calibration, HeaderReadingParameters, Parameters};

/// A reading of at least this confidence becomes a tag of the PGN without being asked about.
const SURE_CONFIDENCE: f32 = 0.9;
/// Smallest number of letters of a name.
const MIN_NAME_LETTERS: usize = 3;
/// Largest round number.
const MAX_ROUND: u32 = 99;
/// Largest board number.
const MAX_BOARD: u32 = 999;
/// Years of two digits below this are in the 21st century, the others in the 20th.
const FIRST_YEAR_OF_LAST_CENTURY: u16 = 70;

/// What was read in one field of a sheet's header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeaderReading {
    /// The field.
    pub field: HeaderField,
    /// What it says, in the form of its PGN tag; empty where nothing stands in it that can be read.
    /// Names are without accents, as the reader of words has them.
    pub text: String,
    /// Probability that it says so, calibrated; 0 where the text is empty.
    pub confidence: f32,
    /// Where it stands: corners in pixels of the upright page, clockwise from top left.
    pub quad: Quad,
}

impl HeaderReading {
    /// Whether it becomes a tag of the PGN without being asked about.
    pub fn is_sure(&self) -> bool {
        self.confidence >= SURE_CONFIDENCE
    }
}

/// Reads the labelled fields of a header, in the order of [`HeaderField::ALL`]; of two that have
/// one label, the surer one. A field whose place is known and that holds nothing legible has no
/// text.
pub(super) fn read_header(
    words: &[WordReading],
    grid: &Grid,
    parameters: &Parameters,
) -> Vec<HeaderReading> {
    let contents = fields::find_contents(words, &parameters.fields);
    let boxes = contents.iter().map(|contents| contents.bounds);
    let quads = header::quads_of_boxes(grid, boxes, &parameters.header);
    let readings = contents
        .iter()
        .zip(quads)
        .map(|(contents, quad)| read_field(contents, quad, &parameters.header_reading));
    let mut readings: Vec<HeaderReading> = readings.collect();
    readings.sort_by(|a, b| {
        a.field
            .cmp(&b.field)
            .then(b.confidence.total_cmp(&a.confidence))
    });
    readings.dedup_by_key(|reading| reading.field);
    readings
}

/// The calibration of a number, by its digits.
fn number_calibration(words: &[WordScorer], parameters: &HeaderReadingParameters) -> Calibration {
    let digits = words.iter().flat_map(|word| word.text.chars());
    match digits.filter(char::is_ascii_digit).count() {
        1 => parameters.digit,
        _ => parameters.number,
    }
}

/// Reads what stands in one field.
fn read_field(
    contents: &FieldContents,
    quad: Quad,
    parameters: &HeaderReadingParameters,
) -> HeaderReading {
    let words = contents.words.as_slice();
    let read_name = || {
        // Below the table stand signatures, and print that tells who won.
        let is_above = contents.bounds.bottom <= parameters.max_name_bottom_rows;
        is_above.then(|| read_name(words)).flatten()
    };
    let read_number = |max| read_number(words, max, parameters);
    let number = number_calibration(words, parameters);
    let (field, read, calibration) = match contents.field {
        Field::White => (HeaderField::White, read_name(), parameters.name),
        Field::Black => (HeaderField::Black, read_name(), parameters.name),
        Field::Round => (HeaderField::Round, read_number(MAX_ROUND), number),
        Field::Board => (HeaderField::Board, read_number(MAX_BOARD), number),
        Field::Date => (HeaderField::Date, read_date(words), parameters.date),
        Field::Result => (HeaderField::Result, read_outcome(words), parameters.result),
    };
    let (text, confidence) = read.map_or_else(Default::default, |(text, log_probability)| {
        (text, calibration.confidence(log_probability))
    });
    HeaderReading {
        field,
        text,
        confidence,
        quad,
    }
}

/// A player's name and ln p. Numbers beside it are his rating, and the words of the form are none
/// of his.
fn read_name(words: &[WordScorer]) -> Option<(String, f32)> {
    let is_written = |word: &&WordScorer| {
        word.text.chars().any(char::is_alphabetic) && !fields::is_printed_word(&word.text)
    };
    let words: Vec<&WordScorer> = words.iter().filter(is_written).collect();
    let is_in_name = |c: char| c.is_alphabetic() || matches!(c, ' ' | ',' | '.' | '-' | '\'');
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let text = texts.join(" ");
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= MIN_NAME_LETTERS && text.chars().all(is_in_name))
        .then(|| (capitalize_name(&text), log_probability(words)))
}

/// A name with a capital at the beginning of each of its parts.
fn capitalize_name(name: &str) -> String {
    let mut begins = true;
    let letters = name.chars().map(|c| {
        let letter = if begins { c.to_ascii_uppercase() } else { c };
        begins = !c.is_alphabetic();
        letter
    });
    letters.collect()
}

/// The number of a round or board and ln p.
fn read_number(
    words: &[WordScorer],
    max: u32,
    parameters: &HeaderReadingParameters,
) -> Option<(String, f32)> {
    let [word] = words else { return None };
    if word.bounds.width() < parameters.min_number_aspect * word.bounds.height() {
        return None;
    }
    let text = word.text.strip_suffix('.').unwrap_or(&word.text);
    let number: u32 = text.parse().ok()?;
    (1..=max)
        .contains(&number)
        .then(|| (number.to_string(), log_probability([word])))
}

/// A date of which all parts are known, and ln p.
fn read_date(words: &[WordScorer]) -> Option<(String, f32)> {
    let text: String = words.iter().map(|word| word.text.as_str()).collect();
    let date = Date::parse(&text).or_else(|| Date::parse(&write_out_year(&text)?))?;
    date.is_whole()
        .then(|| (date.to_string(), log_probability(words)))
}

/// A date with its last part, a year of two digits, written out.
fn write_out_year(date: &str) -> Option<String> {
    let at = date.rfind(|c: char| !c.is_ascii_digit())? + 1;
    let (before, year) = date.split_at(at);
    let year: u16 = (year.len() == 2).then(|| year.parse().ok())??;
    let century = if year < FIRST_YEAR_OF_LAST_CENTURY {
        2000
    } else {
        1900
    };
    Some(format!("{before}{}", century + year))
}

/// A result and ln p.
fn read_outcome(words: &[WordScorer]) -> Option<(String, f32)> {
    let text: String = words.iter().map(|word| word.text.as_str()).collect();
    let outcome = parse_result(&text).filter(|outcome| *outcome != Outcome::Unknown)?;
    Some((terminator(outcome).to_owned(), log_probability(words)))
}

/// ln of the probability that all words are read rightly.
fn log_probability<'a>(words: impl IntoIterator<Item = &'a WordScorer>) -> f32 {
    let words = words.into_iter();
    words.map(|word| word.log_probability(&word.text)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    /// What is read of words that are read without doubt, each given with its left and upper edge
    /// in rows.
    fn read(words: &[(f32, f32, &str)]) -> Vec<(HeaderField, String)> {
        let words: Vec<WordReading> = words
            .iter()
            .map(|&(left, top, text)| WordReading::certain_at(left, top, text))
            .collect();
        let parameters = Parameters::default();
        let contents = fields::find_contents(&words, &parameters.fields);
        let quad = [Point::new(0.0, 0.0); 4];
        let read = |c: &FieldContents| read_field(c, quad, &parameters.header_reading);
        let readings = contents.iter().map(read);
        let readings = readings.map(|reading| (reading.field, reading.text));
        readings.collect()
    }

    #[test]
    fn each_field_is_read_in_the_form_of_its_tag() {
        let read = read(&[
            (0.0, -6.0, "brancas:"),
            (4.5, -6.0, "valle,"),
            (8.0, -6.0, "p."),
            (9.5, -6.0, "1875"),
            (0.0, -4.0, "pretas:"),
            (4.5, -4.0, "o'brien"),
            (0.0, -2.0, "ronda"),
            (3.0, -2.0, "3."),
            (6.0, -2.0, "data"),
            (8.5, -2.0, "24.11.24"),
            (15.0, -2.0, "resultado"),
            (20.0, -2.0, "1/2"),
        ]);
        let expected = [
            (HeaderField::White, "Valle, P."),
            (HeaderField::Black, "O'Brien"),
            (HeaderField::Round, "3"),
            (HeaderField::Date, "2024.11.24"),
            (HeaderField::Result, "1/2-1/2"),
        ];
        assert_eq!(read, expected.map(|(field, text)| (field, text.to_owned())));
    }

    #[test]
    fn what_is_no_value_of_its_field_gives_no_text() {
        // A date whose day nobody can tell from its month, print, and a signature below the table.
        for words in [
            [(0.0, -2.0, "date"), (3.0, -2.0, "05/06/2024")],
            [(0.0, -2.0, "round"), (3.5, -2.0, "a")],
            [(0.0, -2.0, "white"), (3.5, -2.0, "won")],
            [(0.0, 25.0, "white"), (3.5, 25.0, "valle")],
        ] {
            let read = read(&words);
            assert_eq!(read.len(), 1, "{words:?}");
            assert_eq!(read[0].1, "", "{words:?}");
        }
    }
}
