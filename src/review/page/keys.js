// @ts-check
/**
 * The keyboard. Focus rests in the field for moves: upper case, a–h, o and 0 type a move, other
 * letters and digits are commands while the field is empty.
 */

import {
  answerDigit, answerDownToHere, answerLit, goDoubt, goTo, goWeightiest, mark, startLeftOut, step,
} from "./actions.js";
import { dropPiece, toggleAfter } from "./board.js";
import { listed } from "./candidates.js";
import { showHelp } from "./dialogs.js";
import { byId } from "./dom.js";
import { openFields } from "./header-fields.js";
import { toggleStrips } from "./moves.js";
import { swapCopy, toggleFollow, zoom, ZOOM_STEP } from "./picture.js";
import { exportRun, goSheet, openGame, settle, undoOrRedo } from "./run-actions.js";
import { state } from "./state.js";
import { texts } from "./texts.js";
import { render, say } from "./view.js";

/** Milliseconds within which a–h after a piece's letter make a move of it. */
const SLOPPY_MS = 700;
/** Plies that PgUp and PgDn go. */
const PAGE_PLIES = 20;
const ALT_KEY = "sheetscan-alt-letters";
const ENGLISH = "KQRBN";

/** @type {Record<string, () => void>} */
const COMMANDS = {
  n: () => goDoubt(1),
  p: () => goDoubt(-1),
  y: answerDownToHere,
  w: goWeightiest,
  j: () => void goSheet(1),
  k: () => void goSheet(-1),
  v: toggleAfter,
  z: toggleFollow,
  "+": () => zoom(ZOOM_STEP),
  "-": () => zoom(1 / ZOOM_STEP),
  l: swapCopy,
  s: toggleStrips,
  q: openFields,
  m: startLeftOut,
  t: () => mark("end"),
  i: () => mark("seen"),
  x: () => mark("none"),
  u: () => void undoOrRedo("undo"),
  r: () => void undoOrRedo("redo"),
  "?": showHelp,
};
/** Commands that change an answer. After a piece's letter they wait for what follows. */
const CHANGING = "ytixumr";

/**
 * A command whose letter may turn out to be a piece: what was typed so far, where the person was,
 * and the command if it has not been done yet.
 * @type {{typed: string, game: string|null, place: string, waits: (() => void)|null, timer: number}|null}
 */
let sloppy = null;

export function buildKeys() {
  const field = byId("move");
  field.addEventListener("keydown", onFieldKey);
  field.addEventListener("input", () => {
    state.typed = field.value.trim();
    state.lit = 0;
    state.settleAsked = false;
    dropPiece();
    render();
  });
  document.addEventListener("keydown", onPageKey);
}

export const altLetters = () => localStorage.getItem(ALT_KEY) === "1";

/** @param {boolean} on letters act only together with Alt */
export function setAltLetters(on) {
  localStorage.setItem(ALT_KEY, on ? "1" : "0");
  say(on ? texts.lettersWithAlt : texts.lettersAlone);
}

/** Keys with Ctrl, which act wherever the focus is. @param {KeyboardEvent} event */
function onPageKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const { target } = event;
  const editing = target instanceof HTMLInputElement && (target.id !== "move" || target.value);
  const key = event.key.toLowerCase();
  /** @type {(() => void)|null} */
  const act = key === "enter" ? () => void settle()
    : key === "s" ? () => void exportRun()
    : editing ? null
    : key === "z" ? () => void undoOrRedo(event.shiftKey ? "redo" : "undo")
    : key === "y" ? () => void undoOrRedo("redo") : null;
  if (!act) return;
  event.preventDefault();
  if (editing && target.id !== "move") target.blur();
  doWaiting();
  act();
}

