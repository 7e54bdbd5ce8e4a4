/** What a person does with the run: go from game to game, settle, undo, export. */

import { get, post, RequestError } from "./api.js";
import { answerText, goOnFromCut, goToCell, noteChanges, sendAnswers } from "./actions.js";
import { LOW_CONFIDENCE } from "./candidates.js";
import { askConflict, showExport } from "./dialogs.js";
import { openFields, toggleFields } from "./header-fields.js";
import { adoptGame, loadGame, overlayAnswers, refetchGame } from "./game.js";
import { allSent, openOutbox, takeBackUnsent } from "./outbox.js";
import {
  cutPlace, doubtPlaces, gameName, isDoubt, needsPerson, rowOf, settleText, state,
} from "./state.js";
import { fillText } from "./texts.js";
import { byId, render, say, sayText } from "./view.js";

/** The order of the tab To do; each group is in the order of the input. @type {GameState[]} */
const GROUPS = ["stale", "cut", "doubtful", "ready", "reading", "unread"];

/** The group of a game when it was last not shown, so that it keeps its place while it is. */
const groups = /** @type {Map<string, number>} */ (new Map());

/** The ids of the games that are not settled, and of the one shown, in order. */
export let todo = /** @type {string[]} */ ([]);

/** Orders the games anew after a change. */
export function orderTodo() {
  for (const { id, state: now } of state.rows) {
    if (id !== state.gameId || !groups.has(id)) groups.set(id, GROUPS.indexOf(now));
  }
  const group = (/** @type {Row} */ row) => groups.get(row.id) ?? 0;
  const open = state.rows.filter((row) => row.state !== "settled" || row.id === state.gameId);
  todo = open.sort((a, b) => group(a) - group(b)).map((row) => row.id);
}

/** The next or previous game that needs a person, round the end. */
function gameBeside(direction = 1) {
  const inNeed = new Set(state.rows.filter(needsPerson).map((row) => row.id));
  const walk = todo.filter((id) => inNeed.has(id) || id === state.gameId);
  const here = walk.indexOf(state.gameId);
  const from = here < 0 && direction > 0 ? -1 : Math.max(here, 0);
  const next = walk[(from + direction + walk.length) % walk.length];
  return next === state.gameId ? undefined : next;
}

/** What a failed request says. @param {unknown} error */
export function sayError(error) {
  if (!(error instanceof RequestError)) throw error;
  say(error.message || fillText("offline"));
}

/** @param {string} id @param {string} [before] what the notice says first */
export async function openGame(id, before = "") {
  const row = rowOf(id);
  if (!row) return;
  const loading = loadGame(id);
  orderTodo();
  render();
  try {
    await loading;
  } catch (error) {
    if (state.gameId === id) sayError(error);
  }
  const game = /** @type {Game|null} */ (state.game);
  if (state.gameId !== id || !game) return;
  render();
  const doubts = doubtPlaces(game).length;
  const name = doubts ? "toLookAt" : game.settled ? "gameSettled" : settleText(game);
  const asks = doubts && byId("move").getAttribute("aria-activedescendant");
  const next = fillText(name, doubts) + (asks ? fillText("isLitRight") : "");
  say(before, fillText("opened", gameName(row)), game.plies.length ? next : (row.reason ?? ""));
}

/** To the next (1) or previous (-1) sheet in need; after the last, to the export. */
export async function goSheet(direction = 1, before = "") {
  const next = gameBeside(direction);
  if (next) {
    await openGame(next, before);
    return;
  }
  render();
  const count = (/** @type {GameState} */ s) => state.rows.filter((row) => row.state === s).length;
  const unread = count("unread");
  const done = state.run?.phase === "ready" && !state.rows.some(needsPerson);
  const text = unread ? "allDoneUnread" : "allDone";
  say(before, done ? fillText(text, count("settled"), unread) : fillText("noOtherSheet"));
}

