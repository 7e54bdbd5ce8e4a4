/** What a person does with the current move: answers, and steps from place to place. */

import { candidatesAt, isLitSure, listCandidates, LOW_CONFIDENCE } from "./candidates.js";
import { plyName } from "./chess.js";
import { overlayAnswers } from "./game.js";
import { queueAnswers } from "./outbox.js";
import {
  answerAt, cellAt, cutPlace, doubtPlaces, indexAt, plyAt, plyOf, settleText, state, stopPlaces,
} from "./state.js";
import { fillText } from "./texts.js";
import { byId, render, say, sayText } from "./view.js";

/** Moves that a notice names at most. */
const MAX_NAMED = 3;

/** The index of the ply at the current place. @param {Game} game */
const currentIndex = (game) => indexAt(game, state.place, candidatesAt(game, state.place));

/** The current move: `11. Na4`, or `22…` at a cut. */
export function currentName() {
  const { game, place } = state;
  return game ? plyName(currentIndex(game), plyOf(game, place)?.san) : "";
}

/**
 * To a place, on the sheet that is shown if it has a cell there.
 * @param {string|undefined} place
 */
export function goTo(place, sheet = state.sheet) {
  const { game } = state;
  if (!game || !place) return;
  const isThere = plyOf(game, place)?.cells.some((cell) => cell.sheet === sheet);
  state.sheet = isThere ? sheet : (cellAt(game, place)?.sheet ?? sheet);
  Object.assign(state, {
    place, typed: "", lit: 0, leftOut: false, boardAfter: false, settleAsked: false,
  });
  render();
}

/** To a cell of a picture: the ply that it belongs to, if any. @param {string} place */
export const goToCell = (place) =>
  goTo(plyOf(state.game, place)?.place ?? place, cellAt(state.game, place)?.sheet);

/** The next (1) or previous (-1) doubt, round the end. @param {Game} game */
function doubtBeside(game, direction = 1) {
  const walk = stopPlaces(game);
  const here = walk.indexOf(state.place);
  const doubts = doubtPlaces(game).filter((place) => place !== state.place);
  const ahead = doubts.filter((place) => (walk.indexOf(place) - here) * direction > 0);
  return direction > 0 ? (ahead[0] ?? doubts[0]) : (ahead.at(-1) ?? doubts.at(-1));
}

export function goDoubt(direction = 1) {
  const next = state.game && doubtBeside(state.game, direction);
  if (next) goTo(next);
  else if (state.game) {
    sayText(doubtPlaces(state.game).length ? "lastDoubt" : settleText(state.game));
  }
}

/** By so many plies, down or up. @param {number} plies */
export function step(plies) {
  const { game, place } = state;
  if (!game) return;
  const walk = stopPlaces(game);
  const here = walk.indexOf(place);
  const next = here < 0 ? indexAt(game, place, null) : here + plies;
  goTo(walk[Math.max(0, Math.min(next, walk.length - 1))]);
}

/** To the doubt whose answer is expected to change most: the cut, or the least sure move. */
export function goWeightiest() {
  const { game } = state;
  if (!game) return;
  const weight = (/** @type {string} */ place) => {
    const ply = plyOf(game, place);
    return place === cutPlace(game) || !ply ? Infinity : 1 - ply.confidence;
  };
  goTo(doubtPlaces(game).sort((a, b) => weight(b) - weight(a))[0]);
}

/** Sends answers and shows them at once. @param {Answer[]} answers @param {string} what */
export function sendAnswers(answers, what) {
  const { served } = state;
  if (!served) return;
  state.fresh = new Set();
  state.above = [];
  queueAnswers({ game: served.id, base: served.version, answers, what });
  overlayAnswers();
  say(what);
}

/** After an answer: on to the next doubt, if there is one; from a cut, once it is known. */
function goOn() {
  Object.assign(state, { typed: "", lit: 0, leftOut: false });
  if (state.unsent && state.place === cutPlace(state.game)) {
    state.answeredCut = state.place;
    render();
    return;
  }
  const next = state.game && doubtBeside(state.game);
  if (next) goTo(next);
  else render();
}

/** The move at the current place is this. @param {string} san */
export function answerMove(san, stay = false) {
  const { game, place, leftOut } = state;
  if (!game || !place) return;
  const text = fillText(leftOut ? "markedLeftOut" : "held", plyName(currentIndex(game), san));
  sendAnswers([{ at: place, is: leftOut ? "left-out" : "move", san }], text);
  if (stay || leftOut) goTo(place);
  else goOn();
}

/** The lit candidate is right. */
export function answerLit(stay = false) {
  // A cell that holds no move of the game is not given one by a key that was pressed once more.
  const given = answerAt(state.game, state.place)?.is ?? "";
  if (!state.typed && ["end", "none"].includes(given)) goDoubt();
  else if (isLitSure(listCandidates())) answerListed(state.lit, stay);
  else sayText("guess");
}

/** A candidate is right. @param {number} index */
export function answerListed(index, stay = false) {
  const candidate = listCandidates()[index];
  if (candidate) answerMove(candidate.san, stay);
  else if (state.typed) sayText("noLegalMove");
}

