//! Files of pairing programs: what is read from them, and which faults are reported. The fixtures
//! are lines of a report file with the irregularities of real ones, in the columns of the TRF
//! standard.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sheetscan::event::{CheckCode, Event, PairingKind};
use sheetscan::notation::Outcome;
use sheetscan::text;

/// A player's line: start rank, sex and title, name, rating, federation, FIDE number as it stands
/// in its field, rounds.
fn player(rank: u32, title: &str, name: &str, rating: &str, id: &str, rounds: &[&str]) -> String {
    let head = format!(
        "001 {rank:>4} {title:<4} {name:<33} {rating:>4} GER {id:>11} 1969.12.06  1.0    1"
    );
    rounds
        .iter()
        .fold(head, |line, round| format!("{line}  {round:<8}"))
}

fn read(lines: &[String]) -> Event {
    Event::parse_trf("event.trf", &lines.join("\n"))
}

fn faults(event: &Event) -> Vec<(CheckCode, usize, usize)> {
    event
        .faults
        .iter()
        .map(|f| (f.code, f.line, f.column))
        .collect()
}

/// Four players, two rounds: a game each way, a forfeit, a game under one move.
fn small() -> Vec<String> {
    vec![
        "012 Open of Nowhere".to_owned(),
        player(
            1,
            "  g ",
            "Müller,Jörg",
            "2558",
            "3400042",
            &["   2 w 1", "   3 b ="],
        ),
        player(
            2,
            "w wm",
            "Doe Jane",
            "0",
            "735463     ",
            &["   1 b 0", "   4 w +"],
        ),
        player(3, "m   ", "Nadal, R", "", "", &["   4 w W", "   1 w ="]),
        player(4, "", "Zzz, Anna", "1800", "0", &["   3 b L", "   2 b -"]),
    ]
}

#[test]
fn players_and_pairings_of_a_small_event() {
    let event = read(&small());
    assert_eq!(faults(&event), []);
    let [mueller, doe, nadal, _] = &event.players[..] else {
        panic!("{:?}", event.players)
    };
    assert_eq!(
        (mueller.name.as_str(), mueller.title),
        ("Müller, Jörg", Some("GM"))
    );
    assert_eq!(
        (mueller.rating, mueller.fide_id),
        (Some(2558), Some(3_400_042))
    );
    assert_eq!((doe.name.as_str(), doe.title), ("Doe Jane", Some("WIM")));
    // The FIDE number is left-aligned in its field, and a rating of 0 is none.
    assert_eq!((doe.rating, doe.fide_id), (None, Some(735_463)));
    assert_eq!((nadal.rating, nadal.fide_id), (None, None));
    let summary: Vec<_> = event
        .pairings
        .iter()
        .map(|p| (p.round, p.white, p.black, p.kind, p.outcome))
        .collect();
    assert_eq!(
        summary,
        [
            (1, 0, 1, PairingKind::Played, Outcome::WhiteWins),
            (1, 2, 3, PairingKind::UnderOneMove, Outcome::WhiteWins),
            (2, 2, 0, PairingKind::Played, Outcome::Draw),
            (2, 1, 3, PairingKind::Forfeit, Outcome::WhiteWins),
        ]
    );
    assert!(
        event.pairings.iter().all(|p| p.board.is_none()),
        "no board is invented"
    );
}

#[test]
fn encodings_and_line_ends_make_no_difference() {
    let text = small().join("\n");
    let plain = Event::parse_trf("e", &text);
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let dos = text.replace('\n', "\r\n") + "\r\n\u{1a}";
    let bare = text.replace('\n', "\r");
    let marked = format!("\u{feff}{text}");
    for (how, bytes) in [
        ("Latin-1", latin),
        ("CR LF and ^Z", dos.into_bytes()),
        ("bare CR", bare.into_bytes()),
        ("byte order mark", marked.into_bytes()),
    ] {
        let event = Event::parse_trf("e", &text::decode(&bytes).expect("a text").text);
        assert_eq!(event.players, plain.players, "{how}");
        assert_eq!(event.pairings, plain.pairings, "{how}");
        assert_eq!(event.faults, [], "{how}");
    }
}

