//! Answers the requests of the page.

use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONNECTION, HeaderMap, HeaderValue, LOCATION};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::{Semaphore, watch};

use super::access::{Access, check_token};
use super::body::{MAX_PICTURE_BYTES, read_body, read_json};
use super::connection::{Caller, Handler, ReplyFuture};
use super::events::{MAX_STREAMS, open_stream};
use super::keys::{Keys, Opened};
use super::lane::Lane;
use super::limits::Limits;
use super::page_files::page_file;
use super::phones::Phones;
use super::query::{Query, malformed};
use super::replay::{KeptReply, MAX_KEY_BYTES, Replay};
use super::reply::{JSON, Reply, add_security_headers, json, refused, tagged, whole};
use super::routes::{Route, check_page_size};
use crate::review::backend::{AnswersBody, Backend, Picture, PictureSource, Rectangle, Refusal};

/// Longest name of a picture in characters.
const MAX_NAME_CHARS: usize = 200;

/// Threads for everything that [`Lanes`] may do at once.
pub const MAX_BLOCKING_THREADS: usize = 16;

/// What is done at once, by kind, so that looking never waits for changing.
struct Lanes {
    /// Games and lists.
    look: Lane,
    /// Pictures that are sent.
    draw: Lane,
    /// Answers, undo and redo: one after the other.
    change: Lane,
    /// Export, which may wait for games that are still being decoded.
    export: Lane,
}

/// The server of the page.
pub struct Site {
    backend: Arc<dyn Backend>,
    access: Access,
    keys: Arc<Keys>,
    lanes: Lanes,
    /// Pictures that are received at once; each takes memory.
    uploads: Semaphore,
    upload: Lane,
    replay: Arc<Mutex<Replay>>,
    streams: Arc<Semaphore>,
    phones: Option<Arc<Phones>>,
    limits: Limits,
    stop: watch::Receiver<bool>,
}

/// The body of a change other than answers.
#[derive(Deserialize)]
struct ChangeBody {
    key: Option<String>,
}

/// The body of a decision on a phone.
#[derive(Deserialize)]
struct AdmitBody {
    admit: bool,
}

impl Site {
    /// Makes the server of a backend.
    pub fn new(
        backend: Arc<dyn Backend>,
        access: Access,
        keys: Arc<Keys>,
        phones: Option<Arc<Phones>>,
        limits: Limits,
        stop: watch::Receiver<bool>,
    ) -> Self {
        let lanes = Lanes {
            look: Lane::new(4),
            draw: Lane::new(4),
            change: Lane::new(1),
            export: Lane::new(1),
        };
        Self {
            backend,
            access,
            keys,
            lanes,
            uploads: Semaphore::new(2),
            upload: Lane::new(1),
            replay: Arc::default(),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
            phones,
            limits,
            stop,
        }
    }

    async fn answer(&self, parts: &Parts, body: Incoming, caller: &Caller) -> Reply {
        let path = parts.uri.path();
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let is_api = segments.first() == Some(&"api");
        let outcome = match self.access.check_source(parts) {
            Err(refusal) => Err(refusal),
            Ok(()) if is_api => self.answer_api(parts, &segments[1..], body, caller).await,
            Ok(()) => self.answer_page(parts, &segments).await,
        };
        let mut reply = outcome.unwrap_or_else(|refusal| refused(&refusal));
        add_security_headers(&mut reply, if is_api { "no-store" } else { "no-cache" });
        reply
    }

    /// Answers a request for a file of the page, or to open it.
    async fn answer_page(&self, parts: &Parts, path: &[&str]) -> Result<Reply, Refusal> {
        let name = match path {
            [""] => Some("index.html"),
            ["page", name] => Some(*name),
            ["open", _] => None,
            _ => return Err(not_found()),
        };
        if parts.method != Method::GET {
            return Ok(wrong_method(&Method::GET));
        }
        match name {
            Some(name) => page_file(name, &parts.headers).ok_or_else(not_found),
            None => self.open_page(path[1]).await,
        }
    }

