// @ts-check
/** Starts the page: builds its parts, fetches the run, and follows the server's events. */

import { followEvents, get, RequestError, takeToken } from "./api.js";
import { buildAnswer, drawAnswer } from "./answer.js";
import { buildBar, drawBar } from "./bar.js";
import { buildBoard, drawBoard } from "./board.js";
import { fetchAhead } from "./candidates.js";
import { buildDialogs } from "./dialogs.js";
import { byId, focusMoveField } from "./dom.js";
import { buildGames, drawGames, gamesChanged } from "./games.js";
import { adoptRow, refetchGame } from "./games-store.js";
import { buildFields, drawFields } from "./header-fields.js";
import { buildKeys } from "./keys.js";
import { buildMoves, drawMoves } from "./moves.js";
import { orderTodo } from "./order.js";
import { buildPicture, drawPicture } from "./picture.js";
import { definePieces } from "./pieces.js";
import { refreshGames, refreshRun, settle, startOutbox } from "./run-actions.js";
import { needsPerson, state } from "./state.js";
import { fillTexts, texts } from "./texts.js";
import { onRender, render, say } from "./view.js";

/** The place and version of which candidates were last asked for. */
let asked = "";

/** Asks for the candidates of the current place and the next doubts, after the page is drawn. */
function askAhead() {
  const mark = `${state.gameId} ${state.served?.version} ${state.place}`;
  if (mark === asked || !state.served) return;
  asked = mark;
  setTimeout(() => void fetchAhead(() => {
    drawAnswer();
    drawBoard();
  }));
}

function build() {
  fillTexts();
  definePieces();
  buildBoard();
  buildAnswer();
  buildMoves();
  buildPicture();
  buildGames();
  buildFields();
  buildDialogs();
  buildBar();
  buildKeys();
  for (const draw of [
    drawAnswer, drawBoard, drawMoves, drawPicture, drawGames, drawFields, drawBar, askAhead,
  ]) onRender(draw);
}

async function load() {
  state.run = await get("/api/run");
  gamesChanged();
  await refreshGames();
  gamesChanged();
  render();
}

/**
 * @param {string} name
 * @param {any} data
 * @param {string} epoch
 */
async function onEvent(name, data, epoch) {
  const { run } = state;
  if (!run) return;
  if (epoch && epoch !== run.epoch) {
    await load();
    await refetchGame();
  } else if (name === "progress") Object.assign(run, data);
  else if (name === "game") onRow(data.row);
  else if (name === "final") {
    if (data.id === state.gameId) await refetchGame();
    if (data.id === state.settleWaits && state.served?.final) await settle();
  } else if (name === "games") {
    gamesChanged();
    await refreshGames();
  }
  if (name !== "progress") await refreshRun();
  render();
}

/** A game has changed, here or elsewhere. @param {import("./contract").Row} row */
function onRow(row) {
  const known = state.rows.some((other) => other.id === row.id);
  adoptRow(row);
  gamesChanged();
  if (!known) {
    void refreshGames();
    return;
  }
  orderTodo();
  const shown = row.id === state.gameId;
  if (shown && !state.unsent && state.served && row.version > state.served.version) {
    void refetchGame().then(render);
  }
  if (!state.gameId && needsPerson(row)) void refreshGames();
}

async function start() {
  build();
  render();
  addEventListener("hashchange", () => {
    if (takeToken()) location.reload();
  });
  addEventListener("resize", render);
  if (!takeToken()) {
    say(texts.noToken);
    byId("why").textContent = texts.noToken;
    return;
  }
  for (;;) {
    try {
      await load();
      break;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const lost = error.status === 401;
      say(lost ? texts.noToken : error.message || texts.offline);
      byId("why").textContent = lost ? texts.noToken : error.message || texts.offline;
      if (lost) return;
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
  }
  startOutbox();
  focusMoveField();
  let wasUp = true;
  void followEvents(
    (name, data, epoch) => void onEvent(name, data, epoch).catch(() => {}),
    (up) => {
      state.reachable = up;
      if (up && !wasUp) void load().then(refetchGame).then(render, () => {});
      wasUp = up;
      drawBar();
    },
  );
}

void start();
