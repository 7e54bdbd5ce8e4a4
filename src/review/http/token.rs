//! The secret that a page shows with each request.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// Bytes of a token: 128 random bits.
const TOKEN_BYTES: usize = 16;

/// More bytes than a file of a token ever has: a port, the digits and their separators.
const MAX_FILE_BYTES: u64 = 64;

/// Age from which a token is not kept. While no review runs, another user of the machine can take
/// its port, and a page that is still open would show the token there.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// 128 random bits as 32 lower-case hex digits.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Draws a token.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn draw() -> io::Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
        Ok(Self(hex(&bytes)))
    }

    /// The digits. They belong into the address that the person opens and nowhere else.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether these are the digits, in a time that does not depend on them.
    #[must_use]
    pub fn matches(&self, shown: &[u8]) -> bool {
        let own = self.0.as_bytes();
        // The length of a token is no secret.
        own.len() == shown.len()
            && black_box(
                own.iter()
                    .zip(shown)
                    .fold(0, |sum, (a, b)| black_box(sum | (a ^ b))),
            ) == 0
    }

    /// The token of the run before, so that a page which is still open goes on working; else a new
    /// one. Either is then in the file, which nobody but its owner can read. At another port no
    /// page can know the old token, so that it is not kept there; nor is it after a day.
    ///
    /// # Errors
    /// If there are no random bytes or the file cannot be written.
    pub fn keep(file: &Path, port: u16) -> io::Result<Self> {
        if let Ok(Some((old_port, token))) = read_private(file)
            && old_port == port
        {
            return Ok(token);
        }
        let token = Self::draw()?;
        token.write(file, port)?;
        Ok(token)
    }

    /// Writes the token to a file that only its owner can read, in place of what is there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, file: &Path, port: u16) -> io::Result<()> {
        match fs::remove_file(file) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => create_private(file)?.write_all(format!("{port} {}\n", self.0).as_bytes()),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let is_digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 2 * TOKEN_BYTES && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }
}

/// Hides the digits, so that no log has them.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Lower-case hex digits of some bytes.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The port and token of a file that only its owner, who is the one who runs this, can read or
/// write. In a folder that others can write to, somebody else could have put one there.
fn read_private(path: &Path) -> io::Result<Option<(u16, Token)>> {
    let file = open_existing(path)?;
    let age = file.metadata()?.modified()?.elapsed().ok();
    if !is_private(&file)? || age.is_none_or(|age| age > MAX_AGE) {
        return Ok(None);
    }
    let mut text = String::new();
    file.take(MAX_FILE_BYTES).read_to_string(&mut text)?;
    let parsed = text
        .strip_suffix('\n')
        .and_then(|line| line.split_once(' '));
    Ok(parsed.and_then(|(port, token)| Some((port.parse().ok()?, Token::parse(token)?))))
}

#[cfg(unix)]
fn open_existing(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // Without `NONBLOCK`, opening a named pipe would wait for a writer.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}

#[cfg(unix)]
fn is_private(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let facts = file.metadata()?;
    let own = facts.uid() == rustix::process::geteuid().as_raw();
    Ok(facts.is_file() && own && facts.mode() & 0o077 == 0)
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

#[cfg(not(unix))]
fn open_existing(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Elsewhere the folder of a person's own files keeps others out.
#[cfg(not(unix))]
fn is_private(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_matches_its_own_digits_only() {
        let token = Token::draw().expect("random bytes");
        let digits = token.as_str().to_owned();
        assert_eq!(digits.len(), 32);
        assert!(token.matches(digits.as_bytes()));
        assert!(!token.matches(b""));
        assert!(!token.matches(&digits.as_bytes()[..31]));
        assert!(!token.matches(format!("{digits}0").as_bytes()));
        assert!(
            !token.matches(
                digits
                    .to_uppercase()
                    .replace(char::is_numeric, "F")
                    .as_bytes()
            )
        );
        for i in 0..32 {
            let mut other = digits.clone().into_bytes();
            other[i] ^= 1;
            assert!(!token.matches(&other), "digit {i}");
        }
        assert!(!token.matches(Token::draw().expect("random bytes").as_str().as_bytes()));
        assert!(!format!("{token:?}").contains(&digits));
    }

    #[test]
    fn a_token_is_kept_for_its_port() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        let first = Token::keep(&file, 7717).expect("a token");
        let same = Token::keep(&file, 7717).expect("a token");
        assert_eq!(first.as_str(), same.as_str());
        let other = Token::keep(&file, 7718).expect("a token");
        assert_ne!(first.as_str(), other.as_str());
        let back = Token::keep(&file, 7717).expect("a token");
        assert_ne!(first.as_str(), back.as_str());
    }

    #[test]
    fn a_token_is_kept_for_a_day() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        let first = Token::keep(&file, 7717).expect("a token");
        let set_age = |hours: u64| {
            let then = std::time::SystemTime::now() - Duration::from_secs(3600 * hours);
            let file = OpenOptions::new()
                .write(true)
                .open(&file)
                .expect("the file");
            file.set_modified(then).expect("its time is set");
        };
        set_age(23);
        let same = Token::keep(&file, 7717).expect("a token");
        assert_eq!(first.as_str(), same.as_str());
        set_age(25);
        let other = Token::keep(&file, 7717).expect("a token");
        assert_ne!(first.as_str(), other.as_str());
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_can_read_or_that_is_a_link_is_not_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        let first = Token::keep(&file, 7717).expect("a token");
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        assert_eq!(mode(&file), 0o600);

        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("a file");
        let second = Token::keep(&file, 7717).expect("a token");
        assert_ne!(first.as_str(), second.as_str());
        assert_eq!(mode(&file), 0o600);

        let link = folder.path().join("link");
        symlink(&file, &link).expect("a link");
        let third = Token::keep(&link, 7717).expect("a token");
        assert_ne!(second.as_str(), third.as_str());
        let kept = Token::keep(&file, 7717).expect("a token");
        assert_eq!(
            second.as_str(),
            kept.as_str(),
            "the file behind the link is not changed"
        );
    }
}
