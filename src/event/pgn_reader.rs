//! A PGN reader for files of other programs: tags, and moves without comments, variations and
//! numbers.

use std::collections::HashSet;

use crate::pgn_syntax::{MovetextOnly, TagFault, TagPair, blank_asides, parse_tag};

/// A game of a PGN file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TaggedGame {
    /// Line of its first tag, from 1; of its first move if it has no tag.
    pub(super) line: usize,
    /// Names and values, in the order of the file.
    pub(super) tags: Vec<(String, String)>,
    /// The moves in their order, then the game termination marker if there is one.
    pub(super) moves: Vec<String>,
}

impl TaggedGame {
    /// The value of a tag; `None` if it is missing, empty, `?` or `-`.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(known, _)| known == name);
        let value = tag.map(|(_, value)| value.trim());
        value.filter(|value| !["", "?", "-"].contains(value))
    }

    /// Whether it has a tag for a player, of whatever value.
    pub(super) fn names_player(&self) -> bool {
        let mut names = self.tags.iter().map(|(name, _)| name.as_str());
        names.any(|name| ["White", "Black"].contains(&name))
    }
}

/// A part of a text that cannot be read.
pub(super) struct TextFault {
    /// Line, from 1.
    pub(super) line: usize,
    /// Column in characters, from 1.
    pub(super) column: usize,
    /// What is wrong.
    pub(super) text: String,
}

/// Reads the games of a text, and lists what in it cannot be read.
///
/// A tag that the game has already begins the next game, so that a file without any moves can be
/// read too.
pub(super) fn read_games(text: &str) -> (Vec<TaggedGame>, Vec<TextFault>) {
    let text = &blank_quote_marks(text);
    let MovetextOnly {
        text: movetext,
        unclosed,
        unclosed_variations,
    } = blank_asides(text);
    let mut reader = PgnReader::default();
    let (mut line, mut line_start, mut at) = (1, 0, 0);
    while let Some(c) = movetext[at..].chars().next() {
        let column = |at: usize| text[line_start..at].chars().count() + 1;
        let mut end = at + c.len_utf8();
        match c {
            '\n' => {}
            '[' => match parse_tag(&movetext[at..]) {
                Ok((tag, len)) => {
                    reader.add_tag(line, tag);
                    end = at + len;
                }
                Err(TagFault {
                    at: place,
                    text: why,
                    ..
                }) => {
                    // A tag may go on behind a line break, but its fault is told where it begins.
                    let rest = &movetext[at..];
                    let line_end = rest.find('\n').unwrap_or(rest.len());
                    reader.add_fault(line, column(at + place.min(line_end)), why);
                    end = at + line_end;
                }
            },
            c if c.is_whitespace() || c == '.' => {}
            _ => {
                let word = movetext[at..].split(|c: char| c.is_whitespace() || ".[()".contains(c));
                let word = word.into_iter().next().unwrap_or_default();
                reader.add_word(line, word);
                end = at + word.len().max(c.len_utf8());
            }
        }
        // A tag may span lines.
        for (i, _) in movetext[at..end].match_indices('\n') {
            line += 1;
            line_start = at + i + 1;
        }
        at = end;
    }
    let comment = "a comment that is never closed; the rest of the file is left out";
    let variation = "a variation that is never closed; what follows in its game is left out";
    let variations = unclosed_variations.iter().map(|at| (*at, variation));
    for (at, why) in variations.chain(unclosed.map(|at| (at, comment))) {
        let before = &text[..at];
        let line = 1 + before.matches('\n').count();
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before[line_start..].chars().count() + 1;
        reader.add_fault(line, column, why.to_owned());
    }
    reader.end_game();
    (reader.games, reader.faults)
}

/// A text with blanks in the place of the marks that mail programs put before the lines of a quoted
/// message, as in `> > [Event "A"]`.
fn blank_quote_marks(text: &str) -> String {
    let mut is_before_line = true;
    let blanked = text.chars().map(|c| {
        let is_mark = is_before_line && c == '>';
        is_before_line = c == '\n' || is_before_line && (is_mark || c == ' ');
        if is_mark { ' ' } else { c }
    });
    blanked.collect()
}

