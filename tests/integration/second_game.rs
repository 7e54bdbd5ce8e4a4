//! Two games on one sheet, one below the other.

use sheetscan::decode::{Decoder, Game, Options, UnreadReason};
use sheetscan::grid::Side;
use sheetscan::notation::Outcome;

use crate::simulated::{self, Noise};

const BLURRED: Noise = Noise {
    wrong: 0.03,
    doubt: 0.15,
};

/// Legal's mate, and a French defence that was given up after nine moves.
const FIRST: &str = "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#";
const SECOND: &str = "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7 e5 Nfd7 Bxe7 Qxe7 f4 O-O Nf3 c5 Qd2 Nc6";

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

fn sans(game: &Game) -> String {
    let sans: Vec<&str> = game.plies.iter().map(|p| p.san.as_str()).collect();
    sans.join(" ")
}

fn games(texts: &[&str]) -> Vec<Game> {
    let readings = [simulated::sheet(texts, BLURRED, 3)];
    let found = Decoder::new(Options::default()).games(&readings, &[]);
    found.games
}

#[test]
fn a_game_below_another_is_one_of_its_own() {
    let between: [&[&str]; 3] = [&[""], &["1-0"], &["1-0", "", ""]];
    for between in between {
        let texts = [words(FIRST), between.to_vec(), words(SECOND)].concat();
        let begins = words(FIRST).len() + between.len();
        let games = games(&texts);
        assert_eq!(games.len(), 2, "{between:?}");
        assert_eq!(sans(&games[0]), FIRST);
        assert!(games[0].complete);
        assert_eq!(games[0].outcome, Outcome::WhiteWins);
        let of_the_second = games[0].unread.iter();
        let of_the_second =
            of_the_second.filter(|unread| unread.reason == UnreadReason::SecondGame);
        assert_eq!(of_the_second.count(), words(SECOND).len());
        assert_eq!(sans(&games[1]), SECOND);
        assert_eq!(games[1].outcome, Outcome::Unknown);
        let (_, cell) = games[1].plies[0].cells[0];
        assert_eq!(
            (cell.number as usize, cell.side),
            (begins / 2 + 1, Side::White)
        );
    }
}

#[test]
fn a_game_that_goes_astray_is_not_two() {
    let nonsense = words("Kd7 Qh9 Nb4 a1 Rg8 Bh6 c7 Ng2 Ra8 Qd1 Kb3 h1 Ne3 Bf1");
    for tail in [
        nonsense,
        words("Rfd8 Rad1 Qe6 Nd4 Nxd4 Qxd4 Rd7 h3 Rad8 Qf2"),
        // Behind a move that none can be, all that follows would do for a new game too.
        words("Kd7 h6 a3 a6 g3 g6 b3 b6 h4 h5 a4 a5"),
    ] {
        let texts = [words(SECOND), tail].concat();
        assert_eq!(games(&texts).len(), 1);
    }
}

#[test]
fn three_games_are_three() {
    let texts = [words(FIRST), vec![""], words(SECOND), words(FIRST)].concat();
    let found: Vec<String> = games(&texts).iter().map(sans).collect();
    assert_eq!(found, [FIRST, SECOND, FIRST]);
}

#[test]
fn both_players_copies_on_one_picture_are_one_game() {
    let mut with_a_slip = words(SECOND);
    with_a_slip[7] = "Bb4";
    let blank = vec![""; 6];
    for copy in [words(SECOND), with_a_slip] {
        let games = games(&[words(SECOND), blank.clone(), copy].concat());
        let found: Vec<String> = games.iter().map(sans).collect();
        assert_eq!(found, [SECOND]);
        // The second copy begins behind 18 plies and three blank rows.
        let numbers = games[0].plies[0].cells.iter().map(|(_, cell)| cell.number);
        assert_eq!(numbers.collect::<Vec<_>>(), [1, 13]);
    }
}
