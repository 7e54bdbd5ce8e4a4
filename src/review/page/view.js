/** Elements of the page, its redrawing, and notices. Text enters as text nodes alone. */

import { fillText } from "./texts.js";

/** @typedef {Record<string, string|number|boolean|null|undefined>} Attributes */

/** The element with an id, which index.html has. @param {string} id */
export const byId = (id) => /** @type {Part} */ (document.getElementById(id));

/**
 * True sets an empty attribute, false and null remove one.
 * @param {Element} e
 * @param {Attributes} a
 */
export function setAttributes(e, a) {
  for (const [name, value] of Object.entries(a)) {
    const text = value === true ? "" : String(value);
    if (value === false || value === null || value === undefined) e.removeAttribute(name);
    else if (e.getAttribute(name) !== text) e.setAttribute(name, text);
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node|string)} children
 */
export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node|string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * Sets a text, where it is another one, so that nothing is drawn or spoken in vain; an element
 * without text is hidden if it is `hideable`.
 * @param {string} id
 * @param {string} text
 */
export function setText(id, text, hideable = false) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
  if (hideable) element.hidden = !text;
}

/** Whether a switch is on. @param {string} id @param {boolean} on */
export const setPressed = (id, on) => setAttributes(byId(id), { "aria-pressed": String(on) });

/**
 * A click acts, and the focus goes back to the field.
 * @param {string} id
 * @param {() => void} act
 */
export function onClick(id, act) {
  byId(id).addEventListener("click", () => {
    act();
    focusMoveField();
  });
}

/** The nearest element around an event's target. @param {Event} event @param {string} selector */
export const closest = (event, selector) =>
  /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest(selector));

/** Whether the page shows one view at a time, as on a phone. */
export const isNarrow = () => matchMedia("(max-width: 880px)").matches;

/** Focuses the field for moves, except where that would open a phone's keyboard. */
export function focusMoveField() {
  if (!isNarrow() && !matchMedia("(pointer: coarse)").matches) {
    byId("move").focus({ preventScroll: true });
  }
}

/** @type {(() => void)[]} */
const parts = [];

/** Each part redraws what has changed in the state. @param {...(() => void)} draw */
export const onRender = (...draw) => void parts.push(...draw);

export function render() {
  for (const draw of parts) draw();
}

/** Puts a notice into the status line, which is spoken. @param {...string} notices */
export const say = (...notices) => setText("live", notices.filter(Boolean).join(" · "));

/** Puts a text of texts.js there. @param {TextName} name @param {...(string|number)} values */
export const sayText = (name, ...values) => say(fillText(name, ...values));

/** Shows a view where the page is narrow. @param {string} name answer, sheet, moves or games */
export function showView(name) {
  document.body.dataset.view = name;
  for (const button of document.querySelectorAll("#views button")) {
    const shown = button.id === `view-${name}`;
    setAttributes(button, { "aria-current": shown ? "true" : null });
  }
}