#[derive(Default)]
struct PgnReader {
    games: Vec<TaggedGame>,
    faults: Vec<TextFault>,
    /// The game that is being read.
    game: TaggedGame,
    /// The names of its tags.
    names: HashSet<String>,
}

impl PgnReader {
    fn add_tag(&mut self, line: usize, tag: TagPair) {
        if self.names.contains(&tag.name) || !self.game.moves.is_empty() {
            self.end_game();
        }
        if self.game.tags.is_empty() {
            self.game.line = line;
        }
        self.names.insert(tag.name.clone());
        self.game.tags.push((tag.name, tag.value));
    }

    /// Adds a move or a termination marker, which ends the game; move numbers and numeric
    /// annotation glyphs are skipped.
    fn add_word(&mut self, line: usize, word: &str) {
        let is_number = word.chars().all(|c| c.is_ascii_digit());
        if is_number || word.starts_with('$') {
            return;
        }
        if self.game.tags.is_empty() && self.game.moves.is_empty() {
            self.game.line = line;
        }
        self.game.moves.push(word.to_owned());
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.end_game();
        }
    }

    fn end_game(&mut self) {
        let game = std::mem::take(&mut self.game);
        self.names.clear();
        if !game.tags.is_empty() || !game.moves.is_empty() {
            self.games.push(game);
        }
    }

    fn add_fault(&mut self, line: usize, column: usize, text: String) {
        self.faults.push(TextFault { line, column, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_with_and_without_moves() {
        let text = "[Event \"A\"]\n[White \"O\\\"Neil, X\"]\n\n*\n\n[Event \"B\"]\n\n\
                    [Event \"C\"]\r\n\r\n1.e4 {no (1. d4} e5 (1... c5 2. Nf3) 2.Nf3 $1 Nc6 \
                    ; rest\n1-0\n";
        let (games, faults) = read_games(text);
        assert!(faults.is_empty());
        let summary: Vec<(usize, &str, String)> = games
            .iter()
            .map(|g| (g.line, g.tag("Event").unwrap(), g.moves.join(" ")))
            .collect();
        let moves = "e4 e5 Nf3 Nc6 1-0".to_owned();
        assert_eq!(
            summary,
            [
                (1, "A", "*".to_owned()),
                (6, "B", String::new()),
                (8, "C", moves)
            ]
        );
        assert_eq!(games[0].tag("White"), Some("O\"Neil, X"));
    }

    #[test]
    fn several_tags_may_stand_on_a_line_and_the_end_behind_them() {
        let text = "[Event \"A\"] [Round \"1\"][White\n\"X\"] *\n[Event \"B\"] [Round \"2\"] 1-0";
        let (games, faults) = read_games(text);
        assert!(faults.is_empty());
        let rounds: Vec<_> = games.iter().map(|g| (g.line, g.tag("Round"))).collect();
        assert_eq!(rounds, [(1, Some("1")), (3, Some("2"))]);
        assert_eq!(games[0].tag("White"), Some("X"));
    }

    #[test]
    fn lines_quoted_in_a_mail_are_read_without_their_marks() {
        let text = "> [Event \"A>B\"]\n> [White \"X\"]\n>\n> > *\n>> [Event \"B\"]\n";
        let (games, faults) = read_games(text);
        assert!(faults.is_empty());
        let tags: Vec<_> = games.iter().map(|g| (g.line, g.tag("Event"))).collect();
        assert_eq!(tags, [(1, Some("A>B")), (5, Some("B"))]);
        assert_eq!(games[0].moves, ["*"]);
    }

    #[test]
    fn faults_have_line_and_column() {
        let (games, faults) =
            read_games("[Event \"A\"]\n  [White Smith]\n[\"x\"]\n[Black \"J\n{never");
        let places: Vec<(usize, usize)> = faults.iter().map(|f| (f.line, f.column)).collect();
        assert_eq!(places, [(2, 10), (3, 2), (4, 8), (5, 1)]);
        assert_eq!(games.len(), 1);
    }
}
