// @ts-check
/** Every text of the page, in English. Index.html names them in `data-text` and `data-label`. */

/** @param {number} count @param {string} one @param {string} many */
const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** @type {Record<string, string>} */
const PIECE_NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** @type {Record<string, string>} */
const LANGUAGE_NAMES = {
  en: "English",
  pt: "Portuguese",
  it: "Italian",
  es: "Spanish",
  fr: "French",
  de: "German",
  nl: "Dutch",
  pl: "Polish",
  tr: "Turkish",
};

export const texts = {
  title: "sheetscan review",
  program: "sheetscan",
  games: "Games",
  toDo: "To do",
  all: "All",
  undo: "Undo",
  redo: "Redo",
  theme: "Light or dark",
  help: "? Keys and settings",
  exportPgn: "Export PGN",
  sheet: "Picture of the sheet",
  answer: "Current move",
  moves: "Moves",
  views: "Views",
  viewAnswer: "Answer",
  viewSheet: "Sheet",
  zoomOut: "Zoom out −",
  zoomIn: "Zoom in +",
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
  header: "Names and result",
  settle: "Settle this game, go on",
  settleAnyway: "Settle it anyway, go on",
  settleShort: "Settle, go on",
  keys: "Keys",
  keyHints: "Keys",
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
  scrollSheet: "Sheet, scrollable",
  noDoubts: "no doubts left",
  before: "before",
  after: "after",
  breaksOff: "breaks off",
  noToken:
    "This address lacks its token. Open the address that sheetscan review has printed in the " +
    "terminal.",
  noGames: "No game yet. The first appears here as soon as it is read.",
  allSheetsSettled: "Nothing is left to do here. The tab All shows every game.",
  chooseGame: "Choose a game in the list.",
  exporting: "Writing the files…",
  offline: "The server does not answer. Is sheetscan review still running in the terminal?",
  nothingToUndo: "Nothing to undo.",
  nothingToRedo: "Nothing to redo.",
  lettersWithAlt: "Letters now act together with Alt.",
  lettersAlone: "Letters act by themselves while the field is empty.",
  noLegalMove: "No legal move reads so. Is a move before it wrong? The up arrow goes back.",
  noCandidates: "No candidates. Type the move, play it on the board, or press t: it ends here.",
  loadingCandidates: "Looking at the legal moves…",
  typeLeftOut: "Type the move that was left out before this one; Esc takes this back.",
  searching: "searching further…",
  saved: "saved",
  nothingElse: "nothing else changed",
  readToEnd: "read to its end",
  settledByYou: "you said so",
  seenByYou: "you could not read it either",
  nothingLegible: "nothing legible in the cell",
  noPicture: "No picture of this cell",
  copiesDiffer: "the copies differ",
  noCell: "no cell explains this move",
  noDoubt: "no doubt about it",
  blankCell: "an empty cell",
  noMoveCell: "this cell is no move, you said",
  leftOutCell: "a move was left out before this cell, you said",
  endCell: "the game ends before this cell, you said",
  promote: "Promotion: choose the piece.",
  stateReading: "…",
  stateUnread: "✕ no game",
  stateReady: "ready",
  stateSettled: "✓ settled",
  stateStale: "! changed",
  waitForFinal: "It is settled as soon as the search has ended.",
  noOtherCopy: "This game has one sheet.",
  boardAfter: "The board shows the position after the move.",
  boardBefore: "The board shows the position before the move.",
  deferred: "… a move, or the key?",

  /** @param {string} code */
  language: (code) => LANGUAGE_NAMES[code] ?? code,
  /** @param {"white"|"black"|"round"|"board"|"date"|"result"} name */
  field: (name) =>
    ({
      white: "White",
      black: "Black",
      round: "Round",
      board: "Board",
      date: "Date",
      result: "Result",
    })[name],
  /** @param {string} text @param {number} confidence */
  proposal: (text, confidence) => `Read: ${text} (${Math.round(confidence * 100)} %)`,
  /** @param {string} name */
  regionOf: (name) => `What the sheet has for ${name}`,
  /** @param {import("./contract").Run} run @param {number} unread */
  counts: (run, unread) =>
    [
      `${run.settled} of ${run.games.total} settled`,
      `${run.open} to do`,
      unread ? `${unread} unread` : "",
    ]
      .filter(Boolean)
      .join(" · "),
  /** @param {import("./contract").Run} run */
  reading: (run) => {
    const { done, total } = run.files;
    return done < total ? `reading ${done} of ${total} pictures` : "decoding";
  },
  /** @param {string} time @param {number} changes */
  exportedAt: (time, changes) =>
    `exported ${time}${changes ? `, ${plural(changes, "change", "changes")} since` : ""}`,
  /** @param {string} at */
  cutAt: (at) => `cut at ${at}`,
  /** @param {number} count */
  doubts: (count) => `${count} ?`,
  /** @param {number} count */
  doubtsSpoken: (count) => plural(count, "doubt", "doubts"),
  /** @param {string} cut @param {number} doubts */
  gameCut: (cut, doubts) =>
    `Breaks off at ${cut}${doubts ? ` · ${doubts} to look at` : ""}`,
  /** @param {number} doubts */
  gameDoubtful: (doubts) => `${doubts} to look at`,
  gameReady: "Ready to settle",
  gameSettled: "Settled",
  /** @param {number} count */
  moveCount: (count) => plural(count, "move", "moves"),
  /** @param {string} name */
  photograph: (name) => `Photograph of the score sheet ${name}`,
  /** @param {string} move @param {string} sheet */
  closeUp: (move, sheet) => `The cell of ${move} enlarged, ${sheet}`,
  /** @param {string} read @param {number} confidence */
  cellReads: (read, confidence) => `the cell reads “${read}” (${Math.round(confidence * 100)} %)`,
  /** @param {string} read */
  cellUnread: (read) => `the cell reads “${read}”, and no legal game leads there`,
  /** @param {string} read */
  copyReads: (read) => (read ? `reads “${read}”` : "nothing legible"),
  /** @param {string|undefined} read */
  breakOff: (read) =>
    "The record breaks off here." +
    (read ? ` The next cell that was read says “${read}”, and no legal game leads there.` : ""),
  /** @param {string} spelling */
  onSheet: (spelling) => `on the sheet ${spelling}`,
  /** @param {string} san @param {string} spoken @param {string} share */
  candidate: (san, spoken, share) => `${san}, ${spoken}, ${share}`,
  /** @param {number} share */
  percent: (share) => (share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(share * 100)} %`),
  /** @param {string} san */
  spoken: (san) =>
    san
      .replace(/^O-O-O/, "castles long")
      .replace(/^O-O/, "castles short")
      .replace(/^[KQRBN]/, (letter) => `${PIECE_NAMES[letter]} `)
      .replace(/=([QRBN])/, (_, letter) => ` promotes to ${PIECE_NAMES[letter]}`)
      .replace("x", " takes ")
      .replace("+", ", check")
      .replace("#", ", mate")
      .replace(/ +/g, " "),
  /** @param {string} when @param {string} move */
  boardCaption: (when, move) => `${when} ${move}`,
  /** @param {string} caption @param {string} white @param {string} black */
  boardLabel: (caption, white, black) => `Board ${caption}. White: ${white}. Black: ${black}.`,
  /** @param {string} move @param {string} mark @param {number} number @param {boolean} white */
  moveLabel: (move, mark, number, white) =>
    `${move}${mark ? ` ${mark}` : ""}, move ${number} ${white ? "White" : "Black"}`,
  /** @param {number} row */
  rowNumber: (row) => `row ${row}`,
  markNew: "new",
  markSettled: "✓",
  markIllegible: "illegible",
  /** @param {string} percent */
  markDoubt: (percent) => `? ${percent}`,

  /** @param {string} move */
  held: (move) => `${move} held`,
  /** @param {string} move @param {number} moves @param {number} low */
  heldDownTo: (move, moves, low) =>
    `All right down to ${move} (${plural(moves, "move", "moves")}` +
    `${low ? `, ${low} below 50 %` : ""})`,
  /** @param {string} move */
  markedSeen: (move) => `${move} illegible to you too: left as read`,
  /** @param {string} move */
  markedNone: (move) => `${move}: the cell is no move`,
  /** @param {string} move */
  markedEnd: (move) => `The game ends before ${move}`,
  /** @param {string} move */
  markedLeftOut: (move) => `${move} was left out, held`,
  /** @param {string} move */
  cleared: (move) => `${move}: your answer is taken back`,
  /** @param {string} field @param {string} text */
  fieldSet: (field, text) => `${field}: ${text || "unknown"}`,
  /** @param {string} name */
  settled: (name) => `${name} settled`,
  /** @param {string} moves */
  asBefore: (moves) => `As it was: ${moves}`,
  /** @param {number} count @param {string} moves */
  othersChanged: (count, moves) => `${plural(count, "other", "others")} changed (${moves})`,
  /** @param {string} move */
  breaksOffAt: (move) => `breaks off at ${move}`,
  /** @param {string} list */
  above: (list) => `Above: ${list}.`,
  aboveHint: "y holds the moves above as they were.",
  /** @param {string} list */
  refused: (list) => `fits no game, left out: ${list}`,
  /** @param {number} count */
  notSaved: (count) => `not saved: ${plural(count, "answer", "answers")} waiting`,
  /** @param {string} error @param {string} hint @param {string[]} nearest */
  notTaken: (error, hint, nearest) =>
    [error, hint, nearest.length ? `Nearest: ${nearest.join(", ")}.` : ""]
      .filter(Boolean)
      .join(" "),
  /** @param {number} low @param {boolean} cut */
  confirmSettle: (low, cut) =>
    [
      low ? `${plural(low, "move is", "moves are")} below 50 %.` : "",
      cut ? "The game breaks off." : "",
      "Ctrl+Enter once more settles it all the same.",
    ]
      .filter(Boolean)
      .join(" "),
  /** @param {string} name */
  opened: (name) => `Now ${name}`,
  /** @param {number} settled @param {number} unread */
  allDone: (settled, unread) =>
    `${settled} settled${unread ? `, ${unread} without a game` : ""}. Export`,
  /** @param {number} doubts */
  toLookAt: (doubts) =>
    doubts
      ? `${doubts} to look at. Enter if the lit candidate is right.`
      : "No doubts. Ctrl+Enter settles the game.",
  /** @param {string} what */
  undone: (what) => `Undone: ${what}`,
  /** @param {string} what */
  redone: (what) => `Done again: ${what}`,
  /** @param {string} mine @param {string} theirs */
  conflictText: (mine, theirs) =>
    `Your answer was ${mine}. Another window has answered ${theirs} at the same place.`,
  noAnswer: "nothing",
  /** @param {import("./contract").ExportReply} reply */
  exportCounts: (reply) =>
    `${plural(reply.games, "game", "games")}, ${plural(reply.moves, "move", "moves")}` +
    (reply.open ? `; ${reply.open} still to look at` : "; nothing is left to look at"),
  /** @param {number} count */
  faults: (count) => plural(count, "picture without a game", "pictures without a game"),
};

/** The help dialog: keys and what they do. @type {[string, string][]} */
export const keyTexts = [
  ["Enter", "the lit candidate is right; next doubt (Shift: stay)"],
  ["1 … 9", "take that candidate"],
  ["a–h o 0 A–Z", "type a move, in the sheet's letters or English"],
  ["y", "all is right down to here"],
  ["n  p", "next, previous doubt"],
  ["↑  ↓  PgUp  PgDn", "previous, next move; ten rows"],
  ["j  k", "next, previous sheet in need"],
  ["w", "the doubt whose answer changes most"],
  ["m", "a move was left out here: the next answer has no cell"],
  ["t", "the game ends before this"],
  ["i", "I cannot read it either"],
  ["x", "this cell is no move"],
  ["u  r  Ctrl Z  Ctrl Y", "undo, redo"],
  ["Ctrl Enter", "settle: all is right; next sheet"],
  ["Ctrl S", "export"],
  ["v", "board before, after the move"],
  ["z  +  −", "picture follows or fits; zoom"],
  ["l", "the other copy"],
  ["s", "strips: each move beside its cell"],
  ["q", "whose game: names and result"],
  ["Esc", "clear the field, then leave it"],
];

/** The line of keys at the foot. @type {[string, string][]} */
export const hintTexts = [
  ["Enter", "right"],
  ["y", "all right down to here"],
  ["1…9", "candidate"],
  ["n p", "doubt"],
  ["↑ ↓", "move"],
  ["j k", "sheet"],
  ["?", "keys"],
];

/** Puts the texts into the elements of index.html. */
export function fillTexts() {
  const all = /** @type {Record<string, any>} */ (texts);
  for (const element of document.querySelectorAll("[data-text]")) {
    element.prepend(all[element.getAttribute("data-text") ?? ""]);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", all[element.getAttribute("data-label") ?? ""]);
  }
  document.title = texts.title;
}
