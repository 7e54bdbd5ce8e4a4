//! The fonts of a sheet, and how wide a text is in them.

use std::borrow::Cow;
use std::ops::Range;

use deunicode::deunicode_char;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Face, UnicodeBuffer};

/// Millimetres of a point, in which the sizes of letters are given.
pub(super) const POINT_MM: f64 = 25.4 / 72.0;
/// What stands where a text was cut off.
const ELLIPSIS: char = '…';
/// What stands in place of a character that no letters stand for.
const UNPRINTABLE: char = '?';

/// Fira Sans, regular; see `src/forms/fonts/README.md`.
const REGULAR: &[u8] = include_bytes!("fonts/FiraSans-Regular.ttf");
/// Fira Sans, medium.
const MEDIUM: &[u8] = include_bytes!("fonts/FiraSans-Medium.ttf");
/// The white chess pieces of Noto Sans Symbols 2.
const PIECES: &[u8] = include_bytes!("fonts/NotoSansSymbols2-Chess.ttf");

/// A built-in font cannot be read, which no sheet can change.
#[derive(Debug, thiserror::Error)]
#[error("a built-in font cannot be read")]
pub struct FontError;

/// A font that is embedded into the file.
pub(super) struct Typeface {
    face: Face<'static>,
    pub(super) font: Font,
}

/// The fonts of a sheet.
pub(super) struct Typefaces {
    pub(super) regular: Typeface,
    pub(super) medium: Typeface,
    pub(super) pieces: Typeface,
}

/// A line of text, as it is drawn.
pub(super) struct Line {
    /// The text, of which characters that the font lacks are written otherwise.
    pub(super) text: String,
    pub(super) glyphs: Vec<KrillaGlyph>,
    /// Size of the letters in points.
    pub(super) size: f64,
    /// Width in millimetres.
    pub(super) width: f64,
}

impl Typefaces {
    pub(super) fn load() -> Result<Self, FontError> {
        Ok(Self {
            regular: Typeface::load(REGULAR)?,
            medium: Typeface::load(MEDIUM)?,
            pieces: Typeface::load(PIECES)?,
        })
    }
}

impl Typeface {
    fn load(data: &'static [u8]) -> Result<Self, FontError> {
        Ok(Self {
            face: Face::from_slice(data, 0).ok_or(FontError)?,
            font: Font::new(data.into(), 0).ok_or(FontError)?,
        })
    }

    /// A text in letters of a size in points.
    pub(super) fn line(&self, text: &str, size: f64) -> Line {
        let text = self.with_known_letters(text);
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text);
        let shaped = rustybuzz::shape(&self.face, &[], buffer);
        let em = f64::from(self.face.units_per_em());
        let share = |units: i32| (f64::from(units) / em) as f32;
        let infos = shaped.glyph_infos();
        let glyphs = infos.iter().zip(shaped.glyph_positions()).enumerate();
        let glyphs: Vec<KrillaGlyph> = glyphs
            .map(|(i, (info, position))| {
                KrillaGlyph::new(
                    GlyphId::new(info.glyph_id),
                    share(position.x_advance),
                    share(position.x_offset),
                    share(position.y_offset),
                    share(position.y_advance),
                    cluster(infos, i, text.len()),
                    None,
                )
            })
            .collect();
        let advances = glyphs.iter().map(|glyph| f64::from(glyph.x_advance));
        let width = advances.sum::<f64>() * size * POINT_MM;
        Line {
            text: text.into_owned(),
            glyphs,
            size,
            width,
        }
    }

    /// A text in letters as large as `sizes` allow, `[largest, smallest]` in points, so that it is
    /// at most so many millimetres wide. One that is still wider is cut off.
    pub(super) fn fitted_line(&self, text: &str, sizes: [f64; 2], width: f64) -> Line {
        let [largest, smallest] = sizes;
        let line = self.line(text, largest);
        if line.width <= width {
            return line;
        }
        let size = (largest * width / line.width).max(smallest);
        let line = self.line(text, size);
        let mut kept: String = text.to_owned();
        let mut line = line;
        // Rounding leaves a shrunk line wider by less than a thousandth of a millimetre.
        while line.width > width + 1e-3 && kept.pop().is_some() {
            line = self.line(&format!("{}{ELLIPSIS}", kept.trim_end()), size);
        }
        line
    }

    /// The text with Latin letters in place of those that the font lacks.
    fn with_known_letters<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let is_known = |c: char| !c.is_control() && self.face.glyph_index(c).is_some();
        if text.chars().all(is_known) {
            return Cow::Borrowed(text);
        }
        let mut known = String::new();
        for c in text.chars() {
            match deunicode_char(c) {
                _ if c.is_whitespace() => known.push(' '),
                _ if is_known(c) => known.push(c),
                Some(latin) if latin.chars().all(is_known) => known.push_str(latin),
                _ => known.push(UNPRINTABLE),
            }
        }
        Cow::Owned(known)
    }
}

