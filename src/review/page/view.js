// @ts-check
/** Drawing: every part of the page registers what redraws it, and notices go through `say`. */

import { byId, setText } from "./dom.js";

/** @type {(() => void)[]} */
const parts = [];

/** @param {() => void} draw redraws a part of the page where the state has changed */
export function onRender(draw) {
  parts.push(draw);
}

export function render() {
  for (const draw of parts) draw();
}

/** Puts a notice into the status line, which screen readers speak. @param {string} text */
export function say(text) {
  setText(byId("live"), text);
}

/** Shows one view where the page is narrow. @param {string} name answer, sheet, moves or games */
export function showView(name) {
  document.body.dataset.view = name;
  for (const button of document.querySelectorAll("#views button")) {
    const shown = button.getAttribute("data-view") === name;
    if (shown) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}
