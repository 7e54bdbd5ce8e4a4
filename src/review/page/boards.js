/** The tab Boards: rounds and boards as a grid, and a tray of the games without a board. */

import { assign, event, seatName } from "./event.js";
import { openAssign } from "./assign.js";
import { toggleDrawer } from "./games.js";
import { openGame } from "./run.js";
import { rowOf, state } from "./state.js";
import { fillText } from "./texts.js";
import {
  byId, closest, focusMoveField, html, isNarrow, render, say, setAttributes, setPressed, setText,
  showView,
} from "./view.js";

/** Sign and class of a cell by the state of its game. @type {Record<GameState, string[]>} */
const SIGNS = {
  settled: ["✓", "ok"], ready: ["=", "ok"], doubtful: ["?", "doubtful"], cut: ["✂", "bad"],
  stale: ["!", "bad"], unread: ["✕", "bad"], reading: ["…", ""],
};

/** Type of what is dragged from the tray: the id of a game. */
const DRAGGED = "application/x-sheetscan-game";

let drawn = "";
/** The current cell, and the board that waits for a sheet, as indices in the event's boards. */
let current = 0;
let chosen = -1;

export function buildBoards() {
  const grid = byId("board-grid");
  grid.addEventListener("focusin", ({ target }) => choose(/** @type {HTMLElement} */ (target)));
  grid.addEventListener("click", () => void openSeat());
  grid.addEventListener("keydown", (key) => {
    const cell = closest(key, "td");
    const row = /** @type {HTMLTableRowElement} */ (cell?.parentElement);
    const column = /** @type {HTMLTableCellElement} */ (cell).cellIndex;
    /** @type {Record<string, Element|null|undefined>} */
    const cells = {
      ArrowUp: row.previousElementSibling?.children[column], ArrowLeft: row.children[column - 1],
      ArrowDown: row.nextElementSibling?.children[column], ArrowRight: row.children[column + 1],
      Enter: cell,
    };
    const next = /** @type {HTMLElement|null} */ (cells[key.key]);
    if (key.key === "Escape") leaveBoards();
    if (!(key.key in cells)) return;
    key.preventDefault();
    key.stopPropagation();
    if (next === cell) void openSeat();
    else if (next?.dataset.at) next.focus();
  });
  byId("tray").addEventListener("click", (click) => {
    const id = closest(click, "button")?.dataset.id;
    const seat = event.boards[chosen];
    if (!id) return;
    chosen = -1;
    if (seat) void assign(id, seat).then(focusCell);
    else void showGame(id).then(openAssign);
  });
  // A sheet of the tray is dragged onto a board that has none.
  byId("tray").addEventListener("dragstart", (drag) => {
    const id = closest(drag, "button")?.dataset.id ?? "";
    drag.dataTransfer?.setData(DRAGGED, id);
  });
  grid.addEventListener("dragover", (drag) => {
    const takes = drag.dataTransfer?.types.includes(DRAGGED) && openSeatAt(drag);
    if (takes) drag.preventDefault();
  });
  grid.addEventListener("drop", (drag) => {
    const id = drag.dataTransfer?.getData(DRAGGED);
    const seat = openSeatAt(drag);
    if (!id || !seat) return;
    drag.preventDefault();
    current = event.boards.indexOf(seat);
    void assign(id, seat).then(focusCell);
  });
}

/** The board without a sheet at the place of an event. @param {Event} at */
function openSeatAt(at) {
  const seat = event.boards[Number(closest(at, "td")?.dataset.at ?? -1)];
  return seat && !seat.game && seat.kind === "game" ? seat : null;
}

/** @param {HTMLElement} cell */
function choose(cell) {
  setAttributes(cellAt(current), { tabindex: -1 });
  current = Number(cell.dataset.at);
  setAttributes(cell, { tabindex: 0 });
  setText("seat", cell.ariaLabel ?? "");
}

/** @param {number} at @returns {HTMLElement} */
const cellAt = (at) => byId("board-grid").querySelector(`[data-at="${at}"]`) ?? byId("seat");

