//! Puts sheets on the pages of a file.

use image::GrayImage;
use krilla::configure::validate::Archival;
use krilla::configure::{ConfigurationBuilder, ConfigurationError};
use krilla::destination::XyzDestination;
use krilla::error::KrillaError;
use krilla::geom::Point;
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata};
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::tagging::TagTree;
use krilla::{Document, SerializeSettings};

use super::canvas::Canvas;
use super::draw::{LongCodeError, SheetPrinter};
use super::sheet::Sheet;
use super::typeface::{FontError, POINT_MM, Typefaces};
use super::words;
use crate::event::Date;
use crate::notation::Language;

/// Width in millimetres of the marks at which a page with two sheets is cut, and their length.
const CUT_MARK: [f64; 2] = [0.1, 4.0];

/// How sheets are printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintOptions {
    /// ISO 639-1 code of the language of heads and hints, one of
    /// [`LANGUAGES`](crate::notation::LANGUAGES).
    pub language: String,
    /// Two sheets beside each other on a landscape page of twice their size.
    pub two_up: bool,
    /// A picture for the head, printed in shades of grey.
    pub logo: Option<GrayImage>,
}

/// Why no file was made.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// The words of the language are unknown.
    #[error("no sheets in the language `{0}`")]
    UnknownLanguage(String),
    /// There is nothing to print.
    #[error("there is no sheet to print")]
    NoSheets,
    /// A font is missing.
    #[error(transparent)]
    Font(#[from] FontError),
    /// A code is too long.
    #[error(transparent)]
    LongCode(#[from] LongCodeError),
    /// The PDF library refused the file.
    #[error("the PDF file cannot be made: {0}")]
    Pdf(String),
}

impl From<KrillaError> for PrintError {
    fn from(error: KrillaError) -> Self {
        Self::Pdf(format!("{error:?}"))
    }
}

impl From<ConfigurationError> for PrintError {
    fn from(error: ConfigurationError) -> Self {
        Self::Pdf(format!("{error:?}"))
    }
}

/// The sheets as a PDF file, one a page or two, in their order.
///
/// # Errors
/// [`PrintError`] if there is none, or if the language is unknown.
pub fn print_sheets(sheets: &[Sheet], options: &PrintOptions) -> Result<Vec<u8>, PrintError> {
    let first = sheets.first().ok_or(PrintError::NoSheets)?;
    let code = options.language.as_str();
    let unknown = || PrintError::UnknownLanguage(code.to_owned());
    let printer = SheetPrinter {
        faces: Typefaces::load()?,
        words: words::words(code).ok_or_else(unknown)?,
        language: Language::from_code(code).ok_or_else(unknown)?,
        logo: options.logo.as_ref().map(to_image),
    };
    let archival = ConfigurationBuilder::new().with_archival_validator(Archival::A2_A);
    let mut document = Document::new_with(SerializeSettings {
        configuration: archival.finish()?,
        enable_tagging: true,
        ..SerializeSettings::default()
    });
    document.set_metadata(metadata(first, printer.words.sheet, code));
    let mut tags = TagTree::new().with_lang(Some(code.to_owned()));
    let mut outline = Outline::new();
    let per_page = if options.two_up { 2 } else { 1 };
    for (page_index, on_page) in sheets.chunks(per_page).enumerate() {
        let [width, height] = on_page[0].code.form.size().dimensions();
        let dimensions = [width * per_page as f64, height];
        let [page_width, page_height] = dimensions.map(|mm| (mm / POINT_MM) as f32);
        let Some(settings) = PageSettings::from_wh(page_width, page_height) else {
            continue;
        };
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for (place, sheet) in on_page.iter().enumerate() {
            let mut canvas = Canvas {
                surface: &mut surface,
                origin: [width * place as f64, 0.0],
            };
            tags.push(printer.draw(&mut canvas, sheet)?);
        }
        if options.two_up {
            let mut canvas = Canvas {
                surface: &mut surface,
                origin: [0.0, 0.0],
            };
            draw_cut_marks(&mut canvas, width, height);
        }
        surface.finish();
        page.finish();
        let destination = XyzDestination::new(page_index, Point::from_xy(0.0, 0.0));
        if let Some(title) = bookmark(on_page, printer.words.board) {
            outline.push_child(OutlineNode::new(title, destination));
        }
    }
    document.set_outline(outline);
    document.set_tag_tree(tags);
    Ok(document.finish()?)
}

fn metadata(sheet: &Sheet, kind: &str, language: &str) -> Metadata {
    let title = if sheet.event.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind} · {}", sheet.event)
    };
    Metadata::new()
        .title(title)
        .creation_date(creation_date(sheet.date))
        .language(language.to_owned())
        .creator("sheetscan".to_owned())
        .producer("sheetscan".to_owned())
}

/// The date that the file carries, which PDF/A asks for: that of the round and not of today, so
/// that the same sheets are the same bytes. Where it is unknown, it is the first day of 2000.
fn creation_date(round: Date) -> DateTime {
    let date = DateTime::new(round.year.unwrap_or(2000));
    let date = date.month(round.month.unwrap_or(1));
    date.day(round.day.unwrap_or(1))
}

/// The name of a page in the table of contents: the board and the players.
fn bookmark(sheets: &[Sheet], board: &str) -> Option<String> {
    let sheet = sheets.first()?;
    let [Some(white), Some(black)] = &sheet.players else {
        return None;
    };
    let players = format!("{} – {}", white.name, black.name);
    let number = sheet.code.board;
    Some(number.map_or(players.clone(), |n| format!("{board} {n}: {players}")))
}

/// Short lines at the upper and lower edge, between two sheets.
fn draw_cut_marks(canvas: &mut Canvas<'_, '_>, x: f64, height: f64) {
    let [width, length] = CUT_MARK;
    canvas.start_decoration();
    canvas.rule([x, 0.0], [x, length], width);
    canvas.rule([x, height - length], [x, height], width);
    canvas.end_decoration();
}

/// A picture in shades of grey as the PDF library takes it.
fn to_image(luma: &GrayImage) -> Image {
    let rgba = luma.pixels().flat_map(|pixel| {
        let [grey] = pixel.0;
        [grey, grey, grey, u8::MAX]
    });
    Image::from_rgba8(rgba.collect(), luma.width(), luma.height())
}
