//! Pictures from phones: a second socket, on the local network, that can only take pictures.
//!
//! What goes over it is not encrypted. Whoever sees the code or the traffic can send pictures, and
//! can do nothing else.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::access::Access;
use super::bind::{bind_network, network_address};
use super::connection::{Door, accept_all, before, until_true};
use super::limits::Limits;
use super::phone_site::PhoneSite;
use super::qr_code::{QR_SIZE, qr_path};
use super::token::Token;
use crate::review::backend::{Backend, Refusal};

/// Phones that a session knows. Others are not even noted.
const MAX_PHONES: usize = 32;

/// The second socket of a run, which is open only while a session lasts.
pub struct Phones {
    address: Option<IpAddr>,
    limits: Limits,
    backend: Arc<dyn Backend>,
    session: Mutex<Option<Arc<Session>>>,
    server_stop: watch::Receiver<bool>,
}

/// The time from a start to a stop, with a token of its own.
pub struct Session {
    /// In the address of the page for phones.
    pub token: Token,
    /// Where it listens.
    pub address: SocketAddr,
    ends: Instant,
    ends_at: SystemTime,
    stop: watch::Sender<bool>,
    phones: Mutex<Vec<Phone>>,
    /// Ends when the socket is closed.
    accepting: Mutex<Option<JoinHandle<()>>>,
}

/// A phone that has opened the page for phones.
struct Phone {
    cookie: Token,
    address: IpAddr,
    state: PhoneState,
}

/// Whether a phone may send pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhoneState {
    /// It may.
    Admitted,
    /// A person is to say.
    Waiting,
    /// It may not.
    TurnedAway,
}

impl PhoneState {
    fn name(self) -> &'static str {
        match self {
            Self::Admitted => "admitted",
            Self::Waiting => "waiting",
            Self::TurnedAway => "turned-away",
        }
    }
}

impl Phones {
    /// Makes the second socket's state; nothing is opened yet. Without an address the one is taken
    /// under which this machine reaches the world.
    pub fn new(
        address: Option<IpAddr>,
        limits: Limits,
        backend: Arc<dyn Backend>,
        server_stop: watch::Receiver<bool>,
    ) -> Self {
        Self {
            address,
            limits,
            backend,
            session: Mutex::new(None),
            server_stop,
        }
    }

    /// Opens the socket with a new token. One that is open is closed.
    ///
    /// # Errors
    /// 503 if there is no network.
    pub async fn start(self: &Arc<Self>) -> Result<Value, Refusal> {
        let old_port = self.session().map_or(0, |session| session.address.port());
        self.end_session().await;
        let no_network = |e: std::io::Error| {
            let hint = "join a network, or name this machine's address: --listen ADDRESS";
            Refusal::new(503, format!("phones cannot reach this machine: {e}"), hint)
        };
        let address = self
            .address
            .map_or_else(network_address, Ok)
            .map_err(no_network)?;
        let (listener, address) = bind_network(address, old_port).map_err(no_network)?;
        listener.set_nonblocking(true).map_err(no_network)?;
        let listener = TcpListener::from_std(listener).map_err(no_network)?;
        let session = Arc::new(Session {
            token: Token::draw().map_err(no_network)?,
            address,
            ends: Instant::now() + self.limits.phone_time,
            ends_at: SystemTime::now() + self.limits.phone_time,
            stop: watch::channel(false).0,
            phones: Mutex::default(),
            accepting: Mutex::default(),
        });
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&session));
        let site = Arc::new(PhoneSite::new(
            Arc::clone(&self.backend),
            Access::new(vec![address.to_string()]),
            Arc::clone(&session),
            Arc::clone(self),
            self.limits,
        ));
        let stop = session.stop.subscribe();
        let door = Arc::new(Door::new(self.limits));
        let accepting = tokio::spawn(accept_all(listener, door, site, stop));
        *session
            .accepting
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(accepting);
        tokio::spawn(Arc::clone(self).end_in_time(session));
        Ok(self.tell())
    }

    /// Ends a session when its time is over, or with the server.
    async fn end_in_time(self: Arc<Self>, session: Arc<Session>) {
        let mut server_stop = self.server_stop.clone();
        let mut stop = session.stop.subscribe();
        let end = before(until_true(&mut server_stop), until_true(&mut stop));
        before(sleep(self.limits.phone_time), end).await;
        session.stop.send_replace(true);
        self.tell();
    }

    /// Closes the socket. The token is worth nothing from now on.
    pub async fn stop(&self) -> Value {
        self.end_session().await;
        self.tell()
    }

    /// Lets a phone send pictures, or not.
    ///
    /// # Errors
    /// 404 if there is no such phone.
    pub fn admit(&self, number: u32, admit: bool) -> Result<Value, Refusal> {
        let unknown = || Refusal::new(404, "there is no such phone", "load the page anew");
        let session = self.session().ok_or_else(unknown)?;
        {
            let mut phones = session
                .phones
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let phone = phones.get_mut(number as usize).ok_or_else(unknown)?;
            phone.state = if admit {
                PhoneState::Admitted
            } else {
                PhoneState::TurnedAway
            };
        }
        Ok(self.tell())
    }

    /// What the page shows: where phones go, until when, and which there are.
    pub fn state(&self) -> Value {
        let Some(session) = self.session() else {
            return Value::Null;
        };
        let phones = session
            .phones
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let ends = session
            .ends_at
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        let describe = |(id, phone): (usize, &Phone)| json!({ "id": id, "address": phone.address.to_string(), "state": phone.state.name() });
        let url = format!("http://{}/up/{}", session.address, session.token.as_str());
        json!({
            "qr": { "size": QR_SIZE, "path": qr_path(&url) },
            "url": url,
            "ends": ends,
            "phones": phones.iter().enumerate().map(describe).collect::<Vec<_>>(),
        })
    }

    /// Tells the pages what is to be shown, without the token: they ask for it.
    pub(super) fn tell(&self) -> Value {
        let state = self.state();
        let phones = state.get("phones").cloned().unwrap_or(Value::Null);
        self.backend
            .events()
            .publish("phone", &json!({ "phones": phones }));
        state
    }

    fn session(&self) -> Option<Arc<Session>> {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session
            .as_ref()
            .filter(|session| !session.is_over())
            .cloned()
    }

    /// Ends the session, and waits until the socket is closed.
    async fn end_session(&self) {
        let session = self
            .session
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(session) = session {
            session.stop.send_replace(true);
            let accepting = session
                .accepting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            if let Some(accepting) = accepting {
                // It can only fail by a panic that was told already.
                let _ = accepting.await;
            }
        }
    }
}

