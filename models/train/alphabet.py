"""Defines the characters that the readers know. Class 0 is the CTC blank, class i + 1 is
CHARACTERS[i].
"""

# The Cyrillic piece letters (Russian, Ukrainian, Bulgarian) and the Greek
# ones are part of the alphabet.
CHARACTERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "abcdefghijklmnopqrstuvwxyz"
    "0123456789"
    ":-+#=().,/'!?"
    "½éŞ"
    "КрФЛСпТЦО"
    "ΡΒΠΑΙ"
    "♔♕♖♗♘♙♚♛♜♝♞♟"
)
CLASS_OF = {c: i + 1 for i, c in enumerate(CHARACTERS)}
CLASS_COUNT = len(CHARACTERS) + 1
assert len(CLASS_OF) == len(CHARACTERS)


def encode(text):
    """Returns the classes of the characters of a text."""
    return [CLASS_OF[c] for c in text]
