/**
 * The keyboard. Focus rests in the field for moves: upper case, a–h, o and 0 type a move, other
 * letters and digits are commands while the field is empty.
 */

import {
  answerDownToHere, answerListed, answerLit, goDoubt, goTo, goWeightiest, markPlace, step,
  toggleLeftOut,
} from "./actions.js";
import { dropPiece, toggleAfter } from "./board.js";
import { listCandidates } from "./candidates.js";
import { openAssign } from "./assign.js";
import { openBoards } from "./boards.js";
import { ENGLISH } from "./chess.js";
import { toggleStrips } from "./moves.js";
import { swapCopy, toggleFollow, zoom, ZOOM_STEP } from "./picture.js";
import { exportRun, goSheet, openGame, settle, undoOrRedo } from "./run.js";
import { state } from "./state.js";
import { fillText } from "./texts.js";
import { byId, focusMoveField, render, say } from "./view.js";

/** Milliseconds within which a–h after a piece's letter make a move of it. */
const SLOPPY_MS = 700;
/** Plies that PgUp and PgDn go. */
const PAGE_PLIES = 20;
const ALT_KEY = "sheetscan-alt-letters";

/** @type {Record<string, () => void>} */
const COMMANDS = {
  n: goDoubt,
  p: () => goDoubt(-1),
  y: answerDownToHere,
  w: goWeightiest,
  j: () => void goSheet(),
  k: () => void goSheet(-1),
  v: toggleAfter,
  z: toggleFollow,
  "+": () => zoom(ZOOM_STEP),
  "-": () => zoom(1 / ZOOM_STEP),
  l: swapCopy,
  s: toggleStrips,
  q: openAssign,
  ".": openBoards,
  m: toggleLeftOut,
  t: () => markPlace("end"),
  i: () => markPlace("seen"),
  x: () => markPlace("none"),
  u: () => void undoOrRedo("undo"),
  r: () => void undoOrRedo("redo"),
  "?": () => byId("help-dialog").showModal(),
};
/** Commands that change an answer: where they may be part of a move, they wait for what follows. */
const CHANGING = "ytixur";
/** Commands that do the opposite when they are done again. */
const TOGGLES = "vzsm";

/**
 * A command whose letter may turn out to be a piece: the letters, where the person was, and what
 * has not been done yet.
 * @typedef {{letters: string, gameId: string, place: string, timer: number}} Sloppy
 * @type {Sloppy & {waits: (() => void)[]}|null}
 */
let sloppy = null;

export function buildKeys() {
  byId("move").addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.isComposing && takeKey(event)) {
      event.preventDefault();
    }
  });
  byId("move").addEventListener("input", () => typeText(byId("move").value.trim()));
  document.addEventListener("keydown", takePageKey);
  // Keys act in the field alone, so that no click leaves the focus on what has no use for it.
  document.addEventListener("click", () => {
    const { activeElement: now, body } = document;
    if (now === body || now?.matches("button:not(dialog *), .scroll")) focusMoveField();
  });
}

/** @param {string} typed */
function typeText(typed) {
  Object.assign(state, { typed, lit: 0, settleAsked: false });
  dropPiece();
  render();
}

/** Whether letters act only together with Alt. */
export const needsAlt = () => localStorage.getItem(ALT_KEY) === "1";

/** @param {boolean} on */
export function setNeedsAlt(on) {
  localStorage.setItem(ALT_KEY, on ? "1" : "0");
  say(fillText(on ? "lettersWithAlt" : "lettersAlone"));
}

/** Keys with Ctrl, which act wherever the focus is. @param {KeyboardEvent} event */
function takePageKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const { target, shiftKey } = event;
  const isInput = target instanceof HTMLInputElement;
  const editing = isInput && (target.id !== "move" || target.value);
  const key = event.key.toLowerCase();
  const act = key === "enter" ? settle
    : key === "s" ? exportRun
    : key === "z" && !editing ? () => undoOrRedo(shiftKey ? "redo" : "undo")
    : key === "y" && !editing ? () => undoOrRedo("redo") : null;
  if (!act) return;
  event.preventDefault();
  if (isInput && target.id !== "move") byId("move").focus();
  doWaiting();
  void act();
}

/** A key in the field. True if it is no text. @param {KeyboardEvent} event */
function takeKey(event) {
  const { key, altKey, shiftKey } = event;
  const down = ["ArrowDown", "PageDown"].includes(key) ? 1 : -1;
  if (key === "Escape") {
    escape();
    return true;
  }
  if (["Enter", "ArrowDown", "ArrowUp", "PageDown", "PageUp"].includes(key)) {
    doWaiting();
    const count = listCandidates().length || 1;
    if (key === "Enter") answerLit(shiftKey);
    else if (key.startsWith("Page")) step(down * PAGE_PLIES);
    else if (!state.typed) step(down);
    else {
      state.lit = (state.lit + down + count) % count;
      render();
    }
    return true;
  }
  if (byId("move").value) return false;
  if (sloppy && !altKey && /^[a-h]$/.test(key)) {
    typePiece(key);
    return true;
  }
  if (!altKey && !needsAlt() && /^[1-9]$/.test(key)) {
    doWaiting();
    answerListed(Number(key) - 1);
    return true;
  }
  const letter = altKey ? event.code.replace("Key", "").toLowerCase() : key;
  if (!Object.hasOwn(COMMANDS, letter)) return false;
  if (/[a-z]/.test(letter) && altKey !== needsAlt()) return false;
  doCommand(letter, COMMANDS[letter], altKey);
  return true;
}

/** Clears the field; if it is empty, leaves it. */
function escape() {
  const { typed, leftOut, settleAsked } = state;
  if (sloppy?.waits.length) {
    clearTimeout(sloppy.timer);
    sloppy = null;
    say("");
  } else if (typed || leftOut || settleAsked || byId("move").value) {
    state.leftOut = false;
    byId("move").value = "";
    typeText("");
  } else byId("answer").focus();
}

/** @param {string} letter @param {() => void} command @param {boolean} altKey */
function doCommand(letter, command, altKey) {
  const isPiece = (ENGLISH + (state.game?.letters ?? "")).toLowerCase().includes(letter);
  const takes = letter === "x" ? sloppy : null;
  if (!takes) doWaiting();
  if (altKey || !(takes || isPiece)) {
    command();
    return;
  }
  clearTimeout(takes?.timer);
  const { gameId, place } = takes ?? state;
  const waits = [...(takes?.waits ?? []), ...(CHANGING.includes(letter) ? [command] : [])];
  const letters = (takes?.letters ?? "") + letter;
  sloppy = { letters, gameId, place, waits, timer: setTimeout(doWaiting, SLOPPY_MS) };
  if (waits.length) say(fillText("deferred", letters));
  else command();
}

/** Does what waited for the next key. */
function doWaiting() {
  const was = sloppy;
  sloppy = null;
  clearTimeout(was?.timer);
  for (const command of was?.waits ?? []) command();
}

/** A sloppy `nf3` is a knight's move: takes back the command and types. @param {string} key */
function typePiece(key) {
  if (!sloppy) return;
  const { letters, gameId, place, timer } = sloppy;
  clearTimeout(timer);
  sloppy = null;
  if (TOGGLES.includes(letters[0])) COMMANDS[letters[0]]();
  const type = () => {
    if (state.place !== place) goTo(place);
    byId("move").focus();
    const text = letters[0].toUpperCase() + letters.slice(1) + key;
    byId("move").value = text;
    typeText(text);
  };
  if (gameId !== state.gameId) void openGame(gameId).then(type);
  else type();
}
