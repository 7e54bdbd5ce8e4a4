//! What a word may be, judged by its form alone.

use crate::notation::{DECORATIONS, Decoration, END_MARKS, EndMark, figurines};
use shakmaty::Role;

/// Characters of the longest word that can be a move: a long promotion with everything behind it.
pub(super) const LONGEST_MOVE: usize = 18;

/// What a word may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It has the form of a move.
    Move,
    /// A move where moves stand, a word where words do: `de`, `ed`, `00`.
    WordOrMove,
    /// A move in descriptive notation: `P-K4`, `C3AR`.
    Descriptive,
    /// Letters and digits that are no move: a slip where moves stand, a word elsewhere.
    Garbled,
    /// Stands behind a move: `e.p.`, `(=)`, `!?`.
    Sign,
    /// Ends a record.
    End(EndMark),
    /// Anything else.
    Prose,
}

/// Printed signs behind a move that no hand writes.
const PRINTED: [Decoration; 8] = [
    printed("□"),
    printed("†"),
    printed("‡"),
    printed("±"),
    printed("∓"),
    printed("⩲"),
    printed("⩱"),
    printed("∞"),
];

const fn printed(text: &'static str) -> Decoration {
    Decoration {
        text,
        quiet: 6.0,
        check: 6.0,
        capture: f32::INFINITY,
        en_passant: f32::INFINITY,
    }
}

/// Texts of [`END_MARKS`] that mean something else where they are typed: numbers and signs.
const NO_END: [&str; 6] = ["10", "01", "=", "#", "---", "--"];

impl Kind {
    /// The kind of a word without blanks.
    pub(super) fn of(text: &str) -> Kind {
        if text.chars().nth(LONGEST_MOVE).is_some() {
            return Kind::Prose;
        }
        let bare = text.trim_end_matches('.');
        let end = END_MARKS.iter().find(|(mark, ..)| {
            !NO_END.contains(mark) && (*mark == text || mark.trim_end_matches('.') == bare)
        });
        if let Some((_, mark, _)) = end {
            return Kind::End(*mark);
        }
        if is_sign(text) {
            return Kind::Sign;
        }
        if is_descriptive(text) {
            return Kind::Descriptive;
        }
        let cores = || cores(text).into_iter().map(|core| core.text);
        if cores().any(is_move) {
            Kind::Move
        } else if cores().any(is_word_or_move) {
            Kind::WordOrMove
        } else if is_garbled(text) {
            Kind::Garbled
        } else {
            Kind::Prose
        }
    }
}

/// A word without some of what may be signs behind it.
#[derive(Debug, Clone)]
pub(super) struct Core<'a> {
    pub text: &'a str,
    pub signs: Vec<&'static Decoration>,
}

/// Signs taken off a word at most: `+!?` are two, `½-½` are three.
const MOST_SIGNS: usize = 4;

/// The ways to part a word from the signs behind it, the whole word first.
pub(super) fn cores(text: &str) -> Vec<Core<'_>> {
    let mut cores = vec![Core {
        text,
        signs: Vec::new(),
    }];
    let mut next = 0;
    while next < cores.len() {
        let Core { text, signs } = cores[next].clone();
        next += 1;
        if signs.len() == MOST_SIGNS {
            continue;
        }
        for sign in DECORATIONS.iter().chain(&PRINTED) {
            let Some(shorter) = text.strip_suffix(sign.text) else {
                continue;
            };
            if !sign.text.is_empty()
                && !shorter.is_empty()
                && !cores.iter().any(|core| core.text == shorter)
            {
                let mut signs = signs.clone();
                signs.push(sign);
                cores.push(Core {
                    text: shorter,
                    signs,
                });
            }
        }
    }
    cores
}

fn is_sign(text: &str) -> bool {
    let word = text.to_lowercase();
    matches!(
        word.as_str(),
        "e.p." | "e.p" | "ep" | "ep." | "e." | "p." | "ch" | "ch." | "ch'" | "(=)"
    ) || text.starts_with('$')
        || text.chars().all(|c| {
            "+#!?=.:'/()[]{}<>~^&%-…".contains(c) || PRINTED.iter().any(|p| p.text.starts_with(c))
        })
}

pub(super) fn is_file(c: char) -> bool {
    ('a'..='h').contains(&c.to_ascii_lowercase()) || c == 'é'
}

pub(super) fn is_rank(c: char) -> bool {
    ('1'..='8').contains(&c)
}

pub(super) fn is_take(c: char) -> bool {
    matches!(c, 'x' | 'X' | ':')
}

fn is_man(c: char) -> bool {
    const ROLES: [Role; 6] = Role::ALL;
    c.is_alphabetic() || ROLES.iter().any(|&role| figurines(role).contains(&c))
}

/// Characters of a garbled move, at most.
const LONGEST_SLIP: usize = 8;

fn is_garbled(text: &str) -> bool {
    text.chars().count() <= LONGEST_SLIP
        && text.contains(|c: char| c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_alphabetic())
}

