//! Beam search over the game tree, cell by cell, merging equal positions into a lattice.

use rustc_hash::FxHashMap;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use crate::cell::CellState;
use crate::notation::Language;
use crate::prior::Context;

use super::costs::Costs;
use super::ending::Tails;
use super::held::{Allowed, Held};
use super::lattice::{Edge, Ending, Guide, Lattice, Line, State, Step, slot};
use super::position::{Lexicons, Positions};
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
/// States of a layer for which the columns may turn out swapped from here on.
const TURNS: usize = 4;
/// Nats by which smoothing may lift the evidence for a move above certainty.
const SURPLUS: f32 = 1.0;
/// States of a layer for all games of a crowd, once the open part of the layer is filled.
const CROWD: usize = 24;
/// Edges kept into one state, for the shares of alternatives.
const EDGES: usize = 8;

/// A step that may enter the next layer.
struct Candidate {
    from: u32,
    step: Step,
    weight: f32,
    total: f32,
}

/// How much of what it has found a search keeps after each cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beam {
    /// States.
    pub width: usize,
    /// How far a state may lie behind the best one, in nats of a single sheet. Easy sheets then keep a handful.
    pub window: f32,
}

/// How a guided search shares out a layer. Games that left the guide at the same cell are a crowd; of one crowd no more
/// than a few are kept, lest those that leave late, and have had no time to go wrong, take all the room.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quota {
    /// Whether a crowd is only of games that last had a cell unexplained at the same place, too.
    pub by_fault: bool,
    /// Share of the layer that is open to the best states of any crowd.
    pub open: f32,
}

/// A record to search, and what one search of it leaves to the next.
pub(super) struct Search<'s, 'p> {
    pub record: &'s mut Record,
    pub positions: &'s mut Positions<'p>,
    pub lexicons: &'s mut Lexicons<'p>,
    pub costs: &'s Costs,
    /// Moves that a person has settled.
    pub held: &'s [Held],
}

/// A layer's states by position, ply and the column that goes first.
type Known = FxHashMap<(u64, u16, bool), u32>;

/// A search under way: the states and endings found so far.
struct Growth<'g> {
    guide: Option<(&'g Guide, Quota)>,
    states: Vec<State>,
    endings: Vec<Ending>,
    width: usize,
    window: f32,
    cells: usize,
}

impl Search<'_, '_> {
    /// Takes each copy for written in its one of these languages from now on.
    pub(super) fn take(&mut self, languages: &[&'static Language]) {
        if self.lexicons.take(languages) {
            self.record.forget_scores();
        }
    }

    /// Decodes the first `cells` slots of the record. Where an earlier search gives a guide, part of each layer is for
    /// games of all the cells at which they left it, by a quota: the one that left it where it went astray is not
    /// crowded out.
    pub(super) fn run(
        &mut self,
        cells: usize,
        beam: Beam,
        guide: Option<(&Guide, Quota)>,
    ) -> Lattice {
        let root = Chess::default();
        let state = State {
            hash: hash(&root),
            position: root,
            ply: 0,
            cell: 0,
            swapped: false,
            strayed: None,
            fault: 0,
            context: Context::default(),
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
    fn steps(&mut self, grown: &Growth, layer: &[u32], cell: usize) -> Vec<Candidate> {
        let costs = self.costs;
        let mut candidates = Vec::new();
        let mut top = f32::NEG_INFINITY;
        for &from in layer {
            let state = &grown.states[from as usize];
            let best = state.best;
            if best + SURPLUS < top - grown.window {
                continue;
            }
            let slot = slot(cell, grown.cells, state.swapped);
            let mut propose = |step, weight| {
                let total = best + weight;
                top = top.max(total);
                if total >= top - grown.window {
                    candidates.push(Candidate {
                        from,
                        step,
                        weight,
                        total,
                    });
                }
                top - grown.window
            };
            let skip = self.record.cost(slot, |cell| match cell.state {
                CellState::Blank => costs.skip_blank,
                CellState::Written => costs.skip,
                CellState::StruckOut => costs.skip_struck,
            });
            let mut least = propose(Step::Skip(slot), -skip);
            let expansion = self
                .positions
                .expand(state.hash, &state.position, state.context);
            let allowed = Allowed::at(self.held, state.ply, &state.position);
            let moves = expansion.moves.iter().filter(|m| allowed.includes(m.0));
            for &(m, shape, log_prior) in moves {
                let weight = costs.prior * log_prior;
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
        candidates
    }
}

impl Growth<'_> {
    /// Takes the best candidates into a layer of at most `room` states, merging those that reach the same position
    /// at the same ply.
    fn admit(
        &mut self,
        mut candidates: Vec<Candidate>,
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
        candidates.retain(|c| c.total >= top - self.window);
        candidates.sort_by(|a, b| b.total.total_cmp(&a.total));
        if self.guide.is_none() {
            candidates.truncate(self.width * 4);
        }
        let mut crowds: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for candidate in candidates {
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
                    (None, Some((guide, _))) if !on_guide(guide) => Some(cell),
                    (strayed, _) => strayed,
                };
                let fault = if candidate.step.is_explained() {
                    from.fault
                } else {
                    cell
                };
                if let (Some(at), Some((_, quota))) = (strayed, self.guide) {
                    let last = if quota.by_fault { fault } else { 0 };
                    let crowd = crowds.entry((at, last)).or_default();
                    *crowd += 1;
                    if layer.len() as f32 >= quota.open * room as f32 && *crowd > CROWD {
                        continue;
                    }
                }
                let (position, context) = match candidate.step {
                    Step::Move { m, .. } => (played(&from.position, m), from.context.after(m)),
                    Step::Skip(_) => (from.position.clone(), from.context),
                };
                let state = State {
                    position,
                    hash,
                    ply,
                    cell,
                    swapped: from.swapped,
                    strayed,
                    fault,
                    context,
                    best: candidate.total,
                    incoming: vec![edge],
                };
                self.push(state, known, layer);
            }
        }
    }

    /// Lets the leading games of a layer take the other column first from here on.
    fn turn(&mut self, known: &mut Known, layer: &mut Vec<u32>, cost: f32) {
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

    fn sort_best_first(&self, states: &mut [u32]) {
        let best = |i: u32| self.states[i as usize].best;
        states.sort_by(|&a, &b| best(b).total_cmp(&best(a)).then(a.cmp(&b)));
    }

    fn key(&self, state: u32) -> (u64, u16, bool) {
        let state = &self.states[state as usize];
        (state.hash, state.ply, state.swapped)
    }
}

fn hash(position: &Chess) -> u64 {
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
