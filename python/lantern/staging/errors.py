"""What goes wrong while staging, said with a place in the user's file, and what the tracer throws at itself.

| code   | meaning                                                        |
|--------|----------------------------------------------------------------|
| LT0101 | CPython does not take the file                                 |
| LT0301 | a variable has no value here                                   |
| LT0302 | a variable may have no value here                              |
| LT0303 | a staged value is used as a Python value                       |
| LT0304 | a staged value is used outside the scope that made it          |
| LT0305 | a Python object older than the trace is changed                |
| LT0306 | two paths give values that do not join                         |
| LT0307 | the recursion's result cannot be determined                    |
| LT0308 | a static argument changes on every recursive call              |
| LT0309 | the user's code raised an exception while it was staged        |
| LT0310 | this has no staged meaning                                     |
| LT0311 | the entry cannot be staged: no such name, parameters, types    |
| LT0312 | a value has no counterpart in the S-expression language        |
| LT0313 | what may fail when the program runs would be handled           |
| LT0314 | the elements of an empty list are neither found nor annotated  |
| LT0317 | an array changes that something else may share memory with     |
"""
from __future__ import annotations

import ast
import contextlib
import functools
import linecache
import os
import re
import site
import sys

from lantern import dispatch, syntax, types
from lantern.nearest import hint_of
from lantern.records import Record
from lantern.struct import FieldError

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OURS = (PACKAGE + os.sep, "<frozen ")


LIBRARIES = tuple({os.path.realpath(folder) + os.sep for folder in (os.path.dirname(os.__file__), *site.getsitepackages())})


class Place(Record):
    """A place in the user's file; line and column count from 1, 0 where they are not known."""
    file: str
    line: int = 0
    column: int = 0

    def __str__(self):
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part)

    def source_line(self):
        return linecache.getline(self.file, self.line).rstrip("\n") if self.line else ""


class StagingError(Exception):
    """An error of the user's program, found while staging it. `place` may be None where there is none."""

    def __init__(self, code, message, place=None, hint=None, notes=()):
        super().__init__(message)
        self.code, self.message, self.place, self.hint, self.notes = code, message, place, hint, list(notes)
        self.others = []        # errors found in the same run, none of which follows from another
        self.is_of_all_paths = False    # whether no other path of a branch is looked at
        self.makers = ()        # the statements that have left a variable without a value on some path (unbound.py)
        self.of_class = None    # the class, where it is an error because its instances are objects and no values (unchanged.py)

    def __str__(self):
        text = f"{self.place or 'lantern'}: error {self.code}: {self.message}"
        line = self.place.source_line() if self.place else ""
        if line.strip():
            text += f"\n  {line.expandtabs(1)}"
            if self.place.column:
                text += f"\n  {' ' * (self.place.column - 1)}^"
        for note in self.notes:
            text += f"\n  note: {note}"
        text += f"\n  hint: {self.hint}" if self.hint else ""
        return "\n".join([text, *map(str, self.others)])

    def all(self):
        """This error and the others, each once, in the order of the user's lines."""
        found, pending = {}, [self]
        while pending:
            error = pending.pop(0)
            found.setdefault((error.code, error.message, error.place), error)
            pending += error.others
        return list(found.values())

    def diagnostic(self):
        """What the stage program's reply says of this error."""
        place = self.place or Place("")
        return {"code": self.code, "file": place.file, "line": place.line, "column": place.column,
                "end_line": place.line, "end_column": place.column, "message": self.message, "hint": self.hint or "",
                "notes": self.notes, "source_line": place.source_line()}


class Errors:
    """Collects the errors of parts that do not depend on each other."""

    def __init__(self):
        self.found = []

    @contextlib.contextmanager
    def part(self):
        """What runs in it may fail; what comes behind runs all the same."""
        try:
            yield
        except StagingError as error:
            if error.is_of_all_paths:
                raise
            self.found.append(error)

    def report(self):
        """Raises the first error, with the others, if there is one."""
        if self.found:
            first = self.found[0]
            own = {(error.code, error.message, error.place) for error in first.all()}
            for error in (each for other in self.found[1:] for each in other.all()):
                if (error.code, error.message, error.place) not in own:
                    own.add((error.code, error.message, error.place))
                    error.others = []
                    first.others.append(error)
            raise first


class Signal(BaseException):
    """What the tracer throws at itself; no `except Exception` of the user's may stop it."""


class Abandon(Signal):
    """This path needs the result type of a function that is still being traced: leave it, trace the others first."""


class Raised(Signal):
    """This path ends in a staged `raise`."""

    def __init__(self, expression):
        super().__init__()
        self.expression = expression


