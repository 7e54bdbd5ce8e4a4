//! Copies of short games, and games that share an opening.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::grid::Side;
use crate::ink::CellState;
use crate::scan::tests::{cell, reading};

fn sheet(texts: &str) -> Vec<Reading> {
    let side = |i: usize| {
        if i.is_multiple_of(2) {
            Side::White
        } else {
            Side::Black
        }
    };
    let one = |(i, text)| {
        let mut r = reading(cell(i as u32 / 2 + 1, side(i)), text);
        if text == "_" {
            (r.state, r.text) = (CellState::Blank, String::new());
        }
        r
    };
    texts.split(' ').enumerate().map(one).collect()
}

/// The slots as pairs of texts.
fn side_by_side(a: &str, b: &str) -> Vec<String> {
    let (a, b) = (sheet(a), sheet(b));
    let text = |s: &[Reading], i: Option<usize>| i.map_or("-".to_owned(), |i| s[i].text.clone());
    let slots = align(&[&a, &b], &Parameters::default());
    slots
        .iter()
        .map(|s| format!("{}/{}", text(&a, s[0]), text(&b, s[1])))
        .collect()
}

#[test]
fn a_move_left_out_of_one_copy_is_a_gap() {
    assert_eq!(
        side_by_side("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Cf3 Bb5 a6"),
        ["e4/e4", "e5/e5", "Nf3/Cf3", "Nc6/-", "Bb5/Bb5", "a6/a6"]
    );
}

#[test]
fn blank_cells_are_no_gap() {
    assert_eq!(
        side_by_side("e4 e5 _ _ Nf3 Nc6", "e4 e5 Nf3 Nc6"),
        ["e4/e4", "e5/e5", "Nf3/Nf3", "Nc6/Nc6"]
    );
}

#[test]
fn copies_are_told_from_games_that_share_an_opening() {
    let opening = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 ";
    let one =
        opening.to_owned() + "Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7 g4 b5 g5 b4 Ne2 Ne8 f4 a5";
    let copy =
        opening.to_owned() + "Be3 e5 Nb3 Bc6 f3 Be7 Qd2 O-O 0-0-0 Nd7 94 b5 g5 h4 Ne2 Ne8 f4 a5";
    let other = opening.to_owned()
        + "Bg5 e6 f4 Qb6 Qd2 Qxb2 Rb1 Qa3 e5 h6 Bh4 dxe5 fxe5 Nfd7 Ne4 Qxa2 Rd1 Qd5";
    let sheets = [sheet(&one), sheet(&other), sheet(&copy)];
    let fingerprints = sheets.map(|sheet| TextFingerprint::new(&sheet));
    let all: Vec<&TextFingerprint> = fingerprints.iter().collect();
    assert_eq!(
        group(&all, &Parameters::default(), |_, _| None, |_, _, _| true),
        [vec![0, 2], vec![1]]
    );
}

#[test]
fn of_sheets_that_are_hardly_read_the_games_decide() {
    let game = sheet(
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7 g4 b5 \
            g5 b4 Ne2 Ne8 f4 a5",
    );
    let hardly = sheet(
        "ey c5 Nt3 db d4 cxdy Nx Nf6 NcJ ab Be3 eJ Nb3 Beb fJ Be7 Qd OD O-O-O Wb g4 bJ \
            gJ by Nez Ne f aJ",
    );
    let fingerprints = [TextFingerprint::new(&game), TextFingerprint::new(&hardly)];
    let all: Vec<&TextFingerprint> = fingerprints.iter().collect();
    let asked = AtomicUsize::new(0);
    let decide = |same: bool| {
        group(
            &all,
            &Parameters::default(),
            |_, _| None,
            |a, b, doubt| {
                assert_eq!((a, b, doubt), (0, 1, Doubt::Legibility));
                asked.fetch_add(1, Ordering::Relaxed);
                same
            },
        )
    };
    assert_eq!(decide(true), [vec![0, 1]]);
    assert_eq!(decide(false), [vec![0], vec![1]]);
    assert_eq!(asked.into_inner(), 2);
}

#[test]
fn a_form_that_was_too_short_for_the_game_is_a_copy() {
    let begun = "d4 e6 c4 d5 Nc3 Bb4 Nf3 Ne7 Qc2 dxc4 e3 b5 a4 c6 Qe4 Nd5 Bd2 Bxc3 bxc3 O-O Be2 \
        f5 Qc2 Nd7 O-O Bb7 Rfb1 a6 Bxc4 Qc7";
    let whole = sheet(&format!(
        "{begun} Ba2 Nf6 Rb2 Ne4 Rab1 Rab8 c4 bxc4 Bxc4 Nxd2 Qxd2 Ba8 Rxb8 Rxb8"
    ));
    let (full, stopped) = (sheet(begun), sheet(&format!("{begun} _ _ _ _")));
    let fingerprints = [whole, full, stopped].map(|sheet| TextFingerprint::new(&sheet));
    assert!(fingerprints[0].is_same_game(&fingerprints[1], &Parameters::default()));
    assert!(!fingerprints[0].is_same_game(&fingerprints[2], &Parameters::default()));
}

