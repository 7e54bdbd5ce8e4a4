//! Writes the features of positions and of their legal moves, for `models/train/fit_prior.py`.
//!
//! `prior_features OUT ONE_IN < GAMES.pgn` reads games whose moves stand in one line each. Of
//! ONE_IN positions it writes one, on average, into four files of little-endian integers:
//!
//! - OUT.positions, a record a position: ply u16, number of legal moves u8, index of the played
//!   move u8, book key u32, number of the position's features u16;
//! - OUT.position_features, these features of all positions: the index of each as u16;
//! - OUT.moves, a record a legal move: book id u16, number of features u16;
//! - OUT.move_features, the features of all moves: the index of each as u16.

use std::fs::File;
use std::io::{BufRead, BufWriter, Write, stdin};

use anyhow::{Context, Result};
use shakmaty::san::San;
use shakmaty::{Chess, Move, Position};
use sheetscan::prior::{FeatureExtractor, LastMoves, book_key, book_move_id};

/// The four files.
struct Output {
    positions: BufWriter<File>,
    position_features: BufWriter<File>,
    moves: BufWriter<File>,
    move_features: BufWriter<File>,
}

/// A position in which a move was played.
struct PlayedPosition<'a> {
    ply: u16,
    position: &'a Chess,
    last_moves: LastMoves,
    played: Move,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: prior_features OUT ONE_IN < GAMES.pgn";
    let mut output = Output::create(&arguments.next().context(usage)?)?;
    let one_in: u32 = arguments.next().context(usage)?.parse()?;
    let mut chooser = Chooser { state: 0, one_in };
    let lines = stdin().lock().lines();
    let is_game = |line: &std::io::Result<String>| {
        !line
            .as_ref()
            .is_ok_and(|line| line.is_empty() || line.starts_with('['))
    };
    for line in lines.filter(is_game) {
        let mut position = Chess::default();
        let mut last_moves = LastMoves::default();
        let line = line?;
        let sans = line
            .split_whitespace()
            .filter_map(|token| token.parse::<San>().ok());
        for (ply, san) in (0..).zip(sans) {
            let Ok(played) = san.to_move(&position) else {
                break;
            };
            if chooser.chooses() {
                output.write(&PlayedPosition {
                    ply,
                    position: &position,
                    last_moves,
                    played,
                })?;
            }
            last_moves = last_moves.after(played);
            position.play_unchecked(played);
        }
    }
    output.flush()
}

/// Chooses one in so many positions, the same each time, by a linear congruential generator (Press
/// et al. 2007, Numerical recipes).
struct Chooser {
    state: u32,
    one_in: u32,
}

impl Chooser {
    fn chooses(&mut self) -> bool {
        self.state = self
            .state
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        (self.state >> 8).is_multiple_of(self.one_in)
    }
}

impl Output {
    fn create(path: &str) -> Result<Self> {
        let create = |extension: &str| -> Result<_> {
            Ok(BufWriter::new(File::create(format!("{path}.{extension}"))?))
        };
        Ok(Self {
            positions: create("positions")?,
            position_features: create("position_features")?,
            moves: create("moves")?,
            move_features: create("move_features")?,
        })
    }

    fn write(&mut self, at: &PlayedPosition) -> Result<()> {
        let legal = at.position.legal_moves();
        let played = legal.iter().position(|&m| m == at.played);
        let extractor = FeatureExtractor::new(at.position, at.last_moves);
        let mut features = Vec::new();
        extractor.visit_position_features(|feature| features.push(feature));
        write_indices(&mut self.position_features, &features)?;
        self.positions.write_all(&at.ply.to_le_bytes())?;
        let played = u8::try_from(played.context("the played move is legal")?)?;
        self.positions
            .write_all(&[u8::try_from(legal.len())?, played])?;
        self.positions
            .write_all(&book_key(at.position).to_le_bytes())?;
        write_indices(&mut self.positions, &[features.len()])?;
        for m in legal {
            features.clear();
            extractor.visit_features(m, |feature| features.push(feature));
            write_indices(&mut self.moves, &[book_move_id(m).into(), features.len()])?;
            write_indices(&mut self.move_features, &features)?;
        }
        Ok(())
    }

    /// Writes what the buffers hold. Whoever drops them hears of no full disk.
    fn flush(&mut self) -> Result<()> {
        for file in [
            &mut self.positions,
            &mut self.position_features,
            &mut self.moves,
            &mut self.move_features,
        ] {
            file.flush()?;
        }
        Ok(())
    }
}

/// Writes numbers as u16.
fn write_indices(out: &mut impl Write, indices: &[usize]) -> Result<()> {
    for &index in indices {
        out.write_all(&u16::try_from(index)?.to_le_bytes())?;
    }
    Ok(())
}
