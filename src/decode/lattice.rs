//! The games still alive, as a lattice: positions at cells, joined by what was made of the cell between them.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use shakmaty::{Chess, Move};

use crate::logprob::log_add;
use crate::prior::LastMoves;

use super::record::Record;

/// How one state follows from another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// A move, and the slot it stands in; none where the players left it out.
    Move {
        /// The move.
        m: Move,
        /// Index of its slot.
        cell: Option<usize>,
        /// Mean log-probability of the cells' writing under the move; minus infinity where nothing speaks for it.
        read: f32,
    },
    /// A slot that is no move of the game.
    Skip(usize),
}

impl Step {
    /// Whether what stands in its cells explains it, more or less.
    pub(super) fn is_explained(self) -> bool {
        matches!(self, Self::Move { read, .. } if read >= UNEXPLAINED)
    }

    /// How far its cells leave it unexplained: 0 to 1.
    fn strain(self) -> f32 {
        match self {
            Self::Move { read, .. } if read >= STRAINED => 0.0,
            Self::Move { read, .. } => (read / UNEXPLAINED).min(1.0),
            Self::Skip(_) => 1.0,
        }
    }
}

/// An edge of the lattice, kept at the state it leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub from: u32,
    pub step: Step,
    /// Log-weight: evidence, prior and costs.
    pub weight: f32,
}

/// A position after some cells.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub position: Chess,
    pub hash: u64,
    pub ply: u16,
    /// Number of cells behind it.
    pub cell: u32,
    /// Whether Black's column goes first in the rows that follow.
    pub swapped: bool,
    /// Number of cells after which its game left the guide; none on the guide itself.
    pub strayed: Option<u32>,
    /// Number of cells behind its last step that no writing explains; 0 for none.
    pub fault: u32,
    pub last_moves: LastMoves,
    /// Weight of the best way here; where a game begins, what beginning so weighs.
    pub best: f32,
    pub incoming: Vec<Edge>,
}

/// What tells a state from others: the number of cells behind it, its position by hash, its ply, and the column order.
pub(super) type Place = (u32, u64, u16, bool);

/// The places that a game passes, by which a further search tells other games.
pub(super) type Guide = FxHashSet<Place>;

impl State {
    /// What tells it from others.
    pub(super) fn place(&self) -> Place {
        (self.cell, self.hash, self.ply, self.swapped)
    }
}

/// Where a game may end: its last state, the log-weight of what the remaining cells hold, and whether they are
/// accounted for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    pub state: u32,
    pub weight: f32,
    pub complete: bool,
}

/// A cell whose writing is less likely than this, in nats, is not explained by its move.
const UNEXPLAINED: f32 = -8.0;
/// A cell whose writing is likelier than this is explained.
const STRAINED: f32 = -3.0;
/// Unexplained cells in a game from which it is looked for again, cells explained in part counted in part: players make a slip.
const ASTRAY: f32 = 2.0;
/// Written cells behind the last move, for each move before, from which these are found by chance.
const BY_CHANCE: usize = 10;

/// One way through the sheet.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// What was made of each cell, in order.
    pub edges: Vec<Edge>,
    /// The slots after the game, in their order.
    pub rest: Vec<usize>,
    /// Whether these are accounted for.
    pub complete: bool,
}

impl Line {
    /// Whether it gives up before the last cell, or leaves so much unexplained that the search may have lost its way
    /// early.
    pub(super) fn is_doubtful(&self) -> bool {
        let strain = self.edges.iter().map(|e| e.step.strain());
        !self.complete || strain.sum::<f32>() >= ASTRAY
    }

    /// Whether it gives up so early that a few moves may as well have been found in writing that is of no game, or in no
    /// writing at all.
    pub(super) fn is_by_chance(&self, record: &Record) -> bool {
        let moves = self
            .edges
            .iter()
            .filter(|e| matches!(e.step, Step::Move { .. }))
            .count();
        let rest = self.rest.iter().filter(|&&slot| !record.is_blank(slot));
        !self.complete && moves * BY_CHANCE < rest.count()
    }

    /// Of a record of so many slots that nothing can be made of.
    pub(super) fn without_moves(slots: usize) -> Self {
        Self {
            edges: Vec::new(),
            rest: (0..slots).collect(),
            complete: false,
        }
    }
}

/// All states of a search.
#[derive(Debug)]
pub(super) struct Lattice {
    pub states: Vec<State>,
    pub endings: Vec<Ending>,
    /// Indices of the states, such that every edge leads forward: by cell, then by ply.
    order: Vec<usize>,
    /// For each state the weight of the best way to it, and the incoming edge that it comes by.
    pub reach: Vec<(f32, Option<usize>)>,
    /// Weight of the best game.
    pub weight: f32,
}

