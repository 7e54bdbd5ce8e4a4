//! Beam search over the game tree, slot by slot, merging equal positions into a lattice.

use std::rc::Rc;

use shakmaty::{Chess, Move, Position};

use crate::prior::LastMoves;

use super::answer::Instructions;
use super::beam::Beam;
use super::constraints::{AllowedMoves, Constraints};
use super::costs::Costs;
use super::frontier::{BeamFrontier, LayerIndex, hash};
use super::lattice::{Lattice, ReferencePath, slot_after};
use super::lexicon::Lexicons;
use super::path::{Edge, Path, SlotIndex, Step};
use super::positions::{LegalMove, PositionCache};
use super::proposal::{BestProposals, Proposal};
use super::record::Record;
use super::termination::TailScores;
use super::writer::Writer;

/// Nats, for each move that a person has read, of a game without it: more than any record can gain.
const MISSED_MOVE_NATS: f32 = 1e3;

/// Largest number of nats by which smoothing may lift the score of a move above certainty.
const MAX_SURPLUS_NATS: f32 = 1.0;

/// A slot reads as a move beyond doubt from this fit on, in nats, the prior of its spelling
/// included. Chosen by eye.
const MIN_UNAMBIGUOUS_FIT_NATS: f32 = -1.5;

/// Nats by which the fit of every other legal move must be less. Chosen by eye.
const MIN_UNAMBIGUOUS_LEAD_NATS: f32 = 2.5;

/// A record to be searched, and what one search of it leaves to the next.
pub(super) struct Search<'s, 'p> {
    pub record: &'s mut Record,
    pub positions: &'s mut PositionCache<'p>,
    pub lexicons: &'s mut Lexicons<'p>,
    pub costs: &'s Costs,
    /// What a person has read.
    pub constraints: &'s Constraints,
    pub instructions: Instructions<'s>,
}

impl Search<'_, '_> {
    /// Sets who wrote each copy from now on.
    pub(super) fn set_writers(&mut self, writers: &[Writer]) {
        if self.lexicons.set_writers(writers) {
            self.record.clear_scores();
        }
    }

    /// Searches the first `slots` slots of the record. With the reference path of an earlier
    /// search, part of each layer is kept for games that left that path in different layers, so
    /// that the game that left it where it went wrong is not crowded out.
    pub(super) fn run(
        &mut self,
        slots: usize,
        beam: Beam,
        reference: Option<&ReferencePath>,
    ) -> Lattice {
        let costs = self.costs;
        let beam = Beam {
            window: beam.window * self.record.weight(),
            close_window: beam.close_window * self.record.weight(),
            ..beam
        };
        let mut frontier = BeamFrontier::new(&costs.beam, beam, slots, reference);
        let tails = [false, true].map(|swapped| {
            let order: Vec<usize> = (0..slots).map(|i| slot_after(i, slots, swapped)).collect();
            TailScores::new(self.record, &order, costs)
        });
        let mut layer = vec![0u32];
        for depth in 0..slots {
            if self.instructions.is_stopped() {
                break;
            }
            let mut index = layer
                .iter()
                .map(|&i| (frontier.states[i as usize].key, i))
                .collect();
            self.play_left_out_moves(&mut frontier, depth, &mut index, &mut layer);
            self.insert_missing_moves(&mut frontier, depth, &mut index, &mut layer);
            if depth % 2 == 0 && self.record.copies() == 1 {
                frontier.swap_columns(&mut index, &mut layer, costs.swap);
            }
            let proposals = self.propose_steps(&frontier, &layer, depth);
            self.terminate(&mut frontier, &layer, depth, &tails);
            layer = Vec::new();
            let mut index = LayerIndex::default();
            frontier.admit(
                proposals,
                depth as u16 + 1,
                &mut index,
                &mut layer,
                beam.width,
            );
            frontier.keep_boards_of(&layer);
        }
        self.terminate(&mut frontier, &layer, slots, &tails);
        Lattice::new(frontier.states, frontier.edges, frontier.terminations)
    }

