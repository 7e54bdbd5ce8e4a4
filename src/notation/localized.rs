//! SAN with the piece letters of a language.

use shakmaty::Role;

use super::Language;

/// A move in SAN with the letters of a language in place of the English ones, as in `Cf3` for `Nf3`
/// in Portuguese.
///
/// ```
/// use sheetscan::notation::{Language, localize_san};
///
/// let portuguese = Language::from_code("pt").expect("a language of the table");
/// assert_eq!(localize_san("Nbxd2+", portuguese), "Cbxd2+");
/// assert_eq!(localize_san("exd8=Q#", portuguese), "exd8=D#");
/// assert_eq!(localize_san("O-O", portuguese), "O-O");
/// ```
pub fn localize_san(san: &str, language: &Language) -> String {
    let letter = |c: char| {
        let role = match c {
            'K' => Role::King,
            'Q' => Role::Queen,
            'R' => Role::Rook,
            'B' => Role::Bishop,
            'N' => Role::Knight,
            _ => return c.to_string(),
        };
        language.letters(role).to_owned()
    };
    san.chars().map(letter).collect()
}
