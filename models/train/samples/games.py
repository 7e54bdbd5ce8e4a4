"""Holds the seven games, as their writers put them down and as PGN has them."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Game:
    """A game: its file name, what stands in the cells, the moves in SAN, and the result that the
    sheet gives.
    """

    name: str
    written: tuple
    san: tuple
    result: str = "*"
    header: dict = dataclasses.field(default_factory=dict)
    # What stands in the result box.
    box: str = ""


def split_moves(text):
    return tuple(text.split())


def split_cells(text):
    """Splits at two spaces or a line break, because `exd6 e.p.` is one cell."""
    return tuple(
        cell.strip() for line in text.strip().splitlines() for cell in line.strip().split("  ")
    )


GAMES = (
    Game(
        "01_apendice_e_pt",
        split_cells("""e4  e5  Cf3  Cf6  d4  exd4  e5  Ce4  Dxd4  d5  exd6 e.p.  Cxd6  Bg5
                 Cc6  De3+  Be7  Cbd2  0-0  0-0-0  Te8  Rb1(=)"""),
        split_moves(
            "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6 Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 O-O O-O-O Re8 Kb1"
        ),
        header={
            "event": "Torneio da Primavera",
            "white": "Rui Matos",
            "black": "Inês Leal",
            "date": "14.3.2019",
            "round": "2",
            "board": "5",
        },
    ),
    Game(
        "02_exemplo_1_pt",
        split_cells("e4  e5  Cf3  Cc6  Bb5  a6"),
        split_moves("e4 e5 Nf3 Nc6 Bb5 a6"),
        header={
            "event": "Aula 3",
            "white": "Tomás",
            "black": "Beatriz",
            "date": "7/10",
            "round": "",
            "board": "",
        },
    ),
    Game(
        "03_exemplo_2_pt",
        split_cells("Cf3  d5  e4  dxe4  Bb5+  Cd7  Bxd7+  Bxd7  d4  exd3 e.p.  O-O"),
        split_moves("Nf3 d5 e4 dxe4 Bb5+ Nd7 Bxd7+ Bxd7 d4 exd3 O-O"),
        header={
            "event": "Clube da Vila",
            "white": "J. Prado",
            "black": "M. Serra",
            "date": "2 maio",
            "round": "1",
            "board": "12",
        },
    ),
    Game(
        "04_algebrico_longo_pt",
        split_cells("e2-e4  e7-e5  Cg1-f3  Cb8-c6  d2-d4  e5xd4"),
        split_moves("e4 e5 Nf3 Nc6 d4 exd4"),
        header={
            "event": "Interclubes",
            "white": "A. Duarte",
            "black": "C. Pinho",
            "date": "1978",
            "round": "4",
            "board": "1",
        },
    ),
    Game(
        "05_appendice_e_it",
        split_cells("""d4  Cf6  c4  e6  Cc3  Ab4  Ad2  0-0  e4  d5  exd5  exd5  cxd5  Axc3
                 Axc3  Cxd5  Cf3  b6  Db3  Cxc3  bxc3  c5  Ae2  cxd4  Cxd4  Te8  0-0
                 Cd7  a4  Cc5  Db4  Ab7  a5"""),
        split_moves("""d4 Nf6 c4 e6 Nc3 Bb4 Bd2 O-O e4 d5 exd5 exd5 cxd5 Bxc3 Bxc3 Nxd5 Nf3
                 b6 Qb3 Nxc3 bxc3 c5 Be2 cxd4 Nxd4 Re8 O-O Nd7 a4 Nc5 Qb4 Bb7 a5"""),
        header={
            "event": "Torneo di Natale",
            "white": "L. Ferri",
            "black": "G. Monti",
            "date": "27-12-08",
            "round": "3",
            "board": "9",
        },
    ),
    Game(
        "06_partita_1_it",
        split_cells("""d4  c5  d5  e5  dxe6 ep  fxe6  c4  Cf6  Cc3  Cc6  Cf3  d5  Af4  Ae7
                 e3  O-O  Ad3  d4  exd4  cxd4  Cb5  e5  Cxe5  Ab4+  Rf1  Cg4  Cxg4
                 Txf4  h3  Dh4  Rg1  Axg4  hxg4  Dxf2+  Rh2  Ce5  Tf1  Dh4+  Rg1  Cxg4
                 Txf4  Dh2+  Rf1  Dh1+  Re2  Dxg2+  Tf2  Dxf2#"""),
        split_moves("""d4 c5 d5 e5 dxe6 fxe6 c4 Nf6 Nc3 Nc6 Nf3 d5 Bf4 Be7 e3 O-O Bd3 d4 exd4
                 cxd4 Nb5 e5 Nxe5 Bb4+ Kf1 Ng4 Nxg4 Rxf4 h3 Qh4 Kg1 Bxg4 hxg4 Qxf2+ Kh2
                 Ne5 Rf1 Qh4+ Kg1 Nxg4 Rxf4 Qh2+ Kf1 Qh1+ Ke2 Qxg2+ Rf2 Qxf2#"""),
        result="0-1",
        header={
            "event": "Open di Primavera",
            "white": "P. Valle",
            "black": "S. Riva",
            "date": "21/4/1996",
            "round": "6",
            "board": "14",
        },
        box="0-1",
    ),
    Game(
        "07_partita_2_it",
        split_cells("""e4  e5  Cf3  Cc6  Ac4  d6  d4  e:d4  O-O  Df6  c3  d:c3  C:c3  Cge7
                 Cb5  Rd8  Ag5  Dg6  e5  Ag4  e:d6  c:d6  C:d6  A:f3  C:f7++  Rc8  D:f3
                 Cf5  Tac1  Ad6  D:f5+  D:f5  C:d6+  Rc7  C:f5  abb."""),
        split_moves("""e4 e5 Nf3 Nc6 Bc4 d6 d4 exd4 O-O Qf6 c3 dxc3 Nxc3 Nge7 Nb5 Kd8 Bg5 Qg6
                 e5 Bg4 exd6 cxd6 Nxd6 Bxf3 Nxf7+ Kc8 Qxf3 Nf5 Rac1 Bd6 Qxf5+ Qxf5
                 Nxd6+ Kc7 Nxf5"""),
        result="1-0",
        header={
            "event": "Coppa del Lago",
            "white": "E. Conti",
            "black": "D. Sala",
            "date": "9 giugno",
            "round": "2",
            "board": "3",
        },
        box="1-0",
    ),
)

