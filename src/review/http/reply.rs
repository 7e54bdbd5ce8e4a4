//! What the server sends: bodies, and the headers of every reply.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
};
use hyper::{Method, Response, StatusCode};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::review::backend::Refusal;

/// A reply of the server.
pub type Reply = Response<ReplyBody>;

/// The content type of JSON.
pub const JSON: &str = "application/json";

/// Scripts, styles and requests of the server's own only; pictures from memory too. No frame may
/// show the page, no form may send anything.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; \
    style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The headers of every reply, errors included.
const SECURITY_HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// The body of a reply.
#[derive(Debug)]
pub enum ReplyBody {
    /// All of it, or nothing once it is sent.
    Whole(Option<Bytes>),
    /// Parts that come one after the other, without an end that is known.
    Parts(mpsc::Receiver<Bytes>),
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = match self.get_mut() {
            Self::Whole(bytes) => Poll::Ready(bytes.take()),
            Self::Parts(parts) => parts.poll_recv(context),
        };
        part.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Self::Parts(_) => SizeHint::default(),
        }
    }
}

/// A reply with a body of one kind.
#[must_use]
pub fn whole(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Reply {
    let body = body.into();
    let body = if body.is_empty() { None } else { Some(body) };
    let mut reply = Response::new(ReplyBody::Whole(body));
    *reply.status_mut() = status;
    reply
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    reply
}

/// A refusal as a reply.
#[must_use]
pub fn refused(refusal: &Refusal) -> Reply {
    whole(error_status(refusal), JSON, refusal.to_json().to_string())
}

/// The status of a refusal. One that is none of an error becomes 500.
#[must_use]
pub fn error_status(refusal: &Refusal) -> StatusCode {
    let is_error = |status: &StatusCode| status.is_client_error() || status.is_server_error();
    let status = StatusCode::from_u16(refusal.status).ok().filter(is_error);
    status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A value as a reply.
#[must_use]
pub fn json(value: &Value) -> Reply {
    whole(StatusCode::OK, JSON, value.to_string())
}

/// A file with a name for its content, or 304 where the client has that content already.
#[must_use]
pub fn tagged(headers: &HeaderMap, etag: &str, kind: &'static str, body: Bytes) -> Reply {
    let quoted = format!("\"{etag}\"");
    let is_known = |value: &HeaderValue| {
        let list = value.to_str().unwrap_or_default();
        list.split(',')
            .any(|tag| tag.trim().trim_start_matches("W/") == quoted)
    };
    let known = headers
        .get_all(hyper::header::IF_NONE_MATCH)
        .iter()
        .any(is_known);
    let (status, body) = if known {
        (StatusCode::NOT_MODIFIED, Bytes::new())
    } else {
        (StatusCode::OK, body)
    };
    let mut reply = whole(status, kind, body);
    if let Ok(value) = HeaderValue::from_str(&quoted) {
        reply.headers_mut().insert(ETAG, value);
    }
    reply
}

/// Adds the headers that every reply has. What a reply has already is kept.
pub fn add_security_headers(reply: &mut Reply, cache_control: &'static str) {
    let headers = reply.headers_mut();
    for (name, value) in SECURITY_HEADERS {
        let name = HeaderName::from_static(name);
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static(cache_control));
}

/// There is nothing at this address, or nothing that one may know of.
#[must_use]
pub fn not_found() -> Refusal {
    Refusal::new(404, "there is no such thing here", "load the page anew")
}

/// Says which method a path has. What was sent with the other is not read.
#[must_use]
pub fn wrong_method(method: &Method) -> Reply {
    let error = format!("this can only be asked with {method}");
    let mut reply = refused(&Refusal::new(405, error, "load the page anew"));
    if let Ok(value) = HeaderValue::from_str(method.as_str()) {
        reply.headers_mut().insert(ALLOW, value);
    }
    reply
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}
