//! The decoder on simulated sheets: languages, slips of players, and how games end.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::san::San;
use shakmaty::{Chess, Position};
use sheetscan::decode::{Decoder, Game, Options, Ply, SheetReadings, UnreadReason};
use sheetscan::notation::{Habits, Language, MoveShape, Outcome, spellings};
use sheetscan::reader::{MixtureComponent, Posteriors};

use crate::simulated::{self, Noise, Random};

const CLEAN: Noise = Noise {
    wrong: 0.0,
    doubt: 0.0,
};
const BLURRED: Noise = Noise {
    wrong: 0.05,
    doubt: 0.2,
};

/// An opening in Italian letters.
const ITALIAN: &str = "\
    d4 Cf6 c4 e6 Cc3 Ab4 Ad2 0-0 e4 d5 exd5 exd5 cxd5 Axc3 Axc3 Cxd5 Cf3 b6 Db3 Cxc3 bxc3 c5 \
    Ae2 cxd4 Cxd4 Te8 0-0 Cd7 a4 Cc5 Db4 Ab7 a5";
/// The same moves as SAN.
const PLAYED: &str = "\
    d4 Nf6 c4 e6 Nc3 Bb4 Bd2 O-O e4 d5 exd5 exd5 cxd5 Bxc3 Bxc3 Nxd5 Nf3 b6 Qb3 Nxc3 bxc3 c5 \
    Be2 cxd4 Nxd4 Re8 O-O Nd7 a4 Nc5 Qb4 Bb7 a5";

fn decode(texts: &[&str], noise: Noise) -> Game {
    Decoder::new(Options::default()).decode(&[simulated::sheet(texts, noise, 7)])
}

