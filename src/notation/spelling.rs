//! Every way in which a hand writes a legal move, with what it costs.
//!
//! Costs are negative natural logarithms of how often players write so. They are rounded to halves of a nat: the
//! reader's evidence for one spelling against another is a multiple of that. Rates behind them: 13,810 HCS cells, of
//! which 2.4 % are not SAN-shaped, and the forms that the Laws of Chess and the federations' guides teach.

mod list;

use shakmaty::{CastlingSide, Role, Square};
use smol_str::SmolStr;

use super::habits::{Habits, Way, Ways};
use super::language::{Language, figurines};
use super::shape::{Disambiguation, Shape};

use list::List;

/// Stands in a [`Spelling`] for any one file or rank, where the writer named a wrong man.
pub const ANY_PLACE: char = '\u{1}';

/// Stands in a [`Spelling`] for any one letter, where that of the man is not what it should be: a blot, another
/// man's, one unknown.
pub const ANY_LETTER: char = '\u{2}';

/// A text and the cost of writing the move so.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelling {
    /// What stands in the cell, without `+`, `!` and the like behind it.
    pub text: SmolStr,
    /// Nats.
    pub cost: f32,
    /// The ways of this hand and no other that it is written in.
    pub ways: Ways,
}

/// Nf3 written Nef3 or N1f3 though no other knight goes there.
const NEEDLESS_PLACE: f32 = 4.5;
/// Nbd2 written Nd2: 31 of 207 HCS pages stop being legal there.
const MISSING_PLACE: f32 = 2.0;
/// Nbd2 written N1d2, or Ncd2 with no knight on c.
const WRONG_PLACE: f32 = 7.0;
/// A quiet move written as a capture.
const FALSE_TAKE: f32 = 5.5;
/// dxe5 written e5. Dear enough that a legal e5 is believed.
const BARE_TARGET: f32 = 5.5;
/// Coordinates that the pen or the reader swallowed: N4, Nf.
const SWALLOWED: f32 = 6.0;
/// The man's letter is another one, or missing.
const WRONG_LETTER: f32 = 8.0;

const LONG: Ways = Ways::NONE.and(Way::Long);
const SMALL_LETTER: Ways = Ways::NONE.and(Way::SmallLetter);
const CAPITAL_FILE: Ways = Ways::NONE.and(Way::CapitalFile);
const FIGURINE: Ways = Ways::NONE.and(Way::Figurine);
const PAWN_LETTER: Ways = Ways::NONE.and(Way::PawnLetter);
const NO_TAKE: Ways = Ways::NONE.and(Way::NoTake);
const COLON: Ways = Ways::NONE.and(Way::Colon);
const NAMES_VICTIM: Ways = Ways::NONE.and(Way::NamesVictim);

/// The marks of a capture inside a move.
const TAKES: [Part; 5] = [
    ("x", 0.1, Ways::NONE),
    ("", 0.0, NO_TAKE),
    (":", 0.0, COLON),
    ("X", 4.5, Ways::NONE),
    ("-", 6.5, Ways::NONE),
];

/// A part of a spelling, what it costs everybody, and the ways that it takes.
type Part<'a> = (&'a str, f32, Ways);

/// All spellings of a move in a language by a hand of these habits, without decorations behind it; none twice, the cheaper
/// kept.
pub fn spellings(shape: &Shape, language: &Language, habits: &Habits) -> Vec<Spelling> {
    let mut list = List::new(habits, habits.plain(possible(shape)));
    match (shape.castling, shape.role) {
        (Some(side), _) => castling(&mut list, shape, side, language),
        (None, Role::Pawn) => pawn(&mut list, shape, language),
        (None, role) => piece(&mut list, shape, role, language),
    }
    list.finish()
}

/// The ways in which a move of this shape can be written at all.
pub fn possible(shape: &Shape) -> Ways {
    let mut ways = match (shape.castling, shape.role) {
        (Some(_), _) => return Ways::NONE,
        (None, Role::Pawn) => PAWN_LETTER,
        (None, _) => SMALL_LETTER.with(FIGURINE),
    };
    ways = ways.with(LONG).with(CAPITAL_FILE);
    if shape.victim.is_some() {
        ways = ways.with(NO_TAKE).with(COLON).with(NAMES_VICTIM);
    }
    ways
}

fn name(square: Square) -> String {
    format!("{}{}", square.file().char(), square.rank().char())
}

fn place(square: Square) -> (String, String) {
    (
        square.file().char().to_string(),
        square.rank().char().to_string(),
    )
}

/// Ways to write the man itself.
fn letters(role: Role, language: &Language) -> Vec<(String, f32, Ways)> {
    let letter = language.letters(role);
    let mut forms = vec![(letter.to_owned(), 0.0, Ways::NONE)];
    let small = letter.to_lowercase();
    if small != letter {
        // b, c, d, f are files: a small letter there is rather a pawn's.
        let file = small.starts_with(|c| ('a'..='h').contains(&c));
        forms.push((small, if file { 1.5 } else { 0.0 }, SMALL_LETTER));
    }
    forms.extend(figurines(role).map(|c| (c.to_string(), 0.0, FIGURINE)));
    forms
}

