//! `sheetscan transcribe` on the games of the seeds, on the rules of notation, and on texts that
//! are wrong or no games.

use crate::common::{Run, TestDir, games};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position, Role};
use sheetscan::notation::{
    ANY_COORDINATE, ANY_LETTER, Habits, LANGUAGES, Language, MoveShape, spellings,
};
use sheetscan::transcribe::transcribe;

/// The movetext of each game of a PGN, on one line.
fn movetexts(pgn: &str) -> Vec<String> {
    let text = |game: &String| {
        let moves = game.lines().filter(|line| !line.starts_with('['));
        moves.collect::<Vec<_>>().join(" ").trim().to_owned()
    };
    games(pgn).iter().map(text).collect()
}

/// Runs `sheetscan transcribe` on a text.
fn run_transcribe(text: &str, arguments: &[&str]) -> Run {
    let mut all = vec!["transcribe", "--quiet"];
    all.extend(arguments);
    TestDir::new().run_with_input(&all, text)
}

/// The seven games of the seeds: the passage of the guide as it stands there, its language, how
/// many times it gives the game, and the moves of `seed_games.pgn`. The passage `001_exemplo_1`
/// gives its game in columns, in a line, and with prose between the moves.
const SEEDS: [(&str, &str, usize, &str); 7] = [
    (
        include_str!("transcribe/000_apendice_e_pt.txt"),
        "pt",
        1,
        "1. e4 e5 2. Nf3 Nf6 3. d4 exd4 4. e5 Ne4 5. Qxd4 d5 6. exd6 Nxd6 7. Bg5 Nc6 8. Qe3+ Be7 \
         9. Nbd2 O-O \
         10. O-O-O Re8 11. Kb1 *",
    ),
    (
        include_str!("transcribe/001_exemplo_1_pt.txt"),
        "pt",
        3,
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
    ),
    (
        include_str!("transcribe/001_exemplo_2_pt.txt"),
        "pt",
        1,
        "1. Nf3 d5 2. e4 dxe4 3. Bb5+ Nd7 4. Bxd7+ Bxd7 5. d4 exd3 6. O-O *",
    ),
    (
        include_str!("transcribe/001_algebrico_longo_pt.txt"),
        "pt",
        1,
        "1. e4 e5 2. Nf3 Nc6 3. d4 exd4 *",
    ),
    (
        include_str!("transcribe/002_appendice_e_it.txt"),
        "it",
        1,
        "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Bd2 O-O 5. e4 d5 6. exd5 exd5 7. cxd5 Bxc3 8. Bxc3 \
         Nxd5 9. Nf3 b6 \
         10. Qb3 Nxc3 11. bxc3 c5 12. Be2 cxd4 13. Nxd4 Re8 14. O-O Nd7 15. a4 Nc5 16. Qb4 Bb7 \
         17. a5 *",
    ),
    (
        include_str!("transcribe/003_partita_1_it.txt"),
        "it",
        1,
        "1. d4 c5 2. d5 e5 3. dxe6 fxe6 4. c4 Nf6 5. Nc3 Nc6 6. Nf3 d5 7. Bf4 Be7 8. e3 O-O 9. \
         Bd3 d4 10. exd4 cxd4 \
         11. Nb5 e5 12. Nxe5 Bb4+ 13. Kf1 Ng4 14. Nxg4 Rxf4 15. h3 Qh4 16. Kg1 Bxg4 17. hxg4 Qxf2+ 18. Kh2 Ne5 \
         19. Rf1 Qh4+ 20. Kg1 Nxg4 21. Rxf4 Qh2+ 22. Kf1 Qh1+ 23. Ke2 Qxg2+ 24. Rf2 Qxf2# 0-1",
    ),
    (
        include_str!("transcribe/003_partita_2_it.txt"),
        "it",
        1,
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 4. d4 exd4 5. O-O Qf6 6. c3 dxc3 7. Nxc3 Nge7 8. Nb5 Kd8 \
         9. Bg5 Qg6 10. e5 Bg4 \
         11. exd6 cxd6 12. Nxd6 Bxf3 13. Nxf7+ Kc8 14. Qxf3 Nf5 15. Rac1 Bd6 16. Qxf5+ Qxf5 17. \
         Nxd6+ Kc7 18. Nxf5 1-0",
    ),
];

