//! What happens in a review, told to every page that listens.
//!
//! ```
//! use sheetscan::review::events::Events;
//!
//! let events = Events::new("5f1c".to_owned());
//! let mut listener = events.listen();
//! events.publish("export", &serde_json::json!({ "open": 2 }));
//! assert_eq!(events.number(), 1);
//! # drop(listener.try_next());
//! ```

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::broadcast::{self, error};

/// Events that wait for the slowest listener. One who has missed more is told to fetch anew.
const MAX_WAITING_EVENTS: usize = 256;

/// Tells events to any number of listeners. It never waits for one, and keeps a bounded number of
/// events however slow they are.
#[derive(Debug)]
pub struct Events {
    epoch: String,
    number: Mutex<u64>,
    sender: broadcast::Sender<Event>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Counts the events of a run from 1.
    pub number: u64,
    /// `progress`, `game`, `final`, `export`, `games`, `event` or `phone`.
    pub name: &'static str,
    /// One line of JSON.
    pub data: Arc<str>,
}

/// What a listener hears next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// The next event.
    Event(Event),
    /// Some were missed, the last of which has this number.
    Missed(u64),
    /// There will be no more.
    End,
}

impl Events {
    /// Makes the events of a run. `epoch` differs between runs: letters, digits and `-`.
    #[must_use]
    pub fn new(epoch: String) -> Self {
        let (sender, _) = broadcast::channel(MAX_WAITING_EVENTS);
        Self {
            epoch,
            number: Mutex::new(0),
            sender,
        }
    }

    /// The name of the run.
    #[must_use]
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// The number of the last event, 0 before the first.
    #[must_use]
    pub fn number(&self) -> u64 {
        *self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells an event to all that listen now, and gives its number.
    pub fn publish(&self, name: &'static str, data: &Value) -> u64 {
        let data = data.to_string().into();
        // Held while the event is sent, so that events are told in the order of their numbers.
        let mut last = self.number.lock().unwrap_or_else(PoisonError::into_inner);
        *last += 1;
        // An error says that nobody listens.
        let _ = self.sender.send(Event {
            number: *last,
            name,
            data,
        });
        *last
    }

    /// Listens from now on.
    #[must_use]
    pub fn listen(&self) -> Listener {
        Listener(self.sender.subscribe())
    }

    /// How many listen.
    #[must_use]
    pub fn listeners(&self) -> usize {
        self.sender.receiver_count()
    }
}

/// Hears the events of a run.
#[derive(Debug)]
pub struct Listener(broadcast::Receiver<Event>);

impl Listener {
    /// Waits for the next event.
    pub async fn next(&mut self) -> Heard {
        match self.0.recv().await {
            Ok(event) => Heard::Event(event),
            Err(error::RecvError::Lagged(_)) => self.skip_missed(),
            Err(error::RecvError::Closed) => Heard::End,
        }
    }

    /// The next event, or `None` if there is none yet.
    pub fn try_next(&mut self) -> Option<Heard> {
        match self.0.try_recv() {
            Ok(event) => Some(Heard::Event(event)),
            Err(error::TryRecvError::Lagged(_)) => Some(self.skip_missed()),
            Err(error::TryRecvError::Empty) => None,
            Err(error::TryRecvError::Closed) => Some(Heard::End),
        }
    }

    /// Goes to the end. Whoever missed events fetches everything, what still waits included.
    fn skip_missed(&mut self) -> Heard {
        let mut last = 0;
        loop {
            match self.0.try_recv() {
                Ok(event) => last = event.number,
                Err(error::TryRecvError::Lagged(_)) => {}
                Err(error::TryRecvError::Empty) => return Heard::Missed(last),
                Err(error::TryRecvError::Closed) => return Heard::End,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_listener_that_missed_events_hears_only_the_number_of_the_last() {
        let events = Events::new("e".to_owned());
        let (mut slow, mut quick) = (events.listen(), events.listen());
        let count = 2 * MAX_WAITING_EVENTS as u64;
        for i in 1..=count {
            assert_eq!(events.publish("progress", &json!({ "i": i })), i);
            let data = format!("{{\"i\":{i}}}").into();
            let event = Event {
                number: i,
                name: "progress",
                data,
            };
            assert_eq!(quick.try_next(), Some(Heard::Event(event)));
        }
        assert_eq!(slow.try_next(), Some(Heard::Missed(count)));
        assert_eq!(slow.try_next(), None);
        events.publish("games", &json!({}));
        let next = Event {
            number: count + 1,
            name: "games",
            data: "{}".into(),
        };
        assert_eq!(slow.try_next(), Some(Heard::Event(next)));
    }
}