    /// Leads a layer on by the moves that a person says were left out before its slot. The states
    /// in which such a move is not legal drop out, unless it is legal in none.
    fn play_left_out_moves(
        &mut self,
        frontier: &mut BeamFrontier,
        depth: usize,
        index: &mut LayerIndex,
        layer: &mut Vec<u32>,
    ) {
        for san in self.constraints.left_out_before(depth) {
            let mut proposals = Vec::new();
            for &from in layer.iter() {
                let state = &frontier.states[from as usize];
                let Ok(m) = san.to_move(&frontier.board(from).position) else {
                    continue;
                };
                let (slot, fit) = (None, 0.0);
                proposals.push(Proposal {
                    from,
                    step: Step::Move { m, slot, fit },
                    weight: 0.0,
                    total: state.best,
                });
            }
            if !proposals.is_empty() {
                (*index, *layer) = Default::default();
                let room = frontier.beam.width;
                frontier.admit(proposals, depth as u16, index, layer, room);
            }
        }
    }

    /// Adds to a layer the states that are reached by moves which no copy has in writing.
    fn insert_missing_moves(
        &mut self,
        frontier: &mut BeamFrontier,
        depth: usize,
        index: &mut LayerIndex,
        layer: &mut Vec<u32>,
    ) {
        let best = layer.iter().map(|&i| frontier.states[i as usize].best);
        let top = best.fold(f32::NEG_INFINITY, f32::max);
        let mut sources = layer.clone();
        for missing in 0..self.costs.beam.max_gap_moves {
            let proposals = self.propose_missing_moves(frontier, &sources, top, missing);
            let before = layer.len();
            let room = before + frontier.beam.width / 2;
            frontier.admit(proposals, depth as u16, index, layer, room);
            sources = layer[before..].to_vec();
        }
    }

    /// Every legal move of the best of some states as one that the players left out, `missing`
    /// others having been left out just before. `top` is the log-weight of the best state of the
    /// layer.
    fn propose_missing_moves(
        &mut self,
        frontier: &BeamFrontier,
        sources: &[u32],
        top: f32,
        missing: usize,
    ) -> Vec<Proposal> {
        let mut sources = sources.to_vec();
        frontier.sort_best_first(&mut sources);
        sources.truncate(self.costs.beam.max_gap_states);
        // A move that no copy has was left out by every player, so it costs once for each copy.
        let copies = self.record.copies() as f32;
        let cost = copies
            * if missing == 0 {
                self.costs.missing
            } else {
                self.costs.missing_next
            };
        let mut proposals = Vec::new();
        for from in sources {
            let state = &frontier.states[from as usize];
            if state.best - cost < top - frontier.beam.window {
                break;
            }
            let legal = self.legal_moves(frontier, from);
            let position = &frontier.board(from).position;
            let allowed = self.constraints.outside_slots(state.key.ply, position);
            let is_fixed = allowed != AllowedMoves::All;
            for legal in legal.iter().filter(|legal| allowed.includes(legal.m)) {
                let weight = self.costs.prior * legal.log_prior - cost;
                let step = Step::Move {
                    m: legal.m,
                    slot: None,
                    fit: if is_fixed { 0.0 } else { f32::NEG_INFINITY },
                };
                proposals.push(Proposal {
                    from,
                    step,
                    weight,
                    total: state.best + weight,
                });
            }
        }
        proposals
    }

