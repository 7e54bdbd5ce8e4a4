//! `sheetscan transcribe` on PGN of other programs, in any language, and on forms of typed games
//! that are rarer than the rules of notation.

use crate::common::{Run, TestDir, games};

/// Runs `sheetscan transcribe` on the bytes of a file.
fn transcribe(bytes: impl AsRef<[u8]>) -> Run {
    let dir = TestDir::new();
    dir.write("in.txt", bytes);
    dir.run(&["transcribe", "in.txt", "--quiet"])
}

/// The movetext of each game of a PGN, on one line.
fn movetexts(pgn: &str) -> Vec<String> {
    let text = |game: &String| {
        let moves = game.lines().filter(|line| !line.starts_with('['));
        moves.collect::<Vec<_>>().join(" ").trim().to_owned()
    };
    games(pgn).iter().map(text).collect()
}

/// The movetexts of a run that finds nothing to look at.
fn whole_games(text: impl AsRef<[u8]>) -> Vec<String> {
    let run = transcribe(text);
    assert_eq!(
        (run.status, run.stderr.as_slice()),
        (0, &[][..]),
        "{}",
        run.stdout
    );
    movetexts(&run.stdout)
}

#[test]
fn the_tags_of_a_pgn_are_kept_and_give_no_games() {
    let text = "[Event \"Treino 1.e4 c5 2.Cf3 d6\"]\n[Site \"Lugar Nenhum\"]\n\
                [Date \"1987.05.03\"]\n[Round \"4\"]\n[White \"Silva, \\\"Zé\\\"\"]\n\
                [Black \"1. e4 c5 2. c3 d5\"]\n[Result \"1-0\"]\n[Annotator \"X\"]\n\n\
                1. e4 e5 2. Cf3 (2. f4 exf4 3. Cf3 g5 4. h4) 2... Cc6 $1 {1. d4 d5 2. c4} \
                3. Bb5 a6 ; 4. Bxc6\n1-0\n\n\
                [Event \"B\"] [Result \"0-1\"]\n1. d4 d5 2. c4 e6 0-1\n";
    let run = transcribe(text);
    assert_eq!((run.status, run.stderr.as_slice()), (0, &[][..]));
    let written = games(&run.stdout);
    assert_eq!(
        written[0],
        "[Event \"Treino 1.e4 c5 2.Cf3 d6\"]\n[Site \"Lugar Nenhum\"]\n[Date \"1987.05.03\"]\n\
         [Round \"4\"]\n[White \"Silva, \\\"Zé\\\"\"]\n[Black \"1. e4 c5 2. c3 d5\"]\n\
         [Result \"1-0\"]\n[Annotator \"X\"]\n\n1. e4 e5 2. Nf3 Nc6 $1 3. Bb5 a6 1-0\n\n"
    );
    assert!(written[1].contains("[Site \"?\"]") && written[1].contains("\n1. d4 d5 2. c4 e6 0-1"));
    assert_eq!(written.len(), 2);
}

#[test]
fn a_game_begins_from_its_fen_or_is_refused() {
    let odds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    let endgame = "8/8/8/4k3/8/8/4P3/4K3 b - -";
    let text = format!(
        "[Event \"Odds\"]\n[SetUp \"1\"]\n[FEN \"{odds}\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n\
         [Event \"End\"]\n[FEN \"{endgame}\"]\n\n1... Ke4 2. Kd2 Kd4 *\n"
    );
    let run = transcribe(&text);
    assert_eq!(run.status, 0, "{:?}", run.stderr);
    assert_eq!(
        movetexts(&run.stdout),
        ["1. e4 e5 2. Nf3 Nc6 1-0", "1... Ke4 2. Kd2 Kd4 *"]
    );
    assert!(
        run.stdout
            .contains(&format!("[FEN \"{odds}\"]\n[SetUp \"1\"]\n")),
        "{}",
        run.stdout
    );
    let fields = "[FEN \"8/8/8/4k3/8/8/4P3/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n";
    assert!(run.stdout.contains(fields), "{}", run.stdout);
    // The knight that is not there cannot move.
    let run = transcribe(format!("[FEN \"{odds}\"]\n\n1. e4 e5 2. Nc3 Nc6 *\n"));
    assert_eq!(run.status, 2);
    assert!(run.line_about("in.txt").contains("\"Nc3\""));
    for (tag, why) in [
        ("[FEN \"nonsense\"]", "no FEN"),
        ("[Variant \"Chess960\"]", "Chess960"),
    ] {
        let run = transcribe(format!(
            "{tag}\n\n1. e4 e5 *\n\n[Event \"B\"]\n\n1. d4 d5 *\n"
        ));
        assert_eq!(
            (run.status, movetexts(&run.stdout)),
            (2, vec!["1. d4 d5 *".to_owned()])
        );
        assert!(run.line_about("in.txt").contains(why), "{:?}", run.stderr);
        let alone = transcribe(format!("{tag}\n\n1. e4 e5 2. Nf3 *\n"));
        assert_eq!((alone.status, alone.stdout.as_str()), (1, ""));
        assert!(
            alone.line_about("in.txt").contains(why),
            "{:?}",
            alone.stderr
        );
    }
}

