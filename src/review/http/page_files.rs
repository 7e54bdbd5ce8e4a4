//! The files of the page. They hold no data and need no token.

use std::borrow::Cow;
#[cfg(debug_assertions)]
use std::path::Path;

use hyper::body::Bytes;
use hyper::header::HeaderMap;
use sha2::{Digest, Sha256};

use super::reply::{Reply, tagged};
use super::token::hex;

/// Name and content of each file of `src/review/page`, which `build.rs` has listed.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/review_page.rs"));

/// The file of this name, or `None` if there is none.
#[must_use]
pub fn page_file(name: &str, headers: &HeaderMap) -> Option<Reply> {
    // Only names of the list are ever opened.
    let (name, content) = FILES.iter().find(|(known, _)| *known == name)?;
    let content = current_content(name, content);
    let etag = hex(&Sha256::digest(&content));
    let bytes = match content {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    Some(tagged(headers, &etag, content_type(name), bytes))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// While one works on the page, it is read from the disk, so that loading it anew shows the change.
#[cfg(debug_assertions)]
fn current_content(name: &str, built_in: &'static [u8]) -> Cow<'static, [u8]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/review/page")
        .join(name);
    std::fs::read(path).map_or(Cow::Borrowed(built_in), Cow::Owned)
}

#[cfg(not(debug_assertions))]
fn current_content(_: &str, built_in: &'static [u8]) -> Cow<'static, [u8]> {
    Cow::Borrowed(built_in)
}