/** All is right down to here: holds every move so far; after changes above, those as they were. */
export function answerDownToHere() {
  const { game, place, above } = state;
  if (!game) return;
  if (above.length) {
    const names = above.map((change) => plyName(change.index, change.old)).join(" ");
    /** @type {Answer[]} */
    const old = above.map((change) => ({ at: change.place, is: "move", san: change.old }));
    sendAnswers(old, fillText("asBefore", names));
    render();
    return;
  }
  const last = currentIndex(game) - (plyAt(game, place) < 0 ? 1 : 0);
  const open = game.plies.slice(0, last + 1).filter((ply) => !ply.settled);
  if (!open.length) {
    goDoubt();
    return;
  }
  const low = open.filter((ply) => ply.confidence < LOW_CONFIDENCE).length;
  const name = plyName(last, game.plies[last].san);
  sendAnswers(
    open.map((ply) => ({ at: ply.place, is: "move", san: ply.san })),
    fillText(low ? "heldDownToLow" : "heldDownTo", name, open.length, low),
  );
  goOn();
}

/**
 * The current place is illegible, no move, or after the end. A ply that is no move is none on all
 * copies.
 * @param {"seen"|"none"|"end"} is
 */
export function markPlace(is) {
  const { game, place } = state;
  if (!game || !place) return;
  if (answerAt(game, place)?.is === is) {
    clearAnswer();
    return;
  }
  const texts = /** @type {const} */ ({ seen: "markedSeen", none: "markedNone", end: "markedEnd" });
  const cells = is === "none" ? plyOf(game, place)?.cells : undefined;
  const places = cells?.length ? cells.map((cell) => cell.place) : [place];
  sendAnswers(places.map((at) => ({ at, is })), fillText(texts[is], currentName()));
  // The doubts ahead are behind the end.
  if (is === "end") goTo(place);
  else goOn();
}

/** A move was left out before the current place: the next answer is that move. */
export function toggleLeftOut() {
  state.leftOut = !state.leftOut;
  state.lit = 0;
  render();
  if (state.leftOut) sayText("typeLeftOut");
}

/** Takes back the answer at the current place. */
export function clearAnswer() {
  const { game, place } = state;
  if (!game || !answerAt(game, place)) return;
  sendAnswers([{ at: place, is: "clear" }], fillText("cleared", currentName()));
  render();
}

/**
 * Shows what answers changed beside their own moves.
 * @param {Unsent} sent
 * @param {AnswerReply} reply
 * @param {Game} before
 */
export function noteChanges({ answers, what }, reply, before) {
  const { game, refused } = reply;
  const own = answers.map((answer) => ("at" in answer ? answer.at : ""));
  const changed = reply.changed.filter(({ ply }) => !own.includes(game.plies[ply - 1]?.place));
  state.fresh = new Set(changed.filter((c) => c.new).map((c) => c.ply - 1));
  state.above = changed.slice(0, reply.above).flatMap(({ ply, old, new: now }) => {
    const place = before.plies[ply - 1]?.place;
    return place && old ? [{ place, old, new: now, index: ply - 1 }] : [];
  });
  const named = changed.slice(0, MAX_NAMED).map((c) => plyName(c.ply - 1, c.new ?? "–"));
  if (changed.length > MAX_NAMED) named.push("…");
  const above = state.above.length ? `${aboveText()} ${fillText("aboveHint")} ` : "";
  const unsettled = before.settled && !game.settled ? fillText("unsettled") : "";
  say(
    above + what,
    changed.length
      ? fillText("othersChanged", changed.length, named.join(" ")) : fillText("nothingElse"),
    cutPlace(game) ? fillText("breaksOffAt", cutName(game)) : fillText("readToEnd"),
    game.result === before.result ? "" : fillText("resultNow", game.result),
    unsettled || noDoubtsText(game),
    // A quick search may find no game for an answer that the full one keeps.
    game.final ? refusedText(refused) : fillText("searching"),
    fillText("saved"),
  );
}

/** That no doubt is left, once the search has ended. @param {Game} game */
const noDoubtsText = (game) =>
  game.final && !doubtPlaces(game).length ? fillText("noDoubts") : "";

/** The answers that no game can keep to. @param {Answer[]} refused */
const refusedText = (refused) =>
  refused.length ? fillText("refused", refused.map(answerText).join(", ")) : "";

/** Goes on from an answered cut, if the person is still there. */
export function goOnFromCut() {
  const isThere = state.answeredCut === state.place;
  state.answeredCut = "";
  if (isThere) goOn();
}

/** Tells that the wider search has ended, which may have put back what had changed above. */
export function noteFinal() {
  const changed = state.above.filter(({ index, old }) => state.served?.plies[index]?.san !== old);
  if (changed.length < state.above.length) sayText("putBack");
  else {
    const { served } = state;
    const said = byId("live").textContent.replace(`${fillText("searching")} · `, "");
    const further = served ? [noDoubtsText(served), refusedText(served.refused)] : [];
    say(said, ...further.filter((text) => !said.includes(text)));
  }
  state.above = changed;
}

/** The ply at which a game is cut: `22…`. @param {Game} game */
export const cutName = (game) => plyName((game.break_at?.ply ?? 1) - 1);

/** The changes above, with old and new: `37… Rd8 → h5`. */
export function aboveText() {
  const list = state.above.map((c) => `${plyName(c.index, c.old)} → ${c.new ?? "–"}`).join(", ");
  return list && fillText("above", list);
}

/** An answer in words. @param {Answer|undefined} answer */
export function answerText(answer) {
  if (answer && "san" in answer) return answer.san;
  if (answer?.is === "field") return answer.text;
  const texts = /** @type {const} */ ({ seen: "illegible", none: "noMove", end: "gameEnds" });
  const is = /** @type {"seen"} */ (answer?.is);
  return fillText(texts[is] ?? "noAnswer");
}
