//! Which moves a person is asked about: those whose answers are expected to repair most.

use std::collections::BTreeMap;

use shakmaty::Move;

use super::edge_lists::EdgeId;
use super::game::Ply;
use super::lattice::Lattice;
use super::path::Path;

/// Number of moves that an answer must repair on average to be worth a question. Chosen by eye.
const MIN_EXPECTED_REPAIRS: f32 = 0.01;
/// By how many moves the product of a share and the moves of a game may be too large because f32
/// rounds it, so that 4 % of 25 moves are one.
const ROUNDING_MOVES: f32 = 1e-4;

/// For each ply, counted from 0, and each other move there: how many plies of the best game that
/// plays it differ from the best game.
pub(super) type ChangesByMove = BTreeMap<u16, Vec<(Move, usize)>>;

/// The best game through one move: its log-weight, the edge that plays the move, and the state that
/// the edge leads to.
struct BestThrough {
    m: Move,
    weight: f32,
    state: usize,
    edge: EdgeId,
}

/// How much of the best game would change with each other move of the lattice.
pub(super) fn count_changes(lattice: &Lattice, path: &Path) -> ChangesByMove {
    let forward = &lattice.forward;
    let backward = lattice.backward();
    let best: Vec<Move> = path.played_moves().collect();
    let mut through: BTreeMap<u16, Vec<BestThrough>> = BTreeMap::new();
    for (state, suffix) in backward.iter().enumerate() {
        for (edge, incoming) in lattice.incoming(state) {
            let Some(m) = incoming.step.played() else {
                continue;
            };
            let from = incoming.from as usize;
            let weight = forward[from].weight + incoming.weight + suffix.weight;
            let moves = through.entry(lattice.states[from].key.ply).or_default();
            let game = BestThrough {
                m,
                weight,
                state,
                edge,
            };
            match moves.iter_mut().find(|known| known.m == m) {
                Some(known) if known.weight >= weight => {}
                Some(known) => *known = game,
                None => moves.push(game),
            }
        }
    }
    let count = |through: &BestThrough| {
        let edge = lattice.edges.get(through.edge);
        let mut game = Vec::new();
        let mut at = edge.from as usize;
        while let Some(id) = forward[at].edge {
            let edge = lattice.edges.get(id);
            game.extend(edge.step.played());
            at = edge.from as usize;
        }
        game.reverse();
        game.extend(edge.step.played());
        let mut at = through.state;
        while let Some((next, id)) = backward[at].next {
            game.extend(lattice.edges.get(id).step.played());
            at = next as usize;
        }
        let alike = best.iter().zip(&game).filter(|(a, b)| a == b).count();
        best.len().max(game.len()) - alike
    };
    let count_others = |ply: u16, moves: Vec<BestThrough>| {
        let others = moves.into_iter().filter(|known| {
            Some(&known.m) != best.get(usize::from(ply)) && known.weight > f32::NEG_INFINITY
        });
        others.map(|known| (known.m, count(&known))).collect()
    };
    through
        .into_iter()
        .map(|(ply, moves)| (ply, count_others(ply, moves)))
        .collect()
}

/// Number of moves that an answer at a ply repairs on average: its own move where that is wrong,
/// and what else changes with the right one, `(1 - confidence) + Σ p(other) * changes(other)`.
pub(super) fn expected_repairs(
    changes: &ChangesByMove,
    ply: u16,
    confidence: f32,
    others: &[(Move, f32)],
) -> f32 {
    let changes_with = |other: Move| {
        let known = changes.get(&ply).into_iter().flatten();
        known.filter(|c| c.0 == other).map(|c| c.1).sum::<usize>()
    };
    let more = others
        .iter()
        .map(|(other, p)| p * changes_with(*other) as f32);
    1.0 - confidence + more.sum::<f32>()
}

/// Marks for review the moves that no cell speaks for, and as many more as the share of the game's
/// moves allows, in the order of what their answers repair. The share is rounded up to a whole
/// move, since the doubt of a short game is as grave as that of a long one.
pub(super) fn select_questions(plies: &mut [Ply], repairs: &[f32], share: f32) {
    let mut left = (share * plies.len() as f32 - ROUNDING_MOVES).ceil() as usize;
    for ply in plies.iter_mut() {
        ply.review &= ply.cells.is_empty();
        left = left.saturating_sub(usize::from(ply.review));
    }
    let mut order: Vec<usize> = (0..plies.len()).filter(|&i| !plies[i].review).collect();
    order.sort_by(|&a, &b| repairs[b].total_cmp(&repairs[a]).then(a.cmp(&b)));
    order.truncate(left);
    let worth_asking = |&i: &usize| repairs[i] >= MIN_EXPECTED_REPAIRS;
    for i in order.into_iter().filter(worth_asking) {
        plies[i].review = true;
    }
}

#[cfg(test)]
mod tests {
    use super::super::confidence::ConfidenceFeatures;
    use super::super::lattice::tests::{D4, D5, lattice, pawn};
    use super::*;
    use crate::grid::{CellId, Side};

    #[test]
    fn changes_are_counted_along_the_best_game_that_plays_the_other_move() {
        let lattice = lattice();
        // The best game is e4 e5. With d4 it becomes d4 d5, two other moves; with 1... d5 it
        // becomes d4 d5 too, which is heavier than e4 d5.
        let changes = count_changes(&lattice, &lattice.best(2));
        assert_eq!(changes[&0], [(pawn(D4.0, D4.1), 2)]);
        assert_eq!(changes[&1], [(pawn(D5.0, D5.1), 2)]);
        let others = [(pawn(D4.0, D4.1), 0.25)];
        let repairs = expected_repairs(&changes, 0, 0.75, &others);
        assert_eq!(repairs, 0.25 + 0.25 * 2.0);
    }

    fn ply(has_cell: bool) -> Ply {
        let side = Side::White;
        Ply {
            san: String::new(),
            uci: String::new(),
            confidence: 0.5,
            features: ConfidenceFeatures::default(),
            review: true,
            settled: false,
            seen: false,
            alternatives: Vec::new(),
            cells: has_cell
                .then_some((0, CellId { number: 1, side }))
                .into_iter()
                .collect(),
        }
    }

    #[test]
    fn questions_go_to_moves_without_a_cell_and_then_where_they_repair_most() {
        let mut plies: Vec<Ply> = [true, false, true, true, true].map(ply).to_vec();
        let repairs = [0.1, 0.0, 3.0, 0.5, 0.001];
        let mut asked = |share| {
            plies.iter_mut().for_each(|ply| ply.review = true);
            select_questions(&mut plies, &repairs, share);
            let asked = plies.iter().zip(0..).filter(|(ply, _)| ply.review);
            asked.map(|(_, i)| i).collect::<Vec<_>>()
        };
        assert_eq!(asked(0.0), [1]);
        assert_eq!(asked(0.4), [1, 2]);
        assert_eq!(asked(0.21), [1, 2], "1.05 moves are rounded up to two");
        assert_eq!(asked(1.0), [0, 1, 2, 3], "the last one repairs too little");
    }
}
