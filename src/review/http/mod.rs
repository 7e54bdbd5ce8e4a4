//! The server of `sheetscan review`: the page and its requests, on this machine only.
//!
//! It runs on one thread, over bare hyper, and calls a [`Backend`](super::backend::Backend) on
//! others. Every request passes the rules of `access.rs` first. A second socket takes pictures from
//! phones, if that is asked for.
//!
//! ```
//! use sheetscan::review::http::ServerOptions;
//!
//! let options = ServerOptions::default();
//! assert_eq!(options.limits.connections, 64);
//! assert!(options.phones.is_none());
//! ```

mod access;
mod bind;
mod body;
mod browser;
mod calls;
mod connection;
mod events;
mod io;
mod keys;
mod lane;
mod limits;
mod page_files;
mod phone_session;
mod phone_site;
mod phones;
mod qr_code;
mod query;
mod replay;
mod reply;
mod routes;
mod server;
mod site;
mod token;

pub use bind::USUAL_PORT;
pub use browser::open_browser;
pub use limits::Limits;
pub use server::{PhoneOptions, Server, ServerError, ServerOptions};
