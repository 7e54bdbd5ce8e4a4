//! What is wrong or worth knowing, by the codes of the checks.

use std::fmt;

/// How much a check weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// To know.
    Info,
    /// To look at.
    Warning,
    /// Two sources contradict each other, or something that is needed is missing.
    Error,
}

impl Level {
    /// One letter: I, W, E.
    pub fn letter(self) -> char {
        match self {
            Self::Info => 'I',
            Self::Warning => 'W',
            Self::Error => 'E',
        }
    }
}

/// The checks. T is about the report file, M about which sheet is which game, R about results, G about moves, C about
/// what is missing, P about the PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A line or field of a file of the pairing program cannot be read.
    T1,
    /// Opponents disagree on having met, their colours, or the result.
    T2,
    /// A date is not in the standard's form.
    T3,
    /// A sheet belongs to no pairing.
    M1,
    /// Two sheets for one side of a pairing.
    M2,
    /// The colours on the sheet are the other way round.
    M3,
    /// A sheet for a forfeit or a bye.
    M4,
    /// Round, date or board of the sheet contradict the pairing.
    M5,
    /// The sheet has another result than the report file.
    R1,
    /// The final position contradicts the result.
    R2,
    /// The result is filled from the report file.
    R3,
    /// The two sheets have different results.
    R4,
    /// Coded as played, with under one move on the sheet.
    R5,
    /// The record is cut where it could not be followed.
    G1,
    /// The two copies differ at a move.
    G2,
    /// Moves with low confidence.
    G3,
    /// A pairing without a sheet.
    C1,
    /// The game of a player with a title result is missing or not fully read.
    C2,
    /// The PGN written does not read back.
    P1,
}

impl Code {
    /// How much it weighs.
    pub fn level(self) -> Level {
        match self {
            Self::R3 | Self::G3 => Level::Info,
            Self::T1
            | Self::T2
            | Self::M3
            | Self::R1
            | Self::R2
            | Self::R4
            | Self::C2
            | Self::P1 => Level::Error,
            _ => Level::Warning,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A fault of a file of the pairing program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{source_name}:{line}:{column}: {text}")]
pub struct Fault {
    /// T1, T2 or T3.
    pub code: Code,
    /// Name of the file.
    pub source_name: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub text: String,
}
