//! The languages that players write in, and their letters for the pieces.

use shakmaty::Role;

/// The letters for the pieces in one language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1 code of the language, or of one of several that have the same letters.
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
pub const LANGUAGES: &[Language] = &[
    row("en", &[], ["K", "Q", "R", "B", "N", "P"]),
    row("pt", &[], ["R", "D", "T", "B", "C", "P"]),
    row("it", &["es", "ca"], ["R", "D", "T", "A", "C", "P"]),
    row("fr", &[], ["R", "D", "T", "F", "C", "P"]),
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
    row("tr", &[], ["Ş", "V", "K", "F", "A", "P"]),
    row("az", &[], ["Ş", "V", "T", "F", "A", "P"]),
    row("et", &[], ["K", "L", "V", "O", "R", "E"]),
    row("fo", &[], ["K", "F", "R", "B", "Ri", ""]),
    row("vi", &[], ["V", "H", "X", "T", "M", ""]),
    row("ru", &[], ["Кр", "Ф", "Л", "С", "К", "п"]),
    row("uk", &[], ["Кр", "Ф", "Т", "С", "К", ""]),
    row("bg", &[], ["Ц", "Д", "Т", "О", "К", ""]),
    row("el", &[], ["Ρ", "Β", "Π", "Α", "Ι", ""]),
];

impl Language {
    /// The language with an ISO 639-1 code, or one with the same letters: `es` gives `it`.
    pub fn from_code(code: &str) -> Option<&'static Language> {
        LANGUAGES
            .iter()
            .find(|l| l.code == code || l.also.contains(&code))
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
