"""What methods of texts do, in Python: converted and traced where one of them meets a text that only the program knows."""
from __future__ import annotations


def first_place(start, size):
    """Where a search begins: counted from the end if negative, at the front at least; it may lie behind the end, where nothing is found."""
    if start < 0:
        return start + size if start + size > 0 else 0
    return start


def find(text, part, first):
    if first > len(text):
        return -1
    found = text[first:].rfind(part)
    return found + first if found >= 0 else -1


def count(text, part, first):
    return text[first:].count(part) if first <= len(text) else 0


def starts(text, part, first):
    return text[first:].startswith(part) if first <= len(text) else False


def ends(text, part, first):
    return text[first:].endswith(part) if first <= len(text) else False


def found(place):
    if place < 0:
        raise ValueError("substring not found")
    return place


def without_prefix(text, prefix):
    return text[len(prefix):] if text.startswith(prefix) else text


def without_suffix(text, suffix):
    return text[:len(text) - len(suffix)] if text.endswith(suffix) else text


def _check_fill(fill):
    if len(fill) != 1:
        raise TypeError("The fill character must be exactly one character long")


def to_the_left(text, width, fill):
    _check_fill(fill)
    return text + fill * (width - len(text))


def to_the_right(text, width, fill):
    _check_fill(fill)
    return fill * (width - len(text)) + text


def to_the_centre(text, width, fill):
    _check_fill(fill)
    margin = width - len(text)
    if margin <= 0:
        return text
    left = margin // 2 + (margin & width & 1)
    return fill * left + text + fill * (margin - left)


def filled_with_zeros(text, width):
    zeros = "0" * (width - len(text))
    if text.startswith("+") or text.startswith("-"):
        return text[:1] + zeros + text[1:]
    return zeros + text


def partition(text, separator):
    if len(separator) == 0:
        raise ValueError("empty separator")
    place = text.find(separator)
    if place < 0:
        return text, "", ""
    return text[:place], separator, text[place + len(separator):]


def partition_last(text, separator):
    if len(separator) == 0:
        raise ValueError("empty separator")
    place = text.rfind(separator)
    if place < 0:
        return "", "", text
    return text[:place], separator, text[place + len(separator):]


def split_from_the_end(text, separator, most):
    if len(separator) == 0:
        raise ValueError("empty separator")
    parts = []
    place = text.rfind(separator)
    while place >= 0 and most != 0:
        parts.append(text[place + len(separator):])
        text = text[:place]
        most -= 1
        place = text.rfind(separator)
    parts.append(text)
    parts.reverse()
    return parts


def split_words_from_the_end(text, most):
    parts = []
    text = text.rstrip()
    while len(text) > 0 and most != 0:
        start = len(text)
        while start > 0 and not text[start - 1].isspace():
            start -= 1
        parts.append(text[start:])
        text = text[:start].rstrip()
        most -= 1
    if len(text) > 0:
        parts.append(text)
    parts.reverse()
    return parts


def translated(text, table):
    result = ""
    for letter in text:
        result += table.get(letter, letter)
    return result


def letters_for(text, size):
    """The characters that stand for as many others."""
    if len(text) != size:
        raise ValueError("the first two maketrans arguments must have equal length")
    return [letter for letter in text]
