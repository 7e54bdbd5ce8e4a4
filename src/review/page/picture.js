// @ts-check
/** A picture of a sheet with its cells drawn over it: follows the current cell, zooms, is dragged. */

import { picture as fetchPicture } from "./api.js";
import { goToCell } from "./actions.js";
import { byId, focusMoveField, html, setAttributes, setText, svg } from "./dom.js";
import { breakPlace, cellAt, isDoubt, plyAt, state } from "./state.js";
import { texts } from "./texts.js";
import { render, say } from "./view.js";

const ZOOM_STEP = 1.25;
const MAX_ZOOM = 4;
/** Longest side of the fetched picture in pixels; a larger one is fetched for a large zoom. */
const PICTURE_PX = 1600;
const LARGE_PICTURE_PX = 3200;
/** The width of the used blocks is this part of the picture's window, while it follows. */
const FOLLOW_MARGIN = 1.06;
/** Pixels that a pointer moves at least in a drag. */
const MIN_DRAG_PX = 4;

/** Two pictures at most: the large one, and the other copy beside it. @type {SheetPicture[]} */
const shown = [];

class SheetPicture {
  /** @param {HTMLElement} holder */
  constructor(holder) {
    this.scroll = holder;
    this.image = html("img", { alt: "", draggable: "false" });
    this.cells = svg("svg", { class: "cells", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.page = html("div", { class: "page" }, this.image, this.cells);
    this.scroll.replaceChildren(this.page);
    this.sheetId = "";
    this.size = 0;
    this.scale = 1;
    this.fitted = "";
    this.lastPlace = "";
    /** @type {Map<string, SVGPolygonElement>} */
    this.polygons = new Map();
    this.cells.addEventListener("click", (event) => {
      const place = /** @type {Element} */ (event.target).getAttribute("data-place");
      if (place) goToCell(place);
      focusMoveField();
    });
    this.scroll.addEventListener("pointerdown", (event) => this.drag(event));
    this.scroll.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
      },
      { passive: false },
    );
  }

  /** @param {number} index of the sheet in the game */
  draw(index) {
    const sheet = state.game?.sheets[index];
    this.page.hidden = !sheet;
    if (!sheet) return;
    if (sheet.id !== this.sheetId) this.show(sheet);
    this.drawCells(sheet);
    this.place(sheet);
    const size = this.scale * Math.max(sheet.width, sheet.height) * devicePixelRatio;
    this.fetch(sheet, size > 1.3 * PICTURE_PX ? LARGE_PICTURE_PX : PICTURE_PX);
  }

  /** Another sheet. @param {import("./contract").Sheet} sheet */
  show(sheet) {
    this.sheetId = sheet.id;
    this.size = 0;
    this.fitted = "";
    this.lastPlace = "";
    this.image.removeAttribute("src");
    this.image.alt = texts.photograph(sheet.name);
    this.cells.setAttribute("viewBox", `0 0 ${sheet.width} ${sheet.height}`);
    this.polygons.clear();
    this.cells.replaceChildren();
    for (const cell of sheet.cells) {
      const polygon = svg("polygon", { points: cell.box.join(" "), "data-place": cell.place });
      this.polygons.set(cell.place, polygon);
      this.cells.append(polygon);
    }
  }

  /** @param {import("./contract").Sheet} sheet @param {number} size */
  fetch(sheet, size) {
    if (size <= this.size) return;
    this.size = size;
    void fetchPicture(`/api/sheets/${sheet.id}/page.jpg?w=${size}`).then((url) => {
      if (url && this.sheetId === sheet.id) this.image.src = url;
    });
  }

  /** Doubtful, unread, settled and current cells. @param {import("./contract").Sheet} sheet */
  drawCells(sheet) {
    const game = /** @type {import("./contract").Game} */ (state.game);
    const kinds = new Map(game.unread.map((cell) => [cell.place, "unread"]));
    for (const cell of sheet.cells) if (cell.use === "unread") kinds.set(cell.place, "unread");
    for (const ply of game.plies) {
      const kind = ply.settled ? "settled" : isDoubt(ply) ? "doubt" : "";
      kinds.set(ply.place, kind);
      for (const cell of ply.cells) kinds.set(cell.place, kind);
    }
    const cut = breakPlace(game);
    if (cut) kinds.set(cut, "unread");
    const ply = game.plies[plyAt(game, state.place)];
    const current = new Set([state.place, ...(ply?.cells.map((cell) => cell.place) ?? [])]);
    for (const [place, polygon] of this.polygons) {
      const kind = (kinds.get(place) ?? "") + (current.has(place) ? " current" : "");
      if (polygon.getAttribute("class") !== kind) {
        setAttributes(polygon, { class: kind || null });
        if (current.has(place)) this.cells.append(polygon);
      }
    }
  }