# Kasparov - Topalov, Wijk aan Zee 1999, is longer than a page.
LONG_GAME = """e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 f3 b5 Nge2 Nbd7 Bh6 Bxh6 Qxh6 Bb7 a3 e5 O-O-O
          Qe7 Kb1 a6 Nc1 O-O-O Nb3 exd4 Rxd4 c5 Rd1 Nb6 g3 Kb8 Na5 Ba8 Bh3 d5 Qf4+ Ka7
          Rhe1 d4 Nd5 Nbxd5 exd5 Qd6 Rxd4 cxd4 Re7+ Kb6 Qxd4+ Kxa5 b4+ Ka4 Qc3 Qxd5 Ra7
          Bb7 Rxb7 Qc4 Qxf6 Kxa3 Qxa6+ Kxb4 c3+ Kxc3 Qa1+ Kd2 Qb2+ Kd1 Bf1 Rd2 Rd7 Rxd7
          Bxc4 bxc4 Qxh8 Rd3 Qa8 c3 Qa4+ Ke1 f4 f5 Kc1 Rd2 Qa7"""
TWO_PAGES = Game(
    "two_pages",
    (*split_moves(LONG_GAME), "1-0"),
    split_moves(LONG_GAME),
    result="1-0",
    header={
        "event": "Club Open",
        "white": "G. Hart",
        "black": "V. Lane",
        "date": "20.1.1999",
        "round": "4",
        "board": "2",
    },
)


def format_date(text):
    """Returns a date of the header as PGN has it, if all its parts are figures."""
    parts = re.split("[./-]", text)
    if len(parts) != 3:
        return "????.??.??"
    day, month, year = map(int, parts)
    return f"{year + 2000 * (year < 100)}.{month:02}.{day:02}"


def format_pgn(game):
    """Returns the game as `sheetscan scan` writes it, with the tags of all that is written in the
    header; scan has `?` where it is not sure.
    """
    header = {key: value or "?" for key, value in game.header.items()}
    tags = dict(
        Event="?",
        Site="?",
        Date=format_date(header.get("date", "")),
        Round=header.get("round", "?"),
        White=header.get("white", "?"),
        Black=header.get("black", "?"),
        Result=game.result,
    )
    if header.get("board", "?") != "?":
        tags["Board"] = header["board"]
    tokens = []
    for i, san in enumerate(game.san):
        tokens += [f"{i // 2 + 1}.", san] if i % 2 == 0 else [san]
    lines = [""]
    for token in tokens + [game.result]:
        if lines[-1] and len(lines[-1]) + 1 + len(token) > 79:
            lines.append("")
        lines[-1] += " " + token if lines[-1] else token
    return (
        "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
        + "\n"
        + "\n".join(lines)
        + "\n\n"
    )
