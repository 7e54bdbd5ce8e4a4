//! The slots that suit a game best, for a person to choose from.

use super::{Event, EventSlot, GameHeaders, MatchingParameters, list_slots, score_slots};

/// A slot that a game may belong to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedSlot {
    /// The pairing or bye.
    pub slot: EventSlot,
    /// Whether the sheet has the colours the other way round then.
    pub reversed: bool,
    /// Probability of the slot by what is known of this game alone: 0 to 1, with those of the other
    /// slots and of none adding up to 1.
    pub probability: f64,
}

/// The slots that suit a game best, whatever the other games are: at most `count`, likeliest first,
/// and of slots that are equally likely the first in the event.
pub fn rank_slots(
    event: &Event,
    game: &GameHeaders,
    round: Option<u32>,
    parameters: &MatchingParameters,
    count: usize,
) -> Vec<RankedSlot> {
    let slots = list_slots(event, round, parameters);
    let scores = score_slots(event, game, &slots, parameters);
    // The score of no slot is 0.
    let highest = scores.iter().map(|s| s.score).fold(0.0, f64::max);
    let weights: Vec<f64> = scores.iter().map(|s| (s.score - highest).exp()).collect();
    let sum = weights.iter().sum::<f64>() + (-highest).exp();
    let mut order: Vec<usize> = (0..slots.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    order.truncate(count);
    let ranked = order.into_iter().map(|i| RankedSlot {
        slot: slots[i].slot,
        reversed: scores[i].reversed,
        probability: weights[i] / sum,
    });
    ranked.collect()
}
