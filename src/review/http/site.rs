//! Answers the requests of the page.

use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, HeaderValue, LOCATION};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::{Semaphore, watch};

use super::access::{Access, check_token};
use super::body::{MAX_JSON_BYTES, MAX_PICTURE_BYTES, parse_json, read_body};
use super::calls::{Call, Calls};
use super::connection::{Caller, Handler, ReplyFuture};
use super::events::{MAX_STREAMS, open_stream};
use super::keys::{Keys, Opened};
use super::limits::Limits;
use super::page_files::page_file;
use super::phones::Phones;
use super::query::{Query, malformed};
use super::reply::{Reply, add_security_headers, json, not_found, refused, whole, wrong_method};
use super::routes::{Route, check_page_size};
use crate::review::backend::{
    AnswersBody, AssignBody, Backend, JoinBody, PartBody, Picture, Rectangle, Refusal,
};

/// Longest name of a picture in characters.
const MAX_NAME_CHARS: usize = 200;

/// The server of the page.
pub struct Site {
    calls: Calls,
    access: Access,
    keys: Arc<Keys>,
    /// Pictures that are received at once; each takes memory.
    uploads: Semaphore,
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
        Self {
            calls: Calls::new(backend),
            access,
            keys,
            uploads: Semaphore::new(2),
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
        let look: Call<Value> = match route {
            Route::Run => Box::new(|backend| Ok(backend.run())),
            Route::Games => Box::new(|backend| Ok(backend.games())),
            Route::Game(game) => Box::new(move |backend| backend.game(&game)),
            Route::Event => Box::new(|backend| backend.event()),
            Route::Candidates(game, place) => {
                Box::new(move |backend| backend.candidates(&game, &place))
            }
            Route::Events => {
                let backend = Arc::clone(self.calls.backend());
                let silence = self.limits.silence;
                let stop = self.stop.clone();
                return open_stream(backend, headers, &self.streams, silence, &self.keys, stop);
            }
            Route::Phones => {
                let state = self
                    .phones
                    .as_ref()
                    .map_or(Value::Null, |phones| phones.state());
                return Ok(json(&state));
            }
            picture => return self.calls.draw(headers, drawing(picture, &query)?).await,
        };
        self.calls.look(look).await
    }

    /// Answers a request that changes something.
    async fn change(&self, parts: &Parts, route: Route, body: Incoming) -> Result<Reply, Refusal> {
        if route == Route::Pictures {
            return self.take_picture(parts, body).await;
        }
        let text = read_body(&parts.headers, body, MAX_JSON_BYTES, self.limits.body_time).await?;
        let path = parts.uri.path();
        match route {
            Route::Answers(game) => {
                let answers: AnswersBody = parse_json(&text)?;
                let key = Some(answers.key.clone());
                let call = Box::new(move |backend: &dyn Backend| backend.answer(&game, answers));
                self.calls.change(path, key, call).await
            }
            Route::Assign(game) => {
                let assign: AssignBody = parse_json(&text)?;
                let key = Some(assign.key.clone());
                let call = Box::new(move |backend: &dyn Backend| backend.assign(&game, assign));
                self.calls.change(path, key, call).await
            }
            Route::Join(game) => {
                let join: JoinBody = parse_json(&text)?;
                let key = Some(join.key.clone());
                let call = Box::new(move |backend: &dyn Backend| backend.join(&game, join));
                self.calls.change(path, key, call).await
            }
            Route::Part(game) => {
                let part: PartBody = parse_json(&text)?;
                let key = Some(part.key.clone());
                let call = Box::new(move |backend: &dyn Backend| backend.part(&game, part));
                self.calls.change(path, key, call).await
            }
            Route::Undo => {
                let ChangeBody { key } = parse_json(&text)?;
                self.calls
                    .change(path, key, Box::new(|backend| backend.undo()))
                    .await
            }
            Route::Redo => {
                let ChangeBody { key } = parse_json(&text)?;
                self.calls
                    .change(path, key, Box::new(|backend| backend.redo()))
                    .await
            }
            Route::Export => {
                let ChangeBody { key } = parse_json(&text)?;
                self.calls.export(path, key).await
            }
            Route::StartPhones => self.phones()?.start().await.map(|state| json(&state)),
            Route::StopPhones => Ok(json(&self.phones()?.stop().await)),
            Route::AdmitPhone(phone) => {
                let AdmitBody { admit } = parse_json(&text)?;
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

    async fn take_picture(&self, parts: &Parts, body: Incoming) -> Result<Reply, Refusal> {
        let query = Query::parse(parts.uri.query().unwrap_or_default())?;
        let name = plain_name(query.text("name").unwrap_or_default())
            .ok_or_else(|| malformed("the picture has no name"))?;
        let _place = self.uploads.acquire().await;
        let time = self.limits.body_time;
        let bytes = read_body(&parts.headers, body, MAX_PICTURE_BYTES, time).await?;
        self.calls.add_picture(name, bytes).await
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

/// The call that draws the picture of a route.
fn drawing(route: Route, query: &Query) -> Result<Call<Picture>, Refusal> {
    Ok(match route {
        Route::Page(sheet) => {
            let side = check_page_size(query.number("w")?)?;
            Box::new(move |backend| backend.page(&sheet, side))
        }
        Route::Cell(sheet, row, side) => Box::new(move |backend| backend.cell(&sheet, row, side)),
        Route::Strips(sheet) => Box::new(move |backend| backend.strips(&sheet)),
        Route::Region(sheet) => {
            let rectangle = parse_rectangle(query)?;
            Box::new(move |backend| backend.region(&sheet, rectangle))
        }
        _ => return Err(not_found()),
    })
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
