//! Calls of the backend for requests, and what they reply.

use std::sync::{Arc, Mutex, PoisonError};

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::HeaderMap;
use serde_json::Value;

use super::lane::Lane;
use super::query::malformed;
use super::replay::{KeptReply, MAX_KEY_BYTES, Replay};
use super::reply::{JSON, Reply, error_status, json, tagged, whole};
use crate::review::backend::{Backend, Picture, PictureSource, Refusal};

/// Threads for everything that [`Calls`] and a session of phones may do at once.
pub const MAX_BLOCKING_THREADS: usize = 16;

/// One call.
pub type Call<T> = Box<dyn FnOnce(&dyn Backend) -> Result<T, Refusal> + Send>;

/// The backend, and what is done at once, by kind, so that looking never waits for changing.
pub struct Calls {
    backend: Arc<dyn Backend>,
    replay: Arc<Mutex<Replay>>,
    /// Games and lists.
    look: Lane,
    /// Pictures that are sent.
    draw: Lane,
    /// Answers, undo and redo: one after the other.
    change: Lane,
    /// Export, which may wait for games that are still being decoded.
    export: Lane,
    /// Pictures that are added.
    add: Lane,
}

impl Calls {
    /// Makes the calls of a backend.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Self {
            backend,
            replay: Arc::default(),
            look: Lane::new(4),
            draw: Lane::new(4),
            change: Lane::new(1),
            export: Lane::new(1),
            add: Lane::new(1),
        }
    }

    /// The backend, for what does not block.
    pub fn backend(&self) -> &Arc<dyn Backend> {
        &self.backend
    }

    /// Replies with JSON.
    ///
    /// # Errors
    /// What the backend refuses.
    pub async fn look(&self, call: Call<Value>) -> Result<Reply, Refusal> {
        let backend = Arc::clone(&self.backend);
        // The text is made there too, since that of a whole list takes a while.
        let work = move || Ok(Bytes::from(call(&*backend)?.to_string()));
        Ok(whole(
            StatusCode::OK,
            JSON,
            self.look.run(Box::new(work)).await?,
        ))
    }

    /// Replies with a picture.
    ///
    /// # Errors
    /// What the backend refuses.
    pub async fn draw(&self, headers: &HeaderMap, call: Call<Picture>) -> Result<Reply, Refusal> {
        let backend = Arc::clone(&self.backend);
        let Picture { jpeg, etag } = self.draw.run(Box::new(move || call(&*backend))).await?;
        Ok(tagged(headers, &etag, "image/jpeg", jpeg.into()))
    }

    /// Changes something, or gives the reply of the first time if the same request comes again.
    ///
    /// # Errors
    /// 400 for a key of another length; what the backend refuses is a reply.
    pub async fn change(
        &self,
        path: &str,
        key: Option<String>,
        call: Call<Value>,
    ) -> Result<Reply, Refusal> {
        self.once(&self.change, path, key, call).await
    }

    /// Writes the outputs, as [`Self::change`].
    ///
    /// # Errors
    /// As [`Self::change`].
    pub async fn export(&self, path: &str, key: Option<String>) -> Result<Reply, Refusal> {
        self.once(
            &self.export,
            path,
            key,
            Box::new(|backend| backend.export()),
        )
        .await
    }

    /// Adds a picture that was dropped on the page.
    ///
    /// # Errors
    /// What the backend refuses.
    pub async fn add_picture(&self, name: String, bytes: Vec<u8>) -> Result<Reply, Refusal> {
        let backend = Arc::clone(&self.backend);
        let work = move || backend.add_picture(PictureSource::Page, &name, bytes);
        self.add.run(Box::new(work)).await.map(|added| json(&added))
    }

    async fn once(
        &self,
        lane: &Lane,
        path: &str,
        key: Option<String>,
        call: Call<Value>,
    ) -> Result<Reply, Refusal> {
        if key
            .as_ref()
            .is_some_and(|key| key.is_empty() || key.len() > MAX_KEY_BYTES)
        {
            return Err(malformed(&format!("key has 1 to {MAX_KEY_BYTES} bytes")));
        }
        let (backend, replay) = (Arc::clone(&self.backend), Arc::clone(&self.replay));
        let path = path.to_owned();
        let work = move || {
            // Requests of one path are in one lane, so that the first is done when the second
            // comes here.
            let lock = || replay.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(kept) = key.as_ref().and_then(|key| lock().find(&path, key)) {
                return Ok(kept);
            }
            let (status, value) = match call(&*backend) {
                Ok(value) => (StatusCode::OK, value),
                Err(refusal) => (error_status(&refusal), refusal.to_json()),
            };
            let reply = KeptReply {
                status,
                body: value.to_string().into(),
            };
            // What failed here, as on a full disk, may succeed the next time.
            if let Some(key) = key.filter(|_| !status.is_server_error()) {
                lock().keep(&path, &key, reply.clone());
            }
            Ok(reply)
        };
        let KeptReply { status, body } = lane.run(Box::new(work)).await?;
        Ok(whole(status, JSON, body))
    }
}
