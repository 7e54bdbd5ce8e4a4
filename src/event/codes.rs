//! The codes of the checks, how serious each is, and faults of the pairing program's files.

use std::fmt;

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For information.
    Info,
    /// A person should look at it.
    Warning,
    /// Two sources contradict each other, or something that is needed is missing.
    Error,
}

impl Level {
    /// One letter: I, W or E.
    pub fn letter(self) -> char {
        match self {
            Self::Info => 'I',
            Self::Warning => 'W',
            Self::Error => 'E',
        }
    }
}

/// The checks. T is about files of the pairing program, M about which sheet is which game, R about
/// results, G about moves, C about what is missing, P about the PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckCode {
    /// A line or field of a file of the pairing program cannot be read.
    T1,
    /// The lines of two opponents disagree on their having met, their colours or the result.
    T2,
    /// A date, title, round or board is in a form that the standard does not have.
    T3,
    /// A file was read otherwise than the standard says, without a doubt.
    T4,
    /// A sheet belongs to no pairing.
    M1,
    /// There are two sheets for one side of a pairing.
    M2,
    /// The sheet has the colours the other way round.
    M3,
    /// There is a sheet for a forfeit or a bye.
    M4,
    /// The round, date or board on the sheet contradicts the pairing.
    M5,
    /// The result on the sheet differs from the one in the report file.
    R1,
    /// The final position contradicts the result.
    R2,
    /// The result is taken from the report file.
    R3,
    /// The two sheets of a game have different results.
    R4,
    /// The report file says that the game was played, and the sheet holds less than one move of
    /// each player.
    R5,
    /// The record is cut where it could not be followed.
    G1,
    /// The two copies differ at a move.
    G2,
    /// Some moves have a low confidence.
    G3,
    /// A pairing has no sheet.
    C1,
    /// The game of a player with a title result is missing or not fully read.
    C2,
    /// The PGN that was written does not read back as the same game.
    P1,
}

impl CheckCode {
    /// How serious a finding with this code is.
    pub fn level(self) -> Level {
        match self {
            Self::R3 | Self::G3 | Self::T4 => Level::Info,
            Self::T1
            | Self::T2
            | Self::M3
            | Self::R1
            | Self::R2
            | Self::R4
            | Self::C2
            | Self::P1 => Level::Error,
            Self::T3
            | Self::M1
            | Self::M2
            | Self::M4
            | Self::M5
            | Self::R5
            | Self::G1
            | Self::G2
            | Self::C1 => Level::Warning,
        }
    }
}

impl fmt::Display for CheckCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A fault of a file of the pairing program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{source_name}:{line}:{column}: {text}")]
pub struct FileFault {
    /// T1 to T4.
    pub code: CheckCode,
    /// Name of the file.
    pub source_name: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub text: String,
}
