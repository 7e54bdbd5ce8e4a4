/**
 * What the server sends and takes, and the page's own types, for tsc alone: this file is no part of
 * the page.
 */

type Point = [number, number];
/** Clockwise from the top left, in pixels of the upright page. */
type Corners = [Point, Point, Point, Point];
type Side = "white" | "black";
type FieldName = "white" | "black" | "round" | "board" | "date" | "result";
type GameState =
  "reading" | "unread" | "cut" | "doubtful" | "ready" | "settled" | "stale";

interface Run {
  epoch: string;
  version: string;
  name: string;
  phase: "reading" | "decoding" | "ready";
  files: { total: number; done: number };
  games: { total: number; done: number };
  open: number;
  settled: number;
  languages: { code: string; letters: string }[];
  outputs: { pgn: string; fixes: string };
  exported: null | { at: number; changes_since: number };
  event: null | { name: string; rounds: { round: number; boards: number }[] };
  can_undo: boolean;
  can_redo: boolean;
  /** Whether phones may be let send pictures. */
  listen: boolean;
  /** The folder of pictures that are added, if the run takes any. */
  inbox: string | null;
}

/** The time in which phones may send pictures. */
interface PhoneSession {
  url: string;
  qr: { size: number; path: string };
  /** Seconds since the beginning of 1970. */
  ends: number;
  phones: { id: number; address: string; state: "admitted" | "waiting" | "turned-away" }[];
  /** Number of pictures that came. */
  pictures: number;
}

interface Row {
  id: string;
  white: string;
  black: string;
  round: string;
  board: string;
  result: string;
  sheets: string[];
  state: GameState;
  doubts: number;
  moves: number;
  cut_at: string | null;
  reason: string | null;
  version: number;
  final: boolean;
}

interface Games {
  epoch: string;
  number: number;
  games: Row[];
  faults: { path: string; page: number | null; reason: string }[];
}

interface Field {
  value: string;
  answered: boolean;
  proposal: string;
  confidence: number;
  sheet: number | null;
  box: Corners | null;
}

interface Cell {
  move: number;
  side: Side;
  place: string;
  state: "blank" | "written" | "struck-out";
  read: string;
  read_confidence: number;
  box: Corners;
  use: null | "move" | "unread";
  reason: string | null;
}

interface Sheet {
  id: string;
  name: string;
  page: number;
  width: number;
  height: number;
  language: string;
  cells: Cell[];
}

interface Ply {
  ply: number;
  san: string;
  uci: string;
  spelling: string;
  confidence: number;
  review: boolean;
  why: null | "low" | "no-cell" | "copies-differ" | "cell-unread";
  settled: boolean;
  seen: boolean;
  place: string;
  cells: { sheet: number; place: string; move: number; side: Side; read: string }[];
  alternatives: { san: string; spelling: string; confidence: number }[];
}

type Answer =
  | { at: string; is: "move"; san: string }
  | { at: string; is: "none" }
  | { at: string; is: "seen" }
  | { at: string; is: "left-out"; san: string }
  | { at: string; is: "end" }
  | { is: "settled"; moves: string[] }
  | { is: "field"; name: FieldName; text: string }
  | { at: string; is: "clear" };

interface Game {
  id: string;
  version: number;
  final: boolean;
  row: Row;
  language: string;
  letters: string;
  complete: boolean;
  break_off: string | null;
  break_at: null | { ply: number; place: string | null; places?: string[] };
  result: string;
  fields: Record<FieldName, Field>;
  sheets: Sheet[];
  plies: Ply[];
  unread: { place: string; read: string; reason: string }[];
  answers: Answer[];
  refused: Answer[];
  settled: boolean;
  /** The game whose beginning is the same, if it may be the same game. */
  begins_like?: string | null;
  /** Where it belongs in the event, if there is one. */
  pairing?: null | {
    round: number | null; board: number | null; exchanged: boolean; runners_up: Place[];
  };
}

/** A board of the event, with the colours as paired; those of the sheet may be exchanged. */
interface Place {
  round: number;
  board: number;
  white: string;
  black: string;
  exchanged?: boolean;
  /** Probability of the board for a game: 0 to 1. */
  odds?: number;
}

interface Seat extends Place {
  numbered: boolean;
  result: string;
  kind: "game" | "forfeit" | "bye";
  game: string | null;
  others: string[];
  state: GameState | null;
  checks: string[];
}

interface Check {
  code: string;
  level: "E" | "W" | "I";
  place: string;
  text: string;
  round: number | null;
  board: number | null;
  game: string | null;
  other: string | null;
  /** From 1. */
  ply: number | null;
  sheet: number | null;
}

interface EventReply {
  name: string;
  boards: Seat[];
  tray: { id: string; sheets: string[]; why: string; runners_up: Place[] }[];
  checks: Check[];
}

interface Candidate {
  san: string;
  uci: string;
  spelling: string;
  share: number;
  fit: number;
}

interface Candidates {
  place: string;
  ply: number;
  fen: string;
  san: string | null;
  why: string | null;
  candidates: Candidate[];
}

interface Change {
  ply: number;
  old: string | null;
  new: string | null;
}

interface AnswerReply {
  version: number;
  final: boolean;
  game: Game;
  changed: Change[];
  above: number;
  refused: Answer[];
}

interface StepReply {
  id: string | null;
  what: string;
  version: number;
  game: Game | null;
}

interface ExportReply {
  files: { path: string; what: string }[];
  games: number;
  moves: number;
  open: number;
  status: number;
}

interface Failure {
  error: string;
  hint: string;
  game?: Game;
  nearest?: string[];
}

/** An answer, or several that are one step of undo, on its way to the server. */
interface Unsent {
  key: string;
  game: string;
  base: number;
  answers: Answer[];
  /** What the status line says once it is saved. */
  what: string;
}

/** A move above the place of an answer that the answer changed; its index counts from 0. */
type TextName = import("./texts.js").TextName;

interface MoveAbove {
  place: string;
  old: string;
  new: string | null;
  index: number;
}

/** A piece letter as in FEN for each occupied square. */
type Position = Record<string, string>;

/** An element of index.html, whichever it is. */
type Part = HTMLElement & {
  value: string;
  checked: boolean;
  disabled: boolean;
  open: boolean;
  returnValue: string;
  showModal(): void;
  close(value?: string): void;
};
