//! Games as club players might play them, drawn from the move prior.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use sheetscan::prior::{LastMoves, Prior};

use super::simulated::Random;

/// A game of at most `plies` plies drawn from the prior, in SAN with `+` and `#`.
pub fn game(prior: &Prior, plies: usize, random: &mut Random) -> Vec<String> {
    let (mut position, mut last_moves) = (Chess::default(), LastMoves::default());
    let mut sans = Vec::new();
    while sans.len() < plies {
        let legal = position.legal_moves();
        let log_probs = prior.log_probabilities(&position, &legal, last_moves);
        let mut left = random.unit();
        let drawn = log_probs.iter().position(|lp| {
            left -= f64::from(lp.exp());
            left < 0.0
        });
        let Some(&m) = legal.get(drawn.unwrap_or(0)) else {
            break;
        };
        last_moves = last_moves.after(m);
        sans.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
    }
    sans
}
