//! Beam search over the game tree, cell by cell, merging equal positions into a lattice.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use crate::cell::CellState;
use crate::prior::Context;

use super::costs::Costs;
use super::ending::Tails;
use super::held::{Allowed, Held};
use super::lattice::{Edge, Lattice, Line, State, Step};
use super::position::{Lexicon, Positions};
use super::record::Record;

/// States of a layer for which left-out moves are tried. A gap opens in the leading games or matters no more.
const GAP_STATES: usize = 12;
/// Left-out moves tried in a row: players lose a move or a row, not more.
const GAP_MOVES: usize = 2;
/// A cell surely reads as a move whose log-probability is at least this, the habit of writing it so included.
const SURELY: f32 = -1.5;
/// And no other move comes within this many nats.
const APART: f32 = 2.5;
/// Nats of a game that ends before a move that a person has settled.
const UNPLAYED: f32 = 1e3;
/// Edges kept into one state, for the shares of alternatives.
const EDGES: usize = 8;

/// A step that may enter the next layer.
struct Candidate {
    from: u32,
    step: Step,
    weight: f32,
    total: f32,
}

pub(super) struct Search<'s, 'p, 'l> {
    pub record: &'s mut Record,
    pub positions: &'s mut Positions<'p>,
    /// One for each copy.
    pub lexicons: &'s mut [Lexicon<'l>],
    pub costs: &'s Costs,
    /// Moves that a person has settled.
    pub held: &'s [Held],
    /// States kept in a layer.
    pub width: usize,
    /// How far a state may lie behind the best of its layer, in nats. Easy sheets then keep a handful of states.
    pub window: f32,
}

/// A layer's states by position and ply.
type Known = FxHashMap<(u64, u16), u32>;

