// @ts-check
/** The bar above and the status line below: the run's progress, the game's state, unsent answers. */

import { byId, html, setAttributes, setText } from "./dom.js";
import { exportRun, undoOrRedo } from "./run-actions.js";
import { breakPlace, doubtPlaces, state } from "./state.js";
import { cutName } from "./moves.js";
import { focusMoveField } from "./dom.js";
import { hintTexts, texts } from "./texts.js";
import { render, showView } from "./view.js";

export function buildBar() {
  byId("undo").addEventListener("click", () => {
    void undoOrRedo("undo");
    focusMoveField();
  });
  byId("redo").addEventListener("click", () => {
    void undoOrRedo("redo");
    focusMoveField();
  });
  for (const id of ["export", "export-here"]) {
    byId(id).addEventListener("click", () => void exportRun());
  }
  for (const button of document.querySelectorAll("#views button")) {
    button.addEventListener("click", () => {
      showView(button.getAttribute("data-view") ?? "answer");
      render();
    });
  }
  for (const [keys, text] of hintTexts) {
    byId("hints").append(...keys.split(" ").map((key) => html("kbd", {}, key)), ` ${text} `);
  }
}

export function drawBar() {
  const { run, game, unsent, reachable } = state;
  if (run) {
    setText(byId("run-name"), run.name);
    const unread = state.rows.filter((row) => row.state === "unread").length;
    const reading = run.phase === "ready" ? "" : ` · ${texts.reading(run)}`;
    setText(byId("counts"), texts.counts(run, unread) + reading);
    const total = Math.max(1, run.games.total);
    setAttributes(byId("progress"), {
      "aria-valuemax": total, "aria-valuenow": run.settled,
      "aria-valuetext": texts.counts(run, unread) + reading,
    });
    byId("progress-settled").style.width = `${(100 * run.settled) / total}%`;
    const files = Math.max(1, run.files.total);
    byId("progress-read").style.width = `${(100 * run.files.done) / files}%`;
    byId("undo").disabled = !run.can_undo && !unsent;
    byId("redo").disabled = !run.can_redo;
    const { exported } = run;
    const time = exported && new Date(1000 * exported.at).toLocaleTimeString([], {
      hour: "2-digit", minute: "2-digit",
    });
    setText(byId("exported"), exported
      ? texts.exportedAt(time ?? "", exported.changes_since) : "");
  }
  const [kind, text] = gameState();
  byId("game-state").className = `chip ${kind}`;
  setText(byId("game-state"), text);
  byId("game-state").hidden = !text || !game;
  const waits = unsent && !reachable ? texts.notSaved(unsent) : "";
  setText(byId("unsaved"), waits || (reachable ? "" : texts.offline));
  byId("unsaved").hidden = reachable;
}

/** @returns {[string, string]} class and words */
function gameState() {
  const { game } = state;
  if (!game) return ["", ""];
  const doubts = doubtPlaces(game).length;
  if (breakPlace(game)) return ["bad", texts.gameCut(cutName(), doubts)];
  if (doubts) return ["doubtful", texts.gameDoubtful(doubts)];
  return ["ok", game.settled ? texts.gameSettled : texts.gameReady];
}
