// @ts-check
/**
 * What the page knows of chess: it plays moves that the server has found legal, and compares typed
 * text with them.
 * @typedef {import("./contract").Candidate} Candidate
 * @typedef {Record<string, string>} Position a piece letter as in FEN for each occupied square
 */

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/** King, queen, rook, bishop, knight in English. */
const ENGLISH = "KQRBN";
/** @type {Record<string, [string, string]>} the rook's squares for each castling move */
const CASTLING = {
  e1g1: ["h1", "f1"],
  e1c1: ["a1", "d1"],
  e8g8: ["h8", "f8"],
  e8c8: ["a8", "d8"],
};

/** @param {string} fen @returns {Position} */
export function readFen(fen) {
  /** @type {Position} */
  const position = {};
  fen
    .split(" ")[0]
    .split("/")
    .forEach((rank, index) => {
      let file = 0;
      for (const letter of rank) {
        if (letter >= "1" && letter <= "8") file += Number(letter);
        else position["abcdefgh"[file++] + (8 - index)] = letter;
      }
    });
  return position;
}

/**
 * The position after a move in UCI notation, as `e2e4` or `e7e8q`.
 * @param {Position} before
 * @param {string} uci
 * @returns {Position}
 */
export function playUci(before, uci) {
  const from = uci.slice(0, 2);
  const to = uci.slice(2, 4);
  const piece = before[from];
  if (!piece) return before;
  const after = { ...before };
  delete after[from];
  const enPassant = piece.toLowerCase() === "p" && from[0] !== to[0] && !before[to];
  if (enPassant) delete after[to[0] + from[1]];
  after[to] = uci[4] ? (piece === "P" ? uci[4].toUpperCase() : uci[4]) : piece;
  const rook = piece.toLowerCase() === "k" && CASTLING[from + to];
  if (rook) {
    after[rook[1]] = before[rook[0]];
    delete after[rook[0]];
  }
  return after;
}

/**
 * The position before a ply, counted from 0.
 * @param {{uci: string}[]} plies
 * @param {number} index
 */
export function positionBefore(plies, index) {
  let position = readFen(START);
  for (const ply of plies.slice(0, index)) position = playUci(position, ply.uci);
  return position;
}

/** `11. ` or `11… ` for a ply counted from 0. @param {number} index */
export const plyNumber = (index) => `${(index >> 1) + 1}${index % 2 ? "…" : "."}`;

/** @param {number} index @param {string} san */
export const plyName = (index, san) => `${plyNumber(index)} ${san}`;

/**
 * The pieces of a side in words, for those who cannot see the board.
 * @param {Position} position
 * @param {boolean} white
 */
export function listPieces(position, white) {
  const found = [];
  for (const letter of ENGLISH + "P") {
    for (const [square, piece] of Object.entries(position)) {
      if (piece === (white ? letter : letter.toLowerCase())) {
        found.push((letter === "P" ? "" : letter) + square);
      }
    }
  }
  return found.join(" ");
}

/** Leaves what tells moves apart: no capture, check or promotion signs. @param {string} text */
function normalise(text) {
  return text.replace(/^[oO0](?=$|[-oO0])/, "O").replace(/[x:+#=\-–!?\s.]/g, "").replace(/0/g, "O");
}

/**
 * The readings of typed text as English SAN, the sheet's language first.
 * @param {string} text
 * @param {string} letters king, queen, rook, bishop, knight in the sheet's language
 */
function readings(text, letters) {
  /** @type {string[]} */
  const found = [];
  for (const alphabet of [letters, ENGLISH]) {
    const piece = alphabet.indexOf(text[0]);
    let reading = piece >= 0 ? ENGLISH[piece] + text.slice(1) : text;
    reading = reading.replace(/=?([A-Z])$/, (all, letter) => {
      const promoted = alphabet.indexOf(letter);
      return /^[a-h]/.test(text) && promoted >= 0 ? ENGLISH[promoted] : all;
    });
    if (!found.includes(normalise(reading))) found.push(normalise(reading));
  }
  return found;
}

/**
 * The candidates that typed text may stand for; exact ones first, else in the order given.
 * @param {Candidate[]} candidates
 * @param {string} text
 * @param {string} letters
 */
export function matchTyped(candidates, text, letters) {
  const scored = [];
  const wanted = readings(text, letters);
  const lower = normalise(text).toLowerCase();
  for (const candidate of candidates) {
    const san = normalise(candidate.san);
    const spelling = normalise(candidate.spelling);
    let rank = 9;
    wanted.forEach((reading, index) => {
      if (san === reading) rank = Math.min(rank, index);
      else if (san.startsWith(reading)) rank = Math.min(rank, index + 2);
      else if (skipsOrigin(san, reading)) rank = Math.min(rank, index + 4);
    });
    if (spelling === normalise(text)) rank = 0;
    if (rank === 9 && (candidate.uci.startsWith(lower) || san.toLowerCase() === lower)) rank = 6;
    if (rank < 9) scored.push({ candidate, rank });
  }
  const order = [...scored].sort((a, b) => a.rank - b.rank);
  return order.map(({ candidate }) => candidate);
}

/** Whether `Nb5` was typed where the move is `Ncb5`. @param {string} san @param {string} reading */
function skipsOrigin(san, reading) {
  return (
    /^[KQRBN]/.test(san) && san[0] === reading[0] && /^[a-h][1-8]?$/.test(reading.slice(1)) &&
    san.slice(-2).startsWith(reading.slice(1))
  );
}
