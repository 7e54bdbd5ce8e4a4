//! The one way in for text that other programs wrote: its encoding and its line ends.
//!
//! ```
//! let decoded = sheetscan::text::decode(b"Jo\xe3o\r\nJos\xe9\r")?;
//! assert_eq!(decoded.text, "João\nJosé\n");
//! assert_eq!(decoded.assumed, Some("windows-1252"));
//! # Ok::<(), sheetscan::text::NotText>(())
//! ```

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, IBM866, ISO_8859_2, KOI8_R, KOI8_U, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257,
};
use encoding_rs_io::DecodeReaderBytesBuilder;

/// Encodings that are taken from statistics. Any other guess is a slip on a short text, and
/// Windows-1252 is taken, which includes the letters of Latin-1.
const SINGLE_BYTE_ENCODINGS: [&Encoding; 10] = [
    WINDOWS_1252,
    WINDOWS_1250,
    ISO_8859_2,
    WINDOWS_1251,
    KOI8_R,
    KOI8_U,
    IBM866,
    WINDOWS_1253,
    WINDOWS_1254,
    WINDOWS_1257,
];

/// Smallest number of whole letters of several bytes for each damaged one at which a text is taken
/// for damaged UTF-8. Programs that cut a name after some bytes may cut it within a letter.
const MIN_WHOLE_PER_DAMAGED: usize = 4;

/// Largest share of control characters in a text; a picture or an archive has far more. Texts of
/// old programs have some, as the end mark of DOS. Zero bytes do not count: some programs fill
/// blank fields with them.
const MAX_CONTROL_SHARE: f64 = 0.05;

/// Smallest share of the bytes at even or at odd places that are zero in UTF-16 without a mark.
const MIN_ZERO_SHARE: f64 = 0.3;

/// The byte order mark of UTF-8.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Largest length of a line that is read by itself, in bytes. A game with all evidence has a few
/// million.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// A text of another program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText {
    /// The text without byte order mark; every line ends with LF, whatever ended it in the file.
    pub text: String,
    /// The encoding that was assumed, where the file neither is UTF-8 nor says what it is.
    pub assumed: Option<&'static str>,
}

/// The bytes are no text in any encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a text sheetscan can read; save it as plain text in UTF-8")]
pub struct NotText;

/// Decodes the bytes of a text: by its byte order mark, else as UTF-8, else as UTF-16 if every
/// second byte is zero, else in the encoding that the statistics of its letters speak for.
///
/// # Errors
/// [`NotText`] for pictures, archives and the like.
pub fn decode(bytes: &[u8]) -> Result<DecodedText, NotText> {
    let utf8 = std::str::from_utf8(bytes);
    let (text, assumed) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (decode_as(encoding, &bytes[mark..]), None),
        None => match utf8 {
            Ok(text) if !text.contains('\0') => (Cow::Borrowed(text), None),
            _ => {
                let encoding = guess_encoding(bytes);
                let assumed = match encoding.name() {
                    "UTF-8" if utf8.is_ok() => None,
                    "UTF-8" => Some("UTF-8 with damaged letters"),
                    name => Some(name),
                };
                (decode_as(encoding, bytes), assumed)
            }
        },
    };
    let is_control = |c: &char| c.is_control() && !c.is_whitespace() && *c != '\0';
    let controls = text.chars().filter(is_control).count();
    // A single control character, as the end mark of DOS, is in no text too many.
    if controls > 1 && controls as f64 > MAX_CONTROL_SHARE * text.chars().count() as f64 {
        return Err(NotText);
    }
    Ok(DecodedText {
        // Files with a mark that are joined have one at the start of a line.
        text: end_lines_with_lf(&text).replace("\n\u{feff}", "\n"),
        assumed,
    })
}

fn decode_as<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Cow<'a, str> {
    encoding.decode_without_bom_handling(bytes).0
}

