//! The languages that players write in, and their letters for the pieces.

use std::sync::{Mutex, PoisonError};

use deunicode::deunicode_char;
use shakmaty::Role;

/// The pieces in the order in which the letters of a language are given.
const LETTER_ORDER: [Role; 5] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
];

/// The letters for the pieces in one language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1 code of the language, or of one of several that have the same letters. Letters
    /// that a person has given stand here themselves, as in `MDTOK`.
    pub code: &'static str,
    /// ISO 639-1 codes of the other languages that have the same letters.
    pub also: &'static [&'static str],
    king: &'static str,
    queen: &'static str,
    rook: &'static str,
    bishop: &'static str,
    knight: &'static str,
    pawn: &'static str,
}

/// A language by its codes and its letters for king, queen, rook, bishop, knight and pawn.
const fn row(
    code: &'static str,
    also: &'static [&'static str],
    letters: [&'static str; 6],
) -> Language {
    let [king, queen, rook, bishop, knight, pawn] = letters;
    Language {
        code,
        also,
        king,
        queen,
        rook,
        bishop,
        knight,
        pawn,
    }
}

/// The languages whose letters are known with high or medium certainty, likelier ones first. Where
/// two explain a text equally well, the first is taken. English is the first because its letters
/// are used in all countries.
///
/// Where a row was added with its source, the comment above it has it. "Rehder" is Elke Rehder,
/// Names of Chess Pieces in International Languages; "PGN" is the standard of PGN, section 17;
/// "Wikipedia" is the article on algebraic notation in that language.
pub const LANGUAGES: &[Language] = &[
    row("en", &[], ["K", "Q", "R", "B", "N", "P"]),
    row("pt", &[], ["R", "D", "T", "B", "C", "P"]),
    // Italian and Spanish: PGN. Catalan: Rehder. Galician: Wikipedia.
    row("it", &["es", "ca", "gl"], ["R", "D", "T", "A", "C", "P"]),
    row("fr", &[], ["R", "D", "T", "F", "C", "P"]),
    // Slovenian: Wikipedia.
    row(
        "de",
        &["sv", "no", "da", "hr", "sr", "sl"],
        ["K", "D", "T", "L", "S", "B"],
    ),
    row("nl", &[], ["K", "D", "T", "L", "P", "p"]),
    row("fi", &[], ["K", "D", "T", "L", "R", "S"]),
    row("is", &[], ["K", "D", "H", "B", "R", "P"]),
    row("cs", &["sk"], ["K", "D", "V", "S", "J", "P"]),
    row("pl", &[], ["K", "H", "W", "G", "S", "P"]),
    row("hu", &[], ["K", "V", "B", "F", "H", "G"]),
    // Romanian: PGN.
    row("ro", &[], ["R", "D", "T", "N", "C", "P"]),
    // Turkish: şah, vezir, kale, fil, at and piyon.
    row("tr", &[], ["Ş", "V", "K", "F", "A", "P"]),
    row("az", &[], ["Ş", "V", "T", "F", "A", "P"]),
    row("et", &[], ["K", "L", "V", "O", "R", "E"]),
    // Latvian: karalis, dāma, tornis, laidnis, zirgs and bandinieks; Rehder.
    row("lv", &[], ["K", "D", "T", "L", "Z", "B"]),
    // Lithuanian: the rules of the club A64 (a64.puslapiai.lt/taisykles.htm); Rehder.
    row("lt", &[], ["K", "V", "B", "R", "Ž", "P"]),
    // Indonesian: raja, menteri, benteng, gajah and kuda; belajarcatur.blogspot.com; Rehder.
    row("id", &[], ["R", "M", "B", "G", "K", "P"]),
    // Basque: erregea, dama, gaztelua, alfila, zalduna and peoia, as Basque Wikipedia names them.
    row("eu", &[], ["E", "D", "G", "A", "Z", "P"]),
    // Irish: rí, banríon, caiseal, easpag and ridire, the third letter of which is D; Rehder.
    row("ga", &[], ["R", "B", "C", "E", "D", ""]),
    // Esperanto: reĝo, damo, turo, kuriero, ĉevalo; the table of the Galician Wikipedia.
    row("eo", &[], ["R", "D", "T", "K", "Ĉ", "P"]),
    row("fo", &[], ["K", "F", "R", "B", "Ri", ""]),
    row("vi", &[], ["V", "H", "X", "T", "M", ""]),
    row("ru", &[], ["Кр", "Ф", "Л", "С", "К", "п"]),
    row("uk", &[], ["Кр", "Ф", "Т", "С", "К", ""]),
    row("bg", &[], ["Ц", "Д", "Т", "О", "К", ""]),
    row("el", &[], ["Ρ", "Β", "Π", "Α", "Ι", ""]),
];