/// Ways to write the pawn where it is written at all. Whose knight is P, as in Dutch, writes no pawn so.
fn pawn_letters(language: &Language) -> Vec<&'static str> {
    let own = language.letters(Role::Pawn);
    let mut all = Vec::new();
    if Role::ALL[1..]
        .iter()
        .all(|&role| language.letters(role) != "P")
    {
        all.push("P");
    }
    if !own.is_empty() && own != "P" {
        all.push(own);
    }
    all
}

fn piece(list: &mut List, shape: &Shape, role: Role, language: &Language) {
    let (from, to) = (name(shape.from), name(shape.to));
    let (file, rank) = place(shape.from);
    let (to_file, to_rank) = place(shape.to);
    let any = ANY_PLACE.to_string();
    let takes = takes(shape);
    let places: [(&str, f32); 4] = match shape.disambiguation {
        Disambiguation::None => [
            ("", 0.0),
            (&file, NEEDLESS_PLACE),
            (&rank, NEEDLESS_PLACE + 1.0),
            (&any, WRONG_PLACE + 1.5),
        ],
        Disambiguation::File => [
            ("", MISSING_PLACE),
            (&file, 0.2),
            (&rank, 3.5),
            (&any, WRONG_PLACE),
        ],
        Disambiguation::Rank => [
            ("", MISSING_PLACE),
            (&file, 3.0),
            (&rank, 0.4),
            (&any, WRONG_PLACE),
        ],
        Disambiguation::Both => [
            ("", MISSING_PLACE + 0.5),
            (&file, 2.0),
            (&rank, 2.0),
            (&any, WRONG_PLACE),
        ],
    };
    // What would name both file and rank anyway costs others little.
    let long = if shape.disambiguation == Disambiguation::Both {
        (0.7, Ways::NONE)
    } else {
        (0.0, LONG)
    };
    for (letter, shy, small) in letters(role, language) {
        let plain = small == Ways::NONE;
        for &(take, risk, mark) in takes {
            let ways = small.with(mark);
            for (place, cost) in places {
                if plain || cost < 1.0 {
                    list.add_with_capitals(shy + risk + cost, ways, &[&letter, place, take], &to);
                }
            }
            let dash = if shape.victim.is_none() && take.is_empty() {
                ["", "-"]
            } else {
                ["", ""]
            };
            for dash in dash {
                let whole = [&letter, from.as_str(), take, dash, &to];
                list.add(shy + risk + long.0, ways.with(long.1), &whole);
                if plain {
                    list.add(risk + 2.0, ways.with(LONG), &whole[1..]);
                }
            }
            if plain {
                list.add(risk + SWALLOWED, ways, &[&letter, take, &to_rank]);
                list.add(risk + SWALLOWED + 0.5, ways, &[&letter, take, &to_file]);
                for (place, cost) in [(&file, 0.0), (&rank, 1.0)] {
                    list.add(
                        risk + SWALLOWED + 0.5 + cost,
                        ways,
                        &[&letter, place, take, &to_file],
                    );
                }
            }
        }
    }
    let places = places.into_iter().filter(|(_, cost)| *cost < 3.0);
    for (place, cost) in places {
        for letter in [&ANY_LETTER.to_string(), ""] {
            for &(take, risk, mark) in takes.iter().filter(|t| t.1 < 1.0 && t.2 != COLON) {
                list.add(
                    WRONG_LETTER + risk + cost,
                    mark,
                    &[letter, place, take, &to],
                );
            }
        }
    }
    if let Some(victim) = shape.victim {
        let letter = language.letters(role);
        for (take, risk, mark) in VICTIM_TAKES {
            let ways = NAMES_VICTIM.with(mark);
            for taken in victims(victim, language) {
                list.add(risk, ways, &[letter, take, taken]);
                list.add(1.0 + risk, ways, &[letter, take, taken, &to]);
                list.add(2.5 + risk, ways, &[letter, &file, take, taken]);
            }
        }
    }
}

/// The marks of a capture where the victim is named behind them.
const VICTIM_TAKES: [Part; 4] = [
    ("x", 0.0, Ways::NONE),
    (":", 0.0, COLON),
    ("X", 4.0, Ways::NONE),
    ("", 3.0, Ways::NONE),
];

/// The marks of a capture where nothing is taken.
const FALSE_TAKES: [Part; 3] = [
    ("", 0.0, Ways::NONE),
    ("x", FALSE_TAKE, Ways::NONE),
    (":", FALSE_TAKE + 2.0, Ways::NONE),
];

fn takes(shape: &Shape) -> &'static [Part<'static>] {
    if shape.victim.is_some() {
        &TAKES
    } else {
        &FALSE_TAKES
    }
}

fn victims(victim: Role, language: &Language) -> Vec<&'static str> {
    if victim == Role::Pawn {
        pawn_letters(language)
    } else {
        vec![language.letters(victim)]
    }
}

