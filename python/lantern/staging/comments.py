"""What the user says in comments and docstrings, which goes along with a program."""
from __future__ import annotations

import bisect
import inspect
import linecache
import re

from lantern import core
from lantern.exceptions import CoreError

_of_files = {}      # file → (its text, {line: (the last line of that logical line, text)})


def note(file, source, comments):
    """comments: (line, last line, text) of the logical lines of a function that is converted."""
    if file not in _of_files or _of_files[file][0] != source:     # it has been written anew
        _of_files[file] = source, {}
    _of_files[file][1].update((line, (last, text)) for line, last, text in comments)


def rows(function, place, lines):
    """(line, text) of a function that stands at `place`: of its first line what its docstring says first, and of `lines`, its file's
    that the program has something of, the comments."""
    lines, known = sorted(lines), _of_files.get(place.file, ("", {}))[1]
    found = {}
    for line, (last, text) in known.items():
        at = bisect.bisect_left(lines, line)
        if at < len(lines) and lines[at] <= last:
            found[lines[at]] = text
    begins = (place.line, function.__code__.co_firstlineno)     # at its `def`, and at its first decorator
    about = _beginning(function.__doc__) or next((known[line][1] for line in begins if line in known), "")
    found.pop(place.line, None)
    return [*([(place.line, about)] if about else []), *sorted(found.items())]


def of_structure(declared):
    """(what is said of an `lt.struct` class, {field: what is said of it})."""
    declaration = declared.__lantern_struct__
    file, begin = declaration.defined
    lines, of_lines, of_fields = linecache.getlines(file), {}, {}
    if any("#" in line for line in lines):
        try:
            of_lines = {line: text for line, _, text in core.comments("".join(lines), file)}
        except CoreError:       # Python has read the file, and the converter cannot
            pass
    missing = set(declaration.field_names)
    for number, line in enumerate(lines[begin:] if of_lines else (), begin + 1):
        found = re.match(r"\s+(\w+)\s*:", line)
        if found and found[1] in missing:
            missing.remove(found[1])
            if number in of_lines:
                of_fields[found[1]] = of_lines[number]
        if not missing:
            break
    return _beginning(declared.__dict__.get("__doc__")) or of_lines.get(begin, ""), of_fields


def _beginning(documentation):
    """The first paragraph of a docstring, "" if it is no text; of half characters (surrogates), which UTF-8 has none of, question marks."""
    text = inspect.cleandoc(documentation).partition("\n\n")[0] if isinstance(documentation, str) else ""
    return text.encode("utf-8", "replace").decode()