class Restart(Signal):
    """Trace `specialisation` again: it has learnt something about its parameters."""

    def __init__(self, specialisation):
        super().__init__()
        self.specialisation = specialisation


class NeedsInlining(Signal):
    """`specialisation` cannot be a function of its own, for the reason in `error`. changed: the list or dict of a function around, where it is that
    which changes."""

    def __init__(self, specialisation, error, changed=None):
        super().__init__()
        self.specialisation, self.error, self.changed = specialisation, error, changed


class IsHandled(NeedsInlining):
    """What a call of `specialisation` may raise is handled where it stands: its ways part within the function."""


@functools.lru_cache(maxsize=None)
def is_ours(filename):
    return filename.startswith(_OURS)


@functools.lru_cache(maxsize=None)
def is_librarys(filename):
    """Whether a file is of the standard library or an installed package."""
    return filename.startswith("<frozen ") or os.path.realpath(filename).startswith(LIBRARIES) and not is_ours(filename)


def is_plain(filename):
    """Whether a file's functions are not the user's."""
    return is_librarys(filename) or is_ours(filename)


_tracing = {}       # id of a code object that traces a define, its `made` → it


def note_tracing(function):
    """This function traces `made`: what is found out behind its body is at its `def`."""
    _tracing[id(function.__code__)] = function.__code__
    return function


def traced_by(frame):
    """What a frame of ours traces, or None."""
    return frame.f_locals["made"] if id(frame.f_code) in _tracing else None


_converted = {}     # id of a code object that conversion has made → it


def note_converted(codes):
    """These code objects are converted Python: their operators say where they are."""
    _converted.update((id(code), code) for code in codes)


def is_converted_code(code):
    return id(code) in _converted


def user_place(at=None):
    """Where the user's code is that is running: the innermost frame that is neither the package's nor plain code of a library.

    at: (line, column) of the operator that is running in converted code, where that is known.
    """
    frame, within_definitions, innermost, made = sys._getframe(1), False, None, None
    while frame is not None:
        code = frame.f_code
        if is_ours(code.co_filename):
            within_definitions = within_definitions or id(code) in _converted     # `at` is a place there
            made = frame.f_locals["made"] if made is None and id(code) in _tracing else made
        elif id(code) in _converted:
            break
        elif not is_librarys(code.co_filename) and linecache.getline(code.co_filename, frame.f_lineno):     # "<string>" is what dataclasses has written
            if made is not None:    # the code that had it staged
                return made.place
            break
        else:
            innermost = innermost or frame
        frame = frame.f_back
    if frame is None:
        frame, at = innermost, None
    if frame is None:
        return None
    if at is not None and not within_definitions and is_converted_code(frame.f_code):
        return Place(frame.f_code.co_filename, *at)
    return place_of_instruction(frame.f_code, frame.f_lasti, frame.f_lineno)


def define_place(function):
    """Where a function is defined: at its `def`, which stands behind its decorators."""
    given = getattr(function, "__lantern_place__", None)
    if given is not None:
        return given
    code = function.__code__
    for line in range(code.co_firstlineno, code.co_firstlineno + 50) if code.co_name != "<lambda>" else ():
        text = linecache.getline(code.co_filename, line)
        if text.lstrip().startswith(("def ", "async def ")):
            return Place(code.co_filename, line, len(text) - len(text.lstrip()) + 1)
    return Place(code.co_filename, code.co_firstlineno, 1)


def place_of_field(cls, field):
    """Where a structure's class annotates a field; where the class begins, if that is not found."""
    file, first = cls.__lantern_struct__.defined
    for line in range(first, first + 200):
        text = linecache.getline(file, line)
        if re.match(rf"\s*{re.escape(field)}\s*:", text):
            return Place(file, line, len(text) - len(text.lstrip()) + 1)
    return Place(file, first, 1)


_positions = {}     # id of a code object → it and the positions of its instructions, which are told from the first on


def _position(code, number):
    """That of an instruction; None, if the code has none of that number."""
    known = _positions.get(id(code))
    if known is None or known[0] is not code:
        if len(_positions) >= 200:
            _positions.clear()
        known = _positions[id(code)] = code, list(code.co_positions())
    return known[1][number] if number < len(known[1]) else None


