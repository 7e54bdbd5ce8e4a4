/** The list of games. Rows are made once and changed where their game has changed. */

import { openGame, todo } from "./run.js";
import { gameName, rowOf, sheetName, state } from "./state.js";
import { fillText } from "./texts.js";
import {
  byId, closest, focusMoveField, html, render, setAttributes, setPressed, setText, showView,
} from "./view.js";

/** @type {Map<string, {item: HTMLElement, button: HTMLElement, mark: string}>} */
const items = new Map();
/** What was drawn last, so that a key does not walk through 500 games. */
let drawnRows = /** @type {unknown[]} */ ([]);
let current = /** @type {HTMLElement|undefined} */ (undefined);

export function buildGames() {
  for (const tab of /** @type {const} */ (["todo", "all", "boards"])) {
    byId(`tab-${tab}`).addEventListener("click", () => {
      state.tab = tab;
      render();
    });
  }
  byId("game-list").addEventListener("click", (event) => {
    const id = closest(event, "button")?.dataset.id;
    if (!id) return;
    toggleDrawer(false);
    showView("answer");
    void openGame(id).then(focusMoveField);
  });
  byId("games-button").addEventListener("click", () => toggleDrawer());
  byId("games").addEventListener("keydown", (event) => {
    const down = event.key === "ArrowDown";
    if (event.key === "Escape") {
      toggleDrawer(false);
      focusMoveField();
    } else if (down || event.key === "ArrowUp") {
      const item = document.activeElement?.parentElement;
      const next = down ? item?.nextElementSibling : item?.previousElementSibling;
      next?.querySelector("button")?.focus();
      event.preventDefault();
    }
  });
}

/** The drawer of games, in a window too narrow for the list. @param {boolean} [open] */
export function toggleDrawer(open) {
  const opened = document.body.toggleAttribute("data-drawer", open);
  setAttributes(byId("games-button"), { "aria-expanded": String(opened) });
  if (opened) (current ?? byId("tab-todo")).focus();
}

export function drawGames() {
  const { tab, rows, gameId } = state;
  setPressed("tab-todo", tab === "todo");
  setPressed("tab-all", tab === "all");
  const row = rowOf(gameId);
  const now = [rows, todo, tab, row?.state, state.run?.phase];
  if (now.some((value, index) => value !== drawnRows[index])) {
    drawnRows = now;
    drawRows(tab === "todo" ? todo : rows.map(({ id }) => id));
  }
  const button = items.get(gameId)?.button;
  if (button === current) return;
  if (current) setAttributes(current, { "aria-current": null });
  current = button;
  if (!button) return;
  setAttributes(button, { "aria-current": "true" });
  button.scrollIntoView({ block: "nearest" });
}

/** @param {string[]} order */
function drawRows(order) {
  const rows = new Map(state.rows.map((row) => [row.id, row]));
  const list = byId("game-list");
  let next = list.firstElementChild;
  for (const id of order) {
    const row = rows.get(id);
    if (!row) continue;
    const { item } = drawItem(row);
    if (item === next) next = next.nextElementSibling;
    else list.insertBefore(item, next);
  }
  while (next) {
    const after = next.nextElementSibling;
    next.remove();
    next = after;
  }
  const open = todo.filter((id) => !["settled", "reading"].includes(rows.get(id)?.state ?? ""));
  setText("count-todo", String(open.length));
  setText("count-all", String(rows.size));
  setText("no-games", order.length ? "" : rows.size ? fillText("nothingToDo") : noGames(), true);
  byId("faults").hidden = !state.faults.length;
  setText("fault-count", fillText("faults", state.faults.length));
  byId("fault-list").replaceChildren(...state.faults.map(({ path, reason }) =>
    html("li", {}, html("b", {}, path), ` ${reason}`)));
}

/** Why there is no game. */
export const noGames = () => fillText(
  state.run?.phase !== "ready" ? "readingFirst" : state.run.inbox ? "noGamesYet" : "noGames");

/** @param {Row} row */
function drawItem(row) {
  const mark = JSON.stringify(row);
  let shown = items.get(row.id);
  if (shown?.mark === mark) return shown;
  if (!shown) {
    const button = html("button", { "data-id": row.id });
    shown = { item: html("li", {}, button), button, mark };
    items.set(row.id, shown);
  }
  shown.mark = mark;
  const [kind, sign, spoken] = describeState(row);
  const name = gameName(row);
  const detail = row.reason ?? row.sheets.map(sheetName).join(" + ");
  const chip = { class: `chip ${kind}`, "aria-label": spoken, role: spoken && "img" };
  shown.button.replaceChildren(
    // A name that does not fit is broken behind its signs.
    html("span", {}, ...name.split(/(?<=[_-])/).flatMap((part) => [part, html("wbr")])),
    html("span", chip, sign),
    html("small", {}, detail === name ? "" : detail),
  );
  return shown;
}

/** Class, sign and words of a game's state. @param {Row} row @returns {string[]} */
function describeState({ state: now, cut_at: cut, doubts }) {
  if (now === "cut") return ["bad", fillText("cutAt", cut?.replace("...", "…") ?? "?")];
  if (now === "doubtful") {
    return ["doubtful", fillText("doubts", doubts), fillText("doubtsSpoken", doubts)];
  }
  return {
    ready: ["ok", fillText("stateReady")],
    settled: ["ok", fillText("stateSettled")],
    stale: ["bad", fillText("stateStale")],
    unread: ["bad", fillText("stateUnread")],
    reading: ["", fillText("stateReading")],
  }[now];
}