/// The bytes of the text that a glyph stands for: up to the next glyph that stands for others.
fn cluster(infos: &[rustybuzz::GlyphInfo], index: usize, length: usize) -> Range<usize> {
    let start = infos[index].cluster;
    let next = infos[index..].iter().map(|info| info.cluster);
    let end = next.into_iter().find(|&cluster| cluster > start);
    start as usize..end.map_or(length, |end| end as usize)
}

#[cfg(test)]
mod tests {
    use shakmaty::Role;

    use super::*;
    use crate::forms::words::words;
    use crate::notation::LANGUAGES;

    fn typefaces() -> Typefaces {
        Typefaces::load().expect("the fonts are built in")
    }

    #[test]
    fn a_long_name_is_shrunk_and_then_cut_to_its_field() {
        let face = typefaces().regular;
        let short = face.fitted_line("Adler, Anna", [11.0, 7.0], 60.0);
        assert_eq!((short.text.as_str(), short.size), ("Adler, Anna", 11.0));
        let name = "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine";
        let long = face.fitted_line(name, [11.0, 7.0], 60.0);
        assert!(long.size < 11.0 && long.width <= 60.01, "{} pt", long.size);
        assert_eq!(long.text, name);
        let cut = face.fitted_line(name, [11.0, 7.0], 20.0);
        assert!(
            cut.text.ends_with(ELLIPSIS) && cut.width <= 20.0,
            "{}",
            cut.text
        );
    }

    #[test]
    fn letters_that_the_font_lacks_are_written_in_latin() {
        let face = typefaces().regular;
        assert_eq!(
            face.line("Đặng, Ęžž Чёрный Ρ", 9.0).text,
            "Đặng, Ęžž Чёрный Ρ"
        );
        assert_eq!(face.line("Հակոբյան\t1", 9.0).text, "Hakobyan 1");
        assert_eq!(face.line("a\u{e000}b", 9.0).text, "a?b");
    }

    /// A letter that is missing would be printed in Latin, without a word.
    #[test]
    fn the_fonts_have_every_letter_that_sheets_are_printed_with() {
        let faces = typefaces();
        for language in LANGUAGES {
            for code in [language.code].iter().chain(language.also) {
                let words = words(code).expect("the words of the language");
                for word in words.all() {
                    for face in [&faces.regular, &faces.medium] {
                        assert_eq!(face.line(word, 9.0).text, word);
                    }
                }
            }
            for role in Role::ALL {
                let letters = language.letters(role);
                assert_eq!(faces.regular.line(letters, 9.0).text, letters);
            }
        }
        let pieces = "♔♕♖♗♘";
        assert_eq!(faces.pieces.line(pieces, 9.0).text, pieces);
    }

    #[test]
    fn pairs_of_letters_are_kerned() {
        let face = typefaces().regular;
        let [pair, first, second] = ["AV", "A", "V"].map(|text| face.line(text, 10.0).width);
        assert!(pair < first + second);
    }
}
