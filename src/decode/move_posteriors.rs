//! The posterior probabilities of moves over all paths of a lattice.

use std::collections::BTreeMap;

use shakmaty::Move;

use crate::logprob::log_add;

use super::lattice::Lattice;
use super::path::Step;

/// Posterior probabilities of the moves at each ply, counted from 0. At a ply they sum to the
/// probability that the game goes on so far.
pub(super) type MovePosteriors = BTreeMap<u16, Vec<(Move, f64)>>;

/// The posterior of a move at a ply, counted from 0; zero where no game of the lattice plays it.
pub(super) fn posterior_of(posteriors: &MovePosteriors, ply: u16, m: Move) -> f32 {
    let moves = posteriors.get(&ply).into_iter().flatten();
    let own = moves.into_iter().find(|(known, _)| *known == m);
    own.map_or(0.0, |(_, p)| *p as f32).clamp(0.0, 1.0)
}

impl Lattice {
    /// Posterior probability of every move at every ply, by the forward-backward algorithm over the
    /// lattice, with all log-weights divided by `temperature`: `p(edge) = exp(α(from) + weight +
    /// β(to) - total)`, where α and β are the log-sums of all ways from the initial states and to
    /// the terminations.
    pub(super) fn move_posteriors(&self, temperature: f32) -> MovePosteriors {
        let scale = 1.0 / f64::from(temperature);
        let n = self.states.len();
        let (mut alpha, mut beta) = (vec![f64::NEG_INFINITY; n], vec![f64::NEG_INFINITY; n]);
        for i in self.order.iter().map(|&i| i as usize) {
            let state = &self.states[i];
            if state.incoming.is_empty() {
                alpha[i] = scale * f64::from(state.best);
            }
            for (_, edge) in self.incoming(i) {
                alpha[i] = log_add(
                    alpha[i],
                    alpha[edge.from as usize] + scale * f64::from(edge.weight),
                );
            }
        }
        let mut total = f64::NEG_INFINITY;
        for termination in &self.terminations {
            let i = termination.state as usize;
            let weight = scale * f64::from(termination.weight);
            beta[i] = log_add(beta[i], weight);
            total = log_add(total, alpha[i] + weight);
        }
        let mut posteriors: MovePosteriors = BTreeMap::new();
        for i in self.order.iter().rev().map(|&i| i as usize) {
            for (_, edge) in self.incoming(i) {
                let from = edge.from as usize;
                let weight = scale * f64::from(edge.weight) + beta[i];
                beta[from] = log_add(beta[from], weight);
                if let Step::Move { m, .. } = edge.step {
                    let p = (alpha[from] + weight - total).exp();
                    let moves = posteriors.entry(self.states[from].key.ply).or_default();
                    match moves.iter_mut().find(|(known, _)| *known == m) {
                        Some((_, sum)) => *sum += p,
                        None => moves.push((m, p)),
                    }
                }
            }
        }
        posteriors
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::tests::{lattice, paths};

    #[test]
    fn the_posterior_of_a_move_is_the_share_of_the_paths_that_play_it() {
        let temperature = 2.0;
        let posteriors = lattice().move_posteriors(temperature);
        let weigh = |weight: f32| f64::from(weight / temperature).exp();
        let total: f64 = paths().iter().map(|p| weigh(p.1)).sum();
        for ply in 0..2 {
            let mut sum = 0.0;
            for &(m, p) in &posteriors[&ply] {
                let at = usize::from(ply);
                let paths = paths();
                let playing = paths.iter().filter(|(moves, _)| moves.get(at) == Some(&m));
                let expected = playing.map(|p| weigh(p.1)).sum::<f64>() / total;
                assert!((p - expected).abs() < 1e-9, "{m:?}: {p} is not {expected}");
                sum += p;
            }
            let ended: f64 = paths()[4..].iter().map(|p| weigh(p.1)).sum();
            let expected = if ply == 0 { 1.0 } else { 1.0 - ended / total };
            assert!((sum - expected).abs() < 1e-9, "{sum} is not {expected}");
        }
    }
}
