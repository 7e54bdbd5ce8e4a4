"""Draws what a player might write into a cell, in the frequencies of real games and real habits."""

import gzip
import random
import re

import chess

# Piece letters K Q R B N by language, and how often each is drawn.
# English leads because the real cells are English; Portuguese and Italian are the first languages
# of the project. Those that are never drawn were added after the last training; their letters have
# no marks, which the alphabet lacks.
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
    "ro": ("RDTNC", 0),
    "lv": ("KDTLZ", 0),
    "lt": ("KVBRZ", 0),
    "id": ("RMBGK", 0),
    "eu": ("EDGAZ", 0),
    "ga": ("RBCED", 0),
    "eo": ("RDTKC", 0),
    "white": ("♔♕♖♗♘", 0.5),
    "black": ("♚♛♜♝♞", 0.5),
}
# Texts that end a record. They are few among moves and look like them (`abb.`, `ab6`).
RECORD_ENDS = (
    "1-0 1-0 1-0 0-1 0-1 0-1 ½-½ ½-½ ½ 1/2 1/2-1/2 1:0 0:1 draw Draw DRAW remis Remis patta "
    "Patta tablas empate nulle abb. abb. abb Abb. abbandona ab. abd. Abd. abandona Abandona "
    "abandon resigns Resigns resign res aufg. tempo Tempo time Time Zeit mate Mate MATE mat "
    "matt matto"
).split()
WORDS = (
    "e.p. ep ch dis (=) ... --- - , 10' 5 12 30 55 White Black Open Round Rossi Silva Santos Costa "
    "Bianchi Garcia Mueller Novak Smith Jones Martin Lopez Kim Lee Ivanov Nagy Jansen"
).split()
# What players write beside a move, d being any digit: the time on the clock, and a dash where they
# did not look at it.
ASIDES = "d'dd d'dd d:dd d.dd d,dd ddd 'dd 'dd dd dd dd d dd' d' (dd) [dd] - - - . ,".split()
SAN_TOKEN = re.compile(
    r"(?:[KQRBN][a-h1-8]{0,2}x?[a-h][1-8]|(?:[a-h]x)?[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?)[+#]?"
)


def load_moves(paths, games, seed):
    """Returns SAN tokens of a random share of the games in gzipped PGN files."""
    rng, moves = random.Random(seed), []
    for path in paths:
        text = gzip.open(path, "rt", encoding="utf-8", errors="replace").read()
        bodies = [
            candidate
            for candidate in re.split(r"\n\n", text)
            if candidate.lstrip().startswith("1.")
        ]
        for body in rng.sample(bodies, min(games, len(bodies))):
            moves += SAN_TOKEN.findall(re.sub(r"\{[^}]*\}", " ", body))
    return moves


def draw_habit(rng, language=None):
    """Draws how one writer writes, fixed for a run of cells, in a given language or in any."""
    names = list(LANGUAGES)
    language = language or rng.choices(names, [LANGUAGES[name][1] for name in names])[0]
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


def replay_moves(moves):
    """Returns for each move of a game the square that it leaves and the letter (of KQRBNP) of what
    it captures, or None.
    """
    board, facts = chess.Board(), []
    for san in moves:
        move = board.parse_san(san)
        captured_piece = board.piece_at(move.to_square)
        captured = (
            captured_piece.symbol().upper()
            if captured_piece
            else "P"
            if board.is_en_passant(move)
            else None
        )
        facts.append((chess.square_name(move.from_square), captured))
        board.push(move)
    return facts