impl Session {
    /// Whether its time is over or it was stopped.
    pub fn is_over(&self) -> bool {
        *self.stop.borrow() || Instant::now() >= self.ends
    }

    /// What a phone with this cookie may do; `None` for a cookie that was never given to this
    /// address. Whoever overhears a cookie on the Wi-Fi has another address.
    pub fn find(&self, cookie: &[u8], address: IpAddr) -> Option<PhoneState> {
        let phones = self.phones.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |phone: &&Phone| phone.address == address && phone.cookie.matches(cookie);
        phones.iter().find(is_same).map(|phone| phone.state)
    }

    /// Notes a phone that comes for the first time, and gives its cookie. The first may send
    /// pictures at once, since the person who shows the code holds it.
    ///
    /// # Errors
    /// 429 if there are too many.
    pub fn note(&self, address: IpAddr) -> Result<(Token, PhoneState), Refusal> {
        let cookie = Token::draw()
            .map_err(|e| Refusal::new(500, format!("no random bytes: {e}"), "try again"))?;
        let mut phones = self.phones.lock().unwrap_or_else(PoisonError::into_inner);
        if phones.len() >= MAX_PHONES {
            let hint = "stop and start again on the page of the review";
            return Err(Refusal::new(
                429,
                "too many phones have opened this address",
                hint,
            ));
        }
        let state = if phones.is_empty() {
            PhoneState::Admitted
        } else {
            PhoneState::Waiting
        };
        phones.push(Phone {
            cookie: cookie.clone(),
            address,
            state,
        });
        Ok((cookie, state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn a_cookie_that_was_overheard_is_worth_nothing_at_another_address() {
        let address = |last| IpAddr::V4(Ipv4Addr::new(192, 168, 0, last));
        let session = Session {
            token: Token::draw().expect("random bytes"),
            address: (address(1), 7717).into(),
            ends: Instant::now(),
            ends_at: SystemTime::now(),
            stop: watch::channel(false).0,
            phones: Mutex::default(),
            accepting: Mutex::default(),
        };
        let (first, state) = session.note(address(2)).expect("a phone");
        assert_eq!(state, PhoneState::Admitted);
        let (_, state) = session.note(address(3)).expect("a phone");
        assert_eq!(state, PhoneState::Waiting);
        let cookie = first.as_str().as_bytes();
        assert_eq!(session.find(cookie, address(2)), Some(PhoneState::Admitted));
        assert_eq!(session.find(cookie, address(3)), None);
    }
}