/// Letters that stand for a piece in some language and for none in the texts that the reader was
/// trained on, each with the characters that it reads in their place and the costs of these in
/// nats: about `-ln` of how often it does, lower for T, F and f in place of Z, so that Latvian is
/// told from Finnish. Of 176 rendered Z it read 8 as Z, of 33 M none, of 47 E one.
const UNTAUGHT_LETTERS: [(&str, &[(&str, f32)]); 3] = [
    (
        "Z",
        &[
            ("R", 1.0),
            ("L", 1.5),
            ("T", 1.5),
            ("F", 2.0),
            ("f", 2.0),
            ("S", 3.0),
        ],
    ),
    ("M", &[("N", 0.5), ("H", 1.0)]),
    (
        "E",
        &[
            ("C", 1.0),
            ("F", 1.0),
            ("T", 3.0),
            ("c", 3.0),
            ("e", 3.0),
            ("f", 3.0),
        ],
    ),
];

/// Why a text gives no letters.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LettersError {
    /// There are more or fewer than five.
    #[error(
        "{0} pieces; give those of king, queen, rook, bishop and knight, as in RDTBC, or with \
         commas where a piece has two letters, as in K,F,R,B,Ri"
    )]
    Count(usize),
    /// One of them does not begin with a capital letter.
    #[error("`{0}` does not begin with a capital letter")]
    NoCapital(String),
    /// Two pieces have the same letters.
    #[error("`{0}` stands for two pieces")]
    Twice(String),
}

/// The alphabets that persons have given in this process.
static GIVEN_ALPHABETS: Mutex<Vec<&'static Language>> = Mutex::new(Vec::new());

