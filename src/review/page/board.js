/** The board: before or after the current move, with an arrow. Two clicks or a drag answer. */

import { answerMove } from "./actions.js";
import { candidatesAt, listCandidates } from "./candidates.js";
import { listPieces, playUci, plyName, positionBefore, readFen } from "./chess.js";
import { indexAt, plyOf, state } from "./state.js";
import { fillText, spokenMove } from "./texts.js";
import { byId, onClick, render, say, sayText, setAttributes, setText, svg } from "./view.js";

/** Side of a square, and of the board, in units of the drawing. */
const SQUARE = 45;
const BOARD = 8 * SQUARE;
/** Pixels that a pointer moves at least in a drag. */
const MIN_DRAG_PX = 5;
const FILES = "abcdefgh";

/** @type {[string, SVGRectElement][]} */
const squares = [];
const pieces = svg("g");
const names = svg("g");
const signs = svg("g");
/** The side below that the squares were last put in their places for. */
let turned = /** @type {boolean|undefined} */ (undefined);
/** The square of the piece that is about to move, or "". */
let from = "";
/** The move that a pointer rests on in the list. @type {Candidate|undefined} */
let hinted;
/** What was drawn last. */
let drawn = "";

/** The top left corner of a square. @param {string} square */
function cornerOf(square) {
  const [x, y] = [FILES.indexOf(square[0]), 8 - Number(square[1])];
  return (state.boardTurned ? [7 - x, 7 - y] : [x, y]).map((part) => part * SQUARE);
}

/** The middle of a square. @param {string} square */
const middleOf = (square) => cornerOf(square).map((part) => part + SQUARE / 2);

export function buildBoard() {
  for (let i = 0; i < 64; i++) {
    const kind = ((i >> 3) + i) % 2 ? "light" : "dark";
    const rect = svg("rect", { width: SQUARE, height: SQUARE });
    squares.push([FILES[i & 7] + ((i >> 3) + 1), rect]);
    rect.classList.add(kind);
  }
  byId("board").append(svg("g", {}, ...squares.map(([, rect]) => rect)), names, pieces, signs);
  byId("board").addEventListener("pointerdown", startMove);
  // A press would answer too early: its click would meet what lies below the finger by then.
  byId("board").addEventListener("click", (click) => {
    const square = squareAt(click);
    if (from && from !== square) tryMove(from, square);
  });
  onClick("before-after", toggleAfter);
  onClick("turn", () => {
    state.boardTurned = !state.boardTurned;
    render();
  });
}

/** The board after the current move, or again before it. */
export function toggleAfter() {
  state.boardAfter = !state.boardAfter;
  render();
  say(byId("caption").textContent ?? "");
}

/** Shows a move of the list on the board. @param {Candidate} [candidate] */
export function hintMove(candidate) {
  hinted = candidate;
  drawBoard();
}

/** Drops the piece that was about to move. */
export function dropPiece() {
  from = "";
  hinted = undefined;
}

const legalMoves = () => candidatesAt(state.game, state.place)?.candidates ?? [];

export function drawBoard() {
  const { game, place, boardAfter } = state;
  byId("board").classList.toggle("empty", !game);
  if (!game) return;
  const found = candidatesAt(game, place);
  const index = indexAt(game, place, found);
  const ply = plyOf(game, place);
  const lit = hinted ?? listCandidates()[state.lit] ?? ply;
  const move = lit?.san === ply?.san ? (ply ?? lit) : lit;
  const before = ply || !found ? positionBefore(game.plies, index) : readFen(found.fen);
  const shown = boardAfter && move ? playUci(before, move.uci) : before;
  const last = game.plies[index - 1]?.uci ?? "";
  const mark = JSON.stringify([shown, move?.uci, last, from, boardAfter, state.boardTurned]);
  if (mark === drawn) return;
  drawn = mark;
  if (turned !== state.boardTurned) turnBoard();
  for (const [square, rect] of squares) {
    const isLit = [from, last.slice(0, 2), last.slice(2, 4)].includes(square);
    rect.classList.toggle("lit", isLit);
  }
  drawPieces(shown);
  const goals = from ? legalMoves().filter((one) => one.uci.startsWith(from)) : [];
  signs.replaceChildren(...goals.map(({ uci }) => {
    const [cx, cy] = middleOf(uci.slice(2, 4));
    return svg("circle", { cx, cy, r: 8, class: "target" });
  }));
  if (move?.uci && !boardAfter) signs.append(...arrow(move.uci));
  const caption = boardAfter ? "boardAfter" : "boardBefore";
  setText("caption", fillText(caption, plyName(index, move?.san)));
  const spoken = fillText(caption, plyName(index, move && spokenMove(move.san)));
  const label = fillText("boardLabel", spoken, listPieces(shown), listPieces(shown, false));
  setAttributes(byId("board"), { "aria-label": label });
}

