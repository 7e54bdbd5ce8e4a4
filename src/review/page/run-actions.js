// @ts-check
/** What a person does with the run: go from game to game, settle, undo, export. */

import { get, post, RequestError } from "./api.js";
import { noteChanges, send, answerText } from "./actions.js";
import { breakPlace, doubtPlaces, gameName, isDoubt, needsPerson, state } from "./state.js";
import { adoptGame, loadGame, overlay, refetchGame } from "./games-store.js";
import { allSent, openOutbox, takeBackUnsent } from "./outbox.js";
import { askConflict, showExport } from "./dialogs.js";
import { nextInNeed, orderTodo } from "./order.js";
import { texts } from "./texts.js";
import { render, say } from "./view.js";

/** Confidence of a doubt below which settling asks once more. */
const LOW_CONFIDENCE = 0.5;

/** @param {string} id @param {string} [before] what the notice says first */
export async function openGame(id, before = "") {
  const row = state.rows.find((other) => other.id === id);
  if (!row) return;
  const loading = loadGame(id);
  orderTodo();
  render();
  try {
    await loading;
  } catch (error) {
    if (state.gameId === id && error instanceof RequestError) say(error.message || texts.offline);
    return;
  }
  if (state.gameId !== id) return;
  render();
  const game = /** @type {import("./contract").Game|null} */ (state.game);
  const notice = game ? texts.toLookAt(doubtPlaces(game).length) : "";
  say([before, `${texts.opened(gameName(row))}.`, notice].filter(Boolean).join(" · "));
}

/** To the next (1) or previous (-1) sheet in need. @param {1|-1} direction */
export async function goSheet(direction, before = "") {
  const next = nextInNeed(direction);
  if (next) await openGame(next, before);
  else {
    const run = state.run;
    const settled = state.rows.filter((row) => row.state === "settled").length;
    const unread = state.rows.filter((row) => row.state === "unread").length;
    render();
    const all = run && run.phase === "ready" && !state.rows.some(needsPerson);
    say([before, all ? texts.allDone(settled, unread) : ""].filter(Boolean).join(" · "));
  }
}

/** All is right: holds every move of the game, and goes on to the next sheet. */
export async function settle() {
  const { game } = state;
  if (!game || !game.plies.length) return;
  const low = game.plies.filter((ply) => isDoubt(ply) && ply.confidence < LOW_CONFIDENCE).length;
  const cut = breakPlace(game) !== null;
  if ((low || cut) && !state.settleAsked) {
    state.settleAsked = true;
    render();
    say(texts.confirmSettle(low, cut));
    return;
  }
  await allSent();
  if (state.gameId !== game.id || !state.served) return;
  if (!state.served.final) {
    state.settleWaits = game.id;
    render();
    say(texts.waitForFinal);
    return;
  }
  state.settleWaits = null;
  state.settleAsked = false;
  const moves = state.served.plies.map((ply) => ply.san);
  const what = texts.settled(gameName(game.row));
  send([{ is: "settled", moves }], what);
  const row = state.rows.find((other) => other.id === game.id);
  if (row) row.state = "settled";
  orderTodo();
  await goSheet(1, what);
}

/** @param {"undo"|"redo"} which */
export async function undoOrRedo(which) {
  if (which === "undo" && takeBackUnsent()) {
    overlay();
    render();
    say(texts.undone(""));
    return;
  }
  await allSent();
  try {
    /** @type {import("./contract").StepReply} */
    const reply = await post(`/api/${which}`, {});
    if (!reply.game) {
      say(which === "undo" ? texts.nothingToUndo : texts.nothingToRedo);
      return;
    }
    const what = (which === "undo" ? texts.undone : texts.redone)(reply.what);
    state.fresh = new Set();
    state.above = [];
    if (reply.game.id !== state.gameId) await openGame(reply.game.id, what);
    else {
      adoptGame(reply.game);
      state.typed = "";
      render();
      say(what);
    }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const nothing = which === "undo" ? texts.nothingToUndo : texts.nothingToRedo;
    say(error.status === 409 ? nothing : error.message || texts.offline);
  }
  await refreshRun();
}

/** Writes the files and shows what was written. */
export async function exportRun() {
  say(texts.exporting);
  await allSent();
  try {
    const reply = await post("/api/export", {});
    await refreshRun();
    say(texts.exportCounts(reply));
    showExport(reply);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    say(error.status ? texts.notTaken(error.body.error, error.body.hint, []) : texts.offline);
  }
}

/** Fetches the counts of the run again. */
export async function refreshRun() {
  try {
    state.run = await get("/api/run");
  } catch {
    return;
  }
  render();
}

/** Fetches the list of games again. */
export async function refreshGames() {
  /** @type {import("./contract").Games} */
  const games = await get("/api/games");
  state.rows = games.games;
  state.faults = games.faults;
  orderTodo();
  if (!state.gameId || !state.rows.some((row) => row.id === state.gameId)) {
    const first = nextInNeed(1) ?? state.rows.find((row) => row.moves > 0)?.id;
    if (first) await openGame(first);
  }
  render();
}

/** Sends what is unsent, and shows the replies. */
export function startOutbox() {
  openOutbox({
    onSaved: (unsent, reply) => {
      const before = state.served;
      const shown = unsent.game === state.gameId && before;
      adoptGame(reply.game);
      if (shown && unsent.answers[0].is !== "settled") noteChanges(unsent.what, reply, before);
      orderTodo();
      render();
      void refreshRun();
    },
    onRefused: (unsent, error) => {
      const { error: problem, hint, nearest } = error.body;
      if (unsent.game === state.gameId) overlay();
      render();
      say(texts.notTaken(problem, hint, nearest ?? []));
      void refetchGame().then(render, () => {});
    },
    onConflict: async (unsent, error) => {
      const { game } = error.body;
      const mine = unsent.answers[0];
      const theirs = game?.answers.find((a) => "at" in a && "at" in mine && a.at === mine.at);
      const use = await askConflict(
        answerText(mine), theirs ? answerText(theirs) : texts.noAnswer);
      if (game && !use) {
        setTimeout(() => {
          adoptGame(game);
          render();
        });
      }
      return use;
    },
    onChange: (count, reachable) => {
      state.unsent = count;
      state.reachable = reachable;
      render();
    },
  });
}
