//! Writes the features of every legal move in a file of games, for `models/train/fit_prior.py`.
//!
//! `prior_features OUT < GAMES.pgn` reads games whose moves stand in one line each, and writes
//! three files of little-endian integers:
//!
//! - OUT.pos, a record a position: game u32, ply u16, number of legal moves u8, index of the played
//!   move u8, book key u32;
//! - OUT.moves, a record a legal move: book id u16, number of features u16;
//! - OUT.features, the features of all moves: the index of each as u16.

use std::fs::File;
use std::io::{BufRead, BufWriter, Write, stdin};

use shakmaty::san::San;
use shakmaty::{Chess, Position};
use sheetscan::prior::{FeatureExtractor, LastMoves, book_key, book_move_id};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args()
        .nth(1)
        .ok_or("usage: prior_features OUT < GAMES.pgn")?;
    let create = |extension: &str| File::create(format!("{out}.{extension}")).map(BufWriter::new);
    let (mut positions, mut moves_out, mut features_out) =
        (create("pos")?, create("moves")?, create("features")?);
    let mut features: Vec<u16> = Vec::new();
    let mut game = 0u32;
    for line in stdin().lock().lines() {
        let line = line?;
        if line.is_empty() || line.starts_with('[') {
            continue;
        }
        let mut position = Chess::default();
        let mut last_moves = LastMoves::default();
        for (ply, san) in line
            .split_whitespace()
            .filter_map(|token| token.parse::<San>().ok())
            .enumerate()
        {
            let Ok(played) = san.to_move(&position) else {
                break;
            };
            let moves = position.legal_moves();
            let index = moves.iter().position(|&m| m == played).unwrap_or(0);
            let extractor = FeatureExtractor::new(&position, last_moves);
            positions.write_all(&game.to_le_bytes())?;
            positions.write_all(&(ply as u16).to_le_bytes())?;
            positions.write_all(&[moves.len() as u8, index as u8])?;
            positions.write_all(&book_key(&position).to_le_bytes())?;
            for &m in &moves {
                features.clear();
                extractor.visit_features(m, |feature| features.push(feature as u16));
                moves_out.write_all(&book_move_id(m).to_le_bytes())?;
                moves_out.write_all(&(features.len() as u16).to_le_bytes())?;
                for f in &features {
                    features_out.write_all(&f.to_le_bytes())?;
                }
            }
            last_moves = last_moves.after(played);
            position.play_unchecked(played);
        }
        game += 1;
    }
    Ok(())
}
