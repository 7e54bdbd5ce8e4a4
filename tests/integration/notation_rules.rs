//! The rules of notation that the guides of the federations teach, numbered as in the guides: a
//! position, a text, and the move that it must mean.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Position, Role};
use sheetscan::notation::{
    ANY_COORDINATE, Habits, Language, LettersError, MOVE_SUFFIXES, MoveShape, spellings,
};

/// The position of a FEN; the initial position for an empty one.
fn position(fen: &str) -> Chess {
    match fen {
        "" => Chess::default(),
        _ => fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap(),
    }
}

/// The SAN of the legal move that the text costs least to write for, suffixes included; empty where
/// it is a spelling of none.
fn meaning(fen: &str, language: &str, text: &str) -> String {
    let position = position(fen);
    let moves = position.legal_moves();
    let shapes = MoveShape::for_moves(&position, &moves);
    let language = Language::from_code(language).unwrap();
    let mut best = (f32::INFINITY, String::new());
    for (m, shape) in moves.iter().zip(&shapes) {
        for spelling in spellings(shape, language, &Habits::default())
            .iter()
            .filter(|s| !s.text.contains(ANY_COORDINATE))
        {
            for suffix in MOVE_SUFFIXES {
                if format!("{}{}", spelling.text, suffix.text) == text {
                    let suffix_cost =
                        suffix.cost(shape.check, shape.captured.is_some(), shape.en_passant);
                    if spelling.cost + suffix_cost < best.0 {
                        best = (
                            spelling.cost + suffix_cost,
                            San::from_move(&position, *m).to_string(),
                        );
                    }
                }
            }
        }
    }
    best.1
}

macro_rules! rules {
    ($($name:ident: $fen:expr, $($language:literal $text:literal => $san:literal),+;)+) => {
        $(
            #[test]
            fn $name() {
                $(
                    let meant = meaning($fen, $language, $text);
                    assert_eq!(meant, $san, "{} {}", $language, $text);
                )+
            }
        )+
    };
}

/// White can castle king side and capture f7 with the bishop.
const CASTLING: &str = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 6";
/// White can capture en passant on d6.
const EN_PASSANT: &str = "rnbqkbnr/ppp2ppp/8/3pP3/8/4p3/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
/// White's queen can give check on h5.
const CHECK: &str = "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
/// White's knight on e4 can give double check, together with the rook on e1.
const DOUBLE_CHECK: &str = "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1";
/// White can capture the knight on d5 with the bishop, and the pawn on e5 with a pawn or a knight.
const CAPTURES: &str = "r1bqkb1r/ppp2ppp/2n5/3np3/2BP4/5N2/PPP2PPP/RNBQK2R w KQkq - 0 6";
/// White's pawn can promote on a8, and on b8 by a capture.
const PROMOTION: &str = "1n5k/P7/8/8/8/8/1p6/2R4K w - - 0 1";
/// Black's pawn can promote on b1, and on c1 by a capture.
const BLACK_PROMOTION: &str = "7k/8/8/8/8/8/1p6/2R4K b - - 0 1";
/// White's knights on c3, g3, c1 and g1 can all go to e2, so that SAN needs file and rank.
const FOUR_KNIGHTS: &str = "7k/8/8/8/8/2N3N1/8/2N3NK w - - 0 1";
/// Two pairs of knights that share a target square, as in the guides: d2 and g1, b5 and b1.
const KNIGHT_PAIRS: &str = "7k/8/8/1N6/8/8/3N4/1N4NK w - - 0 1";

