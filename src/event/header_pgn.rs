//! The header PGN of a pairing program: tags without moves, read for board numbers and dates.

use std::collections::HashMap;

use super::codes::{CheckCode, FileFault};
use super::pgn_reader::{self, TaggedGame, TextFault};
use super::{Date, Event, Pairing, PairingKind, names};
use crate::notation::Outcome;

/// Names that pairing programs write for a missing opponent, as keys of [`names::name_key`]. One
/// without letters, as `---`, has the empty key.
const BYE_NAMES: [&str; 18] = [
    "",
    "bye",
    "bye half point",
    "bye full point",
    "spielfrei",
    "freilos",
    "vacant",
    "free",
    "no opponent",
    "exempt",
    "descansa",
    "descanso",
    "libre",
    "riposo",
    "riposa",
    "los wolny",
    "pauza",
    "vrij",
];

/// Takes board numbers and dates from header PGN into an event.
pub(super) fn add_header_pgn(event: &mut Event, source: &str, text: &str) {
    let (games, text_faults) = pgn_reader::read_games(text);
    let last_round = event.last_round();
    let mut faults: Vec<FileFault> = Vec::new();
    let mut add_fault = |code, line, column, text| {
        faults.push(FileFault {
            code,
            source_name: source.to_owned(),
            line,
            column,
            text,
        });
    };
    if !games.iter().any(|game| game.names_player()) {
        let text = "there is no game with the tag White or Black in it; --pairings takes the \
                    header PGN of the pairing program";
        add_fault(CheckCode::T1, 1, 1, text.to_owned());
    }
    for TextFault { line, column, text } in text_faults {
        add_fault(CheckCode::T1, line, column, text);
    }
    let mut earlier = HashMap::new();
    for game in &games {
        let mut findings = Vec::new();
        match apply_tags(event, game, last_round, &mut findings) {
            Ok(Some(header)) => {
                findings.extend(contradiction(&header, earlier.get(&header.pairing)));
                earlier.insert(header.pairing, header);
            }
            Ok(None) => {}
            Err(finding) => findings.push(finding),
        }
        for (code, text) in findings {
            add_fault(code, game.line, 1, text);
        }
    }
    event.faults.extend(faults);
}

/// What the tags of a game say of a pairing.
struct Header {
    /// Index of the pairing.
    pairing: usize,
    /// Line of the game, from 1.
    line: usize,
    board: Option<u32>,
    date: Option<Date>,
}

/// The finding that a game has another board or date than an earlier one of the same pairing.
fn contradiction(header: &Header, earlier: Option<&Header>) -> Option<(CheckCode, String)> {
    let earlier = earlier?;
    let differ = |what: &str, here: String, there: String| {
        let line = earlier.line;
        let text = format!(
            "the {what} {here} is {there} in line {line}, of the same players and round; the last \
             one counts"
        );
        (here != there).then_some((CheckCode::T2, text))
    };
    let boards = header.board.zip(earlier.board);
    let dates = header.date.zip(earlier.date);
    boards
        .and_then(|(a, b)| differ("board", a.to_string(), b.to_string()))
        .or_else(|| dates.and_then(|(a, b)| differ("date", a.to_string(), b.to_string())))
}

/// Finds the pairing that the tags of a game belong to, and sets its board and date. None where a
/// player has no opponent.
///
/// A pairing after `last_round`, the last one of the report file, is added to the event. The error
/// is a finding about the game's first line, and `findings` gets those on tags that are left out.
fn apply_tags(
    event: &mut Event,
    game: &TaggedGame,
    last_round: u32,
    findings: &mut Vec<(CheckCode, String)>,
) -> Result<Option<Header>, (CheckCode, String)> {
    let has_no_player = |tag| {
        game.tag(tag)
            .is_none_or(|name| BYE_NAMES.contains(&names::name_key(name).as_str()))
    };
    if has_no_player("White") || has_no_player("Black") {
        return Ok(None);
    }
    let white = find_player(event, game, "White")?;
    let black = find_player(event, game, "Black")?;
    let players = [white, black];
    let (round, round_board) = match parse_round(game, findings) {
        Some(round) => round,
        None if game.tag("Round").is_some() => return Err(unreadable_round(game)),
        None => (
            find_only_round(event, players).ok_or_else(missing_round)?,
            None,
        ),
    };
    let board = parse_board(game, "Board", findings);
    let board = board
        .or_else(|| parse_board(game, "Table", findings))
        .or(round_board);
    let date = parse_date(game, findings);
    let description = format!(
        "round {round}: {} - {}",
        event.players[white].name, event.players[black].name
    );
    let same_players = |p: &Pairing| {
        p.round == round && [(p.white, p.black), (p.black, p.white)].contains(&(white, black))
    };
    let index = event.pairings.iter().position(same_players);
    if index.is_none() && round <= last_round {
        let text = format!("{description} is no pairing of the report file");
        return Err((CheckCode::T2, text));
    }
    let round_date = event.round_date(round);
    let index = index.unwrap_or_else(|| {
        event.pairings.push(Pairing {
            round,
            board: None,
            date: round_date,
            white,
            black,
            kind: PairingKind::Pending,
            outcome: Outcome::Unknown,
        });
        event.pairings.len() - 1
    });
    let pairing = &mut event.pairings[index];
    pairing.board = board.or(pairing.board);
    pairing.date = date.unwrap_or(pairing.date);
    if pairing.white == white {
        Ok(Some(Header {
            pairing: index,
            line: game.line,
            board,
            date,
        }))
    } else {
        let text = format!("{description} has the colours the other way round in the report file");
        Err((CheckCode::T2, text))
    }
}

