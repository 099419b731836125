"""Whether files mean the same after parse and unparse, as the Python that runs this judges.

    python3.12 roundtrip_files.py FOLDER SAMPLE [DONE…]

Reads one in SAMPLE of the .py files under FOLDER that this Python's own compile() accepts, but for those that stand in one of
the folders DONE byte for byte; prints a line of JSON: how many were checked, and what went wrong with which. Runs on 3.9 and
later, with nothing installed.
"""

import ast
import gc
import json
import pathlib
import sys
import sysconfig
import warnings

from roundtrip import Roundtrip


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
        kind = type(a)
        if kind is not type(b):
            return False
        if kind is list:
            if len(a) != len(b):
                return False
            pairs.extend(zip(a, b))
        elif kind is str:
            if a != b:
                return False
        elif isinstance(a, ast.AST):
            for field in kind._fields:
                x, y = getattr(a, field, None), getattr(b, field, None)
                if x is not y:
                    pairs.append((x, y))
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


def tree_of(path):
    """The file's tree; None if this Python does not parse it."""
    try:
        return parsed(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_accepted(path):
    """Whether this Python's compile() takes the file, which it need not though it parses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def standard_library():
    return pathlib.Path(sysconfig.get_paths()["stdlib"])


def python_files(folder, sample=1):
    """One in `sample` of a folder's files, installed packages left out."""
    packages = {"site-packages", "dist-packages"}
    return sorted(p for p in folder.rglob("*.py") if not packages & set(p.relative_to(folder).parts))[::sample]


def is_in(folder, name, path):
    twin = folder / name
    return twin.is_file() and twin.read_bytes() == path.read_bytes()


def check(folder, sample=1, done=()):
    """{"checked": n, "failures": {file: reason}}"""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    files = [path for path in python_files(folder, sample) if not any(is_in(other, path.relative_to(folder), path) for other in done)]
    failures, checked = {}, 0
    gc.disable()  # the trees have no cycles, and looking for some takes longer than to parse
    with Roundtrip() as roundtrip:
        for path, answer in zip(files, roundtrip.answers(files)):
            original = tree_of(path)
            if original is None:
                continue
            checked += 1
            reason = failure(path, original, answer)
            if reason and is_accepted(path):
                failures[path.relative_to(folder).as_posix()] = reason
    gc.enable()
    return {"checked": checked, "failures": failures}


if __name__ == "__main__":
    folder, sample, *done = sys.argv[1:]
    print(json.dumps(check(pathlib.Path(folder), int(sample), [pathlib.Path(other) for other in done])))