    /// What may be made of the next slot: every legal move of every state of a layer, or no move at
    /// all.
    fn propose_steps(
        &mut self,
        frontier: &BeamFrontier,
        layer: &[u32],
        depth: usize,
    ) -> Vec<Proposal> {
        let costs = self.costs;
        let mut sources = layer.to_vec();
        frontier.sort_best_first(&mut sources);
        let enough = (frontier.beam.width * costs.beam.kept_proposals_per_state).max(1);
        let mut proposals = BestProposals::new(frontier.beam.window, enough);
        for from in sources {
            let state = &frontier.states[from as usize];
            let best = state.best;
            if best + MAX_SURPLUS_NATS < proposals.min_total {
                continue;
            }
            let slot = slot_after(depth, frontier.slots, state.key.swapped);
            let mut propose = |step, weight| {
                proposals.add(Proposal {
                    from,
                    step,
                    weight,
                    total: best + weight,
                })
            };
            let missed = self.constraints.missed_by_skip(slot) as f32;
            let skip = self.record.cost(slot, |cell| cell.skip_nats) + MISSED_MOVE_NATS * missed;
            let mut min_total = propose(Step::Skip(slot as SlotIndex), -skip);
            let legal = self.legal_moves(frontier, from);
            let position = &frontier.board(from).position;
            let allowed = self.constraints.in_slot(slot, state.key.ply, position);
            let is_shifted = usize::from(state.key.ply) % 2 != depth % 2;
            let shift = if is_shifted {
                costs.shifted_column
            } else {
                0.0
            };
            for legal in legal.iter().filter(|legal| allowed.includes(legal.m)) {
                let weight = costs.prior * legal.log_prior - shift;
                if best + weight + MAX_SURPLUS_NATS < min_total {
                    continue;
                }
                let mut score =
                    self.record
                        .score_move(slot, legal.shape, self.positions, self.lexicons, costs);
                if allowed != AllowedMoves::All {
                    score.fit = 0.0; // A person has read it.
                }
                let step = Step::Move {
                    m: legal.m,
                    slot: Some(slot as SlotIndex),
                    fit: score.fit,
                };
                min_total = propose(step, score.weight + weight);
            }
        }
        proposals.proposals
    }

    /// The legal moves of one of the last states.
    fn legal_moves(&mut self, frontier: &BeamFrontier, state: u32) -> Rc<[LegalMove]> {
        let hash = frontier.states[state as usize].key.hash;
        let board = frontier.board(state);
        self.positions
            .legal_moves(hash, &board.position, board.last_moves)
    }

    /// Lets the games of a layer end before its slot.
    fn terminate(
        &mut self,
        frontier: &mut BeamFrontier,
        layer: &[u32],
        depth: usize,
        tails: &[TailScores; 2],
    ) {
        for &i in layer {
            let state = &frontier.states[i as usize];
            let position = &frontier.board(i).position;
            let game_over = position.legal_moves().is_empty();
            let tail = &tails[usize::from(state.key.swapped)];
            let mut termination = tail.termination(i, depth, game_over);
            let missed = self.constraints.missed_by_end(state.key.ply, depth);
            termination.weight -= MISSED_MOVE_NATS * missed as f32;
            frontier.terminations.push(termination);
        }
    }

    /// The game that the record spells without any doubt: every slot reads as one legal move and as
    /// no other. Such a game is believed however odd its moves are; the prior only says how much to
    /// doubt it.
    pub(super) fn unambiguous_reading(&mut self) -> Option<Path> {
        if self.constraints.has_left_out_moves() {
            return None;
        }
        let mut position = Chess::default();
        let mut last_moves = LastMoves::default();
        let mut edges = Vec::new();
        for slot in 0..self.record.slots.len() {
            let legal = self
                .positions
                .legal_moves(hash(&position), &position, last_moves);
            let mut fits: Vec<(f32, Move)> = Vec::new();
            let allowed = self.constraints.in_slot(slot, slot as u16, &position);
            for legal in legal.iter().filter(|legal| allowed.includes(legal.m)) {
                let score = self.record.score_move(
                    slot,
                    legal.shape,
                    self.positions,
                    self.lexicons,
                    self.costs,
                );
                fits.push((score.fit, legal.m));
            }
            fits.sort_by(|a, b| b.0.total_cmp(&a.0));
            let &(fit, m) = fits.first()?;
            let rival = fits.get(1).map_or(f32::NEG_INFINITY, |r| r.0);
            if fit < MIN_UNAMBIGUOUS_FIT_NATS || rival > fit - MIN_UNAMBIGUOUS_LEAD_NATS {
                return None;
            }
            let slot = Some(slot as SlotIndex);
            edges.push(Edge {
                from: 0,
                step: Step::Move { m, slot, fit },
                weight: fit,
            });
            last_moves = last_moves.after(m);
            position.play_unchecked(m);
        }
        Some(Path {
            edges,
            rest: Vec::new(),
            complete: true,
        })
    }
}
