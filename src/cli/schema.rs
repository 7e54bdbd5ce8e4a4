//! `sheetscan schema`: the JSON Schema of the lines that `scan --json` writes.

use anyhow::Result;

use sheetscan::schema;

use super::args::SchemaArgs;
use super::output::Output;
use crate::Exit;

/// Runs the command.
pub fn run(args: &SchemaArgs) -> Result<Exit> {
    let mut output = Output::open(&args.output)?;
    output.write(&(serde_json::to_string_pretty(&schema::json_schema())? + "\n"))?;
    output.finish()?;
    Ok(Exit::AllRead)
}
