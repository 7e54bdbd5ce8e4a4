//! What a person is asked to look at, what the moves that a person has read do, and the next
//! likeliest games.

use shakmaty::san::San;
use shakmaty::{Chess, Position};
use sheetscan::decode::{
    Answer, CellContent, Decoder, Effort, FixedMove, Game, GameSearch, Options, SheetReadings,
    UnreadReason,
};
use sheetscan::grid::{CellId, Side};

use crate::simulated::{self, Noise};

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

fn san(text: &str) -> San {
    text.parse().unwrap()
}

fn fixed(ply: u16, text: &str) -> Answer {
    let san = san(text);
    Answer::Ply(FixedMove { ply, san })
}

/// What stands in the cell of a ply on the first sheet, where every move has its own cell.
fn in_cell(ply: u32, content: CellContent) -> Answer {
    let side = [Side::Black, Side::White][ply as usize % 2];
    let number = ply.div_ceil(2);
    Answer::Cell {
        sheet: 0,
        cell: CellId { number, side },
        content,
    }
}

/// The game with these answers, and the indices of those that are refused.
fn answer(readings: &[SheetReadings], answers: &[Answer]) -> (Game, Vec<usize>) {
    let mut found = Decoder::new(Options::default()).games(readings, answers);
    (found.games.remove(0), found.refused)
}

#[test]
fn a_fixed_move_is_played_whatever_the_cell_says() {
    let texts: Vec<&str> = OPERA.split(' ').collect();
    let readings = [sheet(&texts[..12], CLEAN)];
    assert_eq!(sans(&answer(&readings, &[]).0)[11], "Nf6");
    let by_cell = in_cell(12, CellContent::Move(san("Nh6")));
    for one in [fixed(12, "Nh6"), by_cell] {
        let (game, refused) = answer(&readings, &[one]);
        assert_eq!(sans(&game)[11], "Nh6");
        let ply = &game.plies[11];
        assert!(!ply.review && ply.confidence == 1.0 && ply.alternatives.is_empty());
        assert!(ply.settled && refused.is_empty());
    }
}

#[test]
fn fixed_moves_correct_the_moves_after_them() {
    // The eighth moves are illegible, and may be any that let the game go on. Once they are fixed,
    // the rest is unambiguous.
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts[14] = simulated::ILLEGIBLE;
    texts[15] = simulated::ILLEGIBLE;
    let readings = [sheet(&texts, CLEAN)];
    let (before, _) = answer(&readings, &[]);
    assert!(before.plies[14].review || before.plies[14].san == "Nc3");
    let (after, _) = answer(&readings, &[fixed(15, "Nc3"), fixed(16, "c6")]);
    assert_eq!(sans(&after).join(" "), OPERA);
}

#[test]
fn a_fixed_move_that_the_board_does_not_allow_is_refused_and_never_played() {
    let texts: Vec<&str> = OPERA.split(' ').take(6).collect();
    let readings = [sheet(&texts, CLEAN)];
    let impossible = [fixed(3, "Qh7"), in_cell(4, CellContent::Move(san("Ke4")))];
    for one in impossible {
        let (game, refused) = answer(&readings, &[fixed(1, "e4"), one]);
        assert_eq!(refused, [1]);
        assert_eq!(sans(&game), texts, "the other moves stay");
        let settled = game.plies.iter().map(|ply| ply.settled);
        assert_eq!(settled.filter(|settled| *settled).count(), 1);
    }
}

#[test]
fn answers_that_agree_change_nothing_but_confidences() {
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts[14] = simulated::ILLEGIBLE;
    let readings = [sheet(&texts, BLURRED)];
    let (before, _) = answer(&readings, &[]);
    let moves: Vec<San> = before
        .plies
        .iter()
        .map(|ply| ply.san.parse())
        .map(Result::unwrap)
        .collect();
    let right = |at: usize| in_cell(at as u32 + 1, CellContent::Move(moves[at]));
    let answers: Vec<Answer> = (0..20).map(right).collect();
    let (after, refused) = answer(&readings, &answers);
    assert_eq!((sans(&after), refused), (sans(&before), Vec::new()));
    for (at, (old, new)) in before.plies.iter().zip(&after.plies).enumerate() {
        if at < 20 {
            assert!(new.settled && !new.review && new.confidence == 1.0);
        } else {
            assert_eq!(old, new);
        }
    }
    let (settled, _) = answer(&readings, &[Answer::Game(moves)]);
    assert_eq!(sans(&settled), sans(&before));
    assert!(settled.plies.iter().all(|ply| ply.settled && !ply.review));
}

