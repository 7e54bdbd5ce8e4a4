//! The PGN tags of a game.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::notation::Outcome;
use crate::pgn::Tags;

/// PGN tags by name, as one JSON object that keeps their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagRecord(Vec<(String, String)>);

impl TagRecord {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        let tag = self.0.iter().rfind(|(known, _)| known == name);
        tag.map(|(_, value)| value.as_str())
    }

    /// The tags of a game with this result, those whose names PGN allows: letters, digits and `_`.
    pub fn to_tags(&self, outcome: Outcome) -> Tags {
        let mut tags = Tags::with_result(outcome);
        let is_name = |name: &str| {
            let mut bytes = name.bytes();
            !name.is_empty() && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        for (name, value) in &self.0 {
            if is_name(name) && name != "Result" {
                tags.set(name, value);
            }
        }
        tags
    }
}

impl From<&Tags> for TagRecord {
    fn from(tags: &Tags) -> Self {
        let pairs = tags.iter();
        Self(
            pairs
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        )
    }
}

impl Serialize for TagRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for TagRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TagVisitor)
    }
}

struct TagVisitor;

impl<'de> Visitor<'de> for TagVisitor {
    type Value = TagRecord;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TagRecord, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(TagRecord(pairs))
    }
}

impl JsonSchema for TagRecord {
    fn schema_name() -> Cow<'static, str> {
        "TagRecord".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <BTreeMap<String, String>>::json_schema(generator)
    }
}
