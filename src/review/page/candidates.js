// @ts-check
/**
 * The legal moves at a place, fetched ahead for the next doubts.
 * @typedef {import("./contract").Candidate} Candidate
 * @typedef {import("./contract").Candidates} Candidates
 * @typedef {import("./contract").Game} Game
 */

import { get, picture } from "./api.js";
import { doubtPlaces, plyAt, cellAt, state } from "./state.js";
import { matchTyped } from "./chess.js";

/** Candidates in the list at most, so that each has a digit. */
export const MAX_LISTED = 9;
/** Doubts of which the candidates are fetched ahead. */
const DOUBTS_AHEAD = 2;
/** A candidate below this share is listed only while something is typed, unless few are above. */
const MIN_LISTED_SHARE = 0.004;
const MIN_LISTED = 3;
/** Lists of candidates that are kept. */
const MAX_KEPT = 300;

/** @type {Map<string, {version: number, before: string, found: Candidates|null}>} */
const kept = new Map();

/** The moves before a place, on which its legal moves depend. @param {Game} g @param {string} at */
function movesBefore(g, at) {
  const index = plyAt(g, at);
  const before = index < 0 ? g.plies : g.plies.slice(0, index);
  return before.map((ply) => ply.uci).join(" ");
}

/**
 * What is known of the legal moves at a place; null until it has been fetched.
 * @param {Game} game
 * @param {string} place
 */
export function candidatesAt(game, place) {
  const known = kept.get(`${game.id} ${place}`);
  return known?.found && known.before === movesBefore(game, place) ? known.found : null;
}

/**
 * Fetches the legal moves at a place unless they are there.
 * @param {Game} game as the server has it
 * @param {string} place
 * @param {() => void} onFound
 */
async function fetchCandidates(game, place, onFound) {
  const key = `${game.id} ${place}`;
  const before = movesBefore(game, place);
  const known = kept.get(key);
  if (known && known.before === before && known.version === game.version) return;
  const found = known?.before === before ? known.found : null;
  const mine = { version: game.version, before, found };
  kept.delete(key);
  kept.set(key, mine);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
  try {
    mine.found = await get(`/api/games/${game.id}/at/${place}`);
  } catch {
    if (kept.get(key) === mine) kept.delete(key);
    return;
  }
  if (kept.get(key) === mine) onFound();
}

/** The path of a cell's close-up. @param {Game} game @param {string} place */
export function closeUpPath(game, place) {
  const here = cellAt(game, place);
  if (!here) return null;
  const column = here.cell.side === "white" ? "w" : "b";
  return `/api/sheets/${game.sheets[here.sheet].id}/cells/${here.cell.move}${column}.jpg`;
}

/**
 * Fetches what the current place needs, and then what the next doubts need.
 * @param {() => void} onFound
 */
export async function fetchAhead(onFound) {
  const { served, game, place } = state;
  if (!served || !game || !place) return;
  await fetchCandidates(served, place, onFound);
  const places = doubtPlaces(game);
  const here = game.plies.findIndex((ply) => ply.place === place);
  const later = places.filter((p) => p !== place && (plyAt(game, p) > here || plyAt(game, p) < 0));
  for (const next of later.slice(0, DOUBTS_AHEAD)) {
    if (state.place !== place) return;
    const path = closeUpPath(game, next);
    if (path) void picture(path);
    await fetchCandidates(served, next, () => {});
  }
}

/**
 * The candidates to list: those that fit what is typed, else the move of the game and then the
 * likely ones. Until the server has answered, those that came with the game.
 * @returns {Candidate[]}
 */
export function listed() {
  const { game, place, typed } = state;
  if (!game || !place) return [];
  const ply = state.leftOut ? undefined : game.plies[plyAt(game, place)];
  const known = candidatesAt(game, place)?.candidates;
  const all = known ?? (ply ? [asCandidate(ply, ply.uci), ...ply.alternatives.map((a) => asCandidate(a, ""))] : []);
  if (typed) return matchTyped(all, typed, game.letters).slice(0, MAX_LISTED);
  const rest = all.filter((candidate) => candidate.san !== ply?.san);
  const likely = rest.filter((c, index) => c.share >= MIN_LISTED_SHARE || index < MIN_LISTED);
  const first = all.filter((candidate) => candidate.san === ply?.san);
  if (ply && !first.length) first.push(asCandidate(ply, ply.uci));
  return [...first, ...likely].slice(0, MAX_LISTED);
}

/** @param {{san: string, spelling: string, confidence: number}} move @param {string} uci */
const asCandidate = ({ san, spelling, confidence }, uci) =>
  ({ san, uci, spelling, share: confidence, fit: 0 });
