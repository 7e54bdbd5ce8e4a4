/** The page by keyboard alone: every key of the design's table, and four sheets to the export. */

import { after, afterEach, before, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import {
  gameState, openPage, REAL_URL, startBrowser, startServer, waitForPlace, waitForStatus,
} from "./browser.js";

let browser;
let server;
let page;
async function press(...keys) {
  for (const key of keys) await page.keyboard.press(key);
}
const fake = { skip: REAL_URL ? "answers are those of the fake server" : false };

before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());
beforeEach(async () => {
  server = await startServer(4);
  page = await openPage(browser, server.url);
});
afterEach(async () => {
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await server.close();
});

/** Stops the page's clock, since keys may take longer than 700 milliseconds on a busy machine. */
async function stopClock() {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Settles game after game with Ctrl+Enter, which asks once more where there are doubts. */
test("from the address to the export of all sheets without a pointer", async () => {
  await page.evaluate(() => {
    window.pointers = 0;
    for (const kind of ["pointerdown", "mousedown", "click", "touchstart"]) {
      addEventListener(kind, (event) => (window.pointers += event.isTrusted ? 1 : 0), true);
    }
  });
  for (let sheet = 0; sheet < 200; sheet++) {
    const before = await page.textContent("#live");
    await press("Control+Enter");
    await page.waitForFunction(
      (text) => document.querySelector("#live").textContent !== text, before);
    await page.waitForTimeout(150);
    if (/settled.*\. Export/.test(await page.textContent("#live"))) break;
  }
  await press("Control+s");
  await page.waitForSelector("#export-dialog[open]");
  assert.match(await page.textContent("#export-counts"), /all are settled/);
  await press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "move");
  assert.equal(await page.evaluate(() => window.pointers), 0);
  if (server.server) {
    assert.equal(server.server.exports, 1);
    assert.equal(server.server.run().settled, 4);
  }
});

test("a sheet with three doubts and a cut is mended with its truth", fake, async () => {
  await waitForPlace(page, /^7… Be7/);
  await press("Enter");
  await waitForPlace(page, /^11\. Na4/);
  await page.waitForSelector('[data-san="Nb5"]');
  assert.equal(await page.textContent("#candidate-1 .spelling"), "Cb5");
  await press("2");
  await waitForStatus(page, /^11\. Nb5 held/);
  await waitForPlace(page, /^12… Bb4\+/);
  await press("Enter");
  await waitForPlace(page, /^22… \?/);
  assert.match(await page.textContent("#why"), /breaks off here/);
  await page.keyboard.type("Dh1");
  await page.waitForFunction(
    () => document.querySelector("#candidate-0")?.dataset.san === "Qh1+");
  await press("Enter");
  const status = await waitForStatus(page, /22… Qh1\+ held.*saved/);
  assert.match(status, / · 4 others changed .*read to its end · no doubts left: settle .* · saved$/);
  assert.equal(await gameState(page), "Ready to settle");
  assert.equal(await page.locator("td .fresh").count(), 4);
  const [game] = server.server.games;
  const moves = game.decode().plies.map((ply) => ply.san);
  assert.deepEqual(moves, game.reading.plies.map((ply) => ply[0]));
});

test("a clean sheet is settled with one action, which goes on to the next", fake, async () => {
  server.server.games[2].readResult("1-0");
  await press("k");
  await waitForStatus(page, /05_appendice_e_it.*No doubts/);
  await press("Control+Enter");
  await waitForStatus(page, /05_appendice_e_it\.jpg settled · Now 14/);
  assert.equal(server.server.games[2].row().state, "settled");
  assert.equal(server.server.log.filter((line) => line.startsWith("POST")).length, 1);
});

