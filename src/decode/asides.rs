//! Whether the cells of a sheet hold more than their moves: clock times, dashes, draw offers.

use crate::prior::LastMoves;
use crate::reader::Reading;

use super::Decoder;
use super::answer::Instructions;
use super::confidence::ConfidenceFeatures;
use super::costs::Costs;
use super::frontier::hash;
use super::game::Game;
use super::lexicon::{Lexicons, SpellingCache};
use super::positions::PositionCache;
use super::readings::SheetReadings;
use super::record::Record;

impl Decoder {
    /// The game of some copies. Where it is not read to its end, the cells may hold more than their
    /// moves.
    pub(super) fn decode_to_the_end(
        &self,
        copies: &[SheetReadings],
        instructions: Instructions,
        spellings: &SpellingCache,
    ) -> Game {
        let costs = &self.options.costs;
        let costs_of_asides = Costs {
            asides: true,
            ..*costs
        };
        if let Some(earlier) = instructions.earlier {
            let costs = if earlier.has_asides {
                &costs_of_asides
            } else {
                costs
            };
            return self.decode_at_costs(copies, instructions, spellings, costs);
        }
        let game = self.decode_at_costs(copies, instructions, spellings, costs);
        if game.complete || costs.asides || instructions.is_stopped() {
            return game;
        }
        let with_asides = self.decode_at_costs(copies, instructions, spellings, &costs_of_asides);
        let is_better = with_asides.weight >= game.weight + costs.min_asides_gain;
        // The asides of scribbled cells make a few moves of them, before the game is cut there.
        let min_plies = game.plies.len() + costs.min_added_plies_before_gap;
        let goes_on = with_asides.gap.is_none() || with_asides.plies.len() >= min_plies;
        if is_better && goes_on && self.shows_habit(copies, &with_asides, spellings) {
            with_asides
        } else {
            game
        }
    }

    /// Whether asides explain so many cells of a game that they are a habit of its writers: who
    /// writes times does so beside many moves. Where they explain a few cells, these are scribbled.
    fn shows_habit(
        &self,
        copies: &[SheetReadings],
        with_asides: &Game,
        spellings: &SpellingCache,
    ) -> bool {
        let gains = self.gains_of_asides(copies, with_asides, spellings);
        let costs = &self.options.costs;
        let explained = gains.iter().filter(|&&gain| gain >= costs.min_habit_gain);
        explained.count() >= costs.min_habit_moves
    }

    /// By how many nats each move of a game that stands in cells fits them better with asides than
    /// without.
    fn gains_of_asides(
        &self,
        copies: &[SheetReadings],
        with_asides: &Game,
        spellings: &SpellingCache,
    ) -> Vec<f32> {
        let costs = &self.options.costs;
        let readings: Vec<&[Reading]> = copies.iter().map(|c| c.readings.as_slice()).collect();
        let mut positions = PositionCache::new(self.prior, costs.uniform_mix);
        let mut lexicons = Lexicons::new(spellings);
        let sheets = copies.iter();
        let sheets = sheets.map(|sheet| Record::new(sheet, lexicons.encoder(), costs));
        let mut record = self.join(sheets.collect(), &readings);
        lexicons.set_writers(&with_asides.writers);
        let mut gains = Vec::new();
        for (ply, (position, m)) in with_asides.plies.iter().zip(with_asides.moves()) {
            let holds_ply = |&slot: &usize| {
                let mut cells = record.cell_indices(slot).iter();
                cells.any(|at| {
                    ply.cells
                        .contains(&(at.copy, readings[at.copy][at.index].id))
                })
            };
            let Some(slot) = (0..record.slots.len()).find(holds_ply) else {
                continue;
            };
            let moves = positions.legal_moves(hash(&position), &position, LastMoves::default());
            let Some(legal) = moves.iter().find(|legal| legal.m == m) else {
                continue;
            };
            let score = record.score_move(slot, legal.shape, &positions, &mut lexicons, costs);
            gains.push(ConfidenceFeatures::misfit_of(score.fit) - ply.features.own);
        }
        gains
    }
}
