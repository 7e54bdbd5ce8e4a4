// @ts-check
/**
 * What a person does with the current move: answers, and steps from place to place.
 * @typedef {import("./contract").Answer} Answer
 * @typedef {import("./contract").AnswerReply} AnswerReply
 * @typedef {import("./contract").Game} Game
 */

import { listed } from "./candidates.js";
import { plyName, plyNumber } from "./chess.js";
import { overlay } from "./games-store.js";
import { queueAnswers } from "./outbox.js";
import { answerAt, breakPlace, cellAt, doubtPlaces, indexAt, plyAt, state, stops } from "./state.js";
import { texts } from "./texts.js";
import { render, say } from "./view.js";
import { candidatesAt } from "./candidates.js";

/** Confidence below which a move is counted when many are held at once. */
const LOW_CONFIDENCE = 0.5;
/** Moves that a notice names at most. */
const MAX_NAMED = 3;

/** The name of what is played at a place: `11. Na4`, or `22…` at a cut. @param {string} place */
export function placeName(place) {
  const game = state.game;
  if (!game) return "";
  const index = indexAt(game, place, candidatesAt(game, place));
  const ply = game.plies[index];
  return ply && plyAt(game, place) >= 0 ? plyName(index, ply.san) : plyNumber(index);
}

/** @param {string} place */
export function goTo(place) {
  const game = state.game;
  if (!game || !place) return;
  const cell = cellAt(game, place);
  if (cell) state.sheet = cell.sheet;
  Object.assign(state, { place, typed: "", lit: 0, leftOut: false, boardAfter: false });
  state.settleAsked = false;
  render();
}

/** To a cell of a picture: the ply that it belongs to, if any. @param {string} place */
export function goToCell(place) {
  const game = state.game;
  if (!game) return;
  const ply = game.plies[plyAt(game, place)];
  const sheet = cellAt(game, place)?.sheet ?? state.sheet;
  goTo(ply?.place ?? place);
  state.sheet = sheet;
  render();
}

/** To the next (1) or previous (-1) doubt, round the end. @param {1|-1} direction */
export function goDoubt(direction) {
  const game = state.game;
  if (!game) return;
  const next = doubtBeside(game, direction);
  if (next) goTo(next);
  else {
    render();
    say(texts.toLookAt(0));
  }
}

/** @param {Game} game @param {1|-1} direction */
function doubtBeside(game, direction) {
  const walk = stops(game);
  const here = walk.indexOf(state.place);
  const doubts = doubtPlaces(game).filter((place) => place !== state.place);
  const ahead = doubts.filter((place) => (walk.indexOf(place) - here) * direction > 0);
  return direction > 0 ? (ahead[0] ?? doubts[0]) : (ahead.at(-1) ?? doubts.at(-1));
}

/** By so many plies. @param {number} plies */
export function step(plies) {
  const game = state.game;
  if (!game) return;
  const walk = stops(game);
  const here = walk.indexOf(state.place);
  const next = here < 0 ? indexAt(game, state.place, null) : here + plies;
  goTo(walk[Math.max(0, Math.min(next, walk.length - 1))]);
}

/** To the doubt whose answer is expected to change most: the cut, or the least sure move. */
export function goWeightiest() {
  const game = state.game;
  if (!game) return;
  const cut = breakPlace(game);
  const doubts = doubtPlaces(game);
  const weight = (/** @type {string} */ place) => {
    const ply = game.plies[plyAt(game, place)];
    return place === cut ? Infinity : (ply?.mends ?? 1 - (ply?.confidence ?? 0));
  };
  const best = doubts.sort((a, b) => weight(b) - weight(a))[0];
  if (best) goTo(best);
  else say(texts.toLookAt(0));
}

/**
 * Sends answers and shows them at once.
 * @param {Answer[]} answers
 * @param {string} what
 */
export function send(answers, what) {
  const { served } = state;
  if (!served) return;
  state.fresh = new Set();
  state.above = [];
  queueAnswers(served.id, served.version, answers, what);
  overlay();
  say(what);
}

/** After an answer: on to the next doubt, or stay. @param {boolean} stay */
function goOn(stay) {
  const game = state.game;
  const next = game && !stay && doubtBeside(game, 1);
  if (next) goTo(next);
  else {
    Object.assign(state, { typed: "", lit: 0, leftOut: false });
    render();
  }
}

/** The move at the current place is this. @param {string} san @param {boolean} [stay] */
export function answerMove(san, stay = false) {
  const { game, place, leftOut } = state;
  if (!game || !place) return;
  const index = indexAt(game, place, candidatesAt(game, place));
  const name = plyName(index, san);
  if (leftOut) send([{ at: place, is: "left-out", san }], texts.markedLeftOut(name));
  else send([{ at: place, is: "move", san }], texts.held(name));
  goOn(stay || leftOut);
}

