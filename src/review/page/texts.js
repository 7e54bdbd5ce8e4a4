/**
 * Every text of the page, in English; index.html names them. `{0}` is the first value, and
 * `{0|move|moves}` the first value with the word for one or for several.
 */
const TEXTS = {
  title: "sheetscan review",
  program: "sheetscan",
  games: "Games",
  toDo: "To do",
  all: "All",
  boards: "Boards",
  checks: "Checks",
  whose: "Whose",
  undo: "Undo",
  redo: "Redo",
  theme: "◐ Light or dark",
  help: "? Keys and settings",
  exportPgn: "Export PGN",
  sheet: "Sheet",
  answer: "Answer",
  moves: "Moves",
  views: "Views",
  zoomOut: "− Zoom out",
  zoomIn: "+ Zoom in",
  follow: "Follow",
  otherCopy: "Other copy",
  sideBySide: "Both",
  candidates: "Candidates",
  moveField: "Type the move in any language, or press a key; ? lists the keys",
  movePlaceholder: "Type a move: Nb5, 0-0 …",
  right: "Right",
  previousDoubt: "‹ Doubt",
  nextDoubtShort: "Doubt ›",
  nextDoubt: "Next doubt",
  rightDownToHere: "All right down to here",
  illegible: "Illegible, leave it",
  noMove: "Cell is no move",
  leftOut: "Move left out here",
  gameEnds: "Game ends before",
  takeBack: "Take back my answer",
  turnBoard: "Turn",
  beforeAfter: "Before / after",
  strips: "Strips",
  settle: "Settle this game, go on",
  settleAnyway: "Settle it anyway, go on",
  keys: "Keys",
  close: "Close",
  progress: "Games settled",
  asItWas: "No, as it was",
  exported: "Exported",
  conflict: "Answered elsewhere meanwhile",
  keepTheirs: "Keep the other",
  useMine: "Use mine",
  altLetters: "Letters act only together with Alt",
  themeLabel: "Colours",
  themeAuto: "As the system has it",
  themeLight: "Light",
  themeDark: "Dark",
  scrollSheet: "Photograph, scrollable",
  scrollMoves: "List of moves",
  white: "White",
  black: "Black",
  round: "Round",
  board: "Board",
  date: "Date",
  result: "Result",

  seat: "Round {0}, board {1}: {2}",
  exchanged: "colours exchanged",
  noSheet: "no sheet",
  forfeit: "forfeit",
  bye: "bye",
  chooseSheet: "Choose a sheet above.",
  tray: "{0|game|games} without a board",
  part: "Take apart",
  join: "Join with {0}",
  unassign: "Take back my answer",
  unassigned: "No board said",

  noToken:
    "This address lacks its token. Open the address that sheetscan review has printed in the " +
    "terminal.",
  offline: "The server does not answer. Is sheetscan review still running in the terminal?",
  noGames: "No game yet. The first appears as soon as it is read.",
  nothingToDo: "Nothing is left to do. All shows every game.",
  chooseGame: "Choose a game in the list.",
  counts: "{0} of {1} settled · {2} to do",
  unread: "{0} unread",
  reading: "reading {0} of {1} pictures",
  decoding: "decoding",
  exportedAt: "exported {0}",
  changesSince: "{0|change|changes} since",
  cutAt: "cut at {0}",
  doubts: "{0} ?",
  doubtsSpoken: "{0|doubt|doubts}",
  stateReading: "…",
  stateUnread: "✕ no game",
  stateReady: "ready",
  stateSettled: "✓ settled",
  stateStale: "! changed",
  gameCut: "Breaks off at {0}",
  gameDoubtful: "{0} to look at",
  gameReady: "Ready to settle",
  gameSettled: "Settled",
  moveCount: "{0|move|moves}",
  faults: "{0|picture|pictures} without a game",

  photograph: "Photograph of the score sheet {0}",
  closeUp: "The cell of {0} enlarged, {1}",
  noPicture: "No picture of this cell",
  regionOf: "What the sheet has for {0}",
  proposal: "Read: {0} ({1} %)",
  page: "page {0}",
  row: "row {0}",

  cellReads: "the cell reads “{0}” ({1} %)",
  cellUnread: "the cell reads “{0}”, and no legal game leads there",
  copyReads: "{0}: reads “{1}”",
  copyIllegible: "{0}: nothing legible",
  breakOff: "The record breaks off here.",
  breakOffRead:
    "The record breaks off here. The next cell that was read says “{0}”, and no legal game leads " +
    "there.",
  settledByYou: "you said so",
  seenByYou: "you could not read it either",
  nothingLegible: "nothing legible in the cell",
  copiesDiffer: "the copies differ",
  noCell: "no cell explains this move",
  blankCell: "an empty cell",
  noMoveCell: "no move, you said",
  leftOutCell: "a move was left out before it, you said",
  endCell: "the game ends before it, you said",
  typeLeftOut: "Type the move that was left out before this one; Esc: none.",
  noLegalMove: "No legal move reads so. Is a move before it wrong? The up arrow goes back.",
  noCandidates: "No candidates. Type the move, play it on the board, or press t: it ends here.",
  loading: "Looking at the legal moves…",
  promote: "Promotion: choose the piece.",
  percent: "{0} %",
  markNew: "new",
  markSettled: "✓",
  markIllegible: "illegible",
  markDoubt: "? {0}",
  breaksOff: "breaks off",
  moveLabel: "{0} {1}, move {2} {3}",
  boardBefore: "before {0}",
  boardAfter: "after {0}",
  boardLabel: "Board {0}. White: {1}. Black: {2}.",
  deferred: "{0}… a move, or the key?",

  held: "{0} held",
  heldDownTo: "All right down to {0} ({1|move|moves})",
  heldDownToLow: "All right down to {0} ({1|move|moves}, {2} below 50 %)",
  markedSeen: "{0} illegible to you too: left as read",
  markedNone: "{0}: the cell is no move",
  markedEnd: "The game ends before {0}",
  markedLeftOut: "{0} was left out, held",
  cleared: "{0}: your answer is taken back",
  fieldSet: "{0}: {1}",
  unknown: "unknown",
  settled: "{0} settled",
  asBefore: "As it was: {0}",
  othersChanged: "{0|other|others} changed ({1})",
  nothingElse: "nothing else changed",
  breaksOffAt: "breaks off at {0}",
  readToEnd: "read to its end",
  noDoubts: "no doubts left",
  searching: "searching further…",
  saved: "saved",
  above: "Above: {0}.",
  aboveHint: "y holds the moves above as they were.",
  refused: "fits no game, left out: {0}",
  notSaved: "not saved: {0|answer|answers} waiting",
  nearest: "Nearest: {0}.",
  belowHalf: "{0|move is|moves are} below 50 %.",
  isCut: "The game breaks off.",
  settleAgain: "Ctrl+Enter once more settles it all the same.",
  waitForFinal: "It is settled as soon as the search has ended.",
  opened: "Now {0}",
  allDone: "{0} settled. Export",
  allDoneUnread: "{0} settled, {1} without a game. Export",
  toLookAt: "{0} to look at. Enter if the lit candidate is right.",
  toSettle: "No doubts. Ctrl+Enter settles the game.",
  undone: "Undone: {0}",
  redone: "Done again: {0}",
  nothingToUndo: "Nothing to undo.",
  nothingToRedo: "Nothing to redo.",
  noOtherCopy: "This game has one sheet.",
  lettersWithAlt: "Letters now act together with Alt.",
  lettersAlone: "Letters act by themselves while the field is empty.",
  conflictText: "Your answer was {0}. Another window has answered {1} at the same place.",
  noAnswer: "nothing",
  exporting: "Writing the files…",
  exportCounts: "{0|game|games}, {1|move|moves}; {2} still to look at",
  exportAll: "{0|game|games}, {1|move|moves}; nothing is left to look at",
};

