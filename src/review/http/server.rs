//! Starting and stopping the server.

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::access::Access;
use super::bind::bind_loopback;
use super::calls::MAX_BLOCKING_THREADS;
use super::connection::{Door, accept_all, until_true};
use super::keys::Keys;
use super::limits::Limits;
use super::phones::Phones;
use super::site::Site;
use crate::review::backend::Backend;

/// Time that requests have to end when the server stops.
const DRAIN_TIME: Duration = Duration::from_secs(3);

/// How often it is looked whether they have.
const DRAIN_STEP: Duration = Duration::from_millis(20);

/// Time that calls of the backend have to end after that.
const FINISH_TIME: Duration = Duration::from_secs(20);

/// How a server is to be started.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// The port; without one, the usual one or else any that is free.
    pub port: Option<u16>,
    /// Where the token is kept, so that an open page goes on working after a restart. It belongs
    /// into a folder of the person's own.
    pub token_file: Option<PathBuf>,
    /// Is told the address with a new token, where the old one had to be replaced.
    pub on_new_address: Option<fn(&str)>,
    /// Whether phones may send pictures.
    pub phones: Option<PhoneOptions>,
    /// What clients may ask for.
    pub limits: Limits,
}

/// How phones may send pictures.
#[derive(Debug, Clone, Default)]
pub struct PhoneOptions {
    /// The address at which they reach this machine; without one, it is found.
    pub address: Option<IpAddr>,
}

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port cannot be had.
    #[error("port {port} cannot be used: {source}; leave --port out, or name another")]
    Port {
        /// The port that was asked for.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
    /// No port can be had.
    #[error("no port of this machine can be used: {0}")]
    NoPort(io::Error),
    /// The token can be neither read nor written.
    #[error("{}: the token of the review cannot be kept there: {source}", file.display())]
    TokenFile {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Anything else that the system refuses.
    #[error("the server of the review cannot be started: {0}")]
    System(#[from] io::Error),
}

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Server {
    port: u16,
    keys: Arc<Keys>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Binds this machine's own addresses and answers requests from now on.
    ///
    /// # Errors
    /// If no port can be had or the token cannot be kept.
    pub fn start(options: ServerOptions, backend: Arc<dyn Backend>) -> Result<Self, ServerError> {
        let (sockets, port) = bind_loopback(options.port).map_err(|source| match options.port {
            Some(port) => ServerError::Port { port, source },
            None => ServerError::NoPort(source),
        })?;
        let keys = Keys::new(port, options.token_file.clone(), options.on_new_address);
        let keys = Arc::new(keys.map_err(|source| match options.token_file {
            Some(file) => ServerError::TokenFile { file, source },
            None => ServerError::System(source),
        })?);
        let (stop, stopped) = watch::channel(false);
        let limits = options.limits;
        let phones = options.phones.map(|PhoneOptions { address }| {
            Arc::new(Phones::new(
                address,
                limits,
                Arc::clone(&backend),
                stopped.clone(),
            ))
        });
        let access = Access::loopback(port);
        let site = Site::new(
            backend,
            access,
            Arc::clone(&keys),
            phones,
            limits,
            stopped.clone(),
        );
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(MAX_BLOCKING_THREADS)
            .build()?;
        for socket in &sockets {
            socket.set_nonblocking(true)?;
        }
        let listeners = {
            let _inside = runtime.enter();
            sockets
                .into_iter()
                .map(TcpListener::from_std)
                .collect::<io::Result<Vec<_>>>()?
        };
        let thread = thread::Builder::new()
            .name("review-server".to_owned())
            .spawn(move || {
                runtime.block_on(serve_until(listeners, Arc::new(site), limits, stopped));
                // Answers that are being written are written to their end.
                runtime.shutdown_timeout(FINISH_TIME);
            })?;
        Ok(Self {
            port,
            keys,
            stop,
            thread: Some(thread),
        })
    }

    /// The port at which it listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address without the token, which may be shown to anybody.
    #[must_use]
    pub fn address(&self) -> String {
        self.keys.address()
    }

    /// The address that opens the page, with the token behind `#`, where no log has it. It belongs
    /// on the terminal and into no argument of a program.
    #[must_use]
    pub fn secret_address(&self) -> String {
        self.keys.secret_address()
    }

    /// An address for the program that opens the browser. It works once, within two minutes.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn opening_address(&self) -> io::Result<String> {
        self.keys.opening_address()
    }

    /// Stops: no request is taken any more, those under way are given a moment, and answers that
    /// are being written are written.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // The thread can only end by a panic that was told already.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// Serves until the server is stopped, and a moment longer for requests that are under way.
async fn serve_until(
    listeners: Vec<TcpListener>,
    site: Arc<Site>,
    limits: Limits,
    mut stopped: watch::Receiver<bool>,
) {
    let door = Arc::new(Door::new(limits));
    for listener in listeners {
        tokio::spawn(accept_all(
            listener,
            Arc::clone(&door),
            site.clone(),
            stopped.clone(),
        ));
    }
    until_true(&mut stopped).await;
    let deadline = Instant::now() + DRAIN_TIME;
    while !door.is_empty() && Instant::now() < deadline {
        sleep(DRAIN_STEP).await;
    }
}
