/**
 * A server with the API of `sheetscan review` over a few fixed games, and the page beside it. It
 * decodes nothing: an answer mends the fault that it is about.
 *
 *     node tests/page/fake-server.js [GAMES] [PORT]
 */

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { FakeEvent } from "./fake-event.js";
import { FakeGame } from "./fake-games.js";
import { shorten } from "./shorten.js";

const PAGE = fileURLToPath(new URL("../../src/review/page/", import.meta.url));
const SAMPLES = fileURLToPath(new URL("../../samples/", import.meta.url));
export const TOKEN = "0123456789abcdef0123456789abcdef";
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css" };

class Failure extends Error {
  constructor(status, body) {
    super(body.error);
    this.status = status;
    this.body = { hint: "", ...body };
  }
}

export class FakeServer {
  constructor(count = 4) {
    this.games = Array.from({ length: count }, (_, number) => new FakeGame(number));
    this.done = [];
    this.undone = [];
    this.exported = null;
    this.exports = 0;
    this.epoch = Math.random().toString(16).slice(2);
    this.events = new Set();
    this.number = 0;
    /** Requests are answered with this status, for tests of a server that fails. */
    this.failWith = 0;
    /** Close-ups are plain, since drawing one from a whole photograph takes longer than a key. */
    this.plainCloseUps = false;
    /** Every request as `METHOD path`. */
    this.log = [];
    this.keys = new Map();
    /** What another window does just before the next answers come. */
    this.beforeAnswers = () => {};
    /** Where pictures go that come in, and their names; none where the run takes none. */
    this.inbox = "round6/inbox";
    this.pictures = [];
    /** The session of phones. */
    this.phones = null;
    /** The event that the games belong to. @type {FakeEvent|null} */
    this.event = null;
  }

  /** Has the games belong to an event. */
  holdEvent() {
    this.event = new FakeEvent(this.games);
    for (const game of this.games) {
      const whole = game.game.bind(game);
      game.game = () => ({ ...whole(), pairing: this.event.pairing(game) });
    }
  }

