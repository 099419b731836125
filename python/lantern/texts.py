"""What operators on texts compute, in plain Python."""


def _reads(function, *operands):
    """Whether there is a number in a text."""
    try:
        function(*operands)
    except ValueError:
        return False
    return True


BODIES = {
    "character": lambda text, i: text[i], "substring": lambda text, start, stop: text[start:stop], "characters": list,
    "every": lambda text, start, step, count: "".join(text[start + k * step] for k in range(count)),
    "code-of": ord, "character-of": chr, "parse-int": int, "parse-float": float,
    "is-int": lambda text, base: _reads(int, text, base), "is-float": lambda text: _reads(float, text),
    "starts-with": str.startswith, "ends-with": str.endswith, "contains": lambda text, part: part in text,
    "consists-of": lambda what, text: getattr(text, f"is{what}")(), "in-case": lambda which, text: getattr(text, which)(),
    "find-from": str.find, "find-last": str.rfind, "count-of": str.count,
    "strip-left": str.lstrip, "strip-right": str.rstrip, "replaced": str.replace,
    "split": lambda text, *how: text.split(*how) if len(how) == 2 else text.split(None, *how), "split-lines": str.splitlines,
}