rules! {
    rule_01_national_letters: "",
        "pt" "Cf3" => "Nf3", "it" "Cf3" => "Nf3", "es" "Cf3" => "Nf3", "de" "Sf3" => "Nf3",
        "nl" "Pf3" => "Nf3", "fi" "Rf3" => "Nf3", "cs" "Jf3" => "Nf3", "pl" "Sf3" => "Nf3",
        "hu" "Hf3" => "Nf3", "tr" "Af3" => "Nf3", "ca" "Cf3" => "Nf3", "gl" "Cf3" => "Nf3",
        "sl" "Sf3" => "Nf3", "ro" "Cf3" => "Nf3", "lv" "Zf3" => "Nf3", "lt" "Žf3" => "Nf3",
        "id" "Kf3" => "Nf3", "eu" "Zf3" => "Nf3", "ga" "Df3" => "Nf3", "eo" "Ĉf3" => "Nf3";
    rule_01_letters_without_their_marks: "",
        "lt" "Zf3" => "Nf3", "eo" "Cf3" => "Nf3";
    rule_01_king_without_its_cedilla: CASTLING, "tr" "Şd2" => "Kd2", "tr" "Sd2" => "Kd2";
    rule_01_more_bishops: CASTLING,
        "ro" "Nd2" => "Bd2", "lv" "Ld2" => "Bd2", "lt" "Rd2" => "Bd2", "id" "Gd2" => "Bd2",
        "eu" "Ad2" => "Bd2", "ga" "Ed2" => "Bd2", "eo" "Kd2" => "Bd2", "gl" "Ad2" => "Bd2";
    rule_01_more_queens: CASTLING,
        "ro" "De2" => "Qe2", "lv" "De2" => "Qe2", "lt" "Ve2" => "Qe2", "id" "Me2" => "Qe2",
        "eu" "De2" => "Qe2", "ga" "Be2" => "Qe2", "eo" "De2" => "Qe2";
    rule_01_bishops_and_rooks: CASTLING,
        "pt" "Bd2" => "Bd2", "it" "Ad2" => "Bd2", "fr" "Fd2" => "Bd2", "pt" "Tg1" => "Rg1",
        "pt" "De2" => "Qe2";
    rule_02_figurines: "", "pt" "♞f3" => "Nf3", "en" "♘c3" => "Nc3";
    rule_03_pawns_without_letter: "", "en" "e4" => "e4";
    rule_04_p_for_a_pawn: "", "pt" "Pd2-d4" => "d4", "it" "Pd4" => "d4", "de" "Bd4" => "d4";
    rule_05_capital_files: "", "pt" "CF3" => "Nf3", "pt" "E4" => "e4";
    rule_06_capture_x: CAPTURES,
        "en" "Bxd5" => "Bxd5", "pt" "BXd5" => "Bxd5", "en" "dxe5" => "dxe5", "en" "dXe5" => "dxe5";
    rule_07_colon: CAPTURES,
        "it" "A:d5" => "Bxd5", "it" "d:e5" => "dxe5", "it" "Ad5:" => "Bxd5", "de" "de5:" => "dxe5";
    rule_08_pawn_capture: CAPTURES, "pt" "dxe5" => "dxe5";
    rule_09_en_passant: EN_PASSANT,
        "pt" "exd6e.p." => "exd6", "it" "exd6ep" => "exd6", "it" "exd6" => "exd6";
    rule_10_file_and_rank: FOUR_KNIGHTS, "pt" "Cc3e2" => "Nc3e2", "en" "Ng1e2" => "Ng1e2";
    rule_10_file_or_rank: KNIGHT_PAIRS,
        "pt" "Cgf3" => "Ngf3", "it" "C5c3" => "N5c3", "pt" "Cg1f3" => "Ngf3", "en" "N1f3" => "Ngf3";
    rule_11_promotion_behind: PROMOTION,
        "pt" "a8D" => "a8=Q", "pt" "a8C" => "a8=N", "pt" "axb8T" => "axb8=R";
    rule_11_black_promotes: BLACK_PROMOTION, "it" "bxc1A" => "bxc1=B", "pt" "b1D" => "b1=Q";
    rule_12_promotion_with_sign: PROMOTION,
        "it" "a8=D" => "a8=Q", "it" "a7-a8=D" => "a8=Q", "en" "a8=Q" => "a8=Q",
        "en" "a8(Q)" => "a8=Q", "en" "a8/Q" => "a8=Q", "en" "a8" => "a8=Q";
    rule_13_castling: CASTLING,
        "pt" "0-0" => "O-O", "it" "O-O" => "O-O", "it" "o-o" => "O-O", "en" "00" => "O-O",
        "en" "OO" => "O-O";
    rule_14_castling_as_a_kings_move: CASTLING,
        "en" "Kg1" => "O-O", "it" "Rg1" => "O-O", "it" "Tg1" => "Rg1", "de" "Kg1" => "O-O";
    rule_15_check: CHECK, "en" "Qh5+" => "Qh5", "pt" "Dh5" => "Qh5";
    rule_16_mate_signs: CASTLING,
        "en" "Bxf7++" => "Bxf7", "en" "Bxf7#" => "Bxf7", "en" "Bxf7mate" => "Bxf7";
    rule_17_double_check: DOUBLE_CHECK, "en" "Nf6++" => "Nf6", "pt" "Cd6++" => "Nd6";
    rule_18_draw_offer: "", "en" "e4(=)" => "e4";
    rule_19_result_behind_the_move: "", "it" "e4abb." => "e4", "it" "e41-0" => "e4";
    rule_20_judgements: "", "en" "e4!" => "e4", "en" "e4?!" => "e4", "en" "Nf3??" => "Nf3";
    rule_21_long_form: "",
        "pt" "Cg1-f3" => "Nf3", "pt" "e2-e4" => "e4", "en" "e2e4" => "e4", "en" "Ng1f3" => "Nf3";
    rule_21_long_captures: CAPTURES,
        "pt" "Bc4xd5" => "Bxd5", "it" "Ac4:d5" => "Bxd5", "pt" "d4xe5" => "dxe5";
    short_pawn_captures: CAPTURES,
        "en" "de" => "dxe5", "en" "dxe" => "dxe5", "en" "de5" => "dxe5", "en" "e5" => "dxe5";
    piece_takes_piece: CAPTURES,
        "en" "BxN" => "Bxd5", "en" "NxP" => "Nxe5", "en" "PxP" => "dxe5", "pt" "BxC" => "Bxd5",
        "pt" "BxCd5" => "Bxd5";
    lowercase_letters: "", "en" "nf3" => "Nf3";
}

