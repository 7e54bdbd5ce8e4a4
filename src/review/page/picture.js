/** A picture of a sheet with its cells over it: follows the current cell, zooms, is dragged. */

import { goToCell } from "./actions.js";
import { fetchPicture } from "./api.js";
import { cutPlace, isDoubt, plyOf, sheetName, state } from "./state.js";
import { fillText, languageName } from "./texts.js";
import {
  byId, closest, focusMoveField, html, onClick, render, sayText, setAttributes, setPressed,
  setText, svg,
} from "./view.js";

export const ZOOM_STEP = 1.25;
const MIN_ZOOM = 0.1;
const MAX_ZOOM = 4;
/** Largest zoom while the picture follows the current cell. */
const MAX_FOLLOW_ZOOM = 1.5;
/** While the picture follows, its window is this much wider than the columns in use. */
const FOLLOW_MARGIN = 1.25;
/** Longest sides of fetched pictures in pixels; the large one is fetched for a large zoom. */
const PICTURE_PX = 1600;
const LARGE_PICTURE_PX = 3200;
/** Pixels that a pointer moves at least in a drag. */
const MIN_DRAG_PX = 4;

class SheetPicture {
  /** @param {string} id */
  constructor(id) {
    this.scroll = byId(id);
    this.image = html("img", { draggable: "false" });
    this.cells = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
    this.page = html("div", { class: "page" }, this.image, this.cells);
    this.scroll.append(this.page);
    this.sheetId = "";
    /** Longest side of the fetched picture, the scale, and what they were made for. */
    this.fetched = 0;
    this.scale = 1;
    this.fitted = "";
    this.lastPlace = "";
    /** @type {[string, SVGPolygonElement][]} */
    this.polygons = [];
    this.cells.addEventListener("click", (event) => {
      const place = closest(event, "polygon")?.dataset.place;
      if (place) goToCell(place);
      focusMoveField();
    });
    this.scroll.addEventListener("pointerdown", (event) => this.drag(event));
    this.scroll.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
    }, { passive: false });
  }

  /** @param {Game|null} game @param {number} index of the sheet in the game */
  draw(game, index) {
    const sheet = game?.sheets[index];
    this.page.hidden = !sheet;
    if (!sheet) return;
    if (sheet.id !== this.sheetId) this.show(sheet);
    const ply = plyOf(game, state.place);
    const current = new Set([state.place, ...(ply?.cells.map((cell) => cell.place) ?? [])]);
    this.drawCells(game, sheet, current);
    this.fit(sheet);
    if (this.lastPlace !== state.place && state.zoom !== "fit") this.follow(sheet, current);
    const size = this.scale * Math.max(sheet.width, sheet.height) * devicePixelRatio;
    this.fetch(sheet.id, size > 1.3 * PICTURE_PX ? LARGE_PICTURE_PX : PICTURE_PX);
  }

  /** Another sheet. @param {Sheet} sheet */
  show({ id, name, width, height, cells }) {
    Object.assign(this, { sheetId: id, fetched: 0, fitted: "", lastPlace: "" });
    this.image.removeAttribute("src");
    this.image.alt = fillText("photograph", name);
    this.cells.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.polygons = cells.map(({ place, box }) =>
      [place, svg("polygon", { points: box.join(" "), "data-place": place })]);
    this.cells.replaceChildren(...this.polygons.map(([, polygon]) => polygon));
  }

  /** @param {string} id @param {number} size */
  fetch(id, size) {
    if (size <= this.fetched) return;
    this.fetched = size;
    void fetchPicture(`/api/sheets/${id}/page.jpg?w=${size}`).then((url) => {
      if (url && this.sheetId === id) this.image.src = url;
    });
  }

  /** Marks cells. @param {Game} game @param {Sheet} sheet @param {Set<string>} current */
  drawCells(game, sheet, current) {
    const unread = game.unread.filter((cell) => cell.reason !== "after-the-end");
    const kinds = new Map(unread.map((cell) => [cell.place, "unread"]));
    kinds.set(cutPlace(game), "unread");
    for (const ply of game.plies) {
      const kind = ply.settled ? "settled" : isDoubt(ply) ? "doubt" : "";
      for (const { place } of [ply, ...ply.cells]) kinds.set(place, kind);
    }
    for (const [place, polygon] of this.polygons) {
      const kind = `${kinds.get(place) ?? ""}${current.has(place) ? " current" : ""}`;
      if (polygon.getAttribute("class") === kind) continue;
      polygon.setAttribute("class", kind);
      if (current.has(place)) this.cells.append(polygon);
    }
  }

  /** Sets the scale, where the window, the sheet or the zoom has changed. @param {Sheet} sheet */
  fit(sheet) {
    const { clientWidth: width, clientHeight: height } = this.scroll;
    const mark = [this.sheetId, width, height, state.zoom].join();
    if (mark === this.fitted || !width || !height) return;
    const again = this.fitted.startsWith(this.sheetId);
    this.fitted = mark;
    const { scrollLeft, scrollTop } = this.scroll;
    const [x, y] = [(scrollLeft + width / 2) / this.scale, (scrollTop + height / 2) / this.scale];
    const whole = Math.min(width / sheet.width, height / sheet.height);
    const used = sheet.cells.filter((cell) => cell.state !== "blank");
    const [left, right] = range(used.length ? used : sheet.cells, 0, sheet.width);
    const following = width / ((right - left) * FOLLOW_MARGIN);
    this.scale = state.zoom === "fit" ? whole
      : state.zoom === "follow" ? Math.max(whole, Math.min(MAX_FOLLOW_ZOOM, following))
      : Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, state.zoom));
    this.page.style.width = `${Math.floor(sheet.width * this.scale)}px`;
    this.page.style.height = `${Math.floor(sheet.height * this.scale)}px`;
    const middle = state.zoom === "follow" ? (left + right) / 2 : x;
    this.scroll.scrollLeft = middle * this.scale - width / 2;
    if (again) this.scroll.scrollTop = y * this.scale - height / 2;
    this.lastPlace = "";
  }

  /**
   * Scrolls where the current cell has left the middle half.
   * @param {Sheet} sheet
   * @param {Set<string>} current
   */
  follow(sheet, current) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroll;
    if (!clientHeight) return;
    this.lastPlace = state.place;
    const cells = sheet.cells.filter((cell) => current.has(cell.place));
    if (!cells.length) return;
    const [top, bottom] = range(cells, 1).map((y) => y * this.scale - scrollTop);
    if (top < clientHeight / 4 || bottom > (clientHeight * 3) / 4) {
      this.scroll.scrollTop += (top + bottom - clientHeight) / 2;
    }
    const [left, right] = range(cells, 0).map((x) => x * this.scale - scrollLeft);
    if (left < 0 || right > clientWidth) {
      this.scroll.scrollLeft += (left + right - clientWidth) / 2;
    }
  }

  /** Drags the picture with a mouse; fingers scroll it as any page. @param {PointerEvent} down */
  drag(down) {
    if (down.pointerType !== "mouse" || down.button) return;
    const { scrollLeft, scrollTop } = this.scroll;
    let dragged = false;
    const move = (/** @type {PointerEvent} */ event) => {
      const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
      dragged ||= Math.hypot(dx, dy) > MIN_DRAG_PX;
      if (dragged) this.scroll.scrollTo(scrollLeft - dx, scrollTop - dy);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", () => {
      removeEventListener("pointermove", move);
      if (!dragged) return;
      focusMoveField();
      const swallow = (/** @type {Event} */ click) => click.stopPropagation();
      addEventListener("click", swallow, true);
      setTimeout(() => removeEventListener("click", swallow, true));
    }, { once: true });
  }
}