/** @typedef {keyof typeof TEXTS} TextName */

/** A text with its values. @param {TextName} name @param {...(string|number)} values */
export const fillText = (name, ...values) =>
  TEXTS[name].replace(/\{(\d)(?:\|(.*?)\|(.*?))?\}/g, (_, index, one, many) => {
    const value = values[index];
    return one === undefined ? String(value) : `${value} ${value === 1 ? one : many}`;
  });

const languages = new Intl.DisplayNames("en", { type: "language" });

/** @param {string} code */
export const languageName = (code) => code && (languages.of(code) ?? code);

/** @type {Record<string, string>} */
const SPOKEN = {
  "O-O-O": "castles long", "O-O": "castles short", K: "king ", Q: "queen ", R: "rook ",
  B: "bishop ", N: "knight ", x: " takes ", "=": " promotes to ", "+": ", check", "#": ", mate",
};

/** A move in words. @param {string} san */
export const spokenMove = (san) => san.replace(/O-O-O|O-O|[KQRBNx=+#]/g, (sign) => SPOKEN[sign]);

/** The keys and what they do. @type {[string, string][]} */
export const KEYS = [
  ["Enter", "the lit candidate is right; next doubt (Shift: stay)"],
  ["1 … 9", "take that candidate"],
  ["a–h o 0 A–Z", "type a move, in the sheet's letters or English"],
  ["y", "all is right down to here"],
  ["n p", "next, previous doubt"],
  ["↑ ↓ PgUp PgDn", "previous, next move; ten rows"],
  ["j k", "next, previous sheet in need"],
  ["w", "the doubt whose answer changes most"],
  ["m", "a move was left out here: the next answer has no cell"],
  ["t", "the game ends before this"],
  ["i", "I cannot read it either"],
  ["x", "this cell is no move"],
  ["u r Ctrl+Z Ctrl+Y", "undo, redo"],
  ["Ctrl+Enter", "settle: all is right; next sheet"],
  ["Ctrl+S", "export"],
  ["v", "board before, after the move"],
  ["z + −", "picture follows or fits; zoom"],
  ["l", "the other copy"],
  ["s", "strips: each move beside its cell"],
  ["q", "whose game: board, names and result"],
  [".", "the boards of the event"],
  ["Esc", "clear the field, then leave it"],
];

/** The line of keys at the foot. @type {[string, string][]} */
export const HINTS = [
  ["Enter", "right"],
  ["y", "all right down to here"],
  ["1…9", "candidate"],
  ["n p", "doubt"],
  ["↑ ↓", "move"],
  ["j k", "sheet"],
  ["?", "keys"],
];

/** Puts the texts into the elements of index.html. */
export function fillPage() {
  for (const [name, put] of /** @type {[string, (e: Element, text: string) => void][]} */ ([
    ["data-text", (element, text) => element.prepend(text)],
    ["data-label", (element, text) => element.setAttribute("aria-label", text)],
    ["data-placeholder", (element, text) => element.setAttribute("placeholder", text)],
  ])) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      put(element, fillText(/** @type {TextName} */ (element.getAttribute(name))));
    }
  }
}