    /// Leads a browser that shows the code to the page.
    async fn open_page(&self, code: &str) -> Result<Reply, Refusal> {
        let hint = "open the address that the terminal shows now";
        let opened = self.keys.open(code).map_err(|e| {
            Refusal::new(
                500,
                format!("the token cannot be replaced: {e}"),
                "start again",
            )
        })?;
        match opened {
            Opened::Unknown => Err(Refusal::new(
                404,
                "this address is not valid any more",
                hint,
            )),
            Opened::Again => {
                if let Some(phones) = &self.phones {
                    phones.stop().await;
                }
                let error = "this address was opened twice, perhaps by another user of this \
                             machine, so that all pages of the review were closed";
                Err(Refusal::new(403, error, hint))
            }
            Opened::Token(token) => {
                let mut reply = whole(StatusCode::SEE_OTHER, "text/plain", Bytes::new());
                let headers = reply.headers_mut();
                headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
                if let Ok(page) = HeaderValue::from_str(&format!("/#{}", token.as_str())) {
                    headers.insert(LOCATION, page);
                }
                Ok(reply)
            }
        }
    }

    async fn answer_api(
        &self,
        parts: &Parts,
        path: &[&str],
        body: Incoming,
        caller: &Caller,
    ) -> Result<Reply, Refusal> {
        check_token(&self.keys.token(), &parts.headers)?;
        caller.trust();
        let (method, route) = Route::parse(path).ok_or_else(not_found)?;
        if parts.method != method {
            return Ok(wrong_method(&method));
        }
        if method == Method::GET {
            self.show(parts, route).await
        } else {
            self.change(parts, route, body).await
        }
    }

    /// Answers a request that changes nothing.
    async fn show(&self, parts: &Parts, route: Route) -> Result<Reply, Refusal> {
        let query = Query::parse(parts.uri.query().unwrap_or_default())?;
        let headers = &parts.headers;
        match route {
            Route::Run => self.look(|backend| Ok(backend.run())).await,
            Route::Games => self.look(|backend| Ok(backend.games())).await,
            Route::Game(game) => self.look(move |backend| backend.game(&game)).await,
            Route::Candidates(game, place) => {
                self.look(move |backend| backend.candidates(&game, &place))
                    .await
            }
            Route::Page(sheet) => {
                let side = check_page_size(query.number("w")?)?;
                self.draw(headers, move |backend| backend.page(&sheet, side))
                    .await
            }
            Route::Cell(sheet, row, side) => {
                self.draw(headers, move |backend| backend.cell(&sheet, row, side))
                    .await
            }
            Route::Strips(sheet) => {
                self.draw(headers, move |backend| backend.strips(&sheet))
                    .await
            }
            Route::Region(sheet) => {
                let rectangle = parse_rectangle(&query)?;
                self.draw(headers, move |backend| backend.region(&sheet, rectangle))
                    .await
            }
            Route::Events => {
                let backend = Arc::clone(&self.backend);
                open_stream(
                    backend,
                    headers,
                    &self.streams,
                    self.limits.silence,
                    &self.keys,
                    self.stop.clone(),
                )
            }
            Route::Phones => Ok(json(
                &self
                    .phones
                    .as_ref()
                    .map_or(Value::Null, |phones| phones.state()),
            )),
            _ => Err(not_found()),
        }
    }

    /// Answers a request that changes something.
    async fn change(&self, parts: &Parts, route: Route, body: Incoming) -> Result<Reply, Refusal> {
        let headers = &parts.headers;
        let path = parts.uri.path();
        let change = &self.lanes.change;
        match route {
            Route::Answers(game) => {
                let answers: AnswersBody = read_json(headers, body, self.limits.body_time).await?;
                let key = Some(answers.key.clone());
                self.once(path, key, change, move |backend| {
                    backend.answer(&game, answers)
                })
                .await
            }
            Route::Undo => {
                let ChangeBody { key } = read_json(headers, body, self.limits.body_time).await?;
                self.once(path, key, change, |backend| backend.undo()).await
            }
            Route::Redo => {
                let ChangeBody { key } = read_json(headers, body, self.limits.body_time).await?;
                self.once(path, key, change, |backend| backend.redo()).await
            }
            Route::Export => {
                let ChangeBody { key } = read_json(headers, body, self.limits.body_time).await?;
                self.once(path, key, &self.lanes.export, |backend| backend.export())
                    .await
            }
            Route::Pictures => self.take_picture(parts, body).await,
            Route::StartPhones => self.phones()?.start().await.map(|state| json(&state)),
            Route::StopPhones => Ok(json(&self.phones()?.stop().await)),
            Route::AdmitPhone(phone) => {
                let AdmitBody { admit } = read_json(headers, body, self.limits.body_time).await?;
                self.phones()?.admit(phone, admit).map(|state| json(&state))
            }
            _ => Err(not_found()),
        }
    }