#[test]
fn what_tags_and_moves_lack_or_contradict_is_told() {
    let run = transcribe(
        "[Event \"A\"]\n[Result \"0-1\"]\n\n1. e4 e5 1-0\n\n[Event \"B\"]\n[White Smith]\n\n1. d4 d5 *\n\n\
         [Event \"C\"]\n\nlost\n\n[Event \"D\"]\n[Result \"1-0\"]\n\n1-0\n",
    );
    assert_eq!((run.status, run.stderr.len()), (2, 3), "{:?}", run.stderr);
    assert!(
        run.line_about("line 1:").contains("0-1"),
        "{:?}",
        run.stderr
    );
    assert!(
        run.line_about("line 7:").contains("the tag White"),
        "{:?}",
        run.stderr
    );
    assert!(
        run.line_about("line 11:").contains("no moves"),
        "{:?}",
        run.stderr
    );
    let texts = movetexts(&run.stdout);
    assert!(
        texts[0].starts_with("1. e4 e5 {") && texts[0].ends_with("} 1-0"),
        "{texts:?}"
    );
    assert!(texts[1].starts_with("1. d4 d5 {"), "{texts:?}");
    assert_eq!(texts[2], "1-0", "a forfeit has no moves");
}

#[test]
fn a_text_may_be_in_the_encoding_of_another_time() {
    let text = "Partida de João Ninguém\r\n\r\n1. e4 e5 2. Cf3 Cc6 3. Bb5 a6 ½\r\n";
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2";
    let marked = format!("\u{feff}{text}");
    let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(whole_games(&utf16), [moves]);
    assert_eq!(whole_games(&marked), [moves]);
    assert_eq!(whole_games(text.replace("\r\n", "\r")), [moves]);
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).expect("Latin-1"))
        .collect();
    let run = transcribe(&latin);
    assert_eq!(
        (run.status, movetexts(&run.stdout)),
        (0, vec![moves.to_owned()])
    );
    assert!(
        run.line_about("in.txt")
            .contains("windows-1252 was assumed"),
        "{:?}",
        run.stderr
    );
    // Lines are counted rightly where CR alone ends them.
    let run = transcribe("Heading\r\r1. e4 e5\r2. Kd5 a6");
    assert!(
        run.line_about("line 4").contains("\"Kd5\""),
        "{:?}",
        run.stderr
    );
}

#[test]
fn results_are_read_in_figures_and_words() {
    for (written, result) in [
        ("1:0", "1-0"),
        ("0,5-0,5", "1/2-1/2"),
        ("0,5 - 0,5", "1/2-1/2"),
        ("Remis", "1/2-1/2"),
        ("(0-1)", "0-1"),
        ("White resigns", "0-1"),
        ("Black resigns.", "1-0"),
        ("Weiß gibt auf", "0-1"),
        ("1 : 0", "1-0"),
        ("drawn", "1/2-1/2"),
        ("Remise", "1/2-1/2"),
        ("Nulle", "1/2-1/2"),
        ("Tablas", "1/2-1/2"),
        ("Empate", "1/2-1/2"),
        ("döntetlen", "1/2-1/2"),
        ("ничья", "1/2-1/2"),
    ] {
        let text = format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {written}\n");
        let moves = format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {result}");
        assert_eq!(whole_games(&text), [moves], "{written}");
    }
    let remark = "1. e4 e5 2. Nf3 Black loses a pawn now. 2... f6 3. Nxe5 fxe5 *";
    assert_eq!(whole_games(remark), ["1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 *"]);
}

#[test]
fn figures_of_correspondence_and_squares_with_blanks_are_moves() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Be2 Nf6 4. O-O *";
    for text in [
        "1. 5254 5755 2. 7163 2836 3. 6152 7866 4. 5171",
        "1.5254 5755 2.7163 2836 3.6152 7866 4.5171 *",
        "1. e2 - e4 e7 - e5 2. Ng1 - f3 Nb8 - c6 3. Bf1 - e2 Ng8 - f6 4. O - O",
        "1. E2 - E4 E7 - E5 2. NG1-F3 NB8-C6 3. BF1-E2 NG8-F6 4. O-O",
        "1. e2 e4 e7 e5 2. Ng1 f3 Nb8 c6 3. Bf1 e2 Ng8 f6 4. 0-0",
        "1. e2- e4, e7- e5 2. Ng1- f3, Nb8- c6 3. Bf1- e2, Ng8- f6 4. 0 - 0",
    ] {
        assert_eq!(whole_games(text), [moves], "{text}");
    }
    assert_eq!(
        whole_games("1. e4 - e5 2. Nf3 - Nc6"),
        ["1. e4 e5 2. Nf3 Nc6 *"]
    );
    assert_eq!(
        whole_games("1. 1214 2725 2. 1425 1716 3. 2516 3827 4. 1627 2836 5. 27184 1/2"),
        ["1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=N 1/2-1/2"]
    );
}

