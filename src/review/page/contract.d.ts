/** What the server sends and takes. It is read by tsc alone and is no part of the page. */

export type Point = [number, number];
/** Clockwise from the top left, in pixels of the upright page. */
export type Corners = [Point, Point, Point, Point];
export type Side = "white" | "black";
export type FieldName = "white" | "black" | "round" | "board" | "date" | "result";
export type GameState =
  "reading" | "unread" | "cut" | "doubtful" | "ready" | "settled" | "stale";

export interface Run {
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
  can_undo: boolean;
  can_redo: boolean;
}

export interface Row {
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

export interface Games {
  epoch: string;
  number: number;
  games: Row[];
  faults: { path: string; page: number | null; reason: string }[];
}

export interface Field {
  value: string;
  answered: boolean;
  proposal: string;
  confidence: number;
  sheet: number | null;
  box: Corners | null;
}

export interface Cell {
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

export interface Sheet {
  id: string;
  name: string;
  page: number;
  width: number;
  height: number;
  language: string;
  cells: Cell[];
}

export interface Ply {
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
  /** Expected number of moves that an answer changes, if the server knows it. */
  mends?: number;
}

export type Answer =
  | { at: string; is: "move"; san: string }
  | { at: string; is: "none" }
  | { at: string; is: "seen" }
  | { at: string; is: "left-out"; san: string }
  | { at: string; is: "end" }
  | { is: "settled"; moves: string[] }
  | { is: "field"; name: FieldName; text: string }
  | { at: string; is: "clear" };

export interface Game {
  id: string;
  version: number;
  final: boolean;
  row: Row;
  language: string;
  letters: string;
  complete: boolean;
  break_off: string | null;
  break_at: null | { ply: number; place: string | null };
  result: string;
  fields: Record<FieldName, Field>;
  sheets: Sheet[];
  plies: Ply[];
  unread: { place: string; read: string; reason: string }[];
  answers: Answer[];
  refused: Answer[];
  settled: boolean;
}

export interface Candidate {
  san: string;
  uci: string;
  spelling: string;
  share: number;
  fit: number;
}

export interface Candidates {
  place: string;
  ply: number;
  fen: string;
  san: string | null;
  why: string | null;
  candidates: Candidate[];
}

export interface Change {
  ply: number;
  old: string | null;
  new: string | null;
}

export interface AnswerReply {
  version: number;
  final: boolean;
  game: Game;
  changed: Change[];
  above: number;
  refused: Answer[];
}

export interface StepReply {
  id: string | null;
  what: string;
  version: number;
  game: Game | null;
}

export interface ExportReply {
  files: { path: string; what: string }[];
  games: number;
  moves: number;
  open: number;
  status: number;
}

export interface Failure {
  error: string;
  hint: string;
  game?: Game;
  nearest?: string[];
}

/** An answer, or several that are one step of undo, on its way to the server. */
export interface Unsent {
  key: string;
  game: string;
  base: number;
  answers: Answer[];
  /** What the status line says once it is saved. */
  what: string;
}
