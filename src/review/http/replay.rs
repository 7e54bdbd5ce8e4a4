//! Replies that are given again when a request comes again, so that nothing is done twice.

use std::collections::VecDeque;

use hyper::StatusCode;
use hyper::body::Bytes;

/// Replies that are kept.
const MAX_REPLIES: usize = 256;

/// Bytes of the replies that are kept; the last one is kept whatever its size.
const MAX_REPLY_BYTES: usize = 16 << 20;

/// Longest key.
pub const MAX_KEY_BYTES: usize = 64;

/// The status and body of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptReply {
    /// Its status.
    pub status: StatusCode,
    /// The JSON.
    pub body: Bytes,
}

/// The last replies, by where the request went and its key.
#[derive(Debug, Default)]
pub struct Replay {
    replies: VecDeque<(String, String, KeptReply)>,
    bytes: usize,
}

impl Replay {
    /// The reply to an earlier request with this key.
    #[must_use]
    pub fn find(&self, path: &str, key: &str) -> Option<KeptReply> {
        let is_same = |(p, k, _): &&(String, String, KeptReply)| p == path && k == key;
        self.replies
            .iter()
            .find(is_same)
            .map(|(_, _, reply)| reply.clone())
    }

    /// Keeps a reply, and forgets the oldest where there are too many.
    pub fn keep(&mut self, path: &str, key: &str, reply: KeptReply) {
        self.bytes += reply.body.len();
        self.replies
            .push_back((path.to_owned(), key.to_owned(), reply));
        while self.replies.len() > MAX_REPLIES
            || (self.bytes > MAX_REPLY_BYTES && self.replies.len() > 1)
        {
            if let Some((_, _, oldest)) = self.replies.pop_front() {
                self.bytes -= oldest.body.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(body: Vec<u8>) -> KeptReply {
        KeptReply {
            status: StatusCode::OK,
            body: body.into(),
        }
    }

    #[test]
    fn a_key_counts_for_one_path() {
        let mut replay = Replay::default();
        replay.keep("/a", "k", reply(vec![1]));
        replay.keep("/b", "k", reply(vec![2]));
        assert_eq!(replay.find("/a", "k"), Some(reply(vec![1])));
        assert_eq!(replay.find("/b", "k"), Some(reply(vec![2])));
        assert_eq!(replay.find("/c", "k"), None);
        assert_eq!(replay.find("/a", "j"), None);
    }

    #[test]
    fn what_is_kept_is_bounded_by_number_and_by_size() {
        let mut replay = Replay::default();
        for i in 0..1000 {
            replay.keep("/a", &i.to_string(), reply(vec![0; 10]));
        }
        assert_eq!((replay.replies.len(), replay.bytes), (256, 2560));
        assert_eq!(replay.find("/a", "743"), None);
        assert!(replay.find("/a", "744").is_some());
        replay.keep("/a", "large", reply(vec![0; 17 << 20]));
        assert_eq!((replay.replies.len(), replay.bytes), (1, 17 << 20));
        replay.keep("/a", "small", reply(vec![0; 10]));
        assert_eq!((replay.replies.len(), replay.bytes), (1, 10));
        assert!(replay.find("/a", "small").is_some());
    }
}
