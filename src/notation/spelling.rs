//! Every way in which a hand writes a legal move, with what it costs.
//!
//! Costs are negative natural logarithms of how often players write so. They are rounded to halves of a nat: the
//! reader's evidence for one spelling against another is a multiple of that. Rates behind them: 13,810 HCS cells, of
//! which 2.4 % are not SAN-shaped, and the forms that the Laws of Chess and the federations' guides teach.

use shakmaty::{CastlingSide, Role, Square};

use super::language::{Language, figurines};
use super::shape::{Disambiguation, Shape};

/// Stands in a [`Spelling`] for any one file or rank, where the writer named a wrong man.
pub const ANY_PLACE: char = '\u{1}';

/// Stands in a [`Spelling`] for any one letter, where that of the man is not what it should be: a blot, another
/// man's, one unknown.
pub const ANY_LETTER: char = '\u{2}';

/// A text and the cost of writing the move so.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelling {
    /// What stands in the cell, without `+`, `!` and the like behind it.
    pub text: String,
    /// Nats.
    pub cost: f32,
}

/// Letters in lower case: nf3. Seen a few times in a hundred sheets, there all through.
const SMALL_LETTER: f32 = 4.5;
/// Files in upper case: CF3, E4.
const CAPITAL_FILE: f32 = 4.0;
/// A printed sign drawn by hand.
const FIGURINE: f32 = 5.0;
/// Nf3 written Nef3 or N1f3 though no other knight goes there.
const NEEDLESS_PLACE: f32 = 4.5;
/// Nbd2 written Nd2: 31 of 207 HCS pages stop being legal there.
const MISSING_PLACE: f32 = 2.0;
/// Nbd2 written N1d2, or Ncd2 with no knight on c.
const WRONG_PLACE: f32 = 7.0;
/// Long form of a writer who uses it: Ng1-f3.
const LONG: f32 = 3.5;
/// Nxe5 written Ne5.
const NO_TAKE: f32 = 2.5;
/// A quiet move written as a capture.
const FALSE_TAKE: f32 = 5.5;
/// QxQ: 2 % of all moves, a tenth of the captures.
const MAN_TAKES_MAN: f32 = 3.5;
/// dxe5 written e5. Dear enough that a legal e5 is believed.
const BARE_TARGET: f32 = 5.5;
/// Coordinates that the pen or the reader swallowed: N4, Nf.
const SWALLOWED: f32 = 6.0;
/// The man's letter is another one, or missing.
const WRONG_LETTER: f32 = 8.0;
/// No spelling dearer than this is kept: the cell is then better called unexplained.
const DEAREST: f32 = 10.0;

/// The marks of a capture inside a move.
const TAKES: [(&str, f32); 5] = [
    ("x", 0.1),
    ("", NO_TAKE),
    (":", 3.0),
    ("X", 4.5),
    ("-", 6.5),
];

/// All spellings of a move in a language, without decorations behind it; none twice, the cheaper kept.
pub fn spellings(shape: &Shape, language: &Language) -> Vec<Spelling> {
    let mut list = List(Vec::with_capacity(128));
    match (shape.castling, shape.role) {
        (Some(side), _) => castling(&mut list, shape, side, language),
        (None, Role::Pawn) => pawn(&mut list, shape, language),
        (None, role) => piece(&mut list, shape, role, language),
    }
    list.finish()
}

#[derive(Default)]
struct List(Vec<Spelling>);

impl List {
    fn add(&mut self, cost: f32, parts: &[&str]) {
        if cost <= DEAREST {
            self.0.push(Spelling {
                text: parts.concat(),
                cost,
            });
        }
    }

    /// Files in upper case cost as much again.
    fn add_with_capitals(&mut self, cost: f32, before: &[&str], coordinates: &str) {
        if cost > DEAREST {
            return;
        }
        let mut text = before.concat();
        let length = text.len();
        text.push_str(coordinates);
        if cost + CAPITAL_FILE <= DEAREST {
            let mut text = text.clone();
            text[length..].make_ascii_uppercase();
            let cost = cost + CAPITAL_FILE;
            self.0.push(Spelling { text, cost });
        }
        self.0.push(Spelling { text, cost });
    }

