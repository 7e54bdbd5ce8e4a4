//! What the page is shown of an event, as JSON.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::event::checks::Finding;
use crate::event::coverage::{self, CoverageStatus};
use crate::event::matching::EventSlot;
use crate::event::{CheckCode, Level};
use crate::notation::terminator;

use super::backend::Refusal;
use super::event_seats::Seat;
use super::matched_games::MatchedGames;
use super::run::Review;
use super::state::{Phase, State};

/// Number of pairings that are offered for a game.
const MAX_RUNNERS_UP: usize = 6;

/// Smallest probability of a pairing that is offered.
const MIN_RUNNER_UP: f64 = 0.001;

impl MatchedGames {
    /// The seat of a pairing or bye.
    fn seat(&self, slot: EventSlot) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.slot == slot)
    }

    /// The names of the players at a seat; that of Black is empty for a bye.
    pub(super) fn names(&self, slot: EventSlot) -> [&str; 2] {
        let event = &self.ledger.event;
        let name = |player: usize| event.players[player].name.as_str();
        match slot {
            EventSlot::Pairing(i) => [event.pairings[i].white, event.pairings[i].black].map(name),
            EventSlot::Bye(i) => [name(event.byes[i].player), ""],
        }
    }

    /// The records at a seat, the one that is written first.
    fn records_at(&self, slot: EventSlot) -> Vec<usize> {
        match slot {
            EventSlot::Pairing(i) => self.ledger.records_of(i),
            EventSlot::Bye(_) => {
                let is_there = |&i: &usize| {
                    let own = self.ledger.matches[i].as_ref();
                    own.is_ok_and(|own| own.slot == slot)
                };
                (0..self.ids.len()).filter(is_there).collect()
            }
        }
    }

    fn seat_value(&self, seat: &Seat, findings: &[&Finding], state_of: StateOf) -> Value {
        let [white, black] = self.names(seat.slot);
        let (pairing, result) = match seat.slot {
            EventSlot::Pairing(i) => {
                let outcome = self.ledger.event.pairings[i].outcome;
                (Some(i), terminator(outcome))
            }
            EventSlot::Bye(_) => (None, ""),
        };
        let records = self.records_at(seat.slot);
        let games: Vec<&String> = records.iter().map(|&i| &self.ids[i]).collect();
        let is_own = |f: &&&Finding| pairing.is_some() && f.pairing == pairing;
        let mut codes: Vec<String> = Vec::new();
        for finding in findings.iter().filter(is_own) {
            let code = finding.code.to_string();
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        json!({
            "round": seat.round, "board": seat.board, "numbered": seat.is_numbered,
            "white": white, "black": black, "result": result, "kind": seat.kind.name(),
            "game": games.first(), "others": games.get(1..).unwrap_or_default(),
            "state": games.first().and_then(|id| state_of(id)), "checks": codes,
        })
    }

    fn finding_value(&self, finding: &Finding) -> Value {
        let game = |record: Option<usize>| record.map(|i| &self.ids[i]);
        let subject = finding.subject;
        let slot = finding.pairing.map(EventSlot::Pairing);
        let seat = slot.and_then(|slot| self.seat(slot));
        json!({
            "code": finding.code.to_string(), "level": finding.code.level().letter().to_string(),
            "place": finding.place, "text": finding.text,
            "round": seat.map(|seat| seat.round), "board": seat.map(|seat| seat.board),
            "game": game(subject.record), "other": game(subject.other), "ply": subject.ply,
            "sheet": subject.sheet,
        })
    }

    /// The pairings that suit a game best.
    fn runners_up(&self, record: usize) -> Vec<Value> {
        let ranked = self.ledger.rank_slots(record, MAX_RUNNERS_UP);
        let likely = ranked.iter().filter(|r| r.probability >= MIN_RUNNER_UP);
        let values = likely.filter_map(|ranked| {
            let seat = self.seat(ranked.slot).filter(|_| is_pairing(ranked.slot))?;
            let [white, black] = self.names(ranked.slot);
            Some(json!({
                "round": seat.round, "board": seat.board, "white": white, "black": black,
                "exchanged": ranked.reversed, "odds": ranked.probability,
            }))
        });
        values.collect()
    }

    /// A game without a pairing, as it lies in the tray; none for one that has its place.
    fn unmatched_value(&self, record: usize) -> Option<Value> {
        if self.ledger.pairing_of(record).is_some() {
            return None;
        }
        let is_reason = |finding: &&Finding| {
            finding.subject.record == Some(record)
                && matches!(finding.code, CheckCode::M1 | CheckCode::M2 | CheckCode::M4)
        };
        let reason = self.findings.iter().find(is_reason);
        let sheets = &self.ledger.records[record].sheets;
        Some(json!({
            "id": self.ids[record], "sheets": sheets.iter().map(|s| s.name()).collect::<Vec<_>>(),
            "why": reason.map_or("", |finding| &finding.text),
            "runners_up": self.runners_up(record),
        }))
    }

    /// Where a game belongs, and where else it may belong.
    pub(super) fn pairing_value(&self, id: &str) -> Value {
        let Some(&record) = self.records.get(id) else {
            return Value::Null;
        };
        let pairing = self.ledger.pairing_of(record);
        let pairing = pairing.map(|(i, own)| (EventSlot::Pairing(i), own.reversed));
        let seat = pairing.and_then(|(slot, _)| self.seat(slot));
        json!({
            "round": seat.map(|seat| seat.round), "board": seat.map(|seat| seat.board),
            "exchanged": pairing.is_some_and(|(_, reversed)| reversed),
            "runners_up": self.runners_up(record),
        })
    }
}

