use super::*;
use crate::event::Event;

/// Three players; White of the one round that is played is the first.
const TRF: &[u8] = b"012 Open\n\
    001    1      Rossi,Bruna                       1500 GER                         1.0    1     2 w 1     3 b 0\n\
    001    2      Quintanilla,Ximena                1500 GER                         0.0    2     1 b 0\n\
    001    3      Rossi,Carlo                       1500 GER                         1.0    3               1 w 1\n\n";

/// Words of a line, each as wide as its letters want, one row high.
fn line(top: f32, words: &[(f32, &str)]) -> Vec<WordReading> {
    let word = |&(left, text): &(f32, &str)| WordReading::certain_at(left, top, text);
    words.iter().map(word).collect()
}

fn read(words: &[Vec<WordReading>]) -> Header {
    let event = Event::parse_trf("a.trf", TRF);
    assert_eq!(event.players.len(), 3);
    Header::from_handwriting(&event, &words.concat(), &HandwritingParameters::default())
}

fn sure(scores: &Option<Scores<usize>>) -> Option<usize> {
    scores.as_ref()?.certain(3.0).copied()
}

#[test]
fn labels_tell_who_has_white() {
    let header = read(&[
        line(-6.0, &[(0.0, "Schwarz:"), (5.0, "Rossi"), (8.0, "Bruna")]),
        line(
            -4.0,
            &[(0.0, "Weiss:"), (5.0, "Ximena"), (9.0, "QUINTANILLA")],
        ),
    ]);
    assert_eq!(
        (sure(&header.white), sure(&header.black)),
        (Some(1), Some(0))
    );
}

#[test]
fn a_name_may_be_written_with_gaps() {
    let header = read(&[
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
        (sure(&header.white), sure(&header.black)),
        (Some(2), Some(1))
    );
}

#[test]
fn without_labels_the_first_is_white() {
    let header = read(&[
        line(-6.0, &[(5.0, "Rossi"), (8.0, "Carlo")]),
        line(-4.0, &[(5.0, "X."), (6.5, "Quintanila")]),
    ]);
    assert_eq!(
        (sure(&header.white), sure(&header.black)),
        (Some(2), Some(1))
    );
}

#[test]
fn the_heads_of_the_table_are_no_fields() {
    let header = read(&[
        line(-6.0, &[(1.0, "Rossi"), (4.0, "Carlo")]),
        line(-4.0, &[(1.0, "Quintanilla")]),
        line(
            -1.0,
            &[(2.0, "White"), (12.0, "Black"), (18.0, "ma"), (19.5, "e")],
        ),
    ]);
    assert_eq!(
        (sure(&header.white), sure(&header.black)),
        (Some(2), Some(1))
    );
}

#[test]
fn lines_may_fall() {
    // Half a row in ten: behind the labels, the upper name stands nearly as low as the lower label.
    let fallen = |top: f32, words: &[(f32, &str)]| {
        let each = words.iter().map(|word| line(top + 0.07 * word.0, &[*word]));
        each.collect::<Vec<_>>().concat()
    };
    let header = read(&[
        fallen(-6.0, &[(0.0, "Torneo:"), (12.0, "Open")]),
        fallen(-4.8, &[(0.0, "Bianco:"), (12.0, "Rossi"), (15.0, "Bruna")]),
        fallen(-3.6, &[(0.0, "Nero:"), (12.0, "Quintanilla")]),
    ]);
    assert_eq!(
        (sure(&header.white), sure(&header.black)),
        (Some(0), Some(1))
    );
}

#[test]
fn of_two_with_one_last_name_neither_is_sure() {
    let header = read(&[
        line(-6.0, &[(0.0, "White"), (5.0, "Rossi")]),
        line(-4.0, &[(0.0, "Black"), (5.0, "Quintanilla")]),
    ]);
    let white = header.white.as_ref().unwrap();
    assert_eq!(white.certain(3.0), None);
    assert!(white.score(&0) > 3.0 && white.score(&2) > 3.0 && white.score(&1) < 0.0);
}

#[test]
fn strangers_are_nobody() {
    let header = read(&[
        line(-6.0, &[(0.0, "White"), (5.0, "Mordaunt")]),
        line(-4.0, &[(0.0, "Black"), (5.0, "Fitzgibbon")]),
    ]);
    for scores in [header.white.unwrap(), header.black.unwrap()] {
        assert!((0..3).all(|player| scores.score(&player) < 0.0));
    }
}

#[test]
fn a_number_counts_beside_its_label_alone() {
    let round = |words| read(&[line(-6.0, words)]).round;
    let said = round(&[(0.0, "Ronda:"), (5.0, "2")]).unwrap();
    assert!(said.score(&2) > 1.0 && said.score(&1) < 0.0);
    assert_eq!(round(&[(0.0, "Torneo:"), (5.0, "2")]), None);
    assert_eq!(round(&[(5.0, "2")]), None);
    // The side of a box before it, and a 1 that looks like an i.
    let boxed = round(&[(0.0, "Ronda:"), (5.0, "12"), (5.5, "2")]).unwrap();
    assert!(boxed.score(&2) > 1.0 && boxed.score(&1) < 0.0);
    assert!(round(&[(0.0, "Ronda:"), (5.0, "i.")]).is_some());
}