/** @param {KeyboardEvent} event */
function onFieldKey(event) {
  if (event.ctrlKey || event.metaKey || event.isComposing) return;
  const { key } = event;
  if (actOnKey(event)) {
    event.preventDefault();
    return;
  }
  if (state.typed || byId("move").value) return;
  if (becomesPiece(event)) {
    event.preventDefault();
    return;
  }
  const letter = event.altKey ? event.code.replace(/^Key/, "").toLowerCase() : key;
  if (/^[1-9]$/.test(key) && !event.altKey && !altLetters()) {
    event.preventDefault();
    doWaiting();
    answerDigit(Number(key));
    return;
  }
  const command = Object.hasOwn(COMMANDS, letter) ? COMMANDS[letter] : null;
  if (!command || (event.altKey !== altLetters() && /[a-z]/.test(letter))) return;
  event.preventDefault();
  doCommand(letter, command);
}

/** Enter, Escape and the arrows. True if the key was one. @param {KeyboardEvent} event */
function actOnKey(event) {
  const { key } = event;
  const down = key === "ArrowDown" || key === "PageDown";
  if (key === "Enter") {
    doWaiting();
    answerLit(event.shiftKey);
  } else if (key === "Escape") escape();
  else if (key === "PageDown" || key === "PageUp") step(down ? PAGE_PLIES : -PAGE_PLIES);
  else if (key === "ArrowDown" || key === "ArrowUp") {
    doWaiting();
    if (state.typed) {
      const count = listed().length || 1;
      state.lit = (state.lit + (down ? 1 : count - 1)) % count;
      render();
    } else step(down ? 1 : -1);
  } else return false;
  return true;
}

/** Clears the field; if it is empty, leaves it. */
function escape() {
  const field = byId("move");
  if (sloppy?.waits) {
    clearTimeout(sloppy.timer);
    sloppy = null;
    say("");
    return;
  }
  if (!state.typed && !state.leftOut && !state.settleAsked && !field.value) {
    byId("answer").focus();
    return;
  }
  Object.assign(state, { typed: "", lit: 0, leftOut: false, settleAsked: false });
  field.value = "";
  dropPiece();
  render();
}

/** @param {string} letter @param {() => void} command */
function doCommand(letter, command) {
  const afterPiece = letter === "x" && sloppy !== null && !altLetters();
  const typed = afterPiece && sloppy ? `${sloppy.typed}x` : letter;
  const waits = CHANGING.includes(letter) && (afterPiece || isPiece(letter));
  const { gameId: game, place } = afterPiece && sloppy
    ? { gameId: sloppy.game, place: sloppy.place } : state;
  const earlier = afterPiece ? sloppy?.waits : null;
  if (!afterPiece) doWaiting();
  if (sloppy) clearTimeout(sloppy.timer);
  sloppy = null;
  if (altLetters() || !(afterPiece || isPiece(letter))) {
    command();
    return;
  }
  const act = waits ? () => {
    earlier?.();
    command();
  } : null;
  sloppy = { typed, game, place, waits: act, timer: setTimeout(doWaiting, SLOPPY_MS) };
  if (act) say(`${typed} ${texts.deferred}`);
  else command();
}

/** Does a command that waited for what follows. */
function doWaiting() {
  const was = sloppy;
  sloppy = null;
  if (!was) return;
  clearTimeout(was.timer);
  was.waits?.();
}

/** Whether a letter is a piece's in the sheet's language or in English. @param {string} letter */
function isPiece(letter) {
  const upper = letter.toUpperCase();
  return (ENGLISH + (state.game?.letters ?? "")).includes(upper) && upper !== letter;
}

/**
 * A sloppy `nf3` is a knight's move: takes back the command and types the move's beginning.
 * @param {KeyboardEvent} event
 */
function becomesPiece(event) {
  if (!sloppy || !/^[a-h]$/.test(event.key) || event.altKey) return false;
  const { typed, game, place, timer } = sloppy;
  clearTimeout(timer);
  sloppy = null;
  const text = typed[0].toUpperCase() + typed.slice(1) + event.key;
  takeBack(typed[0]);
  const type = () => {
    if (state.place !== place) goTo(place);
    byId("move").value = text;
    byId("move").focus();
    state.typed = text;
    state.lit = 0;
    render();
  };
  if (game && game !== state.gameId) void openGame(game).then(type);
  else type();
  return true;
}

/** Takes back a command that shows something else. @param {string} letter */
function takeBack(letter) {
  if (letter === "v" || letter === "z" || letter === "s" || letter === "l") COMMANDS[letter]();
}