#[test]
fn byes_and_absences_are_not_pairings() {
    let event = read(&[
        player(
            1,
            "",
            "A, A",
            "",
            "",
            &[
                "0000 - H", "       U", "0000 - Z", "0000 - +", "        ", "   2 w 1",
            ],
        ),
        player(
            2,
            "",
            "B, B",
            "",
            "",
            &[
                "        ", "       -", "       F", "        ", "        ", "   1 s 0",
            ],
        ),
    ]);
    assert_eq!(faults(&event), []);
    assert_eq!(event.pairings.len(), 1);
    assert_eq!(event.last_round(), 6);
    let byes: Vec<_> = event
        .byes
        .iter()
        .map(|b| (b.round, b.player, b.code))
        .collect();
    assert_eq!(
        byes,
        [
            (1, 0, 'H'),
            (2, 0, 'U'),
            (2, 1, '-'),
            (3, 0, 'Z'),
            (3, 1, 'F'),
            (4, 0, '+')
        ]
    );
}

#[test]
fn forfeits_without_colours_are_pairings() {
    let event = read(&[
        player(1, "", "A, A", "", "", &["   2 - -"]),
        player(2, "", "B, B", "", "", &["   1 - +"]),
    ]);
    assert_eq!(faults(&event), []);
    assert_eq!(event.pairings[0].kind, PairingKind::Forfeit);
    assert_eq!(event.pairings[0].outcome, Outcome::BlackWins);
}

#[test]
fn what_cannot_be_read_is_a_fault_and_the_rest_is_kept() {
    let event = read(&[
        "Tournament report".to_owned(),
        player(
            1,
            "xx",
            "A, A",
            "12a",
            "FRA123",
            &["  2? w 1", "   2 x 1", "   2 w 7", "   2 w H", "   2 w 1"],
        ),
        "001    ? m  Nobody".to_owned(),
        "001    1 m  Second, One".to_owned(),
        player(
            2,
            "",
            "",
            "",
            "",
            &["        ", "        ", "        ", "        ", "   1 b 0"],
        ),
        "XXR many".to_owned(),
        "### a remark".to_owned(),
        "XXC white1".to_owned(),
        "IND    1   GM federation's own".to_owned(),
    ]);
    let t1 = |line, column| (CheckCode::T1, line, column);
    assert_eq!(
        faults(&event),
        [
            t1(1, 1),
            (CheckCode::T3, 2, 11),
            t1(2, 49),
            t1(2, 58),
            t1(2, 92),
            t1(2, 107),
            t1(2, 119),
            t1(2, 129),
            t1(3, 5),
            t1(4, 5),
            t1(5, 15),
            t1(6, 5),
        ]
    );
    assert_eq!(event.players.len(), 2);
    assert_eq!(event.pairings.len(), 1, "round 5 is kept");
    assert_eq!(
        event.faults[0].to_string(),
        "event.trf:1:1: no line of a report file begins like this; it is left out"
    );
}

#[test]
fn shifted_columns_are_a_fault() {
    let line = player(1, "", "A, A", "", "", &["   2 w 1"]);
    let slipped = line[..90].to_owned() + " " + &line[90..];
    let event = read(&[slipped, player(2, "", "B, B", "", "", &["        "])]);
    assert_eq!(faults(&event), [(CheckCode::T1, 1, 96)]);
}

#[test]
fn opponents_that_disagree_are_a_fault() {
    let two = |mine: &str, theirs: &str| {
        let lines = [
            player(1, "", "A, A", "", "", &[mine]),
            player(2, "", "B, B", "", "", &[theirs]),
        ];
        let event = read(&lines);
        (faults(&event), event.pairings.len())
    };
    let t2 = |line| (CheckCode::T2, line, 92);
    assert_eq!(two("   2 w 1", "   1 b 0"), (vec![], 1));
    assert_eq!(two("   2 w 1", "   1 w 0"), (vec![t2(1)], 1));
    assert_eq!(two("   2 w 1", "   1 b 1"), (vec![t2(1)], 1));
    assert_eq!(two("   2 w 1", "   1 b  "), (vec![t2(1)], 1));
    assert_eq!(two("   2 w 1", "0000 - U"), (vec![t2(1)], 0));
    assert_eq!(two("   9 w 1", "        "), (vec![t2(1)], 0));
    assert_eq!(two("   1 w 1", "        "), (vec![t2(1)], 0));
    // Both players lost, which happens and which PGN has no result for.
    assert_eq!(two("   2 w 0", "   1 b 0"), (vec![t2(1)], 1));
}

