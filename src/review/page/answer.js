/** The answer column: close-ups, why the move is asked, the candidates, the field, the buttons. */

import {
  aboveText, answerDownToHere, answerLit, answerMove, clearAnswer, currentName, goDoubt,
  markPlace, toggleLeftOut,
} from "./actions.js";
import { fetchPicture } from "./api.js";
import { hintMove } from "./board.js";
import { candidatesAt, closeUpPath, isLitSure, listCandidates } from "./candidates.js";
import { noGames } from "./games.js";
import { settle } from "./run.js";
import {
  answerAt, cellAt, cutPlace, plyAt, plyOf, rowOf, sheetName, state,
} from "./state.js";
import { fillText, spokenMove } from "./texts.js";
import {
  byId, closest, focusMoveField, html, isNarrow, onClick, setAttributes, setPressed, setText,
} from "./view.js";

/** What was drawn last. */
let drawnList = "";
let drawnCloseUps = "";

export function buildAnswer() {
  onClick("previous-doubt", () => goDoubt(-1));
  onClick("take-lit", answerLit);
  onClick("following-doubt", goDoubt);
  onClick("down-to-here", answerDownToHere);
  onClick("as-it-was", answerDownToHere);
  for (const id of ["settle", "settle-short"]) onClick(id, () => void settle());
  onClick("illegible", () => markPlace("seen"));
  onClick("no-move", () => markPlace("none"));
  onClick("game-ends", () => markPlace("end"));
  onClick("left-out", toggleLeftOut);
  onClick("take-back", clearAnswer);
  const list = byId("candidates");
  list.addEventListener("click", (event) => {
    const san = closest(event, "[data-san]")?.dataset.san;
    if (san) answerMove(san);
    focusMoveField();
  });
  list.addEventListener("pointerover", (event) => {
    const san = event.pointerType === "mouse" && closest(event, "[data-san]")?.dataset.san;
    hintMove(listCandidates().find((candidate) => candidate.san === san));
  });
  list.addEventListener("pointerleave", () => hintMove());
}

export function drawAnswer() {
  const { game, place } = state;
  document.body.toggleAttribute("data-empty", !game);
  byId("above").hidden = !state.above.length;
  setText("above-text", aboveText());
  const row = rowOf(state.gameId);
  const question = game && place
    ? [currentName() + (plyAt(game, place) < 0 ? " ?" : ""), explainPlace(game, place)]
    : ["", row ? (row.reason ?? "") : state.rows.length ? fillText("chooseGame") : noGames()];
  setText("where", question[0]);
  if (state.run) setText("why", state.leftOut ? fillText("typeLeftOut") : question[1]);
  drawCloseUps();
  drawList();
  const field = byId("move");
  if (field.value.trim() !== state.typed) field.value = state.typed;
  const given = answerAt(game, place)?.is;
  byId("take-back").hidden = !given;
  setPressed("illegible", given === "seen");
  setPressed("no-move", given === "none");
  setPressed("game-ends", given === "end");
  setPressed("left-out", state.leftOut);
  for (const id of ["settle", "settle-short"]) {
    setText(`${id}-text`, fillText(state.settleAsked ? "settleAnyway" : "settle"));
    byId(id).disabled = !game?.plies.length;
  }
}

/** Why a place is asked, or what is known of it. @param {Game} game @param {string} place */
function explainPlace(game, place) {
  const answers = /** @type {const} */ ({
    none: "noMoveCell", end: "endCell", "left-out": "leftOutCell", seen: "seenByYou",
  });
  const given = /** @type {"seen"} */ (answerAt(game, place)?.is);
  if (answers[given]) return fillText(answers[given]);
  const ply = plyOf(game, place);
  const cell = cellAt(game, place)?.cell;
  const percent = Math.round(100 * (cell?.read_confidence ?? 0));
  if (!ply) {
    const read = game.unread.find((one) => one.place === place)?.read;
    const next = game.unread.find((one) => one.read)?.read;
    if (place === cutPlace(game)) return fillText(next ? "breakOffRead" : "breakOff", next ?? "");
    if (read) return fillText("cellUnread", read);
    return cell?.read ? fillText("cellReads", cell.read, percent) : fillText("blankCell");
  }
  if (ply.settled) return fillText("settledByYou");
  if (ply.seen) return fillText("seenByYou");
  if (ply.why === "copies-differ") return fillText("copiesDiffer");
  if (ply.why === "no-cell" || !cell) return fillText("noCell");
  if (!cell.read) return fillText("nothingLegible");
  const legal = candidatesAt(game, place)?.candidates;
  const isLegal = !legal || legal.some((one) => readsAs(one, cell.read));
  const text = ply.why === "cell-unread" ? "cellUnread" : isLegal ? "cellReads" : "cellIllegal";
  return fillText(text, cell.read, percent);
}

