// @ts-check
/** Elements of the page. Text gets into it through `textContent` and `append` alone. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * The element with an id, which index.html has.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, unknown>} attributes true sets an empty one, false and null remove it
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node|string)} children
 * @returns {HTMLElementTagNameMap[K]}
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
 * @param {Record<string, unknown>} [attributes]
 * @param {...Node} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * Sets a text only where it is another one, so that nothing is drawn or read out in vain.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Whether the page shows one view at a time, as on a phone. */
export const isNarrow = () => matchMedia("(max-width: 760px)").matches;

/** Puts the focus into the field for moves, except where that would open a phone's keyboard. */
export function focusMoveField() {
  if (matchMedia("(pointer: coarse)").matches || isNarrow()) return;
  byId("move").focus({ preventScroll: true });
}
