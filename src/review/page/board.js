// @ts-check
/**
 * The board: before or after the current move, with an arrow. Two clicks or a drag answer.
 * @typedef {import("./contract").Candidate} Candidate
 */

import { answerMove } from "./actions.js";
import { candidatesAt, listed } from "./candidates.js";
import { listPieces, playUci, plyName, plyNumber, positionBefore, readFen } from "./chess.js";
import { byId, setAttributes, setText, svg } from "./dom.js";
import { indexAt, plyAt, state } from "./state.js";
import { texts } from "./texts.js";
import { render, say } from "./view.js";

/** Side of a square in units of the drawing. */
const SQUARE = 45;
/** Pixels that a pointer moves at least in a drag. */
const MIN_DRAG_PX = 5;

/** @type {Record<string, SVGRectElement>} */
const squares = {};
/** @type {SVGGElement} */
let pieces;
/** @type {SVGGElement} */
let signs;
/** The square of the piece that is about to move. @type {string|null} */
let from = null;
/** The move that a pointer rests on in the list. @type {Candidate|null} */
let hinted = null;
/** What was drawn last. */
let drawn = "";

/** @param {string} square @returns {[number, number]} its top left corner */
function corner(square) {
  const file = "abcdefgh".indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  return state.boardTurned
    ? [(7 - file) * SQUARE, rank * SQUARE]
    : [file * SQUARE, (7 - rank) * SQUARE];
}

export function buildBoard() {
  const board = byId("board");
  const below = svg("g");
  for (const file of "abcdefgh") {
    for (let rank = 1; rank <= 8; rank++) {
      const dark = ("abcdefgh".indexOf(file) + rank) % 2 === 1;
      squares[file + rank] = svg("rect", {
        width: SQUARE, height: SQUARE, class: dark ? "dark" : "light",
      });
    }
  }
  below.append(...Object.values(squares));
  pieces = svg("g");
  signs = svg("g");
  board.append(below, pieces, signs);
  board.addEventListener("pointerdown", startMove);
  byId("turn").addEventListener("click", () => {
    state.boardTurned = !state.boardTurned;
    render();
  });
  byId("before-after").addEventListener("click", toggleAfter);
}

/** The board after the current move, or again before it. */
export function toggleAfter() {
  state.boardAfter = !state.boardAfter;
  render();
  say(state.boardAfter ? texts.boardAfter : texts.boardBefore);
}

/** Shows a move of the list on the board. @param {Candidate|null} candidate */
export function hintMove(candidate) {
  hinted = candidate;
  drawBoard();
}

/** The legal moves here. @returns {Candidate[]} */
function legalMoves() {
  const { game, place } = state;
  return (game && candidatesAt(game, place)?.candidates) ?? [];
}

export function drawBoard() {
  const { game, place } = state;
  if (!game) {
    drawn = "";
    pieces.replaceChildren();
    signs.replaceChildren();
    setText(byId("caption"), "");
    byId("board").setAttribute("aria-label", texts.noCandidates);
    return;
  }
  const found = candidatesAt(game, place);
  const index = indexAt(game, place, found);
  const ply = plyAt(game, place) >= 0 ? game.plies[index] : undefined;
  const lit = hinted ?? listed()[state.lit];
  const move = lit?.uci ? lit : ply && (!lit || lit.san === ply.san) ? ply : undefined;
  const prior = positionBefore(game.plies, index);
  const before = ply || !found ? prior : readFen(found.fen);
  const position = state.boardAfter && move ? playUci(before, move.uci) : before;
  const last = game.plies[index - 1]?.uci ?? "";
  const mark = JSON.stringify([position, move?.uci, last, from, state.boardAfter, state.boardTurned]);
  if (mark !== drawn) {
    drawn = mark;
    place64(last);
    pieces.replaceChildren(...Object.entries(position).map(([square, piece]) => {
      const [x, y] = corner(square);
      const id = (piece === piece.toUpperCase() ? "w" : "b") + piece.toUpperCase();
      return svg("use", { href: `#${id}`, x, y, "data-square": square });
    }));
    signs.replaceChildren(...coordinates(), ...targets());
    if (move?.uci && !state.boardAfter) signs.append(...arrow(move.uci));
  }
  const name = move ? plyName(index, move.san) : plyNumber(index);
  const caption = texts.boardCaption(state.boardAfter ? texts.after : texts.before, name);
  setText(byId("caption"), caption);
  const spoken = texts.boardCaption(
    state.boardAfter ? texts.after : texts.before,
    move ? `${plyNumber(index)} ${texts.spoken(move.san)}` : name);
  const label = texts.boardLabel(spoken, listPieces(position, true), listPieces(position, false));
  if (byId("board").getAttribute("aria-label") !== label) {
    byId("board").setAttribute("aria-label", label);
  }
}

