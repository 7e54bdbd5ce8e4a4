//! Pictures from phones: a second socket, on the local network, that can only take pictures.
//!
//! What goes over it is not encrypted. Whoever sees the code or the traffic can send pictures, and
//! can do nothing else.

use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::access::Access;
use super::bind::{bind_network, network_address};
use super::connection::{Door, accept_all, before, until_true};
use super::limits::Limits;
use super::phone_session::{PhoneSession, tell_phones};
use super::phone_site::PhoneSite;
use crate::review::backend::{Backend, Refusal};

/// The second socket of a run, which is open only while a session lasts.
pub struct Phones {
    address: Option<IpAddr>,
    limits: Limits,
    backend: Arc<dyn Backend>,
    running: Mutex<Option<Running>>,
    server_stop: watch::Receiver<bool>,
}

/// A session and what accepts its connections, which ends when the socket is closed.
struct Running {
    session: Arc<PhoneSession>,
    accepting: JoinHandle<()>,
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
        let running = Mutex::default();
        Self {
            address,
            limits,
            backend,
            running,
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
        // Nothing is waited for from here on, so that two starts cannot leave two sockets.
        let (listener, session) = self.open(old_port).map_err(|e| {
            let hint = "join a network, or name this machine's address: --listen ADDRESS";
            Refusal::new(503, format!("phones cannot reach this machine: {e}"), hint)
        })?;
        let session = Arc::new(session);
        let site = PhoneSite::new(
            Arc::clone(&self.backend),
            Access::new(vec![session.address.to_string()]),
            Arc::clone(&session),
            self.limits,
        );
        let door = Arc::new(Door::new(self.limits));
        let accepting = tokio::spawn(accept_all(
            listener,
            door,
            Arc::new(site),
            session.end_signal(),
        ));
        tokio::spawn(Arc::clone(self).end_in_time(Arc::clone(&session)));
        let replaced = self.running().replace(Running { session, accepting });
        if let Some(Running { session, .. }) = replaced {
            session.end();
        }
        Ok(self.tell())
    }

    fn open(&self, port: u16) -> io::Result<(TcpListener, PhoneSession)> {
        let address = self.address.map_or_else(network_address, Ok)?;
        let (listener, address) = bind_network(address, port)?;
        listener.set_nonblocking(true)?;
        let session = PhoneSession::new(address, self.limits.phone_time)?;
        Ok((TcpListener::from_std(listener)?, session))
    }

    /// Ends a session when its time is over, or with the server.
    async fn end_in_time(self: Arc<Self>, session: Arc<PhoneSession>) {
        let (mut server_stop, mut stop) = (self.server_stop.clone(), session.end_signal());
        let end = before(until_true(&mut server_stop), until_true(&mut stop));
        before(sleep(self.limits.phone_time), end).await;
        session.end();
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
    pub fn admit(&self, phone: u32, admit: bool) -> Result<Value, Refusal> {
        let admitted = self
            .session()
            .is_some_and(|session| session.admit(phone, admit));
        let unknown = || Refusal::new(404, "there is no such phone", "load the page anew");
        admitted.then(|| self.tell()).ok_or_else(unknown)
    }

    /// What the page shows: where phones go, until when, and which there are.
    pub fn state(&self) -> Value {
        self.session()
            .map_or(Value::Null, |session| session.describe())
    }

    fn tell(&self) -> Value {
        tell_phones(&*self.backend, self.session().as_deref());
        self.state()
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn session(&self) -> Option<Arc<PhoneSession>> {
        let running = self.running();
        let session = running.as_ref().map(|running| Arc::clone(&running.session));
        session.filter(|session| !session.is_over())
    }

    /// Ends the session, and waits until the socket is closed.
    async fn end_session(&self) {
        let running = self.running().take();
        if let Some(Running { session, accepting }) = running {
            session.end();
            // It can only fail by a panic that was told already.
            let _ = accepting.await;
        }
    }
}
