/** The dialogs: keys and settings, what was exported, and an answer given twice. */

import { needsAlt, setNeedsAlt } from "./keys.js";
import { fillText, HINTS, KEYS } from "./texts.js";
import { byId, focusMoveField, html, onClick, setText } from "./view.js";

const THEME_KEY = "sheetscan-theme";

/** @param {string} keys as `n p` */
const makeKeyCaps = (keys) => keys.split(" ").map((key) => html("kbd", {}, key));

export function buildDialogs() {
  for (const [keys, text] of KEYS) {
    byId("key-list").append(html("dt", {}, ...makeKeyCaps(keys)), html("dd", {}, text));
  }
  for (const [keys, text] of HINTS) byId("hints").append(...makeKeyCaps(keys), ` ${text} `);
  const choice = byId("theme-choice");
  choice.append(
    html("option", { value: "auto" }, fillText("themeAuto")),
    html("option", { value: "light" }, fillText("themeLight")),
    html("option", { value: "dark" }, fillText("themeDark")),
  );
  choice.addEventListener("change", () => setTheme(choice.value));
  setTheme(localStorage.getItem(THEME_KEY) ?? "auto");
  onClick("theme", () => {
    const { theme } = document.documentElement.dataset;
    const { matches } = matchMedia("(prefers-color-scheme: dark)");
    setTheme(theme === "dark" || (theme === "auto" && matches) ? "light" : "dark");
  });
  byId("alt-letters").checked = needsAlt();
  byId("alt-letters").addEventListener("change", () => setNeedsAlt(byId("alt-letters").checked));
  byId("help").addEventListener("click", () => byId("help-dialog").showModal());
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("close", focusMoveField);
    for (const button of dialog.querySelectorAll("button")) {
      button.addEventListener("click", () => dialog.close(button.value));
    }
  }
}

/** @param {string} theme auto, light or dark */
function setTheme(theme) {
  localStorage.setItem(THEME_KEY, theme);
  byId("theme-choice").value = theme;
  document.documentElement.dataset.theme = theme;
}

/** @param {string} counts @param {ExportReply["files"]} files */
export function showExport(counts, files) {
  setText("export-counts", counts);
  byId("export-files").replaceChildren(
    ...files.map(({ path, what }) => html("li", {}, html("b", {}, path), ` ${what}`)));
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
  setText("conflict-text", fillText("conflictText", mine, theirs));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "mine"), { once: true });
  });
}
