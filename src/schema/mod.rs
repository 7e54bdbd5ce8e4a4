//! The wire types: a game as one line of JSON, written by `scan --json` and read by `merge` and
//! [`crate::event`].
//!
//! Serde maps every type both ways. Fields that a reader does not know are passed over; a field
//! that changes its meaning makes [`VERSION`] grow. [`json_schema`] describes the form to others.
//!
//! ```
//! use sheetscan::schema::GameRecord;
//!
//! let line = r#"{"schema": 1, "sheets": [], "complete": true, "plies": [
//!     {"san": "e4", "confidence": 0.98, "review": false}]}"#;
//! let record = GameRecord::parse(line)?;
//! assert_eq!(record.plies[0].san, "e4");
//! # Ok::<(), sheetscan::schema::RecordError>(())
//! ```

mod cell;
mod from_scan;
mod game;
mod ply;
mod sheet;
mod tags;

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;

pub use cell::{CellRecord, Corners, TableCellRecord, UnreadRecord};
pub use game::{BreakRecord, GameRecord, GapRecord, RecordError, RunnerUpRecord};
pub use ply::{Alternative, PlyRecord};
pub use sheet::{HeaderFieldRecord, PackedWords, SheetCodeRecord, SheetRecord};
pub use tags::TagRecord;

/// Version of the wire types, the `schema` of every line.
pub const VERSION: u32 = 1;

/// The JSON Schema (draft 2020-12) of the lines that this version writes. It leaves other fields
/// open, and requires every field that is always written.
pub fn json_schema() -> Schema {
    let tidy = RecursiveTransform(|schema: &mut Schema| {
        // A default is for lines that are read; lines that are written leave nothing to it.
        schema.remove("default");
        // The line breaks of a comment mean nothing outside the source.
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.replace('\n', " ");
        }
    });
    SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(tidy)
        .into_generator()
        .into_root_schema_for::<GameRecord>()
}
