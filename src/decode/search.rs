//! Beam search over the game tree, cell by cell, merging equal positions into a lattice.

use shakmaty::{Chess, Move, Position};

use crate::ink::CellState;
use crate::prior::LastMoves;

use super::costs::Costs;
use super::ending::Tails;
use super::fixed_move::{Allowed, FixedMove};
use super::growth::{Candidate, Growth, Known, PROPOSALS, hash};
use super::hand::Hand;
use super::lattice::{Edge, Guide, Lattice, Line, State, Step, slot};
use super::lexicon::Lexicons;
use super::position::Positions;
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
/// Nats by which smoothing may lift the evidence for a move above certainty.
const SURPLUS: f32 = 1.0;
/// Nats of a move in the other player's column: of two ways to explain the same cells, the one that shifts fewer.
const OTHER_COLUMN: f32 = 0.02;
/// How much of what it has found a search keeps after each cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beam {
    /// States.
    pub width: usize,
    /// How far a state may lie behind the best one, in nats of a single sheet. Easy sheets then keep a handful.
    pub window: f32,
}

/// A record to search, and what one search of it leaves to the next.
pub(super) struct Search<'s, 'p> {
    pub record: &'s mut Record,
    pub positions: &'s mut Positions<'p>,
    pub lexicons: &'s mut Lexicons<'p>,
    pub costs: &'s Costs,
    /// Moves that a person has settled.
    pub held: &'s [FixedMove],
}

impl Search<'_, '_> {
    /// Takes each copy for written by its one of these hands from now on.
    pub(super) fn take(&mut self, hands: &[Hand]) {
        if self.lexicons.take(hands) {
            self.record.forget();
        }
    }

    /// Decodes the first `cells` slots of the record. Where an earlier search gives a guide, part of each layer is for
    /// games of all the cells at which they left it: the one that left it where it went astray is not crowded out.
    pub(super) fn run(&mut self, cells: usize, beam: Beam, guide: Option<&Guide>) -> Lattice {
        let root = Chess::default();
        let state = State {
            hash: hash(&root),
            position: root,
            ply: 0,
            cell: 0,
            swapped: false,
            strayed: None,
            fault: 0,
            last_moves: LastMoves::default(),
            best: 0.0,
            incoming: Vec::new(),
        };
        let mut grown = Growth {
            guide,
            states: vec![state],
            endings: Vec::new(),
            width: beam.width,
            window: beam.window * self.record.weight(),
            cells,
        };
        let tails = [false, true].map(|swapped| {
            let slots: Vec<usize> = (0..cells).map(|c| slot(c, cells, swapped)).collect();
            Tails::new(self.record, &slots, self.costs)
        });
        let mut layer = vec![0u32];
        for cell in 0..cells {
            let mut known: Known = layer.iter().map(|&i| (grown.key(i), i)).collect();
            let mut gaps = layer.clone();
            let best = layer.iter().map(|&i| grown.states[i as usize].best);
            let top = best.fold(f32::NEG_INFINITY, f32::max);
            for round in 0..GAP_MOVES {
                let candidates = self.left_out(&grown, &gaps, top, round);
                let before = layer.len();
                let room = before + grown.width / 2;
                grown.admit(candidates, cell as u32, &mut known, &mut layer, room);
                gaps = layer[before..].to_vec();
            }
            if cell % 2 == 0 && self.record.copies() == 1 {
                grown.turn(&mut known, &mut layer, self.costs.swap);
            }
            let candidates = self.steps(&grown, &layer, cell);
            self.end_at(&mut grown, &layer, cell, &tails);
            layer = Vec::new();
            let room = grown.width;
            grown.admit(
                candidates,
                cell as u32 + 1,
                &mut Known::default(),
                &mut layer,
                room,
            );
        }
        self.end_at(&mut grown, &layer, cells, &tails);
        Lattice::new(grown.states, grown.endings)
    }

    /// The game that the sheet spells without one doubt: every cell up to the last surely reads as one legal move and
    /// as no other. Such a game is believed however odd its moves are; the prior only says how much to doubt it.
    pub(super) fn literal(&mut self) -> Option<Line> {
        let mut position = Chess::default();
        let mut last_moves = LastMoves::default();
        let mut edges = Vec::new();
        for cell in 0..self.record.slots.len() {
            let expansion = self
                .positions
                .expand(hash(&position), &position, last_moves);
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
            last_moves = last_moves.after(m);
            position.play_unchecked(m);
        }
        Some(Line {
            edges,
            rest: Vec::new(),
            complete: true,
        })
    }