/** All is right: holds every move of the game, and goes on to the next sheet. */
export async function settle() {
  const { game } = state;
  if (!game?.plies.length) return;
  const low = game.plies.filter((ply) => isDoubt(ply) && ply.confidence < LOW_CONFIDENCE).length;
  const cut = cutPlace(game);
  const { value, answered } = game.fields.result;
  const asksResult = !answered && (["", "*"].includes(value) || value !== state.firstResult);
  if ((low || cut || asksResult) && !state.settleAsked) {
    state.settleAsked = true;
    render();
    if (asksResult) openFields("result");
    const parts = [
      low ? fillText("belowHalf", low) : "", cut ? fillText("isCut") : "",
      asksResult ? fillText("chooseResult") : "", fillText("settleAgain"),
    ];
    say(parts.filter(Boolean).join(" "));
    return;
  }
  await allSent();
  const { served } = state;
  if (state.gameId !== game.id || !served) return;
  state.settleWaits = served.final ? "" : game.id;
  if (!served.final) {
    sayText("waitForFinal");
    return;
  }
  state.settleAsked = false;
  toggleFields(false);
  const what = fillText(
    served.row.result === "*" ? "settledOpen" : "settled", gameName(served.row));
  sendAnswers([{ is: "settled", moves: served.plies.map((ply) => ply.san) }], what);
  const row = rowOf(game.id);
  if (row) row.state = "settled";
  orderTodo();
  await goSheet(1, what);
}

/** The answers that are in one list alone. @param {Answer[]} old @param {Answer[]} now */
function differing(old, now) {
  const [before, after] = [old, now].map((list) => list.map((answer) => JSON.stringify(answer)));
  return [...old, ...now].filter((answer) => {
    const text = JSON.stringify(answer);
    return !(before.includes(text) && after.includes(text));
  });
}

/** @param {"undo"|"redo"} which */
export async function undoOrRedo(which) {
  const undo = which === "undo";
  if (undo && takeBackUnsent()) {
    overlayAnswers();
    render();
    sayText("undone", "");
    return;
  }
  await allSent();
  try {
    /** @type {StepReply} */
    const reply = await post(`/api/${which}`, {});
    const { game } = reply;
    if (!game) {
      sayText(undo ? "nothingToUndo" : "nothingToRedo");
      return;
    }
    const what = fillText(undo ? "undone" : "redone", reply.what);
    Object.assign(state, { fresh: new Set(), above: [], typed: "" });
    if (!rowOf(game.id)) await refreshGames();
    if (game.id !== state.gameId) await openGame(game.id, what);
    else {
      const before = state.served?.answers ?? [];
      adoptGame(game);
      const changed = differing(before, game.answers).flatMap((a) => ("at" in a ? [a.at] : []));
      if (changed.length) goToCell(changed[changed.length - 1]);
      else render();
      say(what);
    }
  } catch (error) {
    sayError(error);
  }
  await refreshRun();
}

/** Writes the files and shows what was written. */
export async function exportRun() {
  sayText("exporting");
  await allSent();
  try {
    /** @type {ExportReply} */
    const reply = await post("/api/export", {});
    await refreshRun();
    const { games, moves, open } = reply;
    const cut = state.rows.filter((row) => row.cut_at).length;
    const counts = [
      fillText(open ? "exportCounts" : "exportAll", games, moves, open),
      ...(cut ? [fillText("exportCut", cut)] : []),
    ].join("; ");
    say(counts);
    showExport(counts, reply.files);
  } catch (error) {
    sayError(error);
  }
}

/** Fetches the counts of the run again. */
export async function refreshRun() {
  state.run = await get("/api/run").catch(() => state.run);
  render();
}

/** Fetches the list of games again, and opens the first in need if none is shown. */
export async function refreshGames() {
  /** @type {Games} */
  const { games, faults } = await get("/api/games");
  state.rows = games;
  state.faults = faults;
  orderTodo();
  if (!rowOf(state.gameId)) {
    // The game that is shown may have joined another one.
    const joined = games.find((row) => row.sheets.includes(state.game?.sheets[0].name ?? ""))?.id;
    const first = joined ?? gameBeside() ?? games.find((row) => row.moves > 0)?.id;
    if (first) await openGame(first);
  }
  render();
}

/** Sends what is unsent, and shows the replies. */
export function startOutbox() {
  openOutbox({
    onSaved: (sent, reply) => {
      const before = state.served;
      const shown =
        before && sent.game === state.gameId && sent.answers[0].is !== "settled";
      adoptGame(reply.game);
      if (shown) {
        noteChanges(sent, reply, before);
        goOnFromCut();
      }
      orderTodo();
      render();
      void refreshRun();
    },
    onRefused: (unsent, error) => {
      const { game } = error.body;
      if (game) adoptGame(game);
      overlayAnswers();
      render();
      if (error.status !== 409) say(error.message);
      void refetchGame().then(render, () => {});
    },
    onConflict: (unsent, error) => {
      const [mine] = unsent.answers;
      const theirs = error.body.game?.answers.find((answer) =>
        "at" in answer && "at" in mine && answer.at === mine.at);
      return askConflict(answerText(mine), answerText(theirs));
    },
    onChange: (unsent, reachable) => {
      Object.assign(state, { unsent, reachable });
      render();
    },
  });
}
