/** Starts the system's Chromium, and the fake server unless SHEETSCAN_URL names another one. */

import { chromium } from "playwright-core";
import { FakeServer } from "./fake-server.js";

/** The browser to test with. */
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** Address with the token of a running `sheetscan review`, instead of the fake server. */
export const REAL_URL = process.env.SHEETSCAN_URL ?? "";

/** Milliseconds after which a step has failed; a busy machine may need many. */
const MAX_STEP_MS = 120_000;

/** Chromium has no sandbox for root, and in a container little shared memory. */
export const startBrowser = () => {
  const root = process.getuid?.() === 0;
  const args = ["--disable-dev-shm-usage", ...(root ? ["--no-sandbox"] : [])];
  return chromium.launch({ executablePath: CHROMIUM, args, timeout: MAX_STEP_MS });
};

/** A fake server and its address; for a real server, the address alone. */
export async function startServer(games = 4) {
  if (REAL_URL) return { url: REAL_URL, server: null, close: async () => {} };
  const server = new FakeServer(games);
  return { url: await server.listen(), server, close: () => server.close() };
}

/** Opens the page; fails the test by `page.problems` for what the console reports. */
export async function openPage(browser, url, options = {}) {
  const { width = 1400, height = 900, ...rest } = options;
  const context = await browser.newContext({ viewport: { width, height }, ...rest });
  context.setDefaultTimeout(MAX_STEP_MS);
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on("console", (message) => {
    const favicon = message.location().url.endsWith("/favicon.ico");
    if (message.type() === "error" && !favicon) page.problems.push(message.text());
  });
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(url);
  // Its first game is there, or it says that there is none yet.
  await page.waitForFunction(() => {
    const [why, where] = ["#why", "#where"].map((id) => document.querySelector(id)?.textContent);
    return where ? why : /^Reading the pictures/.test(why);
  });
  return page;
}

/** What the status line says, once it matches. */
export async function waitForStatus(page, pattern) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector("#live").textContent),
    pattern.source,
  );
  return page.textContent("#live");
}

/** The heading of the answer column, as `7… Be7`, once it matches. */
export async function waitForPlace(page, pattern) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector("#where").textContent),
    pattern.source,
  );
  return page.textContent("#where");
}

/** The state of the chip in the bar. */
export const gameState = (page) => page.textContent("#game-state");
