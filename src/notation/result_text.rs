//! The result of a game as people type it: scores in figures, and words.

use shakmaty::Color;

use super::outcome::{END_MARKS, EndMark, Outcome};

/// Words for the players, in lower case.
const COLOR_WORDS: &[(&str, Color)] = &[
    ("white", Color::White),
    ("weiß", Color::White),
    ("weiss", Color::White),
    ("brancas", Color::White),
    ("blancas", Color::White),
    ("bianco", Color::White),
    ("blanc", Color::White),
    ("blancs", Color::White),
    ("wit", Color::White),
    ("black", Color::Black),
    ("schwarz", Color::Black),
    ("pretas", Color::Black),
    ("negras", Color::Black),
    ("nero", Color::Black),
    ("noir", Color::Black),
    ("noirs", Color::Black),
    ("zwart", Color::Black),
];

/// Largest length of a word for a player in bytes.
const MAX_COLOR_BYTES: usize = 8;

/// Beginnings of words that say that a player won, in lower case.
const WIN_WORDS: &[&str] = &[
    "win",
    "won",
    "gewinn",
    "gewann",
    "ganha",
    "ganho",
    "gana",
    "vence",
    "vince",
    "gagn",
    "wint",
    "mates",
    "checkmates",
];

/// Beginnings of words that say that a player lost, in lower case.
const LOSS_WORDS: &[&str] = &[
    "resign",
    "lose",
    "lost",
    "gives",
    "gave",
    "forfeit",
    "overst",
    "gibt",
    "gab",
    "verlie",
    "verlor",
    "aufgabe",
    "abandon",
    "abbandon",
    "desist",
    "perde",
    "perdi",
    "pierde",
    "rinde",
    "perd",
    "opgegeven",
    "geeft",
];

/// The verbs among them that say it only together with `up`.
const GIVE_WORDS: &[&str] = &["gives", "gave", "gibt", "gab", "geeft"];

/// Words that may follow what became of a player, in lower case. With any other, as in `White wins
/// a pawn`, the game may go on.
const RESULT_OBJECTS: &[&str] = &[
    "up",
    "auf",
    "op",
    "on",
    "time",
    "by",
    "the",
    "this",
    "game",
    "match",
    "forfeit",
    "default",
    "resignation",
    "mate",
    "checkmate",
    "after",
    "adjudication",
    "durch",
    "nach",
    "die",
    "partie",
    "zeit",
    "matt",
    "aufgabe",
    "partij",
    "door",
    "mat",
    "la",
    "partida",
    "por",
    "tiempo",
    "tempo",
    "per",
    "partita",
    "par",
    "au",
    "temps",
];

/// Words that say that a draw was only spoken of, in lower case.
const DRAW_REMARKS: &[&str] = &[
    "no",
    "not",
    "offer",
    "offered",
    "declined",
    "refused",
    "rejected",
    "proposed",
    "kein",
    "nicht",
    "angeboten",
    "abgelehnt",
    "geboten",
    "angebot",
    "proposée",
    "refusée",
    "ofrecidas",
    "offerta",
    "rifiutata",
];

/// Largest length of the first word of a phrase that ends a game, in bytes.
const MAX_FIRST_WORD_BYTES: usize = 10;

/// Words that may stand before a player, in lower case.
const ARTICLES: &[&str] = &[
    "the", "las", "los", "les", "le", "as", "os", "il", "die", "der",
];

/// What says, without the player, that he who is to move has lost, in lower case.
const LOSER_PHRASES: &[&str] = &[
    "resigned",
    "gives up",
    "gave up",
    "gibt auf",
    "gab auf",
    "aufgegeben",
    "se rinde",
    "lost on time",
    "loses on time",
    "geeft op",
    "si arrende",
];

/// Words that may stand between a player and what became of him.
const FILLER_WORDS: &[&str] = &["se", "has", "have", "to"];

/// Words for a draw that no sheet has, in lower case; the others are among the [`END_MARKS`].
const DRAW_WORDS: &[&str] = &["drawn", "ничья", "döntetlen", "remise"];

/// The result that a text says in figures or words: `1:0`, `0,5 - 0,5`, `(0-1)`, `Remis`, `White
/// resigns`.
pub fn parse_result(text: &str) -> Option<Outcome> {
    let text = text.trim().trim_end_matches(['.', '!']);
    parse_score(text).or_else(|| {
        let words: Vec<&str> = text.split_whitespace().collect();
        parse_result_words(&words)
    })
}

/// The result that a score says: two shares of the point with a dash or colon between them, or a
/// half alone.
pub(crate) fn parse_score(text: &str) -> Option<Outcome> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "()[]".contains(c));
    let mut score: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    score = score.replace(['–', '—', '−', '‐', '‑', ':'], "-");
    score = score.replace(',', ".").replace(['O', 'o'], "0");
    match score.as_str() {
        // A win without play, as pairing programs write it.
        "+--" => return Some(Outcome::WhiteWins),
        "--+" => return Some(Outcome::BlackWins),
        _ => {}
    }
    let share = |text: &str| match text {
        "1" | "1.0" => Some(2),
        "0" | "0.0" => Some(0),
        "½" | "1/2" | "0.5" | ".5" | "=" => Some(1),
        _ => None,
    };
    let (white, black) = match score.split_once('-') {
        Some((white, black)) => (share(white)?, share(black)?),
        None => {
            let halves = ["½", "1/2", "0.5", "½½", "="];
            return halves.contains(&score.as_str()).then_some(Outcome::Draw);
        }
    };
    match (white, black) {
        (2, 0) => Some(Outcome::WhiteWins),
        (0, 2) => Some(Outcome::BlackWins),
        (1, 1) => Some(Outcome::Draw),
        _ => None,
    }
}

