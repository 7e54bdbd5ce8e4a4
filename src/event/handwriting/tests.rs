use super::*;
use crate::event::Event;

/// A report file with three players and one round, in which player 1 has White against player 2.
fn trf() -> String {
    let player = |rank: u32, name: &str, rounds: &str| {
        format!("001 {rank:>4}      {name:<33} 1500 GER {:34}{rounds}\n", "")
    };
    "012 Open\n".to_owned()
        + &player(1, "Rossi,Bruna", "   2 w 1     3 b 0")
        + &player(2, "Quintanilla,Ximena", "   1 b 0")
        + &player(3, "Rossi,Carlo", "             1 w 1")
}

/// The words of a line, each one row high and half a row wide for every letter.
fn line(top: f32, words: &[(f32, &str)]) -> Vec<WordReading> {
    let word = |&(left, text): &(f32, &str)| WordReading::certain_at(left, top, text);
    words.iter().map(word).collect()
}

/// Scores the words of some lines against the three players.
fn score_words(words: &[Vec<WordReading>]) -> Header {
    let event = Event::parse_trf("a.trf", &trf());
    assert_eq!(event.players.len(), 3);
    let (fields, parameters) = Default::default();
    Header::from_handwriting(&event, &words.concat(), &fields, &parameters)
}

/// The candidate that has the default lead over all others.
fn certain(scores: &Option<Scores<usize>>) -> Option<usize> {
    scores.as_ref()?.certain(3.0).copied()
}

#[test]
fn labels_say_who_has_white() {
    let header = score_words(&[
        line(-6.0, &[(0.0, "Schwarz:"), (5.0, "Rossi"), (8.0, "Bruna")]),
        line(
            -4.0,
            &[(0.0, "Weiss:"), (5.0, "Ximena"), (9.0, "QUINTANILLA")],
        ),
    ]);
    assert_eq!(
        (certain(&header.white), certain(&header.black)),
        (Some(1), Some(0))
    );
}

#[test]
fn a_name_may_be_written_with_gaps() {
    let header = score_words(&[
        line(
            -6.0,
            &[
                (0.0, "White:"),
                (5.0, "Ros"),
                (7.0, "si"),
                (9.0, "Car"),
                (11.0, "lo"),
            ],
        ),
        line(
            -4.0,
            &[(0.0, "Black:"), (5.0, "QUIN"), (7.5, "TAN"), (9.5, "ILLA")],
        ),
    ]);
    assert_eq!(
        (certain(&header.white), certain(&header.black)),
        (Some(2), Some(1))
    );
}

#[test]
fn without_labels_the_first_name_is_whites() {
    let header = score_words(&[
        line(-6.0, &[(5.0, "Rossi"), (8.0, "Carlo")]),
        line(-4.0, &[(5.0, "X."), (6.5, "Quintanila")]),
    ]);
    assert_eq!(
        (certain(&header.white), certain(&header.black)),
        (Some(2), Some(1))
    );
}

#[test]
fn the_column_heads_of_the_move_table_are_not_fields() {
    let header = score_words(&[
        line(-6.0, &[(1.0, "Rossi"), (4.0, "Carlo")]),
        line(-4.0, &[(1.0, "Quintanilla")]),
        line(
            -1.0,
            &[(2.0, "White"), (12.0, "Black"), (18.0, "ma"), (19.5, "e")],
        ),
    ]);
    assert_eq!(
        (certain(&header.white), certain(&header.black)),
        (Some(2), Some(1))
    );
}

#[test]
fn lines_may_slope() {
    // The lines fall by 0.07 rows a row, so that each name stands nearly as low as the label of the
    // next line.
    let sloping = |top: f32, words: &[(f32, &str)]| {
        let each = words.iter().map(|word| line(top + 0.07 * word.0, &[*word]));
        each.collect::<Vec<_>>().concat()
    };
    let header = score_words(&[
        sloping(-6.0, &[(0.0, "Torneo:"), (12.0, "Open")]),
        sloping(-4.8, &[(0.0, "Bianco:"), (12.0, "Rossi"), (15.0, "Bruna")]),
        sloping(-3.6, &[(0.0, "Nero:"), (12.0, "Quintanilla")]),
    ]);
    assert_eq!(
        (certain(&header.white), certain(&header.black)),
        (Some(0), Some(1))
    );
}

#[test]
fn neither_of_two_players_with_the_same_last_name_is_certain() {
    let header = score_words(&[
        line(-6.0, &[(0.0, "White"), (5.0, "Rossi")]),
        line(-4.0, &[(0.0, "Black"), (5.0, "Quintanilla")]),
    ]);
    let white = header.white.as_ref().unwrap();
    assert_eq!(white.certain(3.0), None);
    assert!(white.score(&0) > 3.0 && white.score(&2) > 3.0 && white.score(&1) < 0.0);
}

#[test]
fn names_of_other_people_score_below_zero() {
    let header = score_words(&[
        line(-6.0, &[(0.0, "White"), (5.0, "Mordaunt")]),
        line(-4.0, &[(0.0, "Black"), (5.0, "Fitzgibbon")]),
    ]);
    for scores in [header.white.unwrap(), header.black.unwrap()] {
        assert!((0..3).all(|player| scores.score(&player) < 0.0));
    }
}

#[test]
fn a_number_counts_only_behind_its_label() {
    let round = |words| score_words(&[line(-6.0, words)]).round;
    let scores = round(&[(0.0, "Ronda:"), (5.0, "2")]).unwrap();
    assert!(scores.score(&2) > 1.0 && scores.score(&1) < 0.0);
    assert_eq!(round(&[(0.0, "Torneo:"), (5.0, "2")]), None);
    assert_eq!(round(&[(5.0, "2")]), None);
    // The edge of a printed box is read as a 1, and a 1 is read as an i.
    let boxed = round(&[(0.0, "Ronda:"), (5.0, "12"), (5.5, "2")]).unwrap();
    assert!(boxed.score(&2) > 1.0 && boxed.score(&1) < 0.0);
    assert!(round(&[(0.0, "Ronda:"), (5.0, "i.")]).is_some());
}
