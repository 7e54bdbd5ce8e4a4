// @ts-check
/** The answer column: close-ups, why the move is asked, the candidates, the field, the buttons. */

import { picture } from "./api.js";
import {
  aboveList, answerDownToHere, answerLit, answerMove, clearAnswer, goDoubt, mark, placeName,
  startLeftOut,
} from "./actions.js";
import { hintMove } from "./board.js";
import { candidatesAt, closeUpPath, listed } from "./candidates.js";
import { byId, focusMoveField, html, setAttributes, setText } from "./dom.js";
import { settle } from "./run-actions.js";
import { answerAt, breakPlace, cellAt, plyAt, state } from "./state.js";
import { texts } from "./texts.js";

/** What the list of candidates showed last. */
let drawnList = "";
let drawnCloseUps = "";

export function buildAnswer() {
  /** @type {Record<string, () => void>} */
  const buttons = {
    "previous-doubt": () => goDoubt(-1),
    "take-lit": () => answerLit(),
    "following-doubt": () => goDoubt(1),
    "down-to-here": answerDownToHere,
    "settle-short": () => void settle(),
    illegible: () => mark("seen"),
    "no-move": () => mark("none"),
    "left-out": startLeftOut,
    "game-ends": () => mark("end"),
    "take-back": clearAnswer,
    "as-it-was": answerDownToHere,
  };
  for (const [id, act] of Object.entries(buttons)) {
    byId(id).addEventListener("click", () => {
      act();
      focusMoveField();
    });
  }
  byId("candidates").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const option = /** @type {Element} */ (event.target).closest("[data-san]");
    if (option) answerMove(option.getAttribute("data-san") ?? "");
    focusMoveField();
  });
  byId("candidates").addEventListener("pointerover", (/** @type {PointerEvent} */ event) => {
    if (event.pointerType !== "mouse") return;
    const san = /** @type {Element} */ (event.target).closest("[data-san]")?.getAttribute("data-san");
    hintMove(listed().find((candidate) => candidate.san === san) ?? null);
  });
  byId("candidates").addEventListener("pointerleave", () => hintMove(null));
}

export function drawAnswer() {
  const { game, place } = state;
  document.body.toggleAttribute("data-no-moves", !game || !place);
  byId("above").hidden = !state.above.length;
  setText(byId("above-text"), state.above.length ? texts.above(aboveList()) : "");
  drawQuestion();
  drawCloseUps();
  drawList();
  const field = byId("move");
  if (field.value.trim() !== state.typed) field.value = state.typed;
  const given = game && answerAt(game, place);
  byId("take-back").hidden = !given;
  const kinds = { illegible: "seen", "no-move": "none", "game-ends": "end" };
  for (const [id, kind] of Object.entries(kinds)) {
    byId(id).setAttribute("aria-pressed", String(given?.is === kind));
  }
  byId("left-out").setAttribute("aria-pressed", String(state.leftOut));
  for (const id of ["settle", "settle-short"]) {
    const label = state.settleAsked
      ? texts.settleAnyway
      : id === "settle" ? texts.settle : texts.settleShort;
    setText(byId(id).firstElementChild, label);
    byId(id).disabled = !game?.plies.length;
  }
}

/** `11. Na4`, and why it is asked. */
function drawQuestion() {
  const { game, place } = state;
  if (!game || !place) {
    const row = state.rows.find((other) => other.id === state.gameId);
    setText(byId("where"), "");
    const empty = state.rows.length ? texts.chooseGame : texts.noGames;
    setText(byId("why"), row ? (row.reason ?? "") : empty);
    return;
  }
  const index = plyAt(game, place);
  setText(byId("where"), placeName(place) + (index < 0 ? " ?" : ""));
  setText(byId("why"), state.leftOut ? texts.typeLeftOut : reason());
}

