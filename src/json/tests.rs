use serde_json::{Value, json};

use super::*;
use crate::decode::{Candidate, ConfidenceFeatures, Gap, Ply, Unread, UnreadReason};
use crate::grid::Side;
use crate::notation::Outcome;
use crate::scan::tests::{cell, reading, scanned};

#[test]
fn a_line_holds_every_field_of_the_contract() {
    let mut scanned = scanned();
    let (first, second) = (cell(1, Side::White), cell(1, Side::Black));
    (scanned.sheets[0].width, scanned.sheets[0].height) = (40, 30);
    scanned.sheets[0].cells = vec![reading(first, "e4"), reading(second, "Cq9")];
    scanned.game.plies = vec![Ply {
        san: "e4".to_owned(),
        uci: "e2e4".to_owned(),
        confidence: 0.987_654,
        features: ConfidenceFeatures::default(),
        review: true,
        settled: false,
        seen: false,
        alternatives: vec![("e3".to_owned(), 0.01)],
        cells: vec![(0, first)],
    }];
    scanned.game.unread = vec![Unread {
        sheet: 0,
        cell: second,
        reason: UnreadReason::Illegal,
    }];
    scanned.game.languages = vec!["pt".to_owned()];
    scanned.game.outcome = Outcome::BlackWins;
    scanned.game.complete = false;
    scanned.game.gap = Some(Gap {
        first: (0, cell(1, Side::Black)),
        resumed: None,
    });
    scanned.break_candidates = vec![Candidate {
        san: "e5".to_owned(),
        uci: "e7e5".to_owned(),
        share: 0.25,
        fit: -3.0,
    }];
    let corners = json!([[1.3, 2.0], [11.3, 2.0], [11.3, 7.0], [1.3, 7.0]]);
    let expected = json!({
        "schema": 1,
        "sheets": [{"path": "a/b.jpg", "page": 2, "sha256": "00ff", "language": "pt",
                    "copy_of": null, "width": 40, "height": 30,
                    "cells": [{"move": 1, "side": "white", "state": "written", "read": "e4",
                               "read_confidence": 0.95, "box": corners},
                              {"move": 1, "side": "black", "state": "written", "read": "Cq9",
                               "read_confidence": 0.95, "box": corners}]}],
        "tags": {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?",
                 "Black": "?", "Result": "0-1"},
        "language": "pt",
        "complete": false,
        "plies": [{
            "ply": 1, "san": "e4", "uci": "e2e4", "confidence": 0.9877, "review": true,
            "why": "low", "alternatives": [{"san": "e3", "confidence": 0.01}],
            "cells": [{"sheet": 0, "move": 1, "side": "white", "read": "e4",
                       "read_confidence": 0.95, "box": corners}],
        }],
        "unread": [{"sheet": 0, "move": 1, "side": "black", "read": "Cq9", "reason": "illegal",
                    "box": corners}],
        "gap": {"first": {"sheet": 0, "move": 1, "side": "black", "read": "Cq9",
                          "read_confidence": 0.95, "box": corners}},
        "break_at": {"ply": 2,
                     "cell": {"sheet": 0, "move": 1, "side": "black", "read": "Cq9",
                              "read_confidence": 0.95, "box": corners},
                     "candidates": [{"san": "e5", "confidence": 0.25}]},
        "break_off": "sheetscan: not readable from move 1 Black on; the sheet goes on: 1... Cq9",
    });
    let line = line(&GameRecord::from(&scanned));
    assert!(!line.contains('\n'));
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), expected);
}