/// Share of the probability of each move, by ply from 0.
pub(super) type PlyShares = BTreeMap<u16, Vec<(Move, f64)>>;

impl Lattice {
    /// The lattice of these states and endings.
    pub(super) fn new(states: Vec<State>, endings: Vec<Ending>) -> Self {
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by_key(|&i| (states[i].cell, states[i].ply, i));
        let mut reach = vec![(f32::NEG_INFINITY, None); states.len()];
        for &i in &order {
            let state = &states[i];
            if state.incoming.is_empty() {
                reach[i] = (state.best, None);
            }
            for (k, edge) in state.incoming.iter().enumerate() {
                let weight = reach[edge.from as usize].0 + edge.weight;
                if weight > reach[i].0 {
                    reach[i] = (weight, Some(k));
                }
            }
        }
        let totals = endings.iter().map(|e| reach[e.state as usize].0 + e.weight);
        let weight = totals.fold(f32::NEG_INFINITY, f32::max);
        Self {
            states,
            endings,
            order,
            reach,
            weight,
        }
    }

    /// For each state the weight of the best way on to the end of a game, and the state and its incoming edge that
    /// come next; none where the game ends.
    pub(super) fn onward(&self) -> Vec<(f32, Option<(usize, usize)>)> {
        let mut onward = vec![(f32::NEG_INFINITY, None); self.states.len()];
        for ending in &self.endings {
            let at = ending.state as usize;
            if ending.weight > onward[at].0 {
                onward[at] = (ending.weight, None);
            }
        }
        for &i in self.order.iter().rev() {
            for (k, edge) in self.states[i].incoming.iter().enumerate() {
                let weight = onward[i].0 + edge.weight;
                if weight > onward[edge.from as usize].0 {
                    onward[edge.from as usize] = (weight, Some((i, k)));
                }
            }
        }
        onward
    }

    /// The best game over a record of so many slots.
    pub(super) fn best(&self, slots: usize) -> Line {
        let total = |e: &&Ending| self.reach[e.state as usize].0 + e.weight;
        let Some(ending) = self.endings.iter().find(|e| total(e) == self.weight) else {
            return Line::default();
        };
        let mut edges = Vec::new();
        let mut at = ending.state as usize;
        while let Some(k) = self.reach[at].1 {
            let edge = self.states[at].incoming[k];
            edges.push(edge);
            at = edge.from as usize;
        }
        edges.reverse();
        let last = &self.states[ending.state as usize];
        Line {
            edges,
            rest: (last.cell as usize..slots)
                .map(|cell| slot(cell, slots, last.swapped))
                .collect(),
            complete: ending.complete,
        }
    }

    /// Where a game leads: the states on its way.
    pub(super) fn guide(&self, line: &Line) -> Guide {
        let from = line.edges.iter().map(|edge| edge.from as usize);
        from.map(|at| self.states[at].place()).collect()
    }

    /// Forward-backward over the lattice: the posterior share of every move at every ply, weights divided by
    /// `temperature` first.
    pub(super) fn shares(&self, temperature: f32) -> PlyShares {
        let scale = 1.0 / f64::from(temperature);
        let n = self.states.len();
        let (mut ahead, mut behind) = (vec![f64::NEG_INFINITY; n], vec![f64::NEG_INFINITY; n]);
        for &i in &self.order {
            let state = &self.states[i];
            if state.incoming.is_empty() {
                ahead[i] = scale * f64::from(state.best);
            }
            for edge in &state.incoming {
                ahead[i] = log_add(
                    ahead[i],
                    ahead[edge.from as usize] + scale * f64::from(edge.weight),
                );
            }
        }
        let mut total = f64::NEG_INFINITY;
        for ending in &self.endings {
            let (i, weight) = (ending.state as usize, scale * f64::from(ending.weight));
            behind[i] = log_add(behind[i], weight);
            total = log_add(total, ahead[i] + weight);
        }
        let mut shares: PlyShares = BTreeMap::new();
        for &i in self.order.iter().rev() {
            for edge in &self.states[i].incoming {
                let from = edge.from as usize;
                let weight = scale * f64::from(edge.weight) + behind[i];
                behind[from] = log_add(behind[from], weight);
                if let Step::Move { m, .. } = edge.step {
                    let share = (ahead[from] + weight - total).exp();
                    let moves = shares.entry(self.states[from].ply).or_default();
                    match moves.iter_mut().find(|(known, _)| *known == m) {
                        Some((_, sum)) => *sum += share,
                        None => moves.push((m, share)),
                    }
                }
            }
        }
        shares
    }
}

/// The slot that comes after so many cells of a record of `slots`: in each row White's column goes first, or Black's.
pub(super) fn slot(cell: usize, slots: usize, swapped: bool) -> usize {
    if swapped && cell ^ 1 < slots {
        cell ^ 1
    } else {
        cell
    }
}