/// Castling, a move to a square, or a man that takes a man.
fn is_move(core: &str) -> bool {
    let chars: Vec<char> = core.chars().collect();
    if is_castling(&chars) {
        return chars.contains(&'-');
    }
    let Some((front, behind)) = around_target(&chars) else {
        return is_man_takes_man(&chars);
    };
    is_front(front) && !is_stem(front) && is_promotion(behind)
}

/// Three small letters, as in `page1`; with a Faroese knight also `ridf6`.
fn is_stem(front: &[char]) -> bool {
    letters(front).count() > 2 && letters(front).all(char::is_lowercase)
}

/// What stands before and behind the last square of a word.
fn around_target(chars: &[char]) -> Option<(&[char], &[char])> {
    let square = |i: &usize| is_file(chars[i - 1]) && is_rank(chars[*i]);
    let at = (1..chars.len()).rfind(square)?;
    Some((&chars[..at - 1], &chars[at + 1..]))
}

fn is_castling(chars: &[char]) -> bool {
    let signs = chars.iter().filter(|c| "O0o".contains(**c)).count();
    let dashes = chars.iter().filter(|c| **c == '-').count();
    (2..=3).contains(&signs)
        && signs + dashes == chars.len()
        && (dashes == 0 || (dashes == signs - 1 && chars.first() != Some(&'-')))
}

/// What stands before the target square: a man, a place or square, a mark of capture or a dash, a man taken.
fn is_front(front: &[char]) -> bool {
    let is_mark = |c: char| is_take(c) || c == '-';
    // A Vietnamese rook is an X too.
    let marks = front.iter().skip(1).filter(|c| is_mark(**c) && **c != 'X');
    front.len() <= 7
        && front.iter().all(|&c| is_man(c) || is_rank(c) || is_mark(c))
        && letters(front).count() <= 4
        && marks.count() <= 1
}

fn letters(front: &[char]) -> impl Iterator<Item = char> {
    front.iter().copied().filter(|c| is_man(*c) && !is_take(*c))
}

fn is_promotion(behind: &[char]) -> bool {
    let letter = |letters: &[char]| {
        (1..=2).contains(&letters.len()) && is_man(letters[0]) && !letters[0].is_lowercase()
    };
    match behind {
        [] => true,
        ['(', letters @ .., ')'] => letter(letters),
        ['=' | '/', letters @ ..] => (1..=2).contains(&letters.len()) && is_man(letters[0]),
        letters => letter(letters),
    }
}

/// `BxN`, `exN`; not `dxe`, which may be a word.
fn is_man_takes_man(chars: &[char]) -> bool {
    let [man, take, taken] = chars else {
        return false;
    };
    is_man(*man)
        && is_take(*take)
        && is_man(*taken)
        && !taken.is_lowercase()
        && (!man.is_lowercase() || is_file(*man))
}

/// Castling without dashes, pawn captures of two letters, a square behind three.
fn is_word_or_move(core: &str) -> bool {
    let chars: Vec<char> = core.chars().collect();
    let neighbours = |a: char, b: char| (a as i32 - b as i32).abs() == 1;
    let stem = |(front, behind): (&[char], &[char])| is_front(front) && is_promotion(behind);
    is_castling(&chars)
        || around_target(&chars).is_some_and(stem)
        || match chars[..] {
            [a, b] => a.is_lowercase() && is_file(a) && is_file(b) && neighbours(a, b),
            [a, take, b] => is_take(take) && is_file(a) && is_file(b) && neighbours(a, b),
            _ => false,
        }
}

/// English `P-K4`, `Kt-KB3`, `QxKBP`; Spanish, Portuguese, Italian and French `P4R`, `C3AR`, `CxPD`.
fn is_descriptive(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '!', '?', '.', '#', '\'', ')']);
    let text = ["ch", "mate", "e.p"]
        .iter()
        .find_map(|sign| text.strip_suffix(sign))
        .unwrap_or(text);
    let english = |name: &str| {
        const NAMES: [&str; 24] = [
            "K", "Q", "R", "B", "N", "Kt", "P", "QR", "QB", "QN", "QKt", "KR", "KB", "KN", "KKt",
            "QP", "KP", "QRP", "QBP", "QNP", "KRP", "KBP", "KNP", "BP",
        ];
        NAMES.contains(&name)
    };
    if let Some((man, square)) = text.split_once('-')
        && let Some(file) = square.strip_suffix(is_rank)
    {
        return english(man) && english(file);
    }
    if let Some((man, taken)) = text.split_once('x') {
        let long = man.len() > 1 || taken.len() > 1;
        return long && english(man) && english(taken);
    }
    let chars: Vec<char> = text.chars().collect();
    match chars[..] {
        [man, rank, file] => "PCATDRBF".contains(man) && is_rank(rank) && "TCABFDR".contains(file),
        [man, rank, file, wing] => {
            "PCATDRBF".contains(man)
                && is_rank(rank)
                && "TCABF".contains(file)
                && "RD".contains(wing)
        }
        _ => false,
    }
}
