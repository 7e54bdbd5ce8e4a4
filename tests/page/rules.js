/** The rules of chess, for the fake server: legal moves with SAN and UCI. */

const FILES = "abcdefgh";
const LEAPS = {
  n: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]],
  k: [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]],
};
const RAYS = {
  b: [[1, 1], [-1, 1], [-1, -1], [1, -1]],
  r: [[1, 0], [0, 1], [-1, 0], [0, -1]],
  q: LEAPS.k,
};

export function startPosition() {
  const board = {};
  [..."rnbqkbnr"].forEach((piece, file) => {
    board[`${FILES[file]}8`] = piece;
    board[`${FILES[file]}7`] = "p";
    board[`${FILES[file]}2`] = "P";
    board[`${FILES[file]}1`] = piece.toUpperCase();
  });
  return { board, white: true, castling: "KQkq", passant: "" };
}

const isWhite = (piece) => piece === piece.toUpperCase();

function offset(square, [dx, dy]) {
  const file = FILES.indexOf(square[0]) + dx;
  const rank = Number(square[1]) + dy;
  return file < 0 || file > 7 || rank < 1 || rank > 8 ? null : FILES[file] + rank;
}

/** Squares that a piece moves to or attacks; pawns by captures alone. */
function reach(board, square, attacks) {
  const piece = board[square];
  const kind = piece.toLowerCase();
  const found = [];
  if (kind === "p") {
    const up = isWhite(piece) ? 1 : -1;
    for (const dx of [-1, 1]) found.push(offset(square, [dx, up]));
    if (!attacks) {
      const one = offset(square, [0, up]);
      if (one && !board[one]) {
        const two = offset(square, [0, 2 * up]);
        const home = square[1] === (isWhite(piece) ? "2" : "7");
        return { captures: found.filter(Boolean), quiet: home && !board[two] ? [one, two] : [one] };
      }
      return { captures: found.filter(Boolean), quiet: [] };
    }
  } else if (LEAPS[kind]) for (const leap of LEAPS[kind]) found.push(offset(square, leap));
  else {
    for (const ray of RAYS[kind]) {
      for (let at = offset(square, ray); at; at = offset(at, ray)) {
        found.push(at);
        if (board[at]) break;
      }
    }
  }
  return { captures: found.filter(Boolean), quiet: found.filter(Boolean) };
}

function isAttacked(board, target, byWhite) {
  return Object.keys(board).some(
    (square) =>
      isWhite(board[square]) === byWhite && reach(board, square, true).captures.includes(target),
  );
}

function kingOf(board, white) {
  return Object.keys(board).find((square) => board[square] === (white ? "K" : "k"));
}

const inCheck = ({ board, white }) => isAttacked(board, kingOf(board, white), !white);

export function play(position, uci) {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const board = { ...position.board };
  const piece = board[from];
  const pawn = piece.toLowerCase() === "p";
  delete board[from];
  if (pawn && to === position.passant) delete board[to[0] + from[1]];
  board[to] = uci[4] ? (position.white ? uci[4].toUpperCase() : uci[4]) : piece;
  if (piece.toLowerCase() === "k" && from[0] === "e" && "gc".includes(to[0])) {
    const short = to[0] === "g";
    board[(short ? "f" : "d") + to[1]] = board[(short ? "h" : "a") + to[1]];
    delete board[(short ? "h" : "a") + to[1]];
  }
  const corners = { a1: "Q", h1: "K", a8: "q", h8: "k", e1: "KQ", e8: "kq" };
  let { castling } = position;
  for (const square of [from, to]) {
    for (const right of corners[square] ?? "") castling = castling.replace(right, "");
  }
  const leapt = pawn && Math.abs(Number(from[1]) - Number(to[1])) === 2;
  const passant = leapt ? from[0] + (Number(from[1]) + Number(to[1])) / 2 : "";
  return { board, white: !position.white, castling, passant };
}

function castlingMoves(position) {
  const { board, white, castling } = position;
  const rank = white ? "1" : "8";
  const found = [];
  for (const [right, between, path, to] of [
    ["K", "fg", "efg", "g"], ["Q", "bcd", "edc", "c"],
  ]) {
    if (!castling.includes(white ? right : right.toLowerCase())) continue;
    if ([...between].some((file) => board[file + rank])) continue;
    if ([...path].some((file) => isAttacked(board, file + rank, !white))) continue;
    found.push(`e${rank}${to}${rank}`);
  }
  return found;
}

/** Legal moves as `{san, uci}`. */
export function legalMoves(position) {
  const { board, white, passant } = position;
  const moves = castlingMoves(position);
  for (const [from, piece] of Object.entries(board)) {
    if (isWhite(piece) !== white) continue;
    const pawn = piece.toLowerCase() === "p";
    const { captures, quiet } = reach(board, from, false);
    const goals = pawn
      ? [...quiet, ...captures.filter((to) => to === passant || board[to])]
      : quiet;
    for (const to of goals) {
      if (board[to] && isWhite(board[to]) === white) continue;
      if (pawn && "18".includes(to[1])) for (const p of "qrbn") moves.push(from + to + p);
      else moves.push(from + to);
    }
  }
  const legal = moves.filter((uci) => {
    const after = play(position, uci);
    return !isAttacked(after.board, kingOf(after.board, white), !white);
  });
  return legal.map((uci) => ({ uci, san: nameMove(position, uci, legal) }));
}

function nameMove(position, uci, legal) {
  const { board, passant } = position;
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const kind = board[from].toUpperCase();
  const takes = board[to] || (kind === "P" && to === passant) ? "x" : "";
  let san;
  if (kind === "K" && from[0] === "e" && "gc".includes(to[0]) && to[1] === from[1]) {
    san = to[0] === "g" ? "O-O" : "O-O-O";
  } else if (kind === "P") {
    san = (takes ? `${from[0]}x` : "") + to + (uci[4] ? `=${uci[4].toUpperCase()}` : "");
  } else {
    const rivals = legal.filter(
      (other) => other !== uci && other.slice(2, 4) === to &&
        board[other.slice(0, 2)] === board[from],
    );
    let origin = "";
    if (rivals.length) {
      if (!rivals.some((other) => other[0] === from[0])) origin = from[0];
      else if (!rivals.some((other) => other[1] === from[1])) origin = from[1];
      else origin = from;
    }
    san = kind + origin + takes + to;
  }
  const after = play(position, uci);
  if (!inCheck(after)) return san;
  return san + (hasMove(after) ? "+" : "#");
}

function hasMove(position) {
  const { board, white, passant } = position;
  return Object.entries(board).some(([from, piece]) => {
    if (isWhite(piece) !== white) return false;
    const pawn = piece.toLowerCase() === "p";
    const { captures, quiet } = reach(board, from, false);
    const goals = pawn
      ? [...quiet, ...captures.filter((to) => to === passant || board[to])]
      : quiet;
    return goals.some((to) => {
      if (board[to] && isWhite(board[to]) === white) return false;
      const after = play(position, from + to);
      return !isAttacked(after.board, kingOf(after.board, white), !white);
    });
  });
}

export function toFen({ board, white, castling, passant }) {
  const ranks = [];
  for (let rank = 8; rank >= 1; rank--) {
    let text = "";
    let empty = 0;
    for (const file of FILES) {
      const piece = board[file + rank];
      if (!piece) empty += 1;
      else {
        text += (empty || "") + piece;
        empty = 0;
      }
    }
    ranks.push(text + (empty || ""));
  }
  return `${ranks.join("/")} ${white ? "w" : "b"} ${castling || "-"} ${passant || "-"} 0 1`;
}
