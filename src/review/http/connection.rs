//! Connections: how many, how long, and how they end.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use super::io::{Clock, Socket};
use super::limits::Limits;
use super::reply::{CONTENT_SECURITY_POLICY, Reply};

/// Largest head of a request in bytes.
pub const MAX_HEAD_BYTES: usize = 16 << 10;

/// Time until connections are accepted again after the system has refused one.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A future that yields a reply.
pub type ReplyFuture = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// What answers the requests of a socket.
pub trait Handler: Send + Sync + 'static {
    /// Answers one request.
    fn handle(self: Arc<Self>, request: Request<Incoming>, caller: Caller) -> ReplyFuture;
}

/// The other end of a connection.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Where it is.
    pub address: IpAddr,
    trusted: Arc<AtomicBool>,
}

impl Caller {
    /// Notes that the caller has shown the token. Such a connection is not closed for another's
    /// sake.
    pub fn trust(&self) {
        self.trusted.store(true, Ordering::Relaxed);
    }
}

/// Counts the open connections of a socket.
#[derive(Debug)]
pub struct Door {
    guests: Mutex<Vec<Arc<Guest>>>,
    limits: Limits,
}

#[derive(Debug)]
struct Guest {
    caller: Caller,
    eviction: Notify,
}

impl Door {
    /// Makes a door of a socket.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            guests: Mutex::default(),
            limits,
        }
    }

    /// Lets a connection in. Where there are too many, the oldest that has not shown the token is
    /// closed for it, so that nobody without the token can keep the page out by connecting often.
    fn enter(&self, address: IpAddr) -> Option<Arc<Guest>> {
        let mut guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        if guests.len() >= self.limits.connections {
            let is_stranger = |guest: &Arc<Guest>| !guest.caller.trusted.load(Ordering::Relaxed);
            let stranger = guests.iter().position(is_stranger)?;
            guests.remove(stranger).eviction.notify_one();
        }
        let caller = Caller {
            address,
            trusted: Arc::default(),
        };
        let guest = Arc::new(Guest {
            caller,
            eviction: Notify::new(),
        });
        guests.push(Arc::clone(&guest));
        Some(guest)
    }

    fn leave(&self, guest: &Arc<Guest>) {
        let mut guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        guests.retain(|other| !Arc::ptr_eq(other, guest));
    }

    /// Whether no connection is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.guests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
    }
}

/// Accepts connections until `stop` becomes true.
pub async fn accept_all(
    listener: TcpListener,
    door: Arc<Door>,
    handler: Arc<dyn Handler>,
    stop: watch::Receiver<bool>,
) {
    let mut stopped = stop.clone();
    while let Some(accepted) = before(listener.accept(), until_true(&mut stopped)).await {
        let Ok((stream, address)) = accepted else {
            // As when there are too many open files. The connection waits in the system's queue.
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        match door.enter(address.ip()) {
            Some(guest) => {
                let (door, handler, stop) = (Arc::clone(&door), Arc::clone(&handler), stop.clone());
                tokio::spawn(async move {
                    serve(stream, &guest, handler, &door.limits, stop).await;
                    door.leave(&guest);
                });
            }
            None => turn_away(&stream),
        }
    }
}

/// Serves the requests of one connection.
async fn serve(
    stream: TcpStream,
    guest: &Guest,
    handler: Arc<dyn Handler>,
    limits: &Limits,
    mut stop: watch::Receiver<bool>,
) {
    // Replies are written whole; without this, small ones would wait for an acknowledgement.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let reply = Arc::clone(&handler).handle(request, guest.caller.clone());
        async move { Ok::<_, Infallible>(reply.await) }
    });
    let mut connection = pin!(
        http1::Builder::new()
            .timer(Clock)
            .header_read_timeout(limits.head_time)
            .max_header_size(MAX_HEAD_BYTES)
            .serve_connection(Socket::new(stream, limits.stall_time), service)
    );
    let mut evicted = pin!(guest.eviction.notified());
    let mut stopped = pin!(until_true(&mut stop));
    let mut is_stopping = false;
    poll_fn(|context| {
        if evicted.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        if !is_stopping && stopped.as_mut().poll(context).is_ready() {
            is_stopping = true;
            connection.as_mut().graceful_shutdown();
        }
        // An error is the client's, who is gone or sends no HTTP.
        connection.as_mut().poll(context).map(drop)
    })
    .await;
}

/// Says that there are too many connections, without waiting for anything.
fn turn_away(stream: &TcpStream) {
    let body = r#"{"error":"too many connections","hint":"close pages of the review"}"#;
    let reply = format!(
        "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncache-control: no-store\r\n\
         content-type: application/json\r\nx-content-type-options: nosniff\r\n\
         referrer-policy: no-referrer\r\ncross-origin-resource-policy: same-origin\r\n\
         cross-origin-opener-policy: same-origin\r\n\
         content-security-policy: {CONTENT_SECURITY_POLICY}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    // What has arrived is read, since closing a connection with unread bytes discards the reply.
    let _ = stream.try_read(&mut [0; MAX_HEAD_BYTES]);
    let _ = stream.try_write(reply.as_bytes());
}

/// What `work` yields, or `None` if `end` is first.
pub async fn before<T>(work: impl Future<Output = T>, end: impl Future) -> Option<T> {
    let (mut work, mut end) = (pin!(work), pin!(end));
    poll_fn(|context| match end.as_mut().poll(context) {
        Poll::Ready(_) => Poll::Ready(None),
        Poll::Pending => work.as_mut().poll(context).map(Some),
    })
    .await
}

/// Waits until the value is true or can never become so.
pub async fn until_true(value: &mut watch::Receiver<bool>) {
    let _ = value.wait_for(|is_true| *is_true).await;
}
