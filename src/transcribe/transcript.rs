//! From a record to the game that is put out: its moves, its result, and what is said of its cut.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, EnPassantMode, Position};

use crate::notation::{EndMark, Outcome, WordForm, glyph, parse_result, terminator};

use super::error::TranscriptFault;
use super::game_header::GameHeader;
use super::passages::Passage;
use super::typed_record::{RecordBreak, TypedRecord};
use super::words::TypedWord;

/// Largest number of words of prose within what is repeated of a record behind its cut.
const MAX_REST_PROSE_WORDS: usize = 8;

/// One move of a typed game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPly {
    /// The move in SAN with `+` and `#`.
    pub san: String,
    /// The numeric annotation glyph of the judgement behind it (PGN specification, section 10), for
    /// example 1 for `!`.
    pub glyph: Option<u8>,
}

/// A game found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The line of its first move in the text, from 1; that of its first tag if it has no moves.
    pub line: usize,
    /// The names and values of the tags that stand before it, without the result.
    pub tags: Vec<(String, String)>,
    /// The number of plies before its first move, in a game that begins from a position.
    pub plies_before: usize,
    /// The moves, from the first; none where not even the first can be played.
    pub plies: Vec<TypedPly>,
    /// The result by the final position, or else as it is written.
    pub outcome: Outcome,
    /// What the text has behind the cut of the game, as it is written; none for a whole game.
    pub rest: Option<String>,
    /// Why the record is not followed to its end, or contradicts itself; none for a whole game.
    pub fault: Option<TranscriptFault>,
}

impl Transcript {
    /// Whether there is anything to write: moves, or the tags of a game that ended without any.
    pub fn is_game(&self) -> bool {
        let has_result = !self.tags.is_empty() && self.outcome != Outcome::Unknown;
        !self.plies.is_empty() || (has_result && self.is_playable())
    }

    /// Whether its fault, if any, is not that its moves cannot be played at all.
    fn is_playable(&self) -> bool {
        matches!(self.fault, None | Some(TranscriptFault::Tag { .. }))
    }
}

/// The games of a passage. The tags before it belong to the first one.
pub(super) fn to_transcripts(passage: &Passage, records: &[TypedRecord]) -> Vec<Transcript> {
    let games = records.iter().map(|record| to_transcript(passage, record));
    let mut games: Vec<Transcript> = games.collect();
    let Some(header) = &passage.source.header else {
        return games;
    };
    if games.is_empty() {
        games.push(without_moves(passage, header));
    }
    add_tags(&mut games[0], header);
    games
}

/// A game of which only the tags and perhaps the result are there.
fn without_moves(passage: &Passage, header: &GameHeader) -> Transcript {
    let mark = passage.words.iter().find_map(|word| match word.form {
        WordForm::End(mark) => Some(mark),
        _ => None,
    });
    let written = decide_outcome(&Chess::default(), mark.as_slice()).0;
    let from_tag = header.tag("Result").and_then(parse_result);
    let has_result = written != Outcome::Unknown || from_tag.is_some();
    let line = header.line;
    Transcript {
        line,
        tags: Vec::new(),
        plies_before: 0,
        plies: Vec::new(),
        outcome: written,
        rest: None,
        fault: match &header.start {
            Err(fault) => Some(fault.clone()),
            Ok(_) => (!has_result).then_some(TranscriptFault::NoMoves { line }),
        },
    }
}

/// Gives a game its tags, and the result of the tags where it has no other.
fn add_tags(game: &mut Transcript, header: &GameHeader) {
    let mut fault = header.fault.clone();
    match header.tag("Result").and_then(parse_result) {
        Some(result) if game.outcome == Outcome::Unknown => game.outcome = result,
        Some(result) if game.outcome != result => {
            let (tag, kept) = (terminator(result), terminator(game.outcome));
            fault.get_or_insert(TranscriptFault::Tag {
                line: header.line,
                text: format!("the tag Result says {tag}, and the game ends {kept}, which is kept"),
            });
        }
        _ => {}
    }
    game.fault = game.fault.take().or(fault);
    let is_kept = |name: &str, value: &str| match name {
        "Result" => false,
        "PlyCount" => value.trim().parse() == Ok(game.plies.len()),
        _ => true,
    };
    let tags = header
        .tags
        .iter()
        .filter(|tag| is_kept(&tag.name, &tag.value));
    let tags = tags.map(|tag| (tag.name.clone(), tag.value.clone()));
    game.tags = tags.collect();
    if let Ok(start) = &header.start
        && *start != Chess::default()
    {
        // Other programs want all fields of the position, and both tags.
        game.tags
            .retain(|(name, _)| !["FEN", "SetUp"].contains(&name.as_str()));
        let fen = Fen::from_position(start, EnPassantMode::Legal);
        game.tags.push(("FEN".to_owned(), fen.to_string()));
        game.tags.push(("SetUp".to_owned(), "1".to_owned()));
    }
}

