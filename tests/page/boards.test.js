/** An event by keyboard alone: the grid of boards, the tray, a board by hand, and the checks. */

import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import {
  openPage, REAL_URL, startBrowser, startServer, waitForPlace, waitForStatus,
} from "./browser.js";

const AXE = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const fake = { skip: REAL_URL ? "the fake server's event is asked for" : false };

let browser;
let server;
let page;

before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());
beforeEach(async () => {
  server = await startServer(4);
  server.server?.holdEvent();
  page = await openPage(browser, server.url);
  if (server.server) await page.waitForSelector("#game-checks button");
});
afterEach(async () => {
  await page.context().close();
  await server.close();
});

async function press(...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

const focused = () => page.evaluate(() => document.activeElement.ariaLabel);
const waitForCell = (text) =>
  page.waitForFunction((part) => document.activeElement.ariaLabel?.includes(part), text);

test("arrows walk the grid, Enter opens the game, Escape leaves", fake, async () => {
  await press(".");
  await waitForCell("Round 1, board 1: Valle, P. – Riva, S.");
  await press("ArrowDown");
  assert.match(await focused(), /^Round 1, board 2: Ferri, A. – Neri, B. · cut/);
  await press("ArrowDown", "ArrowDown");
  assert.match(await focused(), /^Round 1, board 3: .* · no sheet C1/, "the grid ends there");
  await press("ArrowRight", "ArrowUp");
  assert.match(await focused(), /^Round 2, board 2: .* · forfeit/);
  assert.equal(await page.textContent("#seat"), await focused());
  await press("ArrowDown", "ArrowDown");
  assert.match(await focused(), /^Round 2, board 4: Solo, Ada · bye/);
  await press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "move");
  assert.equal(await page.isVisible("#boards"), false);
  await press(".", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowLeft", "Enter");
  await waitForStatus(page, /Now/);
  await page.waitForFunction(() => document.activeElement.id === "move", null, { timeout: 8000 });
});

test("a board without a sheet takes one from the tray", fake, async () => {
  await press(".", "ArrowDown", "ArrowDown", "Enter");
  await waitForStatus(page, /Round 1, board 3: Müller, Jörg – Costa, M\..*Choose a sheet/);
  assert.match(await page.evaluate(() => document.activeElement.textContent), /63 %/);
  await press("Enter");
  await waitForStatus(page, /Round 1, board 3: .* saved/);
  await waitForCell("Round 1, board 3");
  assert.doesNotMatch(await focused(), /no sheet/);
  assert.ok(server.server.log.some((line) => /^POST \/api\/games\/\w+\/assign$/.test(line)));
});

test("a sheet of the tray is dragged onto a board without one", fake, async () => {
  await press(".");
  const sheet = page.locator("#tray button").first();
  const taken = page.locator('#board-grid td[aria-label^="Round 1, board 1"]');
  await sheet.dragTo(taken);
  assert.deepEqual(server.server.log.filter((line) => line.endsWith("/assign")), []);
  const free = page.locator('#board-grid td[aria-label^="Round 1, board 3"]');
  assert.match(await free.getAttribute("aria-label"), /no sheet/);
  await sheet.dragTo(free);
  await waitForStatus(page, /Round 1, board 3: .* saved/);
  await waitForCell("Round 1, board 3");
  assert.equal(server.server.log.filter((line) => line.endsWith("/assign")).length, 1);
});

test("q takes a name or a board, and offers exchanged colours", fake, async () => {
  await press("q");
  assert.equal(await page.evaluate(() => document.activeElement.id), "seat-field");
  assert.match(await page.textContent("#seats"), /Müller.*63 %/, "the likeliest first");
  await page.keyboard.type("muller");
  await page.waitForFunction(() => document.querySelectorAll("#seats li").length === 3);
  const options = await page.locator("#seats li").allTextContents();
  assert.match(options[2], /Costa, M\. – Müller, Jörg · colours exchanged/);
  await press("ArrowUp", "Enter");
  await waitForStatus(page, /colours exchanged · saved/);
  assert.equal(server.server.event.boards[2].game, server.server.games[0].id);
  assert.equal(server.server.games[0].exchanged, true);
  await page.waitForFunction(() => document.activeElement.id === "move");
  await press("q");
  await page.keyboard.type("2.3");
  await page.waitForFunction(() => document.querySelectorAll("#seats li").length === 2);
  await press("Enter");
  await waitForStatus(page, /^Round 2, board 3.*saved/);
});

test("checks stand beside their game, and lead to its place", fake, async () => {
  const own = page.locator("#game-checks button");
  assert.deepEqual(await own.evaluateAll((all) => all.map((one) => one.textContent.slice(0, 2))),
    ["R2", "M2"]);
  await own.nth(0).focus();
  await press("Enter");
  await waitForPlace(page, /^22\./);
  await own.nth(1).focus();
  await press("Enter");
  await waitForStatus(page, /Now .*Ferri/);
  await press(".");
  const all = page.locator("#checks button");
  assert.ok((await all.count()) > 3);
  await page.selectOption("#check-code", "C1");
  const codes = await all.evaluateAll((found) => found.map((one) => one.textContent.slice(0, 2)));
  assert.deepEqual([...new Set(codes)], ["C1"]);
  await all.nth(0).focus();
  await press("Enter");
  await waitForCell("Round 1, board 3");
});

test("sheets of one game are joined where a check says that there are two", fake, async () => {
  assert.equal(await page.isVisible("#part"), false, "the game has one sheet");
  assert.match(await page.textContent("#join"), /^Join with 4 Ferri/);
  await page.locator("#join").focus();
  await press("Enter");
  await waitForStatus(page, /saved.*Now 14 Valle/);
  assert.equal(await page.textContent("#count-all"), "3");
});

test("without an event there are no boards", fake, async () => {
  const plain = await startServer(4);
  const other = await openPage(browser, plain.url);
  assert.equal(await other.isVisible("#tab-boards"), false);
  await other.keyboard.press("q");
  assert.equal(await other.evaluate(() => document.activeElement.id), "field-white");
  await other.context().close();
  await plain.close();
});

for (const [name, options] of [
  ["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }],
  ["forced colours", { forcedColors: "active" }], ["1000 pixels", { width: 1000 }],
  ["320 pixels, light", { width: 320, height: 800, colorScheme: "light" }],
  ["320 pixels, dark", { width: 320, height: 800, colorScheme: "dark" }],
]) {
  test(`axe: boards, checks and the field for a board, ${name}`, fake, async () => {
    const shown = await openPage(browser, server.url, options);
    await shown.waitForSelector("#game-checks button", { state: "attached" });
    await shown.evaluate(AXE);
    const violations = () => shown.evaluate(async () => {
      const found = await window.axe.run(document, { resultTypes: ["violations"] });
      return found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map((n) => n.html)]);
    });
    assert.deepEqual(await violations(), [], "the checks of a game");
    await shown.locator("#move").focus();
    await shown.keyboard.press("q");
    assert.deepEqual(await violations(), [], "the field for a board");
    await shown.locator("#view-answer").isVisible() && await shown.click("#view-answer");
    await shown.locator("#move").focus();
    await shown.keyboard.press(".");
    await shown.waitForSelector("#board-grid [data-at]");
    assert.deepEqual(await violations(), [], "the boards");
    const wide = await shown.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, "nothing scrolls sideways but the grid");
    assert.deepEqual(shown.problems, []);
    await shown.context().close();
  });
}