    fn end_at(&mut self, grown: &mut Growth, layer: &[u32], cell: usize, tails: &[Tails; 2]) {
        for &i in layer {
            let state = &grown.states[i as usize];
            let over = self.positions.is_over(state.hash, &state.position);
            let mut ending = tails[usize::from(state.swapped)].ending(i, cell, over);
            let unplayed = self.held.iter().filter(|h| h.ply > state.ply).count();
            ending.weight -= UNPLAYED * unplayed as f32;
            grown.endings.push(ending);
        }
    }

    /// Moves that the players left out before the next cell, where the best game has weight `top`.
    fn left_out(
        &mut self,
        grown: &Growth,
        layer: &[u32],
        top: f32,
        round: usize,
    ) -> Vec<Candidate> {
        let mut sources = layer.to_vec();
        grown.sort_best_first(&mut sources);
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
            let state = &grown.states[from as usize];
            if state.best - cost < top - grown.window {
                break;
            }
            let expansion = self
                .positions
                .expand(state.hash, &state.position, state.last_moves);
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
    fn steps(&mut self, grown: &Growth, layer: &[u32], cell: usize) -> Vec<Candidate> {
        let costs = self.costs;
        let mut sources = layer.to_vec();
        grown.sort_best_first(&mut sources);
        let mut proposals = Proposals::new(grown.window, grown.width * PROPOSALS);
        for from in sources {
            let state = &grown.states[from as usize];
            let best = state.best;
            if best + SURPLUS < proposals.least {
                continue;
            }
            let slot = slot(cell, grown.cells, state.swapped);
            let mut propose = |step, weight| {
                proposals.add(Candidate {
                    from,
                    step,
                    weight,
                    total: best + weight,
                })
            };
            let skip = self.record.cost(slot, |cell| match cell.state {
                CellState::Blank => costs.skip_blank,
                CellState::Written => costs.skip,
                CellState::StruckOut => costs.skip_struck,
            });
            let mut least = propose(Step::Skip(slot), -skip);
            let expansion = self
                .positions
                .expand(state.hash, &state.position, state.last_moves);
            let allowed = Allowed::at(self.held, state.ply, &state.position);
            let moves = expansion.moves.iter().filter(|m| allowed.includes(m.0));
            let shifted = usize::from(state.ply) % 2 != cell % 2;
            let column = if shifted { OTHER_COLUMN } else { 0.0 };
            for &(m, shape, log_prior) in moves {
                let weight = costs.prior * log_prior - column;
                if best + weight + SURPLUS < least {
                    continue;
                }
                let mut heard = self
                    .record
                    .hear(slot, shape, self.positions, self.lexicons, costs);
                if allowed != Allowed::All {
                    heard.read = 0.0; // A person has read it.
                }
                let step = Step::Move {
                    m,
                    cell: Some(slot),
                    read: heard.read,
                };
                least = propose(step, heard.evidence + weight);
            }
        }
        proposals.candidates
    }
}

/// The best of the steps that are proposed for a layer.
struct Proposals {
    candidates: Vec<Candidate>,
    /// How far a proposal may lie behind the best one, in nats.
    window: f32,
    /// How many of the best are enough.
    enough: usize,
    top: f32,
    /// A proposal whose total is less is not among the best.
    least: f32,
}

impl Proposals {
    fn new(window: f32, enough: usize) -> Self {
        Self {
            candidates: Vec::new(),
            window,
            enough,
            top: f32::NEG_INFINITY,
            least: f32::NEG_INFINITY,
        }
    }

    /// Adds a proposal if it is among the best so far; gives the total that the next one must have.
    fn add(&mut self, candidate: Candidate) -> f32 {
        self.top = self.top.max(candidate.total);
        self.least = self.least.max(self.top - self.window);
        if candidate.total >= self.least {
            self.candidates.push(candidate);
            if self.candidates.len() >= 2 * self.enough {
                let worst_first = |a: &Candidate, b: &Candidate| b.total.total_cmp(&a.total);
                let (_, last, _) = self
                    .candidates
                    .select_nth_unstable_by(self.enough - 1, worst_first);
                self.least = self.least.max(last.total);
                self.candidates.truncate(self.enough);
            }
        }
        self.least
    }
}
