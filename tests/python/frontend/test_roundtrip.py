"""Every file of the machine's own standard library that CPython parses means the same after parse and unparse."""

import ast
import os
import pathlib
import sys
import sysconfig
import warnings

import pytest

from roundtrip import Roundtrip

# Where the grammar (tree-sitter-python 0.23.6) fails; each is refused with a clear error. May only shrink.
KNOWN_FAILURES = {
    "test/test_future_stmt/badsyntax_future8.py",  # `from __future__ import *`
}

STDLIB = pathlib.Path(sysconfig.get_paths()["stdlib"])
SAMPLE = 12  # with LANTERN_FAST, one file in so many


def standard_library():
    files = sorted(p for p in STDLIB.rglob("*.py") if "site-packages" not in p.parts and "dist-packages" not in p.parts)
    if os.environ.get("LANTERN_FAST"):
        files = [p for i, p in enumerate(files) if i % SAMPLE == 0 or name(p) in KNOWN_FAILURES]
    return files


def name(path):
    return path.relative_to(STDLIB).as_posix()


def parsed(source):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def failure(path, original, answer):
    """What went wrong with one file, in a line; None if nothing did."""
    if "error" in answer:
        return answer["error"]
    try:
        result = parsed(answer["text"])
    except SyntaxError as error:
        return f"{path}: unparsed text does not parse: line {error.lineno}: {error.msg}: {error.text}"
    if same(original, result):
        return None
    return f"{path}: means something else after unparse: {first_difference(original, result)}"


def same(a, b):
    """ast.dump(a) == ast.dump(b), in a quarter of the time."""
    pairs = [(a, b)]
    while pairs:
        a, b = pairs.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, ast.AST):
            pairs.extend((getattr(a, field, None), getattr(b, field, None)) for field in a._fields)
        elif type(a) is list:
            if len(a) != len(b):
                return False
            pairs.extend(zip(a, b))
        elif repr(a) != repr(b):  # repr tells 0.0 from -0.0, and nan equals itself
            return False
    return True


def first_difference(a, b, where="module"):
    if type(a) is not type(b):
        return f"{where}: {type(a).__name__} became {type(b).__name__}"
    if isinstance(a, ast.AST):
        line = getattr(a, "lineno", None)
        here = f"{type(a).__name__} in line {line}" if line else where
        for field in a._fields:
            found = first_difference(getattr(a, field, None), getattr(b, field, None), f"{here}.{field}")
            if found:
                return found
        return None
    if isinstance(a, list):
        if len(a) != len(b):
            return f"{where}: {len(a)} elements became {len(b)}"
        return next(filter(None, (first_difference(x, y, where) for x, y in zip(a, b))), None)
    return None if a == b else f"{where}: {a!r:.80} became {b!r:.80}"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the tree is that of Python 3.11's grammar")
def test_standard_library():
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    failures, failed = [], set()
    checked = 0
    with Roundtrip() as roundtrip:
        files = standard_library()
        for path, answer in zip(files, roundtrip.answers(files)):
            try:
                original = parsed(path.read_bytes())
            except (SyntaxError, ValueError, RecursionError):
                continue  # CPython does not parse it: nothing to compare with
            checked += 1
            reason = failure(path, original, answer)
            if reason:
                failed.add(name(path))
                if name(path) not in KNOWN_FAILURES:
                    failures.append(reason)
    passing = sorted(n for n in KNOWN_FAILURES - failed if (STDLIB / n).exists())
    assert checked > 20
    assert not failures, f"{len(failures)} of {checked} files:\n" + "\n".join(failures[:40])
    assert not passing, f"these pass now; take them off KNOWN_FAILURES: {passing}"


def test_known_failures_are_refused_clearly():
    with Roundtrip() as roundtrip:
        for known in sorted(KNOWN_FAILURES):
            if (STDLIB / known).exists():
                answer = roundtrip.answer(STDLIB / known)
                assert answer["code"] == "LT0101" and answer["line"] > 0 and "^" in answer["error"]