/** Smallest and largest x (0) or y (1) of cells. @param {Cell[]} cells @param {0|1} axis */
function range(cells, axis, otherwise = 1) {
  const values = cells.flatMap((cell) => cell.box.map((point) => point[axis]));
  return values.length ? [Math.min(...values), Math.max(...values)] : [0, otherwise];
}

/** The large picture, and the other copy beside it. @type {SheetPicture[]} */
const pictures = [];

export function buildPicture() {
  pictures.push(new SheetPicture("scroll"), new SheetPicture("scroll-beside"));
  onClick("zoom-in", () => zoom(ZOOM_STEP));
  onClick("zoom-out", () => zoom(1 / ZOOM_STEP));
  onClick("follow", toggleFollow);
  onClick("other-copy", swapCopy);
  onClick("side-by-side", () => {
    state.sideBySide = !state.sideBySide;
    drawPicture();
  });
  new ResizeObserver(drawPicture).observe(byId("scroll"));
}

export function drawPicture() {
  const { game, sheet: index } = state;
  const sheet = game?.sheets[index];
  const copies = game?.sheets.length ?? 0;
  const both = state.sideBySide && copies > 1;
  setText("sheet-name", sheetName(sheet?.name));
  const page = sheet && sheet.page > 1 ? `${fillText("page", sheet.page)} · ` : "";
  setText("sheet-language", sheet ? page + languageName(sheet.language) : "");
  for (const id of ["other-copy", "side-by-side"]) byId(id).hidden = copies < 2;
  setPressed("side-by-side", both);
  setPressed("follow", state.zoom === "follow");
  byId("scroll-beside").hidden = !both;
  pictures[0].draw(game, index);
  if (both) pictures[1].draw(game, (index + 1) % copies);
}

/** Scrolls to the top, where names stand. */
export function showHeader() {
  for (const { scroll } of pictures) scroll.scrollTop = 0;
}

/** @param {number} factor */
export function zoom(factor) {
  state.zoom = pictures[0].scale * factor;
  drawPicture();
}

/** Follows the current cell, or shows the whole sheet. */
export function toggleFollow() {
  state.zoom = state.zoom === "follow" ? "fit" : "follow";
  drawPicture();
}

/** The large picture shows the next sheet of the game. */
export function swapCopy() {
  const copies = state.game?.sheets.length ?? 0;
  if (copies > 1) state.sheet = (state.sheet + 1) % copies;
  else sayText("noOtherCopy");
  render();
}
