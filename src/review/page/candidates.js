/** The legal moves at a place, fetched ahead for the next doubts. */

import { fetchPicture, get } from "./api.js";
import { matchTyped } from "./chess.js";
import { cellAt, doubtPlaces, plyAt, plyOf, state } from "./state.js";

/** Candidates in the list at most, so that each has a digit. */
const MAX_LISTED = 9;
/** Doubts of which the candidates are fetched ahead. */
const DOUBTS_AHEAD = 2;
/** Where nothing is typed, a candidate below this share is listed only among the first few. */
const MIN_LISTED_SHARE = 0.02;
const MIN_LISTED = 3;
/** Share below which a move is a guess: Enter does not take it, and settling asks once more. */
export const LOW_CONFIDENCE = 0.5;
/** Lists of candidates that are kept. */
const MAX_KEPT = 300;

/** @type {Map<string, {version: number, before: string, found: Candidates|null}>} */
const kept = new Map();

/**
 * The moves before a place, on which its legal moves depend.
 * @param {Game} game
 * @param {string} at
 */
function movesBefore(game, at) {
  const index = plyAt(game, at);
  return game.plies.slice(0, index < 0 ? undefined : index).map((ply) => ply.uci).join();
}

/**
 * The legal moves at a place; null until they are there.
 * @param {Game|null} game
 * @param {string} at
 */
export function candidatesAt(game, at) {
  const known = game && kept.get(`${game.id} ${at}`);
  return game && known?.before === movesBefore(game, at) ? known.found : null;
}

/**
 * Fetches the legal moves at a place unless they are there.
 * @param {Game} game as the server has it
 * @param {string} place
 */
async function fetchCandidates(game, place, onFound = () => {}) {
  const key = `${game.id} ${place}`;
  const before = movesBefore(game, place);
  const known = kept.get(key);
  const same = known?.before === before;
  if (same && known.version === game.version) return;
  const mine = { version: game.version, before, found: same ? known.found : null };
  kept.delete(key);
  kept.set(key, mine);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
  try {
    mine.found = await get(`/api/games/${key.replace(" ", "/at/")}`);
    onFound();
  } catch {
    if (kept.get(key) === mine) kept.delete(key);
  }
}

/** The path of a cell's close-up, or "". @param {Game} game @param {string} place */
export function closeUpPath(game, place) {
  const here = cellAt(game, place);
  if (!here) return "";
  const name = `${here.cell.move}${here.cell.side === "white" ? "w" : "b"}`;
  return `/api/sheets/${game.sheets[here.sheet].id}/cells/${name}.jpg`;
}

/** Fetches what the current place needs, then the next doubts. @param {() => void} onFound */
export async function fetchAhead(onFound) {
  const { served, place } = state;
  if (!served || !place) return;
  await fetchCandidates(served, place, onFound);
  const here = plyAt(served, place);
  const later = doubtPlaces(served).filter((at) => {
    const index = plyAt(served, at);
    return at !== place && (index < 0 || index > here);
  });
  for (const next of later.slice(0, DOUBTS_AHEAD)) {
    if (state.place !== place) return;
    const path = closeUpPath(served, next);
    if (path) void fetchPicture(path);
    await fetchCandidates(served, next);
  }
}

/**
 * Whether Enter takes the lit candidate: not where nothing is typed and it is below one half, since
 * that would be a guess.
 * @param {Candidate[]} listed
 */
export const isLitSure = (listed) =>
  state.typed || plyOf(state.game, state.place)?.settled ||
  (listed[state.lit]?.share ?? 1) >= LOW_CONFIDENCE;

/**
 * The candidates to list: those that fit what is typed, else the move of the game and then the
 * likely ones. Until the server has answered, those that came with the game.
 * @returns {Candidate[]}
 */
export function listCandidates() {
  const { game, place, typed, leftOut } = state;
  const ply = leftOut ? undefined : plyOf(game, place);
  const own = ply ? [{ ...ply, share: ply.confidence, fit: 0 }] : [];
  const others = ply?.alternatives.map((a) => ({ ...a, uci: "", share: a.confidence, fit: 0 }));
  const all = candidatesAt(game, place)?.candidates ?? [...own, ...(others ?? [])];
  if (typed) return matchTyped(all, typed, game?.letters ?? "").slice(0, MAX_LISTED);
  const first = all.find((candidate) => candidate.san === ply?.san) ?? own[0];
  const rest = all.filter((candidate) => candidate.san !== ply?.san);
  const likely = rest.filter((c, index) => c.share >= MIN_LISTED_SHARE || index < MIN_LISTED);
  const listed = [...(first ? [first] : []), ...likely].slice(0, MAX_LISTED);
  if (!first || !ply || ply.settled) return listed;
  // The game's own move has its confidence, which the list of moves shows too; the other moves
  // share what is left as the cell has them.
  const left = (1 - ply.confidence) / Math.max(1e-9, 1 - first.share);
  return listed.map((candidate) => {
    const share = candidate === first ? ply.confidence : candidate.share * left;
    return { ...candidate, share };
  });
}
