// @ts-check
/** The list of games. Rows are made once and changed where their game has changed. */

import { byId, focusMoveField, html, setText } from "./dom.js";
import { todoOrder } from "./order.js";
import { openGame } from "./run-actions.js";
import { gameName, state } from "./state.js";
import { texts } from "./texts.js";
import { render, showView } from "./view.js";

/** @type {Map<string, {item: HTMLLIElement, button: HTMLButtonElement, mark: string}>} */
const items = new Map();
/** The rows and order that were drawn last, so that a key does not walk through 500 games. */
let drawnRows = "";
/** @type {HTMLButtonElement|null} */
let current = null;

export function buildGames() {
  for (const tab of /** @type {const} */ (["todo", "all"])) {
    byId(`tab-${tab}`).addEventListener("click", () => {
      state.tab = tab;
      render();
    });
  }
  byId("game-list").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const id = /** @type {Element} */ (event.target).closest("button")?.dataset.id;
    if (!id) return;
    closeDrawer();
    showView("answer");
    void openGame(id).then(focusMoveField);
  });
  byId("games-button").addEventListener("click", () => {
    const open = document.body.toggleAttribute("data-drawer");
    byId("games-button").setAttribute("aria-expanded", String(open));
    if (open) (current ?? byId("tab-todo")).focus();
  });
  byId("games").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") {
      closeDrawer();
      focusMoveField();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all = [...byId("game-list").querySelectorAll("button")];
    const here = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    all[here + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    event.preventDefault();
  });
}

export function closeDrawer() {
  document.body.removeAttribute("data-drawer");
  byId("games-button").setAttribute("aria-expanded", "false");
}

/** Sorts the items only where something has changed since. */
let version = 0;
export function gamesChanged() {
  version += 1;
}

export function drawGames() {
  const order = state.tab === "todo" ? todoOrder() : state.rows.map((row) => row.id);
  for (const tab of ["todo", "all"]) {
    byId(`tab-${tab}`).setAttribute("aria-pressed", String(state.tab === tab));
  }
  const row = state.rows.find((other) => other.id === state.gameId);
  const shownRow = row && `${row.id} ${row.version} ${row.state} ${row.doubts}`;
  const mark = `${version} ${state.tab} ${order.length} ${shownRow}`;
  if (mark !== drawnRows) {
    drawnRows = mark;
    drawRows(order);
  }
  const button = items.get(state.gameId ?? "")?.button ?? null;
  if (button !== current) {
    current?.removeAttribute("aria-current");
    button?.setAttribute("aria-current", "true");
    current = button;
    button?.scrollIntoView({ block: "nearest" });
  }
}

/** @param {string[]} order */
function drawRows(order) {
  const list = byId("game-list");
  const rows = new Map(state.rows.map((row) => [row.id, row]));
  let next = list.firstElementChild;
  for (const id of order) {
    const row = rows.get(id);
    if (!row) continue;
    const { item } = itemOf(row);
    if (item === next) next = next.nextElementSibling;
    else list.insertBefore(item, next);
  }
  while (next) {
    const after = next.nextElementSibling;
    next.remove();
    next = after;
  }
  setText(byId("count-todo"), String(todoOrder().filter((id) => {
    const state = rows.get(id)?.state;
    return state !== "settled" && state !== "reading";
  }).length));
  setText(byId("count-all"), String(state.rows.length));
  const empty = order.length ? "" : state.rows.length ? texts.allSheetsSettled : texts.noGames;
  setText(byId("no-games"), empty);
  byId("no-games").hidden = !empty;
  drawFaults();
}

/** @param {import("./contract").Row} row */
function itemOf(row) {
  const known = items.get(row.id);
  const mark = JSON.stringify([row, row.state]);
  if (known?.mark === mark) return known;
  const [kind, sign, spoken] = stateMark(row);
  const parts = [
    html("span", { class: "name" }, gameName(row)),
    html("span", { class: `chip ${kind}` }, sign),
    html("small", {}, row.reason ?? row.sheets.join(" + ")),
  ];
  if (spoken) parts[1].setAttribute("aria-label", spoken);
  if (spoken) parts[1].setAttribute("role", "img");
  if (known) {
    known.mark = mark;
    known.button.replaceChildren(...parts);
    return known;
  }
  const button = html("button", { type: "button", "data-id": row.id }, ...parts);
  const made = { item: html("li", {}, button), button, mark };
  items.set(row.id, made);
  return made;
}

/**
 * Class, sign and words of a game's state.
 * @param {import("./contract").Row} row
 * @returns {[string, string, string]}
 */
export function stateMark(row) {
  if (row.state === "cut") return ["bad", texts.cutAt(row.cut_at ?? "?"), ""];
  if (row.state === "doubtful") {
    return ["doubtful", texts.doubts(row.doubts), texts.doubtsSpoken(row.doubts)];
  }
  if (row.state === "ready") return ["ok", texts.stateReady, ""];
  if (row.state === "settled") return ["ok", texts.stateSettled, ""];
  if (row.state === "stale") return ["bad", texts.stateStale, ""];
  return row.state === "unread" ? ["bad", texts.stateUnread, ""] : ["", texts.stateReading, ""];
}

/** Pictures that gave no game, with the reason. */
function drawFaults() {
  const holder = byId("faults");
  const { faults } = state;
  holder.hidden = !faults.length;
  setText(byId("fault-count"), texts.faults(faults.length));
  byId("fault-list").replaceChildren(
    ...faults.map(({ path, reason }) => html("li", {}, html("b", {}, path), ` ${reason}`)),
  );
}
