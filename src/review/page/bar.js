/** The bar above and the line below: the run's progress, the game's state, unsent answers. */

import { cutName } from "./actions.js";
import { exportRun, undoOrRedo } from "./run.js";
import { cutPlace, doubtPlaces, state } from "./state.js";
import { fillText } from "./texts.js";
import { byId, onClick, render, setAttributes, setText, showView } from "./view.js";

export function buildBar() {
  onClick("undo", () => void undoOrRedo("undo"));
  onClick("redo", () => void undoOrRedo("redo"));
  for (const id of ["export", "export-here"]) onClick(id, () => void exportRun());
  for (const view of ["answer", "sheet", "moves", "games"]) {
    onClick(`view-${view}`, () => {
      showView(view);
      render();
    });
  }
}

export function drawBar() {
  const { run, game, unsent, reachable } = state;
  if (run) drawRun(run);
  const [kind, ...parts] = game ? describeGame(game) : [""];
  setAttributes(byId("game-state"), { class: `chip ${kind}` });
  setText("game-state", parts.filter(Boolean).join(" · "), true);
  const waiting = unsent ? fillText("notSaved", unsent) : fillText("offline");
  setText("unsaved", reachable ? "" : waiting, true);
}

/** @param {Run} run */
function drawRun(run) {
  const { settled, games, open, files, exported } = run;
  const unread = state.rows.filter((row) => row.state === "unread").length;
  const reading = files.done < files.total ? "reading" : "decoding";
  const counts = [
    fillText("counts", settled, games.total, open),
    unread ? fillText("unread", unread) : "",
    run.phase === "ready" ? "" : fillText(reading, files.done, files.total),
  ].filter(Boolean).join(" · ");
  setText("run-name", run.name);
  setText("counts", counts);
  const total = Math.max(1, games.total);
  setAttributes(byId("progress"), {
    "aria-valuemax": total, "aria-valuenow": settled, "aria-valuetext": counts,
  });
  byId("progress-settled").style.width = `${(100 * settled) / total}%`;
  byId("progress-read").style.width = `${(100 * files.done) / Math.max(1, files.total)}%`;
  byId("undo").disabled = !run.can_undo && !state.unsent;
  byId("redo").disabled = !run.can_redo;
  const time = new Date(1000 * (exported?.at ?? 0)).toTimeString().slice(0, 5);
  const changes = exported?.changes_since;
  const since = changes ? `, ${fillText("changesSince", changes)}` : "";
  setText("exported", exported ? fillText("exportedAt", time) + since : "");
}

/** Class and words. @param {Game} game */
function describeGame(game) {
  const doubts = doubtPlaces(game).length;
  const look = doubts ? fillText("gameDoubtful", doubts) : "";
  if (cutPlace(game)) return ["bad", fillText("gameCut", cutName(game)), look];
  if (doubts) return ["doubtful", look];
  if (!game.plies.length) return [""];
  return ["ok", fillText(game.settled ? "gameSettled" : "gameReady")];
}
