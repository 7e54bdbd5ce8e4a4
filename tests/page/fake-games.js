/**
 * Games of the fake server: readings of the project's own samples (samples/*.jpg, read by
 * sheetscan), with faults put into them that a person has to mend.
 */

import { readFileSync } from "node:fs";
import { legalMoves, play, startPosition, toFen } from "./rules.js";

const readings = JSON.parse(readFileSync(new URL("readings.json", import.meta.url), "utf8"));
const LETTERS = { it: "RDTAC", pt: "RDTBC" };
/** Size of the samples in pixels. */
const SIZES = {
  "06_partita_1_it.jpg": [1669, 2100],
  "07_partita_2_it.jpg": [1390, 1700],
  "05_appendice_e_it.jpg": [1538, 2000],
  "01_apendice_e_pt.jpg": [1416, 1900],
};
const ROWS = 30;

/**
 * Faults by ply: what is shown instead, its confidence, and what stands in the cell. `cut` is the
 * ply from which nothing was read until it is answered; `above` a ply that an answer changes.
 */
const FAULTS = [
  {
    white: "Valle, P.", black: "Riva, S.", board: "14",
    doubts: { 14: [null, 0.735, ""], 21: ["Na4", 0.261, ""], 24: [null, 0.861, "Ab4+"] },
    cut: 44, unread: [46, 47, 48],
  },
  {
    white: "Ferri, A.", black: "Neri, B.", board: "4",
    doubts: { 6: [null, 0.62, "d6"], 15: ["Na4", 0.55, ""] },
  },
  { white: "", black: "", board: "", doubts: {} },
  {
    white: "<img src=x onerror=alert(1)>", black: "Costa, M.", board: "7",
    doubts: { 4: [null, 0.8, "Cf6"], 17: ["Nc3", 0.41, "Cc3"] },
  },
];

const sideOf = (ply) => (ply % 2 ? "white" : "black");

/** Where a person's cell stands, by ply. */
const placeOf = (ply) => `0-${Math.ceil(ply / 2)}${ply % 2 ? "w" : "b"}`;

/** All cells of a sheet: those that were read, and empty ones below them. */
function makeCells(reading, faults) {
  const [, height] = SIZES[reading.name];
  const boxes = { white: [], black: [] };
  for (let ply = 1; ply <= reading.plies.length; ply++) {
    boxes[sideOf(ply)].push(reading.plies[ply - 1][4]);
  }
  const pitch = boxes.white.at(-1)[0][1] - boxes.white.at(-2)[0][1];
  const cells = [];
  for (let row = 1; row <= ROWS; row++) {
    for (const side of ["white", "black"]) {
      const ply = 2 * row - (side === "white" ? 1 : 0);
      const last = boxes[side].at(-1);
      const down = (row - boxes[side].length) * pitch;
      const box = boxes[side][row - 1] ?? last.map(([x, y]) => [x, Math.round(y + down)]);
      if (box[2][1] > height) continue;
      const read = faults.doubts[ply]?.[2] ?? reading.plies[ply - 1]?.[3] ?? "";
      cells.push({
        move: row, side, place: placeOf(ply),
        state: ply <= reading.plies.length ? "written" : "blank", read,
        read_confidence: read ? 0.97 : 0.3, box, use: null, reason: null,
      });
    }
  }
  return cells;
}

function spell(san, letters) {
  return san.replace(/[KQRBN]/g, (letter) => letters["KQRBN".indexOf(letter)]);
}

/** Decoded games by reading and answers. */
const decoded = new Map();

export class FakeGame {
  constructor(number, index = number) {
    this.reading = readings[index % readings.length];
    this.faults = FAULTS[index % FAULTS.length];
    this.id = (0xabc000000000 + number).toString(16);
    this.sheetId = (0x5ee000000000 + number).toString(16);
    this.letters = LETTERS[this.reading.language];
    this.cells = makeCells(this.reading, this.faults);
    /** @type {Map<string, any>} answers by place, `settled` or `field-NAME` */
    this.answers = new Map();
    this.version = 1;
  }

  /** Lets the reader have read a result. @param {string} result */
  readResult(result) {
    this.reading = { ...this.reading, tags: { ...this.reading.tags, Result: result } };
  }

  /** The moves as they would be decoded, kept until an answer changes them. */
  decode() {
    const key = `${this.reading.name} ${JSON.stringify([...this.answers.values()])}`;
    if (!decoded.has(key)) decoded.set(key, this.decodeAnew());
    const { plies, ended } = decoded.get(key);
    return { plies: plies.map((ply) => ({ ...ply })), ended };
  }

  /** Answers, then faults, then the truth. */
  decodeAnew() {
    const plies = [];
    let position = startPosition();
    const { doubts, cut } = this.faults;
    for (let ply = 1; ply <= this.reading.plies.length; ply++) {
      const place = placeOf(ply);
      const answer = this.answers.get(place);
      if (answer?.is === "end") return { plies, ended: true };
      const held = answer?.is === "move" ? answer.san : null;
      if (ply === cut && !held) return { plies, ended: false };
      const [wrong, confidence] = doubts[ply] ?? [null, 0.99];
      const truth = this.reading.plies[ply - 1][0];
      const san = held ?? wrong ?? truth;
      const move = legalMoves(position).find((one) => one.san === san);
      if (!move) return { plies, ended: false };
      plies.push({ ply, ...move, truth, held: held !== null, confidence, position, place });
      position = play(position, move.uci);
    }
    return { plies, ended: true };
  }

