//! The posterior probabilities of moves over all paths of a lattice.

use std::collections::BTreeMap;

use shakmaty::Move;

use crate::logprob::log_add;

use super::lattice::Lattice;
use super::path::Path;

/// What all games of a lattice say of the moves of one of them, by plies counted from 0.
#[derive(Debug, Clone, Default)]
pub(super) struct MovePosteriors {
    /// The moves that are played at each ply, with their posteriors. At a ply they sum to the
    /// probability that the game goes on so far.
    by_ply: BTreeMap<u16, Vec<(Move, f64)>>,
    /// For each move of the path its posterior given the moves before it.
    given_earlier: Vec<f64>,
}

impl MovePosteriors {
    /// The moves that are played at a ply, with their posteriors.
    pub(super) fn at(&self, ply: u16) -> &[(Move, f64)] {
        self.by_ply.get(&ply).map_or(&[], Vec::as_slice)
    }

    /// The posterior of a move at a ply; zero where no game of the lattice plays it.
    pub(super) fn of(&self, ply: u16, m: Move) -> f32 {
        let own = self.at(ply).iter().find(|(known, _)| *known == m);
        own.map_or(0.0, |(_, p)| *p as f32).clamp(0.0, 1.0)
    }

    /// The posterior of the path's move at a ply among the games that play all moves before it as
    /// the path does: P(m₁ … mₖ) / P(m₁ … mₖ₋₁), or 1 where no game of the lattice does. A move
    /// that is doubtful only because it hangs on an earlier one is not doubtful by this measure.
    pub(super) fn given_earlier(&self, ply: u16) -> f32 {
        let p = self.given_earlier.get(usize::from(ply));
        p.map_or(1.0, |&p| p as f32).clamp(0.0, 1.0)
    }
}

impl Lattice {
    /// The posteriors of moves, those given the moves before them for the moves of `path`, by the
    /// forward-backward algorithm over the lattice, with all log-weights divided by `temperature`:
    /// `p(edge) = exp(α(from) + weight + β(to) - total)`, where α and β are the log-sums of all
    /// ways from the initial states and to the terminations.
    pub(super) fn move_posteriors(&self, path: &Path, temperature: f32) -> MovePosteriors {
        let scale = 1.0 / f64::from(temperature);
        let suffixes = self.log_suffixes(scale);
        let prefixes = self.log_prefixes(scale, |_, _| true);
        let terminations = self.terminations.iter();
        let total = terminations.fold(f64::NEG_INFINITY, |sum, termination| {
            let prefix = prefixes[termination.state as usize];
            log_add(sum, prefix + scale * f64::from(termination.weight))
        });
        let mut by_ply: BTreeMap<u16, Vec<(Move, f64)>> = BTreeMap::new();
        self.for_each_move(scale, &prefixes, &suffixes, |ply, m, log| {
            let p = (log - total).exp();
            let moves = by_ply.entry(ply).or_default();
            match moves.iter_mut().find(|(known, _)| *known == m) {
                Some((_, sum)) => *sum += p,
                None => moves.push((m, p)),
            }
        });

        let moves: Vec<Move> = path.played_moves().collect();
        let is_played = |ply: u16, m: Move| moves.get(usize::from(ply)) == Some(&m);
        let prefixes = self.log_prefixes(scale, is_played);
        let mut beginnings = vec![f64::NEG_INFINITY; moves.len()];
        self.for_each_move(scale, &prefixes, &suffixes, |ply, m, log| {
            if is_played(ply, m) {
                let sum = &mut beginnings[usize::from(ply)];
                *sum = log_add(*sum, log);
            }
        });
        let earlier = std::iter::once(&total).chain(&beginnings);
        let given_earlier = beginnings.iter().zip(earlier).map(|(log, earlier)| {
            if earlier.is_finite() {
                (log - earlier).exp()
            } else {
                1.0
            }
        });
        MovePosteriors {
            given_earlier: given_earlier.collect(),
            by_ply,
        }
    }

