//! Draws the head of a sheet: event, round and players.

use std::num::NonZeroU16;

use krilla::tagging::Tag;

use super::canvas::Align;
use super::draw::{HAIRLINE_MM, RULE_MM, SheetPart};
use super::sheet::SheetPlayer;
use crate::form::{Rect, SheetSide};

/// Width in millimetres of the line below the name of the sheet's own player.
const OWN_RULE: f64 = 0.7;

impl SheetPart<'_, '_, '_> {
    /// The upper half of the area between mark and code: name and place of the event, and the logo
    /// over the whole height.
    pub(super) fn draw_event(&mut self) {
        let area = self.event_text_area();
        if let Some(logo) = &self.printer.logo {
            let whole = self.form.event_area();
            let square = Rect {
                right: whole.left + whole.height(),
                ..whole
            };
            self.canvas.start_decoration();
            self.canvas.picture(logo, square);
            self.canvas.end_decoration();
        }
        let upper = Rect {
            bottom: self.fields_top() - 1.0,
            ..area
        };
        if self.sheet.event.is_empty() {
            let label = self.printer.words.event;
            return self.draw_field(upper, label, "");
        }
        let faces = &self.printer.faces;
        let place = &self.sheet.place;
        let title = faces
            .medium
            .fitted_line(&self.sheet.event, self.sizes.title, area.width());
        let lead = self.sizes.title[0] * 0.33;
        let baseline = upper.top + lead + if place.is_empty() { 1.5 } else { 0.0 };
        let id = self
            .canvas
            .text(&faces.medium, &title, area.left, baseline, Align::Left);
        let level = NonZeroU16::MIN;
        self.push(Tag::Hn(level, Some(title.text)), id);
        if !place.is_empty() {
            let size = self.sizes.label + 1.5;
            let line = faces.regular.fitted_line(place, [size, size], area.width());
            let baseline = baseline + size * 0.48;
            let id = self
                .canvas
                .text(&faces.regular, &line, area.left, baseline, Align::Left);
            self.push(Tag::P, id);
        }
    }

    /// The area between mark and code that the logo leaves.
    fn event_text_area(&self) -> Rect {
        let area = self.form.event_area();
        let logo = self
            .printer
            .logo
            .as_ref()
            .map_or(0.0, |_| area.height() + 2.0);
        Rect {
            left: area.left + logo,
            ..area
        }
    }

    /// The top of the fields for date, round and board.
    fn fields_top(&self) -> f64 {
        let area = self.form.event_area();
        area.top + 0.55 * area.height()
    }

    /// The lower half: date, round and board, and the page of a continuation sheet.
    pub(super) fn draw_round_fields(&mut self) {
        let area = self.event_text_area();
        let words = self.printer.words;
        let code = &self.sheet.code;
        let number = |number: Option<u32>| number.map(|n| n.to_string()).unwrap_or_default();
        let date = self.sheet.date;
        let date = match (date.year, date.month, date.day) {
            (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
            _ => String::new(),
        };
        let mut fields = vec![
            (words.date, date, 1.7),
            (words.round, number(code.round), 1.0),
            (words.board, number(code.board), 1.0),
        ];
        if code.page > 1 {
            fields.push((words.page, code.page.to_string(), 0.8));
        }
        let gap = 2.0;
        let shares: f64 = fields.iter().map(|(_, _, share)| share).sum();
        let unit = (area.width() - gap * (fields.len() - 1) as f64) / shares;
        let mut left = area.left;
        for (label, value, share) in fields {
            let field = Rect {
                left,
                top: self.fields_top(),
                right: left + share * unit,
                bottom: area.bottom,
            };
            self.draw_field(field, label, &value);
            left = field.right + gap;
        }
    }

    /// White and Black beside each other. The name of the player who writes on the sheet is
    /// heavier, and so is the line below it.
    pub(super) fn draw_players(&mut self) {
        let words = self.printer.words;
        let sides = [SheetSide::White, SheetSide::Black];
        let fields = self
            .form
            .players()
            .into_iter()
            .zip(sides)
            .zip(&self.sheet.players);
        for (((field, side), player), label) in fields.zip([words.white, words.black]) {
            let is_own = self.sheet.code.side == Some(side);
            self.draw_player(field, side, label, player.as_ref(), is_own);
        }
    }

    fn draw_player(
        &mut self,
        field: Rect,
        side: SheetSide,
        label: &str,
        player: Option<&SheetPlayer>,
        is_own: bool,
    ) {
        let faces = &self.printer.faces;
        let size = self.sizes.label;
        let chip = Rect {
            left: field.left + HAIRLINE_MM / 2.0,
            top: field.top + 0.5,
            right: field.left + 2.2,
            bottom: field.top + 2.6,
        };
        let [left, right] = [field.left, field.right].map(|x| [x, field.bottom]);
        self.decorate(|canvas| {
            match side {
                SheetSide::White => canvas.frame(chip, RULE_MM),
                SheetSide::Black => canvas.fill_rect(chip),
            }
            canvas.rule(left, right, if is_own { OWN_RULE } else { HAIRLINE_MM });
        });
        let baseline = chip.bottom - 0.1;
        let face = if is_own {
            &faces.medium
        } else {
            &faces.regular
        };
        let line = face.line(label, size + 0.5);
        let facts = player
            .map(|player| player.facts.join(" · "))
            .unwrap_or_default();
        let facts = faces.regular.line(&facts, size + 0.5);
        let mut ids = vec![
            self.canvas
                .text(face, &line, field.left + 3.4, baseline, Align::Left),
        ];
        if let Some(player) = player {
            let name = face.fitted_line(&player.name, self.sizes.value, field.width());
            let baseline_of_name = field.bottom - 1.6;
            ids.push(
                self.canvas
                    .text(face, &name, field.left, baseline_of_name, Align::Left),
            );
            if !facts.text.is_empty() {
                let face = &faces.regular;
                ids.push(
                    self.canvas
                        .text(face, &facts, field.right, baseline, Align::Right),
                );
            }
        }
        self.push_all(Tag::P, ids);
    }
}