    fn phones(&self) -> Result<&Arc<Phones>, Refusal> {
        let hint = "start `sheetscan review` with --listen";
        self.phones
            .as_ref()
            .ok_or_else(|| Refusal::new(403, "this run takes no phones", hint))
    }

    async fn look(
        &self,
        call: impl FnOnce(&dyn Backend) -> Result<Value, Refusal> + Send + 'static,
    ) -> Result<Reply, Refusal> {
        let backend = Arc::clone(&self.backend);
        // The text is made there too, since that of a whole list takes a while.
        let work = move || Ok(Bytes::from(call(&*backend)?.to_string()));
        Ok(whole(
            StatusCode::OK,
            JSON,
            self.lanes.look.run(work).await?,
        ))
    }

    async fn draw(
        &self,
        headers: &HeaderMap,
        call: impl FnOnce(&dyn Backend) -> Result<Picture, Refusal> + Send + 'static,
    ) -> Result<Reply, Refusal> {
        let backend = Arc::clone(&self.backend);
        let picture = self.lanes.draw.run(move || call(&*backend)).await?;
        Ok(tagged(
            headers,
            &picture.etag,
            "image/jpeg",
            picture.jpeg.into(),
        ))
    }

    /// Does a change, or gives the reply of the first time if the same request comes again.
    async fn once(
        &self,
        path: &str,
        key: Option<String>,
        lane: &Lane,
        call: impl FnOnce(&dyn Backend) -> Result<Value, Refusal> + Send + 'static,
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
                Ok(value) => (StatusCode::OK.as_u16(), value),
                Err(refusal) => (refusal.status, refusal.to_json()),
            };
            let reply = KeptReply {
                status,
                body: value.to_string().into(),
            };
            // What failed here, as on a full disk, may succeed the next time.
            if let Some(key) = key.filter(|_| status < 500) {
                lock().keep(&path, &key, reply.clone());
            }
            Ok(reply)
        };
        let KeptReply { status, body } = lane.run(work).await?;
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Ok(whole(status, JSON, body))
    }

    async fn take_picture(&self, parts: &Parts, body: Incoming) -> Result<Reply, Refusal> {
        let query = Query::parse(parts.uri.query().unwrap_or_default())?;
        let name = plain_name(query.text("name").unwrap_or_default())
            .ok_or_else(|| malformed("the picture has no name"))?;
        let _place = self.uploads.acquire().await;
        let bytes = read_body(
            &parts.headers,
            body,
            MAX_PICTURE_BYTES,
            self.limits.body_time,
        )
        .await?;
        let backend = Arc::clone(&self.backend);
        let work = move || backend.add_picture(PictureSource::Page, &name, bytes);
        let added = self.upload.run(work).await?;
        Ok(json(&added))
    }
}

impl Handler for Site {
    fn handle(self: Arc<Self>, request: Request<Incoming>, caller: Caller) -> ReplyFuture {
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            self.answer(&parts, body, &caller).await
        })
    }
}

pub(super) fn not_found() -> Refusal {
    Refusal::new(404, "there is no such thing here", "load the page anew")
}

/// Says which method a path has. What was sent with the other is not read.
pub(super) fn wrong_method(method: &Method) -> Reply {
    let error = format!("this can only be asked with {method}");
    let mut reply = refused(&Refusal::new(405, error, "load the page anew"));
    if let Ok(value) = HeaderValue::from_str(method.as_str()) {
        reply.headers_mut().insert(ALLOW, value);
    }
    reply
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

fn parse_rectangle(query: &Query) -> Result<Rectangle, Refusal> {
    let number = |name| {
        query
            .number::<u32>(name)?
            .ok_or_else(|| malformed("a region has x, y, w and h"))
    };
    let (x, y, width, height) = (number("x")?, number("y")?, number("w")?, number("h")?);
    if width == 0 || height == 0 {
        return Err(malformed("a region is at least one pixel wide and high"));
    }
    Ok(Rectangle {
        x,
        y,
        width,
        height,
    })
}

/// A file's name without folders and control characters, or `None` if nothing is left of it.
fn plain_name(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .filter(|c| !c.is_control())
        .take(MAX_NAME_CHARS)
        .collect();
    let plain = plain.trim();
    (!matches!(plain, "" | "." | "..")).then(|| plain.to_owned())
}