test("the result is asked for once, but need not be given", fake, async () => {
  await press("k");
  await waitForStatus(page, /05_appendice_e_it.*No doubts/);
  await press("Control+Enter");
  await waitForStatus(page, /^Which result/);
  await press("1");
  await waitForStatus(page, /^Result: 1-0/);
  await press("Control+Enter");
  await waitForStatus(page, /05_appendice_e_it\.jpg settled · Now 14/);
  assert.equal(await page.isVisible("#fields"), false);
  assert.equal(server.server.games[2].row().result, "1-0");
  for (const what of [/^Undone: .*settled/, /^Undone: .*[Rr]esult/]) {
    await press("u");
    await waitForStatus(page, what);
  }
  await press("Control+Enter", "Control+Enter");
  await waitForStatus(page, /05_appendice_e_it\.jpg settled, without a result/);
});

test("a guess is not taken by Enter, but by its digit", fake, async () => {
  const [game] = server.server.games;
  await press("n");
  await waitForPlace(page, /^11\. Na4/);
  assert.equal(await page.locator("#candidates [aria-selected=true]").count(), 0);
  await press("Enter");
  await waitForStatus(page, /^Below 50 %/);
  assert.equal(game.answers.size, 0);
  await press("1");
  await waitForStatus(page, /^11\. Na4 held/);
});

test("a sloppy nb5 is a knight's move, and the step to the next doubt is taken back", fake, async () => {
  await press("Enter");
  await waitForPlace(page, /^11\. Na4/);
  await stopClock();
  await press("n");
  await waitForPlace(page, /^12… Bb4/);
  await press("b", "5");
  await waitForPlace(page, /^11\. Na4/);
  await page.clock.resume();
  assert.equal(await page.inputValue("#move"), "Nb5");
  await press("Enter");
  await waitForStatus(page, /^11\. Nb5 held/);
});

test("a letter that would change an answer waits where it may be a piece", fake, async () => {
  await stopClock();
  await press("t", "e");
  assert.equal(await page.inputValue("#move"), "Te");
  await press("Escape", "n", "x");
  assert.equal(server.server.log.filter((line) => line.startsWith("POST")).length, 0);
  await press("f", "3");
  assert.equal(await page.inputValue("#move"), "Nxf3");
  await press("Escape", "t");
  await page.clock.resume();
  await waitForStatus(page, /^The game ends before 7… Be7/);
  assert.equal(server.server.games[0].answers.get("0-7b").is, "end");
});

test("n after 700 milliseconds is not a knight", fake, async () => {
  await page.clock.install();
  await press("n");
  await waitForPlace(page, /^11\. Na4/);
  await page.clock.runFor(750);
  await press("b");
  assert.equal(await page.inputValue("#move"), "b");
  await waitForPlace(page, /^11\. Na4/);
});

test("y holds all moves down to here in one step, u and r go back and forth", fake, async () => {
  await press("n", "n");
  await waitForPlace(page, /^12… Bb4/);
  await press("y");
  await waitForStatus(page, /^All right down to 12… Bb4\+ \(24 moves, 1 below 50 %\).* saved/);
  assert.equal(server.server.games[0].answers.size, 24);
  await press("u");
  await waitForStatus(page, /^Undone/);
  assert.equal(server.server.games[0].answers.size, 0);
  await press("r");
  await waitForStatus(page, /^Done again/);
  assert.equal(server.server.games[0].answers.size, 24);
  await press("Control+z");
  await waitForStatus(page, /^Undone/);
  await press("Control+y");
  await waitForStatus(page, /^Done again/);
});

test("undo goes back to the sheet that it changes", fake, async () => {
  await press("Enter", "j");
  await waitForStatus(page, /Now 4 Ferri/);
  await press("u");
  await waitForStatus(page, /^Undone.* Now 14 Valle/);
});

