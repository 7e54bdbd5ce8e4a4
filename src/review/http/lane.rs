//! Calls to the backend, which may take seconds, outside the thread that talks to clients.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::review::backend::Refusal;

/// Work of one kind, so much at a time. What waits starts in the order in which it came.
#[derive(Debug, Clone)]
pub struct Lane(Arc<Semaphore>);

impl Lane {
    /// Makes a lane for `width` calls at a time.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self(Arc::new(Semaphore::new(width)))
    }

    /// Does something on a thread of its own. Once begun it is done to its end, even if the client
    /// hangs up, and keeps its place in the lane until then.
    ///
    /// # Errors
    /// What the work refuses; 500 if it panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: Box<dyn FnOnce() -> Result<T, Refusal> + Send>,
    ) -> Result<T, Refusal> {
        let failed = |error| Refusal::new(500, error, "see what the terminal says, then try again");
        let place = Arc::clone(&self.0).acquire_owned().await;
        let place = place.map_err(|_| failed("the review is ending"))?;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        done.await
            .unwrap_or_else(|_| Err(failed("the review could not do this")))
    }
}