#[test]
fn of_a_sheet_with_few_moves_the_games_decide_or_it_is_only_said_to_begin_alike() {
    let opening = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O";
    let longer = format!("{opening} h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8 Ng3 g6 a4 c5 d5 c4");
    let sheets = [opening, opening, &longer].map(|texts| TextFingerprint::new(&sheet(texts)));
    let sheets: Vec<&TextFingerprint> = sheets.iter().collect();
    let decide = |is_one_game: bool| {
        group(
            &sheets,
            &Parameters::default(),
            |_, _| None,
            |a, b, doubt| {
                assert_eq!((a, b, doubt), (0, 1, Doubt::Length));
                is_one_game
            },
        )
    };
    assert_eq!(decide(true), [vec![0, 1], vec![2]]);
    assert_eq!(decide(false), [vec![0], vec![1], vec![2]]);
    let mut pairs = find_same_beginnings(&sheets, &Parameters::default());
    pairs.sort_unstable();
    assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)]);
}

#[test]
fn copies_may_be_in_different_notations() {
    let short = sheet("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Bg4 d4 exd4 Qxd4 Qxd4 Nxd4 c5 Nb3 f6");
    let long = sheet(
        "e2-e4 e7-e5 Cg1f3 Cb8c6 Bf1-b5 a7-a6 Bb5c6: d7c6: O-O Bc8g4 d2-d4 e5:d4 Dd1:d4 Dd8:d4 \
            Cf3d4: c6-c5 Cd4b3 f7f6",
    );
    let other = sheet(
        "e2-e4 e7-e6 d2-d4 d7-d5 Cb1c3 Bf8b4 e4-e5 c7-c5 a2-a3 Bb4c3: b2c3: Cg8e7 Dd1g4 Dd8c7 \
            Dg4g7: Th8g8 Dg7h7: c5d4:",
    );
    let fingerprints = [short, other, long].map(|sheet| TextFingerprint::new(&sheet));
    let all: Vec<&TextFingerprint> = fingerprints.iter().collect();
    assert_eq!(
        group(&all, &Parameters::default(), |_, _| None, |_, _, _| true),
        [vec![0, 2], vec![1]]
    );
}

#[test]
fn specks_in_empty_rows_make_no_copies() {
    let game = "d4 Nf6 Bg5 e6 e4 h6 Bxf6 Qxf6 Nf3 d6 Bd3 Nd7 O-O g6 Re1 Bg7 e5 Qe7 Nc3 dxe5 \
        dxe5 O-O Qe2 Nc5";
    let other =
        "e4 e5 Nc3 Nf6 a3 Nc6 Nf3 Bc5 Bb5 Nd4 Bd3 O-O O-O Re8 h3 c6 Re1 d5 b4 Nxf3 Qxf3 Bd4 g4 h5";
    let specked = |moves: &str| {
        let mut readings = sheet(&format!("{moves}{}", " ?".repeat(60)));
        for reading in &mut readings {
            if reading.text == "?" {
                reading.text.clear();
            }
        }
        TextFingerprint::new(&readings)
    };
    assert!(!specked(game).is_same_game(&specked(other), &Parameters::default()));
    assert!(
        specked(game).is_same_game(&TextFingerprint::new(&sheet(game)), &Parameters::default())
    );
}

#[test]
fn sheets_without_writing_are_no_copies() {
    let (a, b) = (
        TextFingerprint::new(&sheet("_ _")),
        TextFingerprint::new(&sheet("_ _")),
    );
    assert_eq!(
        group(
            &[&a, &b],
            &Parameters::default(),
            |_, _| None,
            |_, _, _| true
        ),
        [vec![0], vec![1]]
    );
}

/// Two games of ten moves that have nothing in common, and the second one once more.
fn three_sheets() -> [TextFingerprint; 3] {
    let one = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O g4 b5";
    let other = "c4 g6 g3 Bg7 Bg2 d5 cxd5 Qxd5 Rb1 Rh7 h4 Kf8 Kf1 Qa5 a4 Rh8 b4 Qb6 b5 Qc7";
    [one, other, other].map(|texts| TextFingerprint::new(&sheet(texts)))
}

#[test]
fn sheets_that_were_printed_for_one_game_are_copies_unless_their_moves_differ() {
    let short = ["e4 c5 Nf3", "Sf3 x"].map(|texts| TextFingerprint::new(&sheet(texts)));
    let sheets = three_sheets();
    let parameters = Parameters::default();
    let group_printed = |sheets: &[&TextFingerprint]| {
        group(
            sheets,
            &parameters,
            |_, _| Some(true),
            |_, _, _| panic!("nothing is in doubt"),
        )
    };
    assert_eq!(group_printed(&[&sheets[1], &sheets[2]]), [vec![0, 1]]);
    assert_eq!(group_printed(&[&sheets[0], &sheets[1]]), [vec![0], vec![1]]);
    // So little is legible that it contradicts nothing.
    assert_eq!(group_printed(&[&short[0], &short[1]]), [vec![0, 1]]);
}

#[test]
fn short_games_that_are_alike_are_not_joined_if_they_were_printed_for_two_boards() {
    let sheets = three_sheets();
    let both = [&sheets[1], &sheets[2]];
    let parameters = Parameters::default();
    let apart = group(&both, &parameters, |_, _| Some(false), |_, _, _| true);
    assert_eq!(apart, [vec![0], vec![1]]);
    let joined = group(&both, &parameters, |_, _| None, |_, _, _| true);
    assert_eq!(joined, [vec![0, 1]]);
}
