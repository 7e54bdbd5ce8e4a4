//! How moves in descriptive notation, which sheetscan does not read, are recognised.

use super::square::is_rank;

/// Names of pieces, pawns and files in English descriptive notation.
const ENGLISH_NAMES: [&str; 24] = [
    "K", "Q", "R", "B", "N", "Kt", "P", "QR", "QB", "QN", "QKt", "KR", "KB", "KN", "KKt", "QP",
    "KP", "QRP", "QBP", "QNP", "KRP", "KBP", "KNP", "BP",
];

/// Pieces and pawns in Spanish, Portuguese, Italian and French descriptive notation.
const ROMANCE_PIECES: &str = "PCATDRBF";

/// Whether a word is a move in descriptive notation: English `P-K4`, `Kt-KB3` and `QxKBP`; Spanish,
/// Portuguese, Italian and French `P4R` and `C3AR`.
pub(super) fn is_descriptive(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '!', '?', '.', '#', '\'', ')']);
    let word = ["ch", "mate", "e.p"]
        .iter()
        .find_map(|suffix| word.strip_suffix(suffix))
        .unwrap_or(word);
    let is_english = |name: &str| ENGLISH_NAMES.contains(&name);
    if let Some((piece, square)) = word.split_once('-')
        && let Some(file) = square.strip_suffix(is_rank)
    {
        return is_english(piece) && is_english(file);
    }
    if let Some((piece, captured)) = word.split_once('x') {
        let has_long_name = piece.len() > 1 || captured.len() > 1;
        return has_long_name && is_english(piece) && is_english(captured);
    }
    let chars: Vec<char> = word.chars().collect();
    match chars[..] {
        [piece, rank, file] => {
            ROMANCE_PIECES.contains(piece) && is_rank(rank) && "TCABFDR".contains(file)
        }
        [piece, rank, file, wing] => {
            ROMANCE_PIECES.contains(piece)
                && is_rank(rank)
                && "TCABF".contains(file)
                && "RD".contains(wing)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_descriptive;

    #[test]
    fn descriptive_moves_are_told_from_algebraic_ones() {
        for word in ["P-K4", "Kt-KB3", "QxKBP", "P4R", "C3AR", "N-B3ch"] {
            assert!(is_descriptive(word), "{word}");
        }
        for word in ["e4", "Nf3", "QxP", "O-O", "a8D", "e2-e4"] {
            assert!(!is_descriptive(word), "{word}");
        }
    }
}
