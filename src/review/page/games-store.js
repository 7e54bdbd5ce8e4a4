// @ts-check
/**
 * The game that is shown, as the server has it and with the answers that are on their way.
 * @typedef {import("./contract").Game} Game
 * @typedef {import("./contract").Answer} Answer
 */

import { get } from "./api.js";
import { candidatesAt } from "./candidates.js";
import { unsentOf } from "./outbox.js";
import { doubtPlaces, plyAt, state, stops } from "./state.js";

/** Takes over a game from the server, if it is the one shown, and its row. @param {Game} game */
export function adoptGame(game) {
  adoptRow(game.row);
  if (game.id !== state.gameId) return;
  if (state.served && state.served.version > game.version) return;
  state.served = game;
  overlay();
}

/** @param {import("./contract").Row} row */
export function adoptRow(row) {
  const index = state.rows.findIndex((other) => other.id === row.id);
  if (index >= 0) state.rows[index] = row;
}

/** Makes the shown game from the served one. */
export function overlay() {
  const served = state.served;
  if (!served) return;
  const answers = unsentOf(served.id);
  state.game = answers.length ? answers.reduce(withAnswer, served) : served;
  if (!state.place) state.place = firstPlace(served);
}

/** @param {Game} game */
const firstPlace = (game) => doubtPlaces(game)[0] ?? stops(game)[0] ?? "";

/**
 * A game as it looks until the server has decoded the answer.
 * @param {Game} game
 * @param {Answer} answer
 * @returns {Game}
 */
function withAnswer(game, answer) {
  if (answer.is === "settled") {
    const plies = game.plies.map((ply) => ({ ...ply, settled: true }));
    return { ...game, plies, settled: true };
  }
  if (answer.is === "field") {
    const field = { ...game.fields[answer.name], value: answer.text, answered: true };
    return { ...game, fields: { ...game.fields, [answer.name]: field } };
  }
  const index = plyAt(game, answer.at);
  const answers = [...game.answers.filter((a) => !("at" in a) || a.at !== answer.at), answer];
  const plies = [...game.plies];
  if (index >= 0 && answer.is === "seen") plies[index] = { ...plies[index], seen: true };
  if (answer.is === "move") {
    const found = candidatesAt(game, answer.at)?.candidates.find((c) => c.san === answer.san);
    const here = plies[index];
    if (here?.san === answer.san) plies[index] = { ...here, settled: true };
    else if (here && found) {
      const { san, uci, spelling } = found;
      plies[index] = { ...here, san, uci, spelling, settled: true };
    }
  }
  return { ...game, plies, answers };
}

/** Opens a game at its first doubt. @param {string} id */
export async function loadGame(id) {
  state.gameId = id;
  state.served = null;
  state.game = null;
  Object.assign(state, {
    place: "", sheet: 0, typed: "", lit: 0, leftOut: false, fresh: new Set(), above: [],
    settleAsked: false, boardAfter: false,
  });
  await refetchGame();
}

/** Fetches the shown game again. */
export async function refetchGame() {
  const id = state.gameId;
  if (!id) return;
  const game = await get(`/api/games/${id}`);
  if (state.gameId === id) adoptGame(game);
}
