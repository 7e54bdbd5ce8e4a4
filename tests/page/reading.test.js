/** A run that is still being read, searched or exported, and games with two copies. */

import { after, afterEach, before, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import {
  openPage, REAL_URL, startBrowser, startServer, waitForPlace, waitForStatus,
} from "./browser.js";

let browser;
let server;
let page;
const fake = { skip: REAL_URL ? "the server of this test is in a state of its own" : false };

before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());
beforeEach(async () => {
  server = await startServer(4);
});
afterEach(async () => {
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await server.close();
});

test("the bar counts while pictures are read, and the first game opens itself", fake, async () => {
  const fakeServer = server.server;
  const games = fakeServer.games.splice(0);
  const run = fakeServer.run.bind(fakeServer);
  const files = { total: 4, done: 1 };
  fakeServer.run = () => ({ ...run(), phase: files.done < 4 ? "reading" : "ready", files });
  page = await openPage(browser, server.url);
  assert.match(await page.textContent("#why"), /^Reading the pictures/);
  assert.match(await page.textContent("#counts"), /reading 1 of 4 pictures/);
  while (!fakeServer.events.size) await page.waitForTimeout(20);
  files.done = 2;
  fakeServer.tell("progress", { phase: "reading", files, games: { total: 4, done: 1 } });
  await page.waitForFunction(
    () => /reading 2 of 4/.test(document.querySelector("#counts").textContent));
  fakeServer.games.push(...games);
  fakeServer.tell("games", {});
  await waitForPlace(page, /^7… Be7/);
  assert.equal(await page.locator("#game-list li").count(), 4);
});

test("settling waits for the end of the search", fake, async () => {
  const [, , game] = server.server.games;
  game.readResult("1-0");
  const make = game.game.bind(game);
  let final = false;
  game.game = () => ({ ...make(), final });
  page = await openPage(browser, server.url);
  await page.getByText("05_appendice_e_it.jpg").first().click();
  await waitForPlace(page, /^1\. d4/);
  await page.keyboard.press("Control+Enter");
  await waitForStatus(page, /as soon as the search has ended/);
  assert.equal(game.answers.has("settled"), false);
  final = true;
  game.version += 1;
  server.server.tell("final", { id: game.id, version: game.version });
  await waitForStatus(page, /05_appendice_e_it\.jpg settled/);
  assert.equal(game.answers.get("settled").moves.length, 33);
});

test("of two copies both are seen, and l swaps the picture for good", fake, async () => {
  const [game] = server.server.games;
  const make = game.game.bind(game);
  game.game = () => {
    const made = make();
    const [sheet] = made.sheets;
    const cells = sheet.cells.map((cell) => ({ ...cell, place: cell.place.replace("0-", "1-") }));
    made.sheets.push({ ...sheet, id: server.server.games[1].sheetId, name: "copy.jpg", cells });
    for (const ply of made.plies) {
      ply.cells.push({ ...ply.cells[0], sheet: 1, place: ply.place.replace("0-", "1-") });
    }
    return made;
  };
  page = await openPage(browser, server.url);
  await page.waitForFunction(() => document.querySelectorAll(".close-up").length === 2);
  assert.equal(await page.textContent("figcaption"), "06_partita_1_it.jpg: nothing legible");
  await page.keyboard.press("l");
  assert.equal(await page.textContent("#sheet-name"), "copy.jpg");
  await page.keyboard.press("ArrowDown");
  await waitForPlace(page, /^8\. e3/);
  assert.equal(await page.textContent("#sheet-name"), "copy.jpg");
  await page.click("#side-by-side");
  assert.ok(await page.isVisible("#scroll-beside polygon.current"));
});

test("a drag on the board answers", fake, async () => {
  page = await openPage(browser, server.url);
  await page.waitForSelector('[data-san="Be7"] .spelling');
  const box = await page.locator("#board").boundingBox();
  const middle = (square) => [
    box.x + (("abcdefgh".indexOf(square[0]) + 0.5) * box.width) / 8,
    box.y + ((8.5 - Number(square[1])) * box.height) / 8,
  ];
  await page.mouse.move(...middle("f8"));
  await page.mouse.down();
  await page.mouse.move(...middle("d6"), { steps: 4 });
  await page.mouse.up();
  await waitForStatus(page, /^7… Bd6 held/);
  assert.equal(server.server.games[0].answers.get("0-7b").san, "Bd6");
});