  game() {
    const { plies, ended } = this.decode();
    const settled = this.answers.has("settled");
    const cells = this.cells.map((cell) => ({ ...cell }));
    const cellOf = (place) => cells.find((cell) => cell.place === place);
    const shown = plies.map(({ ply, san, uci, held, confidence, place, truth }) => {
      const cell = cellOf(place);
      cell.use = "move";
      const seen = this.answers.get(place)?.is === "seen";
      const isHeld = held || settled;
      return {
        ply, san, uci, spelling: spell(san, this.letters), confidence: isHeld ? 1 : confidence,
        review: !isHeld && !seen && confidence < 0.92, why: confidence < 0.92 ? "low" : null,
        settled: isHeld, seen, place,
        cells: [{ sheet: 0, place, move: cell.move, side: cell.side, read: cell.read }],
        alternatives: confidence < 0.92 && san !== truth
          ? [{ san: truth, spelling: spell(truth, this.letters), confidence: 0.4 }] : [],
      };
    });
    const next = plies.length + 1;
    const unread = ended ? [] : (this.faults.unread ?? []).map((ply) => {
      const cell = cellOf(placeOf(ply));
      Object.assign(cell, { use: "unread", reason: "after-the-break" });
      return { place: cell.place, read: cell.read, reason: "after-the-break" };
    });
    const [width, height] = SIZES[this.reading.name];
    return {
      id: this.id, version: this.version, final: true, row: this.row(), complete: ended,
      language: this.reading.language, letters: this.letters,
      break_off: ended ? null : "The record breaks off here.",
      break_at: ended ? null : { ply: next, place: cellOf(placeOf(next)) ? placeOf(next) : null },
      result: this.reading.tags.Result, fields: this.fields(),
      sheets: [{
        id: this.sheetId, name: this.reading.name, page: 1, width, height,
        language: this.reading.language, cells,
      }],
      plies: shown, unread, answers: [...this.answers.values()], refused: [], settled,
    };
  }

  fields() {
    const tops = { white: 245, black: 325, round: 165, board: 165, result: 1870 };
    const boxOf = (top) => [[170, top], [900, top], [900, top + 70], [170, top + 70]];
    const values = {
      white: this.faults.white, black: this.faults.black, round: "3", board: this.faults.board,
      date: "", result: this.reading.tags.Result,
    };
    const fields = {};
    for (const [name, value] of Object.entries(values)) {
      const answer = this.answers.get(`field-${name}`);
      const known = Boolean(value) && name !== "result";
      fields[name] = {
        value: answer?.text ?? value, answered: Boolean(answer),
        proposal: name === "white" && !value ? "P. Bianchi" : known ? value : "",
        confidence: 0.8, sheet: tops[name] ? 0 : null,
        box: tops[name] ? boxOf(tops[name]) : null,
      };
    }
    return fields;
  }

  row() {
    const { plies, ended } = this.decode();
    const open = plies.filter(
      (p) => !p.held && p.confidence < 0.92 && this.answers.get(p.place)?.is !== "seen",
    ).length;
    const next = plies.length;
    const state = this.answers.has("settled") ? "settled"
      : !ended ? "cut" : open ? "doubtful" : "ready";
    const fields = this.fields();
    return {
      id: this.id, white: fields.white.value, black: fields.black.value, round: "3",
      board: fields.board.value, result: fields.result.value, sheets: [this.reading.name], state,
      doubts: state === "settled" ? 0 : open + (ended ? 0 : 1), moves: plies.length,
      cut_at: ended ? null : `${(next >> 1) + 1}${next % 2 ? "..." : ""}`, reason: null,
      version: this.version, final: true,
    };
  }

  /** The legal moves at a place, the likely ones first. */
  candidates(place) {
    const { plies } = this.decode();
    const at = plies.findIndex((one) => one.place === place);
    const [, row, side] = /^0-(\d+)([wb])$/.exec(place) ?? [];
    const wanted = row ? 2 * Number(row) - (side === "w" ? 1 : 0) : plies.length + 1;
    const ply = at >= 0 ? at + 1 : Math.min(wanted, plies.length + 1);
    let position = startPosition();
    for (const one of plies.slice(0, ply - 1)) position = play(position, one.uci);
    const current = plies[ply - 1];
    const truth = this.reading.plies[ply - 1]?.[0];
    const score = (san) => (
      san === truth ? 40 : san === current?.san ? 26 : (san.codePointAt(0) % 7) ** 3 / 60);
    const moves = legalMoves(position);
    const total = moves.reduce((sum, { san }) => sum + score(san), 0);
    const candidates = moves.map(({ san, uci }) => ({
      san, uci, spelling: spell(san, this.letters), share: score(san) / total, fit: -score(san),
    }));
    candidates.sort((a, b) => b.share - a.share);
    return {
      place, ply, fen: toFen(position), san: at >= 0 ? current.san : null, why: null, candidates,
    };
  }
}
