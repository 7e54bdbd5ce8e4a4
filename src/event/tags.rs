//! PGN as others write it: tags, and the moves without comments, side lines and numbers.

/// A game of a PGN file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tagged {
    /// Line of its first tag, or of its first move where it has none.
    pub(super) line: usize,
    /// Names and values.
    pub(super) tags: Vec<(String, String)>,
    /// Moves in the order of the game, and the terminator.
    pub(super) moves: Vec<String>,
}

impl Tagged {
    /// The value of a tag that says something: not empty, `?` or `-`.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        let value = found.map(|(_, value)| value.trim());
        value.filter(|value| !["", "?", "-"].contains(value))
    }
}

/// What is wrong at a line and a column.
pub(super) type Complaint = (usize, usize, String);

/// The games of a text, and what in it cannot be read. A tag that is there already begins the next game, so that a
/// file without any moves reads as well.
pub(super) fn games(text: &str) -> (Vec<Tagged>, Vec<Complaint>) {
    let mut reader = Reader::default();
    for (line, number) in super::text::lines(text).into_iter().zip(1..) {
        reader.line(number, line);
    }
    if let Some((line, column)) = reader.comment {
        let text = "a comment that is never closed; the rest of the file is left out";
        reader.faults.push((line, column, text.to_owned()));
    }
    reader.close();
    (reader.games, reader.faults)
}

#[derive(Default)]
struct Reader {
    games: Vec<Tagged>,
    faults: Vec<Complaint>,
    game: Tagged,
    /// Where the open comment begins.
    comment: Option<(usize, usize)>,
    /// Depth of side lines.
    depth: usize,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        if self.comment.is_none() && line.starts_with('%') {
            return;
        }
        if self.comment.is_none() && line.trim_start().starts_with('[') {
            match tag(line) {
                Ok((name, value)) => self.tag(number, name, value),
                Err((column, text)) => self.faults.push((number, column, text)),
            }
            return;
        }
        let mut word = String::new();
        for (c, column) in line.chars().zip(1..) {
            if self.comment.is_some() {
                if c == '}' {
                    self.comment = None;
                }
                continue;
            }
            if c.is_whitespace() || "{}();.".contains(c) {
                self.word(number, &std::mem::take(&mut word));
            }
            match c {
                '{' => self.comment = Some((number, column)),
                '(' => self.depth += 1,
                ')' => self.depth = self.depth.saturating_sub(1),
                ';' => return,
                '}' | '.' => {}
                c if c.is_whitespace() => {}
                c => word.push(c),
            }
        }
        self.word(number, &word);
    }

    fn tag(&mut self, number: usize, name: String, value: String) {
        let there = self.game.tags.iter().any(|(known, _)| *known == name);
        if there || !self.game.moves.is_empty() {
            self.close();
        }
        if self.game.tags.is_empty() {
            self.game.line = number;
        }
        self.game.tags.push((name, value));
    }

    fn word(&mut self, number: usize, word: &str) {
        let is_number = word.chars().all(|c| c.is_ascii_digit());
        if is_number || word.starts_with('$') || self.depth > 0 {
            return;
        }
        if self.game.tags.is_empty() && self.game.moves.is_empty() {
            self.game.line = number;
        }
        self.game.moves.push(word.to_owned());
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.close();
        }
    }

    fn close(&mut self) {
        self.depth = 0;
        let game = std::mem::take(&mut self.game);
        if !game.tags.is_empty() || !game.moves.is_empty() {
            self.games.push(game);
        }
    }
}

/// `[Name "Value"]`, or the column and what is wrong.
fn tag(line: &str) -> Result<(String, String), (usize, String)> {
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
        return Err((
            column(rest),
            "a tag without a name; it is left out".to_owned(),
        ));
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
    fn games_with_and_without_moves() {
        let text = "[Event \"A\"]\n[White \"O\\\"Neil, X\"]\n\n*\n\n[Event \"B\"]\n\n[Event \"C\"]\r\n\r\n1.e4 {no (1. d4} e5 \
                    (1... c5 2. Nf3) 2.Nf3 $1 Nc6 ; rest\n1-0\n";
        let (games, faults) = games(text);
        assert!(faults.is_empty(), "{faults:?}");
        let told: Vec<(usize, &str, String)> = games
            .iter()
            .map(|g| (g.line, g.tag("Event").unwrap(), g.moves.join(" ")))
            .collect();
        let moves = "e4 e5 Nf3 Nc6 1-0".to_owned();
        assert_eq!(
            told,
            [
                (1, "A", "*".to_owned()),
                (6, "B", String::new()),
                (8, "C", moves)
            ]
        );
        assert_eq!(games[0].tag("White"), Some("O\"Neil, X"));
    }

    #[test]
    fn what_is_wrong_is_told_by_line_and_column() {
        let (games, faults) = games("[Event \"A\"]\n  [White Smith]\n[\"x\"]\n[Black \"J\n{never");
        let places: Vec<(usize, usize)> = faults.iter().map(|f| (f.0, f.1)).collect();
        assert_eq!(places, [(2, 10), (3, 2), (4, 8), (5, 1)]);
        assert_eq!(games.len(), 1);
    }
}
