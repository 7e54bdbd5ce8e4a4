//! The text of a sheet's QR code.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::event_hash::{EventHash, HASH_BITS};
use super::parts::SheetSize;
use super::sheet::{FormError, SheetForm};

/// What the text of every code begins with. The version follows.
const PREFIX: &str = "SSF";
/// Version of the code and of the sheets' geometry.
const VERSION: u8 = 1;
/// Largest number of a round.
pub const MAX_ROUND: u32 = 99;
/// Largest number of a board, and largest starting rank.
pub const MAX_BOARD: u32 = 9999;
/// Largest number of a page or copy.
pub const MAX_PAGE: u8 = 9;
/// Digits of the check at the end, in base 32: one text in a thousand passes by chance.
const CHECK_DIGITS: usize = 2;
/// The largest prime below the number of texts of so many digits.
const CHECK_PRIME: u64 = 1021;
/// Digits of the hash of an event, in base 32.
const HASH_DIGITS: usize = HASH_BITS as usize / 5;
/// The digits of base 32, Crockford's: none of them is taken for another.
const BASE_32: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// What stands in a field whose value is unknown.
const UNKNOWN: char = '-';

/// Whose sheet it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SheetSide {
    /// The player of the white pieces writes on it.
    White,
    /// The player of the black pieces writes on it.
    Black,
}

/// What the QR code of a sheet says: to which game it belongs, and how it is printed. It is stored
/// as its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct FormCode {
    /// The event; none on sheets for any event.
    pub event: Option<EventHash>,
    /// Round, 1 to [`MAX_ROUND`]; none on blank sheets.
    pub round: Option<u32>,
    /// Number of the board, 1 to [`MAX_BOARD`]; none on blank sheets, and where the pairing program
    /// gives none.
    pub board: Option<u32>,
    /// Starting rank of the player with White, 1 to [`MAX_BOARD`], by which the report file names
    /// the player; with the round it tells the pairing. None on blank sheets.
    pub white: Option<u32>,
    /// Whose sheet it is; none on blank sheets.
    pub side: Option<SheetSide>,
    /// The page of the game's record, 1 to [`MAX_PAGE`]; from 2 on it is a continuation sheet.
    pub page: u8,
    /// Which one of several copies of the same page, 1 to [`MAX_PAGE`]: the original is 1.
    pub copy: u8,
    /// The geometry of the sheet.
    pub form: SheetForm,
}

/// Why a text is not the code of a sheet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormCodeError {
    /// It is the text of some other QR code.
    #[error("not the code of a sheet that sheetscan has printed")]
    Foreign,
    /// A later version of sheetscan has printed the sheet.
    #[error("the sheet is of version {0}, and this program knows those up to {VERSION}")]
    Newer(u8),
    /// The text is not what the printer wrote.
    #[error("the code of the sheet is damaged: {0}")]
    Damaged(&'static str),
}

impl FormCode {
    /// The text, of the characters that a QR code stores in 5.5 bits: A to Z, 0 to 9, hyphen.
    ///
    /// A number that is too large for its field is written as unknown.
    pub fn to_text(&self) -> String {
        let mut text = format!("{PREFIX}{VERSION}");
        match self.event {
            Some(event) => push_base_32(&mut text, event.bits(), HASH_DIGITS),
            None => text.extend([UNKNOWN; HASH_DIGITS]),
        }
        push_number(&mut text, self.round, 2);
        push_number(&mut text, self.board, 4);
        push_number(&mut text, self.white, 4);
        text.push(match self.side {
            Some(SheetSide::White) => 'W',
            Some(SheetSide::Black) => 'B',
            None => UNKNOWN,
        });
        let form = &self.form;
        let size = match form.size {
            SheetSize::A4 => 'A',
            SheetSize::A5 => 'B',
            SheetSize::Letter => 'L',
            SheetSize::HalfLetter => 'H',
        };
        let clocks = if form.has_clocks { 'C' } else { 'N' };
        // Writing to a string does not fail.
        let _ = write!(text, "{}{}{size}{}", self.page, self.copy, form.blocks);
        let _ = write!(text, "{:02}{clocks}{:03}", form.rows, form.first_row);
        let check = check_bits(&text);
        push_base_32(&mut text, check, CHECK_DIGITS);
        text
    }

    /// Whether two sheets were printed for one game; none where a code does not say for which one.
    pub fn is_of_same_game(&self, other: &Self) -> Option<bool> {
        let same = |a: Option<u32>, b: Option<u32>| Some(a? == b?);
        let events = self.event.zip(other.event)?;
        let rounds = self.round.zip(other.round)?;
        let games = same(self.white, other.white).or_else(|| same(self.board, other.board))?;
        Some(events.0 == events.1 && rounds.0 == rounds.1 && games)
    }