#[test]
fn what_follows_a_cut_is_repeated_in_the_comment() {
    let run = transcribe(
        "1. e4 e5 2. Nf3 Nc6 3. Rd1 b5 {a slip} 4. Bb3 d6 1-0\n\nAnother story, told on many lines.\n",
    );
    assert_eq!(run.status, 2);
    let game = &movetexts(&run.stdout)[0];
    assert!(
        game.starts_with("1. e4 e5 2. Nf3 Nc6 { sheetscan: line 1: \"Rd1\""),
        "{game}"
    );
    assert!(
        game.ends_with("the text goes on: 3. Rd1 b5 a slip 4. Bb3 d6 1-0 } 1-0"),
        "{game}"
    );
    let run = transcribe("1. d3 d6 2. Nf3 Nf6 3. Nd2 Nd7 0-1\n");
    let game = &movetexts(&run.stdout)[0];
    assert!(
        game.ends_with("the text goes on: 3. Nd2 Nd7 0-1 } 0-1"),
        "{game}"
    );
    let long = "1. e4 e5 2. Kd5 ".to_owned() + &"Nf6 Ng8 ".repeat(2000);
    let run = transcribe(&long);
    assert!(
        run.stdout.contains("and so on }") && run.stdout.len() < 2000,
        "{}",
        run.stdout
    );
}

/// Tags that a pairing program writes before a game without a result.
const TAGS: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n";