fn sans(game: &Game) -> String {
    game.plies
        .iter()
        .map(|p| p.san.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

#[test]
fn italian_letters_are_found() {
    let game = decode(&words(ITALIAN), CLEAN);
    assert_eq!(sans(&game), PLAYED);
    assert_eq!(game.languages, ["it"]);
    assert!(game.complete && game.unread.is_empty());
}

#[test]
fn portuguese_letters_are_found() {
    let game = decode(&words(&ITALIAN.replace('A', "B")), CLEAN);
    assert_eq!(
        (sans(&game).as_str(), game.languages[0].as_str()),
        (PLAYED, "pt")
    );
}

#[test]
fn a_blurred_sheet_is_read_by_its_chess() {
    let game = decode(&words(PLAYED), BLURRED);
    assert_eq!(sans(&game), PLAYED);
    assert_eq!(game.languages, ["en"]);
}

/// The same game by a writer who mixes Turkish letters (V queen, F bishop, A knight) with English
/// ones.
const MIXED: &str = "\
    d4 Af6 c4 e6 Nc3 Bb4 Bd2 0-0 e4 d5 exd5 exd5 cxd5 Bxc3 Fxc3 Axd5 Nf3 b6 Vb3 Nxc3 bxc3 c5 \
    Fe2 cxd4 Axd4 Re8 0-0 Ad7 a4 Nc5 Vb4 Bb7 a5";

#[test]
fn a_writer_may_mix_the_letters_of_two_languages() {
    let game = decode(&words(MIXED), CLEAN);
    assert_eq!(sans(&game), PLAYED);
    assert_eq!(game.languages, ["en+tr"]);
    assert!(game.plies.iter().all(|ply| !ply.review));
}

#[test]
fn one_strange_letter_makes_no_second_language() {
    let game = decode(&words(&PLAYED.replace('N', "A")), CLEAN);
    assert_eq!((sans(&game).as_str(), &*game.languages[0]), (PLAYED, "en"));
}

#[test]
fn letters_that_a_person_gives_are_used() {
    let albanian = ITALIAN
        .replace('A', "O")
        .replace('C', "K")
        .replace('R', "M");
    let options = Options {
        language: Language::from_letters("MDTOK").ok(),
        ..Options::default()
    };
    let sheet = simulated::sheet(&words(&albanian), CLEAN, 7);
    let game = Decoder::new(options).decode(&[sheet]);
    assert_eq!(sans(&game), PLAYED);
    assert_eq!(game.languages, ["MDTOK"]);
}

/// The reader's alphabet has no Ĉ; in the cells it reads a C.
#[test]
fn a_letter_outside_the_alphabet_is_read_without_its_mark() {
    let esperanto = ITALIAN.replace('A', "K");
    let game = decode(&words(&esperanto), CLEAN);
    assert_eq!((sans(&game).as_str(), &*game.languages[0]), (PLAYED, "eo"));
}

/// The same game in the long form.
const LONG: &str = "\
    d2-d4 Ng8-f6 c2-c4 e7-e6 Nb1-c3 Bf8-b4 Bc1-d2 0-0 e2-e4 d7-d5 e4xd5 e6xd5 c4xd5 Bb4xc3 \
    Bd2xc3 Nf6xd5 Ng1-f3 b7-b6 Qd1-b3 Nd5xc3 b2xc3 c7-c5 Bf1-e2 c5xd4 Nf3xd4 Rf8-e8 0-0 Nb8-d7 \
    a2-a4 Nd7-c5 Qb3-b4 Bc8-b7 a4-a5";

#[test]
fn who_writes_in_an_unusual_way_throughout_is_not_asked_about_it() {
    let colons = PLAYED.replace('x', ":");
    let pawns = words(PLAYED).into_iter().map(|san| match san.len() {
        2 => format!("P{san}"),
        _ => san.to_owned(),
    });
    let pawns = pawns.collect::<Vec<_>>().join(" ");
    for written in [LONG, &colons, &pawns] {
        let game = decode(&words(written), CLEAN);
        assert_eq!(sans(&game), PLAYED);
        let asked = game.plies.iter().filter(|p| p.review);
        assert_eq!(
            asked.map(|p| &p.san).collect::<Vec<_>>(),
            [""; 0],
            "{written}"
        );
    }
}

#[test]
fn an_illegal_cell_keeps_its_place_and_is_asked() {
    let mut texts = words(PLAYED);
    texts[6] = "Qh8";
    let game = decode(&texts, CLEAN);
    assert_eq!(sans(&game), PLAYED);
    assert!(game.plies[6].review && game.plies[6].cells.len() == 1);
}

#[test]
fn a_missing_place_is_understood() {
    let game = decode(&words("d4 d5 Nf3 Nf6 e3 e6 Nd2 Be7 Bd3 O-O"), CLEAN);
    assert_eq!(game.plies[6].san, "Nbd2");
}

#[test]
fn a_left_out_move_is_supplied_and_asked() {
    let mut texts = words(PLAYED);
    // 5...d5 is nowhere on the sheet, and all that follows stands in the wrong column.
    texts.remove(9);
    let game = decode(&texts, CLEAN);
    assert_eq!(sans(&game), PLAYED);
    assert!(game.plies[9].review && game.plies[9].cells.is_empty());
}

#[test]
fn of_two_equal_exchanges_the_one_that_is_missing_in_its_column_was_left_out() {
    let played = "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nxd4 Qxd4 d6 Nc3 Nf6 Bg5 Be7";
    let mut texts = words(played);
    // Black's Nxd4 is left out; White's Qxd4 stands in White's column.
    texts.remove(7);
    let game = decode(&texts, CLEAN);
    assert_eq!(sans(&game), played);
    assert!(game.plies[7].review && game.plies[7].cells.is_empty());
}

#[test]
fn an_empty_row_above_the_first_move_invents_nothing() {
    let mut texts = vec!["", ""];
    texts.extend(words(PLAYED));
    let game = decode(&texts, CLEAN);
    assert_eq!(sans(&game), PLAYED);
    assert_eq!(game.plies[0].cells[0].1.number, 2);
}

#[test]
fn a_doubled_row_is_skipped() {
    let mut texts = words(PLAYED);
    texts.splice(16..16, ["Bxc3", "Nxd5"]);
    let game = decode(&texts, CLEAN);
    assert_eq!(sans(&game), PLAYED);
    assert_eq!(game.unread.len(), 2);
}

/// A game whose 13th row holds the moves of the 16th: 13. d4 exd4 14. Qxf6 is legal too and leads
/// the search astray (EPFL game35).
const ASTRAY: &str = "\
    e4 e5 Nf3 Nc6 Bb5 Nf6 Nc3 d6 Bxc6+ bxc6 d3 d5 Qe2 d4 Na4 Bg4 c3 Bxf3 Qxf3 dxc3 bxc3 Bd6 \
    Bg5 O-O Bxf6 Qxf6 Qxf6 gxf6 O-O Ba3 d4 exd4 cxd4 Bb2 Rab1 Bxd4 Rfd1 Rad8 Rb4 Be5 Rxd8 Rxd8 \
    g3 Rd1+ Kg2 c5 Nxc5 Rc1 Nd3 Rd1 Nxe5 fxe5 Rb7 Rd4 Kf3 f6 Rxc7 a5 Rc6 h5 Rxf6 Kg7";

#[test]
fn a_row_that_holds_later_moves_leads_nobody_astray() {
    let mut written = words(ASTRAY);
    (written[24], written[25]) = (written[30], written[31]);
    let game = decode(&written, CLEAN);
    assert_eq!(sans(&game), ASTRAY);
    assert!(game.plies[24].review && game.plies[25].review);
}

#[test]
fn a_result_in_a_cell_ends_the_game() {
    let mut texts = words(PLAYED);
    texts.extend(["abb.", "", "", "1-0"]);
    let game = decode(&texts, CLEAN);
    assert_eq!(sans(&game), PLAYED);
    assert!(game.complete);
    assert_eq!(game.outcome, Outcome::WhiteWins);
    assert!(
        game.unread
            .iter()
            .all(|u| u.reason == UnreadReason::AfterTheEnd)
    );
}

#[test]
fn what_looks_like_a_result_amid_moves_that_nobody_followed_is_none() {
    let mut texts = words(PLAYED);
    // From here on the cells hold another game, with a smudge that reads like a result.
    texts.extend([
        "Qh8", "1/2", "Kb5", "Ka8", "Rh7", "Qb1", "Kh8", "Nb8", "Kc1", "Ra2",
    ]);
    texts.extend(["Kb7", "Qa8", "Rh1", "Kg8", "Nh7", "Kd8"]);
    let game = decode(&texts, CLEAN);
    assert!(sans(&game).starts_with(PLAYED));
    assert_eq!(game.outcome, Outcome::Unknown);
}

#[test]
fn a_result_that_stands_in_many_cells_is_none() {
    let mut texts = words(PLAYED);
    texts.extend(["½", "½"]);
    assert_eq!(decode(&texts, CLEAN).outcome, Outcome::Draw);
    texts.extend(["½", "½", "½", "½"]);
    assert_eq!(decode(&texts, CLEAN).outcome, Outcome::Unknown);
}

/// `O-O` as the reader sees it where `1-O` may be meant.
fn nearly_castling(mut sheet: SheetReadings) -> SheetReadings {
    let dense = |text| -> Posteriors {
        let only = simulated::sheet(&[text], CLEAN, 7).readings.remove(0);
        (&only.mixture.first().expect("a written cell").posteriors).into()
    };
    let (mut castling, result) = (dense("O-O"), dense("1-O"));
    for (log, other) in castling.log.iter_mut().zip(&result.log) {
        *log = (0.9 * log.exp() + 0.1 * other.exp()).ln();
    }
    let last = sheet.readings.last_mut().expect("a cell");
    last.mixture = MixtureComponent::alone(&castling);
    sheet
}

#[test]
fn what_looks_like_castling_is_a_result_where_nobody_can_castle() {
    for (moves, outcome) in [
        (PLAYED, Outcome::WhiteWins),
        ("d4 d5 Nf3 Nf6 e3 e6", Outcome::Unknown),
    ] {
        let mut texts = words(moves);
        texts.push("O-O");
        let sheet = nearly_castling(simulated::sheet(&texts, CLEAN, 7));
        let game = Decoder::new(Options::default()).decode(&[sheet]);
        assert!(sans(&game).starts_with(moves));
        assert_eq!(game.outcome, outcome);
    }
}

#[test]
fn a_stroke_far_below_the_moves_of_a_copy_is_no_result() {
    let white = words(PLAYED);
    let draw = |rows: usize| {
        let mut black = white.clone();
        black.extend(vec![""; 2 * rows + 1]);
        black.push("½");
        let sheets = [&white, &black].map(|texts| simulated::sheet(texts, CLEAN, 7));
        Decoder::new(Options::default()).decode(&sheets).outcome
    };
    assert_eq!(draw(0), Outcome::Draw);
    assert_eq!(draw(5), Outcome::Unknown);
}

#[test]
fn mate_on_the_board_is_the_result() {
    let game = decode(&words("f3 e5 g4 Qh4"), CLEAN);
    assert_eq!(
        (sans(&game).as_str(), game.outcome),
        ("f3 e5 g4 Qh4#", Outcome::BlackWins)
    );
}

#[test]
fn what_cannot_be_followed_is_cut() {
    let mut texts = words(PLAYED);
    texts.extend([
        "Kh8", "Qa8", "Kh1", "Na8", "Rh8", "Qh1", "Bh8", "Ka1", "Rb8", "Kc8", "Qb1", "Nh1",
    ]);
    let game = decode(&texts, CLEAN);
    assert!(!game.complete);
    assert!(game.plies.len() <= words(PLAYED).len() + 2 && !game.unread.is_empty());
}

/// [`PLAYED`] with three rows left empty, ticked or scribbled from move 8 on.
fn with_gap(text: &str) -> Game {
    let mut texts = words(PLAYED);
    texts[14..20].fill(text);
    decode(&texts, BLURRED)
}

#[test]
fn a_game_is_cut_before_a_gap_and_what_follows_is_kept() {
    for text in ["", "V", simulated::ILLEGIBLE] {
        let game = with_gap(text);
        assert_eq!(sans(&game), words(PLAYED)[..14].join(" "), "{text}");
        assert!(!game.complete);
        let behind: Vec<_> = game.unread.iter().map(|unread| unread.cell).collect();
        let writing: Vec<_> = (20..33).map(simulated::cell_id).collect();
        assert!(behind.ends_with(&writing), "{text}: {behind:?}");
    }
}

#[test]
fn clock_times_and_dashes_beside_the_moves_are_no_part_of_them() {
    let with_aside = |(ply, san): (usize, &str)| match ply % 3 {
        0 => format!("1'{}{san}", 59 - ply),
        1 => format!("-{san}"),
        _ => format!("{san}0.{}", 59 - ply),
    };
    let texts: Vec<String> = words(PLAYED)
        .into_iter()
        .enumerate()
        .map(with_aside)
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let game = decode(&texts, CLEAN);
    assert_eq!(sans(&game), PLAYED);
}

#[test]
fn rows_left_empty_between_two_moves_lose_none() {
    let mut texts = words(PLAYED);
    texts.splice(16..16, [""; 8]);
    let game = decode(&texts, BLURRED);
    assert_eq!(sans(&game), PLAYED);
    assert!(game.complete && game.gap.is_none());
}

#[test]
fn rows_written_twice_are_read_once() {
    for rows in [1, 2, 3] {
        let mut texts = words(PLAYED);
        let repeated = texts[12..12 + 2 * rows].to_vec();
        texts.splice(12..12, repeated);
        let game = decode(&texts, BLURRED);
        assert_eq!(sans(&game), PLAYED, "{rows} rows");
    }
}

/// Knights go out and back twice, so that two rows are written as the two before them.
#[test]
fn moves_that_repeat_the_position_are_played_as_often_as_they_are_written() {
    let moves = "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Bb5 Bb4 d3 d6";
    let game = decode(&words(moves), BLURRED);
    assert_eq!(sans(&game), moves);
}

#[test]
fn nothing_written_is_no_game() {
    for texts in [vec![], vec!["", "", ""]] {
        let game = decode(&texts, CLEAN);
        assert!(game.plies.is_empty() && game.unread.is_empty());
    }
}

/// A sheet whose cells at `damaged` have posteriors that no reader gives, each of another kind.
fn damaged_sheet(damaged: [usize; 5]) -> SheetReadings {
    let mut sheet = simulated::sheet(&words(PLAYED), CLEAN, 1);
    let damages: [fn(&mut Posteriors); 5] = [
        |p| p.log.fill(f32::NAN),
        |p| (p.frames, p.log) = (0, Vec::new()),
        |p| p.log.fill(f32::NEG_INFINITY),
        |p| p.log.truncate(100),
        |p| p.log.fill(f32::INFINITY),
    ];
    for (cell, damage) in damaged.into_iter().zip(damages) {
        let mixture = &mut sheet.readings[cell].mixture;
        let written = mixture.first().expect("a written cell");
        let mut dense = Posteriors::from(&written.posteriors);
        damage(&mut dense);
        *mixture = MixtureComponent::alone(&dense);
    }
    sheet
}

#[test]
fn a_cell_with_damaged_posteriors_is_asked_and_costs_no_other_move() {
    let damaged = [4, 9, 14, 19, 28];
    let game = Decoder::new(Options::default()).decode(&[damaged_sheet(damaged)]);
    let played = words(PLAYED);
    assert_eq!(game.plies.len(), played.len());
    for (i, (ply, san)) in game.plies.iter().zip(played).enumerate() {
        if damaged.contains(&i) {
            assert!(ply.review, "{i}: {}", ply.san);
        } else {
            assert_eq!(ply.san, san, "{i}");
        }
    }
}

#[test]
fn posteriors_of_another_alphabet_are_no_evidence() {
    let mut sheet = simulated::sheet(&words(PLAYED), CLEAN, 1);
    sheet.alphabet.clear();
    let game = Decoder::new(Options::default()).decode(&[sheet]);
    assert!(game.plies.iter().all(|ply| ply.review));
}

#[test]
fn a_beam_without_room_finds_no_move_and_leaves_every_cell_unread() {
    let mut options = Options::default();
    options.costs.beam.width = 0;
    let mut texts = words(PLAYED);
    texts[6] = "Qh8"; // Without it, the game is read without a search.
    let sheet = simulated::sheet(&texts, CLEAN, 1);
    let game = Decoder::new(options).decode(std::slice::from_ref(&sheet));
    assert!(game.plies.is_empty() && !game.complete);
    assert_eq!(game.unread.len(), sheet.readings.len());
}

#[test]
fn the_same_sheet_gives_the_same_game() {
    let first = decode(&words(PLAYED), BLURRED);
    assert_eq!(first, decode(&words(PLAYED), BLURRED));
}

/// A legal game of seeded random moves: each as SAN in a language's letters, which must be among
/// the spellings of the move, and as plain SAN.
fn random_game(seed: u64, plies: usize, language: &Language) -> (Vec<String>, Vec<String>) {
    let mut random = Random(seed);
    let mut position = Chess::default();
    let (mut written, mut played) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len())];
        let shape = MoveShape::for_moves(&position, &[m])[0];
        let san = San::from_move(&position, m).to_string();
        let letters = san.chars().map(|c| match shakmaty::Role::from_char(c) {
            Some(role) if c.is_ascii_uppercase() && c != 'O' => language.letters(role).to_owned(),
            _ => c.to_string(),
        });
        let text: String = letters.collect();
        let mut spellings = spellings(&shape, language, &Habits::default()).into_iter();
        assert!(spellings.any(|s| s.text == text), "{san} as {text}");
        written.push(text);
        played.push(san);
        position.play_unchecked(m);
    }
    (written, played)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 32,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    /// Read without noise, any legal game comes back, in the first six languages.
    #[test]
    fn noise_free_readings_give_back_the_game(
        seed in any::<u64>(),
        plies in 1usize..50,
        code in 0usize..6,
    ) {
        let (read, played) = read_back(seed, plies, code);
        prop_assert_eq!(read, played);
    }
}

