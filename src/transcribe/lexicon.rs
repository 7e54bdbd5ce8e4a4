//! What a typed word means on the board: the legal moves that the scan's spellings write so.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use shakmaty::{CastlingSide, Chess, Move, Position, Role};
use smol_str::SmolStr;

use crate::notation::{
    ANY_LETTER, ANY_PLACE, DECORATIONS, Habits, Language, Shape, Spelling, figurines, spellings,
};

use super::kind::{Core, cores, is_file, is_rank, is_take};

/// Meanings dearer than the best by this much, in nats, are not what was typed: between a bare `e5` and the capture
/// `dxe5` lie 5.5, between the pawn's `bxc4` and a small bishop's 6.0, between the rivals of a missing place 0.5.
const WINDOW: f32 = 3.0;

/// Shapes whose spellings are held at a time; a game has some two thousand.
const MOST_SHAPES: usize = 8192;

/// Words whose meaning at move 1 is held.
const MOST_OPENINGS: usize = 8192;

/// A legal move that a word may mean, and the cost of writing it so, in nats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meaning {
    pub m: Move,
    pub cost: f32,
}

/// The spellings of one language, made when first asked for.
#[derive(Debug)]
pub(super) struct Lexicon {
    language: &'static Language,
    forms: HashMap<Shape, Rc<HashMap<SmolStr, f32>>>,
    openings: HashMap<String, Vec<Meaning>>,
}

impl Lexicon {
    pub(super) fn new(language: &'static Language) -> Self {
        Self {
            language,
            forms: HashMap::new(),
            openings: HashMap::new(),
        }
    }

    /// What a word means as the first move of a game.
    pub(super) fn openings(&mut self, word: &str) -> Vec<Meaning> {
        if let Some(known) = self.openings.get(word) {
            return known.clone();
        }
        let meanings = self.meanings(&Chess::default(), word);
        if self.openings.len() == MOST_OPENINGS {
            self.openings.clear();
        }
        self.openings.insert(word.to_owned(), meanings.clone());
        meanings
    }

    /// What a word means in a position, in the order of the legal moves. A wrong place is passed over where it leaves
    /// one move and the word means nothing else.
    pub(super) fn meanings(&mut self, position: &Chess, word: &str) -> Vec<Meaning> {
        let cores = cores(word);
        let legal = position.legal_moves();
        let shapes = Shape::of_all(position, &legal);
        let (mut meanings, mut misplaced) = (Vec::new(), Vec::new());
        for (&m, shape) in legal.iter().zip(&shapes) {
            let forms = self.forms(shape);
            let to_rank = shape.to.rank().char();
            let near = |core: &&Core| core.text.contains(to_rank) || !core.text.contains(is_rank);
            let near = || cores.iter().filter(near);
            let spelled = |core: &Core| forms.get(core.text).map(|cost| cost + finish(core, shape));
            if let Some(cost) = near().filter_map(spelled).min_by(f32::total_cmp) {
                meanings.push(Meaning { m, cost });
            } else if meanings.is_empty() {
                let placed = |core: &Core| Some(elsewhere(core, &forms)? + finish(core, shape));
                let cost = near().filter_map(placed).min_by(f32::total_cmp);
                misplaced.extend(cost.map(|cost| Meaning { m, cost }));
            }
        }
        if meanings.is_empty() && misplaced.len() == 1 {
            return misplaced;
        }
        let best = meanings
            .iter()
            .map(|x| x.cost)
            .fold(f32::INFINITY, f32::min);
        meanings.retain(|x| x.cost <= best + WINDOW);
        meanings
    }

    fn forms(&mut self, shape: &Shape) -> Rc<HashMap<SmolStr, f32>> {
        if let Some(known) = self.forms.get(shape) {
            return Rc::clone(known);
        }
        if self.forms.len() == MOST_SHAPES {
            self.forms.clear();
        }
        let whole = spellings(shape, self.language, &Habits::default())
            .into_iter()
            .filter(|s| is_whole(shape, self.language, s))
            .map(|s| (s.text, s.cost));
        let forms = Rc::new(whole.collect());
        self.forms.insert(*shape, Rc::clone(&forms));
        forms
    }
}

/// The cost of the signs behind a move of this shape.
fn finish(core: &Core, shape: &Shape) -> f32 {
    let cost = |sign: &crate::notation::Decoration| {
        sign.cost(shape.check, shape.victim.is_some(), shape.en_passant)
    };
    match core.signs.as_slice() {
        [] => cost(&DECORATIONS[0]),
        signs => signs.iter().map(|sign| cost(sign)).sum(),
    }
}

/// The cost of a form that names any place, where the word names one.
fn elsewhere(core: &Core, forms: &HashMap<SmolStr, f32>) -> Option<f32> {
    let places = core
        .text
        .char_indices()
        .filter(|(_, c)| is_file(*c) || is_rank(*c));
    let costs = places.filter_map(|(i, c)| {
        let (front, behind) = (&core.text[..i], &core.text[i + c.len_utf8()..]);
        let placed = format!("{front}{ANY_PLACE}{behind}");
        forms.get(placed.as_str()).copied()
    });
    costs.min_by(f32::total_cmp)
}

/// Whether a spelling says which move it is. The scan also knows what a pen swallows or a reader mistakes: the wrong
/// letter, half a square, a sign of castling too few. Who types such a thing has not written that move.
fn is_whole(shape: &Shape, language: &Language, spelling: &Spelling) -> bool {
    let text = spelling.text.as_str();
    if text.contains(ANY_LETTER) {
        return false;
    }
    if let Some(side) = shape.castling {
        let signs = text.chars().filter(|c| "O0o".contains(*c)).count();
        let own = match side {
            CastlingSide::KingSide => 2,
            CastlingSide::QueenSide => 3,
        };
        return signs == own || text.contains(is_rank);
    }
    let target = shape.to.to_string();
    let names_target = |rest: &str| unaccented(rest).to_lowercase().contains(&target);
    if shape.role == Role::Pawn {
        if text.starts_with(ANY_PLACE) && shape.victim.is_none() {
            return false;
        }
        return names_target(text) || (!text.contains(is_rank) && names_capture(text));
    }
    if text.starts_with(&shape.from.to_string()) {
        return names_target(&text[2..]);
    }
    let Some(rest) = behind_the_man(text, shape.role, language) else {
        return false;
    };
    let taken = rest
        .chars()
        .next_back()
        .is_some_and(|c| !is_file(c) || c.is_uppercase());
    names_target(rest) || (!rest.contains(is_rank) && rest.contains(is_take) && taken)
}

fn unaccented(text: &str) -> Cow<'_, str> {
    if text.contains('é') {
        Cow::Owned(text.replace('é', "e"))
    } else {
        Cow::Borrowed(text)
    }
}

/// `ed`, `dxe`, `PxP`; not `ex`.
fn names_capture(text: &str) -> bool {
    text.chars().count() > 1 && !text.ends_with(is_take) && !text.ends_with(ANY_PLACE)
}

fn behind_the_man<'a>(text: &'a str, role: Role, language: &Language) -> Option<&'a str> {
    let letter = language.letters(role);
    let sign = figurines(role).map(String::from);
    [letter, &letter.to_lowercase(), &sign[0], &sign[1]]
        .iter()
        .find_map(|man| text.strip_prefix(*man))
}