#[test]
fn dates_of_the_forms_in_real_files_are_read() {
    let head = |lines: &[&str]| {
        let mut lines: Vec<String> = lines.iter().map(|&l| l.to_owned()).collect();
        lines.push(player(1, "", "A, A", "", "", &["   2 w 1", "   2 b 1"]));
        lines.push(player(2, "", "B, B", "", "", &["   1 b 0", "   1 w 0"]));
        let event = read(&lines);
        let dates: Vec<String> = event.pairings.iter().map(|p| p.date.to_string()).collect();
        (dates.join(" "), faults(&event))
    };
    let rounds = format!("{:<91}{:<10}{:<10}", "132", "24/12/01", "24/12/02");
    let both = "2024.12.01 2024.12.02".to_owned();
    assert_eq!(
        head(&["042 2024/12/01", "052 2024/12/14", &rounds]),
        (both, vec![])
    );
    let t3 = |line, column| (CheckCode::T3, line, column);
    let july = "2005.07.?? 2005.07.??".to_owned();
    assert_eq!(
        head(&["042 28. 07. 2005", "052 31. 07. 2005", "132"]),
        (july, vec![t3(1, 5), t3(2, 5)])
    );
    let day = "2020.05.29 2020.05.29".to_owned();
    assert_eq!(
        head(&["042 May 29, 2020", "052 2020/05/29"]),
        (day, vec![t3(1, 5)])
    );
    let unknown = "????.??.?? ????.??.??".to_owned();
    assert_eq!(head(&["042 soon", "052"]), (unknown, vec![t3(1, 5)]));
    let odd = format!("{:<91}{:<10}{:<10}", "132", "24/12/01", "02.12.24");
    let first = "2024.12.01 ????.??.??".to_owned();
    assert_eq!(head(&[&odd]), (first, vec![t3(1, 102)]));
}

#[test]
fn teams_of_both_line_codes_are_read() {
    let mut lines = small();
    lines.push(format!("{:<36}{:>4} {:>4}", "013 Schachfreunde Süd", 1, 2));
    lines.push(format!(
        "{:<73}{:>4} {:>4} {:>4}",
        "310   2 Nordend", 3, 4, 0
    ));
    lines.push(format!("{:<36}{:>4}", "013 Ghosts", 77));
    let event = read(&lines);
    let teams: Vec<_> = event
        .players
        .iter()
        .map(|p| p.team.as_deref().unwrap())
        .collect();
    assert_eq!(
        teams,
        [
            "Schachfreunde Süd",
            "Schachfreunde Süd",
            "Nordend",
            "Nordend"
        ]
    );
    assert_eq!(faults(&event), [(CheckCode::T1, 8, 37)]);
}

/// The header PGN of one game.
fn header_pgn(round: &str, white: &str, black: &str, more: &str) -> String {
    format!(
        "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
         {more}\n*\n\n"
    )
}

#[test]
fn boards_and_dates_come_from_header_pgn() {
    let with = |pgn: &str| {
        let mut event = read(&small());
        event.add_header_pgn("r.pgn", pgn);
        event
    };
    let board = |pgn: &str| with(pgn).pairings[0].board;
    assert_eq!(
        board(&header_pgn(
            "1",
            "Jorg Muller",
            "Doe, Jane",
            "[Board \"7\"]\n"
        )),
        Some(7)
    );
    assert_eq!(
        board(&header_pgn(
            "1",
            "Jorg Muller",
            "Doe, Jane",
            "[Table \"8\"]\n"
        )),
        Some(8)
    );
    assert_eq!(
        board(&header_pgn("1.9", "Jorg Muller", "Doe, Jane", "")),
        Some(9)
    );
    let by_id = "[WhiteFideId \"3400042\"]\n[Date \"2024.12.01\"]\n";
    let event = with(&header_pgn("1", "J. M.", "Doe, Jane", by_id));
    assert_eq!(event.faults, []);
    assert_eq!(event.pairings[0].date.to_string(), "2024.12.01");
    assert_eq!(event.pairings[0].board, None, "none is summary");
}

