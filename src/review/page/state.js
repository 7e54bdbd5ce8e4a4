/** The one state object of the page, and what can be derived from it. */

export const state = {
  run: /** @type {Run|null} */ (null),
  /** In the order of the input. */
  rows: /** @type {Row[]} */ ([]),
  faults: /** @type {Games["faults"]} */ ([]),
  tab: /** @type {"todo"|"all"|"boards"} */ ("todo"),
  gameId: "",
  /** The game as the server has it, and as shown: with the answers that are on their way. */
  served: /** @type {Game|null} */ (null),
  game: /** @type {Game|null} */ (null),
  /** The current place, "" if the game has none. */
  place: "",
  /** The sheet of the large picture, an index in the game's sheets. */
  sheet: 0,
  sideBySide: false,
  /** A number is the scale of the picture. */
  zoom: /** @type {"follow"|"fit"|number} */ ("follow"),
  strips: false,
  boardAfter: false,
  boardTurned: false,
  /** The next answer is a move that was left out before the current place. */
  leftOut: false,
  /** What is typed, and which of the listed candidates is lit. */
  typed: "",
  lit: 0,
  /** Moves that the last answer changed, by ply counted from 0. */
  fresh: /** @type {Set<number>} */ (new Set()),
  /** Changes above the place that was answered. */
  above: /** @type {MoveAbove[]} */ ([]),
  /** The cut that was answered last, until the server has decoded what follows. */
  answeredCut: "",
  /** The result that the shown game had at first. */
  firstResult: /** @type {string|undefined} */ (undefined),
  /** A second Ctrl+Enter settles in spite of doubts. */
  settleAsked: false,
  /** The game to settle once its search has ended. */
  settleWaits: "",
  /** Answers on their way, and whether the server was last heard. */
  unsent: 0,
  reachable: true,
};

/** The index of the ply at a place, or -1. @param {Game} game @param {string} place */
export function plyAt(game, place) {
  const direct = game.plies.findIndex((ply) => ply.place === place);
  if (direct >= 0) return direct;
  return game.plies.findIndex((ply) => ply.cells.some((cell) => cell.place === place));
}

/** The ply at a place. @param {Game|null} game @param {string} place @returns {Ply|undefined} */
export const plyOf = (game, place) => game?.plies[plyAt(game, place)];

/** The place where a game is cut, or "". @param {Game|null} game */
export function cutPlace(game) {
  if (!game?.break_at || game.complete) return "";
  return game.break_at.place ?? `ply-${game.break_at.ply}`;
}

/** @param {Ply} ply */
export const isDoubt = (ply) => ply.review && !ply.settled && !ply.seen;

/** The places that want an answer, in order. @param {Game} game */
export function doubtPlaces(game) {
  const cut = cutPlace(game);
  const asksCut = cut && answerAt(game, cut)?.is !== "seen";
  return [...game.plies.filter(isDoubt).map((ply) => ply.place), ...(asksCut ? [cut] : [])];
}

/** Name of the text on a game without doubts. @param {Game} game @returns {"isCut"|"toSettle"} */
export const settleText = (game) => (cutPlace(game) ? "isCut" : "toSettle");

/** What the arrow keys walk: every ply, the cut, and cells not read. @param {Game} game */
export function stopPlaces(game) {
  const cut = cutPlace(game);
  const plies = game.plies.map((ply) => ply.place);
  const unread = game.unread.map((cell) => cell.place);
  return [...new Set([...plies, ...(cut ? [cut] : []), ...unread])];
}

/** The cell of a place and the index of its sheet. @param {Game|null} game @param {string} place */
export function cellAt(game, place) {
  const sheet = Number(place.split("-")[0]);
  const cell = game?.sheets[sheet]?.cells.find((other) => other.place === place);
  return cell ? { sheet, cell } : null;
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
  if (!here || place === cutPlace(game)) return game.plies.length;
  const rank = (/** @type {{move: number, side: Side}} */ cell) =>
    2 * cell.move + (cell.side === "black" ? 1 : 0);
  return game.plies.filter(({ cells }) =>
    cells.some((cell) => cell.sheet === here.sheet && rank(cell) < rank(here.cell))).length;
}

/** What a person answered at a place. @param {Game|null} game @param {string} place */
export const answerAt = (game, place) =>
  game?.answers.find((answer) => "at" in answer && answer.at === place);

/** Whether a game can be settled by a person and is not yet. @param {Row} row */
export const needsPerson = (row) => ["cut", "doubtful", "ready", "stale"].includes(row.state);

/** The path of a sheet below the folder of the run. @param {string} [path] */
export function sheetName(path = "") {
  const folder = `${state.run?.name}/`;
  const start = path.indexOf(folder);
  return start < 0 ? path : path.slice(start + folder.length);
}

/** A name for a game, as the list has it. @param {Row} row */
export function gameName(row) {
  const named = row.white || row.black;
  const players = named ? `${row.white || "?"} – ${row.black || "?"}` : sheetName(row.sheets[0]);
  return [row.board, players || row.id].filter(Boolean).join(" ");
}

/** The list's row of a game. @param {string} id */
export const rowOf = (id) => state.rows.find((row) => row.id === id);
