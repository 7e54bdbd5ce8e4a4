/** The list of moves: pairs, or strips with the picture of each cell beside its move. */

import { goDoubt, goTo } from "./actions.js";
import { fetchPicture } from "./api.js";
import { cellAt, cutPlace, isDoubt, plyAt, state } from "./state.js";
import { fillText } from "./texts.js";
import {
  byId, closest, focusMoveField, html, onClick, render, setAttributes, setPressed, setText,
} from "./view.js";

/** Size of a cell as it is shown, half of that in the picture of all cells. */
const STRIP_WIDTH = 96;
const STRIP_HEIGHT = 24;

/** The button of each ply, and what it showed last. */
let buttons = /** @type {{button: HTMLButtonElement, mark: string}[]} */ ([]);
let heads = /** @type {HTMLElement[]} */ ([]);
let drawnGame = "";
let current = /** @type {HTMLButtonElement|undefined} */ (undefined);

export function buildMoves() {
  onClick("next-doubt", goDoubt);
  onClick("strips", toggleStrips);
  byId("move-rows").addEventListener("click", (event) => {
    goTo(closest(event, "button")?.dataset.place);
    focusMoveField();
  });
}

export function toggleStrips() {
  state.strips = !state.strips;
  render();
}

export function drawMoves() {
  const { game, strips } = state;
  document.body.toggleAttribute("data-strips", strips);
  setPressed("strips", strips);
  setText("move-count", fillText("moveCount", Math.ceil((game?.plies.length ?? 0) / 2)));
  const id = `${game?.id} ${strips}`;
  if (id !== drawnGame) {
    drawnGame = id;
    buttons = [];
    heads = [];
    byId("move-rows").replaceChildren();
  }
  const cut = cutPlace(game);
  const count = game ? game.plies.length + (cut ? 1 : 0) : 0;
  fitRows(count);
  if (!game) return;
  for (let index = 0; index < count; index++) drawMove(game, index);
  heads.forEach((head, row) => drawHead(game, head, row));
  const here = state.place === cut ? count - 1 : plyAt(game, state.place);
  lightMove(buttons[here]?.button);
}

/** Adds or removes moves at the end. @param {number} count */
function fitRows(count) {
  while (buttons.length > count) {
    buttons.pop()?.button.remove();
    if (2 * heads.length > buttons.length + 1) heads.pop()?.parentElement?.remove();
  }
  while (buttons.length < count) {
    const column = buttons.length % 2;
    if (!column) {
      const head = html("th", { scope: "row" });
      heads.push(head);
      byId("move-rows").append(html("tr", {}, head, html("td"), html("td")));
    }
    const button = html("button", { tabindex: -1 });
    heads.at(-1)?.parentElement?.children[1 + column].append(button);
    buttons.push({ button, mark: "" });
  }
}

/** The number of a move, and its row on the sheet where that is another one. */
function drawHead(/** @type {Game} */ { plies }, /** @type {HTMLElement} */ head, row = 0) {
  const cells = plies.slice(2 * row, 2 * row + 2).flatMap((ply) => ply.cells);
  const other = cells.find((cell) => cell.sheet === state.sheet && cell.move !== row + 1);
  const text = other ? fillText("row", other.move) : "";
  if (head.textContent !== `${row + 1}${text}`) {
    head.replaceChildren(String(row + 1), html("small", {}, text));
  }
}

/** @param {Game} game @param {number} index */
function drawMove(game, index) {
  const ply = game.plies[index];
  const place = ply ? ply.place : cutPlace(game);
  const percent = Math.round(100 * (ply?.confidence ?? 0));
  const [kind, sign] = !ply ? ["gone", "?"]
    : state.fresh.has(index) ? ["fresh", fillText("markNew")]
    : ply.settled ? ["settled", fillText("markSettled")]
    : ply.seen ? ["", fillText("markIllegible")]
    : isDoubt(ply) ? ["doubt", fillText("markDoubt", percent)] : ["", ""];
  const san = ply ? ply.san : fillText("breaksOff");
  const shown = buttons[index];
  const strip = ply?.cells.find((cell) => cell.sheet === state.sheet)?.place ?? place;
  const mark = [place, kind, sign, san, strip].join();
  if (shown.mark === mark) return;
  shown.mark = mark;
  const { button } = shown;
  const side = fillText(index % 2 ? "black" : "white");
  setAttributes(button, {
    "data-place": place, class: kind,
    "aria-label": fillText("moveLabel", san, sign, (index >> 1) + 1, side),
  });
  const parts = [html("span", {}, san), html("small", {}, sign)];
  if (state.strips) parts.unshift(makeStrip(game, strip));
  button.replaceChildren(...parts);
}

/** A cell, cut out of the picture of all cells. @param {Game} game @param {string} place */
function makeStrip(game, place) {
  const strip = html("span", { class: "strip" });
  const here = cellAt(game, place);
  if (!here) return strip;
  const { id, cells } = game.sheets[here.sheet];
  const index = cells.indexOf(here.cell);
  const { style } = strip;
  style.backgroundSize = `${2 * STRIP_WIDTH}px ${Math.ceil(cells.length / 2) * STRIP_HEIGHT}px`;
  style.backgroundPosition = `${-STRIP_WIDTH * (index % 2)}px ${-STRIP_HEIGHT * (index >> 1)}px`;
  void fetchPicture(`/api/sheets/${id}/strips.jpg`).then((url) => {
    if (url) style.backgroundImage = `url("${url}")`;
  });
  return strip;
}

/** Makes a move the current one and scrolls it into sight. @param {HTMLButtonElement} [button] */
function lightMove(button) {
  if (button === current) return;
  if (current) setAttributes(current, { "aria-current": null });
  current = button;
  if (!button) return;
  setAttributes(button, { "aria-current": "true" });
  const list = byId("move-list");
  const top = button.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (top < 30 || top > list.clientHeight - 50) list.scrollTop += top - list.clientHeight / 2;
}