#[test]
fn a_word_for_an_end_in_the_middle_ends_nothing() {
    let whole = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 1-0";
    for remark in [
        "Draw offered, declined.",
        "time trouble",
        "Remis angeboten, abgelehnt.",
        "mate threat",
        "Black gave a pawn.",
        "White wins a piece",
    ] {
        for tags in ["", "[White \"A\"]\n\n"] {
            let text = format!(
                "{tags}1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {remark} 4. Bxc6 dxc6 5. O-O f6 1-0\n"
            );
            assert_eq!(whole_games(&text), [whole], "{text}");
        }
    }
    for (text, moves, rest) in [
        (
            "1. e4 e5 2. Nf3 Nc6 1-0 3. Bb5 a6",
            "1. e4 e5 2. Nf3 Nc6 {",
            "3. Bb5 a6 } *",
        ),
        (
            "1. e4 ½ e5 2. Nf3 Nc6 3. Bb5 a6 1-0",
            "1. e4 {",
            "e5 2. Nf3 Nc6 3. Bb5 a6 1-0 } 1-0",
        ),
    ] {
        let run = transcribe(text);
        let game = &movetexts(&run.stdout)[0];
        assert_eq!(run.status, 2, "{text}");
        assert!(game.starts_with(moves) && game.ends_with(rest), "{game}");
    }
    for end in ["Black resigns 0-1", "1-0 0-1"] {
        let run = transcribe(format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 {end}\n"));
        assert_eq!(run.status, 2, "{end}");
        let game = &movetexts(&run.stdout)[0];
        assert!(
            game.contains("a6 4. Ba4 {") && game.ends_with("} *"),
            "{game}"
        );
        assert!(run.line_about("in.txt").contains("several results"));
    }
}

#[test]
fn the_position_of_a_game_is_never_passed_over() {
    let odds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    for text in [
        format!("[Fen \"{odds}\"]"),
        format!("[White \"A\"]\n[fen \"{odds}\"]\n[Setup \"1\"]"),
        format!("[FEN “{odds}”]"),
        format!("[White \"A\"]\n; from a friend\n[FEN \"{odds}\"]"),
        format!("[White \"A\"]\n\n1. d4 d5 1-0 [FEN \"{odds}\"]"),
    ] {
        let run = transcribe(format!("{text}\n\n1. e4 e5 2. Nf3 Nc6 1-0\n"));
        assert_eq!(run.status, 0, "{text}: {:?}", run.stderr);
        let tag = format!("[FEN \"{odds}\"]\n[SetUp \"1\"]\n");
        assert!(run.stdout.contains(&tag), "{}", run.stdout);
    }
    for tag in [format!("[FEN {odds}]"), "[Setup \"1\"]".to_owned()] {
        for before in ["", "[White \"A\"]\n", "[White \"A\"]\n{x}\n"] {
            let run = transcribe(format!("{before}{tag}\n\n1. e4 e5 2. Nf3 Nc6 1-0\n"));
            assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{before}{tag}");
        }
    }
}

#[test]
fn comments_and_remarks_tear_no_games_apart() {
    let game = "1. e4 e5 2. Nf3 Nc6 1-0";
    for (text, games) in [
        (
            format!("[Event \"X\"] ; c\n[White \"A\"]\n{{c}}\n% c\n[Black \"B\"]\n\n{game}"),
            1,
        ),
        (
            format!("{TAGS}1. e4 e5 {{as in\n[White \"C\"]\n1. d4}} 2. Nf3 Nc6 1-0"),
            1,
        ),
        (
            format!("{TAGS}1. e4 e5\n[Diagram \"1\"]\n2. Nf3 Nc6 1-0"),
            1,
        ),
        (
            format!("{TAGS}{game} [Event \"Two\"] [White \"C\"]\n\n{game}"),
            2,
        ),
        (format!("> [White \"A\"]\n> [Black \"B\"]\n>\n> {game}"), 1),
        (format!("[White ‘A’]\n[Black 'B']\n\n{game}"), 1),
    ] {
        assert_eq!(whole_games(&text), vec![game; games], "{text}");
        let tags = transcribe(&text).stdout;
        assert!(tags.contains("[White \"A\"]"), "{text}");
        assert_eq!(tags.contains("[White \"C\"]"), games == 2, "{text}");
    }
}

#[test]
fn a_side_line_that_is_never_closed_is_told() {
    let run = transcribe(format!(
        "{TAGS}1. e4 e5 (1... c5 2. Nf3 d6\n2. Nf3 Nc6 1-0\n\n{TAGS}1. d4 d5 1-0\n"
    ));
    assert_eq!(run.status, 2);
    assert!(
        run.line_about("line 5").contains("never closed"),
        "{:?}",
        run.stderr
    );
    let written = movetexts(&run.stdout);
    assert!(
        written[0].starts_with("1. e4 e5 {") && written[0].ends_with("} *"),
        "{written:?}"
    );
    assert_eq!(written[1], "1. d4 d5 1-0");
}

#[test]
fn signs_and_times_between_moves_lose_nothing() {
    for text in [
        "1. ♙e4 ♟e5 2. Nf3 Nc6 3. Bb5 ♟a6 1-0".to_owned(),
        format!("{TAGS}1 e4, e5; 2 Cf3, Cc6; 3 Ab5, a6 1-0"),
        format!("{TAGS}1. e4 0:05 e5 0:04 2. Nf3 0:30 Nc6 0:59 3. Bb5 1:25 a6 1:20 1-0"),
        "1. e4 01:30:10 e5 01:29:00\n2. Nf3 01:28:10 Nc6 01:27:10\n3. Bb5 01:27:00 a6 01:20:10\n1-0"
            .to_owned(),
    ] {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0";
        assert_eq!(whole_games(&text), [moves], "{text}");
    }
}

#[test]
fn numbers_that_jump_are_told() {
    let run = transcribe(format!("{TAGS}5. e4 e5 6. Nf3 Nc6 7. Bb5 a6 1-0\n"));
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(
        run.line_about("in.txt").contains("number 5"),
        "{:?}",
        run.stderr
    );
    for tags in ["", TAGS] {
        let run = transcribe(format!(
            "{tags}1. e4 e5\n2. Nf3 Nc6\n4. Bb5 a6\n5. O-O Nf6 1-0\n"
        ));
        assert_eq!(run.status, 2);
        let game = &movetexts(&run.stdout)[0];
        assert!(
            game.starts_with("1. e4 e5 2. Nf3 Nc6 { sheetscan: line"),
            "{game}"
        );
        assert!(game.ends_with("4. Bb5 a6 5. O-O Nf6 1-0 } 1-0"), "{game}");
    }
    // A slip of the pen.
    let text = "1. e4 e5 2. Nf3 Nc6 4. Bb5 a6 4. Ba4 Nf6 5. O-O 1-0";
    assert_eq!(
        whole_games(text),
        ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1-0"]
    );
}

#[test]
fn a_text_of_quotes_or_tags_is_read() {
    let quotes = format!("[White \"{}\"]\n\n1. e4 e5 1-0\n", "\"x".repeat(60_000));
    assert_eq!(transcribe(quotes).status, 0);
    let tags: String = (0..40_000).map(|i| format!("[T{i} \"x\"]\n")).collect();
    assert_eq!(
        whole_games(format!("{tags}\n1. e4 e5 1-0\n")),
        ["1. e4 e5 1-0"]
    );
}