/// The likeliest encoding of bytes that are not UTF-8 or have zeros among them.
fn guess_encoding(bytes: &[u8]) -> &'static Encoding {
    let zero_share = |first: usize| {
        let zeros = bytes.iter().skip(first).step_by(2).filter(|b| **b == 0);
        zeros.count() as f64 / (bytes.len() as f64 / 2.0)
    };
    if zero_share(1) >= MIN_ZERO_SHARE && zero_share(0) < MIN_ZERO_SHARE {
        return UTF_16LE;
    }
    if zero_share(0) >= MIN_ZERO_SHARE && zero_share(1) < MIN_ZERO_SHARE {
        return UTF_16BE;
    }
    let (whole, damaged) = count_utf8_letters(bytes);
    if whole >= MIN_WHOLE_PER_DAMAGED * damaged {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if SINGLE_BYTE_ENCODINGS.contains(&guess) {
        guess
    } else {
        WINDOWS_1252
    }
}

/// The number of letters of several bytes that are whole in UTF-8, and of those that are not.
fn count_utf8_letters(bytes: &[u8]) -> (usize, usize) {
    let (mut whole, mut damaged) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    (whole, damaged)
}

/// A text in which LF ends every line that ended with LF, CR LF or a bare CR.
fn end_lines_with_lf(text: &str) -> String {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.to_owned()
    }
}

/// Takes the mark off the start of a line. Files with a mark that are joined have one within.
fn strip_mark(line: &mut Vec<u8>) {
    if line.starts_with(UTF8_MARK) {
        line.drain(..UTF8_MARK.len());
    }
}

/// Reads a text line by line, for files that are larger than the memory: UTF-8 with or without a
/// mark, or UTF-16 with one. Lines are separated by LF, CR LF or CR.
pub struct LineReader<R: Read> {
    source: BufReader<encoding_rs_io::DecodeReaderBytes<R, Vec<u8>>>,
}

impl<R: Read> LineReader<R> {
    /// Reads from a source.
    pub fn new(source: R) -> Self {
        let mut builder = DecodeReaderBytesBuilder::new();
        let reader = builder.utf8_passthru(true).strip_bom(true).build(source);
        Self {
            source: BufReader::new(reader),
        }
    }
}

impl<R: Read> Iterator for LineReader<R> {
    type Item = io::Result<Vec<u8>>;