def spell_move(san, habit, rng, facts=(None, None)):
    """Returns one move as the writer would write it.

    Where the game is not known (`facts`), the origin square of a long form or the name of the
    captured piece is made up, which is good enough for a single cell.
    """
    origin_square, captured = facts
    mark = san[-1] if san[-1] in "+#" else ""
    body = san.rstrip("+#")
    piece = capture = ""
    if body.startswith("O"):
        text = body
    else:
        match = re.fullmatch(r"([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?", body)
        piece, origin, capture, target, promotion = match.groups()
        letter = (
            habit["letters"]["KQRBN".index(piece)]
            if piece
            else ("P" if habit["pawn_letter"] else "")
        )
        if habit["small_pieces"]:
            letter = letter.lower() if letter.isascii() else letter
        capture_sign = habit["capture"] if capture else ""
        if habit["piece_takes_piece"] and capture and rng.random() < 0.6:
            captured_letter = rng.choice(list(habit["letters"][1:]) + ["P"] * 2)
            if captured:
                captured_letter = (
                    "P" if captured == "P" else habit["letters"]["KQRBN".index(captured)]
                )
            return (letter or "P") + "x" + captured_letter
        if habit["long"]:
            if len(origin) < 2:
                made_up_file = chr(min(104, max(97, ord(target[0]) + rng.randint(-2, 2))))
                origin = (origin if origin.isalpha() else "") or made_up_file
                origin += str(min(8, max(1, int(target[1]) + rng.randint(-2, 2))))
            origin = origin_square or origin
            capture_sign = capture_sign or rng.choice(["-", "-", ""])
        if capture_sign == "behind":
            origin, tail = origin, ":"
            capture_sign = ""
        else:
            tail = ""
        if habit["short_pawn"] and capture and not piece and not promotion:
            target = target if rng.random() < 0.3 else target[0]
            capture_sign = capture_sign if rng.random() < 0.4 else ""
        text = letter + origin + capture_sign + target + tail
        if habit["capital_files"]:
            text = text.upper()
        if promotion:
            promotion_letter = habit["letters"]["KQRBN".index(promotion)]
            text += {
                "=": "=" + promotion_letter,
                "": promotion_letter,
                "(": "(" + promotion_letter + ")",
                "/": "/" + promotion_letter,
            }[habit["promotion"]]
    if mark == "+":
        text += habit["check"]
    elif mark == "#":
        text += habit["mate"].replace(" ", "")
    if capture and not piece and rng.random() < 0.04:
        text += rng.choice(["e.p.", "ep", "(e.p.)"])
    if rng.random() < 0.03:
        text += rng.choice(["!", "?", "!?", "!!", "??", "?!", "(=)", "(=)", "=", "(1)", "(12)"])
    return text


def training_label(text, habit):
    """Returns what the reader has to read for a text.

    Castling has the letter O however it is drawn. A piece that some write small becomes a capital
    where it cannot be a file (`nf3`, `bb5`; not `b4`, `bxc3`), as in the tags of the real cells.
    """
    if text.startswith("O-O"):
        return text.replace("0", "O")
    first = text[:1].upper()
    if habit["small_pieces"] and first in habit["letters"] and first != text[:1]:
        target_file = re.match(r".[xX:]?([a-h])", text)
        if first not in "ABCDEFGH" or target_file and abs(ord(target_file[1]) - ord(text[0])) != 1:
            return first + text[1:]
    return text


def draw_aside(rng):
    """Draws what stands beside a move in its cell."""
    return re.sub("d", lambda _: rng.choice("0123456789"), rng.choice(ASIDES))


def draw_text(moves, habit, rng):
    """Draws the text of a cell: mostly moves, some words, results, nonsense and nothing."""
    chance = rng.random()
    if chance < 0.01:
        return rng.choice(WORDS)
    if chance < 0.04:
        return rng.choice(RECORD_ENDS)
    if chance < 0.05:
        pool = "".join(habit["letters"]) + "abcdefgh12345678abcdefgh12345678x+:-=KQRBNDTCALFS"
        return "".join(rng.choice(pool) for _ in range(rng.randint(1, 6)))
    if chance < 0.065:
        return rng.choice(["O-O", "O-O-O", "O-O-O"])
    if chance < 0.08:
        pool = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:-+#=().,/'!?½é"
        return "".join(rng.choice(pool) for _ in range(rng.randint(1, 5)))
    return spell_move(rng.choice(moves), habit, rng)
