/** Starts the page: builds its parts, fetches the run, and follows the server's events. */

import { noteFinal } from "./actions.js";
import { buildAnswer, drawAnswer } from "./answer.js";
import { followEvents, get, RequestError, RETRY_MS, takeToken } from "./api.js";
import { buildAssign, drawAssign } from "./assign.js";
import { buildBar, drawBar } from "./bar.js";
import { buildBoard, drawBoard } from "./board.js";
import { buildBoards, drawBoards } from "./boards.js";
import { fetchAhead } from "./candidates.js";
import { buildDialogs } from "./dialogs.js";
import { buildJoin, drawJoin, refreshEvent } from "./event.js";
import { buildChecks, drawChecks } from "./event-checks.js";
import { adoptRow, refetchGame } from "./game.js";
import { buildGames, drawGames } from "./games.js";
import { buildFields, drawFields } from "./header-fields.js";
import { buildKeys } from "./keys.js";
import { buildMoves, drawMoves } from "./moves.js";
import { buildPicture, drawPicture } from "./picture.js";
import { buildPictures, refreshPhones } from "./pictures.js";
import { definePieces } from "./pieces.js";
import { orderTodo, refreshGames, refreshRun, settle, startOutbox } from "./run.js";
import { needsPerson, rowOf, state } from "./state.js";
import { fillPage, fillText } from "./texts.js";
import { focusMoveField, onRender, render, say, setText } from "./view.js";

/** For what the candidates were last asked. */
let asked = "";

/** Asks for the candidates of the current place and the next doubts, once the page is drawn. */
function askAhead() {
  const mark = `${state.gameId} ${state.served?.version} ${state.place}`;
  if (mark === asked) return;
  asked = mark;
  requestAnimationFrame(() => setTimeout(() => void fetchAhead(() => {
    drawAnswer();
    drawBoard();
  })));
}

async function load() {
  state.run = await get("/api/run");
  await Promise.all([refreshEvent(), refreshGames()]);
  await refetchGame();
  await refreshPhones();
  render();
}

/** Milliseconds for which events are gathered before something is fetched for all of them. */
const GATHER_MS = 150;

/** What is to be fetched soon. @type {Set<() => Promise<void>>} */
const due = new Set();

/** @param {() => Promise<void>} fetchAgain */
function fetchSoon(fetchAgain) {
  if (due.has(fetchAgain)) return;
  due.add(fetchAgain);
  setTimeout(() => {
    due.delete(fetchAgain);
    fetchAgain().catch(() => {});
  }, GATHER_MS);
}

/** @param {string} name @param {any} data @param {string} epoch */
async function takeEvent(name, data, epoch) {
  if (epoch !== state.run?.epoch) await load();
  else if (name === "progress") Object.assign(state.run, data);
  else if (name === "game") await takeRow(data.row);
  else if (name === "games") fetchSoon(refreshGames);
  else if (name === "phone") fetchSoon(refreshPhones);
  else if (name === "event") fetchSoon(refreshEvent);
  else if (name === "final" && data.id === state.gameId) {
    await refetchGame();
    noteFinal();
    if (data.id === state.settleWaits && state.served?.final) await settle();
  }
  if (name !== "progress") fetchSoon(refreshRun);
  render();
}

/** A game has changed, here or elsewhere. @param {Row} row */
async function takeRow(row) {
  if (!rowOf(row.id) || (!state.gameId && needsPerson(row))) {
    fetchSoon(refreshGames);
    return;
  }
  adoptRow(row);
  orderTodo();
  const newer = row.version > (state.served?.version ?? 0);
  if (row.id === state.gameId && newer && !state.unsent) await refetchGame();
}

/** Fetches the run, as soon as the server answers. False if it does not take the token. */
async function loadPatiently() {
  for (;;) {
    try {
      await load();
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.status === 401) return false;
      showProblem(error.message || fillText("offline"));
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** @param {string} text */
function showProblem(text) {
  say(text);
  setText("why", text);
}

async function start() {
  fillPage();
  definePieces();
  for (const build of [
    buildBoard, buildAnswer, buildMoves, buildPicture, buildGames, buildFields, buildDialogs,
    buildBar, buildKeys, buildPictures, buildBoards, buildChecks, buildAssign, buildJoin,
  ]) build();
  onRender(
    drawFields, drawAnswer, drawBoard, drawMoves, drawPicture, drawGames, drawBar, askAhead,
    drawBoards, drawChecks, drawAssign, drawJoin);
  addEventListener("beforeunload", (event) => state.unsent && event.preventDefault());
  addEventListener("hashchange", () => takeToken() && location.reload());
  const hasToken = takeToken();
  if (hasToken) startOutbox();
  focusMoveField();
  if (!hasToken || !(await loadPatiently())) {
    showProblem(fillText("noToken"));
    return;
  }
  await followEvents(
    (name, data, epoch) => void takeEvent(name, data, epoch).catch(() => {}),
    (up) => {
      state.reachable = up;
      // What has changed before the stream began is in no event.
      if (up) fetchSoon(load);
      drawBar();
    },
  );
}

void start();
