//! What the headers of a game's sheets say, and what a person has said of them.

use crate::notation::{Outcome, parse_terminator};

use super::game::ScannedGame;
use super::{HeaderField, HeaderReading};

impl ScannedGame {
    /// The surest reading of a field of the header, with the index of its sheet; none where no
    /// sheet has a label for it.
    pub fn header_reading(&self, field: HeaderField) -> Option<(usize, &HeaderReading)> {
        self.header_readings(field).reduce(|best, other| {
            match other.1.confidence > best.1.confidence {
                true => other,
                false => best,
            }
        })
    }

    /// What the header says in a field with a confidence that needs no person; none where two
    /// sheets say something else.
    pub fn sure_field(&self, field: HeaderField) -> Option<&str> {
        let mut sure = self.header_readings(field).filter(|(_, r)| r.is_sure());
        let text = sure.next()?.1.text.as_str();
        sure.all(|(_, other)| other.text == text).then_some(text)
    }

    /// What a field of the header says: what a person has read there, else what is read surely.
    pub fn field(&self, field: HeaderField) -> Option<&str> {
        let answers = self.fields.iter();
        let mut answers = answers.filter(|(known, _)| *known == field);
        let answer = answers.next().map(|(_, text)| text.as_str());
        answer.or_else(|| self.sure_field(field))
    }

    /// The readings of a field of the header, each with the index of its sheet.
    fn header_readings(&self, field: HeaderField) -> impl Iterator<Item = (usize, &HeaderReading)> {
        let sheets = self.sheets.iter().enumerate();
        sheets.flat_map(move |(i, sheet)| {
            let readings = sheet.header.iter();
            readings
                .filter(move |reading| reading.field == field)
                .map(move |reading| (i, reading))
        })
    }

    /// Sets a field to what a person has read. A result takes the place of that of the sheet.
    pub fn set_field(&mut self, field: HeaderField, text: &str) {
        if field == HeaderField::Result {
            self.game.outcome = parse_terminator(text).unwrap_or(Outcome::Unknown);
        }
        self.fields.retain(|(known, _)| *known != field);
        self.fields.push((field, text.to_owned()));
        self.fields.sort();
    }
}
