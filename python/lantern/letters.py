"""What names of Python's with other letters than ASCII's are called in programs, and in the C++ that comes of them."""
from __future__ import annotations

import re

_OTHERS = re.compile(r"([A-Za-z0-9]?)([^\x00-\x7f]+)(?=([A-Za-z0-9]?))")


def in_ascii(name):
    """`σ2` is sigma2, `dα` d_alpha, `größe` gr_u00f6_u00df_e: by the letter alone, so that no name depends on which others there are."""
    if name.isascii():
        return name

    def spelled(match):
        before, letters, behind = match.groups()
        words = [_word(letter) for letter in letters]
        is_index = behind.isdigit() and not words[-1].startswith("u0")
        return before + ("_" if before else "") + "_".join(words) + ("_" if behind and not is_index else "")

    return _OTHERS.sub(spelled, name)


def _word(letter):
    """alpha, Alpha; of other alphabets than the Greek its number."""
    import unicodedata
    called = re.fullmatch("GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)", unicodedata.name(letter, ""))
    if not called:
        return f"u{ord(letter):04x}"
    word = called[2].replace("LAMDA", "LAMBDA").lower()
    return word if called[1] == "SMALL" else word.capitalize()