#[test]
fn header_pgn_that_contradicts_the_report_file_is_a_fault() {
    let summary = |pgn: &str| {
        let mut event = read(&small());
        event.add_header_pgn("r.pgn", pgn);
        let rest: Vec<_> = event
            .faults
            .iter()
            .map(|f| (f.code, f.source_name.clone(), f.line))
            .collect();
        (rest, event.pairings.len())
    };
    let one = |code, line| (vec![(code, "r.pgn".to_owned(), line)], 4);
    assert_eq!(
        summary(&header_pgn("1", "Zzz, Anna", "Doe, Jane", "")),
        one(CheckCode::T2, 1)
    );
    assert_eq!(
        summary(&header_pgn("1", "Doe, Jane", "Müller, Jörg", "")),
        one(CheckCode::T2, 1)
    );
    assert_eq!(
        summary(&header_pgn("1", "Nobody, N", "Doe, Jane", "")),
        one(CheckCode::T2, 1)
    );
    assert_eq!(
        summary(&header_pgn("one", "Müller, Jörg", "Zzz, Anna", "")),
        one(CheckCode::T3, 1)
    );
    // Two games of one pairing: the second begins in the eighth line.
    let game = |board: &str| header_pgn("1", "Müller, Jörg", "Doe, Jane", board);
    for (first, second) in [
        ("[Board \"1\"]", "[Board \"2\"]"),
        ("[Date \"2024.12.01\"]", "[Date \"2024.12.02\"]"),
    ] {
        let pgn = game(first) + &game(second);
        assert_eq!(summary(&pgn), one(CheckCode::T2, 8));
        assert_eq!(summary(&(game(first) + &game(first))), (vec![], 4));
    }
    // These two meet only once.
    assert_eq!(
        summary(&header_pgn("?", "Müller, Jörg", "Doe, Jane", "")),
        (vec![], 4)
    );
    assert_eq!(
        summary(&header_pgn("1", "Müller, Jörg", "bye", "")),
        (vec![], 4)
    );
    // There is no game, and a tag without quotes.
    let no_game = ["r.pgn", "r.pgn"].map(str::to_owned).into_iter().zip(1..);
    let no_game = no_game.map(|(name, line)| (CheckCode::T1, name, line));
    assert_eq!(
        summary("[Event \"x\"]\n[Round 1]\n"),
        (no_game.collect(), 4)
    );
    // A round that is not in the report file yet.
    assert_eq!(
        summary(&header_pgn("3", "Müller, Jörg", "Zzz, Anna", "")),
        (vec![], 5)
    );
}

/// A text with some bytes changed, left out or doubled.
fn mutated(mut bytes: Vec<u8>, changes: &[(usize, u8, u8)]) -> Vec<u8> {
    for &(at, how, byte) in changes {
        if bytes.is_empty() {
            break;
        }
        let at = at % bytes.len();
        match how % 4 {
            0 => bytes[at] = byte,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, byte),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(6),
        ..ProptestConfig::default()
    })]

    /// Reading a damaged file ends, every fault lies within the file, and pairings are of its
    /// players.
    #[test]
    fn damaged_files_are_read_as_far_as_they_go(
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 0..12)
    ) {
        let mut report = small().join("\r\n") + "\r\n042 2024/12/01\r132 24/12/01\n";
        report += &format!("{:<36}{:>4} {:>4}", "013 Süd", 1, 2);
        let report = mutated(report.into_bytes(), &changes);
        let date = "[Date \"2024.12.01\"]";
        let pgn = header_pgn("1.3", "Müller, Jörg", "Doe, Jane", date);
        let pgn = mutated(pgn.into_bytes(), &changes);
        let lines = report.iter().filter(|b| [b'\r', b'\n'].contains(b)).count() + 1;
        let decode = |bytes: &[u8]| text::decode(bytes).map_or_else(|_| String::new(), |d| d.text);
        let mut event = Event::parse_trf("e", &decode(&report));
        for fault in &event.faults {
            prop_assert!((1..=lines).contains(&fault.line) && fault.column > 0);
        }
        for p in &event.pairings {
            let players = 0..event.players.len();
            prop_assert!(players.contains(&p.white) && players.contains(&p.black));
            prop_assert!(p.white != p.black);
        }
        event.add_header_pgn("p", &decode(&pgn));
    }
}
