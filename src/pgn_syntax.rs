//! The syntax of PGN as other programs write it (Portable Game Notation specification, sections 5
//! to 8): tag pairs, and what is no move.

/// A tag pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TagPair {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// What is wrong with a tag pair, and where: its byte behind the bracket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TagFault {
    pub(crate) at: usize,
    pub(crate) text: String,
}

/// Reads the tag pair at the start of a text, `[Name "Value"]`, which begins with its bracket; also
/// gives its length in bytes. A quotation mark within a value that is not escaped belongs to the
/// value where another one closes it.
pub(crate) fn parse_tag(text: &str) -> Result<(TagPair, usize), TagFault> {
    let at = |rest: &str| text.len() - rest.len();
    let rest = text.strip_prefix('[').unwrap_or(text).trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
    if name.is_empty() {
        let text = "a tag without a name; it is left out".to_owned();
        return Err(TagFault { at: at(rest), text });
    }
    let at_value = rest.trim_start();
    let fault = |what: &str| TagFault {
        at: at(at_value),
        text: format!("the value of the tag {name} is {what}; it is left out"),
    };
    let mut rest = at_value
        .strip_prefix('"')
        .ok_or_else(|| fault("not in quotes"))?;
    let mut value = String::new();
    loop {
        let mut chars = rest.chars();
        match chars.next() {
            Some('"') if closes_value(chars.as_str()) => {
                rest = chars.as_str();
                break;
            }
            Some('\\') => value.extend(chars.next()),
            None | Some('\n') => return Err(fault("not closed")),
            Some(c) => value.push(c),
        }
        rest = chars.as_str();
    }
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let has_bracket = rest[blanks..].starts_with(']');
    let len = at(rest) + if has_bracket { blanks + 1 } else { 0 };
    let name = name.to_owned();
    Ok((TagPair { name, value }, len))
}

/// Whether a quotation mark closes the value of a tag, by what stands behind it: the bracket, or
/// else no other mark with the bracket on the same line.
fn closes_value(after: &str) -> bool {
    let line = after.split(['\n', '[']).next().unwrap_or(after);
    let is_bracket = |text: &str| text.trim_start().starts_with(']');
    is_bracket(line) || !line.split('"').skip(1).any(is_bracket)
}

/// A text whose comments and variations are blanks. Everything else stays at its byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MovetextOnly {
    pub(crate) text: String,
    /// The byte of a brace that opens a comment which is never closed. All that follows is blank.
    pub(crate) unclosed: Option<usize>,
}

/// Replaces comments in braces and behind semicolons, variations in brackets and lines that begin
/// with a percent sign by blanks. Tag pairs stay as they are.
pub(crate) fn blank_asides(text: &str) -> MovetextOnly {
    let mut kept = String::with_capacity(text.len());
    let (mut depth, mut brace, mut to_line_end) = (0usize, None, false);
    let mut skipped = 0;
    let mut before = '\n';
    for (i, c) in text.char_indices() {
        if i < skipped {
            kept.push(c);
            before = c;
            continue;
        }
        let is_aside = brace.is_some() || to_line_end || depth > 0;
        match c {
            '\n' => {
                to_line_end = false;
                kept.push('\n');
                before = c;
                continue;
            }
            '}' if brace.is_some() => brace = None,
            _ if brace.is_some() || to_line_end => {}
            '{' => brace = Some(i),
            ';' => to_line_end = true,
            '%' if before == '\n' => to_line_end = true,
            '(' if depth > 0 || !is_of_move(before, &text[i + 1..]) => depth += 1,
            ')' if depth > 0 => depth -= 1,
            '[' if !is_aside => {
                if let Ok((_, len)) = parse_tag(&text[i..]) {
                    skipped = i + len;
                }
            }
            _ => {}
        }
        if is_aside || matches!(c, '{' | '}' | ';') || to_line_end || depth > 0 {
            kept.extend(std::iter::repeat_n(' ', c.len_utf8()));
        } else {
            kept.push(c);
        }
        before = c;
    }
    MovetextOnly {
        text: kept,
        unclosed: brace,
    }
}

/// Largest number of characters in brackets that belong to a move or are a result.
const MAX_OWN_CHARS: usize = 9;

/// Whether an opening bracket belongs to the moves of the game itself, by the character before it
/// and the text after it: the promotion of `a8(Q)`, the draw offer `(=)`, the result `(1-0)`.
pub(crate) fn is_of_move(before: char, after: &str) -> bool {
    let mut near = after.char_indices().take(MAX_OWN_CHARS + 1);
    let Some((end, _)) = near.find(|(_, c)| *c == ')') else {
        return false;
    };
    let inside = &after[..end];
    let is_score = !inside.is_empty() && inside.chars().all(|c| "01½/2-–:=,.".contains(c));
    is_score || (before.is_alphanumeric() && (1..=2).contains(&inside.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Result<(String, String, usize), usize> {
        let parsed = parse_tag(text).map_err(|fault| fault.at)?;
        Ok((parsed.0.name, parsed.0.value, parsed.1))
    }

    #[test]
    fn a_tag_ends_with_its_bracket_and_may_hold_escaped_and_bare_quotes() {
        let read = |name: &str, value: &str, len| Ok((name.to_owned(), value.to_owned(), len));
        assert_eq!(
            tag("[Event \"A [b] {c}\"] [Site"),
            read("Event", "A [b] {c}", 19)
        );
        assert_eq!(
            tag("[ White  \"O\\\"Neil\" ]x"),
            read("White", "O\"Neil", 20)
        );
        assert_eq!(
            tag("[White \"J \"Joe\" X\"]"),
            read("White", "J \"Joe\" X", 19)
        );
        assert_eq!(tag("[White \"J\""), read("White", "J", 10));
        assert_eq!(tag("[White \"J\" [Black \"K\"]"), read("White", "J", 10));
        assert_eq!(tag("[White Smith]"), Err(7));
        assert_eq!(tag("[\"x\"]"), Err(1));
        assert_eq!(tag("[White \"J\n\"]"), Err(7));
    }

    #[test]
    fn asides_become_blanks_and_all_else_stays_in_its_place() {
        let blanked = |text: &str| blank_asides(text).text;
        assert_eq!(
            blanked("1. e4 {a (b} e5 (1... c5 (2. d4)) 2. d4 ; x\n% y\nd5"),
            "1. e4        e5                   2. d4    \n   \nd5"
        );
        assert_eq!(blanked("[A \"{(;\"] {é} e4"), "[A \"{(;\"]      e4");
        assert_eq!(blanked("a8(Q) (=) (1-0)"), "a8(Q) (=) (1-0)");
        assert_eq!(blank_asides("e4 {x").unclosed, Some(3));
    }
}