impl Search<'_, '_, '_> {
    /// Decodes the first `cells` slots of the record.
    pub(super) fn run(mut self, cells: usize) -> Lattice {
        let root = Chess::default();
        let state = State {
            hash: hash(&root),
            position: root,
            ply: 0,
            cell: 0,
            context: Context::default(),
            best: 0.0,
            incoming: Vec::new(),
        };
        let mut lattice = Lattice {
            states: vec![state],
            endings: Vec::new(),
        };
        let tails = Tails::new(self.record, cells, self.costs);
        let mut layer = vec![0u32];
        for cell in 0..cells {
            let mut known: Known = layer.iter().map(|&i| (key(&lattice, i), i)).collect();
            let mut gaps = layer.clone();
            for round in 0..GAP_MOVES {
                let candidates = self.left_out(&lattice, &gaps, round);
                let before = layer.len();
                let room = before + self.width / 2;
                self.admit(
                    &mut lattice,
                    candidates,
                    cell as u32,
                    &mut known,
                    &mut layer,
                    room,
                );
                gaps = layer[before..].to_vec();
            }
            self.end_at(&mut lattice, &layer, cell, &tails);
            let candidates = self.steps(&lattice, &layer, cell);
            layer = Vec::new();
            self.admit(
                &mut lattice,
                candidates,
                cell as u32 + 1,
                &mut Known::default(),
                &mut layer,
                self.width,
            );
        }
        self.end_at(&mut lattice, &layer, cells, &tails);
        lattice
    }

    /// The game that the sheet spells without one doubt: every cell up to the last surely reads as one legal move and
    /// as no other. Such a game is believed however odd its moves are; the prior only says how much to doubt it.
    pub(super) fn literal(self) -> Option<Line> {
        let mut position = Chess::default();
        let mut context = Context::default();
        let mut edges = Vec::new();
        for cell in 0..self.record.slots.len() {
            let expansion = self.positions.expand(hash(&position), &position, context);
            let mut read: Vec<(f32, Move)> = Vec::new();
            let allowed = Allowed::at(self.held, cell as u16, &position);
            let moves = expansion.moves.iter().filter(|m| allowed.includes(m.0));
            for &(m, shape, _) in moves {
                let heard =
                    self.record
                        .hear(cell, shape, self.positions, self.lexicons, self.costs);
                read.push((heard.read, m));
            }
            read.sort_by(|a, b| b.0.total_cmp(&a.0));
            let &(best, m) = read.first()?;
            let rival = read.get(1).map_or(f32::NEG_INFINITY, |r| r.0);
            if best < SURELY || rival > best - APART {
                return None;
            }
            edges.push(Edge {
                from: 0,
                step: Step::Move {
                    m,
                    cell: Some(cell),
                    read: best,
                },
                weight: best,
            });
            context = context.after(m);
            position.play_unchecked(m);
        }
        Some(Line {
            end: edges.len(),
            edges,
            complete: true,
        })
    }

    fn end_at(&mut self, lattice: &mut Lattice, layer: &[u32], cell: usize, tails: &Tails) {
        for &i in layer {
            let state = &lattice.states[i as usize];
            let over = state.position.legal_moves().is_empty();
            let mut ending = tails.ending(i, cell, over);
            let unplayed = self.held.iter().filter(|h| h.ply > state.ply).count();
            ending.weight -= UNPLAYED * unplayed as f32;
            lattice.endings.push(ending);
        }
    }

    /// Moves that the players left out before the next cell.
    fn left_out(&mut self, lattice: &Lattice, layer: &[u32], round: usize) -> Vec<Candidate> {
        let mut sources = layer.to_vec();
        sort_best_first(lattice, &mut sources);
        sources.truncate(GAP_STATES);
        // What every copy lacks, each player left out.
        let copies = self.record.copies() as f32;
        let cost = copies
            * if round == 0 {
                self.costs.missing
            } else {
                self.costs.missing_next
            };
        let mut candidates = Vec::new();
        for from in sources {
            let state = &lattice.states[from as usize];
            let expansion = self
                .positions
                .expand(state.hash, &state.position, state.context);
            let allowed = Allowed::at(self.held, state.ply, &state.position);
            let moves = expansion.moves.iter().filter(|m| allowed.includes(m.0));
            for &(m, _, log_prior) in moves {
                let weight = self.costs.prior * log_prior - cost;
                let step = Step::Move {
                    m,
                    cell: None,
                    read: f32::NEG_INFINITY,
                };
                candidates.push(Candidate {
                    from,
                    step,
                    weight,
                    total: state.best + weight,
                });
            }
        }
        candidates
    }

    /// What may be made of a cell: every legal move of every state, or no move at all.
    fn steps(&mut self, lattice: &Lattice, layer: &[u32], cell: usize) -> Vec<Candidate> {
        let costs = self.costs;
        let skip = self.record.cost(cell, |cell| match cell.state {
            CellState::Blank => costs.skip_blank,
            CellState::Written => costs.skip,
            CellState::StruckOut => costs.skip_struck,
        });
        let mut candidates = Vec::new();
        let mut top = f32::NEG_INFINITY;
        for &from in layer {
            let state = &lattice.states[from as usize];
            let (hash, best) = (state.hash, state.best);
            let mut propose = |step, weight| {
                let total = best + weight;
                top = top.max(total);
                if total >= top - self.window {
                    candidates.push(Candidate {
                        from,
                        step,
                        weight,
                        total,
                    });
                }
            };
            propose(Step::Skip(cell), -skip);
            let expansion = Rc::clone(&self.positions.expand(hash, &state.position, state.context));
            let allowed = Allowed::at(self.held, state.ply, &state.position);
            let moves = expansion.moves.iter().filter(|m| allowed.includes(m.0));
            for &(m, shape, log_prior) in moves {
                let mut heard = self
                    .record
                    .hear(cell, shape, self.positions, self.lexicons, costs);
                if allowed != Allowed::All {
                    heard.read = 0.0; // A person has read it.
                }
                let step = Step::Move {
                    m,
                    cell: Some(cell),
                    read: heard.read,
                };
                propose(step, heard.evidence + costs.prior * log_prior);
            }
        }
        candidates
    }

    /// Takes the best candidates into a layer of at most `room` states, merging those that reach the same position
    /// at the same ply.
    fn admit(
        &self,
        lattice: &mut Lattice,
        mut candidates: Vec<Candidate>,
        cell: u32,
        known: &mut Known,
        layer: &mut Vec<u32>,
        room: usize,
    ) {
        let top = layer.iter().map(|&i| lattice.states[i as usize].best);
        let top = candidates
            .iter()
            .map(|c| c.total)
            .chain(top)
            .fold(f32::NEG_INFINITY, f32::max);
        candidates.retain(|c| c.total >= top - self.window);
        candidates.sort_by(|a, b| b.total.total_cmp(&a.total));
        candidates.truncate(self.width * 4);
        for candidate in candidates {
            let from = &lattice.states[candidate.from as usize];
            let (position, context, ply) = match candidate.step {
                Step::Move { m, .. } => (
                    played(&from.position, m),
                    from.context.after(m),
                    from.ply + 1,
                ),
                Step::Skip(_) => (from.position.clone(), from.context, from.ply),
            };
            let edge = Edge {
                from: candidate.from,
                step: candidate.step,
                weight: candidate.weight,
            };
            let hash = hash(&position);
            if let Some(&at) = known.get(&(hash, ply)) {
                let state = &mut lattice.states[at as usize];
                if state.incoming.len() < EDGES {
                    state.incoming.push(edge);
                    state.best = state.best.max(candidate.total);
                }
            } else if layer.len() < room {
                let at = lattice.states.len() as u32;
                known.insert((hash, ply), at);
                layer.push(at);
                let best = candidate.total;
                lattice.states.push(State {
                    position,
                    hash,
                    ply,
                    cell,
                    context,
                    best,
                    incoming: vec![edge],
                });
            }
        }
    }
}

fn sort_best_first(lattice: &Lattice, states: &mut [u32]) {
    states.sort_by(|&a, &b| {
        lattice.states[b as usize]
            .best
            .total_cmp(&lattice.states[a as usize].best)
            .then(a.cmp(&b))
    });
}

fn key(lattice: &Lattice, state: u32) -> (u64, u16) {
    let state = &lattice.states[state as usize];
    (state.hash, state.ply)
}

fn hash(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

fn played(position: &Chess, m: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}
