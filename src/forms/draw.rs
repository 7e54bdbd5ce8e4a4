//! Draws one sheet.

use krilla::image::Image;
use krilla::tagging::{Identifier, Tag, TagGroup, TagKind};
use qrcode::{EcLevel, QrCode, Version};
use shakmaty::Role;

use super::canvas::{Align, Canvas};
use super::sheet::Sheet;
use super::typeface::{Typeface, Typefaces};
use super::words::Words;
use crate::form::{FormBlock, Rect, SheetForm, SheetSize};
use crate::notation::{Language, figurines};

/// Width in millimetres of the lines between rows and columns: the thinnest that laser printers of
/// 600 dots an inch print black, 4 dots.
pub(super) const HAIRLINE_MM: f64 = 0.17;
/// Width in millimetres of the lines around blocks and below every fifth row.
pub(super) const RULE_MM: f64 = 0.35;
/// Rows between two thicker lines.
const ROWS_PER_RULE: u8 = 5;
/// Distance in millimetres of a text from the edge of its field.
const PADDING_MM: f64 = 1.0;
/// Version 2 of the QR code, 25 modules a side, at the level that survives the loss of 15 %.
const QR_VERSION: Version = Version::Normal(2);

/// Sizes of letters in points.
pub(super) struct TextSizes {
    /// Labels of fields.
    pub(super) label: f64,
    /// What stands in a field: largest and smallest.
    pub(super) value: [f64; 2],
    /// Name of the event: largest and smallest.
    pub(super) title: [f64; 2],
    /// Numbers of rows.
    pub(super) number: f64,
    /// Headings of columns: largest and smallest.
    pub(super) heading: [f64; 2],
}

const SMALL: TextSizes = TextSizes {
    label: 6.0,
    value: [11.0, 6.5],
    title: [13.0, 8.0],
    number: 7.5,
    heading: [7.5, 5.0],
};

const LARGE: TextSizes = TextSizes {
    label: 6.5,
    value: [12.0, 7.0],
    title: [16.0, 9.0],
    number: 8.5,
    heading: [8.5, 6.0],
};

/// The code of a sheet has more characters than a QR code of this size holds, which no sheet has.
#[derive(Debug, thiserror::Error)]
#[error("the code of a sheet is too long for its QR code")]
pub struct LongCodeError;

/// What all sheets of a file have in common.
pub(super) struct SheetPrinter {
    pub(super) faces: Typefaces,
    pub(super) words: Words,
    pub(super) language: &'static Language,
    pub(super) logo: Option<Image>,
}

impl SheetPrinter {
    /// Draws a sheet, and gives its part of the structure of the file.
    pub(super) fn draw(
        &self,
        canvas: &mut Canvas<'_, '_>,
        sheet: &Sheet,
    ) -> Result<TagGroup, LongCodeError> {
        let form = &sheet.code.form;
        let sizes = match form.size() {
            SheetSize::A5 | SheetSize::HalfLetter => &SMALL,
            SheetSize::A4 | SheetSize::Letter => &LARGE,
        };
        let mut part = SheetPart {
            printer: self,
            canvas,
            sheet,
            form,
            sizes,
            group: TagGroup::new(Tag::Section),
        };
        part.draw_marks_and_code()?;
        part.draw_event();
        part.draw_round_fields();
        part.draw_players();
        part.draw_table();
        part.draw_foot();
        Ok(part.group)
    }
}

/// A sheet that is being drawn.
pub(super) struct SheetPart<'d, 's, 'p> {
    pub(super) printer: &'d SheetPrinter,
    pub(super) canvas: &'d mut Canvas<'s, 'p>,
    pub(super) sheet: &'d Sheet,
    pub(super) form: &'d SheetForm,
    pub(super) sizes: &'d TextSizes,
    group: TagGroup,
}

