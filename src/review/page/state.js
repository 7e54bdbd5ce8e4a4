// @ts-check
/**
 * The one state object of the page, and what can be derived from it.
 * @typedef {import("./contract").Game} Game
 * @typedef {import("./contract").Row} Row
 * @typedef {import("./contract").Run} Run
 * @typedef {import("./contract").Ply} Ply
 * @typedef {import("./contract").Cell} Cell
 * @typedef {import("./contract").Answer} Answer
 * @typedef {import("./contract").Candidate} Candidate
 * @typedef {import("./contract").Candidates} Candidates
 * @typedef {{place: string, old: string, new: string|null, index: number}} MoveAbove
 */

export const state = {
  /** @type {Run|null} */
  run: null,
  /** @type {Row[]} in the order of the input */
  rows: [],
  /** @type {import("./contract").Games["faults"]} */
  faults: [],
  tab: /** @type {"todo"|"all"} */ ("todo"),
  /** @type {string|null} */
  gameId: null,
  /** As the server has it. @type {Game|null} */
  served: null,
  /** As shown: with the answers that are on their way. @type {Game|null} */
  game: null,
  /** The current place, "" if the game has none. */
  place: "",
  /** The sheet of the large picture, an index in the game's sheets. */
  sheet: 0,
  sideBySide: false,
  zoom: /** @type {"follow"|"fit"|number} */ ("follow"),
  strips: false,
  boardAfter: false,
  boardTurned: false,
  /** The next answer is a move that was left out before the current place. */
  leftOut: false,
  /** What is typed, and which of the listed candidates is lit. */
  typed: "",
  lit: 0,
  /** Moves that the last answer changed, by ply counted from 0. @type {Set<number>} */
  fresh: new Set(),
  /** Changes above the place that was answered. @type {MoveAbove[]} */
  above: [],
  /** A second Ctrl+Enter settles in spite of doubts. */
  settleAsked: false,
  /** The game to settle once its search has ended. @type {string|null} */
  settleWaits: null,
  /** Answers on their way, and whether the server was last heard. */
  unsent: 0,
  reachable: true,
};

/**
 * The index of the ply that is played at a place, or -1.
 * @param {Game} game
 * @param {string} place
 */
export function plyAt(game, place) {
  const direct = game.plies.findIndex((ply) => ply.place === place);
  if (direct >= 0) return direct;
  return game.plies.findIndex((ply) => ply.cells.some((cell) => cell.place === place));
}

/** @param {Game} game @returns {string|null} the place where the game is cut */
export function breakPlace(game) {
  const at = game.break_at;
  if (game.complete || !at) return null;
  return at.place ?? `ply-${at.ply}`;
}

/** @param {Ply} ply */
export const isDoubt = (ply) => ply.review && !ply.settled && !ply.seen;

/** The places that want an answer, in order. @param {Game} game */
export function doubtPlaces(game) {
  const places = game.plies.filter(isDoubt).map((ply) => ply.place);
  const cut = breakPlace(game);
  const seen = game.answers.some((a) => "at" in a && a.at === cut && a.is === "seen");
  if (cut && !seen) places.push(cut);
  return places;
}

/** The places that the arrow keys walk: every ply, the cut, and cells not read. @param {Game} game */
export function stops(game) {
  const places = game.plies.map((ply) => ply.place);
  const cut = breakPlace(game);
  for (const place of [...(cut ? [cut] : []), ...game.unread.map((cell) => cell.place)]) {
    if (!places.includes(place)) places.push(place);
  }
  return places;
}

/**
 * The cell of a place with the index of its sheet, or null.
 * @param {Game} game
 * @param {string} place
 * @returns {{sheet: number, cell: Cell}|null}
 */
export function cellAt(game, place) {
  const [index, rest] = place.split("-");
  const cells = rest && game.sheets[Number(index)]?.cells;
  const cell = cells && cells.find((other) => other.place === place);
  return cell ? { sheet: Number(index), cell } : null;
}

/**
 * The index of the ply that is or would be played at a place.
 * @param {Game} game
 * @param {string} place
 * @param {Candidates|null} candidates
 */
export function indexAt(game, place, candidates) {
  const played = plyAt(game, place);
  if (played >= 0) return played;
  if (candidates) return candidates.ply - 1;
  const here = cellAt(game, place);
  if (!here || place === breakPlace(game)) return game.plies.length;
  const rank = (/** @type {{move: number, side: string}} */ cell) =>
    2 * cell.move + (cell.side === "black" ? 1 : 0);
  return game.plies.filter((ply) =>
    ply.cells.some((cell) => cell.sheet === here.sheet && rank(cell) < rank(here.cell)),
  ).length;
}

/** The answer that a person gave at a place. @param {Game} game @param {string} place */
export const answerAt = (game, place) =>
  game.answers.find((answer) => "at" in answer && answer.at === place) ?? null;

/** Whether a game asks for a person. @param {Row} row */
export const needsPerson = (row) => ["cut", "doubtful", "ready", "stale"].includes(row.state);

/** A name for a game, as the list has it. @param {Row} row */
export function gameName(row) {
  const players = row.white || row.black ? `${row.white || "?"} – ${row.black || "?"}` : "";
  return [row.board, players || row.sheets[0] || row.id].filter(Boolean).join(" ");
}