/** The lit candidate is right. @param {boolean} [stay] */
export function answerLit(stay = false) {
  const candidate = listed()[state.lit];
  if (candidate) answerMove(candidate.san, stay);
  else if (state.typed) say(texts.noLegalMove);
}

/** @param {number} digit from 1 */
export function answerDigit(digit) {
  const candidate = listed()[digit - 1];
  if (candidate) answerMove(candidate.san);
}

/**
 * All is right down to here: holds every move so far. After changes above, holds those moves as
 * they were.
 */
export function answerDownToHere() {
  const { game, place, above } = state;
  if (!game) return;
  if (above.length) {
    /** @type {Answer[]} */
    const old = above.map((change) => ({ at: change.place, is: "move", san: change.old }));
    const names = above.map((change) => plyName(change.index, change.old)).join(" ");
    send(old, texts.asBefore(names));
    render();
    return;
  }
  const here = plyAt(game, place);
  const last = here >= 0 ? here : indexAt(game, place, candidatesAt(game, place)) - 1;
  const open = game.plies.slice(0, last + 1).filter((ply) => !ply.settled);
  if (!open.length) {
    goDoubt(1);
    return;
  }
  const low = open.filter((ply) => ply.confidence < LOW_CONFIDENCE).length;
  /** @type {Answer[]} */
  const answers = open.map((ply) => ({ at: ply.place, is: "move", san: ply.san }));
  const name = plyName(last, game.plies[last].san);
  send(answers, texts.heldDownTo(name, open.length, low));
  goOn(false);
}

/** The current place is illegible, no move, or after the end. @param {"seen"|"none"|"end"} kind */
export function mark(kind) {
  const { game, place } = state;
  if (!game || !place) return;
  if (answerAt(game, place)?.is === kind) {
    clearAnswer();
    return;
  }
  const name = placeName(place);
  const say = { seen: texts.markedSeen, none: texts.markedNone, end: texts.markedEnd }[kind];
  send([{ at: place, is: kind }], say(name));
  goOn(false);
}

/** A move was left out before the current place: the next answer is that move. */
export function startLeftOut() {
  state.leftOut = !state.leftOut;
  state.lit = 0;
  render();
  if (state.leftOut) say(texts.typeLeftOut);
}

/** Takes back the answer at the current place. */
export function clearAnswer() {
  const { game, place } = state;
  if (!game || !answerAt(game, place)) return;
  send([{ at: place, is: "clear" }], texts.cleared(placeName(place)));
  render();
}

/**
 * Shows what an answer changed.
 * @param {string} what
 * @param {AnswerReply} reply
 * @param {Game} before
 */
export function noteChanges(what, reply, before) {
  const { game, changed, refused } = reply;
  state.fresh = new Set(changed.filter((c) => c.new).map((c) => c.ply - 1));
  state.above = [];
  for (const change of changed.slice(0, reply.above)) {
    const place = before.plies[change.ply - 1]?.place;
    if (place && change.old) {
      state.above.push({ place, old: change.old, new: change.new, index: change.ply - 1 });
    }
  }
  const named = changed.slice(0, MAX_NAMED).map((c) => plyName(c.ply - 1, c.new ?? "–"));
  const list = named.join(" ") + (changed.length > MAX_NAMED ? " …" : "");
  const cut = game.break_at && !game.complete ? plyNumber(game.break_at.ply - 1) : "";
  const parts = [
    what,
    changed.length ? texts.othersChanged(changed.length, list) : texts.nothingElse,
    cut ? texts.breaksOffAt(cut) : texts.readToEnd,
    doubtPlaces(game).length ? "" : texts.noDoubts,
    refused.length ? texts.refused(refused.map(answerText).join(", ")) : "",
    game.final ? "" : texts.searching,
    texts.saved,
  ];
  const above = state.above.length ? `${texts.above(aboveList())} ${texts.aboveHint} ` : "";
  say(above + parts.filter(Boolean).join(" · "));
}

/** The changes above, with old and new: `37… Rd8 → h5`. */
export const aboveList = () =>
  state.above.map((c) => `${plyName(c.index, c.old)} → ${c.new ?? "–"}`).join(", ");

/** @param {Answer} answer */
export function answerText(answer) {
  if (answer.is === "move" || answer.is === "left-out") return answer.san;
  if (answer.is === "field") return answer.text;
  /** @type {Record<string, string>} */
  const names = { seen: texts.illegible, none: texts.noMove, end: texts.gameEnds };
  return names[answer.is] ?? texts.noAnswer;
}
