//! What a person is asked to look at, what the moves that a person has read do, and the next
//! likeliest games.

use shakmaty::san::San;
use shakmaty::{Chess, Position};
use sheetscan::decode::{Decoder, FixedMove, Game, Options, SheetReadings};

mod simulated;
use simulated::Noise;

const CLEAN: Noise = Noise {
    wrong: 0.0,
    doubt: 0.0,
};
const BLURRED: Noise = Noise {
    wrong: 0.12,
    doubt: 0.3,
};
/// Morphy against the Duke of Brunswick and Count Isouard, Paris 1858, without its mate.
const OPERA: &str = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 \
    Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8";

fn sheet(texts: &[&str], noise: Noise) -> SheetReadings {
    simulated::sheet(texts, noise, 11)
}

fn sans(game: &Game) -> Vec<&str> {
    game.plies.iter().map(|p| p.san.as_str()).collect()
}

fn fixed(ply: u16, san: &str) -> FixedMove {
    let san: San = san.parse().unwrap();
    FixedMove { ply, san }
}

#[test]
fn a_fixed_move_is_played_whatever_the_cell_says() {
    let texts: Vec<&str> = OPERA.split(' ').collect();
    let decoder = Decoder::new(Options::default());
    let readings = [sheet(&texts[..12], CLEAN)];
    assert_eq!(sans(&decoder.decode(&readings))[11], "Nf6");
    let game = decoder.decode_with(&readings, &[fixed(12, "Nh6")]);
    assert_eq!(sans(&game)[11], "Nh6");
    let ply = &game.plies[11];
    assert!(!ply.review && ply.confidence == 1.0 && ply.alternatives.is_empty());
}

#[test]
fn fixed_moves_correct_the_moves_after_them() {
    // The eighth moves are illegible, and may be any that let the game go on. Once they are fixed,
    // the rest is unambiguous.
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts[14] = simulated::ILLEGIBLE;
    texts[15] = simulated::ILLEGIBLE;
    let decoder = Decoder::new(Options::default());
    let readings = [sheet(&texts, CLEAN)];
    let before = decoder.decode(&readings);
    assert!(before.plies[14].review || before.plies[14].san == "Nc3");
    let after = decoder.decode_with(&readings, &[fixed(15, "Nc3"), fixed(16, "c6")]);
    assert_eq!(sans(&after).join(" "), OPERA);
}

#[test]
fn a_fixed_move_that_the_board_does_not_allow_is_never_played() {
    let texts: Vec<&str> = OPERA.split(' ').take(6).collect();
    let readings = [sheet(&texts, CLEAN)];
    let game = Decoder::new(Options::default()).decode_with(&readings, &[fixed(3, "Qh7")]);
    assert!(game.plies.len() < 3);
}

#[test]
fn asks_keep_to_their_share_and_go_where_the_doubt_is() {
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts[14] = simulated::ILLEGIBLE;
    for share in [0.0, 0.04, 0.1] {
        let options = Options {
            ask: Some(share),
            ..Options::default()
        };
        let game = Decoder::new(options).decode(&[sheet(&texts, BLURRED)]);
        let unspoken = game.plies.iter().filter(|p| p.cells.is_empty()).count();
        let asks = game.plies.iter().filter(|p| p.review).count();
        let most = (share * game.plies.len() as f32) as usize;
        assert!(asks <= most.max(unspoken), "{asks} asked, {most} allowed");
    }
    let options = Options {
        ask: Some(0.04),
        ..Options::default()
    };
    let game = Decoder::new(options).decode(&[sheet(&texts, CLEAN)]);
    let asked: Vec<usize> = (0..game.plies.len())
        .filter(|&i| game.plies[i].review)
        .collect();
    assert_eq!(asked, [14], "the one cell that says nothing");
}

#[test]
fn runners_up_are_other_legal_games_in_order() {
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts[5] = simulated::ILLEGIBLE;
    let options = Options {
        runners_up: 4,
        ..Options::default()
    };
    let game = Decoder::new(options).decode(&[sheet(&texts, BLURRED)]);
    assert_eq!(game.runners_up.len(), 4);
    let mut games = vec![sans(&game).join(" ")];
    let mut behind = 0.0;
    for other in &game.runners_up {
        assert!(other.behind >= behind);
        behind = other.behind;
        let mut position = Chess::default();
        for san in &other.sans {
            let san: shakmaty::san::SanPlus = san.parse().unwrap();
            let m = san.san.to_move(&position).expect("a legal move");
            position.play_unchecked(m);
        }
        let moves = other.sans.join(" ");
        assert!(!games.contains(&moves), "{moves} twice");
        games.push(moves);
    }
    assert!(
        Decoder::new(Options::default())
            .decode(&[sheet(&texts, BLURRED)])
            .runners_up
            .is_empty()
    );
}
