//! How long and how much a client may ask for.

use std::time::Duration;

/// The limits in time and number. Those in bytes are constants beside what they bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections of one socket that are open at once. A browser opens 6 a page.
    pub connections: usize,
    /// Longest time for the head of a request, and for a connection to stay open between two.
    pub head_time: Duration,
    /// Longest time for the body of a request: a picture of 40 MiB at 350 KB/s.
    pub body_time: Duration,
    /// Longest time in which a client takes nothing of what is sent to it.
    pub stall_time: Duration,
    /// Silence after which a stream of events gives a sign of life.
    pub silence: Duration,
    /// Time after which no phone may send any more, until a person starts it again.
    pub phone_time: Duration,
    /// Pictures that phones may bring between a start and a stop.
    pub phone_pictures: usize,
    /// Bytes of all pictures that phones may bring between a start and a stop.
    pub phone_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 64,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(120),
            stall_time: Duration::from_secs(30),
            silence: Duration::from_secs(15),
            phone_time: Duration::from_secs(60 * 60),
            phone_pictures: 500,
            phone_bytes: 2 << 30,
        }
    }
}
