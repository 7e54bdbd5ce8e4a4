"""Draws what a player might write into a cell, in the frequencies of real games and real habits."""

import gzip
import random
import re

import chess

# Piece letters K Q R B N by language, from domain/notation.tsv, and how often each is drawn. English leads
# because the real cells are English; Portuguese and Italian are the first languages of the project.
LANGUAGES = {
    "en": ("KQRBN", 26),
    "pt": ("RDTBC", 13),
    "it": ("RDTAC", 13),
    "fr": ("RDTFC", 9),
    "de": ("KDTLS", 10),
    "nl": ("KDTLP", 6),
    "pl": ("KHWGS", 8),
    "es": ("RDTAC", 0),
    "fi": ("KDTLR", 2),
    "cs": ("KDVSJ", 3),
    "hu": ("KVBFH", 3),
    "tr": ("ŞVKFA", 1),
    "et": ("KLVOR", 1),
    "is": ("KDHBR", 1),
    "ru": ("КФЛСК", 1),
    "bg": ("ЦДТОК", 1),
    "el": ("ΡΒΠΑΙ", 1),
    "white": ("♔♕♖♗♘", 0.5),
    "black": ("♚♛♜♝♞", 0.5),
}
# What ends a record, as players write it; they are few among moves and look like them (`abb.`, `ab6`).
ENDS = (
    "1-0 1-0 1-0 0-1 0-1 0-1 ½-½ ½-½ ½ 1/2 1/2-1/2 1:0 0:1 draw Draw DRAW remis Remis patta Patta tablas empate nulle "
    "abb. abb. abb Abb. abbandona ab. abd. Abd. abandona Abandona abandon resigns Resigns resign res aufg. "
    "tempo Tempo time Time Zeit mate Mate MATE mat matt matto"
).split()
WORDS = (
    "e.p. ep ch dis (=) ... --- - , 10' 5 12 30 55 White Black Open Round Rossi Silva Santos Costa "
    "Bianchi Garcia Mueller Novak Smith Jones Martin Lopez Kim Lee Ivanov Nagy Jansen"
).split()
TOKEN = re.compile(
    r"(?:[KQRBN][a-h1-8]{0,2}x?[a-h][1-8]|(?:[a-h]x)?[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?)[+#]?"
)


def load_moves(paths, games, seed):
    """SAN tokens of a random share of the games in gzipped PGN files."""
    rng, moves = random.Random(seed), []
    for path in paths:
        text = gzip.open(path, "rt", encoding="utf-8", errors="replace").read()
        bodies = [b for b in re.split(r"\n\n", text) if b.lstrip().startswith("1.")]
        for body in rng.sample(bodies, min(games, len(bodies))):
            moves += TOKEN.findall(re.sub(r"\{[^}]*\}", " ", body))
    return moves


def habit(rng, language=None):
    """How one writer writes: fixed for a run of cells; in a given language or in any."""
    names = list(LANGUAGES)
    language = language or rng.choices(names, [LANGUAGES[n][1] for n in names])[0]
    return {
        "letters": LANGUAGES[language][0],
        "capture": rng.choices(["x", "X", ":", "", "behind"], [70, 1, 8, 15, 2])[0],
        "check": rng.choices(["+", "", "ch", "'"], [72, 24, 1, 1])[0],
        "mate": rng.choices(["#", "++", "+", "", " mate"], [45, 25, 15, 10, 5])[0],
        "long": rng.random() < 0.06,
        "short_pawn": rng.random() < 0.2,
        "capital_files": rng.random() < 0.03,
        "small_pieces": rng.random() < 0.06,
        "pawn_letter": rng.random() < 0.02,
        "piece_takes_piece": rng.random() < 0.05,
        "promotion": rng.choice(["=", "=", "", "(", "/"]),
    }


def known(moves):
    """Of each move of a game the square that it leaves, and the letter (of KQRBNP) of what it takes; None where nothing is."""
    board, found = chess.Board(), []
    for san in moves:
        move = board.parse_san(san)
        taken = board.piece_at(move.to_square)
        victim = taken.symbol().upper() if taken else "P" if board.is_en_passant(move) else None
        found.append((chess.square_name(move.from_square), victim))
        board.push(move)
    return found


