//! A search under way: layer by layer, which of the steps proposed become states.

use rustc_hash::FxHashMap;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::lattice::{Edge, Ending, Guide, State, Step};

/// States of a layer for which the columns may turn out swapped from here on.
const TURNS: usize = 4;
/// How a guided search shares out a layer: games that left the guide at the same cell, and last had a cell unexplained at
/// the same place, are a crowd. Once the open part of the layer is filled with the best of any crowd, no more than so many
/// of one are kept, lest those that leave late, and have had no time to go wrong, take all the room.
const CROWD: usize = 24;
/// Share of the layer that is open.
const OPEN: f32 = 0.67;
/// Edges kept into one state, for the shares of alternatives.
const EDGES: usize = 8;
/// Proposed steps that are looked at for each state that a layer has room for, the best first: once it is full, those
/// that lead to a state of the layer become edges.
pub(super) const PROPOSALS: usize = 4;

/// A step that may enter the next layer.
pub(super) struct Candidate {
    pub from: u32,
    pub step: Step,
    pub weight: f32,
    pub total: f32,
}

/// A layer's states by position, ply and the column that goes first.
pub(super) type Known = FxHashMap<(u64, u16, bool), u32>;

/// A search under way: the states and endings found so far.
pub(super) struct Growth<'g> {
    pub guide: Option<&'g Guide>,
    pub states: Vec<State>,
    pub endings: Vec<Ending>,
    pub width: usize,
    pub window: f32,
    pub cells: usize,
}

impl Growth<'_> {
    /// Takes the best candidates into a layer of at most `room` states, merging those that reach the same position
    /// at the same ply.
    pub(super) fn admit(
        &mut self,
        candidates: Vec<Candidate>,
        cell: u32,
        known: &mut Known,
        layer: &mut Vec<u32>,
        room: usize,
    ) {
        let top = layer.iter().map(|&i| self.states[i as usize].best);
        let top = candidates
            .iter()
            .map(|c| c.total)
            .chain(top)
            .fold(f32::NEG_INFINITY, f32::max);
        let totals = candidates.iter().map(|c| c.total).zip(0u32..);
        let mut order: Vec<(f32, u32)> = totals.filter(|c| c.0 >= top - self.window).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut crowds: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for (looked_at, (_, number)) in order.into_iter().enumerate() {
            if layer.len() >= room && looked_at >= self.width * PROPOSALS {
                break;
            }
            let candidate = &candidates[number as usize];
            let from = &self.states[candidate.from as usize];
            let (hash, ply) = match candidate.step {
                Step::Move { m, .. } => (hash_after(from, m), from.ply + 1),
                Step::Skip(_) => (from.hash, from.ply),
            };
            let edge = Edge {
                from: candidate.from,
                step: candidate.step,
                weight: candidate.weight,
            };
            let key = (hash, ply, from.swapped);
            if let Some(&at) = known.get(&key) {
                let state = &mut self.states[at as usize];
                if state.incoming.len() < EDGES {
                    state.incoming.push(edge);
                    state.best = state.best.max(candidate.total);
                }
            } else if layer.len() < room {
                let on_guide = |guide: &Guide| guide.contains(&(cell, hash, ply, from.swapped));
                let strayed = match (from.strayed, self.guide) {
                    (None, Some(guide)) if !on_guide(guide) => Some(cell),
                    (strayed, _) => strayed,
                };
                let fault = if candidate.step.is_explained() {
                    from.fault
                } else {
                    cell
                };
                if let Some(at) = strayed {
                    let crowd = crowds.entry((at, fault)).or_default();
                    *crowd += 1;
                    if layer.len() as f32 >= OPEN * room as f32 && *crowd > CROWD {
                        continue;
                    }
                }
                let (position, last_moves) = match candidate.step {
                    Step::Move { m, .. } => (played(&from.position, m), from.last_moves.after(m)),
                    Step::Skip(_) => (from.position.clone(), from.last_moves),
                };
                let state = State {
                    position,
                    hash,
                    ply,
                    cell,
                    swapped: from.swapped,
                    strayed,
                    fault,
                    last_moves,
                    best: candidate.total,
                    incoming: vec![edge],
                };
                self.push(state, known, layer);
            }
        }
    }

    /// Lets the leading games of a layer take the other column first from here on.
    pub(super) fn turn(&mut self, known: &mut Known, layer: &mut Vec<u32>, cost: f32) {
        let mut leading = layer.clone();
        self.sort_best_first(&mut leading);
        leading.truncate(TURNS);
        let top = leading.first().map(|&i| self.states[i as usize].best);
        for i in leading {
            let state = &self.states[i as usize];
            let best = state.best - cost;
            let key = (state.hash, state.ply, !state.swapped);
            if known.contains_key(&key) || top.is_some_and(|top| best < top - self.window) {
                continue;
            }
            let mut turned = state.clone();
            (turned.swapped, turned.best) = (!state.swapped, best);
            turned.incoming.iter_mut().for_each(|e| e.weight -= cost);
            self.push(turned, known, layer);
        }
    }

    fn push(&mut self, state: State, known: &mut Known, layer: &mut Vec<u32>) {
        let at = self.states.len() as u32;
        known.insert((state.hash, state.ply, state.swapped), at);
        layer.push(at);
        self.states.push(state);
    }

    pub(super) fn sort_best_first(&self, states: &mut [u32]) {
        let best = |i: u32| self.states[i as usize].best;
        states.sort_by(|&a, &b| best(b).total_cmp(&best(a)).then(a.cmp(&b)));
    }

    pub(super) fn key(&self, state: u32) -> (u64, u16, bool) {
        let state = &self.states[state as usize];
        (state.hash, state.ply, state.swapped)
    }
}

pub(super) fn hash(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// The hash of the position that a move leads to.
fn hash_after(state: &State, m: Move) -> u64 {
    let known = state
        .position
        .update_zobrist_hash(Zobrist64(state.hash), m, EnPassantMode::Legal);
    known.map_or_else(|| hash(&played(&state.position, m)), |known| known.0)
}

fn played(position: &Chess, m: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}
