/** The event: its boards, what the checks found, and which game and which sheet belongs where. */

import { get, post } from "./api.js";
import { adoptGame, refetchGame } from "./game.js";
import { allSent, makeKey } from "./outbox.js";
import { openGame, refreshGames, sayError } from "./run.js";
import { gameName, rowOf, state } from "./state.js";
import { fillText } from "./texts.js";
import { byId, onClick, render, say, setText } from "./view.js";

/** As the server has it. @type {EventReply} */
export let event = { name: "", boards: [], tray: [], checks: [] };

export async function refreshEvent() {
  if (state.run?.event) {
    event = await get("/api/event");
    // The game that is shown may have other names now, and other boards that it suits.
    if (!state.unsent) await refetchGame().catch(() => {});
  }
  render();
}

/**
 * A board in words, with the colours as on the sheet.
 * @param {Place} seat
 * @param {string} [more]
 */
export function seatName({ round, board, white, black, exchanged }, more = "") {
  const names = exchanged ? [black, white] : [white, black];
  const text = fillText("seat", round, board, names.filter(Boolean).join(" – "));
  return [text, exchanged ? fillText("exchanged") : "", more].filter(Boolean).join(" · ");
}

/**
 * Gives a game a board; without one, takes back what was said.
 * @param {string} id
 * @param {Place} [seat]
 */
export async function assign(id, seat) {
  await allSent();
  const { round, board, exchanged = false } = seat ?? {};
  const place = seat ? { round, board, exchanged } : { clear: true };
  try {
    const reply = await post(`/api/games/${id}/assign`, { key: makeKey(), ...place });
    adoptGame(reply.game);
    await refreshEvent();
    say(seat ? seatName(seat) : fillText("unassigned"), fillText("saved"));
  } catch (error) {
    sayError(error);
  }
}

export function buildJoin() {
  onClick("part", () => void regroup("part", { sheet: state.game?.sheets[state.sheet].id }));
  onClick("join", () => void regroup("join", { other: likeGame() }));
}

/** The game whose sheets seem to record this one too, or "". */
function likeGame() {
  const found = event.checks.find(({ code, game, other }) =>
    ["M2", "G2"].includes(code) && other && game !== other && [game, other].includes(state.gameId));
  const other = found?.game === state.gameId ? found.other : found?.game;
  return state.game?.begins_like ?? other ?? "";
}

/** Joins it with another game, or takes a sheet out. @param {string} how @param {object} body */
async function regroup(how, body) {
  await allSent();
  try {
    const path = `/api/games/${state.gameId}/${how}`;
    const reply = await post(path, { key: makeKey(), ...body });
    state.served = null;
    await refreshGames();
    await openGame(reply.id, fillText("saved"));
  } catch (error) {
    sayError(error);
  }
}

export function drawJoin() {
  const like = rowOf(likeGame());
  byId("part").hidden = (state.game?.sheets.length ?? 0) < 2;
  setText("join", like ? fillText("join", gameName(like)) : "", true);
}
