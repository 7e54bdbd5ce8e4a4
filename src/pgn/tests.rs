use super::export::escape_tag_value;
use super::*;
use crate::decode::{ConfidenceFeatures, Ply, Unread, UnreadReason};
use crate::grid::{CellId, Side};
use crate::notation::Outcome;
use crate::scan::tests::{cell, reading, scanned};

fn ply(san: &str, cell: Option<CellId>) -> Ply {
    Ply {
        san: san.to_owned(),
        uci: "0000".to_owned(),
        confidence: 0.9,
        features: ConfidenceFeatures::default(),
        review: false,
        settled: false,
        seen: false,
        alternatives: Vec::new(),
        cells: cell.map(|cell| (0, cell)).into_iter().collect(),
    }
}

#[test]
fn a_game_is_written_in_export_format() {
    let mut game = scanned();
    game.game.plies = ["e4", "e5", "Nf3"].map(|san| ply(san, None)).to_vec();
    game.game.outcome = Outcome::Draw;
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \
     \"?\"]\n\
                    [Black \"?\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n";
    assert_eq!(export_scanned(&game, Comments::BreakOffOnly), expected);
}

#[test]
fn lines_of_movetext_are_filled_up_to_79_characters() {
    let mut game = scanned();
    game.game.plies = (0..200).map(|_| ply("Nbxd7+", None)).collect();
    let text = export_scanned(&game, Comments::BreakOffOnly);
    let lines = text
        .lines()
        .skip(8)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>();
    for pair in lines.windows(2) {
        let next = pair[1].split(' ').next().unwrap();
        assert!(
            pair[0].len() <= 79 && pair[0].len() + 1 + next.len() > 79,
            "{}",
            pair[0]
        );
        assert!(!pair[0].ends_with(' '));
    }
}

#[test]
fn other_tags_follow_the_roster_in_ascii_order() {
    let mut tags = Tags::with_result(Outcome::Unknown);
    for (name, value) in [
        ("WhiteElo", "2000"),
        ("ECO", "B33"),
        ("White", "Rossi"),
        ("BlackElo", "1900"),
    ] {
        tags.set(name, value);
    }
    tags.set("ECO", "C42");
    let names = tags.iter().map(|(name, _)| name).collect::<Vec<_>>();
    let expected = [
        "Event", "Site", "Date", "Round", "White", "Black", "Result", "BlackElo", "ECO", "WhiteElo",
    ];
    assert_eq!(names, expected);
    assert!(
        tags.iter().any(|tag| tag == ("White", "Rossi"))
            && tags.iter().any(|tag| tag == ("ECO", "C42"))
    );
}

#[test]
fn quotes_backslashes_and_line_breaks_in_tag_values_are_escaped() {
    assert_eq!(
        escape_tag_value("the \"Open\" \\ 3\n"),
        "the \\\"Open\\\" \\\\ 3 "
    );
}

#[test]
fn a_comment_names_the_cell_from_which_a_game_is_unreadable() {
    let mut game = scanned();
    game.game.complete = false;
    game.game.plies = vec![ply("e4", Some(cell(1, Side::White)))];
    let unread = |cell, reason| Unread {
        sheet: 0,
        cell,
        reason,
    };
    game.game.unread = vec![
        unread(cell(2, Side::White), UnreadReason::Illegal),
        unread(cell(1, Side::Black), UnreadReason::Illegible),
    ];
    game.sheets[0].cells = vec![reading(cell(1, Side::Black), "{Bd7}")];
    let text = export_scanned(&game, Comments::BreakOffOnly);
    // Lines have fewer than 80 characters.
    let comment = "{ sheetscan: not readable from move 1 Black on; the sheet goes on: 1...\n\
                   Bd7 2. ? }";
    assert!(
        text.ends_with(&format!("\n1. e4 {comment} *\n\n")),
        "{text}"
    );
    game.game.unread.clear();
    assert!(
        export_scanned(&game, Comments::BreakOffOnly)
            .ends_with("1. e4 { sheetscan: not readable beyond this move } *\n\n")
    );
}

#[test]
fn a_long_rest_is_repeated_in_part() {
    let mut game = scanned();
    game.game.complete = false;
    let rows = 1..=200;
    game.game.unread = rows
        .clone()
        .map(|number| Unread {
            sheet: 0,
            cell: cell(number, Side::White),
            reason: UnreadReason::BehindGap,
        })
        .collect();
    game.sheets[0].cells = rows
        .map(|number| reading(cell(number, Side::White), "Ke2"))
        .collect();
    let text = export_scanned(&game, Comments::BreakOffOnly).replace('\n', " ");
    let (_, rest) = text.split_once("the sheet goes on: ").unwrap();
    assert!(rest.starts_with("1. Ke2 2. Ke2 3. Ke2"), "{rest}");
    assert!(rest.ends_with(" Ke2 and so on } *  "), "{rest}");
    assert!(rest.len() < 700, "{rest}");
}

#[test]
fn moves_to_look_at_have_comments_with_their_candidates() {
    let mut game = scanned();
    let mut doubtful = ply("e4", Some(cell(1, Side::White)));
    (doubtful.review, doubtful.confidence) = (true, 0.5);
    doubtful.alternatives = vec![("c4".to_owned(), 0.25), ("g4".to_owned(), 0.125)];
    game.game.plies = vec![doubtful, ply("e5", None)];
    game.sheets[0].cells = vec![reading(cell(1, Side::White), "{c4")];
    let few = export_scanned(&game, Comments::BreakOffOnly);
    assert!(few.ends_with("\n1. e4 e5 *\n\n"), "{few}");
    let doubts = export_scanned(&game, Comments::Doubts).replace('\n', " ");
    let comment = "{ sheetscan: 0.50, the cell reads \"c4\"; or c4 0.25, g4 0.12 }";
    assert!(
        doubts.contains(&format!("1. e4 {comment} 1... e5 *")),
        "{doubts}"
    );
}

#[test]
fn judgements_become_glyphs_if_their_cell_is_read_with_confidence() {
    let mut game = scanned();
    let written = [
        cell(1, Side::White),
        cell(1, Side::Black),
        cell(2, Side::White),
    ];
    game.game.plies = vec![
        ply("e4", Some(written[0])),
        ply("e5", Some(written[1])),
        ply("Nf3", Some(written[2])),
    ];
    let texts = ["e4!?", "e5", "Cf3!"];
    game.sheets[0].cells = written
        .iter()
        .zip(texts)
        .map(|(&cell, text)| reading(cell, text))
        .collect();
    game.sheets[0].cells[2].confidence = 0.5;
    assert!(export_scanned(&game, Comments::BreakOffOnly).contains("\n1. e4 $5 e5 2. Nf3 *\n"));
}
