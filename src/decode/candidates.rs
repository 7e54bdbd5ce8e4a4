//! The moves that a cell may hold in a position, ranked.

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess};

use crate::notation::Language;
use crate::prior::LastMoves;
use crate::reader::Reading;

use super::Decoder;
use super::frontier::hash;
use super::lexicon::{Lexicons, SpellingCache};
use super::positions::PositionCache;
use super::readings::SheetReadings;
use super::record::Record;
use super::writer::Writer;

/// A legal move of a position, and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// SAN with `+` and `#`.
    pub san: String,
    /// UCI; castling is the king's step of two squares.
    pub uci: String,
    /// Its share, 0 to 1, among the legal moves; all sum to 1.
    pub share: f32,
    /// Mean log-probability, in nats, of the cells' writing under the move; minus infinity where
    /// nothing can be read.
    pub fit: f32,
}

impl Decoder {
    /// The legal moves of a position, likeliest first by what stands in the cells of one ply and by
    /// the prior. The cells are readings over `alphabet`, each with the language of its sheet.
    pub fn candidates(
        &self,
        position: &Chess,
        last_moves: LastMoves,
        alphabet: &[char],
        cells: &[(Reading, &'static Language)],
    ) -> Vec<Candidate> {
        let costs = &self.options.costs;
        let cache = SpellingCache::new(alphabet);
        let mut positions = PositionCache::new(self.prior, costs.uniform_mix);
        let mut lexicons = Lexicons::new(&cache);
        let writers: Vec<Writer> = cells.iter().map(|c| Writer::typical(c.1)).collect();
        lexicons.set_writers(&writers);
        let sheets: Vec<Record> = cells
            .iter()
            .map(|(reading, _)| {
                let readings = SheetReadings {
                    alphabet: alphabet.to_vec(),
                    readings: vec![reading.clone()],
                };
                Record::new(&readings, lexicons.encoder(), costs)
            })
            .collect();
        let aligned = sheets
            .iter()
            .map(|sheet| (!sheet.slots.is_empty()).then_some(0));
        let aligned: Vec<Option<usize>> = aligned.collect();
        let is_blank = aligned.iter().all(Option::is_none);
        let mut record = Record::join(sheets, &[aligned], costs);
        let legal = positions.legal_moves(hash(position), position, last_moves);
        let mut scored: Vec<(f32, Candidate)> = Vec::new();
        for legal in legal.iter() {
            let prior = costs.prior * legal.log_prior;
            let (weight, fit) = if is_blank {
                (prior, f32::NEG_INFINITY)
            } else {
                let score = record.score_move(0, legal.shape, &positions, &mut lexicons, costs);
                (score.weight + prior, score.fit)
            };
            let candidate = Candidate {
                san: SanPlus::from_move(position.clone(), legal.m).to_string(),
                uci: legal.m.to_uci(CastlingMode::Standard).to_string(),
                share: 0.0,
                fit,
            };
            scored.push((weight / costs.temperature, candidate));
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.san.cmp(&b.1.san)));
        let top = scored.first().map_or(0.0, |best| best.0);
        let total: f32 = scored.iter().map(|(weight, _)| (weight - top).exp()).sum();
        let candidates = scored.into_iter().map(|(weight, candidate)| Candidate {
            share: (weight - top).exp() / total,
            ..candidate
        });
        candidates.collect()
    }
}
