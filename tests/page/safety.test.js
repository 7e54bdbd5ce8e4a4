/** What the page must never do, and what it may weigh. */

import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { openPage, REAL_URL, startBrowser, startServer } from "./browser.js";

const PAGE = new URL("../../src/review/page/", import.meta.url);
/** Largest size of the page in bytes. */
const MAX_BYTES = 120 * 1024;
const MAX_LINES = 400;
const MAX_COLUMNS = 100;

const served = readdirSync(PAGE).filter((name) => /\.(html|js|css)$/.test(name));
const sourceOf = (name) => readFileSync(new URL(name, PAGE), "utf8");

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

test("the sources set no HTML and no inline style, and fetch nothing from elsewhere", () => {
  const forbidden =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|style=|https?:\/\//;
  for (const name of served) {
    const source = sourceOf(name).replace("http://www.w3.org/2000/svg", "");
    assert.doesNotMatch(source, forbidden, name);
  }
});

test("the page is small, and so are its files", async () => {
  let total = 0;
  let zipped = 0;
  for (const name of served) {
    const path = name === "index.html" ? "/" : `/page/${name}`;
    const reply = await fetch(new URL(path, server.url));
    assert.equal(reply.status, 200, name);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    total += bytes.length;
    zipped += gzipSync(bytes, { level: 9 }).length;
  }
  console.log(`page: ${total} bytes in ${served.length} files, ${zipped} with gzip`);
  assert.ok(total <= MAX_BYTES, `${total} bytes`);
  for (const name of served) {
    const lines = sourceOf(name).split("\n");
    const quotes = lines.filter((line) => line.split("`").length % 2 === 0);
    assert.deepEqual(quotes, [], `${name}: a template of several lines would lose its indentation`);
    assert.ok(lines.length <= MAX_LINES, `${name} has ${lines.length} lines`);
    const long = lines.filter((line) => line.length > MAX_COLUMNS);
    assert.deepEqual(long, [], name);
  }
});

test("a name that looks like HTML is shown as text, and all requests go to the origin", async () => {
  const page = await openPage(browser, server.url);
  let alerts = 0;
  page.on("dialog", (dialog) => {
    alerts += 1;
    void dialog.dismiss();
  });
  if (!REAL_URL) {
    await page.getByText("<img src=x onerror=alert(1)>").first().click();
    await page.waitForFunction(
      () => document.querySelector("#header-summary").textContent.startsWith("<img src=x"));
  }
  for (const key of ["q", "Escape", "s", "?", "Escape", "n", "j", "k"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
  }
  assert.equal(alerts, 0);
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.deepEqual(page.problems, []);
  const origin = new URL(server.url).origin;
  const foreign = page.requests.filter(
    (url) => !url.startsWith(`${origin}/`) && !url.startsWith(`blob:${origin}/`));
  assert.deepEqual(foreign, []);
  await page.context().close();
});
