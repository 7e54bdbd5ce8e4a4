/** Names, round, board, date and result, with what the sheet has for them and what was read. */

import { sendAnswers } from "./actions.js";
import { fetchPicture } from "./api.js";
import { showHeader } from "./picture.js";
import { state } from "./state.js";
import { fillText } from "./texts.js";
import {
  byId, focusMoveField, html, isNarrow, render, setAttributes, setText, showView,
} from "./view.js";

/** @type {FieldName[]} */
const NAMES = ["white", "black", "round", "board", "date", "result"];
const RESULTS = ["*", "1-0", "0-1", "1/2-1/2"];
/** What is shown around a field's box, as a part of the box's height. */
const REGION_MARGIN = 0.35;

export function buildFields() {
  byId("fields").append(...NAMES.map(buildField));
  byId("header-button").addEventListener("click", () => {
    if (byId("fields").hidden) openFields();
    else toggleFields(false);
  });
}

/** @param {FieldName} name */
function buildField(name) {
  const label = fillText(name);
  const id = `field-${name}`;
  const input = name === "result"
    ? html("select", { id }, ...RESULTS.map((result) => html("option", {}, result)))
    : html("input", { id, autocomplete: "off", spellcheck: "false" });
  const image = html("img", { id: `${id}-image`, alt: fillText("regionOf", label), hidden: true });
  const proposal = html("button", { id: `${id}-read`, hidden: true });
  input.addEventListener("change", () => setField(name, input.value.trim()));
  byId("fields").addEventListener("keydown", (event) => {
    if (event.target !== input || !["Enter", "Escape"].includes(event.key) || event.ctrlKey) return;
    event.preventDefault();
    if (event.key === "Escape") {
      input.value = state.game?.fields[name].value ?? "";
      toggleFields(false);
    }
    byId("move").focus();
  });
  proposal.addEventListener("click", () => {
    setField(name, state.game?.fields[name].proposal ?? "");
    input.focus();
  });
  return html("div", { class: "field" }, html("label", { for: id }, label), input, image, proposal);
}

/** @param {FieldName} name @param {string} text */
function setField(name, text) {
  if (!state.game || state.game.fields[name].value === text) return;
  if (name === "result") state.settleAsked = false;
  const notice = fillText("fieldSet", fillText(name), text || fillText("unknown"));
  sendAnswers([{ is: "field", name, text }], notice);
  render();
}

/** Opens the fields and goes to one. @param {FieldName} name */
export function openFields(name = "white") {
  if (isNarrow()) showView("moves");
  toggleFields(true);
  showHeader();
  byId(`field-${name}`).focus();
}

/** @param {boolean} open */
export function toggleFields(open) {
  byId("fields").hidden = !open;
  setAttributes(byId("header-button"), { "aria-expanded": String(open) });
  render();
  if (!open) focusMoveField();
}

export function drawFields() {
  const { game } = state;
  byId("header-button").hidden = !game;
  if (!game) return;
  const [white, black, , , , result] = NAMES.map((name) => game.fields[name].value);
  const unknown = (/** @type {FieldName} */ name) => `${fillText(name)} ?`;
  const named = [white || unknown("white"), black || unknown("black")].join(" – ");
  const known = result && result !== "*" ? result : unknown("result");
  setText("header-summary", `${named} · ${known}`);
  if (byId("fields").hidden) return;
  for (const name of NAMES) {
    const { value, proposal, confidence } = game.fields[name];
    const input = byId(`field-${name}`);
    const shown = name === "result" ? value || "*" : value;
    if (document.activeElement !== input) input.value = shown;
    const read = fillText("proposal", proposal, Math.round(100 * confidence));
    setText(`field-${name}-read`, proposal && proposal !== value ? read : "", true);
    drawRegion(game, name);
  }
}

/** The part of the sheet where a field stands. @param {Game} game @param {FieldName} name */
function drawRegion(game, name) {
  const image = byId(`field-${name}-image`);
  const path = regionPath(game, game.fields[name]);
  if (image.dataset.path === path) return;
  image.dataset.path = path;
  image.hidden = true;
  if (!path) return;
  void fetchPicture(path).then((url) => {
    if (!url || image.dataset.path !== path) return;
    setAttributes(image, { src: url });
    image.hidden = false;
  });
}

/** @param {Game} game @param {Field} field */
function regionPath(game, { sheet: index, box }) {
  const sheet = game.sheets[index ?? -1];
  if (!sheet || !box) return "";
  const [xs, ys] = [box.map((point) => point[0]), box.map((point) => point[1])];
  const margin = (Math.max(...ys) - Math.min(...ys)) * REGION_MARGIN;
  const x = Math.round(Math.max(0, Math.min(...xs) - margin));
  const y = Math.round(Math.max(0, Math.min(...ys) - margin));
  const w = Math.round(Math.min(sheet.width, Math.max(...xs) + margin)) - x;
  const h = Math.round(Math.min(sheet.height, Math.max(...ys) + margin)) - y;
  return `/api/sheets/${sheet.id}/region.jpg?x=${x}&y=${y}&w=${w}&h=${h}`;
}