fn pawn(list: &mut List, shape: &Shape, language: &Language) {
    for (end, promotion) in promotions(shape, language) {
        let mut bare = list.another();
        if shape.victim.is_some() {
            pawn_takes(&mut bare, shape, language);
        } else {
            pawn_moves(&mut bare, shape, language);
        }
        for spelling in bare.spellings {
            list.extend(spelling, promotion, &end);
        }
    }
}

fn promotions(shape: &Shape, language: &Language) -> Vec<(String, f32)> {
    let Some(role) = shape.promotion else {
        return vec![(String::new(), 0.0)];
    };
    let letter = language.letters(role);
    vec![
        (format!("={letter}"), 0.7),
        (letter.to_owned(), 1.0),
        (format!("({letter})"), 2.5),
        (format!("/{letter}"), 3.0),
        // A queen is what a pawn becomes where nothing is written.
        (String::new(), if role == Role::Queen { 2.5 } else { 7.0 }),
    ]
}

fn pawn_moves(list: &mut List, shape: &Shape, language: &Language) {
    let (from, to) = (name(shape.from), name(shape.to));
    let (file, rank) = place(shape.to);
    list.add_with_capitals(0.0, Ways::NONE, &[], &to);
    if file == "e" {
        list.add(2.0, Ways::NONE, &["é", &rank]);
    }
    for dash in ["", "-"] {
        list.add(0.0, LONG, &[&from, dash, &to]);
    }
    for letter in pawn_letters(language) {
        list.add(0.0, PAWN_LETTER, &[letter, &to]);
        list.add(1.0, PAWN_LETTER, &[letter, &from, "-", &to]);
        list.add(2.0, PAWN_LETTER, &[letter, &from, &to]);
    }
    list.add(FALSE_TAKE, Ways::NONE, &["x", &to]);
    list.add(7.0, Ways::NONE, &[&ANY_PLACE.to_string(), &to]);
    list.add(SWALLOWED + 0.5, Ways::NONE, &[&rank]);
    list.add(SWALLOWED + 1.0, Ways::NONE, &[&file]);
}

fn pawn_takes(list: &mut List, shape: &Shape, language: &Language) {
    let (from, to) = (name(shape.from), name(shape.to));
    let (file, _) = place(shape.from);
    let (to_file, to_rank) = place(shape.to);
    let any = ANY_PLACE.to_string();
    for (take, risk, mark) in TAKES {
        list.add_with_capitals(risk, mark, &[], &format!("{file}{take}{to}"));
        list.add(risk, mark.with(LONG), &[&from, take, &to]);
        let short = if take.is_empty() { 1.0 } else { 3.0 };
        list.add(risk + short, mark, &[&file, take, &to_file]);
        list.add(risk + WRONG_PLACE, mark, &[&any, take, &to]);
        list.add(risk + SWALLOWED, mark, &[&file, take, &to_rank]);
        list.add(risk + SWALLOWED + 1.0, mark, &[&from, take, &to_file]);
        if file == "e" {
            list.add(risk + 3.0, mark, &["é", take, &to]);
        }
        if to_file == "e" {
            list.add(risk + 3.0, mark, &[&file, take, "é", &to_rank]);
        }
        if !take.is_empty() {
            list.add(risk + 4.5, mark, &[take, &to]);
            list.add(risk + SWALLOWED + 1.0, mark, &[&file, take]);
        }
        for letter in pawn_letters(language) {
            let ways = mark.with(PAWN_LETTER);
            list.add(risk + 0.5, ways, &[letter, take, &to]);
            list.add(risk + 1.5, ways, &[letter, &from, take, &to]);
        }
    }
    list.add(BARE_TARGET, Ways::NONE, &[&to]);
    if let Some(victim) = shape.victim {
        for taken in victims(victim, language) {
            for pawn in pawn_letters(language) {
                list.add(0.0, NAMES_VICTIM, &[pawn, "x", taken]);
                list.add(2.0, NAMES_VICTIM, &[pawn, "x", taken, &to]);
            }
            list.add(1.0, NAMES_VICTIM, &[&file, "x", taken]);
            list.add(1.5, NAMES_VICTIM, &[&file, "x", taken, &to]);
            list.add(2.0, NAMES_VICTIM, &[&file, "x", taken, &to_file]);
        }
    }
}

fn castling(list: &mut List, shape: &Shape, side: CastlingSide, language: &Language) {
    let (own, other) = match side {
        CastlingSide::KingSide => (2, 3),
        CastlingSide::QueenSide => (3, 2),
    };
    for (sign, cost) in [("O", 0.1), ("0", 1.5), ("o", 2.5)] {
        list.add(cost, Ways::NONE, &[&vec![sign; own].join("-")]);
        list.add(cost + 2.5, Ways::NONE, &[&sign.repeat(own)]);
        // The hand stops a sign short, or writes one too many.
        list.add(cost + 5.5, Ways::NONE, &[&vec![sign; other].join("-")]);
    }
    let (from, to) = (name(shape.from), name(shape.to));
    let king = language.letters(Role::King);
    list.add(5.0, Ways::NONE, &[king, &to]);
    for dash in ["", "-"] {
        list.add(6.0, Ways::NONE, &[king, &from, dash, &to]);
        list.add(6.5, Ways::NONE, &[&from, dash, &to]);
    }
}
