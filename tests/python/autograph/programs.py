"""Small programs held to plain Python: each is staged, all of a module are compiled into one object, each is run three ways.

    @runs((3.0,), (-3.0,))              # plainly, converted, compiled: the same result, output and exception
    def absolute(x): ...

    @stops("LT0301", "'y'", at=(1.0,))  # an error of this code that says this, at the line marked `# error`
    def sometimes(x): ...

Numbers, strings, arrays, lists and structures among the arguments are staged; `lt.static` parameters, None and functions are known.
"""
import contextlib
import copy
import functools
import inspect
import io
import sys

import numpy as np

import lantern.autograph as ag
from lantern import compiled, core, types
from lantern.exceptions import CoreError
from lantern.function import Function
from lantern.kinds import at, flattened
from lantern.staging import entry
from lantern.staging.arguments import put_back
from lantern.staging.errors import Place, StagingError
from lantern.staging.program import Program, export_node
from lantern.staging.trace import Trace
from thorough import THOROUGH


class Case:
    """A program, and what is expected of it."""

    def __init__(self, function, arguments, code=None, texts=()):
        self.function, self.arguments, self.code, self.texts = function, arguments, code, texts

    def kinds(self, arguments):
        """{parameter: its type, or Known(value)} for arguments."""
        return Function(self.function).kinds(self.given(arguments))

    def given(self, arguments):
        """{parameter: argument}."""
        return dict(zip(inspect.signature(self.function).parameters, arguments))

    def versions(self):
        """{a key: kinds}: arguments of several kinds are compiled several times."""
        return {repr(kinds): kinds for kinds in map(self.kinds, self.arguments)}

    def trace(self, trace, kinds):
        """The program's specialisation in a trace."""
        with entry.default_dtype("f64"), entry.reporting():
            return entry.trace_entry(trace, self.function, entry.placeholders(trace, kinds))

    @functools.cached_property
    def error(self):
        """The error that staging gives, or the compiler, or None."""
        try:
            for kinds in self.versions().values():
                trace = Trace()
                made = self.trace(trace, kinds)
                core.compile(Program(trace, [made]).text(exports=[export_node(made.spelling, [])]), "program.sexpr", {"emit": "cpp"})
        except StagingError as error:
            return error
        except CoreError as error:
            found = error.diagnostics[0]
            return StagingError(found["code"], found["message"], Place(self.function.__code__.co_filename, found["line"], found["column"]))
        return None

    def flat(self, arguments):
        """The arguments as the compiled entry takes them."""
        return [value for (name, kind), argument in zip(self.kinds(arguments).items(), arguments) for value in flattened(kind, argument, name)]

    def marked_line(self):
        """The line of the program that is marked `# error`."""
        lines, first = inspect.getsourcelines(self.function)
        return next(first + number for number, line in enumerate(lines) if "# error" in line)


def runs(*arguments):
    def decorate(function):
        function.case = Case(function, arguments)
        return function
    return decorate


def stops(code, *texts, at):
    def decorate(function):
        function.case = Case(function, (at,), code, texts)
        return function
    return decorate


def cases_of(module):
    return [value.case for value in vars(module).values() if hasattr(value, "case") and value.__module__ == module.__name__]


@functools.lru_cache(maxsize=None)
def built(module):
    """{case: a Python function that calls its compiled form} of all programs of a module that are to run, in one object; of those that can, if not all."""
    to_run = [case for case in cases_of(module) if case.code is None]
    if THOROUGH == 1:
        with contextlib.suppress(StagingError, CoreError):
            return _built(module, to_run)
    return built_alone(module)


@functools.lru_cache(maxsize=None)
def built_alone(module):
    """The same of those that are staged by themselves, too, without an error."""
    return _built(module, [case for case in cases_of(module) if case.code is None and case.error is None])


def _built(module, cases):
    trace, entries = Trace(), {}
    for case in cases:
        entries.update({(case, key): case.trace(trace, kinds) for key, kinds in case.versions().items()})
    program = Program(trace, list(entries.values()))
    text = program.text(exports=[export_node(made.spelling, []) for made in entries.values()])
    structs = {name: types.StructType(name, type_.declaration) for name, type_ in trace.structs.items()}
    loaded = compiled.Program(compiled.build(text, module.__name__, "programs"), structs, trace.exceptions)

    def caller(case):
        def run(*arguments):
            made = entries[case, repr(case.kinds(arguments))]
            values, plan = iter(loaded.entry(made.spelling)(*case.flat(arguments))), made.result
            result = plan.rebuild(iter([entry._nested(join.type, values) for join in plan.joins()]))
            return put_back(result, {path: at(path, case.given(arguments)) for path in made.references})
        return run
    return {case: caller(case) for case, _ in entries}


def outcome(function, arguments, capture):
    """(what it gives, or raises and says; what it prints)."""
    capture.readouterr()
    try:
        result = "gives", shown(function(*copy.deepcopy(arguments)))
    except Exception as error:
        users_own = getattr(error, "code", "LT0701") in ("LT0701", "LT0702")
        result = "raises", type(error).__name__, Text(str(error) if users_own else None)
    return result, capture.readouterr().out


class Text:
    """What an exception says; a running program says some things in other words than Python."""

    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return None in (self.text, other.text) or self.text == other.text

    def __repr__(self):
        return repr(self.text)


def shown(value):
    """A result in a form that is equal for equal results: NumPy's scalars as numbers, floats rounded to 12 digits."""
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [shown(v) for v in value]
    if isinstance(value, dict):
        return type(value).__name__, [(key, shown(v)) for key, v in value.items()]
    if isinstance(value, np.ndarray) and value.ndim:
        return "array", [shown(v) for v in value]
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if hasattr(type(value), "__lantern_struct__"):
        return type(value).__name__, {name: shown(getattr(value, name)) for name in type(value).__lantern_struct__.field_names}
    return value


def check(case, capture):
    """Asserts that a program does what is expected of it."""
    if case.code is not None:
        error = case.error
        assert error is not None, "it was staged"
        assert error.code == case.code, str(error)
        for text in case.texts:
            assert text in str(error), str(error)
        assert error.place.line == case.marked_line(), str(error)
        return
    fast = built(sys.modules[case.function.__module__]).get(case)
    assert fast is not None, str(case.error)
    with contextlib.redirect_stderr(io.StringIO()):
        twin = ag.to_graph(case.function)
    for arguments in case.arguments:
        expected = outcome(case.function, arguments, capture)
        assert outcome(twin, arguments, capture) == expected, f"converted, of {arguments}"
        assert outcome(fast, arguments, capture) == expected, f"compiled, of {arguments}"
