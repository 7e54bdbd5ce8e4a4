/** What the checks found: for the whole run, by code, and beside the game that it is about. */

import { goTo } from "./actions.js";
import { goSeat, showGame } from "./boards.js";
import { event } from "./event.js";
import { cutPlace, state } from "./state.js";
import { fillText } from "./texts.js";
import { byId, closest, html, render } from "./view.js";

let drawn = "";

export function buildChecks() {
  byId("check-code").addEventListener("change", render);
  for (const id of ["checks", "game-checks"]) {
    byId(id).addEventListener("click", (click) => {
      const at = closest(click, "button")?.dataset.check;
      if (at) void goCheck(event.checks[Number(at)]);
    });
  }
}

/** To the place of a finding; from its game to the other one. @param {Check} check */
async function goCheck(check) {
  const { game, other, ply, sheet } = check;
  const id = other && state.gameId === game ? other : game;
  if (!id) {
    goSeat(check);
    return;
  }
  await showGame(id);
  if (id !== game || !state.game) return;
  const place = state.game.plies[(ply ?? 0) - 1]?.place ?? cutPlace(state.game);
  if (ply) goTo(place);
  if (sheet !== null) state.sheet = sheet;
  render();
}

/** @param {Check} check @param {boolean} placed */
const makeCheck = (check, placed) => html("li", {}, html("button", {
  "data-check": event.checks.indexOf(check),
}, html("span", { class: `chip ${{ E: "bad", W: "doubtful", I: "" }[check.level]}` }, check.code),
` ${placed ? `${check.place}: ` : ""}${check.text}`));

export function drawChecks() {
  const { checks } = event;
  const filter = byId("check-code");
  const shown = state.tab === "boards";
  const mark = JSON.stringify([checks, filter.value, state.gameId, shown]);
  if (mark === drawn) return;
  drawn = mark;
  const own = checks.filter((check) => [check.game, check.other].includes(state.gameId));
  byId("game-checks").replaceChildren(...own.map((check) => makeCheck(check, false)));
  if (!shown) return;
  const codes = [...new Set(checks.map((check) => check.code))].sort();
  const kept = codes.includes(filter.value) ? filter.value : "";
  filter.replaceChildren(html("option", { value: "" }, fillText("all")),
    ...codes.map((code) => html("option", {}, code)));
  filter.value = kept;
  const listed = checks.filter((check) => !kept || check.code === kept);
  byId("checks").replaceChildren(...listed.map((check) => makeCheck(check, true)));
}