test("changes above the place come first, and y holds them as they were", fake, async () => {
  const [game] = server.server.games;
  const decode = game.decode.bind(game);
  game.decode = () => {
    const decoded = decode();
    const spoilt = game.answers.has("0-11w") && !game.answers.has("0-9b");
    if (spoilt) decoded.plies[17].san = "dxc4";
    return decoded;
  };
  await press("Enter");
  await waitForPlace(page, /^11\. Na4/);
  await press("N", "b", "5", "Enter");
  await waitForStatus(page, /^Above: 9… d4 → dxc4\./);
  assert.match(await page.textContent("#above"), /9… d4 → dxc4/);
  await press("y");
  await waitForStatus(page, /^As it was: 9… d4/);
  assert.equal(game.answers.get("0-9b").san, "d4");
  assert.equal(await page.isVisible("#above"), false);
});

test("Shift+Enter stays, arrows walk, w goes to the cut, Escape clears and leaves", fake, async () => {
  await press("Shift+Enter");
  await waitForStatus(page, /^7… Be7 held/);
  await waitForPlace(page, /^7… Be7/);
  await press("ArrowDown");
  await waitForPlace(page, /^8\. e3/);
  await press("ArrowUp", "ArrowUp");
  await waitForPlace(page, /^7\. Bf4/);
  await press("PageDown");
  await waitForPlace(page, /^17\. hxg4/);
  await press("w");
  await waitForPlace(page, /^22… \?/);
  await press("B", "Escape");
  assert.equal(await page.inputValue("#move"), "");
  assert.equal(await page.evaluate(() => document.activeElement.id), "move");
  await press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "answer");
});

test("i and x answer and take it back, m asks for a move that was left out", fake, async () => {
  const [game] = server.server.games;
  await press("i");
  await waitForStatus(page, /^7… Be7 illegible to you too.*saved/);
  assert.equal(game.answers.get("0-7b").is, "seen");
  await waitForPlace(page, /^11\. Na4/);
  await press("p");
  await waitForPlace(page, /^22… \?/);
  await press("PageUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
  await press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
  await waitForPlace(page, /^7… Be7/);
  await press("i");
  await waitForStatus(page, /^7… Be7: your answer is taken back.*saved/);
  assert.equal(game.answers.size, 0);
  await press("x");
  await waitForStatus(page, /^7… Be7: the cell is no move.*saved/);
  assert.equal(game.answers.get("0-7b").is, "none");
  await waitForPlace(page, /^11\. Na4/);
  await press("m");
  await waitForStatus(page, /^Type the move that was left out/);
  await page.keyboard.type("Qa4");
  await page.waitForSelector('#candidate-0[data-san="Qa4"]');
  await press("Enter");
  await waitForStatus(page, /^11\. Qa4 was left out, held.*saved/);
  assert.deepEqual(game.answers.get("0-11w"), { at: "0-11w", is: "left-out", san: "Qa4" });
  await waitForPlace(page, /^11\. Na4/);
});

test("v, z, plus, s, q and ? show what they say", fake, async () => {
  await press("v");
  assert.match(await page.textContent("#caption"), /^after 7… Be7/);
  await press("z");
  assert.equal(await page.getAttribute("#follow", "aria-pressed"), "false");
  const width = () => page.evaluate(() => document.querySelector(".page").clientWidth);
  const fitted = await width();
  await press("+");
  assert.ok((await width()) > fitted);
  await press("s");
  assert.ok(await page.isVisible(".strip"));
  await press("q");
  assert.equal(await page.evaluate(() => document.activeElement.id), "field-white");
  await page.keyboard.type("Valle, Piero");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "move");
  await press("?");
  assert.ok(await page.isVisible("#help-dialog"));
});

test("letters act only with Alt once that is switched on", fake, async () => {
  await press("?");
  await page.locator("#alt-letters").focus();
  await press("Space", "Escape");
  await page.waitForFunction(() => document.activeElement.id === "move");
  await press("n");
  await waitForPlace(page, /^7… Be7/);
  await press("Escape", "Alt+n");
  await waitForPlace(page, /^11\. Na4/);
});
