/**
 * What the page knows of chess: it plays moves that the server has found legal, and compares typed
 * text with them.
 */

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/** King, queen, rook, bishop, knight in English. */
export const ENGLISH = "KQRBN";
/** The rook's squares for each castling move. @type {Record<string, [string, string]>} */
const CASTLING = {
  e1g1: ["h1", "f1"], e1c1: ["a1", "d1"], e8g8: ["h8", "f8"], e8c8: ["a8", "d8"],
};

/** @param {string} fen */
export function readFen(fen) {
  /** @type {Position} */
  const position = {};
  for (const [row, rank] of fen.split(" ")[0].split("/").entries()) {
    let file = 0;
    for (const letter of rank) {
      if (Number(letter)) file += Number(letter);
      else position["abcdefgh"[file++] + (8 - row)] = letter;
    }
  }
  return position;
}

/**
 * The position after a move such as `e2e4` or `e7e8q`.
 * @param {Position} before
 * @param {string} uci
 */
export function playUci(before, uci) {
  const from = uci.slice(0, 2);
  const to = uci.slice(2, 4);
  const piece = before[from];
  if (!piece) return before;
  const after = { ...before };
  delete after[from];
  const isPawn = piece.toLowerCase() === "p";
  if (isPawn && from[0] !== to[0] && !before[to]) delete after[to[0] + from[1]];
  after[to] = uci[4] ? (piece === "P" ? uci[4].toUpperCase() : uci[4]) : piece;
  const rook = piece.toLowerCase() === "k" && CASTLING[from + to];
  if (rook) {
    after[rook[1]] = before[rook[0]];
    delete after[rook[0]];
  }
  return after;
}

/** The position before a ply, counted from 0. @param {Ply[]} plies @param {number} index */
export const positionBefore = (plies, index) =>
  plies.slice(0, index).reduce((position, ply) => playUci(position, ply.uci), readFen(START));

/** `11. Na4` or `11… e5` for a ply counted from 0. @param {number} index @param {string} [san] */
export const plyName = (index, san) =>
  `${(index >> 1) + 1}${index % 2 ? "…" : "."}${san ? ` ${san}` : ""}`;

/** The pieces of a side in words, for those who cannot see the board. @param {Position} position */
export function listPieces(position, white = true) {
  const squares = Object.entries(position);
  return [...ENGLISH, "P"].flatMap((letter) => {
    const piece = white ? letter : letter.toLowerCase();
    const name = letter === "P" ? "" : letter;
    return squares.filter(([, other]) => other === piece).map(([square]) => name + square);
  }).join(" ");
}

/** Leaves what tells moves apart: no signs of capture, check, promotion. @param {string} text */
const normalise = (text) =>
  text.replace(/[x:+#=\-–!?\s.]/g, "").replace(/0/g, "O").replace(/^o+$/, (o) => o.toUpperCase());

/**
 * Typed text as English SAN, if its pieces are these letters.
 * @param {string} text
 * @param {string} letters
 */
function toEnglish(text, letters) {
  const letter = (/** @type {string} */ sign) => ENGLISH[letters.indexOf(sign)] ?? sign;
  return normalise(text.replace(/^[A-Z]|(?<=^[a-h].*)[A-Z]$/g, letter));
}

/**
 * The candidates that typed text may stand for: exact ones first, then those that begin so, the
 * sheet's letters before English ones, and each in the order given.
 * @param {Candidate[]} candidates
 * @param {string} text
 * @param {string} letters king, queen, rook, bishop, knight in the sheet's language
 */
export function matchTyped(candidates, text, letters) {
  const wanted = [toEnglish(text, letters), toEnglish(text, ENGLISH)];
  const ranked = candidates.map((candidate) => {
    const san = normalise(candidate.san);
    const ranks = wanted.map((reading, index) =>
      san === reading ? index
        : san.startsWith(reading) ? index + 2
        : skipsOrigin(san, reading) ? index + 4 : 9);
    const spelt = normalise(candidate.spelling) === normalise(text) ? 0 : 9;
    const uci = candidate.uci.startsWith(text) ? 6 : 9;
    return { candidate, rank: Math.min(...ranks, spelt, uci) };
  });
  const fitting = ranked.filter(({ rank }) => rank < 9).sort((a, b) => a.rank - b.rank);
  return fitting.map(({ candidate }) => candidate);
}

/** Whether `Nb5` was typed where the move is `Ncb5`. @param {string} san @param {string} reading */
const skipsOrigin = (san, reading) =>
  /^[KQRBN][a-h][1-8]?$/.test(reading) && san[0] === reading[0] &&
  san.slice(-2).startsWith(reading.slice(1));