#[test]
fn the_games_of_the_seeds_are_transcribed_with_and_without_their_language() {
    for (text, language, times, moves) in SEEDS {
        let run = run_transcribe(text, &[]);
        assert_eq!((run.status, run.stderr.as_slice()), (0, &[][..]), "{text}");
        assert_eq!(movetexts(&run.stdout), vec![moves; times], "{text}");
        let with_language = run_transcribe(text, &["--lang", language]);
        assert_eq!(with_language.stdout, run.stdout, "{text}");
    }
}

#[test]
fn single_moves_that_a_guide_shows_are_no_game() {
    let prose = "Exemplos: Be5, Cf3, Td1. No caso dos peões: e5, d4, a5. Capturas: Bxe5, Cxf3, \
                 dxe5, gxf3. \
                 Escreve-se 1. ... Cc6 ou 1. ... Pd7-d5 (oppure 1. ... Pd5), 43. Ta7-a5+, 31. Af3-c4++, 24. Cc3d5. \
                 Dois cavalos em g1 e d2: Cgf3 ou Cdf3. Promoção: d8D, f8C, b1B, g1T. 35. ... \
                 T3b4.";
    let run = run_transcribe(prose, &[]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert_eq!(run.stderr.len(), 1);
    assert!(
        run.line_about("standard input")
            .contains("no game is found; ")
    );
}

/// Each rule of notation that a typed text can follow: its number, the language, a text, and the
/// moves of the text.
const RULES: &[(u8, &str, &str, &str)] = &[
    (
        1,
        "pt",
        "1. Cf3 d5 2. g3 Cc6 3. Bg2 Dd6 4. 0-0 Rd8 5. Te1",
        "1. Nf3 d5 2. g3 Nc6 3. Bg2 Qd6 4. O-O Kd8 5. Re1",
    ),
    (
        1,
        "it",
        "1. Cf3 d5 2. g3 Cc6 3. Ag2 Dd6",
        "1. Nf3 d5 2. g3 Nc6 3. Bg2 Qd6",
    ),
    (
        1,
        "es",
        "1. Cf3 d5 2. g3 Cc6 3. Ag2 Dd6",
        "1. Nf3 d5 2. g3 Nc6 3. Bg2 Qd6",
    ),
    (
        1,
        "de",
        "1. Sf3 d5 2. g3 Sc6 3. Lg2 Dd6",
        "1. Nf3 d5 2. g3 Nc6 3. Bg2 Qd6",
    ),
    (
        1,
        "hu",
        "1. Hf3 d5 2. g3 Hc6 3. Fg2 Vd6 4. O-O Kd8 5. Be1",
        "1. Nf3 d5 2. g3 Nc6 3. Bg2 Qd6 4. O-O Kd8 5. Re1",
    ),
    (
        1,
        "ru",
        "1. Кf3 d5 2. g3 Кc6 3. Сg2 Фd6 4. 0-0 Крd8 5. Лe1",
        "1. Nf3 d5 2. g3 Nc6 3. Bg2 Qd6 4. O-O Kd8 5. Re1",
    ),
    (2, "fr", "1. e4 e5 2. Ff1-c4 Cc6", "1. e4 e5 2. Bc4 Nc6"),
    (2, "nl", "1. e4 e5 2. Lc4 Pc6", "1. e4 e5 2. Bc4 Nc6"),
    (
        2,
        "pt",
        "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5",
    ),
    (3, "pt", "1. e4 e5 2. f4 d5", "1. e4 e5 2. f4 d5"),
    (4, "it", "1. Pd4 Pd7-d5 2. Pc2-c4", "1. d4 d5 2. c4"),
    (
        5,
        "pt",
        "1. E4 E5 2. CF3 CC6 3. BB5",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5",
    ),
    (6, "pt", "1. e4 d5 2. exd5 DXd5", "1. e4 d5 2. exd5 Qxd5"),
    (
        7,
        "it",
        "1. e4 d5 2. e:d5 D:d5 3. Cc3 Db3 4. a:b3",
        "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qb3 4. axb3",
    ),
    (
        7,
        "de",
        "1. e4 d5 2. ed5: Dd5: 3. Sc3",
        "1. e4 d5 2. exd5 Qxd5 3. Nc3",
    ),
    (
        8,
        "pt",
        "1. e4 d5 2. exd5 e6 3. dxe6 fxe6",
        "1. e4 d5 2. exd5 e6 3. dxe6 fxe6",
    ),
    (
        9,
        "pt",
        "1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6",
        "1. e4 a6 2. e5 d5 3. exd6 cxd6",
    ),
    (
        9,
        "it",
        "1. e4 a6 2. e5 d5 3. exd6 ep cxd6",
        "1. e4 a6 2. e5 d5 3. exd6 cxd6",
    ),
    (
        9,
        "it",
        "1. e4 a6 2. e5 d5 3. e:d6e.p. c:d6",
        "1. e4 a6 2. e5 d5 3. exd6 cxd6",
    ),
    (
        10,
        "pt",
        "1. Cf3 d5 2. d3 e5 3. Cbd2",
        "1. Nf3 d5 2. d3 e5 3. Nbd2",
    ),
    (
        10,
        "pt",
        "1. Cf3 d5 2. d3 e5 3. Cf3d2",
        "1. Nf3 d5 2. d3 e5 3. Nfd2",
    ),
    (10, "pt", "1. Cgf3 d5 2. Cb1c3", "1. Nf3 d5 2. Nc3"),
    (10, "pt", "1. Cef3 d5 2. Cc3", "1. Nf3 d5 2. Nc3"),
    (
        10,
        "it",
        "1. e4 a6 2. Cf3 b6 3. Cg5 c6 4. Cc3 d6 5. Ce2 e6 6. Cg1 f6 7. C5f3",
        "1. e4 a6 2. Nf3 b6 3. Ng5 c6 4. Nc3 d6 5. Ne2 e6 6. Ng1 f6 7. N5f3",
    ),
    (
        11,
        "pt",
        "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Cc6 5. bxa8C",
        "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=N",
    ),
    (
        11,
        "it",
        "1. h3 a5 2. b4 axb4 3. a3 bxa3 4. Ab2 axb2 5. h4 bxa1A",
        "1. h3 a5 2. b4 axb4 3. a3 bxa3 4. Bb2 axb2 5. h4 bxa1=B",
    ),
    (
        12,
        "it",
        "1. a4 b5 2. axb5 a6 3. bxa6 Ab7 4. axb7 Cc6 5. b7:a8=D",
        "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=Q",
    ),
    (
        12,
        "en",
        "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8(R)",
        "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=R",
    ),
    (
        13,
        "pt",
        "1. g3 g6 2. Bg2 Bg7 3. Cf3 Cf6 4. 0-0 o-o",
        "1. g3 g6 2. Bg2 Bg7 3. Nf3 Nf6 4. O-O O-O",
    ),
    (
        13,
        "en",
        "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O–O–O 0-0-0",
        "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O",
    ),
    (
        14,
        "pt",
        "1. g3 g6 2. Bg2 Bg7 3. Cf3 Cf6 4. Rg1 Re8-g8",
        "1. g3 g6 2. Bg2 Bg7 3. Nf3 Nf6 4. O-O O-O",
    ),
    (
        15,
        "pt",
        "1. e4 f5 2. Dh5+ g6 3. Dxg6ch",
        "1. e4 f5 2. Qh5+ g6 3. Qxg6+",
    ),
    (
        15,
        "en",
        "1. e4 f5 2. Qh5 ch' g6 3. Qxg6 ch",
        "1. e4 f5 2. Qh5+ g6 3. Qxg6+",
    ),
    (15, "pt", "1. e4+ f5 2. Dh5 g6", "1. e4 f5 2. Qh5+ g6"),
    (16, "pt", "1. f3 e5 2. g4 Dh4++", "1. f3 e5 2. g4 Qh4#"),
    (16, "en", "1. f3 e5 2. g4 Qh4 mate", "1. f3 e5 2. g4 Qh4#"),
    (16, "en", "1. f3 e5 2. g4 Qh4#", "1. f3 e5 2. g4 Qh4#"),
    (18, "pt", "1. e4 e5(=) 2. d4 (=) d5", "1. e4 e5 2. d4 d5"),
    (19, "it", "1 e4, e5; 2 Cf3, abb. 1-0", "1. e4 e5 2. Nf3 1-0"),
    (
        19,
        "it",
        "1 e4, e5; 2 Cf3, Cc6; 3 tempo",
        "1. e4 e5 2. Nf3 Nc6 0-1",
    ),
    (19, "it", "1. e4 e5 2. Cf3 ½–½", "1. e4 e5 2. Nf3 1/2-1/2"),
    (19, "it", "1. e4 e5 2. Cf3 0 - 1", "1. e4 e5 2. Nf3 0-1"),
    (
        20,
        "pt",
        "1. e4! e5?? 2. Cf3!? Cc6 ?! 3. Bb5!! a6? 4. a4□",
        "1. e4 $1 e5 $4 2. Nf3 $5 Nc6 $6 3. Bb5 $3 a6 $2 4. a4 $7",
    ),
    (
        21,
        "pt",
        "1. e2-e4 e7–e5 2. Cg1-f3 d7-d5 3. e4xd5 Dd8xd5",
        "1. e4 e5 2. Nf3 d5 3. exd5 Qxd5",
    ),
    (
        21,
        "it",
        "1. e2e4 d7d5 2. e4:d5 Dd8:d5",
        "1. e4 d5 2. exd5 Qxd5",
    ),
    (
        22,
        "pt",
        "1.e4 e5\n2.Cf3\n2... Cc6\n3.Bb5",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5",
    ),
    (22, "pt", "1) e4 e5 2) Cf3 Cc6", "1. e4 e5 2. Nf3 Nc6"),
    (
        22,
        "pt",
        "e4\ne5\nCf3\nCc6\nBb5\na6",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
    ),
    (
        22,
        "pt",
        "Brancas\tPretas\n1\te4\te5\n2\tCf3\tCc6\n3\tBb5\ta6\n",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
    ),
    (
        22,
        "pt",
        "- 1. e4 e5\n- 2. Cf3\n- Preto agora defende seu peão\n- 2. ... Cc6\n- 3. Bb5 a6",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
    ),
    (
        22,
        "en",
        "1. e4 (1. d4 d5 2. c4 is quieter) e5 2. Nf3 {the best, 2. f4 exf4} Nc6 3. Bb5",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5",
    ),
    (
        22,
        "en",
        "White began with 1. e4, and Black replied 1...c5. After 2.Nf3 d6 3.d4 cxd4 4.Nxd4 he \
         resigned.",
        "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4",
    ),
    (
        22,
        "en",
        "1. e4 e5 2. d4 ed 3. Qxd4 Nc6 4. QxP?",
        "1. e4 e5 2. d4 exd4 3. Qxd4 Nc6",
    ),
];

#[test]
fn a_text_by_each_rule_is_transcribed_in_its_language() {
    for (rule, language, text, moves) in RULES {
        let run = run_transcribe(text, &["--lang", language]);
        let games = movetexts(&run.stdout);
        let [game] = games.as_slice() else {
            panic!("rule {rule}, {text}: {:?} {:?}", run.stdout, run.stderr)
        };
        assert!(game.starts_with(moves), "rule {rule}, {text}: {game}");
        let rest = &game[moves.len()..];
        assert!(
            ["", " *", " 0-1"].contains(&rest) || rest.starts_with(" { "),
            "rule {rule}, {text}: {game}"
        );
    }
}

/// Rules 5 and 22 are left out, since some of their texts fit several languages equally well.
#[test]
fn the_moves_are_right_where_no_language_is_given() {
    for (rule, language, text, moves) in RULES.iter().filter(|r| ![5, 22].contains(&r.0)) {
        let run = run_transcribe(text, &[]);
        let games = movetexts(&run.stdout);
        assert_eq!(
            games.len(),
            1,
            "rule {rule}, {language}, {text}: {:?}",
            run.stderr
        );
        assert!(
            games[0].starts_with(moves),
            "rule {rule}, {language}, {text}: {}",
            games[0]
        );
    }
}

#[test]
fn a_game_ends_before_its_fault_and_one_line_names_the_word() {
    for (text, moves, word) in [
        (
            "1. e4 e5 2. Nf3 Nc6 3. Kd5 a6 4. Ba4",
            "1. e4 e5 2. Nf3 Nc6 {",
            "\"Kd5\"",
        ),
        ("1. e4 e5 2. Nf33 Nc6 3. Bb5 a6", "1. e4 e5 {", "\"Nf33\""),
        ("1. e4 e5 2. Nf Nc6 3. Bb5 a6", "1. e4 e5 {", "\"Nf\""),
        (
            "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 foo O-O Be7",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 {",
            "\"foo\"",
        ),
        ("1. e4 e5 2. foo a6", "1. e4 e5 {", "\"foo\""),
        ("d4 Nf9 c4 d5 Nf3 Nf6 Nc3 e6 Bg5 Be7", "1. d4 {", "\"Nf9\""),
        ("e4 e5 Nf33 a6 a4", "1. e4 e5 {", "\"Nf33\""),
        ("1. a4 b5 2. Cx a6 3. axb5", "1. a4 b5 {", "\"Cx\""),
        (
            "1. a4 b5 and 2. e4 3. d4 d5 Nf6 4. axb5",
            "1. a4 b5 2. e4 {",
            "the number 3 stands where Black's move 2 should be",
        ),
        ("1. e4 Zq9 2. Nf3 Nc6", "1. e4 {", "\"Zq9\""),
        (
            "1. e4 e5 A fine move. 2. Kd5 Nf6 and then 3. Nf3",
            "1. e4 e5 {",
            "\"Kd5\"",
        ),
        (
            "1. d3 d6 2. Nf3 Nf6 3. Nd2 Nd7",
            "1. d3 d6 2. Nf3 Nf6 {",
            "\"Nd2\"",
        ),
        (
            "1. e4 e5 2. Nf3 P-QB3",
            "1. e4 e5 2. Nf3 {",
            "descriptive notation",
        ),
        (
            "1. e4 e5 2. Bc4 Nc6 3. O-O-O a6",
            "1. e4 e5 2. Bc4 Nc6 {",
            "\"O-O-O\"",
        ),
        (
            "1. f3 e5 2. g4 Qh4# 1-0",
            "1. f3 e5 2. g4 Qh4# {",
            "0-1 on the board",
        ),
    ] {
        let run = run_transcribe(text, &["--lang", "en"]);
        assert_eq!(
            (run.status, run.stderr.len()),
            (2, 1),
            "{text}: {:?}",
            run.stderr
        );
        let line = run.line_about("standard input: line 1: ");
        assert!(line.contains(word) && line.contains("; "), "{line}");
        let game = &movetexts(&run.stdout)[0];
        assert!(game.starts_with(moves), "{text}: {game}");
    }
}

#[test]
fn later_moves_decide_which_piece_moved() {
    let run = run_transcribe("1. Nf3 d5 2. d3 e5 3. Nd2 Nf6 4. Nf3 Nc6 5. Nbd2", &[]);
    assert_eq!(run.status, 0, "{:?}", run.stderr);
    assert!(
        run.stdout.contains("3. Nfd2 Nf6 4. Nf3 Nc6 5. Nbd2 *"),
        "{}",
        run.stdout
    );
}

#[test]
fn descriptive_notation_is_refused_and_named() {
    for text in [
        "1. P-K4 P-K4 2. Kt-KB3 Kt-QB3 3. B-Kt5",
        "1. P4R P4R 2. C3AR C3AD 3. A5C",
        "1 P-Q4 P-Q4 2 P-QB4 PxP",
    ] {
        let run = run_transcribe(text, &[]);
        assert_eq!(
            (run.status, run.stdout.as_str(), run.stderr.len()),
            (1, "", 1),
            "{text}"
        );
        assert!(
            run.stderr[0].contains("descriptive notation"),
            "{:?}",
            run.stderr
        );
    }
}

#[test]
fn a_file_without_a_game_gives_one_line_and_leaves_the_output_alone() {
    let dir = TestDir::new();
    dir.write("empty.txt", "");
    dir.write("blank.txt", "\u{feff} \n\n");
    dir.write("prose.txt", "Nothing to see here, 1. or 2.\n");
    dir.write(
        "bytes.txt",
        (0..=255u8).cycle().take(5000).collect::<Vec<_>>(),
    );
    dir.write("zero.txt", "1. e4 e5\0 2. Nf3");
    dir.write("line.txt", "x".repeat(3 << 20));
    dir.write("open.txt", "((((( Kd5 ".repeat(3 << 17));
    dir.write("long.txt", "1. e4 e5 1-0\n".repeat(1 << 19));
    dir.write("first.txt", "1. Ke2 e5 2. Nf3 Nc6");
    for (name, reason) in [
        ("empty.txt", "empty"),
        ("blank.txt", "empty"),
        ("prose.txt", "no game"),
        ("bytes.txt", "not a text"),
        ("zero.txt", "not a text"),
        ("line.txt", "no game"),
        ("open.txt", "no game"),
        ("long.txt", "longer than 4 MiB"),
        ("first.txt", "\"Ke2\""),
        ("gone.txt", "cannot be read"),
        (".", "cannot be read"),
    ] {
        dir.write("games.pgn", "old");
        let run = dir.run(&["transcribe", name, "-o", "games.pgn"]);
        assert_eq!(
            (run.status, run.stderr.len()),
            (1, 1),
            "{name}: {:?}",
            run.stderr
        );
        let line = &run.stderr[0];
        assert!(line.starts_with(&format!("sheetscan: {name}: ")), "{line}");
        assert!(line.contains(reason) && line.contains("; "), "{line}");
        assert_eq!(dir.text("games.pgn"), "old");
    }
}

#[test]
fn files_and_standard_streams_give_the_same_games() {
    let dir = TestDir::new();
    dir.write(
        "two.txt",
        "1. e4 e5 2. Nf3 Nc6 1-0\n\n1. d4 d5 2. c4 dxc4 0-1\n",
    );
    let run = dir.run(&["transcribe", "two.txt", "-o", "games.pgn"]);
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (0, ""),
        "{:?}",
        run.stderr
    );
    assert!(
        run.line_about("line 3").contains("4 moves"),
        "{:?}",
        run.stderr
    );
    let text = dir.text("two.txt");
    for arguments in [
        &["transcribe", "-q"][..],
        &["transcribe", "-", "-o", "-", "-q"],
    ] {
        let piped = dir.run_with_input(arguments, &text);
        assert_eq!((piped.status, &piped.stdout), (0, &dir.text("games.pgn")));
    }
    for arguments in [
        &["transcribe", "two.txt", "--lang", "Klingon"][..],
        &["transcribe", "two.txt", "-o", "none/games.pgn"],
    ] {
        assert_eq!(dir.run(arguments).status, 1, "{arguments:?}");
    }
    let help = dir.run(&["transcribe", "--help"]);
    assert_eq!((help.status, help.stderr.len()), (0, 0));
}

/// The spellings of a move that say which move is meant and are no spellings of another one. The
/// others are slips of the pen or mistakes of the reader.
fn unambiguous_texts(
    position: &Chess,
    moves: &[Move],
    m: Move,
    language: &Language,
) -> Vec<String> {
    let shapes = MoveShape::for_moves(position, moves);
    let all: Vec<_> = shapes
        .iter()
        .map(|shape| spellings(shape, language, &Habits::default()))
        .collect();
    let at = moves.iter().position(|other| *other == m).expect("legal");
    let shape = &shapes[at];
    let clear = |text: &str| {
        let target = shape.to.to_string();
        let letters = language.letters(shape.role).to_lowercase();
        let lower = text.to_lowercase();
        let named = shape.role == Role::Pawn
            || text.starts_with(&shape.from.to_string())
            || (lower.starts_with(&letters) && lower[letters.len()..].contains(&target));
        let castles = shape.castling.is_some_and(|side| {
            let san = if side.is_king_side() { 2 } else { 3 };
            text.chars().filter(|c| "O0o".contains(*c)).count() == san || lower.contains(&target)
        });
        castles || (shape.castling.is_none() && named && lower.contains(&target))
    };
    let only_here = |text: &str| {
        let holds = |(i, forms): (usize, &Vec<sheetscan::notation::Spelling>)| {
            i != at && forms.iter().any(|s| s.text == text)
        };
        !all.iter().enumerate().any(holds)
    };
    let forms = all[at]
        .iter()
        .filter(|s| s.cost <= 7.5 && !s.text.contains([ANY_LETTER, ANY_COORDINATE]));
    forms
        .map(|s| s.text.to_string())
        .filter(|text| clear(text) && only_here(text))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(3),
        ..ProptestConfig::default()
    })]

    #[test]
    fn games_in_unambiguous_spellings_are_transcribed_to_their_moves(
        language in 0..LANGUAGES.len(),
        style in 0..5usize,
        choices in prop::collection::vec((any::<u16>(), any::<u16>()), 1..90),
    ) {
        let language = &LANGUAGES[language];
        let mut position = Chess::default();
        let (mut text, mut sans) = (String::new(), Vec::new());
        for (ply, (which, how)) in choices.into_iter().enumerate() {
            let moves = position.legal_moves();
            if moves.is_empty() || position.is_game_over() {
                break;
            }
            let m = moves[usize::from(which) % moves.len()];
            let forms = unambiguous_texts(&position, &moves, m, language);
            if forms.is_empty() {
                break;
            }
            let form = &forms[usize::from(how) % forms.len()];
            let (number, black) = (ply / 2 + 1, ply % 2 == 1);
            text += &match (style, black) {
                (0, false) => format!("{number}. {form} "),
                (0, true) => format!("{form}\n"),
                (1, false) => format!("{number} {form}, "),
                (1, true) => format!("{form}; "),
                (2, false) => format!("{number}.{form}\n"),
                (2, true) => format!("{number}...{form}\n"),
                (3, false) => format!("{number}. {form} (how odd) "),
                (3, true) => format!("So Black must reply {number}. ... {form} now. And then "),
                _ => format!("{form} "),
            };
            sans.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        }
        prop_assume!(sans.len() > 3);
        let transcription = transcribe(&text, Some(language))
            .map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
        let transcribed: Vec<Vec<String>> = transcription
            .games
            .iter()
            .map(|game| game.plies.iter().map(|ply| ply.san.clone()).collect())
            .collect();
        prop_assert_eq!(transcribed, vec![sans], "{} {}", language.code, text);
    }

    #[test]
    fn any_text_gives_legal_games_or_an_error(text in "(\\PC|[1-9a-hKQRBNOx+#=.:() \n-]){0,200}") {
        let Ok(transcription) = transcribe(&text, None) else {
            return Ok(());
        };
        prop_assert!(!transcription.games.is_empty());
        for game in transcription.games {
            let mut position = Chess::default();
            for ply in game.plies {
                let san: SanPlus = ply.san.parse().expect("SAN");
                let m = san.san.to_move(&position);
                prop_assert!(m.is_ok(), "{} in {text}", ply.san);
                position.play_unchecked(m.expect("it is legal"));
            }
        }
    }
}
