//! The stream of events, as server-sent events (HTML standard, section 9.2).

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderName};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::timeout;

use super::connection::{before, until_true};
use super::keys::Keys;
use super::reply::{Reply, ReplyBody, whole};
use crate::review::backend::{Backend, Refusal};
use crate::review::events::{Heard, Listener};

/// Streams that are open at once. Each is a connection, and others are needed beside them.
pub const MAX_STREAMS: usize = 16;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Opens a stream. `Last-Event-ID` says what the client knows; if that is not all, the stream
/// begins with `games`, which says that everything is to be fetched anew. It ends with the server
/// and when the token is replaced.
///
/// # Errors
/// 429 if too many streams are open.
pub fn open_stream(
    backend: Arc<dyn Backend>,
    headers: &HeaderMap,
    places: &Arc<Semaphore>,
    silence: Duration,
    keys: &Keys,
    mut stop: watch::Receiver<bool>,
) -> Result<Reply, Refusal> {
    let place = Arc::clone(places).try_acquire_owned().map_err(|_| {
        Refusal::new(
            429,
            "the review is open in too many pages",
            "close some of them",
        )
    })?;
    let listener = backend.events().listen();
    let id = |number: u64| format!("{}:{number}", backend.events().epoch());
    let now = id(backend.events().number());
    let is_behind = headers
        .get(LAST_EVENT_ID)
        .is_some_and(|known| known.as_bytes() != now.as_bytes());
    let first = if is_behind {
        fetch_again(&now)
    } else {
        ": \n\n".to_owned()
    };
    let mut renewals = keys.renewals();
    let (sender, parts) = mpsc::channel(1);
    let epoch = backend.events().epoch().to_owned();
    tokio::spawn(async move {
        let _place = place;
        let end = before(until_true(&mut stop), renewals.changed());
        before(tell(sender, listener, first, &epoch, silence), end).await;
    });
    let mut reply = whole(StatusCode::OK, "text/event-stream", Bytes::new());
    *reply.body_mut() = ReplyBody::Parts(parts);
    Ok(reply)
}

/// Sends what happens until the client is gone.
async fn tell(
    sender: mpsc::Sender<Bytes>,
    mut listener: Listener,
    first: String,
    epoch: &str,
    silence: Duration,
) {
    let mut text = first;
    while sender.send(Bytes::from(text)).await.is_ok() {
        let Some(heard) = before(timeout(silence, listener.next()), sender.closed()).await else {
            return;
        };
        text = match heard {
            Err(_) => ": \n\n".to_owned(),
            Ok(Heard::Event(event)) => format!(
                "id: {epoch}:{}\nevent: {}\ndata: {}\n\n",
                event.number, event.name, event.data
            ),
            Ok(Heard::Missed(number)) => fetch_again(&format!("{epoch}:{number}")),
            Ok(Heard::End) => return,
        };
    }
}

fn fetch_again(id: &str) -> String {
    format!("id: {id}\nevent: games\ndata: {{}}\n\n")
}