  /** Starts on a port, any free one by default, and returns the address with the token. */
  async listen(port = 0) {
    this.http = createServer((request, response) => this.answer(request, response));
    await new Promise((resolve) => this.http.listen(port, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.http.address().port}/#${TOKEN}`;
  }

  async close() {
    for (const stream of this.events) stream.end();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  async answer(request, response) {
    const url = new URL(request.url, "http://localhost");
    this.log.push(`${request.method} ${url.pathname}${url.search}`);
    try {
      if (!url.pathname.startsWith("/api/")) return await this.sendPage(url, response);
      if (request.headers["x-sheetscan"] !== TOKEN) throw new Failure(401, { error: "no token" });
      if (this.failWith) throw new Failure(this.failWith, { error: "it fails in this test" });
      const text = request.method === "POST" ? await readBody(request) : "null";
      const body = url.pathname === "/api/pictures" ? text : JSON.parse(text);
      const found = await this.route(url, request.method, body, response);
      if (found) {
        const json = found === "null" ? found : JSON.stringify(found);
        send(response, 200, "application/json", json);
      }
    } catch (error) {
      if (!(error instanceof Failure)) console.error(error);
      const status = error.status ?? 500;
      const problem = error.body ?? { error: String(error), hint: "" };
      send(response, status, "application/json", JSON.stringify(problem));
    }
  }

  async sendPage(url, response) {
    const name = url.pathname === "/" ? "index.html"
      : /^\/page\/([a-z-]+\.(?:js|css))$/.exec(url.pathname)?.[1];
    if (!name) throw new Failure(404, { error: "no such page" });
    const file = await readFile(PAGE + name, "utf8").catch(() => {
      throw new Failure(404, { error: "no such page" });
    });
    const type = `${TYPES[name.split(".").pop()]}; charset=utf-8`;
    send(response, 200, type, shorten(name, file));
  }

  async route(url, method, body, response) {
    const [, , first, id, third, place] = url.pathname.split("/");
    if (method === "POST") {
      if (first === "games" && third === "answers") return this.takeAnswers(this.find(id), body);
      if (first === "games" && third === "join") return this.join(this.find(id), body);
      if (first === "games" && third === "assign") return this.assign(this.find(id), body);
      if (first === "undo") return this.undo(this.done, this.undone);
      if (first === "redo") return this.undo(this.undone, this.done);
      if (first === "export") return this.exportAll();
      if (first === "pictures") return this.takePicture(url.searchParams.get("name"), body);
      if (first === "phones") return this.changePhones(id, body);
    } else if (first === "run") return this.run();
    else if (first === "event" && this.event) return this.event.whole();
    else if (first === "games" && !id) {
      const games = this.games.map((game) => game.row());
      return { epoch: this.epoch, number: this.number, games, faults: this.faults() };
    } else if (first === "games" && !third) return this.find(id).game();
    else if (first === "games" && third === "at") return this.find(id).candidates(place);
    else if (first === "sheets") return this.sendPicture(id, third, place, url, response);
    else if (first === "events") return this.follow(response);
    else if (first === "phones") return this.phones ?? "null";
    throw new Failure(404, { error: `no route ${url.pathname}` });
  }

  faults() {
    return [{ path: "IMG_0039.jpg", page: null, reason: "no table was found" }];
  }

  find(id) {
    const game = this.games.find((one) => one.id === id);
    if (!game) throw new Failure(404, { error: "no such game" });
    return game;
  }

  run() {
    const rows = this.games.map((game) => game.row());
    const settled = rows.filter((row) => row.state === "settled").length;
    const count = this.games.length;
    return {
      epoch: this.epoch, version: "0.1.0 (fake)", name: "round6", phase: "ready",
      files: { total: count, done: count }, games: { total: count, done: count },
      open: count - settled, settled, languages: [{ code: "it", letters: "RDTAC" }],
      outputs: { pgn: "round6.pgn", fixes: "round6.fixes.toml" },
      exported: this.exported, can_undo: this.done.length > 0, can_redo: this.undone.length > 0,
      letters_help: null, event: this.event?.summary() ?? null, listen: this.inbox !== null,
      inbox: this.inbox,
    };
  }

  /** Anything is a picture that is not called a text. */
  takePicture(name, body) {
    if (name.endsWith(".txt")) {
      throw new Failure(422, { error: `${name} is no picture.`, hint: "Send a picture." });
    }
    this.pictures.push([name, body.length]);
    return { name };
  }

  changePhones(what, { admit }) {
    if (what === "start") {
      this.phones = {
        url: "http://192.168.0.9:7718/up/89abcdef", qr: { size: 21, path: "M0 0h7v1h-7z" },
        ends: Math.floor(Date.now() / 1000) + 3600, phones: [], pictures: 0,
      };
    } else if (what === "stop") this.phones = null;
    else this.phones.phones[what].state = admit ? "admitted" : "turned-away";
    this.tell("phone", { phones: this.phones?.phones ?? null });
    return this.phones ?? "null";
  }

  /** A phone opens the address; the first one is let in. */
  addPhone() {
    const { phones } = this.phones;
    const state = phones.length ? "waiting" : "admitted";
    phones.push({ id: phones.length, address: `192.168.0.${20 + phones.length}`, state });
    this.tell("phone", { phones });
  }

  takeAnswers(game, { key, base, answers }) {
    if (this.keys.has(key)) return this.keys.get(key);
    this.beforeAnswers();
    this.beforeAnswers = () => {};
    for (const answer of answers) {
      const old = answer.at && game.answers.get(answer.at);
      if (old && game.version > base && JSON.stringify(old) !== JSON.stringify(answer)) {
        throw new Failure(409, { error: "answered elsewhere", game: game.game() });
      }
      const named = answer.is === "move" || answer.is === "left-out";
      const legal = named ? game.candidates(answer.at).candidates.map((one) => one.san) : [];
      if (named && !legal.includes(answer.san)) {
        const error = `${answer.san} is not legal there.`;
        const nearest = legal.slice(0, 3);
        throw new Failure(422, { error, hint: "Look at the move before.", nearest });
      }
    }
    const before = game.decode().plies;
    this.done.push({ game, answers: new Map(game.answers), what: JSON.stringify(answers[0]) });
    this.undone = [];
    for (const answer of answers) {
      const at = answer.is === "field" ? `field-${answer.name}` : (answer.at ?? answer.is);
      if (answer.is === "clear") game.answers.delete(at);
      else game.answers.set(at, answer);
    }
    const reply = this.changed(game, before, answers);
    this.keys.set(key, reply);
    return reply;
  }

  join(game, { other }) {
    this.games = this.games.filter((one) => one.id !== other);
    this.event.games = this.games;
    for (const seat of this.event.boards) if (seat.game === other) seat.game = null;
    game.version += 1;
    this.tell("games", {});
    return { id: game.id, version: game.version, game: game.game() };
  }

  assign(game, body) {
    this.done.push({ game, answers: new Map(game.answers), what: "assigned" });
    if (!this.event.assign(game, body)) throw new Failure(404, { error: "no such board" });
    this.tell("event", {});
    return this.changed(game, game.decode().plies, []);
  }

  changed(game, before, answers) {
    game.version += 1;
    if (this.exported) this.exported.changes_since += 1;
    const after = game.decode().plies;
    const changed = [];
    const places = new Set(answers.map((answer) => answer.at));
    for (let i = 0; i < Math.max(before.length, after.length); i++) {
      const [old, now] = [before[i]?.san ?? null, after[i]?.san ?? null];
      if (old !== now && !places.has((after[i] ?? before[i]).place)) {
        changed.push({ ply: i + 1, old, new: now });
      }
    }
    const first = [...before, ...after].find((one) => places.has(one.place))?.ply ?? Infinity;
    this.tell("game", { row: game.row() });
    return {
      version: game.version, final: true, game: game.game(), changed,
      above: changed.filter((change) => change.ply < first).length, refused: [],
    };
  }

  undo(from, to) {
    const step = from.pop();
    if (!step) return { id: null, what: "", version: 0, game: null };
    const { game } = step;
    to.push({ game, answers: new Map(game.answers), what: step.what });
    game.answers = step.answers;
    game.version += 1;
    this.tell("game", { row: game.row() });
    return { id: game.id, what: step.what, version: game.version, game: game.game() };
  }

  exportAll() {
    this.exported = { at: Math.floor(Date.now() / 1000), changes_since: 0 };
    this.exports += 1;
    const rows = this.games.map((game) => game.row());
    const open = rows.filter((row) => row.state !== "settled").length;
    this.tell("export", this.exported);
    return {
      files: [
        { path: "round6.pgn", what: "the games" },
        { path: "round6.fixes.toml", what: "the answers" },
      ],
      games: rows.length, moves: rows.reduce((sum, row) => sum + row.moves, 0), open,
      status: open ? 2 : 0,
    };
  }

  /** Pictures: the sample itself, and drawings that show a part of it. */
  async sendPicture(id, kind, name, url, response) {
    const game = this.games.find((one) => one.sheetId === id);
    if (!game) throw new Failure(404, { error: "no such sheet" });
    if (this.plainCloseUps && kind !== "page.jpg") {
      send(response, 200, "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"/>');
      return null;
    }
    const file = await readFile(SAMPLES + game.reading.name);
    if (kind === "page.jpg") {
      send(response, 200, "image/jpeg", file);
      return null;
    }
    const [{ width, height, cells }] = game.game().sheets;
    const image = `<image id="i" width="${width}" height="${height}" ` +
      `href="data:image/jpeg;base64,${file.toString("base64")}"/>`;
    const part = ([x, y, w, h], at = "") =>
      `<svg ${at} viewBox="${x} ${y} ${w} ${h}" preserveAspectRatio="none"><use href="#i"/></svg>`;
    const area = (box, more) => {
      const [xs, ys] = [box.map((p) => p[0]), box.map((p) => p[1])];
      const [w, h] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
      return [Math.min(...xs), Math.min(...ys) - h * more, w, h * (1 + 2 * more)];
    };
    let drawing;
    let size;
    if (kind === "strips.jpg") {
      size = [384, 24 * cells.length];
      drawing = cells.map((cell, k) => part(
        area(cell.box, 0),
        `x="${192 * (k % 2)}" y="${48 * (k >> 1)}" width="192" height="48"`,
      )).join("");
    } else if (kind === "cells") {
      const cell = cells.find((one) => one.place === `0-${name.replace(".jpg", "")}`);
      if (!cell) throw new Failure(404, { error: "no such cell" });
      const [x, y, w, h] = area(cell.box, 0.5);
      size = [Math.round(w), Math.round(h)];
      drawing = part([x, y, w, h], `width="${w}" height="${h}"`);
    } else {
      const [x, y, w, h] = ["x", "y", "w", "h"].map((one) => Number(url.searchParams.get(one)));
      size = [w, h];
      drawing = part([x, y, w, h], `width="${w}" height="${h}"`);
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}">` +
      `<defs>${image}</defs>${drawing}</svg>`;
    send(response, 200, "image/svg+xml", svg);
    return null;
  }

  follow(response) {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.flushHeaders();
    this.events.add(response);
    response.on("close", () => this.events.delete(response));
    return null;
  }

  /** Sends an event to every page. */
  tell(event, data) {
    this.number += 1;
    const id = `${this.epoch}:${this.number}`;
    const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const stream of this.events) stream.write(text);
  }
}

async function readBody(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function send(response, status, type, body) {
  response.writeHead(status, {
    "Content-Type": type, "Content-Security-Policy": POLICY, "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
  });
  response.end(body);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = new FakeServer(Number(process.argv[2] ?? 4));
  console.log(await server.listen(Number(process.argv[3] ?? 0)));
}
