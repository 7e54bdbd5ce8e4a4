//! The table of `--headers`: its columns, and what people and spreadsheets write into them.

use anyhow::{Context, Result, bail};
use csv::{ReaderBuilder, StringRecord, Trim};

use sheetscan::event::{Date, TypedHeader};
use sheetscan::notation::{Outcome, parse_color, parse_result};

/// The columns that the table may have. Only the first is needed.
const COLUMNS: [&str; 8] = [
    "sheet", "page", "white", "black", "round", "board", "date", "result",
];

/// A row of the table.
#[derive(Clone)]
pub struct Row {
    /// Line in the file, from 1.
    pub line: usize,
    /// What the person calls the sheet.
    pub sheet: String,
    /// The page, if it is given.
    pub page: Option<u32>,
    /// What is typed of the header.
    pub header: TypedHeader,
    /// Whether it is told already that the row serves for nothing, or a sheet had it.
    pub is_settled: bool,
}

/// Reads the rows of a table.
pub fn parse_table(text: &str) -> Result<Vec<Row>> {
    let table = Table::new(text);
    let mut reader = ReaderBuilder::new()
        .delimiter(table.delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(table.text.as_bytes());
    let mut names: Option<Vec<String>> = None;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = table.line_of(&record);
        let at = || format!("line {line}");
        if record.iter().any(|field| field.contains('\n')) {
            bail!("line {line}: a field goes over several lines; look at its quotation marks");
        }
        match &names {
            None => names = Some(parse_names(&record).with_context(at)?),
            Some(_) if record.iter().all(str::is_empty) => {}
            Some(names) => {
                let row = parse_row(line, names, &record);
                rows.push(row.map_err(anyhow::Error::msg).with_context(at)?);
            }
        }
    }
    if names.is_none() {
        bail!("line 1: the table is empty; its first line names the columns");
    }
    Ok(rows)
}

/// A table as text.
struct Table<'a> {
    /// All lines, from that with the names of the columns on.
    text: &'a str,
    /// The line of the file with which `text` begins, from 1.
    first_line: usize,
    /// What stands between two columns.
    delimiter: u8,
}

impl<'a> Table<'a> {
    /// Finds what divides the columns: what `sep=` says before the names, as Excel writes it, else
    /// the first of tab, semicolon and comma that stands between the names.
    fn new(text: &'a str) -> Self {
        let head = text.lines().next().unwrap_or_default();
        // Quotes stand around it where the table was saved again.
        let told = head.trim().trim_matches('"').split_at_checked(4);
        if let Some((key, sign)) = told
            && key.eq_ignore_ascii_case("sep=")
            && let &[delimiter] = sign.as_bytes()
        {
            let text = text.split_once('\n').map_or("", |(_, rest)| rest);
            return Self {
                text,
                first_line: 2,
                delimiter,
            };
        }
        let head = text.lines().find(|line| !line.trim().is_empty());
        let mut delimiters = ['\t', ';', ','].into_iter();
        let delimiter = delimiters.find(|d| head.is_some_and(|head| head.contains(*d)));
        Self {
            text,
            first_line: 1,
            delimiter: delimiter.unwrap_or('\t') as u8,
        }
    }

    /// The line of the file in which a record begins; `csv` counts from the blank lines before it.
    fn line_of(&self, record: &StringRecord) -> usize {
        let byte = record
            .position()
            .map_or(0, |position| position.byte() as usize);
        let (before, rest) = self.text.split_at(byte.min(self.text.len()));
        let blank = rest.len() - rest.trim_start_matches(['\n', ' ']).len();
        let lines = |text: &str| text.matches('\n').count();
        self.first_line + lines(before) + lines(&rest[..blank])
    }
}

/// The names of the columns, in lower case.
fn parse_names(record: &StringRecord) -> Result<Vec<String>> {
    let names: Vec<String> = record.iter().map(str::to_lowercase).collect();
    let is_unknown = |name: &&String| !name.is_empty() && !COLUMNS.contains(&name.as_str());
    if let Some(unknown) = names.iter().find(is_unknown) {
        let known = COLUMNS.join(", ");
        bail!(
            "no column is called \"{unknown}\"; there are {known}, divided by tabs, semicolons or \
             commas"
        );
    }
    let mut named = names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty());
    if let Some((_, twice)) = named.find(|(i, name)| names[..*i].contains(name)) {
        bail!("two columns are called \"{twice}\"; leave one out");
    }
    if !names.iter().any(|name| name == "sheet") {
        bail!("no column is called \"sheet\"; it says which sheet a line is of");
    }
    Ok(names)
}

/// Reads a line of the table; the error says what is wrong.
fn parse_row(line: usize, names: &[String], fields: &StringRecord) -> Result<Row, String> {
    let nameless = |i: usize| names.get(i).is_none_or(String::is_empty);
    let mut filled = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| !field.is_empty());
    if let Some((_, field)) = filled.find(|(i, _)| nameless(*i)) {
        return Err(format!("\"{field}\" stands in a column without a name"));
    }
    let field = |name: &str| {
        let column = names.iter().position(|known| known == name)?;
        fields.get(column).filter(|text| !text.is_empty())
    };
    let number = |name: &str| match field(name).map(parse_number) {
        None => Ok(None),
        Some(Some(number)) => Ok(Some(number)),
        Some(None) => Err(format!("the {name} is no number")),
    };
    let date = match field("date") {
        None => None,
        Some(text) => {
            let date = Date::parse(text).filter(|date| date.is_whole());
            Some(date.ok_or("the date is not of the form YYYY/MM/DD")?)
        }
    };
    let result = match field("result") {
        None | Some("*") => None,
        Some(text) => Some(parse_typed_result(text).ok_or_else(|| {
            format!(
                "the result \"{text}\" is none of 1-0, 0-1, 1/2-1/2; if a spreadsheet took it \
                 for a date, make the column one of text"
            )
        })?),
    };
    Ok(Row {
        line,
        sheet: field("sheet").ok_or("the sheet is not named")?.to_owned(),
        page: number("page")?,
        header: TypedHeader {
            white: field("white").unwrap_or_default().to_owned(),
            black: field("black").unwrap_or_default().to_owned(),
            round: number("round")?,
            board: number("board")?,
            date,
            result,
        },
        is_settled: false,
    })
}