/** Puts the squares in their places and lights those of the last move. @param {string} last */
function place64(last) {
  for (const [square, rect] of Object.entries(squares)) {
    const [x, y] = corner(square);
    const lit = square === from || (last && [last.slice(0, 2), last.slice(2, 4)].includes(square));
    setAttributes(rect, { x, y });
    rect.classList.toggle("lit", Boolean(lit));
  }
}

function coordinates() {
  const found = [];
  for (let i = 0; i < 8; i++) {
    const rank = svg("text", { x: 2, y: i * SQUARE + 11 });
    rank.append(String(state.boardTurned ? i + 1 : 8 - i));
    const file = svg("text", { x: i * SQUARE + 37, y: 357 });
    file.append("abcdefgh"[state.boardTurned ? 7 - i : i]);
    found.push(rank, file);
  }
  return found;
}

/** Dots on the squares that the chosen piece may go to. */
function targets() {
  if (!from) return [];
  const goals = legalMoves().filter((move) => move.uci.startsWith(from ?? "-"));
  return goals.map((move) => {
    const [x, y] = corner(move.uci.slice(2, 4));
    return svg("circle", { cx: x + SQUARE / 2, cy: y + SQUARE / 2, r: 8, class: "target" });
  });
}

/** @param {string} uci */
function arrow(uci) {
  const [x1, y1] = corner(uci.slice(0, 2)).map((v) => v + SQUARE / 2);
  const [x2, y2] = corner(uci.slice(2, 4)).map((v) => v + SQUARE / 2);
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const length = Math.hypot(x2 - x1, y2 - y1) - 12;
  const end = `${x1 + Math.cos(angle) * length} ${y1 + Math.sin(angle) * length}`;
  const degrees = (angle * 180) / Math.PI;
  return [
    svg("path", { d: `M${x1} ${y1}L${end}`, class: "shaft" }),
    svg("path", {
      d: "M0 0L-16 -10L-16 10Z", class: "point", transform: `translate(${x2} ${y2}) rotate(${degrees})`,
    }),
  ];
}

/** The square below a pointer. @param {PointerEvent} event */
function squareAt(event) {
  const area = byId("board").getBoundingClientRect();
  const column = Math.floor(((event.clientX - area.left) / area.width) * 8);
  const row = Math.floor(((event.clientY - area.top) / area.height) * 8);
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  const [file, rank] = state.boardTurned ? [7 - column, row + 1] : [column, 8 - row];
  return "abcdefgh"[file] + rank;
}

/** A press on the board: the second of two clicks, or the start of a drag. @param {PointerEvent} down */
function startMove(down) {
  const square = squareAt(down);
  if (!square || down.button !== 0) return;
  if (from && from !== square && tryMove(from, square)) return;
  const mine = legalMoves().some((move) => move.uci.startsWith(square));
  from = mine && from !== square ? square : null;
  hinted = null;
  drawBoard();
  if (!from) return;
  down.preventDefault();
  const board = byId("board");
  const piece = pieces.querySelector(`[data-square="${square}"]`);
  const scale = (8 * SQUARE) / board.getBoundingClientRect().width;
  let dragged = false;
  const move = (/** @type {PointerEvent} */ event) => {
    const dx = event.clientX - down.clientX;
    const dy = event.clientY - down.clientY;
    dragged ||= Math.hypot(dx, dy) > MIN_DRAG_PX;
    if (dragged && piece) piece.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
  };
  const stop = (/** @type {PointerEvent} */ event) => {
    board.removeEventListener("pointermove", move);
    board.removeEventListener("pointerup", stop);
    board.removeEventListener("pointercancel", stop);
    if (!dragged) return;
    const goal = event.type === "pointerup" ? squareAt(event) : null;
    drawn = "";
    if (!goal || !tryMove(square, goal)) {
      from = null;
      drawBoard();
    }
  };
  if (piece) pieces.append(piece);
  board.setPointerCapture(down.pointerId);
  board.addEventListener("pointermove", move);
  board.addEventListener("pointerup", stop);
  board.addEventListener("pointercancel", stop);
}

/**
 * Answers with the move between two squares, if it is legal. Of several promotions the list asks.
 * @param {string} start
 * @param {string} goal
 */
function tryMove(start, goal) {
  const moves = legalMoves().filter((move) => move.uci.startsWith(start + goal));
  if (!moves.length) return false;
  from = null;
  drawn = "";
  if (moves.length === 1) answerMove(moves[0].san);
  else {
    state.typed = moves[0].san.replace(/=.*/, "=");
    byId("move").value = state.typed;
    render();
    say(texts.promote);
  }
  return true;
}

/** Drops the piece that was about to move. */
export function dropPiece() {
  from = null;
  hinted = null;
}
