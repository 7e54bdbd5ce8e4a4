//! The sockets of the server.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};

/// The port that is tried first where none is given, so that a bookmark goes on working.
pub const USUAL_PORT: u16 = 7717;

/// Tries to find a port that is free for both addresses.
const MAX_TRIES: usize = 20;

/// Binds the loopback addresses of this machine, of IPv4 and, where there is one, of IPv6, at one
/// port: the given one, or the usual one or else any.
///
/// # Errors
/// If the port is taken, or is no port that one may take.
pub fn bind_loopback(port: Option<u16>) -> io::Result<(Vec<TcpListener>, u16)> {
    if let Some(port) = port {
        return bind_both(port);
    }
    let mut outcome = bind_both(USUAL_PORT);
    for _ in 0..MAX_TRIES {
        if outcome.is_ok() {
            break;
        }
        outcome = bind_both(0);
    }
    outcome
}

/// Binds both addresses or neither: another program behind one of them could pass for this one.
fn bind_both(port: u16) -> io::Result<(Vec<TcpListener>, u16)> {
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let port = first.local_addr()?.port();
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
        Ok(second) => Ok((vec![first, second], port)),
        Err(e) if is_taken(&e) => Err(e),
        // This machine has no IPv6.
        Err(_) => Ok((vec![first], port)),
    }
}

/// Whether another program has the port. Windows says "denied" where that program shares it with
/// nobody.
fn is_taken(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied
    )
}

/// Binds an address of the local network.
///
/// # Errors
/// If this machine has no such address.
pub fn bind_network(address: IpAddr, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let bind = |port| TcpListener::bind((address, port));
    let listener = bind(port).or_else(|_| bind(0))?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// The address under which others on the network reach this machine: the one from which it would
/// send to the world. Nothing is sent.
///
/// # Errors
/// If there is no network.
pub fn network_address() -> io::Result<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    // An address for examples (RFC 5737).
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
    Ok(socket.local_addr()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_addresses_are_bound_and_no_port_is_shared() {
        let (sockets, port) = bind_loopback(Some(0)).expect("a free port");
        for socket in &sockets {
            let address = socket.local_addr().expect("an address");
            assert!(address.ip().is_loopback(), "{address}");
            assert_eq!(address.port(), port);
        }
        let taken = bind_loopback(Some(port)).expect_err("it is taken");
        assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
    }

    #[test]
    fn a_port_that_is_taken_on_one_address_is_not_used_on_the_other() {
        let Ok(other) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) else {
            eprintln!("skipped: there is no IPv6 here");
            return;
        };
        let port = other.local_addr().expect("an address").port();
        assert!(bind_loopback(Some(port)).is_err());
    }
}
