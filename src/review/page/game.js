/** The game that is shown: as the server has it, and with the answers that are on their way. */

import { get } from "./api.js";
import { candidatesAt } from "./candidates.js";
import { unsentOf } from "./outbox.js";
import { doubtPlaces, plyAt, state, stopPlaces } from "./state.js";

/** @param {Row} row */
export function adoptRow(row) {
  state.rows = state.rows.map((other) => (other.id === row.id ? row : other));
}

/** Takes over a game from the server, if it is the one shown, and its row. @param {Game} game */
export function adoptGame(game) {
  adoptRow(game.row);
  if (game.id !== state.gameId || (state.served?.version ?? 0) > game.version) return;
  state.served = game;
  state.firstResult ??= game.result;
  overlayAnswers();
}

/** Makes the shown game from the served one. */
export function overlayAnswers() {
  const { served } = state;
  if (!served) return;
  state.game = unsentOf(served.id).reduce(applyAnswer, served);
  state.place ||= doubtPlaces(served)[0] ?? stopPlaces(served)[0] ?? "";
}

/**
 * A game as it looks until the server has decoded an answer.
 * @param {Game} game
 * @param {Answer} answer
 */
function applyAnswer(game, answer) {
  if (answer.is === "settled") {
    const plies = game.plies.map((ply) => ({ ...ply, settled: true }));
    return { ...game, plies, settled: true };
  }
  if (answer.is === "field") {
    const field = { ...game.fields[answer.name], value: answer.text, answered: true };
    return { ...game, fields: { ...game.fields, [answer.name]: field } };
  }
  const answers = [...game.answers.filter((a) => !("at" in a) || a.at !== answer.at), answer];
  const index = plyAt(game, answer.at);
  const ply = game.plies[index];
  const plies = [...game.plies];
  if (ply && answer.is === "seen") plies[index] = { ...ply, seen: true };
  if (ply && answer.is === "move") {
    const found = candidatesAt(game, answer.at)?.candidates.find((c) => c.san === answer.san);
    const { san, uci, spelling } = ply.san === answer.san ? ply : (found ?? ply);
    plies[index] = { ...ply, san, uci, spelling, settled: true };
  }
  return { ...game, plies, answers };
}

/** Shows a game from its first doubt. @param {string} id */
export async function loadGame(id) {
  Object.assign(state, {
    gameId: id, served: null, game: null, place: "", sheet: 0, typed: "", lit: 0, leftOut: false,
    answeredCut: "", zoom: "follow", firstResult: undefined, fresh: new Set(), above: [],
    settleAsked: false, boardAfter: false,
  });
  await refetchGame();
}

export async function refetchGame() {
  const id = state.gameId;
  if (id) adoptGame(await get(`/api/games/${id}`));
}
