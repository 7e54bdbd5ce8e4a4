// @ts-check
/**
 * Requests to the server: the token, JSON, pictures as blob URLs, and the stream of events.
 * @typedef {import("./contract").Failure} Failure
 */

const TOKEN_KEY = "sheetscan-token";
const TOKEN_HEADER = "X-Sheetscan";
/** Pictures that are kept as blob URLs; the one not used for longest is given up first. */
const MAX_PICTURES = 80;
/** Milliseconds between two attempts to reach the server for events. */
const EVENTS_RETRY_MS = 1500;

/** An answer of the server that is no success. Status 0 means that it was not reached. */
export class RequestError extends Error {
  /**
   * @param {number} status
   * @param {Failure} body
   */
  constructor(status, body) {
    super(body.error);
    this.status = status;
    this.body = body;
  }
}

/** Moves the token from the address into the session's storage. True if there is one. */
export function takeToken() {
  const token = location.hash.slice(1);
  if (token) {
    sessionStorage.setItem(TOKEN_KEY, token);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(TOKEN_KEY) !== null;
}

/** @returns {Record<string, string>} */
const tokenHeader = () => ({ [TOKEN_HEADER]: sessionStorage.getItem(TOKEN_KEY) ?? "" });

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function request(path, init = {}) {
  let response;
  try {
    const headers = { ...tokenHeader(), ...init.headers };
    response = await fetch(path, { cache: "no-cache", ...init, headers });
  } catch {
    throw new RequestError(0, { error: "", hint: "" });
  }
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    throw new RequestError(response.status, { error: "", hint: "", ...body });
  }
  return response;
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await request(path)).json();

/** @param {string} path @param {object} body @returns {Promise<any>} */
export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** @type {Map<string, Promise<string>>} */
const pictures = new Map();

/**
 * The blob URL of a picture, or "" where there is none.
 * @param {string} path
 * @returns {Promise<string>}
 */
export function picture(path) {
  const known = pictures.get(path);
  pictures.delete(path);
  const url = known ?? fetchPicture(path);
  pictures.set(path, url);
  for (const [old, oldUrl] of pictures) {
    if (pictures.size <= MAX_PICTURES) break;
    pictures.delete(old);
    oldUrl.then((blob) => blob && URL.revokeObjectURL(blob));
  }
  return url;
}

/** @param {string} path */
async function fetchPicture(path) {
  try {
    return URL.createObjectURL(await (await request(path, { cache: "default" })).blob());
  } catch {
    pictures.delete(path);
    return "";
  }
}

/**
 * Follows the server's events for ever. `onUp` is told after each start and end of the stream.
 * @param {(name: string, data: any, epoch: string) => void} onEvent
 * @param {(up: boolean) => void} onUp
 */
export async function followEvents(onEvent, onUp) {
  for (;;) {
    try {
      const response = await request("/api/events", { headers: { Accept: "text/event-stream" } });
      if (response.body) {
        onUp(true);
        await readEvents(response.body, onEvent);
      }
    } catch (error) {
      if (error instanceof RequestError && error.status === 401) return;
    }
    onUp(false);
    await new Promise((resolve) => setTimeout(resolve, EVENTS_RETRY_MS));
  }
}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {(name: string, data: any, epoch: string) => void} onEvent
 */
async function readEvents(body, onEvent) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = { event: "message", data: "", id: "" };
      for (const line of block.split("\n")) {
        const [, name, value] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
        if (name === "data") event.data += value;
        else if (name === "event" || name === "id") event[name] = value;
      }
      if (event.data) onEvent(event.event, JSON.parse(event.data), event.id.split(":")[0]);
    }
  }
}