/// A finding about a tag that is left out.
fn tag_finding(tag: &str, text: &str, what: &str) -> (CheckCode, String) {
    (
        CheckCode::T3,
        format!("the {tag} \"{text}\" {what}; it is left out"),
    )
}

/// The round, and the board where the tag has one behind a dot, as in `3.7`.
fn parse_round(
    game: &TaggedGame,
    findings: &mut Vec<(CheckCode, String)>,
) -> Option<(u32, Option<u32>)> {
    let text = game.tag("Round")?;
    let (round, board) = text.split_once('.').unwrap_or((text, ""));
    let round = parse_labelled_number(round)?;
    let known_board = parse_labelled_number(board);
    if known_board.is_none() && !board.trim().is_empty() {
        findings.push(tag_finding(
            "Round",
            text,
            "has no board number behind the dot",
        ));
    }
    Some((round, known_board))
}

/// The round in which two players meet, if it is only one.
fn find_only_round(event: &Event, players: [usize; 2]) -> Option<u32> {
    let are_players = |p: &&Pairing| players.contains(&p.white) && players.contains(&p.black);
    let mut rounds = event.pairings.iter().filter(are_players).map(|p| p.round);
    rounds.next().filter(|_| rounds.next().is_none())
}

/// The finding that a game has no round.
fn missing_round() -> (CheckCode, String) {
    let text = "a game without a Round, of players who do not meet just once; it is left out";
    (CheckCode::T1, text.to_owned())
}

/// The finding that the round of a game is no number.
fn unreadable_round(game: &TaggedGame) -> (CheckCode, String) {
    let text = game.tag("Round").unwrap_or_default();
    let text = format!("the Round \"{text}\" is no number of a round; the game is left out");
    (CheckCode::T3, text)
}

/// The board of a tag. In the form of team matches, `2.1` for the first board of the second match,
/// it is none.
fn parse_board(
    game: &TaggedGame,
    tag: &str,
    findings: &mut Vec<(CheckCode, String)>,
) -> Option<u32> {
    let text = game.tag(tag)?;
    let board = parse_labelled_number(text);
    if board.is_none() {
        findings.push(tag_finding(tag, text, "is no number of a board"));
    }
    board
}

/// The number in a text that may have a word before it and a full stop behind it, as in `Round 3`,
/// `R3` and `3.`.
fn parse_labelled_number(text: &str) -> Option<u32> {
    let text = text.trim().trim_end_matches('.');
    let number = text.trim_start_matches(|c: char| c.is_alphabetic() || c.is_whitespace());
    number.parse().ok()
}

/// The whole date of a tag. One that is not in the form of PGN is understood, or else reported.
fn parse_date(game: &TaggedGame, findings: &mut Vec<(CheckCode, String)>) -> Option<Date> {
    let text = game.tag("Date")?;
    let is_unknown = text.chars().all(|c| "?.-/".contains(c));
    let date = Date::parse_tag(text);
    if date.is_whole() || is_unknown || text.contains('?') {
        return Some(date).filter(|date| date.is_whole());
    }
    let date = Date::parse(text).filter(|date| date.is_whole());
    if date.is_none() {
        findings.push(tag_finding(
            "Date",
            text,
            "is no whole date that is certain",
        ));
    }
    date
}

/// The player whom the tags of a colour name: by FIDE number, or else by name.
fn find_player(
    event: &Event,
    game: &TaggedGame,
    colour: &str,
) -> Result<usize, (CheckCode, String)> {
    let id = game.tag(&format!("{colour}FideId"));
    let id = id.and_then(|id| id.parse::<u64>().ok());
    let by_id = id.and_then(|id| event.players.iter().position(|p| p.fide_id == Some(id)));
    if let Some(player) = by_id {
        return Ok(player);
    }
    let name = game.tag(colour).unwrap_or_default();
    let key = names::name_key(name);
    let players = || event.players.iter().enumerate();
    let mut namesakes: Vec<usize> = players()
        .filter(|(_, player)| names::name_key(&player.name) == key)
        .map(|(i, _)| i)
        .collect();
    let folded = names::fold_umlauts(name);
    if namesakes.is_empty() {
        let key = names::name_key(&folded);
        let same = |player: &str| names::name_key(&names::fold_umlauts(player)) == key;
        let alike = players().filter(|(_, player)| same(&player.name));
        namesakes = alike.map(|(i, _)| i).collect();
    }
    if namesakes.is_empty() {
        // Initials, or the last name alone.
        let short = players().filter(|(_, player)| {
            names::is_short_form(name, &player.name)
                || names::is_short_form(&folded, &names::fold_umlauts(&player.name))
        });
        namesakes = short.map(|(i, _)| i).collect();
    }
    match namesakes[..] {
        [player] => Ok(player),
        [] => {
            let text = format!("\"{name}\" is no player of the report file; the game is left out");
            Err((CheckCode::T2, text))
        }
        _ => {
            let text = format!(
                "\"{name}\" may be several players of the report file; the game is left out"
            );
            Err((CheckCode::T1, text))
        }
    }
}