impl Language {
    /// The language in which king, queen, rook, bishop and knight have these letters: `RDTBC`, or
    /// `K,F,R,B,Ri` where one has several. It is that of [`LANGUAGES`] where there is one, else a
    /// new one without a letter for the pawn, which lives as long as the process.
    ///
    /// # Errors
    /// [`LettersError`] if these are not five different pieces.
    pub fn from_letters(text: &str) -> Result<&'static Language, LettersError> {
        let pieces: Vec<String> = if text.contains(',') {
            text.split(',')
                .map(|piece| piece.trim().to_owned())
                .collect()
        } else {
            text.chars().map(String::from).collect()
        };
        if pieces.len() != LETTER_ORDER.len() {
            return Err(LettersError::Count(pieces.len()));
        }
        for (i, piece) in pieces.iter().enumerate() {
            if !piece.starts_with(char::is_uppercase) {
                return Err(LettersError::NoCapital(piece.clone()));
            }
            if pieces[..i].contains(piece) {
                return Err(LettersError::Twice(piece.clone()));
            }
        }
        let is_meant = |language: &&'static Language| {
            let mut letters = LETTER_ORDER.iter().zip(&pieces);
            letters.all(|(&role, piece)| language.letters(role) == piece)
        };
        let mut given = GIVEN_ALPHABETS
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = LANGUAGES.iter().find(is_meant);
        Ok(known
            .or_else(|| given.iter().copied().find(is_meant))
            .unwrap_or_else(|| {
                let [king, queen, rook, bishop, knight] = [0, 1, 2, 3, 4].map(|i| leak(&pieces[i]));
                let letters = [king, queen, rook, bishop, knight, ""];
                let language: &'static Language =
                    Box::leak(Box::new(row(leak(text), &[], letters)));
                given.push(language);
                language
            }))
    }

    /// The language of a game's sheet by its code: of `en+tr`, where two are mixed, the first; of
    /// the letters themselves where a person has given them.
    pub fn of_sheet(code: &str) -> Option<&'static Language> {
        let first = code.split('+').next()?;
        Self::from_code(first).or_else(|| Self::from_letters(first).ok())
    }

    /// The language with an ISO 639-1 code, or one with the same letters: `es` gives `it`.
    pub fn from_code(code: &str) -> Option<&'static Language> {
        LANGUAGES
            .iter()
            .find(|l| l.code == code || l.also.contains(&code))
    }

    /// The letters of king, queen, rook, bishop and knight, as `RDTBC` in Portuguese.
    pub fn piece_letters(&self) -> String {
        LETTER_ORDER.map(|role| self.letters(role)).concat()
    }

    /// The letter or letters of a piece or pawn; empty where the language has none for the pawn.
    pub fn letters(&self, role: Role) -> &'static str {
        match role {
            Role::King => self.king,
            Role::Queen => self.queen,
            Role::Rook => self.rook,
            Role::Bishop => self.bishop,
            Role::Knight => self.knight,
            Role::Pawn => self.pawn,
        }
    }

    /// The first letter of a piece that cannot be written with the characters of an alphabet, not
    /// even without its mark.
    pub fn letter_outside(&self, alphabet: &[char]) -> Option<&'static str> {
        let is_known = |form: &str| form.chars().all(|c| alphabet.contains(&c));
        let mut pieces = LETTER_ORDER.into_iter();
        let piece = pieces.find(|&role| !self.forms(role).any(is_known))?;
        Some(self.letters(piece))
    }

    /// How a piece or pawn is written: its letters, and where that is one letter with a mark, such
    /// as Ž, the letter without it, unless another piece has that. Many write no marks, and the
    /// reader knows few of them. Empty where the language has no letter for the pawn.
    pub fn forms(&self, role: Role) -> impl Iterator<Item = &'static str> + use<> {
        let letters = self.letters(role);
        let plain = plain_form(letters)
            .filter(|plain| Role::ALL.iter().all(|&other| self.letters(other) != *plain));
        let letters = Some(letters).filter(|letters| !letters.is_empty());
        letters.into_iter().chain(plain)
    }

    /// What the reader reads in place of a piece's letter if it was never taught that letter, each
    /// with its cost in nats.
    pub(crate) fn misreadings(&self, role: Role) -> impl Iterator<Item = (&'static str, f32)> {
        let of_form = |form| UNTAUGHT_LETTERS.iter().find(|(letter, _)| *letter == form);
        let untaught = self.forms(role).find_map(of_form);
        untaught.map_or(&[][..], |(_, read)| *read).iter().copied()
    }
}

/// A Latin letter without its mark: `Z` for `Ž`; none for a letter that has none.
fn plain_form(letters: &str) -> Option<&'static str> {
    let mut chars = letters.chars();
    let (letter, None) = (chars.next()?, chars.next()) else {
        return None;
    };
    let is_marked_latin = ('\u{c0}'..='\u{24f}').contains(&letter);
    is_marked_latin.then(|| deunicode_char(letter))?
}

/// A copy of a text that lives as long as the process.
fn leak(text: &str) -> &'static str {
    Box::leak(Box::from(text))
}

/// The figurines of a piece or pawn, the white one first.
pub const fn figurines(role: Role) -> [char; 2] {
    match role {
        Role::King => ['♔', '♚'],
        Role::Queen => ['♕', '♛'],
        Role::Rook => ['♖', '♜'],
        Role::Bishop => ['♗', '♝'],
        Role::Knight => ['♘', '♞'],
        Role::Pawn => ['♙', '♟'],
    }
}
