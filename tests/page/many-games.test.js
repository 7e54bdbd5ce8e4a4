/** 500 games: how long a key takes until the page is painted. Reported, not asserted. */

import { after, before, test } from "node:test";
import { openPage, REAL_URL, startBrowser, startServer, waitForPlace } from "./browser.js";

/** Keys of each kind. */
const KEYS = 30;

let browser;
let server;

before(async () => {
  browser = await startBrowser();
  server = await startServer(500);
});
after(async () => {
  await browser.close();
  await server.close();
});

/**
 * Milliseconds from a key to the frame after the one that it was handled in. The key comes at the
 * beginning of a frame, so that 16.7 of them are the wait for the next one.
 */
const measure = (page, key, times) =>
  page.evaluate(async ([key, times]) => {
    const field = document.querySelector("#move");
    const took = [];
    for (let i = 0; i < times; i++) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const start = performance.now();
      field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      const script = performance.now();
      document.body.getBoundingClientRect();
      await new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = resolve;
        requestAnimationFrame(() => channel.port2.postMessage(0));
      });
      took.push([performance.now() - start, script - start]);
    }
    return took;
  }, [key, times]);

const quantile = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))];

test("keys with 500 games", { skip: REAL_URL ? "made for 500 games" : false }, async () => {
  server.server.plainCloseUps = true;
  const start = performance.now();
  const page = await openPage(browser, server.url);
  console.log(`first view with 500 games: ${Math.round(performance.now() - start)} ms`);
  await waitForPlace(page, /./);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const busySeconds = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === "TaskDuration").value;
  };
  for (const key of ["n", "ArrowDown", "j"]) {
    const start = await busySeconds();
    const took = await measure(page, key, KEYS);
    const busy = (1000 * (await busySeconds() - start)) / KEYS;
    console.log(`${key} main thread: mean ${busy.toFixed(1)} ms`);
    for (const [name, index] of [["to paint", 0], ["script alone", 1]]) {
      const values = took.map((one) => one[index]);
      const [median, p95] = [quantile(values, 0.5), quantile(values, 0.95)];
      console.log(`${key} ${name}: median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
    }
  }
  const memory = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
  console.log(`heap: ${(memory / 1e6).toFixed(1)} MB`);
});
