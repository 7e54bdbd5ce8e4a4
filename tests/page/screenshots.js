/**
 * Pictures of six states of the page, for a person to look at when they change:
 *
 *     node tests/page/screenshots.js FOLDER
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openPage, startBrowser, startServer, waitForPlace, waitForStatus } from "./browser.js";

const folder = process.argv[2] ?? "page-shots";
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();

/** Opens a page with these options, does something, and takes its picture. */
async function shoot(name, options, act = async () => {}) {
  const server = await startServer(4);
  const page = await openPage(browser, server.url, options);
  await act(page, server);
  await page.waitForTimeout(900);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.context().close();
  await server.close();
}

/** Presses keys one after the other. */
async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(150);
  }
}

await shoot("1-doubt", {}, (page) => press(page, "n"));
await shoot("2-changed", {}, async (page) => {
  await press(page, "Enter", "2", "Enter");
  await waitForPlace(page, /^22…/);
  await page.keyboard.type("Dh1");
  await page.waitForTimeout(300);
  await press(page, "Enter");
  await waitForStatus(page, /others changed/);
});
await shoot("3-strips-dark", { colorScheme: "dark" }, (page) => press(page, "s"));
await shoot("4-names-1100", { width: 1100, height: 800 }, (page) => press(page, "w", "q"));
await shoot("5-touch-400", {
  width: 400, height: 800, hasTouch: true, isMobile: true, deviceScaleFactor: 2,
});
await shoot("6-exported", {}, async (page) => {
  for (let i = 0; i < 4; i++) {
    await press(page, "Control+Enter", "Control+Enter");
    await page.waitForTimeout(300);
  }
  await press(page, "Control+s");
  await page.waitForSelector("#export-dialog[open]");
});
await shoot("7-moves-320", { width: 320, height: 700 }, (page) => page.click("#view-moves"));
await shoot("8-help", { width: 400, height: 800 }, (page) => page.click("#help"));
await shoot("9-sheet-400", { width: 400, height: 800 }, (page) => page.click("#view-sheet"));
await browser.close();
