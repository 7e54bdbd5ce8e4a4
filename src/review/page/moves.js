// @ts-check
/** The list of moves: pairs, or strips with the picture of each cell beside its move. */

import { picture } from "./api.js";
import { goDoubt, goTo } from "./actions.js";
import { plyNumber } from "./chess.js";
import { byId, focusMoveField, html, setText } from "./dom.js";
import { breakPlace, cellAt, isDoubt, plyAt, state } from "./state.js";
import { texts } from "./texts.js";
import { render } from "./view.js";

/** Size of a cell in the picture of all cells, and half of it, as it is shown. */
const STRIP_SCALE = 0.5;
const STRIP_WIDTH = 192 * STRIP_SCALE;
const STRIP_HEIGHT = 48 * STRIP_SCALE;

/** The button of each ply, and what it showed last. @type {{button: HTMLButtonElement, mark: string}[]} */
let buttons = [];
/** The row headings. @type {HTMLElement[]} */
let heads = [];
let drawnGame = "";
/** @type {HTMLButtonElement|null} */
let current = null;

export function buildMoves() {
  byId("next-doubt").addEventListener("click", () => {
    goDoubt(1);
    focusMoveField();
  });
  byId("strips").addEventListener("click", toggleStrips);
  byId("move-rows").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (button?.dataset.place) goTo(button.dataset.place);
    focusMoveField();
  });
}

export function toggleStrips() {
  state.strips = !state.strips;
  render();
  focusMoveField();
}

export function drawMoves() {
  const { game } = state;
  document.body.toggleAttribute("data-strips", state.strips);
  byId("strips").setAttribute("aria-pressed", String(state.strips));
  setText(byId("move-count"), game ? texts.moveCount(game.plies.length) : texts.moves);
  const cut = game && breakPlace(game);
  const count = game ? game.plies.length + (cut ? 1 : 0) : 0;
  const id = `${game?.id} ${state.strips}`;
  if (id !== drawnGame) {
    drawnGame = id;
    buttons = [];
    heads = [];
    current = null;
    byId("move-rows").replaceChildren();
  }
  fitRows(count);
  for (let index = 0; index < count; index++) drawMove(index);
  for (let row = 0; row < heads.length; row++) drawHead(row);
  const here = game ? plyAt(game, state.place) : -1;
  const index = here >= 0 ? here : cut && state.place === cut ? count - 1 : -1;
  light(buttons[index]?.button ?? null);
}

/** Adds or removes rows at the end, so that the list has `count` moves. @param {number} count */
function fitRows(count) {
  const rows = byId("move-rows");
  while (buttons.length > count) {
    buttons.pop()?.button.remove();
    if (heads.length > Math.ceil(buttons.length / 2)) heads.pop()?.parentElement?.remove();
  }
  while (buttons.length < count) {
    const index = buttons.length;
    if (index % 2 === 0) {
      const head = html("th", { scope: "row" });
      heads.push(head);
      rows.append(html("tr", {}, head, html("td"), html("td")));
    }
    const button = html("button", { type: "button", tabindex: -1 });
    rows.lastElementChild?.children[1 + (index % 2)].append(button);
    buttons.push({ button, mark: "" });
  }
}

/** The number of a row, and the row on the sheet where that is another one. @param {number} row */
function drawHead(row) {
  const plies = state.game?.plies;
  const cells = [...(plies?.[2 * row]?.cells ?? []), ...(plies?.[2 * row + 1]?.cells ?? [])];
  const other = cells.find((cell) => cell.move !== row + 1);
  const text = String(row + 1);
  const mark = other ? texts.rowNumber(other.move) : "";
  if (heads[row].dataset.mark === text + mark) return;
  heads[row].dataset.mark = text + mark;
  heads[row].replaceChildren(text, ...(mark ? [html("small", {}, mark)] : []));
}

/** @param {number} index */
function drawMove(index) {
  const game = /** @type {import("./contract").Game} */ (state.game);
  const ply = game.plies[index];
  const place = ply ? ply.place : (breakPlace(game) ?? "");
  const fresh = state.fresh.has(index);
  const [kind, sign] = !ply ? ["gone", "?"]
    : fresh ? ["fresh", texts.markNew]
    : ply.settled ? ["settled", texts.markSettled]
    : ply.seen ? ["", texts.markIllegible]
    : isDoubt(ply) ? ["doubt", texts.markDoubt(String(Math.round(ply.confidence * 100)))]
    : ["", ""];
  const san = ply ? ply.san : texts.breaksOff;
  const mark = [place, kind, sign, san].join("|");
  const shown = buttons[index];
  if (shown.mark === mark) return;
  shown.mark = mark;
  const { button } = shown;
  button.dataset.place = place;
  button.className = kind + (button === current ? " current" : "");
  const number = (index >> 1) + 1;
  button.setAttribute("aria-label", texts.moveLabel(san, sign, number, index % 2 === 0));
  const parts = [html("span", { class: "san" }, san), html("small", {}, sign)];
  if (state.strips) parts.unshift(strip(place));
  button.replaceChildren(...parts);
}

/** The picture of a cell, cut out of the picture of all cells. @param {string} place */
function strip(place) {
  const element = html("span", { class: "strip" });
  const game = state.game;
  const here = game && cellAt(game, place);
  if (!here) return element;
  const sheet = game.sheets[here.sheet];
  const index = sheet.cells.indexOf(here.cell);
  void picture(`/api/sheets/${sheet.id}/strips.jpg`).then((url) => {
    if (!url) return;
    const height = Math.ceil(sheet.cells.length / 2) * STRIP_HEIGHT;
    element.style.backgroundImage = `url("${url}")`;
    element.style.backgroundSize = `${2 * STRIP_WIDTH}px ${height}px`;
    element.style.backgroundPosition =
      `${-STRIP_WIDTH * (index % 2)}px ${-STRIP_HEIGHT * (index >> 1)}px`;
  });
  return element;
}

/** Makes a move the current one and scrolls it into sight. @param {HTMLButtonElement|null} button */
function light(button) {
  if (button !== current) {
    current?.classList.remove("current");
    current?.removeAttribute("aria-current");
    current = button;
    button?.classList.add("current");
    button?.setAttribute("aria-current", "true");
  }
  const list = byId("move-list");
  if (!button || !list.clientHeight) return;
  const top = button.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (top < 30 || top > list.clientHeight - 50) list.scrollTop += top - list.clientHeight / 2;
}

/** The name of the place where the game is cut, for the chip. */
export function cutName() {
  const at = state.game?.break_at;
  return at ? plyNumber(at.ply - 1) : "";
}
