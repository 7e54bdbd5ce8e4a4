// @ts-check
/** Names, round, board, date and result, with what the sheet has for them and what was read there. */

import { picture } from "./api.js";
import { send } from "./actions.js";
import { byId, focusMoveField, html, isNarrow, setText } from "./dom.js";
import { state } from "./state.js";
import { texts } from "./texts.js";
import { render, showView } from "./view.js";

/** @typedef {import("./contract").FieldName} FieldName */

/** @type {FieldName[]} */
const NAMES = ["white", "black", "round", "board", "date", "result"];
const RESULTS = ["*", "1-0", "0-1", "1/2-1/2"];
/** The region around a field's box, as parts of the box's height. */
const REGION_MARGIN = 0.35;

/** @type {Record<string, {input: HTMLInputElement|HTMLSelectElement, image: HTMLImageElement, proposal: HTMLButtonElement, region: string}>} */
const fields = {};

export function buildFields() {
  for (const name of NAMES) byId("fields").append(buildField(name));
  byId("header-button").addEventListener("click", () => toggleFields(byId("fields").hidden));
}

/** @param {FieldName} name */
function buildField(name) {
  const label = texts.field(name);
  const id = `field-${name}`;
  const input = name === "result"
    ? html("select", { id }, ...RESULTS.map((result) => html("option", {}, result)))
    : html("input", { id, autocomplete: "off", spellcheck: "false" });
  const image = html("img", { alt: texts.regionOf(label), hidden: true });
  const proposal = html("button", { type: "button", class: "proposal", hidden: true });
  fields[name] = { input, image, proposal, region: "" };
  input.addEventListener("change", () => setField(name, input.value.trim()));
  input.addEventListener("keydown", (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (key !== "Escape" && !(key === "Enter" && name !== "result")) return;
    event.preventDefault();
    if (key === "Escape") input.value = state.game?.fields[name].value ?? "";
    else setField(name, input.value.trim());
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
  const { game } = state;
  if (!game || game.fields[name].value === text) return;
  send([{ is: "field", name, text }], texts.fieldSet(texts.field(name), text));
  render();
}

/** Opens the fields and goes to the first. */
export function openFields() {
  if (isNarrow()) showView("moves");
  toggleFields(true);
  fields.white.input.focus();
}

/** @param {boolean} open */
export function toggleFields(open) {
  byId("fields").hidden = !open;
  byId("header-button").setAttribute("aria-expanded", String(open));
  render();
  if (!open) focusMoveField();
}

export function drawFields() {
  const { game } = state;
  const summary = game
    ? [`${game.fields.white.value || "?"} – ${game.fields.black.value || "?"}`,
        game.fields.result.value || "*"].join(" · ")
    : texts.header;
  setText(byId("header-summary"), summary);
  byId("header-button").disabled = !game;
  if (byId("fields").hidden || !game) return;
  for (const name of NAMES) {
    const { input, proposal } = fields[name];
    const { value, proposal: read, confidence } = game.fields[name];
    const shown = name === "result" ? value || "*" : value;
    if (document.activeElement !== input && input.value !== shown) input.value = shown;
    proposal.hidden = !read || read === value;
    setText(proposal, texts.proposal(read, confidence));
    drawRegion(name);
  }
}

/** The part of the sheet where a field stands. @param {FieldName} name */
function drawRegion(name) {
  const { game } = state;
  const shown = fields[name];
  const field = game?.fields[name];
  const sheet = field && field.sheet !== null ? game.sheets[field.sheet] : undefined;
  let path = "";
  if (sheet && field?.box) {
    const xs = field.box.map((point) => point[0]);
    const ys = field.box.map((point) => point[1]);
    const margin = Math.round((Math.max(...ys) - Math.min(...ys)) * REGION_MARGIN);
    const x = Math.max(0, Math.round(Math.min(...xs)) - margin);
    const y = Math.max(0, Math.round(Math.min(...ys)) - margin);
    const w = Math.min(sheet.width, Math.round(Math.max(...xs)) + margin) - x;
    const h = Math.min(sheet.height, Math.round(Math.max(...ys)) + margin) - y;
    path = `/api/sheets/${sheet.id}/region.jpg?x=${x}&y=${y}&w=${w}&h=${h}`;
  }
  if (path === shown.region) return;
  shown.region = path;
  shown.image.hidden = true;
  if (!path) return;
  void picture(path).then((url) => {
    if (!url || shown.region !== path) return;
    shown.image.src = url;
    shown.image.hidden = false;
  });
}
