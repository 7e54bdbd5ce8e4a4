// @ts-check
/** The dialogs: keys and settings, what was exported, and an answer given twice. */

import { byId, focusMoveField, html, setText } from "./dom.js";
import { altLetters, setAltLetters } from "./keys.js";
import { keyTexts, texts } from "./texts.js";

const THEME_KEY = "sheetscan-theme";

/** @param {string} keys `n  p` or `Ctrl S` */
const keyCaps = (keys) => keys.split(/ +/).map((key) => html("kbd", {}, key));

export function buildDialogs() {
  for (const [keys, text] of keyTexts) {
    byId("key-list").append(html("dt", {}, ...keyCaps(keys)), html("dd", {}, text));
  }
  const theme = byId("theme-choice");
  for (const [value, text] of [
    ["auto", texts.themeAuto], ["light", texts.themeLight], ["dark", texts.themeDark],
  ]) {
    theme.append(html("option", { value }, text));
  }
  theme.addEventListener("change", () => setTheme(theme.value));
  setTheme(localStorage.getItem(THEME_KEY) ?? "auto");
  byId("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
    setTheme(now === "dark" ? "light" : "dark");
  });
  const switched = byId("alt-letters");
  switched.checked = altLetters();
  switched.addEventListener("change", () => setAltLetters(switched.checked));
  byId("help").addEventListener("click", showHelp);
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("close", focusMoveField);
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
  }
}

/** @param {string} theme auto, light or dark */
function setTheme(theme) {
  localStorage.setItem(THEME_KEY, theme);
  byId("theme-choice").value = theme;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function showHelp() {
  byId("help-dialog").showModal();
}

/** @param {import("./contract").ExportReply} reply */
export function showExport(reply) {
  setText(byId("export-counts"), texts.exportCounts(reply));
  byId("export-files").replaceChildren(
    ...reply.files.map(({ path, what }) =>
      html("li", {}, html("b", {}, path), html("span", { class: "mute" }, ` ${what}`))),
  );
  if (!byId("export-dialog").open) byId("export-dialog").showModal();
}

/**
 * Asks which of two answers counts; true if it is the one given here.
 * @param {string} mine
 * @param {string} theirs
 * @returns {Promise<boolean>}
 */
export function askConflict(mine, theirs) {
  const dialog = byId("conflict-dialog");
  setText(byId("conflict-text"), texts.conflictText(mine, theirs));
  dialog.returnValue = "";
  return new Promise((resolve) => {
    byId("keep-theirs").onclick = () => dialog.close("theirs");
    byId("use-mine").onclick = () => dialog.close("mine");
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "mine"), { once: true });
    dialog.showModal();
  });
}
