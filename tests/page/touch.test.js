/** The page by touch, 400 pixels wide: four sheets to the export. */

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import {
  openPage, REAL_URL, startBrowser, startServer, waitForPlace, waitForStatus,
} from "./browser.js";

let browser;
let server;
let page;

before(async () => {
  browser = await startBrowser();
  server = await startServer(4);
  page = await openPage(browser, server.url, {
    width: 400, height: 800, hasTouch: true, isMobile: true,
  });
});
after(async () => {
  await browser.close();
  await server.close();
});

const fake = { skip: REAL_URL ? "answers are those of the fake server" : false };

test("a candidate, the board and the buttons answer by touch", fake, async () => {
  await waitForPlace(page, /^7… Be7/);
  await page.tap("#take-lit");
  await waitForPlace(page, /^11\. Na4/);
  await page.waitForSelector('[data-san="Nb5"]');
  const square = async (name) => {
    const box = await page.locator("#board").boundingBox();
    const at = ["abcdefgh".indexOf(name[0]) + 0.5, 8.5 - Number(name[1])];
    await page.touchscreen.tap(box.x + (at[0] * box.width) / 8, box.y + (at[1] * box.height) / 8);
  };
  await page.locator("#board").scrollIntoViewIfNeeded();
  await square("c3");
  await square("b5");
  await waitForStatus(page, /^11\. Nb5 held/);
  await waitForPlace(page, /^12… Bb4/);
  await page.tap("#down-to-here");
  await waitForPlace(page, /^22… \?/);
  await page.waitForSelector('[data-san="Qh1+"]');
  await page.tap('[data-san="Qh1+"]');
  await waitForStatus(page, /read to its end/);
  await page.tap('#view-sheet');
  assert.ok(await page.isVisible("#scroll"));
  await page.tap('#view-moves');
  await page.locator("td button").nth(20).tap();
  await page.tap('#view-answer');
  await waitForPlace(page, /^11\. Nb5/);
});

test("every target is at least 44 pixels high, and nothing scrolls sideways", async () => {
  for (const view of ["answer", "sheet", "moves", "games"]) {
    await page.tap(`#view-${view}`);
    const small = await page.evaluate(async () => {
      // Games out of sight have no height until the next frame (content-visibility).
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      const all = document.querySelectorAll("button, input, select, [role=option], summary");
      const seen = [...all].filter((element) => element.checkVisibility());
      return seen.filter((element) => element.getBoundingClientRect().height < 44)
        .map((element) => element.id || element.textContent);
    });
    assert.deepEqual(small, [], view);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, view);
  }
});

test("all sheets are settled and exported by touch", async () => {
  await page.tap('#view-answer');
  for (let sheet = 0; sheet < 200; sheet++) {
    const before = await page.textContent("#live");
    // Where the result is asked for, the moves are shown, with the fields above them.
    await page.locator("#settle-short:visible, #settle:visible").first().tap();
    await page.waitForFunction(
      (text) => document.querySelector("#live").textContent !== text, before);
    await page.waitForTimeout(150);
    if (/settled.*\. Export/.test(await page.textContent("#live"))) break;
  }
  await page.tap('#view-games');
  await page.tap("#export-here");
  await page.waitForSelector("#export-dialog[open]");
  assert.match(await page.textContent("#export-counts"), /all are settled/);
  await page.tap("#export-dialog button");
  assert.deepEqual(page.problems, []);
});
