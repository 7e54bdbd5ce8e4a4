//! Games as club players might play them.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use sheetscan::prior::{Context, Prior};

use super::simulated::Random;

/// A game drawn from the prior: SAN with `+` and `#`.
pub fn game(prior: &Prior, plies: usize, random: &mut Random) -> Vec<String> {
    let (mut position, mut context) = (Chess::default(), Context::default());
    let mut sans = Vec::new();
    while sans.len() < plies {
        let legal = position.legal_moves();
        let chances = prior.log_probabilities(&position, &legal, context);
        let mut left = random.unit();
        let drawn = chances.iter().position(|lp| {
            left -= f64::from(lp.exp());
            left < 0.0
        });
        let Some(&m) = legal.get(drawn.unwrap_or(0)) else {
            break;
        };
        context = context.after(m);
        sans.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
    }
    sans
}
