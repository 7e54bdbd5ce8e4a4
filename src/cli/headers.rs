//! `--headers`: the table of headers that a person has typed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use sheetscan::event::{Date, Event, Header, TypedHeader, TypedHeaderParameters};
use sheetscan::notation::Outcome;
use sheetscan::schema::SheetRecord;

/// The columns that the table may have. Only the first is needed.
const COLUMNS: [&str; 8] = [
    "sheet", "page", "white", "black", "round", "board", "date", "result",
];

/// The lines of the table, one a sheet.
pub struct TypedHeaders(Vec<Row>);

struct Row {
    /// The file as it is given to sheetscan, or its name without folder and extension.
    sheet: PathBuf,
    page: u32,
    header: TypedHeader,
}

impl TypedHeaders {
    /// Reads a table whose columns are divided by tabs and named in the first line. Without a path
    /// the table is empty.
    pub fn load(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self(Vec::new()));
        };
        let text = fs::read_to_string(path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let mut lines = text.lines().zip(1..);
        let names: Vec<&str> = lines.next().map_or_else(Vec::new, |(head, _)| {
            head.split('\t').map(str::trim).collect()
        });
        if let Some(unknown) = names.iter().find(|name| !COLUMNS.contains(name)) {
            let known = COLUMNS.join(", ");
            bail!(
                "{}, line 1: no column is called \"{unknown}\"; there are {known}, divided by tabs",
                path.display()
            );
        }
        let mut rows = Vec::new();
        for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
            let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
            let row = parse_row(&names, &fields);
            let at = || format!("{}, line {number}", path.display());
            rows.push(row.map_err(anyhow::Error::msg).with_context(at)?);
        }
        Ok(Self(rows))
    }

    /// The typed header of a sheet as scores; empty if the table has no line for it.
    pub fn header(
        &self,
        event: &Event,
        sheet: &SheetRecord,
        parameters: &TypedHeaderParameters,
    ) -> Header {
        let path = Path::new(&sheet.path);
        let is_of_sheet = |row: &&Row| {
            let same_name = path == row.sheet || path.file_stem() == Some(row.sheet.as_os_str());
            same_name && sheet.page == row.page
        };
        let row = self.0.iter().find(is_of_sheet);
        row.map_or_else(Header::default, |row| {
            Header::from_typed(event, &row.header, parameters)
        })
    }
}

/// Reads a line of the table; the error says what is wrong.
fn parse_row(names: &[&str], fields: &[&str]) -> Result<Row, String> {
    let field = |name: &str| {
        let column = names.iter().position(|known| *known == name)?;
        let text = fields.get(column).copied()?;
        (!text.is_empty()).then_some(text)
    };
    let number = |name: &str| match field(name).map(str::parse) {
        None => Ok(None),
        Some(Ok(number)) => Ok(Some(number)),
        Some(Err(_)) => Err(format!("the {name} is no number")),
    };
    let date = match field("date") {
        None => None,
        Some(text) => {
            let date = Date::parse(text).filter(|date| date.is_whole());
            Some(date.ok_or("the date is not of the form YYYY/MM/DD")?)
        }
    };
    let result = match field("result") {
        None => None,
        Some("1-0") => Some(Outcome::WhiteWins),
        Some("0-1") => Some(Outcome::BlackWins),
        Some("1/2-1/2") => Some(Outcome::Draw),
        Some(_) => return Err("the result is none of 1-0, 0-1, 1/2-1/2".to_owned()),
    };
    Ok(Row {
        sheet: field("sheet").ok_or("the sheet is not named")?.into(),
        page: number("page")?.unwrap_or(1),
        header: TypedHeader {
            white: field("white").unwrap_or_default().to_owned(),
            black: field("black").unwrap_or_default().to_owned(),
            round: number("round")?,
            board: number("board")?,
            date,
            result,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of a file with this text, or what is told about it.
    fn load_text(text: &str) -> Result<TypedHeaders, String> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), text).expect("the file is written");
        TypedHeaders::load(Some(file.path())).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn columns_may_stand_in_any_order_and_stay_empty() {
        let text = "round\tsheet\tresult\twhite\n3\ta.jpg\t1/2-1/2\tLópez, Ana\n\n\tb.jpg\t\t\n";
        let TypedHeaders(rows) = load_text(text).expect("a table");
        let [first, second] = &rows[..] else {
            panic!("{} rows", rows.len());
        };
        assert_eq!(first.sheet, Path::new("a.jpg"));
        assert_eq!(first.page, 1);
        assert_eq!(first.header.white, "López, Ana");
        assert_eq!(first.header.round, Some(3));
        assert_eq!(first.header.result, Some(Outcome::Draw));
        assert_eq!(second.sheet, Path::new("b.jpg"));
        assert_eq!(second.header.round, None);
        assert_eq!(second.header.result, None);
    }

    #[test]
    fn a_fault_is_told_with_its_line() {
        for (text, line, reason) in [
            ("sheet\tblanc\n", "line 1", "no column is called \"blanc\""),
            (
                "sheet\tround\na\t1\n\nb\tone\n",
                "line 4",
                "the round is no number",
            ),
            ("sheet\tdate\na\t2026/13/01\n", "line 2", "date"),
            ("sheet\tresult\na\t1-1\n", "line 2", "the result is none of"),
            ("sheet\twhite\n\tAna\n", "line 2", "the sheet is not named"),
        ] {
            let told = load_text(text).err().expect("a fault");
            assert!(told.contains(line) && told.contains(reason), "{told}");
        }
    }
}