/// The state of a game, by its id.
type StateOf<'a> = &'a dyn Fn(&str) -> Option<&'static str>;

fn is_pairing(slot: EventSlot) -> bool {
    matches!(slot, EventSlot::Pairing(_))
}

/// Whether a finding says something while sheets are still being read, and later ones may be those
/// that are missing.
fn is_told_early(finding: &Finding) -> bool {
    !matches!(finding.code, CheckCode::C1 | CheckCode::C2)
}

impl Review {
    /// The event in short, for the whole run; null without one.
    pub(super) fn event_summary(&self, state: &State) -> Value {
        let Some(matched) = &state.matched else {
            return Value::Null;
        };
        let mut rounds: Vec<(u32, usize)> = Vec::new();
        for seat in &matched.seats {
            match rounds.last_mut() {
                Some((round, boards)) if *round == seat.round => *boards += 1,
                _ => rounds.push((seat.round, 1)),
            }
        }
        let statuses = coverage::pairing_statuses(&matched.ledger, &matched.findings);
        let count = |status| statuses.iter().filter(|(_, s)| *s == status).count();
        let unmatched = matched.records.values();
        let unmatched = unmatched.filter(|&&i| matched.ledger.pairing_of(i).is_none());
        let is_error = |finding: &&Finding| finding.code.level() == Level::Error;
        let errors = matched.findings.iter().filter(is_error);
        let rounds = rounds.iter();
        let rounds = rounds.map(|(round, boards)| json!({ "round": round, "boards": boards }));
        json!({
            "name": matched.ledger.event.name, "rounds": rounds.collect::<Vec<_>>(),
            "counts": {
                "pairings": statuses.len(), "ok": count(CoverageStatus::Ok),
                "review": count(CoverageStatus::Review), "missing": count(CoverageStatus::Missing),
                "not_expected": count(CoverageStatus::NotExpected), "unmatched": unmatched.count(),
                "errors": errors.count(),
            },
        })
    }

    /// The whole event.
    ///
    /// # Errors
    /// 404 where the review has none.
    pub(super) fn event_value(&self) -> Result<Value, Refusal> {
        let state = self.state();
        let matched = state.matched.as_ref().map(Arc::clone);
        let no_event = || {
            let hint = "start `sheetscan review` with --trf";
            Refusal::new(404, "this run has no event", hint)
        };
        let matched = matched.ok_or_else(no_event)?;
        let is_ready = state.phase == Phase::Ready;
        let states = (0..state.sessions.len()).filter_map(|at| {
            let shown = |view: &super::views::GameView| (view.id.to_owned(), view.state().name());
            state.with_view(at, shown)
        });
        let states: std::collections::HashMap<String, &'static str> = states.collect();
        drop(state);
        let state_of = |id: &str| states.get(id).copied();
        let findings = matched.findings.iter();
        let findings: Vec<&Finding> = findings.filter(|f| is_ready || is_told_early(f)).collect();
        let seats = matched.seats.iter();
        let boards = seats.map(|seat| matched.seat_value(seat, &findings, &state_of));
        let is_first = |i: &usize| matched.records.get(&matched.ids[*i]) == Some(i);
        let tray = (0..matched.ids.len()).filter(is_first);
        let tray = tray.filter_map(|i| matched.unmatched_value(i));
        let checks = findings
            .iter()
            .map(|finding| matched.finding_value(finding));
        Ok(json!({
            "name": matched.ledger.event.name, "boards": boards.collect::<Vec<_>>(),
            "tray": tray.collect::<Vec<_>>(), "checks": checks.collect::<Vec<_>>(),
        }))
    }
}
