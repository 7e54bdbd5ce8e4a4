//! The bodies of requests, within limits of size and time.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_LENGTH, HeaderMap};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

use super::query::malformed;
use crate::review::backend::Refusal;

/// Largest JSON body.
pub const MAX_JSON_BYTES: usize = 64 << 10;

/// Largest picture.
pub const MAX_PICTURE_BYTES: usize = 40 << 20;

/// Of a body that is too large, as much is read and thrown away before the refusal is sent, since
/// a browser that still sends when the connection is closed shows its own error and not ours.
const MAX_DISCARDED_BYTES: usize = 64 << 20;

/// Longest time for what is thrown away.
const DISCARD_TIME: Duration = Duration::from_secs(5);

/// Reads a body of at most `limit` bytes.
///
/// # Errors
/// 413 if it is larger, 408 if it comes too slowly, 400 if the connection ends before it.
pub async fn read_body(
    headers: &HeaderMap,
    mut body: Incoming,
    limit: usize,
    time: Duration,
) -> Result<Vec<u8>, Refusal> {
    // What the client says of the length is used to refuse, never to reserve memory.
    let said = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    if said.is_some_and(|length: u64| length > limit as u64) {
        return Err(refuse_large(&mut body, limit).await);
    }
    let deadline = Instant::now() + time;
    let mut bytes = Vec::new();
    loop {
        let part = timeout_at(deadline, next_part(&mut body))
            .await
            .map_err(|_| {
                let hint = "a request is sent within two minutes; try again";
                Refusal::new(408, "the request came too slowly", hint)
            })?;
        match part {
            None => return Ok(bytes),
            Some(Err(())) => return Err(malformed("the request ends before it is whole")),
            Some(Ok(part)) if bytes.len() + part.len() > limit => {
                drop(bytes);
                return Err(refuse_large(&mut body, limit).await);
            }
            Some(Ok(part)) => bytes.extend_from_slice(&part),
        }
    }
}

/// Reads JSON. An empty body is taken for `{}`.
///
/// # Errors
/// 400 if it is not the JSON that is expected.
pub fn parse_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    let text = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(text).map_err(|e| malformed(&format!("the request is malformed: {e}")))
}

async fn next_part(body: &mut Incoming) -> Option<Result<hyper::body::Bytes, ()>> {
    let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await?;
    // Trailers say nothing that is used.
    Some(
        frame
            .map_err(drop)
            .map(|frame| frame.into_data().unwrap_or_default()),
    )
}

async fn refuse_large(body: &mut Incoming, limit: usize) -> Refusal {
    let deadline = Instant::now() + DISCARD_TIME;
    let mut discarded = 0;
    while let Ok(Some(Ok(part))) = timeout_at(deadline, next_part(body)).await {
        discarded += part.len();
        if discarded > MAX_DISCARDED_BYTES {
            break;
        }
    }
    let (amount, unit) = if limit >> 20 > 0 {
        (limit >> 20, "MiB")
    } else {
        (limit >> 10, "KiB")
    };
    Refusal::new(
        413,
        format!("this is larger than {amount} {unit}"),
        "make the picture smaller, or put the file into the folder and start again",
    )
}