    /// Reads the text of a code.
    ///
    /// # Errors
    /// [`FormCodeError`] if it is another text, a newer version, or damaged.
    pub fn parse(text: &str) -> Result<Self, FormCodeError> {
        let rest = text.strip_prefix(PREFIX).ok_or(FormCodeError::Foreign)?;
        let version = rest.chars().next().and_then(|c| c.to_digit(36));
        match version {
            Some(0) | None => return Err(FormCodeError::Foreign),
            Some(version) if version > u32::from(VERSION) => {
                return Err(FormCodeError::Newer(version as u8));
            }
            Some(_) => {}
        }
        let checked = text.len().checked_sub(CHECK_DIGITS);
        let parts = checked.and_then(|length| text.split_at_checked(length));
        let (body, check) = parts.ok_or(FormCodeError::Damaged("it is cut off"))?;
        if parse_base_32(check) != Some(check_bits(body)) {
            return Err(FormCodeError::Damaged("its check digits are wrong"));
        }
        let mut fields = Fields(&body[PREFIX.len() + 1..]);
        let code = Self {
            event: fields.event()?,
            round: fields.number_or_unknown(2)?,
            board: fields.number_or_unknown(4)?,
            white: fields.number_or_unknown(4)?,
            side: fields.side()?,
            page: fields.number(1)?,
            copy: fields.number(1)?,
            form: fields.form()?,
        };
        if !fields.0.is_empty() || code.page == 0 || code.copy == 0 {
            return Err(DAMAGED_FIELD);
        }
        Ok(code)
    }
}

impl From<FormCode> for String {
    fn from(code: FormCode) -> Self {
        code.to_text()
    }
}

impl TryFrom<String> for FormCode {
    type Error = FormCodeError;

    fn try_from(text: String) -> Result<Self, FormCodeError> {
        Self::parse(&text)
    }
}

/// The error of a field whose characters are none of its own.
const DAMAGED_FIELD: FormCodeError = FormCodeError::Damaged("a field has no known value");

/// What is left of a text to read.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Result<&'a str, FormCodeError> {
        let parts = self.0.split_at_checked(length).ok_or(DAMAGED_FIELD)?;
        self.0 = parts.1;
        Ok(parts.0)
    }

    fn event(&mut self) -> Result<Option<EventHash>, FormCodeError> {
        let text = self.take(HASH_DIGITS)?;
        if is_unknown(text) {
            return Ok(None);
        }
        let hash = parse_base_32(text).and_then(EventHash::from_bits);
        hash.map(Some).ok_or(DAMAGED_FIELD)
    }

    fn number<N: TryFrom<u32>>(&mut self, digits: usize) -> Result<N, FormCodeError> {
        let number = self.number_or_unknown(digits)?.unwrap_or(0);
        number.try_into().map_err(|_| DAMAGED_FIELD)
    }

    fn number_or_unknown(&mut self, digits: usize) -> Result<Option<u32>, FormCodeError> {
        let text = self.take(digits)?;
        if is_unknown(text) {
            return Ok(None);
        }
        let is_number = text.bytes().all(|b| b.is_ascii_digit());
        let number = is_number.then(|| text.parse().ok()).flatten();
        number.filter(|&n| n > 0).map(Some).ok_or(DAMAGED_FIELD)
    }

    fn side(&mut self) -> Result<Option<SheetSide>, FormCodeError> {
        match self.take(1)? {
            "W" => Ok(Some(SheetSide::White)),
            "B" => Ok(Some(SheetSide::Black)),
            text if is_unknown(text) => Ok(None),
            _ => Err(DAMAGED_FIELD),
        }
    }

    fn form(&mut self) -> Result<SheetForm, FormCodeError> {
        let size = match self.take(1)? {
            "A" => SheetSize::A4,
            "B" => SheetSize::A5,
            "L" => SheetSize::Letter,
            "H" => SheetSize::HalfLetter,
            _ => return Err(DAMAGED_FIELD),
        };
        let blocks = self.number(1)?;
        let rows = self.number(2)?;
        let has_clocks = match self.take(1)? {
            "C" => true,
            "N" => false,
            _ => return Err(DAMAGED_FIELD),
        };
        let first_row = self.number(3)?;
        let form = SheetForm::new(size, blocks, rows, has_clocks, first_row);
        form.map_err(|_: FormError| FormCodeError::Damaged("there is no such form"))
    }
}

/// Whether a field says that its value is unknown.
fn is_unknown(text: &str) -> bool {
    text.chars().all(|c| c == UNKNOWN)
}

/// Adds a number with leading zeros, or as unknown.
fn push_number(text: &mut String, number: Option<u32>, digits: usize) {
    let number = number.filter(|&n| n > 0 && n < 10_u32.pow(digits as u32));
    match number {
        // Writing to a string does not fail.
        Some(number) => _ = write!(text, "{number:0digits$}"),
        None => text.extend(std::iter::repeat_n(UNKNOWN, digits)),
    }
}

/// Adds the lowest bits of a number as digits of base 32.
fn push_base_32(text: &mut String, bits: u64, digits: usize) {
    let digit = |i: usize| char::from(BASE_32[(bits >> (5 * i) & 31) as usize]);
    text.extend((0..digits).rev().map(digit));
}

/// The number that digits of base 32 stand for, at most 12 of them.
fn parse_base_32(text: &str) -> Option<u64> {
    text.bytes().try_fold(0, |number, byte| {
        let digit = BASE_32.iter().position(|&digit| digit == byte)?;
        Some(number << 5 | digit as u64)
    })
}

/// The bits that the check digits of a text stand for: a polynomial of its bytes modulo a prime, so
/// that no change of one character and no exchange of two neighbours passes.
fn check_bits(text: &str) -> u64 {
    let add = |sum, byte| (45 * sum + u64::from(byte)) % CHECK_PRIME;
    text.bytes().fold(0, add)
}
