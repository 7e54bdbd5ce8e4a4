/**
 * Answers on their way. They are kept in the session's storage until the server has them, so that
 * neither a reload nor a server that was stopped loses one.
 */

import { post, RequestError, RETRY_MS } from "./api.js";

const UNSENT_KEY = "sheetscan-unsent";

/**
 * What happens to an answer. `onConflict` says whether it is to be sent all the same.
 * @type {{
 *   onSaved: (unsent: Unsent, reply: AnswerReply) => void,
 *   onRefused: (unsent: Unsent, error: RequestError) => void,
 *   onConflict: (unsent: Unsent, error: RequestError) => Promise<boolean>,
 *   onChange: (count: number, reachable: boolean) => void,
 * }}
 */
let handlers;
/** @type {Unsent[]} */
let unsent = [];
/** The answer in a request, which can no longer be taken back here. @type {Unsent|null} */
let current = null;
/** @type {(() => void)[]} */
let waiting = [];

/** Starts with what an earlier page has left. @param {typeof handlers} given */
export function openOutbox(given) {
  handlers = given;
  unsent = JSON.parse(sessionStorage.getItem(UNSENT_KEY) ?? "[]");
  if (unsent.length) void send();
}

function keep(reachable = true) {
  sessionStorage.setItem(UNSENT_KEY, JSON.stringify(unsent));
  handlers.onChange(unsent.length, reachable);
}

/** `base` is the version that the person saw. @param {Omit<Unsent, "key">} answer */
export function queueAnswers(answer) {
  unsent.push({ key: makeKey(), ...answer });
  keep();
  void send();
}

export const makeKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** The answers of a game that are on their way. @param {string} game */
export const unsentOf = (game) =>
  unsent.filter((one) => one.game === game).flatMap((one) => one.answers);

/** Takes back the last answer if it has not been sent. */
export function takeBackUnsent() {
  if (!unsent.length || unsent.at(-1) === current) return false;
  unsent.pop();
  keep();
  return true;
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
  const { status, body } = error;
  if ([0, 429, 503].includes(status)) {
    keep(false);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } else if (status === 409 && (await handlers.onConflict(failed, error))) {
    failed.base = body.game?.version ?? failed.base;
    failed.key = makeKey();
    keep();
  } else {
    unsent.shift();
    keep();
    handlers.onRefused(failed, error);
  }
}
