/** Answers are never lost: server away, reload, two windows, an illegal move. */

import { after, afterEach, before, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import {
  openPage, REAL_URL, startBrowser, startServer, waitForPlace, waitForStatus,
} from "./browser.js";

let browser;
let server;
let page;
const fake = { skip: REAL_URL ? "the server of this test fails on purpose" : false };

before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());
beforeEach(async () => {
  server = await startServer(4);
  page = await openPage(browser, server.url);
});
afterEach(async () => {
  await page.context().close();
  await server.close();
});

test("an answer waits while the server fails, survives a reload, and is sent", fake, async () => {
  await waitForPlace(page, /^7… Be7/);
  server.server.failWith = 503;
  page.on("dialog", (leaving) => leaving.accept());
  await page.keyboard.press("Enter");
  await page.waitForSelector("#unsaved:not([hidden])");
  assert.equal(await page.textContent("#unsaved"), "not saved: 1 answer waiting");
  server.server.failWith = 0;
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#unsaved").hidden);
  await page.waitForFunction(() => document.querySelector("td .settled"));
  assert.equal(server.server.games[0].answers.get("0-7b").san, "Be7");
  assert.equal(await page.evaluate(() => location.hash), "");
});

/** Another window says that Black's seventh move is a6. */
function answerElsewhere(game) {
  game.answers.set("0-7b", { at: "0-7b", is: "move", san: "a6" });
  game.version += 1;
}

test("another answer to the same place is asked about", fake, async () => {
  const [game] = server.server.games;
  await waitForPlace(page, /^7… Be7/);
  await page.waitForSelector('[data-san="Be7"] .spelling');
  server.server.beforeAnswers = () => answerElsewhere(game);
  await page.keyboard.type("g6");
  await page.waitForSelector('#candidate-0[data-san="g6"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#conflict-dialog[open]");
  const question = await page.textContent("#conflict-text");
  assert.match(question, /Your answer was g6.* answered a6/);
  await page.click("#use-mine");
  await waitForStatus(page, /g6 held.*saved/);
  assert.equal(game.answers.get("0-7b").san, "g6");
});

test("the other answer stays where the person keeps it", fake, async () => {
  const [game] = server.server.games;
  await waitForPlace(page, /^7… Be7/);
  server.server.beforeAnswers = () => answerElsewhere(game);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#conflict-dialog[open]");
  await page.keyboard.press("Escape");
  await page.waitForFunction(
    () => document.querySelectorAll("td button")[13].textContent.startsWith("a6"));
  assert.equal(game.answers.get("0-7b").san, "a6");
});

test("a second window follows the first", fake, async () => {
  const second = await page.context().newPage();
  await second.goto(server.url);
  await second.waitForFunction(() => document.querySelector("#where").textContent);
  await waitForPlace(page, /^7… Be7/);
  await page.keyboard.press("Enter");
  await second.waitForSelector("td .settled");
});

test("without its token the page says what to do", fake, async () => {
  const bare = await browser.newPage();
  await bare.goto(server.url.split("#")[0]);
  await bare.waitForFunction(() => document.querySelector("#why").textContent);
  assert.match(await bare.textContent("#why"), /Open the address/);
  await bare.close();
});
