//! A client that sends exactly the bytes that it is given.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Longest wait for a server that does not answer; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A reply as it came.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// The values of a header, whose name is given in lower case.
    pub fn header(&self, name: &str) -> Vec<&str> {
        let has_name = |(known, _): &&(String, String)| known == name;
        self.headers
            .iter()
            .filter(has_name)
            .map(|(_, value)| value.as_str())
            .collect()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

/// Connects to a port of this machine.
pub fn connect(port: u16) -> BufReader<TcpStream> {
    connect_to((IpAddr::V4(Ipv4Addr::LOCALHOST), port).into())
}

pub fn connect_to(address: SocketAddr) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(address).expect("the server accepts");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream.set_write_timeout(Some(PATIENCE)).expect("a timeout");
    BufReader::new(stream)
}

/// Sends bytes; that the server has closed the connection meanwhile is no fault.
pub fn send(connection: &mut BufReader<TcpStream>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    connection.get_mut().write_all(bytes.as_ref())
}

/// Sends bytes on a connection of their own and reads one reply.
pub fn ask(port: u16, bytes: impl AsRef<[u8]>) -> Response {
    let mut connection = connect(port);
    send(&mut connection, bytes).expect("the request is sent");
    receive(&mut connection).expect("a reply")
}

/// Reads the status and headers of a reply.
pub fn receive_head(connection: &mut BufReader<TcpStream>) -> Option<Response> {
    let first = read_line(connection)?;
    let status = first
        .strip_prefix("HTTP/1.1 ")
        .expect("a status line")
        .split(' ')
        .next();
    let status = status.expect("a status").parse().expect("a number");
    let mut headers = Vec::new();
    loop {
        let line = read_line(connection)?;
        if line.is_empty() {
            return Some(Response {
                status,
                headers,
                body: Vec::new(),
            });
        }
        let (name, value) = line.split_once(':').expect("a header");
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

/// Reads one reply, or `None` if the connection ends before.
pub fn receive(connection: &mut BufReader<TcpStream>) -> Option<Response> {
    let mut response = receive_head(connection)?;
    if response.status == 304 {
        return Some(response);
    }
    match response.header("content-length").first() {
        Some(length) => {
            response.body = vec![0; length.parse().expect("a length")];
            connection.read_exact(&mut response.body).ok()?;
        }
        None if response.header("transfer-encoding") == ["chunked"] => {
            while let Some(chunk) = receive_chunk(connection).filter(|chunk| !chunk.is_empty()) {
                response.body.extend(chunk);
            }
        }
        None => {}
    }
    Some(response)
}

/// Reads one chunk of a body; the last one is empty.
pub fn receive_chunk(connection: &mut BufReader<TcpStream>) -> Option<Vec<u8>> {
    let length = usize::from_str_radix(&read_line(connection)?, 16).expect("a length of a chunk");
    let mut chunk = vec![0; length];
    connection.read_exact(&mut chunk).ok()?;
    read_line(connection)?.is_empty().then_some(chunk)
}

/// Whether the server has closed the connection, or does so.
pub fn is_closed(connection: &mut BufReader<TcpStream>) -> bool {
    match connection.fill_buf() {
        Ok(bytes) => bytes.is_empty(),
        Err(e) => e.kind() == io::ErrorKind::ConnectionReset,
    }
}

fn read_line(connection: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    match connection.read_line(&mut line) {
        Ok(0) => None,
        Ok(_) => Some(line.trim_end().to_owned()),
        Err(e) if e.kind() == io::ErrorKind::ConnectionReset => None,
        Err(e) => panic!("no reply: {e}"),
    }
}
