/** Pictures that come in while the page is open: dropped or chosen here, or sent by phones. */

import { get, post, RequestError } from "./api.js";
import { refreshRun } from "./run.js";
import { state } from "./state.js";
import { fillText } from "./texts.js";
import {
  byId, html, onRender, say, sayText, setAttributes, setPressed, setText, svg,
} from "./view.js";

/** Largest picture that the server takes, in bytes. */
const MAX_BYTES = 40 * 1024 * 1024;
/** Modules of white around a QR code (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** Milliseconds after which the minutes that are left are counted again. */
const MINUTES_MS = 20_000;

/** The pictures that are sent one after the other. @type {File[]} */
let queue = [];
let sending = false;
let counts = { taken: 0, all: 0 };
/** The session of phones, if there is one. @type {PhoneSession|null} */
let session = null;
/** What was drawn last. */
let drawn = "";

export function buildPictures() {
  const { body } = document;
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    body.dataset.drop = fillText(state.run?.inbox ? "dropHere" : "takesNone");
  });
  addEventListener("dragleave", (event) => event.relatedTarget || delete body.dataset.drop);
  addEventListener("drop", (event) => {
    delete body.dataset.drop;
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    if (state.run?.inbox) void takeFiles(event.dataTransfer.files);
    else sayText("takesNone");
  });
  const input = /** @type {HTMLInputElement} */ (/** @type {unknown} */ (byId("files")));
  byId("add-files").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    void takeFiles(input.files ?? []);
    input.value = "";
  });
  byId("phones").addEventListener("click", () => void openPhones());
  byId("stop-phones").addEventListener("click", () => void changePhones("stop"));
  setInterval(drawPhones, MINUTES_MS);
  onRender(drawPictures);
}

function drawPictures() {
  byId("add-files").hidden = !state.run?.inbox;
  byId("phones").hidden = !state.run?.listen;
}

/** Sends files, and tells those that are refused by name. @param {Iterable<File>} files */
async function takeFiles(files) {
  if (!sending) {
    counts = { taken: 0, all: 0 };
    byId("refused").replaceChildren();
  }
  queue.push(...files);
  counts.all += [...files].length;
  if (sending) return;
  sending = true;
  for (let file = queue.shift(); file; file = queue.shift()) {
    const position = counts.all - queue.length;
    setText("taking", fillText("sending", position, counts.all, file.name), true);
    const refusal = await sendFile(file);
    if (refusal) byId("refused").append(html("li", {}, html("b", {}, file.name), ` ${refusal}`));
    else counts.taken += 1;
  }
  sending = false;
  const refused = counts.all - counts.taken;
  const text = fillText(refused ? "takenIn" : "allTakenIn", counts.taken, refused);
  setText("taking", text, true);
  say(text);
  await refreshRun();
}

/** Sends a file. Gives why it is refused, or "". @param {File} file */
async function sendFile(file) {
  if (file.size > MAX_BYTES) return fillText("tooLarge");
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return fillText("unreadable");
  try {
    await post(`/api/pictures?name=${encodeURIComponent(file.name)}`, new Blob([bytes]));
    return "";
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.message || fillText("offline");
  }
}

/** Shows the code, and lets phones send from now on. */
async function openPhones() {
  byId("phone-dialog").showModal();
  if (!session) await changePhones("start");
}

/** @param {string|number} what start, stop or the number of a phone @param {boolean} [admit] */
async function changePhones(what, admit) {
  try {
    session = await post(`/api/phones/${what}`, { admit });
    drawPhones();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    setText("phone-state", error.message || fillText("offline"));
  }
}

/** Asks for the session of phones again, after a start of the page and after an event. */
export async function refreshPhones() {
  if (!state.run?.listen) return;
  const known = session;
  session = await get("/api/phones");
  if (known && !session) {
    byId("phone-dialog").close();
    sayText("phonesEnded");
  }
  const waiting = countWaiting(session);
  setText("phones-asking", waiting ? fillText("phonesAsk", waiting) : "", true);
  if (waiting > countWaiting(known)) sayText("phonesAsk", waiting);
  drawPhones();
}

/** @param {PhoneSession|null} of */
const countWaiting = (of) => of?.phones.filter(({ state: now }) => now === "waiting").length ?? 0;

function drawPhones() {
  setPressed("phones", session !== null);
  byId("phone-session").hidden = !session;
  if (!session) return;
  const { qr, url, ends, phones, pictures } = session;
  const minutes = Math.max(0, Math.round((1000 * ends - Date.now()) / 60_000));
  setText("phone-state", fillText("phoneState", minutes, pictures));
  const mark = JSON.stringify([url, phones]);
  if (mark === drawn) return;
  drawn = mark;
  setText("phone-url", url);
  const [first, size] = [-QUIET_ZONE, qr.size + 2 * QUIET_ZONE];
  setAttributes(byId("qr"), { viewBox: `${first} ${first} ${size} ${size}` });
  byId("qr").replaceChildren(svg("path", { d: qr.path }));
  byId("phone-list").replaceChildren(...phones.map(makePhone));
}

/** @param {PhoneSession["phones"][number]} phone */
function makePhone({ id, address, state: now }) {
  const button = (/** @type {boolean} */ admit) => {
    const made = html("button", {}, fillText(admit ? "letIn" : "turnAway"));
    made.addEventListener("click", () => void changePhones(id, admit));
    return made;
  };
  /** @type {Record<string, TextName>} */
  const texts = { waiting: "phoneAsks", admitted: "phoneSends", "turned-away": "phoneRefused" };
  const item = html("li", {}, html("span", { class: "grow" }, fillText(texts[now], address)));
  if (now !== "admitted") item.append(button(true));
  if (now !== "turned-away") item.append(button(false));
  return item;
}