    /// For each state the log-sum of the ways to it from the initial states whose moves, by their
    /// plies, are all `allowed`.
    fn log_prefixes(&self, scale: f64, allowed: impl Fn(u16, Move) -> bool) -> Vec<f64> {
        let mut prefixes = vec![f64::NEG_INFINITY; self.states.len()];
        for i in self.order.iter().map(|&i| i as usize) {
            let state = &self.states[i];
            if state.incoming.is_empty() {
                prefixes[i] = scale * f64::from(state.best);
            }
            for (_, edge) in self.incoming(i) {
                let from = edge.from as usize;
                let ply = self.states[from].key.ply;
                if edge.step.played().is_none_or(|m| allowed(ply, m)) {
                    let way = prefixes[from] + scale * f64::from(edge.weight);
                    prefixes[i] = log_add(prefixes[i], way);
                }
            }
        }
        prefixes
    }

    /// For each state the log-sum of the ways from it to the terminations.
    fn log_suffixes(&self, scale: f64) -> Vec<f64> {
        let mut suffixes = vec![f64::NEG_INFINITY; self.states.len()];
        for termination in &self.terminations {
            let i = termination.state as usize;
            suffixes[i] = log_add(suffixes[i], scale * f64::from(termination.weight));
        }
        for i in self.order.iter().rev().map(|&i| i as usize) {
            for (_, edge) in self.incoming(i) {
                let from = edge.from as usize;
                let way = scale * f64::from(edge.weight) + suffixes[i];
                suffixes[from] = log_add(suffixes[from], way);
            }
        }
        suffixes
    }

    /// Visits each edge that plays a move: its ply, the move, and the log-sum of the ways through
    /// it. The last edges of the lattice come first.
    fn for_each_move(
        &self,
        scale: f64,
        prefixes: &[f64],
        suffixes: &[f64],
        mut visit: impl FnMut(u16, Move, f64),
    ) {
        for i in self.order.iter().rev().map(|&i| i as usize) {
            for (_, edge) in self.incoming(i) {
                if let Some(m) = edge.step.played() {
                    let from = edge.from as usize;
                    let log = prefixes[from] + scale * f64::from(edge.weight) + suffixes[i];
                    visit(self.states[from].key.ply, m, log);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::super::lattice::tests::{lattice, paths, pawn};
    use super::super::path::Step;

    #[test]
    fn the_posterior_of_a_move_is_the_share_of_the_paths_that_play_it() {
        let temperature = 2.0;
        let lattice = lattice();
        let posteriors = lattice.move_posteriors(&lattice.best(2), temperature);
        let weigh = |weight: f32| f64::from(weight / temperature).exp();
        let total: f64 = paths().iter().map(|p| weigh(p.1)).sum();
        for ply in 0..2 {
            let mut sum = 0.0;
            for &(m, p) in posteriors.at(ply) {
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

    #[test]
    fn a_move_is_judged_among_the_games_that_agree_before_it() {
        let temperature = 2.0;
        let lattice = lattice();
        let posteriors = lattice.move_posteriors(&lattice.best(2), temperature);
        let weigh = |weight: f32| f64::from(weight / temperature).exp();
        let share = |moves: &[_]| -> f64 {
            let paths = paths();
            let playing = paths
                .iter()
                .filter(|(of_path, _)| of_path.starts_with(moves));
            playing.map(|path| weigh(path.1)).sum()
        };
        // The best path is e4 e5.
        let moves = &paths()[0].0;
        for (ply, &m) in (0..).zip(moves) {
            let expected = share(&moves[..=usize::from(ply)]) / share(&moves[..usize::from(ply)]);
            let p = f64::from(posteriors.given_earlier(ply));
            assert!((p - expected).abs() < 1e-6, "{m:?}: {p} is not {expected}");
        }
    }

    #[test]
    fn a_game_that_leaves_the_lattice_is_doubtful_where_it_leaves_it() {
        let lattice = lattice();
        let mut path = lattice.best(2);
        for edge in &mut path.edges {
            let m = pawn(Square::H2, Square::H4);
            let (slot, fit) = (None, 0.0);
            edge.step = Step::Move { m, slot, fit };
        }
        let posteriors = lattice.move_posteriors(&path, 1.0);
        assert_eq!(posteriors.given_earlier(0), 0.0);
        assert_eq!(posteriors.given_earlier(1), 1.0);
    }
}
