//! What the header of a sheet says, read without an event whose players are known.

use serde::{Deserialize, Serialize};

use crate::date::Date;
use crate::fields::{self, Field, Label};
use crate::geometry::Quad;
use crate::grid::Grid;
use crate::header;
use crate::notation::{Outcome, parse_result, terminator};
use crate::reader::{ModelError, WordScorer};

use super::HeaderField;
use super::header_words::{FieldContents, HeaderWords};
use super::parameters::{Calibration, HeaderReadingParameters, Parameters};

/// A reading of at least this confidence becomes a tag of the PGN without being asked about.
const SURE_CONFIDENCE: f32 = 0.9;
/// A name of at least this confidence is likely right; none ever becomes a tag without being asked
/// about.
const LIKELY_NAME: f32 = 0.4;
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

    /// Whether it is taken as it stands, without a closer look at its line.
    fn needs_no_line(&self) -> bool {
        self.is_sure()
            || self.text.chars().any(char::is_alphabetic) && self.confidence >= LIKELY_NAME
    }
}

/// Reads the labelled fields of a header, in the order of [`HeaderField::ALL`]; of two that have
/// one label, the surer one. A field whose place is known and that holds nothing legible has no
/// text.
///
/// Most words of a header are of no use to these fields. Read are those that may be labels, what
/// stands behind the labels, and where that does not give a sure value, the line behind the label,
/// cut from the page once more.
///
/// # Errors
/// [`ModelError`] of the first word on which the model fails.
pub(super) fn read_header(
    words: &mut HeaderWords,
    grid: &Grid,
    parameters: &Parameters,
) -> Result<Vec<HeaderReading>, ModelError> {
    words.read_labels(&parameters.fields)?;
    let mut labels = words.find_labels(&parameters.fields);
    let names = |field: Field| labels.iter().any(|label| label.field == Some(field));
    if !names(Field::White) && !names(Field::Black) {
        words.add_headings();
        words.read_labels(&parameters.fields)?;
        labels = words.find_labels(&parameters.fields);
    }
    ignore_headings(&mut labels, &parameters.header_reading);
    let contents = words.read_fields(&labels, &parameters.fields)?;
    let readings = read_contents(&contents, grid, parameters);
    let is_number = |field: Field| matches!(field, Field::Round | Field::Board);
    let is_unsure = |field: Field| {
        let mut readings = readings.iter();
        readings.all(|r| r.field != header_field(field) || !r.needs_no_line())
    };
    // Single figures are taken for others more easily than words, so that they are read twice.
    let known_from = parameters.header_reading.max_same_word_rows;
    let is_name = |field: Field| matches!(field, Field::White | Field::Black);
    let locate = |is_wanted: &dyn Fn(Field) -> bool| {
        fields::locate_lines(&labels, is_wanted, &parameters.fields.lines)
    };
    for line in locate(&is_number) {
        words.add_line(&line, 0.0);
    }
    for line in locate(&|field| !is_number(field) && !is_name(field) && is_unsure(field)) {
        words.add_line(&line, known_from);
    }
    let names = locate(&|field| is_name(field) && is_unsure(field));
    // Names behind the words above the columns would be those of the table.
    for line in names.iter().filter(|line| line.bottom <= 0.0) {
        words.add_line(line, known_from);
    }
    let contents = words.read_fields(&labels, &parameters.fields)?;
    Ok(read_contents(&contents, grid, parameters))
}

/// Takes the words that a table prints above its columns for labels of no field, where labels
/// stand above them.
fn ignore_headings(labels: &mut [Label], parameters: &HeaderReadingParameters) {
    let known = labels.to_vec();
    for label in labels {
        let is_heading = parameters.is_above_columns(&label.bounds);
        let stands_above =
            |other: &Label| other.field == label.field && other.bounds.bottom < label.bounds.top;
        if is_heading && known.iter().any(stands_above) {
            label.field = None;
        }
    }
}

/// Reads what stands in each field.
fn read_contents(
    contents: &[FieldContents],
    grid: &Grid,
    parameters: &Parameters,
) -> Vec<HeaderReading> {
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

/// The field of the sheet that a label names.
fn header_field(field: Field) -> HeaderField {
    match field {
        Field::White => HeaderField::White,
        Field::Black => HeaderField::Black,
        Field::Round => HeaderField::Round,
        Field::Board => HeaderField::Board,
        Field::Date => HeaderField::Date,
        Field::Result => HeaderField::Result,
    }
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
    let (read, calibration) = match contents.field {
        Field::White | Field::Black => (read_name(), parameters.name),
        Field::Round => (read_number(MAX_ROUND), number),
        Field::Board => (read_number(MAX_BOARD), number),
        Field::Date => (read_date(words), parameters.date),
        Field::Result => (read_outcome(words), parameters.result),
    };
    let (text, confidence) = read.map_or_else(Default::default, |(text, log_probability)| {
        (text, calibration.confidence(log_probability))
    });
    HeaderReading {
        field: header_field(contents.field),
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
    use crate::reader::WordReading;

    /// What is read of words that are read without doubt, each given with its left and upper edge
    /// in rows.
    fn read(words: &[(f32, f32, &str)]) -> Vec<(HeaderField, String)> {
        let words: Vec<WordReading> = words
            .iter()
            .map(|&(left, top, text)| WordReading::certain_at(left, top, text))
            .collect();
        let parameters = Parameters::default();
        let mut words = HeaderWords::from(words);
        let labels = words.find_labels(&parameters.fields);
        let contents = words.read_fields(&labels, &parameters.fields).unwrap();
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
