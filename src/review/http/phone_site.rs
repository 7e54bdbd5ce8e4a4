//! Answers the requests of phones.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::body::Incoming;
use hyper::header::{CONTENT_SECURITY_POLICY, COOKIE, HeaderMap, HeaderValue, SET_COOKIE};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::access::Access;
use super::body::{MAX_PICTURE_BYTES, read_body};
use super::connection::{Caller, Handler, ReplyFuture};
use super::lane::Lane;
use super::limits::Limits;
use super::phone_session::{PhoneSession, PhoneState, tell_phones};
use super::reply::{Reply, add_security_headers, json, not_found, refused, whole, wrong_method};
use super::token::hex;
use crate::review::backend::{Backend, ID_DIGITS, PictureSource, Refusal};

/// The page for phones.
const PAGE: &str = include_str!("phone.html");

/// The cookie that tells one phone from another.
const COOKIE_NAME: &str = "sheetscan-phone";

/// The second socket of a session.
pub struct PhoneSite {
    backend: Arc<dyn Backend>,
    access: Access,
    session: Arc<PhoneSession>,
    limits: Limits,
    policy: String,
    /// Pictures that are received at once; each takes memory.
    uploads: Semaphore,
    add: Lane,
    inbox: Mutex<Inbox>,
}

/// What a session has brought.
#[derive(Debug, Default)]
struct Inbox {
    hashes: HashSet<[u8; 32]>,
    bytes: u64,
}

impl PhoneSite {
    /// Makes the second socket of a session.
    pub fn new(
        backend: Arc<dyn Backend>,
        access: Access,
        session: Arc<PhoneSession>,
        limits: Limits,
    ) -> Self {
        Self {
            backend,
            access,
            session,
            limits,
            policy: page_policy(),
            uploads: Semaphore::new(2),
            add: Lane::new(1),
            inbox: Mutex::default(),
        }
    }

    async fn answer(
        self: &Arc<Self>,
        parts: &Parts,
        body: Incoming,
        caller: &Caller,
    ) -> Result<Reply, Refusal> {
        self.access.check_source(parts)?;
        let shown = parts
            .uri
            .path()
            .strip_prefix("/up/")
            .ok_or_else(not_found)?;
        // A session that is over looks like one that never was.
        if self.session.is_over() || !self.session.token.matches(shown.as_bytes()) {
            return Err(not_found());
        }
        let phone = phone_cookie(&parts.headers)
            .and_then(|cookie| self.session.find(cookie, caller.address));
        if phone == Some(PhoneState::Admitted) {
            caller.trust();
        }
        match (&parts.method, phone) {
            (&Method::GET, phone) => self.show_page(caller, phone),
            (&Method::POST, Some(PhoneState::Admitted)) => self.take(parts, body).await,
            (&Method::POST, _) => Err(not_admitted()),
            _ => Ok(wrong_method(&Method::POST)),
        }
    }

