//! Which language a sheet is written in, judged by the letters that its cells begin with.

use shakmaty::Role;

use crate::notation::{LANGUAGES, Language};

use super::encoder::Encoder;
use super::record::{Record, SheetCell};

/// How often a move begins with each man's letter, a file or a castling sign: 9,039 club games.
const FIRST: [(Role, f64); 5] = [
    (Role::King, 0.08),
    (Role::Queen, 0.09),
    (Role::Rook, 0.13),
    (Role::Bishop, 0.14),
    (Role::Knight, 0.18),
];
const FILE: f64 = 0.34 / 8.0;
const CASTLING: f64 = 0.035;
/// A cell that begins with anything else.
const OTHER: f64 = 0.001;
/// Languages further behind the best than this, in nats, are not decoded at all.
const MARGIN: f64 = 12.0;
/// At most this many are.
const MOST: usize = 4;

/// The plausible languages of a sheet, likeliest first. Never empty.
pub(super) fn plausible(sheet: &Record, encoder: &Encoder) -> Vec<&'static Language> {
    let first = |text: &str| encoder.text(text).and_then(|t| t.first().copied());
    let common: Vec<(u16, f64)> = ('a'..='h')
        .map(|c| (c.to_string(), FILE))
        .chain(["O", "0"].map(|c| (c.to_owned(), CASTLING)))
        .filter_map(|(c, p)| Some((first(&c)?, p)))
        .collect();
    let mut scored: Vec<(&'static Language, f64)> = LANGUAGES
        .iter()
        .map(|language| {
            let letters = FIRST
                .iter()
                .filter_map(|&(role, p)| Some((first(language.letters(role))?, p)));
            let letters: Vec<(u16, f64)> = letters.chain(common.iter().copied()).collect();
            let of_cell = |cell: &SheetCell| {
                let explained: f64 = letters
                    .iter()
                    .map(|&(class, p)| p * cell.first_character(class))
                    .sum();
                (explained + OTHER).ln()
            };
            (
                language,
                (0..sheet.slots.len())
                    .flat_map(|i| sheet.cells(i))
                    .map(of_cell)
                    .sum(),
            )
        })
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best = scored[0].1;
    scored.retain(|&(_, score)| score >= best - MARGIN);
    scored.truncate(MOST);
    scored.into_iter().map(|(language, _)| language).collect()
}