/// A random game as it is read without noise, and as it was played.
fn read_back(seed: u64, plies: usize, code: usize) -> (Vec<String>, Vec<String>) {
    let language = &sheetscan::notation::LANGUAGES[code];
    let (written, played) = random_game(seed, plies, language);
    let texts: Vec<&str> = written.iter().map(String::as_str).collect();
    let options = Options {
        language: Some(language),
        ..Options::default()
    };
    let game = Decoder::new(options).decode(&[simulated::sheet(&texts, CLEAN, seed)]);
    let plain = |p: &Ply| p.san.replace(['+', '#'], "");
    (game.plies.iter().map(plain).collect(), played)
}

/// A Dutch game in which 15. Pd4 and 18. Pb5 are knight moves, though a pawn could go there too and
/// is the likelier move.
#[test]
fn whose_knight_is_p_writes_no_pawn_so() {
    let (read, played) = read_back(8_705_763_310_478_786_508, 45, 5);
    assert_eq!((&*played[28], &*played[34]), ("Nd4", "Nb5"));
    assert_eq!(read, played);
}

#[test]
fn columns_swapped_from_a_row_on_are_swapped_back() {
    let mut texts = words(PLAYED);
    texts.pop();
    texts[12..]
        .chunks_exact_mut(2)
        .for_each(|row| row.swap(0, 1));
    let game = decode(&texts, BLURRED);
    let played: Vec<&str> = words(PLAYED);
    assert_eq!(sans(&game), played[..played.len() - 1].join(" "));
    assert_eq!(game.plies[12].cells[0].1, simulated::cell_id(13));
}

