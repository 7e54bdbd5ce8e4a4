//! A session of phones: its token, and which phones have come.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use super::qr_code::{QR_SIZE, qr_path};
use super::token::Token;
use crate::review::backend::{Backend, Refusal};

/// Phones that a session knows. Others are not even noted.
const MAX_PHONES: usize = 32;

/// The time from a start to a stop, with a token of its own.
pub struct PhoneSession {
    /// In the address of the page for phones.
    pub token: Token,
    /// Where it listens.
    pub address: SocketAddr,
    ends: Instant,
    ends_at: SystemTime,
    is_ended: watch::Sender<bool>,
    phones: Mutex<Vec<Phone>>,
    /// Number of pictures that have come.
    pictures: AtomicUsize,
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

impl PhoneSession {
    /// Begins a session of some length.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn new(address: SocketAddr, time: Duration) -> io::Result<Self> {
        Ok(Self {
            token: Token::draw()?,
            address,
            ends: Instant::now() + time,
            ends_at: SystemTime::now() + time,
            is_ended: watch::channel(false).0,
            phones: Mutex::default(),
            pictures: AtomicUsize::new(0),
        })
    }

    /// Ends it.
    pub fn end(&self) {
        self.is_ended.send_replace(true);
    }

    /// Becomes true when it is ended.
    pub fn end_signal(&self) -> watch::Receiver<bool> {
        self.is_ended.subscribe()
    }

    /// Whether its time is over or it was ended.
    pub fn is_over(&self) -> bool {
        *self.is_ended.borrow() || Instant::now() >= self.ends
    }

    /// What a phone with this cookie may do; `None` for a cookie that was never given to this
    /// address. Whoever overhears a cookie on the Wi-Fi has another address.
    pub fn find(&self, cookie: &[u8], address: IpAddr) -> Option<PhoneState> {
        let phones = self.phones();
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
        let mut phones = self.phones();
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

    /// Lets the phone of this number send pictures, or not. Whether there is such a phone.
    pub fn admit(&self, phone: u32, admit: bool) -> bool {
        let state = if admit {
            PhoneState::Admitted
        } else {
            PhoneState::TurnedAway
        };
        let mut phones = self.phones();
        let phone = usize::try_from(phone)
            .ok()
            .and_then(|number| phones.get_mut(number));
        phone.map(|phone| phone.state = state).is_some()
    }

    /// Counts a picture that has come.
    pub fn count_picture(&self) {
        self.pictures.fetch_add(1, Ordering::Relaxed);
    }

    /// What the page shows.
    pub fn describe(&self) -> Value {
        let url = format!("http://{}/up/{}", self.address, self.token.as_str());
        json!({
            "qr": { "size": QR_SIZE, "path": qr_path(&url) },
            "url": url,
            "ends": self.ends_at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            "phones": self.describe_phones(),
            "pictures": self.pictures.load(Ordering::Relaxed),
        })
    }

    fn describe_phones(&self) -> Value {
        let describe = |(id, phone): (usize, &Phone)| {
            let address = phone.address.to_string();
            json!({ "id": id, "address": address, "state": phone.state.name() })
        };
        self.phones().iter().enumerate().map(describe).collect()
    }

    fn phones(&self) -> MutexGuard<'_, Vec<Phone>> {
        self.phones.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the pages which phones there are; `null` where none may come. They ask for the token.
pub fn tell_phones(backend: &dyn Backend, session: Option<&PhoneSession>) {
    let phones = session.map_or(Value::Null, PhoneSession::describe_phones);
    backend
        .events()
        .publish("phone", &json!({ "phones": phones }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn a_cookie_that_was_overheard_is_worth_nothing_at_another_address() {
        let address = |last| IpAddr::V4(Ipv4Addr::new(192, 168, 0, last));
        let time = Duration::from_secs(60);
        let session = PhoneSession::new((address(1), 7717).into(), time).expect("a session");
        let (first, state) = session.note(address(2)).expect("a phone");
        assert_eq!(state, PhoneState::Admitted);
        let (_, state) = session.note(address(3)).expect("a phone");
        assert_eq!(state, PhoneState::Waiting);
        let cookie = first.as_str().as_bytes();
        assert_eq!(session.find(cookie, address(2)), Some(PhoneState::Admitted));
        assert_eq!(session.find(cookie, address(3)), None);
    }
}