    fn show_page(&self, caller: &Caller, phone: Option<PhoneState>) -> Result<Reply, Refusal> {
        let (cookie, state) = match phone {
            Some(state) => (None, state),
            None => {
                let (cookie, state) = self.session.note(caller.address)?;
                tell_phones(&*self.backend, Some(&self.session));
                (Some(cookie), state)
            }
        };
        let mut reply = match state {
            PhoneState::Admitted => whole(StatusCode::OK, "text/html; charset=utf-8", PAGE),
            PhoneState::Waiting | PhoneState::TurnedAway => {
                let Refusal { error, hint, .. } = not_admitted();
                let text = format!("{error}: {hint}\n");
                whole(StatusCode::FORBIDDEN, "text/plain; charset=utf-8", text)
            }
        };
        let headers = reply.headers_mut();
        if let Ok(policy) = HeaderValue::from_str(&self.policy) {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
        if let Some(cookie) = cookie
            && let Ok(value) = HeaderValue::from_str(&format!(
                "{COOKIE_NAME}={}; Path=/up/; Max-Age=3600; HttpOnly; SameSite=Lax",
                cookie.as_str()
            ))
        {
            headers.insert(SET_COOKIE, value);
        }
        Ok(reply)
    }

    async fn take(self: &Arc<Self>, parts: &Parts, body: Incoming) -> Result<Reply, Refusal> {
        self.inbox().check_room(0, &self.limits)?;
        let _place = self.uploads.acquire().await;
        let time = self.limits.body_time;
        let bytes = read_body(&parts.headers, body, MAX_PICTURE_BYTES, time).await?;
        if bytes.is_empty() {
            return Err(Refusal::new(400, "the picture is empty", "send it again"));
        }
        let site = Arc::clone(self);
        self.add
            .run(Box::new(move || site.add(bytes)))
            .await
            .map(|added| json(&added))
    }

    /// Gives a picture to the backend, unless it has come before.
    fn add(&self, bytes: Vec<u8>) -> Result<Value, Refusal> {
        let hash: [u8; 32] = Sha256::digest(&bytes).into();
        // As long as the name of its table in the file of answers.
        let name = format!("{}.jpg", &hex(&hash)[..ID_DIGITS]);
        {
            let mut inbox = self.inbox();
            if self.session.is_over() {
                return Err(not_found());
            }
            if inbox.hashes.contains(&hash) {
                return Ok(serde_json::json!({ "name": name }));
            }
            let length = bytes.len() as u64;
            inbox.check_room(length, &self.limits)?;
            // What turns out to be no picture counts too, since it costs the same work.
            inbox.bytes += length;
        }
        let added = self
            .backend
            .add_picture(PictureSource::Phone, &name, bytes)?;
        self.inbox().hashes.insert(hash);
        self.session.count_picture();
        tell_phones(&*self.backend, Some(&self.session));
        Ok(added)
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inbox {
    fn check_room(&self, bytes: u64, limits: &Limits) -> Result<(), Refusal> {
        let has_room = self.hashes.len() < limits.phone_pictures
            && self.bytes.saturating_add(bytes) <= limits.phone_bytes;
        let hint = "stop and start again on the page of the review";
        let full = || Refusal::new(413, "enough pictures have come from phones", hint);
        has_room.then_some(()).ok_or_else(full)
    }
}

impl Handler for PhoneSite {
    fn handle(self: Arc<Self>, request: Request<Incoming>, caller: Caller) -> ReplyFuture {
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let outcome = self.answer(&parts, body, &caller).await;
            let mut reply = outcome.unwrap_or_else(|refusal| refused(&refusal));
            add_security_headers(&mut reply, "no-store");
            reply
        })
    }
}

fn not_admitted() -> Refusal {
    let hint = "let it in on the page of the review, then load this page again";
    Refusal::new(403, "another phone sends pictures already", hint)
}

/// The cookie of this server among those that a phone sends.
fn phone_cookie(headers: &HeaderMap) -> Option<&[u8]> {
    let values = headers.get_all(COOKIE).iter();
    let mut pairs = values.flat_map(|value| value.as_bytes().split(|b| *b == b';'));
    pairs.find_map(|pair| {
        pair.trim_ascii()
            .strip_prefix(COOKIE_NAME.as_bytes())?
            .strip_prefix(b"=")
    })
}

/// Allows the page's own script and style, by their hashes, and nothing else.
fn page_policy() -> String {
    let hash = |element: &str| {
        let (open, close) = (format!("<{element}>"), format!("</{element}>"));
        let inner = PAGE
            .split_once(&open)
            .and_then(|(_, rest)| rest.split_once(&close));
        let inner = inner.map_or("", |(inner, _)| inner);
        format!("'sha256-{}'", STANDARD.encode(Sha256::digest(inner)))
    };
    format!(
        "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        hash("script"),
        hash("style")
    )
}
