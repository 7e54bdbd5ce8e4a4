//! A PGN reader for files of other programs: tags, and moves without comments, variations and
//! numbers.

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
    let mut reader = PgnReader::default();
    for (line, number) in super::text::split_lines(text).into_iter().zip(1..) {
        reader.read_line(number, line);
    }
    if let Some((line, column)) = reader.open_comment {
        let text = "a comment that is never closed; the rest of the file is left out";
        reader.add_fault(line, column, text.to_owned());
    }
    reader.end_game();
    (reader.games, reader.faults)
}

#[derive(Default)]
struct PgnReader {
    games: Vec<TaggedGame>,
    faults: Vec<TextFault>,
    /// The game that is being read.
    game: TaggedGame,
    /// Line and column of the brace that opens the comment being read.
    open_comment: Option<(usize, usize)>,
    /// Nesting depth of variations.
    depth: usize,
}

impl PgnReader {
    fn read_line(&mut self, number: usize, line: &str) {
        if self.open_comment.is_none() && line.starts_with('%') {
            return;
        }
        if self.open_comment.is_none() && line.trim_start().starts_with('[') {
            match parse_tag(line) {
                Ok((name, value)) => self.add_tag(number, name, value),
                Err((column, text)) => self.add_fault(number, column, text),
            }
            return;
        }
        let mut word = String::new();
        for (c, column) in line.chars().zip(1..) {
            if self.open_comment.is_some() {
                if c == '}' {
                    self.open_comment = None;
                }
                continue;
            }
            if c.is_whitespace() || "{}();.".contains(c) {
                self.add_word(number, &std::mem::take(&mut word));
            }
            match c {
                '{' => self.open_comment = Some((number, column)),
                '(' => self.depth += 1,
                ')' => self.depth = self.depth.saturating_sub(1),
                ';' => return,
                '}' | '.' => {}
                c if c.is_whitespace() => {}
                c => word.push(c),
            }
        }
        self.add_word(number, &word);
    }

    fn add_tag(&mut self, number: usize, name: String, value: String) {
        let is_known = self.game.tags.iter().any(|(known, _)| *known == name);
        if is_known || !self.game.moves.is_empty() {
            self.end_game();
        }
        if self.game.tags.is_empty() {
            self.game.line = number;
        }
        self.game.tags.push((name, value));
    }

    /// Adds a move or a termination marker, which ends the game; move numbers, numeric annotation
    /// glyphs and variations are skipped.
    fn add_word(&mut self, number: usize, word: &str) {
        let is_number = word.chars().all(|c| c.is_ascii_digit());
        if is_number || word.starts_with('$') || self.depth > 0 {
            return;
        }
        if self.game.tags.is_empty() && self.game.moves.is_empty() {
            self.game.line = number;
        }
        self.game.moves.push(word.to_owned());
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.end_game();
        }
    }

    fn end_game(&mut self) {
        self.depth = 0;
        let game = std::mem::take(&mut self.game);
        if !game.tags.is_empty() || !game.moves.is_empty() {
            self.games.push(game);
        }
    }

    fn add_fault(&mut self, line: usize, column: usize, text: String) {
        self.faults.push(TextFault { line, column, text });
    }
}

/// Reads a tag pair, `[Name "Value"]`. The error is the column of what is wrong, and a description.
fn parse_tag(line: &str) -> Result<(String, String), (usize, String)> {
    let column = |rest: &str| line.chars().count() - rest.chars().count() + 1;
    let rest = line
        .trim_start()
        .strip_prefix('[')
        .unwrap_or_default()
        .trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    if name.is_empty() {
        let text = "a tag without a name; it is left out";
        return Err((column(rest), text.to_owned()));
    }
    let at_value = rest.trim_start();
    let Some(mut rest) = at_value.strip_prefix('"') else {
        let text = format!("the value of the tag {name} is not in quotes; it is left out");
        return Err((column(at_value), text));
    };
    let mut value = String::new();
    loop {
        let mut chars = rest.chars();
        match chars.next() {
            Some('"') => break,
            Some('\\') => value.extend(chars.next()),
            Some(c) => value.push(c),
            None => {
                let text = format!("the value of the tag {name} is not closed; it is left out");
                return Err((column(at_value), text));
            }
        }
        rest = chars.as_str();
    }
    Ok((name.to_owned(), value))
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
    fn faults_have_line_and_column() {
        let (games, faults) =
            read_games("[Event \"A\"]\n  [White Smith]\n[\"x\"]\n[Black \"J\n{never");
        let places: Vec<(usize, usize)> = faults.iter().map(|f| (f.line, f.column)).collect();
        assert_eq!(places, [(2, 10), (3, 2), (4, 8), (5, 1)]);
        assert_eq!(games.len(), 1);
    }
}