def spell(san, h, rng, known=(None, None)):
    """One move as the writer would put it. Where the game is not known (`known`), a long form or the name of what is taken is
    made up: good enough for a cell by itself."""
    leaves, victim = known
    mark = san[-1] if san[-1] in "+#" else ""
    body = san.rstrip("+#")
    piece = capture = ""
    if body.startswith("O"):
        text = body
    else:
        m = re.fullmatch(r"([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?", body)
        piece, origin, capture, target, promotion = m.groups()
        letter = h["letters"]["KQRBN".index(piece)] if piece else ("P" if h["pawn_letter"] else "")
        if h["small_pieces"]:
            letter = letter.lower() if letter.isascii() else letter
        sign = h["capture"] if capture else ""
        if h["piece_takes_piece"] and capture and rng.random() < 0.6:
            taken = rng.choice(list(h["letters"][1:]) + ["P"] * 2)
            if victim:
                taken = "P" if victim == "P" else h["letters"]["KQRBN".index(victim)]
            return (letter or "P") + "x" + taken
        if h["long"]:
            if len(origin) < 2:
                near = chr(min(104, max(97, ord(target[0]) + rng.randint(-2, 2))))
                origin = (origin if origin.isalpha() else "") or near
                origin += str(min(8, max(1, int(target[1]) + rng.randint(-2, 2))))
            origin = leaves or origin
            sign = sign or rng.choice(["-", "-", ""])
        if sign == "behind":
            origin, tail = origin, ":"
            sign = ""
        else:
            tail = ""
        if h["short_pawn"] and capture and not piece and not promotion:
            target = target if rng.random() < 0.3 else target[0]
            sign = sign if rng.random() < 0.4 else ""
        text = letter + origin + sign + target + tail
        if h["capital_files"]:
            text = text.upper()
        if promotion:
            q = h["letters"]["KQRBN".index(promotion)]
            text += {"=": "=" + q, "": q, "(": "(" + q + ")", "/": "/" + q}[h["promotion"]]
    if mark == "+":
        text += h["check"]
    elif mark == "#":
        text += h["mate"].replace(" ", "")
    if capture and not piece and rng.random() < 0.04:
        text += rng.choice(["e.p.", "ep", "(e.p.)"])
    if rng.random() < 0.03:
        text += rng.choice(["!", "?", "!?", "!!", "??", "?!", "(=)", "(=)", "=", "(1)", "(12)"])
    return text


def label(text, h):
    """What the reader is to say of a text: castling with the letter O however it is drawn, and a piece that some write
    small as a capital where it cannot be a file (`nf3`, `bb5`; not `b4`, `bxc3`), as the tags of the real cells have it."""
    if text.startswith("O-O"):
        return text.replace("0", "O")
    first = text[:1].upper()
    if h["small_pieces"] and first in h["letters"] and first != text[:1]:
        onto = re.match(r".[xX:]?([a-h])", text)
        if first not in "ABCDEFGH" or onto and abs(ord(onto[1]) - ord(text[0])) != 1:
            return first + text[1:]
    return text


def draw(moves, h, rng):
    """A cell's text: mostly moves, some words, results, nonsense and nothing."""
    p = rng.random()
    if p < 0.01:
        return rng.choice(WORDS)
    if p < 0.04:
        return rng.choice(ENDS)
    if p < 0.05:
        pool = "".join(h["letters"]) + "abcdefgh12345678abcdefgh12345678x+:-=KQRBNDTCALFS"
        return "".join(rng.choice(pool) for _ in range(rng.randint(1, 6)))
    if p < 0.065:
        return rng.choice(["O-O", "O-O-O", "O-O-O"])
    if p < 0.08:
        pool = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:-+#=().,/'!?½é"
        return "".join(rng.choice(pool) for _ in range(rng.randint(1, 5)))
    return spell(rng.choice(moves), h, rng)
