//! sheetscan reads photographed chess scoresheets into games.
//!
//! Data flows one way: [`page`], [`grid`], [`cell`], [`reader`], [`decode`], then the writers.
#![deny(missing_docs)]

pub mod cell;
pub mod decode;
pub mod geometry;
pub mod grid;
pub mod notation;
pub mod page;
pub mod prior;
pub mod reader;
