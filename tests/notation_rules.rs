//! The rules of the seeds' notation, each as a case: a text, a position, the move it must mean.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Position};
use sheetscan::notation::{ANY_COORDINATE, Habits, Language, MOVE_SUFFIXES, MoveShape, spellings};

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

/// The move whose spellings hold the text at the least cost, with its decoration.
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
            for decoration in MOVE_SUFFIXES {
                if format!("{}{}", spelling.text, decoration.text) == text {
                    let finish =
                        decoration.cost(shape.check, shape.captured.is_some(), shape.en_passant);
                    if spelling.cost + finish < best.0 {
                        best = (
                            spelling.cost + finish,
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
        $(#[test] fn $name() { $(assert_eq!(meaning($fen, $language, $text), $san, "{} {}", $language, $text);)+ })+
    };
}

/// White to move: castling both ways, captures, a knight pair on b1 and f3 that share d2, a bishop that can take e5.
const MIDDLE: &str = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 6";
/// En passant on d6; dxe5 and exd6 stand open; White's queen may check.
const PASSING: &str = "rnbqkbnr/ppp2ppp/8/3pP3/8/4p3/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
const TAKING: &str = "r1bqkb1r/ppp2ppp/2n5/3np3/2BP4/5N2/PPP2PPP/RNBQK2R w KQkq - 0 6";
const PROMOTING: &str = "1n5k/P7/8/8/8/8/1p6/2R4K w - - 0 1";
const BLACK_PROMOTING: &str = "7k/8/8/8/8/8/1p6/2R4K b - - 0 1";
/// Knights on c3, g3, c1 and g1 all reach e2, so both file and rank are needed; f3 is for one alone.
const KNIGHTS: &str = "7k/8/8/8/8/2N3N1/8/2N3NK w - - 0 1";
/// Knights on d2 and g1, and on b5 and b1, as in the guides.
const PAIRS: &str = "7k/8/8/1N6/8/8/3N4/1N4NK w - - 0 1";

rules! {
    rule_01_national_letters: "", "pt" "Cf3" => "Nf3", "it" "Cf3" => "Nf3", "es" "Cf3" => "Nf3", "de" "Sf3" => "Nf3",
        "nl" "Pf3" => "Nf3", "fi" "Rf3" => "Nf3", "cs" "Jf3" => "Nf3", "pl" "Sf3" => "Nf3", "hu" "Hf3" => "Nf3";
    rule_01_bishops_and_rooks: MIDDLE, "pt" "Bd2" => "Bd2", "it" "Ad2" => "Bd2", "fr" "Fd2" => "Bd2", "pt" "Tg1" => "Rg1", "pt" "De2" => "Qe2";
    rule_02_figurines: "", "pt" "♞f3" => "Nf3", "en" "♘c3" => "Nc3";
    rule_03_pawns_without_letter: "", "en" "e4" => "e4";
    rule_04_p_for_a_pawn: "", "pt" "Pd2-d4" => "d4", "it" "Pd4" => "d4", "de" "Bd4" => "d4";
    rule_05_capital_files: "", "pt" "CF3" => "Nf3", "pt" "E4" => "e4";
    rule_06_capture_x: TAKING, "en" "Bxd5" => "Bxd5", "pt" "BXd5" => "Bxd5", "en" "dxe5" => "dxe5", "en" "dXe5" => "dxe5";
    rule_07_colon: TAKING, "it" "A:d5" => "Bxd5", "it" "d:e5" => "dxe5", "it" "Ad5:" => "Bxd5", "de" "de5:" => "dxe5";
    rule_08_pawn_capture: TAKING, "pt" "dxe5" => "dxe5";
    rule_09_en_passant: PASSING, "pt" "exd6e.p." => "exd6", "it" "exd6ep" => "exd6", "it" "exd6" => "exd6";
    rule_10_disambiguation: KNIGHTS, "pt" "Cc3e2" => "Nc3e2", "en" "Ng1e2" => "Ng1e2";
    rule_10_file_or_rank: PAIRS, "pt" "Cgf3" => "Ngf3", "it" "C5c3" => "N5c3", "pt" "Cg1f3" => "Ngf3", "en" "N1f3" => "Ngf3";
    rule_11_promotion_behind: PROMOTING, "pt" "a8D" => "a8=Q", "pt" "a8C" => "a8=N", "pt" "axb8T" => "axb8=R";
    rule_11_black_promotes: BLACK_PROMOTING, "it" "bxc1A" => "bxc1=B", "pt" "b1D" => "b1=Q";
    rule_12_promotion_with_sign: PROMOTING, "it" "a8=D" => "a8=Q", "it" "a7-a8=D" => "a8=Q", "en" "a8=Q" => "a8=Q", "en" "a8(Q)" => "a8=Q", "en" "a8/Q" => "a8=Q", "en" "a8" => "a8=Q";
    rule_13_castling: MIDDLE, "pt" "0-0" => "O-O", "it" "O-O" => "O-O", "it" "o-o" => "O-O", "en" "00" => "O-O", "en" "OO" => "O-O";
    rule_14_castling_as_a_kings_move: MIDDLE, "en" "Kg1" => "O-O", "it" "Rg1" => "O-O", "it" "Tg1" => "Rg1", "de" "Kg1" => "O-O";
    rule_15_check: PASSING, "en" "Qh5+" => "Qh5", "pt" "Dh5" => "Qh5";
    rule_16_mate_signs: MIDDLE, "en" "Bxf7++" => "Bxf7", "en" "Bxf7#" => "Bxf7", "en" "Bxf7mate" => "Bxf7";
    rule_18_draw_offer: "", "en" "e4(=)" => "e4";
    rule_19_result_behind_the_move: "", "it" "e4abb." => "e4", "it" "e41-0" => "e4";
    rule_20_judgements: "", "en" "e4!" => "e4", "en" "e4?!" => "e4", "en" "Nf3??" => "Nf3";
    rule_21_long_form: "", "pt" "Cg1-f3" => "Nf3", "pt" "e2-e4" => "e4", "en" "e2e4" => "e4", "en" "Ng1f3" => "Nf3";
    rule_21_long_captures: TAKING, "pt" "Bc4xd5" => "Bxd5", "it" "Ac4:d5" => "Bxd5", "pt" "d4xe5" => "dxe5";
    short_pawn_captures: TAKING, "en" "de" => "dxe5", "en" "dxe" => "dxe5", "en" "de5" => "dxe5", "en" "e5" => "dxe5";
    man_takes_man: TAKING, "en" "BxN" => "Bxd5", "en" "NxP" => "Nxe5", "en" "PxP" => "dxe5", "pt" "BxC" => "Bxd5", "pt" "BxCd5" => "Bxd5";
    missing_place: KNIGHTS, "en" "Nf3" => "Nf3", "en" "Nh3" => "Nh3", "en" "Nb3" => "Nb3";
    small_letters: "", "en" "nf3" => "Nf3";
}

/// Rule 14 in Portuguese: from e1 the king's R g1 is castling where no rook can go to g1.
#[test]
fn rule_14_pt_king() {
    assert_eq!(
        meaning("4k3/8/8/8/8/8/7P/4K2R w K - 0 1", "pt", "Rf1"),
        "Kf1"
    );
    assert_eq!(
        meaning("4k3/8/8/8/8/8/6PP/4KB1R b K - 0 1", "pt", "Rd8"),
        "Kd8"
    );
}

/// Rule 17: ++ is the board's business: the sign stands behind a double check as behind a mate, and proves neither.
#[test]
fn rule_17_plus_plus_is_no_table() {
    let sign = MOVE_SUFFIXES.iter().find(|d| d.text == "++").unwrap();
    assert!(sign.cost(true, false, false) < sign.cost(false, false, false));
}

#[test]
fn languages_differ_where_they_should() {
    let bishop = |code: &str| {
        Language::from_code(code)
            .unwrap()
            .letters(shakmaty::Role::Bishop)
    };
    assert_eq!((bishop("en"), bishop("pt"), bishop("it")), ("B", "B", "A"));
    assert_eq!(bishop("es"), bishop("ca"));
    assert!(Language::from_code("lv").is_none());
}