def place_of_instruction(code, instruction, line):
    told = hasattr(code, "co_positions")    # since Python 3.11: of each instruction, which are of two bytes
    position = _position(code, instruction // 2) if told and instruction >= 0 else None
    if position is not None and position[0] == line and position[2] is not None:
        return Place(code.co_filename, line, position[2] + 1)
    text = "" if told or not line else linecache.getline(code.co_filename, line)
    return Place(code.co_filename, line or 0, len(text) - len(text.lstrip()) + 1 if text.strip() else 0)


def place_of_name(name):
    """Where the user's code reads a variable now."""
    place = user_place()
    if sys.version_info >= (3, 11) or place is None:
        return place
    try:
        tree = syntax.parse("".join(linecache.getlines(place.file)))
    except SyntaxError:
        return place
    columns = [node.col_offset for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name and node.lineno == place.line
               and isinstance(node.ctx, ast.Load)]
    if not columns:
        return place
    return Place(place.file, place.line, len(place.source_line().encode()[:min(columns)].decode()) + 1)


def place_of_exception(exception):
    """The innermost place in the user's code on an exception's traceback, or, where none of it is the user's, in a library's; or None."""
    users, others, traceback = None, None, exception.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_ours(code.co_filename):
            place = place_of_instruction(code, traceback.tb_lasti, traceback.tb_lineno)
            if (is_converted_code(code) or not is_librarys(code.co_filename)) and place.source_line():  # "<string>", a .pyx: of no file that is there
                users = place
            elif others is None or code.co_filename != "<string>":     # which is what dataclasses has written
                others = place
        traceback = traceback.tb_next
    return users or others


def from_exception(exception):
    """The StagingError that says what the user's code raised while it was staged."""
    if isinstance(exception, StagingError):
        return exception
    if isinstance(exception, SyntaxError):
        return from_syntax_error(exception)
    place = place_of_exception(exception)
    kind = type(exception).__name__
    if isinstance(exception, RecursionError):
        return StagingError("LT0308", "the recursion does not end while staging", place,
                            "a recursion that ends on a condition known only at run time must depend on a staged value; one under "
                            "Python control is unrolled")
    diagnostics = getattr(exception, "diagnostics", None)
    if diagnostics:
        return from_diagnostic(diagnostics[0], place or _place_in(diagnostics[0]))
    if isinstance(exception, FieldError):
        return StagingError("LT0311", exception.message, place or place_of_field(exception.cls, exception.field), exception.hint)
    if isinstance(exception, ImportError) and "relative import with no known parent" in str(exception):
        return StagingError("LT0309", f"{kind}: {exception}", place,
                            "the file runs as a script does: write 'import name', which is found beside the file")
    hint, text = hint_of(exception), re.sub(_OUR_TYPES, "a value that is known only when the program runs", str(exception))
    if isinstance(exception, NameError):
        return StagingError("LT0301", text, place, hint)
    return StagingError("LT0309", f"{kind}: {text}" if text else kind, place or user_place(), hint)     # what a definition of ours raises is the user's call


_OUR_TYPES = r"""(['"])Staged\w*\1( object)?"""      # in what Python says of an operand


@contextlib.contextmanager
def reporting_exceptions():
    """Whatever the user's code raises becomes a StagingError, or the program's: where it runs perhaps never, nobody's `except` may catch it now.

    In a function that waits for the result type of a recursive call, what that call would have put into a list is not there yet,
    and `min` of it raises: such a path is abandoned, to be traced again.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, StagingError):
            raise
        trace = dispatch.active_trace()
        frame = getattr(trace, "frame", None)
        if frame is not None and frame.specialisation.waiting:
            raise Abandon from error
        raise (from_exception(error) if frame is None else trace.raises.leaving_path(error)) from error


def _place_in(diagnostic):
    """Where the core says that something is wrong, if it does."""
    return Place(diagnostic["file"], diagnostic["line"], diagnostic["column"]) if diagnostic.get("line") else None


def from_diagnostic(diagnostic, place, notes=()):
    """A diagnostic of the core's, a dict, at the user's place."""
    notes = [*(diagnostic.get("notes") or ()), *notes]
    return StagingError(diagnostic["code"], in_annotations(diagnostic["message"]), place, diagnostic.get("hint"), notes)


_BEGIN_OF_TYPE = r"\((?:tensor|optional|tuple|list|dataset)[ )]"


def in_annotations(message):
    """A message of the compiler's, with the types in it, `(tensor f32 3)`, as annotations say them."""
    shown, position = "", 0
    while begin := re.compile(_BEGIN_OF_TYPE).search(message, position):
        end, depth = begin.start() + 1, 1
        while depth and end < len(message):
            depth += {"(": 1, ")": -1}.get(message[end], 0)
            end += 1
        try:
            written = types.annotation(types.parse(message[begin.start():end]))
        except ValueError:      # no type of a value: `(tensor DTYPE DIM…)`
            written = message[begin.start():end]
        shown += message[position:begin.start()] + written
        position = end
    return re.sub(r"(?<=, not )(?:i64|f64|string)$", lambda found: types.annotation(types.parse(found[0])), shown + message[position:])


def from_syntax_error(error):
    return StagingError("LT0101", error.msg, Place(error.filename or "?", error.lineno or 0, error.offset or 0))