#[test]
fn a_missing_disambiguation_can_mean_each_of_the_pieces() {
    let position = position(FOUR_KNIGHTS);
    let moves = position.legal_moves();
    let shapes = MoveShape::for_moves(&position, &moves);
    let english = Language::from_code("en").unwrap();
    let mut meant: Vec<String> = moves
        .iter()
        .zip(&shapes)
        .filter(|(_, shape)| {
            let spellings = spellings(shape, english, &Habits::default());
            spellings.iter().any(|spelling| spelling.text == "Ne2")
        })
        .map(|(m, _)| San::from_move(&position, *m).to_string())
        .collect();
    meant.sort();
    assert_eq!(meant, ["Nc1e2", "Nc3e2", "Ng1e2", "Ng3e2"]);
}

/// R is the king's letter in Portuguese, so that rule 14 must not make castling of every move by R.
#[test]
fn rule_14_r_is_the_king_in_portuguese() {
    assert_eq!(
        meaning("4k3/8/8/8/8/8/7P/4K2R w K - 0 1", "pt", "Rf1"),
        "Kf1"
    );
    assert_eq!(
        meaning("4k3/8/8/8/8/8/6PP/4KB1R b K - 0 1", "pt", "Rd8"),
        "Kd8"
    );
}

#[test]
fn a_code_gives_the_letters_of_its_language() {
    let bishop = |code: &str| {
        Language::from_code(code)
            .unwrap()
            .letters(shakmaty::Role::Bishop)
    };
    assert_eq!((bishop("en"), bishop("pt"), bishop("it")), ("B", "B", "A"));
    assert_eq!(bishop("es"), bishop("ca"));
    assert!(Language::from_code("xx").is_none());
}

/// Albanian: mbreti, dama, topi, oficeri, kali.
#[test]
fn letters_of_any_other_alphabet_can_be_given() {
    let letters = |text: &str| {
        let language = Language::from_letters(text).unwrap();
        [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
        ]
        .map(|role| language.letters(role))
    };
    assert_eq!(letters("MDTOK"), ["M", "D", "T", "O", "K"]);
    assert_eq!(letters("K, F, R, B, Ri"), ["K", "F", "R", "B", "Ri"]);
    let code = |text: &str| Language::from_letters(text).unwrap().code;
    assert_eq!(code("RDTBC"), "pt");
    assert_eq!(code("MDTOK"), "MDTOK");
    assert!(std::ptr::eq(
        Language::from_letters("MDTOK").unwrap(),
        Language::from_letters("MDTOK").unwrap()
    ));
}

#[test]
fn letters_that_are_not_those_of_five_pieces_are_refused() {
    let error = |text: &str| Language::from_letters(text).unwrap_err();
    assert_eq!(error("MDTO"), LettersError::Count(4));
    assert_eq!(error("K,F,R,B"), LettersError::Count(4));
    assert_eq!(error("mDTOK"), LettersError::NoCapital("m".to_owned()));
    assert_eq!(error("MDTOO"), LettersError::Twice("O".to_owned()));
}