/// The result that words say: a word for a draw, or a player and that he won or lost.
fn parse_result_words(words: &[&str]) -> Option<Outcome> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let is_draw = |word: &String| is_draw_word(word);
    let words = match words.as_slice() {
        [article, rest @ ..] if ARTICLES.contains(&article.as_str()) => rest,
        all => all,
    };
    match words {
        [word] if is_draw(word) => Some(Outcome::Draw),
        [word, other] | [other, word] if is_draw(word) => {
            (!DRAW_REMARKS.contains(&other.as_str())).then_some(Outcome::Draw)
        }
        [player, verb @ ..] => {
            let color = parse_color(player)?;
            let mut verbs = verb
                .iter()
                .filter(|word| !FILLER_WORDS.contains(&word.as_str()));
            let verb = verbs.next()?;
            let objects: Vec<&str> = verbs.map(String::as_str).collect();
            let gives = GIVE_WORDS.iter().any(|known| verb.starts_with(known));
            if objects.iter().any(|word| !RESULT_OBJECTS.contains(word))
                || (gives
                    && !objects
                        .iter()
                        .any(|word| ["up", "auf", "op"].contains(word)))
            {
                return None;
            }
            let begins = |words: &[&str]| words.iter().any(|known| verb.starts_with(known));
            let winner = match (begins(WIN_WORDS), begins(LOSS_WORDS)) {
                (true, _) => color,
                (false, true) => color.other(),
                (false, false) => return None,
            };
            Some(Outcome::win(winner))
        }
        _ => None,
    }
}

/// Whether a word, in any case, says that a game was drawn.
pub(crate) fn is_draw_word(word: &str) -> bool {
    let word = word.to_lowercase();
    let mut marks = END_MARKS.iter();
    DRAW_WORDS.contains(&word.as_str())
        || marks.any(|(mark, end, _)| *end == EndMark::Draw && mark.to_lowercase() == word)
}

/// The end mark that a phrase is: a result, or what says that the player to move has lost.
pub(crate) fn parse_end_phrase(words: &[&str]) -> Option<EndMark> {
    let first = words.first()?;
    let is_article = ARTICLES.contains(&first.to_lowercase().as_str());
    let player = if is_article { words.get(1)? } else { first };
    if parse_color(player).is_some() {
        return parse_result_words(words)?.mark();
    }
    let phrase = words.join(" ").to_lowercase();
    LOSER_PHRASES
        .contains(&phrase.as_str())
        .then_some(EndMark::LoserHere)
}

/// Whether a phrase that is an end mark can begin with a word.
pub(crate) fn begins_end_phrase(word: &str) -> bool {
    if word.len() > MAX_FIRST_WORD_BYTES {
        return false;
    }
    let word = word.to_lowercase();
    let mut first_words = LOSER_PHRASES
        .iter()
        .filter_map(|phrase| phrase.split(' ').next());
    parse_color(&word).is_some()
        || ARTICLES.contains(&word.as_str())
        || first_words.any(|first| first == word)
}

/// The player whom a word names.
pub fn parse_color(word: &str) -> Option<Color> {
    let word = word.trim();
    if word.len() > MAX_COLOR_BYTES {
        return None;
    }
    let word = word.to_lowercase();
    let known = COLOR_WORDS.iter().find(|(known, _)| *known == word);
    known.map(|(_, color)| *color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_words_of_many_writers_are_results() {
        for (texts, outcome) in [
            (
                &[
                    "1-0",
                    "1:0",
                    "1 – 0",
                    "(1-0)",
                    "1,0-0,0",
                    "+--",
                    "+ : -",
                    "White wins",
                    "Schwarz gibt auf",
                ][..],
                Outcome::WhiteWins,
            ),
            (
                &[
                    "0-1",
                    "0 : 1",
                    "O-1",
                    "-:+",
                    "White resigns.",
                    "Brancas abandonam",
                    "Black won",
                ],
                Outcome::BlackWins,
            ),
            (
                &[
                    "1/2-1/2",
                    "½-½",
                    "½",
                    "0,5-0,5",
                    "0.5 : 0.5",
                    "Remis",
                    "Draw agreed",
                    "=",
                ],
                Outcome::Draw,
            ),
        ] {
            for text in texts {
                assert_eq!(parse_result(text), Some(outcome), "{text}");
            }
        }
        for text in [
            "",
            "1-1",
            "2-0",
            "Jan-00",
            "White",
            "White plays",
            "1/2-0",
            "e4",
        ] {
            assert_eq!(parse_result(text), None, "{text}");
        }
    }
}
