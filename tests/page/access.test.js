/** axe finds nothing in any view, and the focus can be seen. */

import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { openPage, startBrowser, startServer, waitForStatus } from "./browser.js";

const AXE = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

let browser;
let server;

before(async () => {
  browser = await startBrowser();
  server = await startServer(4);
});
after(async () => {
  await browser.close();
  await server.close();
});

async function violations(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const options = { resultTypes: ["violations"] };
  const found = await page.evaluate((given) => window.axe.run(document, given), options);
  return found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map((n) => n.html)]);
}

for (const [name, options] of [
  ["1400x900 light", { colorScheme: "light" }],
  ["1400x900 dark", { colorScheme: "dark" }],
  ["1400x900 forced colours", { forcedColors: "active" }],
  ["1000x800", { width: 1000, height: 800 }],
  ["200 % of 1400x900", { width: 700, height: 450, deviceScaleFactor: 2 }],
]) {
  test(`axe: ${name}, with strips, names, list and dialogs`, async () => {
    const page = await openPage(browser, server.url, options);
    assert.deepEqual(await violations(page), [], "first view");
    await page.keyboard.press("s");
    await page.keyboard.press("q");
    await page.waitForTimeout(300);
    assert.deepEqual(await violations(page), [], "strips and names");
    await page.keyboard.press("Escape");
    await page.keyboard.type("?");
    assert.deepEqual(await violations(page), [], "help");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+s");
    await page.waitForSelector("#export-dialog[open]");
    assert.deepEqual(await violations(page), [], "export");
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.querySelector("#phones").click());
    await page.waitForSelector("#qr path");
    assert.deepEqual(await violations(page), [], "phones");
    await page.keyboard.press("Escape");
    await page.locator("#move").focus();
    await page.keyboard.type("Zz9");
    assert.deepEqual(await violations(page), [], "nothing fits");
    if (await page.isVisible("#games-button")) {
      await page.click("#games-button");
      assert.deepEqual(await violations(page), [], "drawer");
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

for (const width of [400, 320]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe: every view at ${width} pixels, ${colorScheme}`, async () => {
      const page = await openPage(browser, server.url, { width, height: 800, colorScheme });
      for (const view of ["answer", "sheet", "moves", "games"]) {
        await page.click(`#view-${view}`);
        assert.deepEqual(await violations(page), [], view);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(wide, false, `${view} scrolls sideways`);
      }
      await page.click("#help");
      assert.deepEqual(await violations(page), [], "help");
      await page.context().close();
    });
  }
}

test("every element that Tab reaches shows its focus", async () => {
  const page = await openPage(browser, server.url);
  await waitForStatus(page, /./);
  const seen = new Set();
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    const [name, outline] = await page.evaluate(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      const visible = element === document.body || style.outlineStyle !== "none";
      return [element.id || element.textContent.slice(0, 20), visible];
    });
    assert.ok(outline, `${name} shows no focus`);
    seen.add(name);
  }
  assert.ok(seen.has("move") && seen.has("export") && seen.has("settle"), [...seen].join());
  await page.context().close();
});
