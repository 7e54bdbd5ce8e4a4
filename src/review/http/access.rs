//! Who may ask: the rules that are applied before a request is looked at any further.
//!
//! Another page in the same browser can send requests here, under any name that its owner lets
//! point to this machine (DNS rebinding), and every user of this machine can. The names tell the
//! first two, the token the last.

use hyper::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use hyper::http::request::Parts;

use super::token::Token;
use crate::review::backend::Refusal;

/// The header that carries the token.
pub const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-sheetscan");

/// Says which page made a request, in a way that no page can change.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Longest path and query in bytes.
pub const MAX_TARGET_BYTES: usize = 2048;

/// The names under which a server may be called.
#[derive(Debug)]
pub struct Access {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Access {
    /// Allows exactly these values of `Host`, each with its port.
    #[must_use]
    pub fn new(hosts: Vec<String>) -> Self {
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Self { hosts, origins }
    }

    /// Allows the names of this machine, and no others.
    #[must_use]
    pub fn loopback(port: u16) -> Self {
        Self::new(
            ["127.0.0.1", "localhost", "[::1]"]
                .map(|name| format!("{name}:{port}"))
                .into(),
        )
    }

    /// Checks where a request goes and whence it comes, before it is known what it asks for.
    ///
    /// # Errors
    /// 403 for a foreign name or page, 414 for an address that is too long.
    pub fn check_source(&self, request: &Parts) -> Result<(), Refusal> {
        let target = &request.uri;
        if target.authority().is_some() || target.scheme().is_some() {
            return Err(forbidden("the address is one for a proxy"));
        }
        let host = only_one(&request.headers, &HOST)
            .map_err(|()| forbidden("there are several Host headers"))?
            .ok_or_else(|| forbidden("there is no Host header"))?;
        if !self
            .hosts
            .iter()
            .any(|own| own.as_bytes() == host.as_bytes())
        {
            return Err(forbidden("the Host header does not name this server"));
        }
        let site = only_one(&request.headers, &SEC_FETCH_SITE)
            .map_err(|()| forbidden("there are several Sec-Fetch-Site headers"))?;
        // `same-site` is another port of this machine: another program's page.
        if site.is_some_and(|site| site != "same-origin" && site != "none") {
            // Such is a link in a terminal that is a page itself.
            let hint = "paste the address that `sheetscan review` printed into the address bar";
            return Err(Refusal::new(403, "another page sent this request", hint));
        }
        let origin = only_one(&request.headers, &ORIGIN)
            .map_err(|()| forbidden("there are several Origin headers"))?;
        if let Some(origin) = origin
            && !self
                .origins
                .iter()
                .any(|own| own.as_bytes() == origin.as_bytes())
        {
            return Err(forbidden("a page of another origin sent this request"));
        }
        if target
            .path_and_query()
            .is_some_and(|text| text.as_str().len() > MAX_TARGET_BYTES)
        {
            return Err(Refusal::new(
                414,
                "the address is too long",
                format!("an address has at most {MAX_TARGET_BYTES} bytes"),
            ));
        }
        Ok(())
    }
}

/// Checks the token, which must be there once.
///
/// # Errors
/// 401 without the right token.
pub fn check_token(token: &Token, headers: &HeaderMap) -> Result<(), Refusal> {
    match only_one(headers, &TOKEN_HEADER) {
        Ok(Some(shown)) if token.matches(shown.as_bytes()) => Ok(()),
        _ => Err(Refusal::new(
            401,
            "this request lacks the token of the review",
            "open the address that `sheetscan review` printed, with all that follows the #",
        )),
    }
}

/// The value of a header that may be there once at most.
pub(super) fn only_one<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a HeaderValue>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        _ => Err(()),
    }
}

fn forbidden(error: &str) -> Refusal {
    Refusal::new(
        403,
        error,
        "open the address that `sheetscan review` printed",
    )
}
