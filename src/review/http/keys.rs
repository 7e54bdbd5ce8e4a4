//! The token of the page, and how a browser comes by it.
//!
//! The address with the token must not be given to the program that opens it: the arguments of
//! programs can be listed by every user of the machine. That program gets an address that works
//! once and leads to the other. Whoever reads it from the list can be faster than the browser; then
//! the browser comes second, by which it is known, and the token is replaced.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::token::Token;

/// Time in which a browser must have started.
const OPENING_TIME: Duration = Duration::from_secs(120);

/// The token, and the code that opens the page once.
pub struct Keys {
    port: u16,
    file: Option<PathBuf>,
    token: RwLock<Token>,
    /// Changes with the token.
    renewals: watch::Sender<u64>,
    opening: Mutex<Option<Opening>>,
    /// Is told the address with a new token.
    on_renewal: Option<fn(&str)>,
}

struct Opening {
    code: Token,
    until: Instant,
    is_used: bool,
}

/// What came of showing a code.
#[derive(Debug)]
pub enum Opened {
    /// The page may have the token.
    Token(Token),
    /// The code had been used. There is another token now.
    Again,
    /// There is no such code.
    Unknown,
}

impl Keys {
    /// Takes the token of the run before or a new one.
    ///
    /// # Errors
    /// If there are no random bytes or the file cannot be written.
    pub fn new(port: u16, file: Option<PathBuf>, on_renewal: Option<fn(&str)>) -> io::Result<Self> {
        let token = file
            .as_ref()
            .map_or_else(Token::draw, |file| Token::keep(file, port))?;
        let (token, opening) = (RwLock::new(token), Mutex::default());
        let renewals = watch::channel(0).0;
        Ok(Self {
            port,
            file,
            token,
            renewals,
            opening,
            on_renewal,
        })
    }

    /// The token that counts now.
    pub fn token(&self) -> Token {
        self.token
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Changes when the token does.
    pub fn renewals(&self) -> watch::Receiver<u64> {
        self.renewals.subscribe()
    }

    /// The address without the token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The address with the token behind `#`.
    pub fn secret_address(&self) -> String {
        format!("{}#{}", self.address(), self.token().as_str())
    }

    /// An address that leads to the page once, within two minutes.
    ///
    /// # Errors
    /// If there are no random bytes.
    pub fn opening_address(&self) -> io::Result<String> {
        let code = Token::draw()?;
        let address = format!("{}open/{}", self.address(), code.as_str());
        let opening = Opening {
            code,
            until: Instant::now() + OPENING_TIME,
            is_used: false,
        };
        *self.opening.lock().unwrap_or_else(PoisonError::into_inner) = Some(opening);
        Ok(address)
    }

    /// Shows a code. If it was shown before, one of the two was not the browser of the person, so
    /// that the token is replaced.
    ///
    /// # Errors
    /// If the token cannot be replaced.
    pub fn open(&self, code: &str) -> io::Result<Opened> {
        let mut slot = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slot
            .as_mut()
            .filter(|opening| opening.code.matches(code.as_bytes()));
        let Some(opening) = known.filter(|opening| Instant::now() < opening.until) else {
            return Ok(Opened::Unknown);
        };
        if !opening.is_used {
            opening.is_used = true;
            return Ok(Opened::Token(self.token()));
        }
        *slot = None;
        drop(slot);
        self.renew()?;
        Ok(Opened::Again)
    }

    fn renew(&self) -> io::Result<()> {
        let token = Token::draw()?;
        // From here on the old one is worth nothing, whatever becomes of the file.
        *self.token.write().unwrap_or_else(PoisonError::into_inner) = token.clone();
        self.renewals.send_modify(|count| *count += 1);
        if let Some(tell) = self.on_renewal {
            tell(&self.secret_address());
        }
        self.file
            .as_ref()
            .map_or(Ok(()), |file| token.write(file, self.port))
    }
}

/// Hides the token.
impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys")
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}
