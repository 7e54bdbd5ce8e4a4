//! `--headers`: the table of headers that a person has typed.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use sheetscan::batch::SheetNames;
use sheetscan::event::{Event, Header, TypedHeaderParameters};
use sheetscan::schema::SheetRecord;

use super::header_table::{Row, parse_table};
use super::progress::{Progress, print_message};
use super::text_file;

/// Largest number of rows of one kind that are told one by one.
const MAX_ROWS_TOLD: usize = 10;

/// The rows of the table, one a sheet.
#[derive(Clone, Default)]
pub struct TypedHeaders {
    /// The file's name for messages.
    name: String,
    rows: Vec<Row>,
    /// For each sheet that a row is of, by path and page: the index of the row.
    by_sheet: HashMap<(String, u32), usize>,
}

impl TypedHeaders {
    /// Reads a table whose columns are divided by tabs, semicolons or commas and named in the first
    /// line. Without a path the table is empty.
    pub fn load(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let name = text_file::name(path);
        let rows = parse_table(&text_file::read(path)?);
        let rows = rows.map_err(|why| anyhow!("{name}, {why:#}"))?;
        Ok(Self {
            name,
            rows,
            by_sheet: HashMap::new(),
        })
    }

    /// Finds the sheet of every row.
    ///
    /// # Errors
    /// A message if a row names two sheets.
    pub fn find_sheets(&mut self, names: &SheetNames) -> Result<()> {
        for i in 0..self.rows.len() {
            if let Some(sheet) = self.sheet_of(i, names)? {
                self.by_sheet.entry(sheet).or_insert(i);
            }
        }
        Ok(())
    }

    /// Path and page of the sheet of a row.
    fn sheet_of(&self, row: usize, names: &SheetNames) -> Result<Option<(String, u32)>> {
        let row = &self.rows[row];
        let named = names.find_page(&row.sheet);
        let named = named.with_context(|| self.place_of(row))?;
        Ok(named.map(|(sheet, page)| (sheet.to_owned(), row.page.or(page).unwrap_or(1))))
    }

    /// Where a row stands, for messages.
    fn place_of(&self, row: &Row) -> String {
        format!("{}, line {}", self.name, row.line)
    }

    /// Finds the sheet of every row. Tells rows whose sheet is not there, rows for a sheet that has
    /// one already, and what no player or round of the event fits.
    ///
    /// # Errors
    /// A message if a row names two sheets.
    pub fn resolve_names(
        &mut self,
        names: &SheetNames,
        event: &Event,
        parameters: &TypedHeaderParameters,
    ) -> Result<()> {
        self.find_sheets(names)?;
        let (mut strangers, mut contradictions) = (Vec::new(), Vec::new());
        for i in 0..self.rows.len() {
            let row = &self.rows[i];
            let place = self.place_of(row);
            let Some(sheet) = self.sheet_of(i, names)? else {
                strangers.push(format!(
                    "{place}: no sheet of the run is called {}",
                    row.sheet
                ));
                self.rows[i].is_settled = true;
                continue;
            };
            let others = row.header.contradictions(event, parameters);
            contradictions.extend(others.into_iter().map(|text| format!("{place}: {text}")));
            let first = self.by_sheet[&sheet];
            if first == i {
                continue;
            }
            if self.rows[first].header != row.header {
                contradictions.push(format!(
                    "{place}: {} has another header in line {}, which counts",
                    row.sheet, self.rows[first].line
                ));
            }
            self.rows[i].is_settled = true;
        }
        print_some(&strangers);
        print_some(&contradictions);
        Ok(())
    }

    /// The typed header of a sheet as scores; empty if the table has no row for it.
    pub fn header(
        &self,
        event: &Event,
        sheet: &SheetRecord,
        parameters: &TypedHeaderParameters,
    ) -> Header {
        let row = self.by_sheet.get(&sheet_key(sheet));
        row.map_or_else(Header::default, |&row| {
            Header::from_typed(event, &self.rows[row].header, parameters)
        })
    }

    /// Notes that a sheet gave a game.
    pub fn settle(&mut self, sheet: &SheetRecord) {
        if let Some(&row) = self.by_sheet.get(&sheet_key(sheet)) {
            self.rows[row].is_settled = true;
        }
    }

    /// Reports the rows of sheets that gave no game.
    pub fn report_unused(&self, progress: &Progress) {
        for row in self.rows.iter().filter(|row| !row.is_settled) {
            let page = row
                .page
                .map_or_else(String::new, |page| format!(", page {page},"));
            progress.fault(&format!(
                "{}, line {}: {}{page} gave no game for this header",
                self.name, row.line, row.sheet
            ));
        }
    }
}

fn sheet_key(sheet: &SheetRecord) -> (String, u32) {
    (sheet.path.clone(), sheet.page)
}

/// Prints lines, at most [`MAX_ROWS_TOLD`], and how many more there are.
fn print_some(lines: &[String]) {
    for line in lines.iter().take(MAX_ROWS_TOLD) {
        print_message(line);
    }
    if lines.len() > MAX_ROWS_TOLD {
        let more = lines.len() - MAX_ROWS_TOLD;
        print_message(&format!(
            "and {more} more rows of --headers of the same kind"
        ));
    }
}
