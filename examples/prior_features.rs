//! Features of every legal move in a file of games, for `models/train/fit_prior.py`.
//!
//! `prior_features OUT < GAMES.pgn` writes OUT.pos (a record a position: game u32, ply u16, moves u8, played u8,
//! book key u32), OUT.moves (a record a move: book name u16, number of features u16) and OUT.features (u16 each).

use std::fs::File;
use std::io::{BufRead, BufWriter, Write, stdin};

use shakmaty::san::San;
use shakmaty::{Chess, Position};
use sheetscan::prior::{Context, Scene, book_key, book_move};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args()
        .nth(1)
        .ok_or("usage: prior_features OUT < GAMES.pgn")?;
    let open = |end: &str| File::create(format!("{out}.{end}")).map(BufWriter::new);
    let (mut positions, mut moves_out, mut features_out) =
        (open("pos")?, open("moves")?, open("features")?);
    let mut features = Vec::new();
    let mut game = 0u32;
    for line in stdin().lock().lines() {
        let line = line?;
        if line.is_empty() || line.starts_with('[') {
            continue;
        }
        let mut position = Chess::default();
        let mut context = Context::default();
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
            let scene = Scene::new(&position, context);
            positions.write_all(&game.to_le_bytes())?;
            positions.write_all(&(ply as u16).to_le_bytes())?;
            positions.write_all(&[moves.len() as u8, index as u8])?;
            positions.write_all(&book_key(&position).to_le_bytes())?;
            for &m in &moves {
                features.clear();
                scene.features(m, &mut features);
                moves_out.write_all(&book_move(m).to_le_bytes())?;
                moves_out.write_all(&(features.len() as u16).to_le_bytes())?;
                for f in &features {
                    features_out.write_all(&f.to_le_bytes())?;
                }
            }
            context = context.after(played);
            position.play_unchecked(played);
        }
        game += 1;
    }
    Ok(())
}
