/** The event of the fake server: two rounds of three boards, a forfeit, a bye, and a few checks. */

const PLAYERS = [
  ["Valle, P.", "Riva, S."], ["Ferri, A.", "Neri, B."], ["Müller, Jörg", "Costa, M."],
];

export class FakeEvent {
  constructor(games) {
    this.games = games;
    this.boards = [1, 2].flatMap((round) => PLAYERS.map(([white, black], index) => ({
      round, board: index + 1, numbered: true, white, black, result: "1-0",
      kind: round === 2 && index === 1 ? "forfeit" : "game", game: null, others: [],
    })));
    this.boards.push({
      round: 2, board: 4, numbered: false, white: "Solo, Ada", black: "", result: "",
      kind: "bye", game: null, others: [],
    });
    this.boards[0].game = games[0].id;
    this.boards[1].game = games[1].id;
  }

  summary() {
    return { name: "Open", rounds: [{ round: 1, boards: 3 }, { round: 2, boards: 4 }], counts: {} };
  }

  /** The boards that suit a game, the likeliest first. */
  runnersUp() {
    const [, , third, first] = this.boards;
    return [
      { ...third, odds: 0.63, exchanged: false }, { ...first, odds: 0.02, exchanged: false },
    ].map(({ round, board, white, black, odds, exchanged }) =>
      ({ round, board, white, black, odds, exchanged }));
  }

  pairing(game) {
    const seat = this.boards.find((one) => one.game === game.id);
    return {
      round: seat?.round ?? null, board: seat?.board ?? null, exchanged: !!game.exchanged,
      runners_up: this.runnersUp(),
    };
  }

  whole() {
    const boards = this.boards.map((seat) => ({
      ...seat, state: this.games.find((game) => game.id === seat.game)?.row().state ?? null,
      checks: seat.game || seat.kind !== "game" ? [] : ["C1"],
    }));
    const tray = this.games.filter((game) => !this.boards.some((seat) => seat.game === game.id));
    const about = (code, level, text, more) => ({
      code, level, place: "round 1, board 1: Valle, P. - Riva, S.", text, round: 1, board: 1,
      game: this.games[0].id, other: null, ply: null, sheet: null, ...more,
    });
    return {
      name: "Open", boards,
      tray: tray.map((game) => ({
        id: game.id, sheets: [game.reading.name], why: "what is known of it fits no pairing",
        runners_up: this.runnersUp(),
      })),
      checks: [
        about("R2", "E", "mate on the board is 1-0, but the result is 0-1", { ply: 43 }),
        about("M2", "W", "two sheets for one side", { other: this.games[1].id }),
        ...boards.filter((seat) => seat.checks.length).map((seat) => ({
          ...about("C1", "W", "no sheet", { game: null }), round: seat.round, board: seat.board,
          place: `round ${seat.round}, board ${seat.board}: ${seat.white} - ${seat.black}`,
        })),
      ],
    };
  }

  assign(game, { round, board, exchanged, clear }) {
    for (const seat of this.boards) if (seat.game === game.id) seat.game = null;
    game.exchanged = !!exchanged;
    const seat = clear ? null : this.boards.find((b) => b.round === round && b.board === board);
    if (seat) seat.game = game.id;
    for (const name of ["white", "black"]) {
      const said = { at: `field-${name}`, is: "field", name, text: seat?.[name] ?? "" };
      game.answers.set(said.at, said);
    }
    return !!seat || !!clear;
  }
}
