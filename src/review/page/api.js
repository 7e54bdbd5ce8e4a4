/** Requests to the server: the token, JSON, pictures as blob URLs, and the stream of events. */

const TOKEN_KEY = "sheetscan-token";
/** Pictures kept as blob URLs at most; the one not used for longest is given up first. */
const MAX_PICTURES = 80;
/** Milliseconds between two attempts to reach the server. */
export const RETRY_MS = 1500;

/** An answer of the server that is no success; status 0 means that it was not reached. */
export class RequestError extends Error {
  /** @param {number} status @param {Partial<Failure>} body */
  constructor(status, body = {}) {
    super([body.error, body.hint].filter(Boolean).join(": "));
    this.status = status;
    this.body = body;
  }
}

/** Moves the token from the address into the session's storage. True if there is one. */
export function takeToken() {
  const token = location.hash.slice(1);
  if (token) {
    sessionStorage.setItem(TOKEN_KEY, token);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(TOKEN_KEY) !== null;
}

/** @param {string} path @param {RequestInit} [init] */
async function request(path, init = {}) {
  const headers = { "X-Sheetscan": sessionStorage.getItem(TOKEN_KEY) ?? "" };
  const response = await fetch(path, { ...init, headers }).catch(() => {
    throw new RequestError(0);
  });
  if (response.ok) return response;
  throw new RequestError(response.status, await response.json().catch(() => ({})));
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await request(path)).json();

/**
 * Sends JSON, or the bytes of a file.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function post(path, body) {
  const type = "application/json";
  const blob = body instanceof Blob ? body : new Blob([JSON.stringify(body)], { type });
  return (await request(path, { method: "POST", body: blob })).json();
}

/** @type {Map<string, Promise<string>>} */
const pictures = new Map();

/** The blob URL of a picture, or "" where there is none. @param {string} path */
export function fetchPicture(path) {
  const url = pictures.get(path) ?? request(path)
    .then(async (response) => URL.createObjectURL(await response.blob()))
    .catch(() => {
      pictures.delete(path);
      return "";
    });
  pictures.delete(path);
  pictures.set(path, url);
  const [oldest] = pictures;
  if (pictures.size > MAX_PICTURES) {
    pictures.delete(oldest[0]);
    void oldest[1].then(URL.revokeObjectURL);
  }
  return url;
}

/**
 * Follows the server's events for ever; `onUp` hears of each start and end of the stream.
 * @param {(name: string, data: any, epoch: string) => void} onEvent
 * @param {(up: boolean) => void} onUp
 */
export async function followEvents(onEvent, onUp) {
  for (;;) {
    try {
      const { body } = await request("/api/events");
      onUp(true);
      if (body) await readEvents(body.pipeThrough(new TextDecoderStream()).getReader(), onEvent);
    } catch (error) {
      if (error instanceof RequestError && error.status === 401) return;
    }
    onUp(false);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/**
 * @param {ReadableStreamDefaultReader<string>} reader
 * @param {(name: string, data: any, epoch: string) => void} onEvent
 */
async function readEvents(reader, onEvent) {
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).replaceAll("\r", "").split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const line = (/** @type {string} */ name) =>
        new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1] ?? "";
      if (line("data")) onEvent(line("event"), JSON.parse(line("data")), line("id").split(":")[0]);
    }
  }
}