    fn finish(mut self) -> Vec<Spelling> {
        self.0
            .sort_unstable_by(|a, b| a.text.cmp(&b.text).then(a.cost.total_cmp(&b.cost)));
        self.0.dedup_by(|b, a| a.text == b.text);
        self.0
    }
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
fn letters(role: Role, language: &Language) -> Vec<(String, f32)> {
    let letter = language.letters(role);
    let mut forms = vec![(letter.to_owned(), 0.0)];
    let small = letter.to_lowercase();
    if small != letter {
        // b, c, d, f are files: a small letter there is rather a pawn's.
        let file = small.starts_with(|c| ('a'..='h').contains(&c));
        forms.push((small, SMALL_LETTER + if file { 1.5 } else { 0.0 }));
    }
    forms.extend(figurines(role).map(|c| (c.to_string(), FIGURINE)));
    forms
}

/// Ways to write the pawn where it is written at all.
fn pawn_letters(language: &Language) -> Vec<&'static str> {
    let own = language.letters(Role::Pawn);
    let mut all = vec!["P"];
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
    let long = if shape.disambiguation == Disambiguation::Both {
        0.7
    } else {
        LONG
    };
    for (letter, shy) in letters(role, language) {
        let plain = shy == 0.0;
        for &(take, risk) in &takes {
            for (place, cost) in places {
                if plain || cost < 1.0 {
                    list.add_with_capitals(shy + risk + cost, &[&letter, place, take], &to);
                }
            }
            let dash = if shape.victim.is_none() && take.is_empty() {
                ["", "-"]
            } else {
                ["", ""]
            };
            for dash in dash {
                list.add(shy + risk + long, &[&letter, &from, take, dash, &to]);
                if plain {
                    list.add(risk + LONG + 2.0, &[&from, take, dash, &to]);
                }
            }
            if plain {
                list.add(risk + SWALLOWED, &[&letter, take, &to_rank]);
                list.add(risk + SWALLOWED + 0.5, &[&letter, take, &to_file]);
                for (place, cost) in [(&file, 0.0), (&rank, 1.0)] {
                    list.add(
                        risk + SWALLOWED + 0.5 + cost,
                        &[&letter, place, take, &to_file],
                    );
                }
            }
        }
    }
    let places = places.into_iter().filter(|(_, cost)| *cost < 3.0);
    for (place, cost) in places {
        for letter in [&ANY_LETTER.to_string(), ""] {
            for (take, risk) in takes.iter().filter(|(_, risk)| *risk < 3.0) {
                list.add(WRONG_LETTER + risk + cost, &[letter, place, take, &to]);
            }
        }
    }
    if let Some(victim) = shape.victim {
        let letter = language.letters(role);
        for (take, risk) in [("x", 0.0), (":", 3.0), ("X", 4.0), ("", 3.0)] {
            for taken in victims(victim, language) {
                list.add(MAN_TAKES_MAN + risk, &[letter, take, taken]);
                list.add(MAN_TAKES_MAN + 1.0 + risk, &[letter, take, taken, &to]);
                list.add(MAN_TAKES_MAN + 2.5 + risk, &[letter, &file, take, taken]);
            }
        }
    }
}

fn takes(shape: &Shape) -> Vec<(&'static str, f32)> {
    if shape.victim.is_some() {
        TAKES.to_vec()
    } else {
        vec![("", 0.0), ("x", FALSE_TAKE), (":", FALSE_TAKE + 2.0)]
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
        let mut bare = List::default();
        if shape.victim.is_some() {
            pawn_takes(&mut bare, shape, language);
        } else {
            pawn_moves(&mut bare, shape, language);
        }
        for Spelling { text, cost } in bare.0 {
            list.add(cost + promotion, &[&text, &end]);
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
    list.add_with_capitals(0.0, &[], &to);
    if file == "e" {
        list.add(2.0, &["é", &rank]);
    }
    for dash in ["", "-"] {
        list.add(LONG, &[&from, dash, &to]);
    }
    for letter in pawn_letters(language) {
        list.add(4.0, &[letter, &to]);
        list.add(5.0, &[letter, &from, "-", &to]);
        list.add(6.0, &[letter, &from, &to]);
    }
    list.add(FALSE_TAKE, &["x", &to]);
    list.add(7.0, &[&ANY_PLACE.to_string(), &to]);
    list.add(SWALLOWED + 0.5, &[&rank]);
    list.add(SWALLOWED + 1.0, &[&file]);
}

fn pawn_takes(list: &mut List, shape: &Shape, language: &Language) {
    let (from, to) = (name(shape.from), name(shape.to));
    let (file, _) = place(shape.from);
    let (to_file, to_rank) = place(shape.to);
    let any = ANY_PLACE.to_string();
    for (take, risk) in TAKES {
        list.add_with_capitals(risk, &[], &format!("{file}{take}{to}"));
        list.add(risk + LONG, &[&from, take, &to]);
        list.add(
            risk + 3.0 - if take.is_empty() { 2.0 } else { 0.0 },
            &[&file, take, &to_file],
        );
        list.add(risk + WRONG_PLACE, &[&any, take, &to]);
        list.add(risk + SWALLOWED, &[&file, take, &to_rank]);
        list.add(risk + SWALLOWED + 1.0, &[&from, take, &to_file]);
        if file == "e" {
            list.add(risk + 3.0, &["é", take, &to]);
        }
        if to_file == "e" {
            list.add(risk + 3.0, &[&file, take, "é", &to_rank]);
        }
        if !take.is_empty() {
            list.add(risk + 4.5, &[take, &to]);
            list.add(risk + SWALLOWED + 1.0, &[&file, take]);
        }
        for letter in pawn_letters(language) {
            list.add(risk + 4.5, &[letter, take, &to]);
            list.add(risk + 5.5, &[letter, &from, take, &to]);
        }
    }
    list.add(BARE_TARGET, &[&to]);
    if let Some(victim) = shape.victim {
        for taken in victims(victim, language) {
            for pawn in pawn_letters(language) {
                list.add(MAN_TAKES_MAN, &[pawn, "x", taken]);
                list.add(MAN_TAKES_MAN + 2.0, &[pawn, "x", taken, &to]);
            }
            list.add(4.5, &[&file, "x", taken]);
            list.add(5.0, &[&file, "x", taken, &to]);
            list.add(5.5, &[&file, "x", taken, &to_file]);
        }
    }
}

fn castling(list: &mut List, shape: &Shape, side: CastlingSide, language: &Language) {
    let (own, other) = match side {
        CastlingSide::KingSide => (2, 3),
        CastlingSide::QueenSide => (3, 2),
    };
    for (sign, cost) in [("O", 0.1), ("0", 1.5), ("o", 2.5)] {
        list.add(cost, &[&vec![sign; own].join("-")]);
        list.add(cost + 2.5, &[&sign.repeat(own)]);
        // The hand stops a sign short, or writes one too many.
        list.add(cost + 5.5, &[&vec![sign; other].join("-")]);
    }
    let (from, to) = (name(shape.from), name(shape.to));
    let king = language.letters(Role::King);
    list.add(5.0, &[king, &to]);
    for dash in ["", "-"] {
        list.add(6.0, &[king, &from, dash, &to]);
        list.add(6.5, &[&from, dash, &to]);
    }
}
