// @ts-check
/**
 * The order of the games that need a person: cut before doubtful before ready, each in the order
 * of the input. A game keeps its place in it while it is shown.
 */

import { needsPerson, state } from "./state.js";

/** @type {Record<string, number>} */
const GROUPS = { stale: 0, cut: 1, doubtful: 2, ready: 3, reading: 4, unread: 5 };

/** The group of a game when it was last not shown. @type {Map<string, number>} */
const groups = new Map();

/** The ids of the tab To do, in order. @type {string[]} */
let todo = [];

/** Orders the games anew after a change. */
export function orderTodo() {
  const open = [];
  for (const [index, row] of state.rows.entries()) {
    const shown = row.id === state.gameId;
    if (!shown || !groups.has(row.id)) groups.set(row.id, GROUPS[row.state] ?? 6);
    if (row.state !== "settled" || shown) open.push({ id: row.id, index });
  }
  const group = (/** @type {string} */ id) => groups.get(id) ?? 6;
  open.sort((a, b) => group(a.id) - group(b.id) || a.index - b.index);
  todo = open.map(({ id }) => id);
}

export const todoOrder = () => todo;

/** The next or previous game that needs a person, round the end. @param {1|-1} direction */
export function nextInNeed(direction) {
  const rows = new Map(state.rows.map((row) => [row.id, row]));
  const inNeed = todo.filter((id) => {
    const row = rows.get(id);
    return id === state.gameId || (row && needsPerson(row));
  });
  const here = inNeed.indexOf(state.gameId ?? "");
  const count = inNeed.length;
  const at = here < 0 ? (direction > 0 ? 0 : count - 1) : (here + direction + count) % count;
  const next = inNeed[at];
  return next && next !== state.gameId ? next : null;
}
