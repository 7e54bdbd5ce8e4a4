/** Pictures that come in while the page is open: dropped, chosen, or sent by phones. */

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { openPage, REAL_URL, startBrowser, startServer, waitForStatus } from "./browser.js";

let browser;
let server;
const fake = { skip: REAL_URL ? "the fake server counts what comes" : false };

before(async () => {
  browser = await startBrowser();
  server = await startServer(2);
});
after(async () => {
  await browser.close();
  await server.close();
});

/** Drops files on the page, given as names and contents. */
const drop = (page, files) =>
  page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of given) dataTransfer.items.add(new File([text], name));
    for (const type of ["dragover", "drop"]) {
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector("#board").dispatchEvent(event);
    }
  }, files);

test("dropped files are sent one by one, and refusals are told by name", fake, async () => {
  const page = await openPage(browser, server.url);
  await drop(page, [["a b&c.jpg", "12345"], ["notes.txt", "x"], ["\u00e9.png", "123"]]);
  await waitForStatus(page, /^2 pictures taken in, 1 refused$/);
  assert.deepEqual(server.server.pictures, [["a b&c.jpg", 5], ["\u00e9.png", 3]]);
  assert.match(await page.textContent("#refused"), /^notes\.txt notes\.txt is no picture/);
  assert.deepEqual(page.problems.filter((text) => !text.includes("422")), []);
  await page.context().close();
});

test("files are chosen by keyboard", fake, async () => {
  const page = await openPage(browser, server.url);
  // The page's own process stops the dialog, but keys go through the browser's, which can be
  // faster. The steps in between make sure that the page knows before the key comes.
  const chooser = page.waitForEvent("filechooser");
  await waitForStatus(page, /./);
  await page.focus("#add-files");
  await page.keyboard.press("Enter");
  const buffer = Buffer.from("1234");
  await (await chooser).setFiles([{ name: "chosen.jpg", mimeType: "image/jpeg", buffer }]);
  await waitForStatus(page, /^1 picture taken in, to be read now$/);
  assert.deepEqual(server.server.pictures.at(-1), ["chosen.jpg", 4]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a run that takes no pictures says so", fake, async () => {
  const own = await startServer(2);
  own.server.inbox = null;
  const page = await openPage(browser, own.url);
  assert.equal(await page.isVisible("#add-files"), false);
  assert.equal(await page.isVisible("#phones"), false);
  await drop(page, [["a.jpg", "1"]]);
  await waitForStatus(page, /^This run takes no pictures/);
  assert.deepEqual(own.server.pictures, []);
  await page.context().close();
  await own.close();
});

test("phones are let in, turned away and stopped", fake, async () => {
  const page = await openPage(browser, server.url);
  await waitForStatus(page, /./);
  await page.focus("#phones");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#qr path");
  assert.equal(await page.textContent("#phone-url"), "http://192.168.0.9:7718/up/89abcdef");
  assert.match(await page.textContent("#phone-state"), /^60 minutes left \u00b7 0 pictures came$/);
  assert.match(await page.textContent("#phone-dialog"), /Unencrypted on this Wi-Fi/);
  server.server.addPhone();
  await page.waitForSelector("#phone-list li");
  await page.keyboard.press("Escape");
  server.server.addPhone();
  await waitForStatus(page, /^1 phone asks to be let in$/);
  await page.click("#phones");
  await page.click("#phone-list li:nth-child(2) button:first-of-type");
  await page.waitForFunction(
    () => document.querySelectorAll("#phone-list li")[1].textContent.includes("may send"));
  assert.equal(server.server.phones.phones[1].state, "admitted");
  await page.click("#phone-list li:nth-child(1) button");
  await page.waitForFunction(
    () => document.querySelector("#phone-list").textContent.includes("may not send"));
  await page.click("#stop-phones");
  await page.waitForSelector("#phone-dialog", { state: "hidden" });
  assert.equal(server.server.phones, null);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