/** Puts the squares and their names where they belong for the side below. */
function turnBoard() {
  turned = state.boardTurned;
  for (const [square, rect] of squares) {
    const [x, y] = cornerOf(square);
    setAttributes(rect, { x, y });
  }
  names.replaceChildren(...[...FILES].flatMap((file, i) => [
    svg("text", { x: 2, y: i * SQUARE + 11 }, String(turned ? i + 1 : 8 - i)),
    svg("text", { x: i * SQUARE + 37, y: BOARD - 3 }, turned ? FILES[7 - i] : file),
  ]));
  pieces.replaceChildren();
}

/** Adds and removes the pieces that differ, since a drawing takes long. @param {Position} shown */
function drawPieces(shown) {
  const missing = new Map(Object.entries(shown).map(([square, piece]) => [square + piece, square]));
  for (const use of [...pieces.children]) {
    use.removeAttribute("transform");
    if (!missing.delete(use.getAttribute("data-piece") ?? "")) use.remove();
  }
  for (const [key, square] of missing) {
    const [x, y] = cornerOf(square);
    const id = (key[2] < "a" ? "w" : "b") + key[2].toUpperCase();
    pieces.append(svg("use", { href: `#${id}`, x, y, "data-piece": key }));
  }
}

/** @param {string} uci */
function arrow(uci) {
  const [x1, y1] = middleOf(uci.slice(0, 2));
  const [x2, y2] = middleOf(uci.slice(2, 4));
  const degrees = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const transform = `translate(${x1} ${y1}) rotate(${degrees})`;
  return [
    svg("path", { d: `M0 0H${length - 12}`, class: "shaft", transform }),
    svg("path", { d: `M${length} 0l-16-10v20z`, class: "point", transform }),
  ];
}

/** The square below a pointer, or "". @param {MouseEvent} event */
function squareAt({ clientX, clientY }) {
  const { left, top, width, height } = byId("board").getBoundingClientRect();
  let x = Math.floor(((clientX - left) / width) * 8);
  let y = Math.floor(((clientY - top) / height) * 8);
  if (state.boardTurned) [x, y] = [7 - x, 7 - y];
  return FILES[x] && y >= 0 && y < 8 ? FILES[x] + (8 - y) : "";
}

/**
 * A press on the board: the first of two clicks, or the start of a drag.
 * @param {PointerEvent} down
 */
function startMove(down) {
  const square = squareAt(down);
  if (!square || down.button) return;
  down.preventDefault();
  if (from && from !== square && movesBetween(from, square).length) return;
  const movable = legalMoves().some((move) => move.uci.startsWith(square));
  from = movable && from !== square ? square : "";
  hinted = undefined;
  drawBoard();
  if (!from) return;
  const board = byId("board");
  const piece = pieces.querySelector(`[data-piece^=${square}]`);
  const scale = BOARD / board.clientWidth;
  let dragged = false;
  board.onpointermove = (event) => {
    const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
    dragged ||= Math.hypot(dx, dy) > MIN_DRAG_PX;
    if (dragged) piece?.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
  };
  board.onpointerup = board.onpointercancel = (event) => {
    board.onpointermove = board.onpointerup = board.onpointercancel = null;
    if (!dragged) return;
    drawn = "";
    if (event.type === "pointerup" && tryMove(square, squareAt(event))) return;
    from = "";
    drawBoard();
  };
  if (piece) pieces.append(piece);
  board.setPointerCapture(down.pointerId);
}

/** @param {string} start @param {string} goal */
const movesBetween = (start, goal) =>
  goal ? legalMoves().filter((move) => move.uci.startsWith(start + goal)) : [];

/**
 * Answers with the move between two squares, if it is legal. Of several promotions the list asks.
 * @param {string} start
 * @param {string} goal
 */
function tryMove(start, goal) {
  const moves = movesBetween(start, goal);
  if (!moves.length) return false;
  from = "";
  if (moves.length === 1) answerMove(moves[0].san);
  else {
    state.typed = moves[0].san.replace(/=.*/, "=");
    render();
    sayText("promote");
  }
  return true;
}