/** Whether a cell reads as a move, in any letters. @param {Candidate} move @param {string} read */
function readsAs({ san, spelling }, read) {
  const bare = (/** @type {string} */ text) => text.replace(/[^\p{L}\d]|x/gu, "").toLowerCase();
  // The cell may leave out which of two pieces moves.
  const short = (/** @type {string} */ text) => text.replace(/^(.)[a-h1-8](?=[a-h][1-8])/u, "$1");
  const texts = [san, spelling].map(bare);
  return [...texts, ...texts.map(short)].includes(bare(read));
}

/** A close-up for each copy of the cell. */
function drawCloseUps() {
  const { game, place } = state;
  const cut = place === cutPlace(game) ? game?.break_at?.places : undefined;
  const own = plyOf(game, place)?.cells.map((cell) => cell.place) ?? cut ?? [];
  // A copy that has no cell of the move may have it elsewhere in the same row.
  const name = (own[0] ?? place).split("-")[1];
  const sheets = game?.sheets.map((_, index) => `${index}-`) ?? [];
  const others = sheets.filter((sheet) => !own.some((at) => at.startsWith(sheet)));
  const places = [...new Set([place, ...own, ...others.map((sheet) => sheet + name)])];
  const shown = places.filter((at) => cellAt(game, at));
  const mark = `${game?.id} ${shown}`;
  if (mark === drawnCloseUps) return;
  drawnCloseUps = mark;
  if (isNarrow()) byId("answer").scrollTop = 0;
  const none = game?.plies.length ? [html("p", { class: "mute" }, fillText("noPicture"))] : [];
  const found = game ? shown.map((at) => makeCloseUp(game, at, shown.length > 1)) : [];
  byId("close-ups").replaceChildren(...(found.length ? found : none));
}

/** @param {Game} game @param {string} at @param {boolean} captioned */
function makeCloseUp(game, at, captioned) {
  const here = cellAt(game, at);
  const { name } = game.sheets[here?.sheet ?? 0];
  const read = here?.cell.read ?? "";
  const image = html("img", { alt: fillText("closeUp", currentName(), name) });
  void fetchPicture(closeUpPath(game, at)).then((url) => url && (image.src = url));
  const frame = html("div", { class: "close-up" }, image, html("span", { class: "cell-edge" }));
  const caption = fillText(read ? "copyReads" : "copyIllegible", sheetName(name), read);
  return html("figure", {}, frame, captioned ? html("figcaption", {}, caption) : "");
}

/** The list of candidates, which is also the list of completions. */
function drawList() {
  const { game, place, typed } = state;
  const found = listCandidates();
  state.lit = Math.min(state.lit, Math.max(0, found.length - 1));
  const ply = plyOf(game, place);
  const known = candidatesAt(game, place) !== null;
  const mark = JSON.stringify([found, typed, place, known, ply?.settled && ply.san]);
  const list = byId("candidates");
  if (mark !== drawnList) {
    drawnList = mark;
    const settled = ply?.settled ? ply.san : "";
    list.replaceChildren(...found.map((one, index) => makeOption(one, index, settled)));
    list.hidden = !found.length;
    const missing = !known ? "loading" : typed ? "noLegalMove" : "noCandidates";
    setText("no-candidates", game && place && !found.length ? fillText(missing) : "", true);
  }
  const lit = isLitSure(found) ? state.lit : -1;
  for (const [index, option] of [...list.children].entries()) {
    setAttributes(option, { "aria-selected": String(index === lit) });
  }
  setAttributes(byId("move"), {
    "aria-expanded": String(found.length > 0),
    "aria-activedescendant": found[lit] ? `candidate-${lit}` : null,
  });
}

/**
 * @param {Candidate} candidate
 * @param {number} index
 * @param {string} settled a move that is held
 */
function makeOption({ san, spelling, share }, index, settled) {
  const percent = san === settled ? 100 : Math.round(100 * share);
  const sign = san === settled ? fillText("markSettled") : fillText("percent", percent || "< 1");
  const bar = html("i");
  bar.style.width = `${percent}%`;
  return html("li", { id: `candidate-${index}`, role: "option", "data-san": san },
    html("kbd", {}, state.typed ? (index ? "" : "Enter") : String(index + 1)),
    html("span", { class: "san" }, san),
    html("span", { class: "unseen" }, spokenMove(san)),
    html("span", { class: "spelling" }, spelling === san ? "" : spelling),
    html("span", { class: "meter" }, bar),
    html("span", { class: "percent" }, sign));
}