#[test]
fn a_player_who_mistakes_the_column_for_some_rows_is_followed() {
    let mut texts = words(PLAYED);
    texts[12..20]
        .chunks_exact_mut(2)
        .for_each(|row| row.swap(0, 1));
    let game = decode(&texts, BLURRED);
    assert_eq!(sans(&game), PLAYED);
    let used: Vec<_> = game.plies.iter().map(|p| p.cells[0].1).collect();
    assert_eq!(used[18..21], [19, 18, 20].map(simulated::cell_id));
}

#[test]
fn two_copies_mend_each_other() {
    // White's copy lacks a row and is illegible from move 10 on. Black's, in Italian, has slips in
    // moves 3 and 6.
    let played = words(PLAYED);
    let mut white: Vec<&str> = played.clone();
    white[18..].fill(simulated::ILLEGIBLE);
    white.drain(4..6);
    let mut black = words(ITALIAN);
    (black[4], black[11]) = ("Ch3", "c6");
    let sheets = [
        simulated::sheet(&white, BLURRED, 3),
        simulated::sheet(&black, BLURRED, 4),
    ];
    let game = Decoder::new(Options::default()).decode(&sheets);
    assert_eq!(sans(&game), PLAYED);
    assert_eq!(game.languages, ["en", "it"]);
    assert_eq!(game.plies[0].cells.len(), 2);
    let of_black = game.plies[4].cells.iter().map(|&(sheet, _)| sheet);
    assert_eq!(
        of_black.collect::<Vec<_>>(),
        [1],
        "White left this move out"
    );
}