const focusCell = () => cellAt(current).focus();

/** To the cell of a board. @param {{round: number|null, board: number|null}} seat */
export function goSeat(seat) {
  const at = event.boards.findIndex((b) => b.round === seat.round && b.board === seat.board);
  if (at >= 0) cellAt(at).focus();
}

/** Opens the game of the current cell, or asks for a sheet. */
async function openSeat() {
  const seat = event.boards[current];
  if (seat.game) {
    await showGame(seat.game);
    return;
  }
  chosen = seat.kind === "bye" || !event.tray.length ? -1 : current;
  render();
  if (chosen < 0) say(seatText(seat));
  else {
    say(seatText(seat), fillText("chooseSheet"));
    byId("tray").querySelector("button")?.focus();
  }
}

/** Leaves the boards for a game. @param {string} id */
export async function showGame(id) {
  leaveBoards();
  toggleDrawer(false);
  showView("answer");
  await openGame(id);
  focusMoveField();
}

function leaveBoards() {
  chosen = -1;
  if (state.tab === "boards") state.tab = "todo";
  render();
}

/** The key that shows the boards. */
export function openBoards() {
  if (!state.run?.event) return;
  state.tab = "boards";
  if (isNarrow()) showView("games");
  render();
  if (byId("games-button").checkVisibility()) toggleDrawer(true);
  focusCell();
}

/** A board in words. @param {Seat} seat */
function seatText(seat) {
  const now = seat.game ? rowOf(seat.game)?.state ?? "" : seat.kind === "game" ? fillText("noSheet")
    : fillText(seat.kind);
  return seatName(seat, [now, ...seat.checks].join(" "));
}

export function drawBoards() {
  const shown = state.tab === "boards";
  byId("tab-boards").hidden = !state.run?.event;
  setPressed("tab-boards", shown);
  document.body.toggleAttribute("data-boards", shown);
  byId("boards").hidden = !shown;
  if (!shown) return;
  const mark = JSON.stringify([event, chosen, state.rows.map((row) => row.state)]);
  if (mark === drawn) return;
  drawn = mark;
  const { boards, tray } = event;
  const hadFocus = byId("board-grid").contains(document.activeElement);
  const rounds = [...new Set(boards.map((seat) => seat.round))];
  const numbers = [...new Set(boards.map((seat) => seat.board))].sort((a, b) => a - b);
  const heads = rounds.map((round) => html("th", { scope: "col" }, String(round)));
  byId("board-grid").replaceChildren(
    html("tr", {}, html("td"), ...heads),
    ...numbers.map((number) => html("tr", {}, html("th", { scope: "row" }, String(number)),
      ...rounds.map((round) =>
        makeCell(boards.findIndex((b) => b.round === round && b.board === number))))));
  if (hadFocus) focusCell();
  setText("tray-note", fillText("tray", tray.length));
  byId("tray").replaceChildren(...tray.map(({ id, sheets, why, runners_up: ups }) => {
    const seat = boards[chosen];
    const odds = ups.find((up) => up.round === seat?.round && up.board === seat.board)?.odds;
    const percent = seat ? fillText("percent", Math.round(100 * (odds ?? 0))) : "";
    return html("li", {}, html("button", { "data-id": id, draggable: "true" },
      `${sheets.join(" + ")} ${percent}`, html("small", {}, why)));
  }));
}

/** @param {number} at */
function makeCell(at) {
  const seat = event.boards[at];
  if (!seat) return html("td");
  const [sign, kind] = seat.game ? SIGNS[rowOf(seat.game)?.state ?? "reading"]
    : [{ game: "–", forfeit: "+−", bye: "bye" }[seat.kind], ""];
  return html("td", {
    tabindex: at === current ? 0 : -1, "data-at": at, class: `${seat.kind} ${kind}`,
    "aria-label": seatText(seat),
  }, sign, html("small", {}, seat.checks[0] ?? ""));
}
