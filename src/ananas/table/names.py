"""When two names look the same to a reader at the table."""

from __future__ import annotations

import unicodedata
from typing import Final

# A sign and the one it is taken for, in either case: Cyrillic, Greek, and what is one shape in many fonts.
_PAIRS: Final = (
    "аa вb еe кk мm нh оo рp сc тt уy хx іl їl јj ѕs ьb αa βb εe ζz ηh ιl κk μm νv οo ρp τt υy χx il ıl 1l 0o 3з"
)
_SHAPES: Final = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})


def look(name: str) -> str:
    """What a name looks like: letters and digits alone, in one case and, as far as shapes go, in one alphabet.

    >>> look("Anna") == look("аnnа."), look("Ivan") == look("lvan"), look("Анна") == look("Инна")
    (True, True, False)
    """
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_SHAPES)
    letters = "".join(letter for letter in folded if letter.isalnum())
    return letters.replace("rn", "m").replace("vv", "w")
