// @ts-check
/**
 * Answers on their way. They are kept in the session's storage until the server has them, so that
 * neither a reload nor a server that was stopped loses one.
 * @typedef {import("./contract").Unsent} Unsent
 * @typedef {import("./contract").Answer} Answer
 * @typedef {import("./contract").AnswerReply} AnswerReply
 */

import { post, RequestError } from "./api.js";

const UNSENT_KEY = "sheetscan-unsent";
/** Milliseconds between two attempts to send an answer. */
const RETRY_MS = 1500;

/**
 * What happens to an answer. `onConflict` says whether it is to be sent all the same.
 * @typedef {{
 *   onSaved: (unsent: Unsent, reply: AnswerReply) => void,
 *   onRefused: (unsent: Unsent, error: RequestError) => void,
 *   onConflict: (unsent: Unsent, error: RequestError) => Promise<boolean>,
 *   onChange: (count: number, reachable: boolean) => void,
 * }} Handlers
 */

/** @type {Handlers} */
let handlers;
/** @type {Unsent[]} */
let unsent = [];
/** The answer in a request, which can no longer be taken back here. @type {Unsent|null} */
let current = null;
/** @type {(() => void)[]} */
let waiting = [];

/** Starts with what an earlier page has left. @param {Handlers} given */
export function openOutbox(given) {
  handlers = given;
  unsent = JSON.parse(sessionStorage.getItem(UNSENT_KEY) ?? "[]");
  handlers.onChange(unsent.length, true);
  void send();
}

/** @param {boolean} reachable */
function keep(reachable = true) {
  sessionStorage.setItem(UNSENT_KEY, JSON.stringify(unsent));
  handlers.onChange(unsent.length, reachable);
}

/**
 * @param {string} game
 * @param {number} base the version that the person saw
 * @param {Answer[]} answers
 * @param {string} what
 */
export function queueAnswers(game, base, answers, what) {
  unsent.push({ key: randomKey(), game, base, answers, what });
  keep();
  void send();
}

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The answers of a game that are on their way. @param {string} game */
export const unsentOf = (game) =>
  unsent.filter((one) => one.game === game).flatMap((one) => one.answers);

/** Takes back the last answer if it has not been sent. @returns {Unsent|null} */
export function takeBackUnsent() {
  if (!unsent.length || unsent.at(-1) === current) return null;
  const last = unsent.pop() ?? null;
  keep();
  return last;
}

/** Resolves once every answer is with the server. @returns {Promise<void>} */
export const allSent = () =>
  unsent.length ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();

async function send() {
  if (current) return;
  while (unsent.length) {
    current = unsent[0];
    const { key, game, base, answers } = current;
    try {
      const reply = await post(`/api/games/${game}/answers`, { key, base, answers });
      unsent.shift();
      for (const other of unsent) if (other.game === game) other.base = reply.version;
      keep();
      handlers.onSaved(current, reply);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      await handleError(current, error);
    }
  }
  current = null;
  for (const resolve of waiting.splice(0)) resolve();
}

/** @param {Unsent} failed @param {RequestError} error */
async function handleError(failed, error) {
  if ([0, 429, 502, 503].includes(error.status)) {
    keep(false);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return;
  }
  if (error.status === 409 && (await handlers.onConflict(failed, error))) {
    failed.base = error.body.game?.version ?? failed.base;
    failed.key = randomKey();
    keep();
    return;
  }
  unsent.shift();
  keep();
  if (error.status !== 409) handlers.onRefused(failed, error);
}
