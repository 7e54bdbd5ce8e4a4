//! sheetscan reads photographed chess scoresheets into games.
//!
//! Data flows one way: [`page`], [`grid`], [`cell`], [`reader`], [`decode`], then the writers.
#![deny(missing_docs)]

pub mod cell;
pub mod debug;
pub mod decode;
pub mod geometry;
pub mod grid;
mod ink;
pub mod page;
pub mod patch;
pub mod reader;
