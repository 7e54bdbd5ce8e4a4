//! Which languages a sheet may be written in, judged by the letters that its cells begin with.

use shakmaty::Role;

use crate::notation::{LANGUAGES, Language};

use super::encoder::Encoder;
use super::record::Record;
use super::sheet_cell::SheetCell;

/// How often a move begins with the letter of each piece, in 9,039 club games.
const PIECE_SHARES: [(Role, f64); 5] = [
    (Role::King, 0.08),
    (Role::Queen, 0.09),
    (Role::Rook, 0.13),
    (Role::Bishop, 0.14),
    (Role::Knight, 0.18),
];
/// How often a move begins with each of the eight files, in the same games.
const FILE_SHARE: f64 = 0.34 / 8.0;
/// How often a move is castling, by letters or by zeros, in the same games.
const CASTLING_SHARE: f64 = 0.035;
/// How often a cell begins with anything else. Chosen by eye.
const OTHER_SHARE: f64 = 0.001;
/// Languages further behind the best one than this, in nats, are not decoded at all. Chosen by eye.
const MAX_LAG_NATS: f64 = 12.0;
/// Largest number of languages that are decoded.
const MAX_LANGUAGES: usize = 4;

/// The plausible languages of a sheet, likeliest first; never none. A language is scored by
/// `Σ ln(Σ share(c) * p(c) + other)` over cells, where `p(c)` is the probability that the cell
/// begins with `c`, the first letter of a piece, a file or a castling sign.
pub(super) fn plausible_languages(sheet: &Record, encoder: &Encoder) -> Vec<&'static Language> {
    let first = |text: &str| encoder.encode(text).and_then(|t| t.first().copied());
    let common: Vec<(u16, f64)> = ('a'..='h')
        .map(|c| (c.to_string(), FILE_SHARE))
        .chain(["O", "0"].map(|c| (c.to_owned(), CASTLING_SHARE)))
        .filter_map(|(c, p)| Some((first(&c)?, p)))
        .collect();
    let score = |language: &Language| -> f64 {
        let letters = PIECE_SHARES.iter().flat_map(|&(role, p)| {
            let forms = language.forms(role).map(|form| (form, 0.0));
            let forms = forms.chain(language.misreadings(role));
            forms.filter_map(move |(form, cost)| Some((first(form)?, p * f64::from(-cost).exp())))
        });
        let letters: Vec<(u16, f64)> = letters.chain(common.iter().copied()).collect();
        let of_cell = |cell: &SheetCell| {
            let explained: f64 = letters
                .iter()
                .map(|&(class, p)| p * cell.first_class_prob(class))
                .sum();
            (explained + OTHER_SHARE).ln()
        };
        let slots = 0..sheet.slots.len();
        slots.flat_map(|i| sheet.cells(i)).map(of_cell).sum()
    };
    let mut scored: Vec<(&'static Language, f64)> = LANGUAGES
        .iter()
        .map(|language| (language, score(language)))
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best = scored[0].1;
    scored.retain(|&(_, score)| score >= best - MAX_LAG_NATS);
    scored.truncate(MAX_LANGUAGES);
    scored.into_iter().map(|(language, _)| language).collect()
}