/// The game of a record, up to where it is ambiguous or breaks off.
fn to_transcript(passage: &Passage, record: &TypedRecord) -> Transcript {
    let words = &passage.words;
    let mut position = record.first.clone();
    let certain = record.moves.ambiguity.map_or(usize::MAX, |(ply, _)| ply);
    let mut plies = Vec::new();
    for step in record.moves.steps.iter().take(certain) {
        plies.push(TypedPly {
            san: SanPlus::from_move_and_play_unchecked(&mut position, step.m).to_string(),
            glyph: glyph_of_move(&words[step.word..]),
        });
    }
    let ambiguous = ambiguity_fault(words, record, &position);
    let broken = record
        .broken
        .map(|broken| break_fault(words, broken, &position));
    let cut = match record.moves.ambiguity {
        Some((ply, _)) => Some(record.moves.steps[ply].word),
        None => record.broken.map(RecordBreak::word),
    };
    let rest = cut.map(|cut| RecordRest::find(passage, record, cut));
    let (outcome, contradiction) = match &rest {
        Some(rest) => decide_outcome(&position, rest.mark.as_slice()),
        None => decide_outcome(&position, &record.marks),
    };
    let last = record
        .moves
        .steps
        .last()
        .map_or(record.start, |step| step.word);
    let line = words[last].line;
    let contradiction = contradiction.map(|written| TranscriptFault::Result {
        line,
        text: terminator(written),
        board: terminator(outcome),
    });
    let several = rest.is_none() && outcome == Outcome::Unknown && contradict(&record.marks);
    let contradiction = contradiction.or(several.then_some(TranscriptFault::Results { line }));
    let black_first = usize::from(record.first.turn() == Color::Black);
    let moves_before = record.first.fullmoves().get() as usize - 1;
    Transcript {
        line: words[record.start].line,
        tags: Vec::new(),
        plies_before: 2 * moves_before + black_first,
        plies,
        outcome,
        rest: rest.map(|rest| rest.text),
        fault: ambiguous.or(broken).or(contradiction),
    }
}

/// What a record has behind its cut.
struct RecordRest {
    /// The text as it is written, with single blanks.
    text: String,
    /// The end mark with which it ends.
    mark: Option<EndMark>,
}

impl RecordRest {
    /// Finds what stands from the word `cut` on, up to an end mark, or to where only prose follows.
    fn find(passage: &Passage, record: &TypedRecord, cut: usize) -> Self {
        let words = &passage.words;
        let from = cut.checked_sub(1).map_or(0, |before| words[before].end);
        let (mut to, mut prose_words, mut mark) = (words[cut].end, 0, None);
        for word in &words[cut..record.end.max(cut)] {
            if word.depth < words[cut].depth || prose_words > MAX_REST_PROSE_WORDS {
                break;
            }
            if word.form == WordForm::Prose {
                prose_words += word.count;
                continue;
            }
            (to, prose_words) = (word.end, 0);
            if let WordForm::End(end) = word.form {
                mark = Some(end);
                break;
            }
        }
        let text = passage.source.text[from..to].split_whitespace();
        Self {
            text: text.collect::<Vec<_>>().join(" "),
            mark,
        }
    }
}

/// The fault of a record that is ambiguous from a position on.
fn ambiguity_fault(
    words: &[TypedWord],
    record: &TypedRecord,
    position: &Chess,
) -> Option<TranscriptFault> {
    let (ply, moves) = record.moves.ambiguity?;
    let word = &words[record.moves.steps[ply].word];
    let [one, other] = moves.map(|m| SanPlus::from_move(position.clone(), m).to_string());
    Some(TranscriptFault::Ambiguous {
        line: word.line,
        word: word.text.to_string(),
        moves: format!("{one} or {other}"),
        place: name_place(position),
    })
}

/// The fault of a record that breaks off in a position.
fn break_fault(words: &[TypedWord], broken: RecordBreak, position: &Chess) -> TranscriptFault {
    let at = broken.word();
    let (line, word) = (words[at].line, words[at].text.to_string());
    let place = name_place(position);
    match (broken, words[at].form) {
        (RecordBreak::Number(_), _) => {
            let number = words[at].number.and_then(|number| number.value);
            let number = number.unwrap_or_default();
            TranscriptFault::Number {
                line,
                number,
                place,
            }
        }
        (RecordBreak::BehindEnd(_), _) => TranscriptFault::BehindEnd { line, word, place },
        (_, WordForm::Descriptive) => TranscriptFault::Descriptive { line, word },
        _ => TranscriptFault::Illegal { line, word, place },
    }
}

/// The player and the number of the next move, as in `White's move 2`.
fn name_place(position: &Chess) -> String {
    let player = match position.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    format!("{player}'s move {}", position.fullmoves())
}

/// The glyph of a move, the first of some words, or of the suffixes that follow it.
fn glyph_of_move(words: &[TypedWord]) -> Option<u8> {
    let suffixes = words[1..]
        .iter()
        .take_while(|word| word.form == WordForm::Suffix);
    std::iter::once(&words[0]).chain(suffixes).find_map(|word| {
        let text = word.text.trim_end_matches(['.', ':']);
        let number = text
            .strip_prefix('$')
            .and_then(|number| number.parse().ok());
        glyph(text).or(number.filter(|number| *number > 0))
    })
}

/// The result: by the board, else by the first written score, else by the first sign that a player
/// gave up. Also the written result, if the board contradicts it.
fn decide_outcome(position: &Chess, marks: &[EndMark]) -> (Outcome, Option<Outcome>) {
    let marks = if contradict(marks) { &[] } else { marks };
    let score = marks
        .iter()
        .find(|mark| !matches!(mark, EndMark::LoserHere | EndMark::Over));
    let mark = score.or_else(|| marks.iter().find(|mark| **mark == EndMark::LoserHere));
    let written = Outcome::decide(None, mark.map(|mark| (*mark, position.turn())));
    let board = Outcome::decide(position.outcome().known(), None);
    if board == Outcome::Unknown || board == written {
        (written, None)
    } else {
        (board, (written != Outcome::Unknown).then_some(written))
    }
}

/// Whether some marks say several results.
fn contradict(marks: &[EndMark]) -> bool {
    let is_result = |mark: &&EndMark| !matches!(mark, EndMark::LoserHere | EndMark::Over);
    let mut results = marks.iter().filter(is_result);
    results
        .next()
        .is_some_and(|first| results.any(|mark| mark != first))
}