impl SheetPart<'_, '_, '_> {
    fn draw_marks_and_code(&mut self) -> Result<(), LongCodeError> {
        let text = self.sheet.code.to_text();
        let code = QrCode::with_version(text, QR_VERSION, EcLevel::M).map_err(|_| LongCodeError)?;
        let dark: Vec<bool> = code
            .to_colors()
            .iter()
            .map(|&color| color.select(true, false))
            .collect();
        self.canvas.start_decoration();
        for mark in self.form.marks() {
            self.canvas.mark(mark);
        }
        self.canvas
            .modules(&dark, code.width(), self.form.code_square());
        self.canvas.end_decoration();
        Ok(())
    }

    /// A label above a line, with what stands on the line.
    pub(super) fn draw_field(&mut self, field: Rect, label: &str, value: &str) {
        let faces = &self.printer.faces;
        let (size, width) = (self.sizes.label, field.width());
        let mut ids = Vec::new();
        let line = faces.regular.fitted_line(label, [size, 4.0], width);
        let baseline = field.top + size * 0.35;
        ids.push(
            self.canvas
                .text(&faces.regular, &line, field.left, baseline, Align::Left),
        );
        if !value.is_empty() {
            let line = faces.medium.fitted_line(value, self.sizes.value, width);
            let baseline = field.bottom - PADDING_MM;
            ids.push(
                self.canvas
                    .text(&faces.medium, &line, field.left, baseline, Align::Left),
            );
        }
        let [left, right] = [field.left, field.right].map(|x| [x, field.bottom]);
        self.decorate(|canvas| canvas.rule(left, right, HAIRLINE_MM));
        self.push_all(Tag::P, ids);
    }

    fn draw_table(&mut self) {
        for block in self.form.blocks() {
            self.draw_headings(&block);
            self.canvas.start_decoration();
            self.draw_rulings(&block);
            self.draw_numbers(&block);
            self.canvas.end_decoration();
        }
    }

    fn draw_headings(&mut self, block: &FormBlock) {
        let words = self.printer.words;
        let columns = [
            (Some(block.white), words.white),
            (block.white_clock, words.time),
            (Some(block.black), words.black),
            (block.black_clock, words.time),
        ];
        let baseline = self.form.heading().bottom - 1.2;
        let face = &self.printer.faces.regular;
        let mut ids = Vec::new();
        for (column, heading) in columns {
            let Some([left, right]) = column else {
                continue;
            };
            let line = face.fitted_line(heading, self.sizes.heading, right - left - PADDING_MM);
            let middle = (left + right) / 2.0;
            ids.push(
                self.canvas
                    .text(face, &line, middle, baseline, Align::Centre),
            );
        }
        self.push_all(Tag::P, ids);
    }

    fn draw_rulings(&mut self, block: &FormBlock) {
        let (left, right) = (block.numbers[0], block.right());
        for row in 1..block.rows {
            let y = block.row_edge(row);
            let width = if row % ROWS_PER_RULE == 0 {
                RULE_MM
            } else {
                HAIRLINE_MM
            };
            self.canvas.rule([left, y], [right, y], width);
        }
        let columns = [
            Some(block.white),
            block.white_clock,
            Some(block.black),
            block.black_clock,
        ];
        for [x, _] in columns.into_iter().flatten() {
            self.canvas
                .rule([x, block.top], [x, block.bottom], HAIRLINE_MM);
        }
        let frame = Rect {
            left,
            top: block.top,
            right,
            bottom: block.bottom,
        };
        self.canvas.frame(frame, RULE_MM);
    }

    fn draw_numbers(&mut self, block: &FormBlock) {
        let face = &self.printer.faces.regular;
        let size = self.sizes.number;
        for row in 0..block.rows {
            let number = block.first_row + u16::from(row);
            let line = face.line(&number.to_string(), size);
            let middle = (block.row_edge(row) + block.row_edge(row + 1)) / 2.0;
            // Digits are 0.69 of their size high.
            let baseline = middle + 0.345 * size * super::typeface::POINT_MM;
            let right = block.numbers[1] - PADDING_MM;
            self.canvas
                .draw_line(face, &line, right, baseline, Align::Right);
        }
    }

    /// Result, signatures, and the letters of the pieces.
    fn draw_foot(&mut self) {
        let words = self.printer.words;
        let faces = &self.printer.faces;
        let foot = self.form.foot();
        let label = faces.regular.line(words.result, self.sizes.label);
        let baseline = foot.top + 2.1;
        let mut ids =
            vec![
                self.canvas
                    .text(&faces.regular, &label, foot.left, baseline, Align::Left),
            ];
        for (rect, result) in self
            .form
            .result_boxes()
            .into_iter()
            .zip(["1–0", "½–½", "0–1"])
        {
            self.decorate(|canvas| canvas.frame(rect, HAIRLINE_MM));
            let line = faces.regular.line(result, self.sizes.number);
            let x = rect.left + PADDING_MM;
            ids.push(
                self.canvas
                    .text(&faces.regular, &line, x, rect.top + 2.9, Align::Left),
            );
        }
        self.push_all(Tag::P, ids);
        for (field, side) in self
            .form
            .signatures()
            .into_iter()
            .zip([words.white, words.black])
        {
            self.draw_field(field, &format!("{} · {side}", words.signature), "");
        }
        self.draw_piece_letters();
        if self.sheet.code.copy > 1 {
            let text = format!("{} {}", words.copy, self.sheet.code.copy);
            self.draw_foot_line(&faces.regular, &text, foot.right, Align::Right);
        }
    }

    /// The pieces and their letters in the language of the sheet.
    fn draw_piece_letters(&mut self) {
        let faces = &self.printer.faces;
        let mut x = self.form.foot().left;
        let roles = Role::ALL.into_iter().rev();
        for role in roles.filter(|role| *role != Role::Pawn) {
            let [piece, _] = figurines(role);
            x += self.draw_foot_line(&faces.pieces, &piece.to_string(), x, Align::Left) + 0.6;
            let letters = self.printer.language.letters(role);
            x += self.draw_foot_line(&faces.regular, letters, x, Align::Left) + 2.6;
        }
    }

    /// A text at the bottom of the foot. Returns its width.
    fn draw_foot_line(&mut self, face: &Typeface, text: &str, x: f64, align: Align) -> f64 {
        let line = face.line(text, self.sizes.number);
        let baseline = self.form.foot().bottom - 1.0;
        let id = self.canvas.text(face, &line, x, baseline, align);
        self.push(Tag::P, id);
        line.width
    }

    pub(super) fn decorate(&mut self, draw: impl FnOnce(&mut Canvas<'_, '_>)) {
        self.canvas.start_decoration();
        draw(self.canvas);
        self.canvas.end_decoration();
    }

    pub(super) fn push(&mut self, tag: impl Into<TagKind>, id: Identifier) {
        self.push_all(tag, vec![id]);
    }

    pub(super) fn push_all(&mut self, tag: impl Into<TagKind>, ids: Vec<Identifier>) {
        let children = ids.into_iter().map(Into::into).collect();
        self.group.push(TagGroup::with_children(tag, children));
    }
}
