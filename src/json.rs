//! Games as JSON, one object a line; [`crate::schema`] has its fields.

use crate::schema::GameRecord;

/// A game as one line of JSON, without the line break.
pub fn line(record: &GameRecord) -> String {
    serde_json::to_string(record).expect("strings and numbers only")
}

#[cfg(test)]
mod tests;