    /// The bytes of the next line without its end.
    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        loop {
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) => return Some(Err(error)),
            };
            if buffer.is_empty() {
                strip_mark(&mut line);
                return (!line.is_empty()).then_some(Ok(line));
            }
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            line.extend_from_slice(&buffer[..end.unwrap_or(buffer.len())]);
            let read = end.map_or(buffer.len(), |end| end + 1);
            let is_cr = end.is_some_and(|end| buffer[end] == b'\r');
            self.source.consume(read);
            if is_cr
                && matches!(self.source.fill_buf(), Ok(buffer) if buffer.first() == Some(&b'\n'))
            {
                self.source.consume(1);
            }
            if end.is_some() {
                strip_mark(&mut line);
                return Some(Ok(line));
            }
            if line.len() as u64 > MAX_LINE_BYTES {
                let mib = MAX_LINE_BYTES >> 20;
                let reason = format!("a line is longer than {mib} MiB");
                return Some(Err(io::Error::new(io::ErrorKind::InvalidData, reason)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        decode(bytes).expect("a text").text
    }

    /// The bytes of a text in an encoding.
    fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        encoding.encode(text).0.into_owned()
    }

    fn encode_utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn lines_end_with_lf_whatever_ended_them() {
        assert_eq!(text(b"a\rb\r\nc\n\r\nd\r\r\n"), "a\nb\nc\n\nd\n\n");
        assert_eq!(text(b"\xef\xbb\xbfa\r\n\xef\xbb\xbfb"), "a\nb");
    }

    #[test]
    fn a_text_says_what_it_is_by_its_mark() {
        assert_eq!(text(b"\xef\xbb\xbf012 x"), "012 x");
        for (mark, to_bytes) in [
            (b"\xff\xfe", u16::to_le_bytes as fn(u16) -> [u8; 2]),
            (b"\xfe\xff", u16::to_be_bytes),
        ] {
            let bytes = [&mark[..], &encode_utf16("Müller\r\n1. e4", to_bytes)].concat();
            let decoded = decode(&bytes).expect("a text");
            assert_eq!(
                (decoded.text.as_str(), decoded.assumed),
                ("Müller\n1. e4", None)
            );
            let decoded = decode(&bytes[2..]).expect("a text");
            assert_eq!(decoded.text, "Müller\n1. e4");
            assert!(
                decoded
                    .assumed
                    .is_some_and(|name| name.starts_with("UTF-16"))
            );
        }
    }

    #[test]
    fn names_of_western_and_eastern_europe_are_told_apart_by_their_letters() {
        for (names, encoding) in [
            ("Müller, Jörg\nGroß, Änne\nSchäfer, Björn", WINDOWS_1252),
            (
                "João Ninguém\nConceição, Inês\nBrandão, Benção",
                WINDOWS_1252,
            ),
            ("Muñoz, José\nIbáñez, Íñigo\nPeña, Ángel", WINDOWS_1252),
            (
                "Çelik, François\nLefèvre, Hélène\nBaptiste, Noël",
                WINDOWS_1252,
            ),
            (
                "Łukasz Wiśniewski\nŻak, Stanisław\nJędrzej Gołąb",
                WINDOWS_1250,
            ),
            (
                "Dvořák, Jiří\nŠvec, Ondřej\nKučera, Tomáš\nPříbyl, Zdeněk",
                WINDOWS_1250,
            ),
            ("Erdős, Győző\nSzűcs, Ödön\nKőszegi, Jenő", WINDOWS_1250),
            ("Иванов, Пётр\nСмирнов, Алексей", WINDOWS_1251),
        ] {
            assert_eq!(text(&encode(names, encoding)), names, "{}", encoding.name());
        }
    }

    #[test]
    fn a_single_accent_is_western() {
        assert_eq!(text(b"M\xfcller"), "Müller");
        assert_eq!(text(b"\x8akoda"), "Škoda");
        assert_eq!(
            decode(b"M\xfcller").expect("a text").assumed,
            Some("windows-1252")
        );
        assert_eq!(decode("Müller".as_bytes()).expect("a text").assumed, None);
    }

    #[test]
    fn utf8_that_was_cut_within_a_letter_stays_utf8() {
        let names = "Müller Jörg Größe Änne";
        let cut = [names.as_bytes(), b"\nJ\xc3 x"].concat();
        assert_eq!(text(&cut), format!("{names}\nJ\u{fffd} x"));
    }

    #[test]
    fn pictures_are_no_text_and_old_end_marks_are_in_some() {
        let noise: Vec<u8> = (0..4000u32).map(|i| (i * i * 31 % 251) as u8).collect();
        assert_eq!(decode(&noise), Err(NotText));
        assert_eq!(text(b"012 Open\x1a"), "012 Open\u{1a}");
        let with_zeros = "001    1\0\0\0\0\0 Alfa, Ana";
        assert_eq!(text(with_zeros.as_bytes()), with_zeros);
    }

    #[test]
    fn lines_are_read_one_by_one_in_every_encoding_that_a_mark_names() {
        let lines = |bytes: &[u8]| -> Vec<String> {
            let lines = LineReader::new(bytes).map(|line| line.expect("a line"));
            lines
                .map(|line| String::from_utf8(line).expect("UTF-8"))
                .collect()
        };
        assert_eq!(
            lines(b"\xef\xbb\xbf{}\r\n\xef\xbb\xbf[]\r1\n\n2"),
            ["{}", "[]", "1", "", "2"]
        );
        let utf16 = [
            &b"\xff\xfe"[..],
            &encode_utf16("{}\r\n\"ü\"\r\n", u16::to_le_bytes),
        ]
        .concat();
        assert_eq!(lines(&utf16), ["{}", "\"ü\""]);
        assert_eq!(lines(b""), [""; 0]);
    }
}
