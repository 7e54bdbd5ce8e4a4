"""The characters the reader knows; class 0 is the CTC blank, class i + 1 is CHARACTERS[i]."""

CHARACTERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "abcdefghijklmnopqrstuvwxyz"
    "0123456789"
    ":-+#=().,/'!?"
    "½éŞ"
    "КрФЛСпТЦО"  # Cyrillic pieces of notation.tsv (ru uk bg)
    "ΡΒΠΑΙ"  # Greek pieces (el)
    "♔♕♖♗♘♙♚♛♜♝♞♟"
)
CLASS = {c: i + 1 for i, c in enumerate(CHARACTERS)}
CLASSES = len(CHARACTERS) + 1
assert len(CLASS) == len(CHARACTERS)


def encode(text):
    return [CLASS[c] for c in text]