/// A number, which a spreadsheet may have written as `3.0` or `3,0`, and a person as `3.` or `Round
/// 3`.
fn parse_number(text: &str) -> Option<u32> {
    let is_label = |c: char| c.is_alphabetic() || c.is_whitespace();
    let text = text.trim_start_matches(is_label);
    let whole = text.split(['.', ',']).next()?;
    let rest = &text[whole.len()..];
    let is_whole = rest.chars().skip(1).all(|c| c == '0');
    is_whole.then(|| whole.parse().ok()).flatten()
}

/// The result as people type it; the player alone has won.
fn parse_typed_result(text: &str) -> Option<Outcome> {
    let winner = || parse_color(text).map(Outcome::win);
    parse_result(text).or_else(winner)
}

#[cfg(test)]
mod tests {
    use sheetscan::text;

    use super::*;

    /// The table of a file with this text, or what is told about it.
    fn load_text(text: impl AsRef<[u8]>) -> Result<Vec<Row>, String> {
        let decoded = text::decode(text.as_ref()).expect("a text");
        parse_table(&decoded.text).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn columns_may_stand_in_any_order_and_stay_empty() {
        let text = "round\tsheet\tresult\twhite\n3\ta.jpg\t1/2-1/2\tLópez, Ana\n\n\tb.jpg\t\t\n";
        let rows = load_text(text).expect("a table");
        let [first, second] = &rows[..] else {
            panic!("{} rows", rows.len());
        };
        assert_eq!(
            (first.sheet.as_str(), first.line, first.page),
            ("a.jpg", 2, None)
        );
        assert_eq!(first.header.white, "López, Ana");
        assert_eq!(first.header.round, Some(3));
        assert_eq!(first.header.result, Some(Outcome::Draw));
        assert_eq!((second.sheet.as_str(), second.line), ("b.jpg", 4));
        assert_eq!(second.header.round, None);
        assert_eq!(second.header.result, None);
    }

    #[test]
    fn a_table_comes_as_spreadsheets_save_it() {
        let utf16 = "\u{feff}Sheet\tWHITE\tRound\r\na\tPeña\t2\r\n".encode_utf16();
        let utf16: Vec<u8> = utf16.flat_map(u16::to_le_bytes).collect();
        for (how, bytes) in [
            (
                "Excel, CSV UTF-8",
                "\u{feff}Sheet;WHITE;Round\r\na;Peña;2\r\n"
                    .as_bytes()
                    .to_vec(),
            ),
            (
                "commas and quotes",
                "\"Sheet\",White,round,\n\"a\",\"Peña\",2.0,\n,,,\n".into(),
            ),
            (
                "its separator told",
                "sep=;\nsheet;white;round\na;Peña;2\n".into(),
            ),
            (
                "its separator told in quotes",
                "\"SEP=;\"\nsheet;white;round\na;Peña;2\n".into(),
            ),
            ("text of a Mac", "sheet\twhite\tround\ra\tPeña\t2\r".into()),
            (
                "text of Windows",
                b"sheet\twhite\tround\r\na\tPe\xf1a\t2\r\n".to_vec(),
            ),
            ("Unicode text", utf16),
        ] {
            let rows = load_text(bytes).unwrap_or_else(|told| panic!("{how}: {told}"));
            let row = &rows[0];
            assert_eq!((rows.len(), row.sheet.as_str()), (1, "a"), "{how}");
            assert_eq!(
                (row.header.white.as_str(), row.header.round),
                ("Peña", Some(2)),
                "{how}"
            );
        }
    }

    #[test]
    fn a_fault_is_told_with_its_line() {
        for (text, line, reason) in [
            ("sheet\tblanc\n", "line 1", "no column is called \"blanc\""),
            ("\n", "line 1", "the table is empty"),
            ("white\tblack\n", "line 1", "no column is called \"sheet\""),
            ("sheet,round,Round\n", "line 1", "two columns"),
            (
                "sheet\tround\na\tR1\n\nb\tone\n",
                "line 4",
                "the round is no number",
            ),
            (
                "sep=,\nsheet,round\n\na,1\nb,x\n",
                "line 5",
                "the round is no number",
            ),
            ("sheet\tdate\na\t2026/13/01\n", "line 2", "date"),
            (
                "sheet\tresult\na\t1-1\n",
                "line 2",
                "the result \"1-1\" is none of",
            ),
            ("sheet\twhite\n\tAna\n", "line 2", "the sheet is not named"),
            ("sheet,white\na,\"Ana\nb,Eva\n", "line 2", "quotation marks"),
            (
                "sheet,white\na,Alfa, Ana\n",
                "line 2",
                "a column without a name",
            ),
        ] {
            let Err(told) = load_text(text) else {
                panic!("no fault in {text:?}")
            };
            assert!(told.contains(line) && told.contains(reason), "{told}");
        }
    }
}