#[test]
fn the_order_of_the_answers_does_not_matter() {
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts[14] = simulated::ILLEGIBLE;
    texts[15] = simulated::ILLEGIBLE;
    let readings = [sheet(&texts, BLURRED)];
    let answers = [
        fixed(15, "Nc3"),
        fixed(16, "c6"),
        fixed(12, "Nf6"),
        fixed(20, "cxb5"),
    ];
    let mut backwards = answers.to_vec();
    backwards.reverse();
    assert_eq!(
        answer(&readings, &answers).0,
        answer(&readings, &backwards).0
    );
}

#[test]
fn a_quick_game_has_the_answer_and_nothing_else_above_it() {
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts[14] = simulated::ILLEGIBLE;
    let readings = [sheet(&texts, BLURRED)];
    let decoder = Decoder::new(Options::default());
    let mut search = GameSearch::default();
    let found = search.games(&decoder, &readings, &[], Effort::Full(None));
    let before = sans(&found.games[0]);
    let answers = [fixed(15, if before[14] == "a3" { "h3" } else { "a3" })];
    let found_quickly = search.games(&decoder, &readings, &answers, Effort::Quick);
    let quick = sans(&found_quickly.games[0]);
    assert_eq!(quick[..14], before[..14]);
    assert!(quick[14] == "a3" || quick[14] == "h3");
    assert!(
        !search.knows(&answers),
        "the game of full effort is still to come"
    );
    search.games(&decoder, &readings, &answers, Effort::Full(None));
    assert!(search.knows(&answers));
}

#[test]
fn a_cell_that_is_no_move_is_passed_over() {
    // A clock time stands in the cell behind 6. Bc4 Nf6, in the column of White.
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts.insert(12, "Ng5");
    texts.insert(13, simulated::ILLEGIBLE);
    let readings = [sheet(&texts, CLEAN)];
    let answers = [
        in_cell(13, CellContent::NoMove),
        in_cell(14, CellContent::NoMove),
    ];
    let (game, refused) = answer(&readings, &answers);
    assert!(refused.is_empty());
    assert_eq!(sans(&game).join(" "), OPERA);
    assert!(game.unread.is_empty(), "{:?}", game.unread);
}

#[test]
fn a_move_that_was_left_out_is_played_before_its_cell() {
    // Without 7. Qb3 Qe7 nobody can know which moves were left out.
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts.drain(12..14);
    let readings = [sheet(&texts, CLEAN)];
    let left_out = CellContent::LeftOut(vec![san("Qb3"), san("Qe7")]);
    let (game, refused) = answer(&readings, &[in_cell(13, left_out)]);
    assert!(refused.is_empty());
    assert_eq!(sans(&game).join(" "), OPERA);
    assert!(game.plies[12].cells.is_empty() && game.plies[12].settled);
    assert!(game.plies[13].cells.is_empty() && game.plies[13].settled);
    assert!(game.complete);
}

#[test]
fn a_game_ends_where_a_person_says_so() {
    let mut texts: Vec<&str> = OPERA.split(' ').collect();
    texts.truncate(20);
    texts.extend([simulated::ILLEGIBLE, "Kh8", "Kh8", "Ra1", "Kh8"]);
    let readings = [sheet(&texts, CLEAN)];
    let (before, _) = answer(&readings, &[]);
    assert!(!before.complete);
    let (game, refused) = answer(&readings, &[in_cell(21, CellContent::End)]);
    assert!(game.complete && refused.is_empty());
    assert_eq!(sans(&game), OPERA.split(' ').take(20).collect::<Vec<_>>());
    let reasons: Vec<UnreadReason> = game.unread.iter().map(|unread| unread.reason).collect();
    assert_eq!(
        reasons,
        [UnreadReason::AfterTheEnd; 4],
        "the four texts; one is no writing"
    );
}

#[test]
fn a_game_of_two_copies_ends_where_a_person_says_so_on_one() {
    // Behind the end, one writer has scribbled, and the other has tried a variation.
    let game: Vec<&str> = OPERA.split(' ').take(20).collect();
    let with = |behind: &[&'static str]| [&game, behind].concat();
    let readings = [
        sheet(&with(&["Wh4", "Sed"]), CLEAN),
        sheet(&with(&["Nd5", "cxb5", "Bxb5+"]), CLEAN),
    ];
    let (answered, refused) = answer(&readings, &[in_cell(21, CellContent::End)]);
    assert!(refused.is_empty());
    assert_eq!(sans(&answered), game);
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
        let most = (share * game.plies.len() as f32).ceil() as usize;
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