  /** Sets the scale, and scrolls where the current cell has left the middle half. */
  place(/** @type {import("./contract").Sheet} */ sheet) {
    const { clientWidth: width, clientHeight: height } = this.scroll;
    if (!width || !height) return;
    const mark = [this.sheetId, width, height, state.zoom].join();
    const used = usedColumns(sheet);
    if (mark !== this.fitted) {
      const middle = this.fitted.startsWith(this.sheetId) ? this.middle() : null;
      this.fitted = mark;
      const fit = Math.min(width / sheet.width, height / sheet.height);
      this.scale = state.zoom === "fit" ? fit
        : state.zoom === "follow"
          ? Math.max(fit, Math.min(1.5, width / ((used.right - used.left) * FOLLOW_MARGIN)))
          : Math.max(fit / 2, Math.min(MAX_ZOOM, state.zoom));
      this.page.style.width = `${Math.floor(sheet.width * this.scale)}px`;
      this.page.style.height = `${Math.floor(sheet.height * this.scale)}px`;
      if (state.zoom === "follow") {
        this.scroll.scrollLeft = ((used.left + used.right) / 2) * this.scale - width / 2;
      } else if (middle) {
        this.scroll.scrollLeft = middle[0] * this.scale - width / 2;
        this.scroll.scrollTop = middle[1] * this.scale - height / 2;
      }
      if (state.zoom === "follow") this.lastPlace = "";
    }
    if (this.lastPlace === state.place || state.zoom === "fit") return;
    this.lastPlace = state.place;
    this.follow(sheet);
  }

  /** The middle of what is seen, in pixels of the sheet. @returns {[number, number]} */
  middle() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroll;
    return [
      (scrollLeft + clientWidth / 2) / this.scale,
      (scrollTop + clientHeight / 2) / this.scale,
    ];
  }

  /** @param {import("./contract").Sheet} sheet */
  follow(sheet) {
    const game = /** @type {import("./contract").Game} */ (state.game);
    const ply = game.plies[plyAt(game, state.place)];
    const places = [state.place, ...(ply?.cells.map((cell) => cell.place) ?? [])];
    const cell = sheet.cells.find((other) => places.includes(other.place));
    if (!cell) return;
    const xs = cell.box.map((point) => point[0] * this.scale);
    const ys = cell.box.map((point) => point[1] * this.scale);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroll;
    const top = Math.min(...ys) - scrollTop;
    const bottom = Math.max(...ys) - scrollTop;
    if (top < clientHeight / 4 || bottom > (clientHeight * 3) / 4) {
      this.scroll.scrollTop += (top + bottom) / 2 - clientHeight / 2;
    }
    const left = Math.min(...xs) - scrollLeft;
    const right = Math.max(...xs) - scrollLeft;
    if (left < 0 || right > clientWidth) {
      this.scroll.scrollLeft += (left + right) / 2 - clientWidth / 2;
    }
  }

  /** Drags the picture with a mouse; fingers scroll it as they do any page. */
  drag(/** @type {PointerEvent} */ down) {
    if (down.pointerType !== "mouse" || down.button !== 0) return;
    const { scrollLeft, scrollTop } = this.scroll;
    let dragged = false;
    const move = (/** @type {PointerEvent} */ event) => {
      const dx = event.clientX - down.clientX;
      const dy = event.clientY - down.clientY;
      if (!dragged && Math.hypot(dx, dy) < MIN_DRAG_PX) return;
      dragged = true;
      this.scroll.scrollLeft = scrollLeft - dx;
      this.scroll.scrollTop = scrollTop - dy;
    };
    const stop = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", stop);
      if (!dragged) return;
      const swallow = (/** @type {Event} */ click) => click.stopPropagation();
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
  }
}

/** The columns from the first to the last written cell. @param {import("./contract").Sheet} sheet */
function usedColumns(sheet) {
  const written = sheet.cells.filter((cell) => cell.state !== "blank");
  const xs = (written.length ? written : sheet.cells).flatMap((c) => c.box.map((p) => p[0]));
  return xs.length
    ? { left: Math.min(...xs), right: Math.max(...xs) }
    : { left: 0, right: sheet.width };
}

export function buildPicture() {
  shown.push(new SheetPicture(byId("scroll")), new SheetPicture(byId("scroll-beside")));
  const act = (/** @type {() => void} */ change) => () => {
    change();
    focusMoveField();
  };
  byId("zoom-in").addEventListener("click", act(() => zoom(ZOOM_STEP)));
  byId("zoom-out").addEventListener("click", act(() => zoom(1 / ZOOM_STEP)));
  byId("follow").addEventListener("click", act(toggleFollow));
  byId("other-copy").addEventListener("click", act(swapCopy));
  byId("side-by-side").addEventListener("click", act(() => {
    state.sideBySide = !state.sideBySide;
    render();
  }));
  new ResizeObserver(() => drawPicture()).observe(byId("scroll"));
}

export function drawPicture() {
  const { game } = state;
  const sheet = game?.sheets[state.sheet];
  const copies = game?.sheets.length ?? 0;
  setText(byId("sheet-name"), sheet?.name ?? "");
  const page = sheet && sheet.page > 1 ? `${sheet.page} · ` : "";
  setText(byId("sheet-language"), sheet ? page + texts.language(sheet.language) : "");
  byId("other-copy").hidden = copies < 2;
  byId("side-by-side").hidden = copies < 2;
  const both = state.sideBySide && copies > 1;
  byId("side-by-side").setAttribute("aria-pressed", String(both));
  byId("follow").setAttribute("aria-pressed", String(state.zoom === "follow"));
  byId("scroll-beside").hidden = !both;
  shown[0].draw(state.sheet);
  if (both) shown[1].draw((state.sheet + 1) % copies);
}

/** @param {number} factor */
export function zoom(factor) {
  state.zoom = shown[0].scale * factor;
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
  else say(texts.noOtherCopy);
  render();
}

export { ZOOM_STEP };
