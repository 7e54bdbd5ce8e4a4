//! Which languages a sheet may be written in, judged by the letters that its cells begin with, and
//! by the games that its first cells give in each.

use shakmaty::Role;

use crate::notation::{LANGUAGES, Language};

use super::Decoder;
use super::answer::Instructions;
use super::constraints::Constraints;
use super::encoder::Encoder;
use super::lexicon::Lexicons;
use super::positions::PositionCache;
use super::record::Record;
use super::search::Search;
use super::sheet_cell::SheetCell;
use super::writer::Writer;

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

impl Decoder {
    /// The languages that each sheet may be written in, likeliest first. Of several copies each has
    /// only its likeliest one, since the other copies help to find the moves.
    pub(super) fn languages_of<'p>(
        &self,
        sheets: &mut [Record],
        instructions: Instructions,
        positions: &mut PositionCache<'p>,
        lexicons: &mut Lexicons<'p>,
    ) -> Vec<Vec<&'static Language>> {
        let encoder = lexicons.encoder();
        let mut languages: Vec<Vec<&'static Language>> = Vec::new();
        let constraints = Constraints::default();
        let known = instructions
            .earlier
            .map_or(&[][..], |earlier| earlier.languages);
        for (copy, record) in sheets.iter_mut().enumerate() {
            let known = known.get(copy).copied();
            let plausible = match known.or(self.options.language) {
                Some(language) => vec![language],
                None => plausible_languages(record, encoder),
            };
            let mut search = Search {
                record,
                positions,
                lexicons,
                costs: &self.options.costs,
                constraints: &constraints,
                instructions: Instructions::default(),
            };
            languages.push(rank_languages(plausible, &mut search));
        }
        if sheets.len() > 1 {
            languages.iter_mut().for_each(|l| l.truncate(1));
        }
        languages
    }
}

/// Those of some languages that the first cells of a sheet may be written in, likeliest first;
/// never none.
fn rank_languages(
    plausible: Vec<&'static Language>,
    search: &mut Search,
) -> Vec<&'static Language> {
    if plausible.len() == 1 {
        return plausible;
    }
    let parameters = &search.costs.beam;
    let slots = search.record.slots.len().min(parameters.language_slots);
    let mut ranked: Vec<(&'static Language, f32)> = Vec::new();
    for language in plausible {
        search.set_writers(&[Writer::typical(language)]);
        let lattice = search.run(slots, parameters.language(), None);
        ranked.push((language, lattice.weight));
    }
    let best = ranked.iter().map(|t| t.1).fold(f32::NEG_INFINITY, f32::max);
    ranked.retain(|&(_, weight)| weight >= best - parameters.language_window_nats);
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked.into_iter().map(|(language, _)| language).collect()
}

/// The plausible languages of a sheet, likeliest first; never none. A language is scored by
/// `Σ ln(Σ share(c) * p(c) + other)` over cells, where `p(c)` is the probability that the cell
/// begins with `c`, the first letter of a piece, a file or a castling sign.
fn plausible_languages(sheet: &Record, encoder: &Encoder) -> Vec<&'static Language> {
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
