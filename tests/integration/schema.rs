//! `sheetscan schema` describes what `scan --json` writes.

use crate::common::{TestDir, samples, short_sample};
use serde_json::Value;
use sheetscan::schema::GameRecord;

/// What is wrong with a value by a schema of the keywords that ours uses; nothing if it fits. It is
/// stricter than JSON Schema: a field that the schema does not name is a fault too.
fn faults(value: &Value, schema: &Value, root: &Value, at: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').expect("a local reference");
        let target = root.pointer(pointer).expect("a definition");
        return faults(value, target, root, at);
    }
    if let Some(options) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let fits = |option: &Value| faults(value, option, root, at).is_empty();
        return match options.iter().any(fits) {
            true => Vec::new(),
            false => vec![format!("{at}: {value} fits none of {options:?}")],
        };
    }
    let mut found = Vec::new();
    let mut check = |fits: bool, keyword: &str| {
        if !fits {
            found.push(format!(
                "{at}: {value} against {keyword} {}",
                schema[keyword]
            ));
        }
    };
    let number = value.as_f64().unwrap_or(0.0);
    let length = value.as_array().map_or(0, Vec::len) as u64;
    for (keyword, wanted) in schema.as_object().expect("a schema") {
        let bound = wanted.as_f64().unwrap_or(f64::NAN);
        let fits = match keyword.as_str() {
            "type" => match wanted {
                Value::Array(types) => types.iter().any(|name| has_type(value, name)),
                name => has_type(value, name),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().expect("a list").contains(value),
            "minimum" => number >= bound,
            "maximum" => number <= bound,
            "minItems" => Some(length) >= wanted.as_u64(),
            "maxItems" => Some(length) <= wanted.as_u64(),
            "required" => {
                let names = wanted.as_array().expect("a list");
                names
                    .iter()
                    .all(|name| value.get(name.as_str().expect("a name")).is_some())
            }
            "$schema" | "$defs" | "title" | "description" | "format" => true,
            "properties" | "additionalProperties" | "items" => true,
            other => panic!("the test does not know the keyword {other}"),
        };
        check(fits, keyword);
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Null) => found.push(format!("{at}: the schema does not name it")),
            (Value::Null, every) => found.extend(faults(field, every, root, &at)),
            (property, _) => found.extend(faults(field, property, root, &at)),
        }
    }
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(item, &schema["items"], root, &format!("{at}/{i}")));
    }
    found
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("a name") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        other => panic!("no type of JSON: {other}"),
    }
}

/// The schema as the program prints it.
fn schema(dir: &TestDir) -> Value {
    let run = dir.run(&["schema"]);
    assert_eq!(run.status, 0);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn the_lines_of_the_samples_fit_the_schema_and_come_back_byte_for_byte() {
    let dir = TestDir::new();
    let schema = schema(&dir);
    let samples = samples();
    let mut sheets: Vec<&str> = samples
        .iter()
        .map(|path| path.to_str().expect("UTF-8"))
        .collect();
    let pages = ["1.jpg", "2.jpg"]
        .map(|name| format!("{}/samples/two_pages/{name}", env!("CARGO_MANIFEST_DIR")));
    sheets.extend(pages.iter().map(String::as_str));
    // The first sample once more under another name, and an answer in it.
    std::fs::copy(&samples[0], dir.path("again.jpg")).expect("a copy");
    sheets.push("again.jpg");
    let alone = ["--n-best", "3", "--fix", "again.jpg:1=e4"];
    for more in [&alone[..], &["--shard"]] {
        let scan = [
            &["scan", "--quiet", "--json", "games.jsonl"],
            &sheets[..],
            more,
        ]
        .concat();
        dir.run(&scan);
        let text = dir.text("games.jsonl");
        assert!(text.lines().count() >= samples.len());
        for line in text.lines() {
            let value = serde_json::from_str(line).expect("JSON");
            assert_eq!(faults(&value, &schema, &schema, ""), [""; 0]);
            let record = GameRecord::parse(line).expect("a game");
            assert_eq!(sheetscan::json::line(&record), line);
        }
    }
}

#[test]
fn a_line_that_breaks_the_schema_is_found() {
    let dir = TestDir::new();
    let schema = schema(&dir);
    dir.run(&["scan", "--quiet", "--json", "game.jsonl", &short_sample()]);
    let game: Value = serde_json::from_str(&dir.text("game.jsonl")).expect("JSON");
    let broken = |pointer: &str, wrong: Value| {
        let mut game = game.clone();
        *game.pointer_mut(pointer).expect("a field") = wrong;
        faults(&game, &schema, &schema, "")
    };
    assert_eq!(broken("/schema", 1.into()), [""; 0]);
    for (pointer, wrong) in [
        ("/schema", Value::from(2)),
        ("/sheets/0/copy_of", "red".into()),
        ("/tags/Result", 1.into()),
        ("/plies/0/confidence", 1.5.into()),
        ("/plies/0/cells/0/side", "left".into()),
        ("/plies/0/cells/0/box", Value::Array(Vec::new())),
        ("/plies/0/cells/0", serde_json::json!({"sheet": 0})),
    ] {
        assert!(!broken(pointer, wrong).is_empty(), "{pointer}");
    }
}

#[test]
fn the_schema_changes_only_on_purpose() {
    let run = TestDir::new().run(&["schema"]);
    insta::assert_snapshot!("schema", run.stdout);
}

#[test]
fn the_form_of_a_line_changes_only_on_purpose() {
    let dir = TestDir::new();
    std::fs::copy(short_sample(), dir.path("sheet.jpg")).expect("a copy");
    dir.run(&["scan", "--quiet", "--json", "game.jsonl", "sheet.jpg"]);
    let mut game = GameRecord::parse(&dir.text("game.jsonl")).expect("a game");
    // The last digits of what the networks put out differ from processor to processor.
    for ply in &mut game.plies {
        ply.confidence = 0.0;
        ply.alternatives
            .iter_mut()
            .for_each(|other| other.confidence = 0.0);
        for cell in &mut ply.cells {
            cell.read_confidence = 0.0;
            cell.corners = Default::default();
        }
    }
    let text = serde_json::to_string_pretty(&game).expect("JSON");
    insta::assert_snapshot!("line", text);
}