/** Why the current move is asked, or what is known of it. */
function reason() {
  const { game, place } = state;
  if (!game) return "";
  const given = answerAt(game, place);
  if (given?.is === "none") return texts.noMoveCell;
  if (given?.is === "end") return texts.endCell;
  if (given?.is === "left-out") return texts.leftOutCell;
  if (given?.is === "seen") return texts.seenByYou;
  const ply = game.plies[plyAt(game, place)];
  const cell = cellAt(game, place)?.cell;
  if (!ply) {
    if (place === breakPlace(game)) return texts.breakOff(game.unread[0]?.read);
    const unread = game.unread.find((one) => one.place === place);
    if (unread?.read) return texts.cellUnread(unread.read);
    return cell?.read ? texts.cellReads(cell.read, cell.read_confidence) : texts.blankCell;
  }
  if (ply.settled) return texts.settledByYou;
  if (ply.seen) return texts.seenByYou;
  if (ply.why === "copies-differ") return texts.copiesDiffer;
  if (ply.why === "no-cell" || !cell) return texts.noCell;
  if (!cell.read) return texts.nothingLegible;
  if (ply.why === "cell-unread") return texts.cellUnread(cell.read);
  return texts.cellReads(cell.read, cell.read_confidence);
}

/** A close-up for each copy of the cell. */
function drawCloseUps() {
  const { game, place } = state;
  const ply = game?.plies[plyAt(game, place)];
  const places = ply?.cells.length ? ply.cells.map((cell) => cell.place) : [place];
  const shown = game ? places.filter((at) => cellAt(game, at)) : [];
  const mark = `${game?.id} ${shown.join(" ")} ${shown.length > 1 && ply?.why}`;
  if (mark === drawnCloseUps) return;
  drawnCloseUps = mark;
  const holder = byId("close-ups");
  if (!game || !shown.length) {
    holder.replaceChildren(html("p", { class: "mute" }, game?.plies.length ? texts.noPicture : ""));
    return;
  }
  holder.replaceChildren(...shown.map((at) => closeUp(at, shown.length > 1)));
}

/** @param {string} at @param {boolean} several */
function closeUp(at, several) {
  const game = /** @type {import("./contract").Game} */ (state.game);
  const here = cellAt(game, at);
  const sheet = game.sheets[here?.sheet ?? 0];
  const image = html("img", { alt: texts.closeUp(placeName(state.place), sheet.name) });
  const frame = html("div", { class: "close-up" }, image, html("span", { class: "cell-edge" }));
  const mark = drawnCloseUps;
  void picture(closeUpPath(game, at) ?? "").then((url) => {
    if (url && mark === drawnCloseUps) image.src = url;
  });
  if (!several) return frame;
  const caption = `${sheet.name}: ${texts.copyReads(here?.cell.read ?? "")}`;
  return html("figure", {}, frame, html("figcaption", {}, caption));
}

/** The list of candidates, which is also the list of completions. */
function drawList() {
  const { game, place, typed } = state;
  const found = listed();
  state.lit = Math.min(state.lit, Math.max(0, found.length - 1));
  const known = game && candidatesAt(game, place);
  const ply = game?.plies[plyAt(game, place)];
  const mark = JSON.stringify([
    found, typed, place, Boolean(known), ply?.settled, state.leftOut, game?.letters,
  ]);
  const list = byId("candidates");
  if (mark !== drawnList) {
    drawnList = mark;
    list.replaceChildren(...found.map((candidate, index) => option(candidate, index, ply)));
    list.hidden = !found.length;
    const message = !game || !place || found.length ? ""
      : typed ? (known ? texts.noLegalMove : texts.loadingCandidates)
      : known ? texts.noCandidates : texts.loadingCandidates;
    setText(byId("no-candidates"), message);
    byId("no-candidates").hidden = !message;
  }
  for (const [index, element] of [...list.children].entries()) {
    element.setAttribute("aria-selected", String(index === state.lit));
  }
  setAttributes(byId("move"), {
    "aria-expanded": String(found.length > 0),
    "aria-activedescendant": found.length ? `candidate-${state.lit}` : null,
  });
}

/**
 * @param {import("./contract").Candidate} candidate
 * @param {number} index
 * @param {import("./contract").Ply|undefined} ply
 */
function option(candidate, index, ply) {
  const { san, spelling, share } = candidate;
  const settled = ply?.settled && ply.san === san;
  const percent = settled ? texts.markSettled : texts.percent(share);
  const bar = html("i");
  bar.style.width = `${Math.round(share * 100)}%`;
  return html(
    "li",
    {
      id: `candidate-${index}`, role: "option", "data-san": san,
      "aria-label": texts.candidate(san, texts.spoken(san), percent),
    },
    html("kbd", {}, state.typed ? (index ? "" : "Enter") : String(index + 1)),
    html("span", { class: "san" }, san),
    html("span", { class: "spelling" }, spelling === san ? "" : spelling),
    html("span", { class: "meter" }, bar),
    html("span", { class: "percent" }, percent),
  );
}
