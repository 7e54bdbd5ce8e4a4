/** The field for a game's board: a number or a name; the likeliest boards come first. */

import { assign, event, seatName } from "./event.js";
import { openFields } from "./header-fields.js";
import { state } from "./state.js";
import { fillText } from "./texts.js";
import { byId, closest, focusMoveField, html, render, setAttributes } from "./view.js";

/** Boards that are offered at most. */
const MAX_OFFERED = 8;

let lit = 0;
let drawn = "";

export function buildAssign() {
  const id = "seat-field";
  const field = html("input", {
    id, role: "combobox", autocomplete: "off", spellcheck: "false", "aria-expanded": "true",
    "aria-controls": "seats", "aria-autocomplete": "list",
  });
  const list = html("ul", { id: "seats", role: "listbox", "aria-label": fillText("boards") });
  byId("fields").prepend(html("div", { class: "field", id: "assign" },
    html("label", { for: id }, fillText("whose")), field, list));
  field.addEventListener("input", () => light(0));
  field.addEventListener("keydown", (key) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key.key] ?? 0;
    const count = listSeats().length || 1;
    if (!step && !["Enter", "Escape"].includes(key.key) || key.ctrlKey) return;
    key.preventDefault();
    if (step) light((lit + step + count) % count);
    else if (key.key === "Enter") take(lit);
    else focusMoveField();
  });
  list.addEventListener("click", (click) => {
    const at = closest(click, "li")?.dataset.at;
    if (at) take(Number(at));
  });
}

/** @param {number} at */
function light(at) {
  lit = at;
  render();
}

/** Opens the fields, at that of the board where there is an event. */
export function openAssign() {
  openFields();
  lit = 0;
  if (state.run?.event) byId("seat-field").focus();
}

/** @param {number} at */
function take(at) {
  const seat = listSeats()[at];
  if (!state.game || !seat) return;
  byId("seat-field").value = "";
  void assign(state.game.id, seat.round ? seat : undefined);
  focusMoveField();
}

/** Letters alone, without accents. @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** What is offered for what is typed; a place without a round takes back. @returns {Place[]} */
function listSeats() {
  const typed = plain(byId("seat-field").value.trim());
  const fits = (/** @type {Place} */ { round, board, white, black }) =>
    !typed || [`${board}`, `${round}.${board}`].includes(typed) ||
    (/\D/.test(typed) && plain(`${white} ${black}`).includes(typed));
  const likely = (state.game?.pairing?.runners_up ?? []).filter(fits);
  const isNew = (/** @type {Seat} */ seat) => seat.kind !== "bye" && fits(seat) &&
    !likely.some((up) => up.round === seat.round && up.board === seat.board);
  const found = [...likely, ...(typed ? event.boards.filter(isNew) : [])].slice(0, MAX_OFFERED);
  const [first] = found;
  if (first) found.push({ ...first, exchanged: !first.exchanged, odds: undefined });
  const answered = !typed && state.game?.fields.white.answered;
  const none = { round: 0, board: 0, white: "", black: "" };
  return answered ? [...found, none] : found;
}

export function drawAssign() {
  byId("assign").hidden = !state.run?.event;
  if (byId("fields").hidden) return;
  const seats = listSeats();
  lit = Math.min(lit, Math.max(0, seats.length - 1));
  const mark = JSON.stringify([seats, lit]);
  if (mark === drawn) return;
  drawn = mark;
  byId("seats").replaceChildren(...seats.map((seat, at) => {
    const odds = seat.odds === undefined ? "" : fillText("percent", Math.round(100 * seat.odds));
    return html("li", {
      id: `seat-${at}`, role: "option", "data-at": at, "aria-selected": String(at === lit),
    }, seat.round ? seatName(seat, odds) : fillText("unassign"));
  }));
  setAttributes(byId("seat-field"), {
    "aria-activedescendant": seats.length ? `seat-${lit}` : null,
  });
}
