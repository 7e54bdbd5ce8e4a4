//! `sheetscan schema`: the JSON Schema of the lines that `scan --json` writes.

use anyhow::Result;

use sheetscan::schema;

use super::args::SchemaArgs;
use super::exit_status::ExitStatus;
use super::output::Output;

/// Runs the command.
pub fn run(args: &SchemaArgs) -> Result<ExitStatus> {
    let mut output = Output::open(&args.output)?;
    output.write(&(serde_json::to_string_pretty(&schema::json_schema())? + "\n"))?;
    output.finish()?;
    Ok(ExitStatus::AllRead)
}
