//! The server of the review, asked over raw sockets: what a browser would never send, too. Behind
//! it stands a stub, so that nothing of chess is needed.

mod access;
mod changes;
mod client;
mod events;
mod limits;
mod opening;
mod phones;
mod replies;
mod stub;
