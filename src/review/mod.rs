//! A page in the browser, served on this machine only, in which a person settles what the reader
//! doubts.
//!
//! ```
//! use sheetscan::review::backend::GameId;
//!
//! assert!(GameId::parse("9f2c0a77d1b3").is_some());
//! assert!(GameId::parse("../etc").is_none());
//! ```

pub mod backend;
pub mod events;
pub mod http;
pub mod lock;
