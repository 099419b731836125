"""Random programs plainly and compiled: many programs in one shared object, each run in a process that may die."""

import collections
import contextlib
import linecache
import os
import pickle
import re
import signal
import sys
import tempfile
import traceback

from place_programs import PlaceProgram
from plain import ADDRESS, Failure, OutOfTime, time_limit, valid
from shrink import one_edit_smaller
from staged_programs import PRELUDE, StagedProgram

from lantern import compiled, core, types
from lantern.exceptions import CoreError
from lantern.staging import entry
from lantern.staging.errors import StagingError
from lantern.staging.program import Program, export_node
from lantern.staging.trace import Trace

PLACE = re.compile(r"^[^\s:]+:(\d+):\d+: ")
# What the converter calls what it makes; no error may say so.
INTERNAL = re.compile(r"\b(get_state|set_state|state|if_body|else_body|loop_body|loop_test|extra_test|element|value|object|index|left|right|into|"
                      r"iterable)__|\b(retval|do_return|break|continue|item|operand|subject|turns|going|number|comprehension|generator|elements)_"
                      r"\d*\b|\bag__")
AT_ONCE = 60        # programs that the shrinker compiles together
NEVER = ("LT0601", "LT0901", "time")    # no program may be refused with these
os.environ.setdefault("LANTERN_CXXFLAGS", "-O0 -ffp-contract=off -DLANTERN_EXPECT")  # as Python rounds
SECONDS = 60        # for all calls of one object


def heading(text, number):
    """The line that begins a program: its annotations say what it is called with."""
    return next((line for line in text.splitlines() if line.startswith(f"def program_{number}(")), None)


def module_of(text, name):
    """The names of a module whose source the converter finds."""
    file = f"{name}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    module = type(sys)(name)
    sys.modules[name] = module
    exec(compile(text, file, "exec", dont_inherit=True), vars(module))
    return module


def arguments_of(node):
    leaf = node(1, 0.5, True, None, None)
    tree = node(4, 2.5, False, node(2, -1.5, True, leaf, None), leaf)
    return ((2, 5, 1.5, True, tree, [3, 1, 4]), (0, -3, -0.5, False, leaf, []), (7, 1, 0.25, True, node(-2, 8.0, True, None, tree), [5]))


def kinds_of(node):
    return {"i": types.i64, "j": types.i64, "x": types.f64, "p": types.bool_, "t": types.type_of(node), "xs": types.List(types.i64)}


def shown(value):
    """The text of a result; structures by their fields."""
    return ADDRESS.sub("", repr(value))


def call(function, arguments):
    """((returned, value) or (raised, type, message, line), output)."""
    with tempfile.TemporaryFile() as output:
        sys.stdout.flush()
        before = os.dup(1)
        os.dup2(output.fileno(), 1)
        try:
            with open(output.fileno(), "w", closefd=False) as stdout, contextlib.redirect_stdout(stdout):
                result = ("returned", shown(function(*arguments)))
        except Exception as error:
            result = ("raised", *raised(error))
        finally:
            os.dup2(before, 1)
            os.close(before)
        output.seek(0)
        return result, output.read().decode()


def raised(error):
    """Type, message and line; a compiled program's message begins with the place."""
    text = str(error.args[0]) if isinstance(error, KeyError) and len(error.args) == 1 else str(error)
    place = PLACE.match(text)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith("random_")]
    return type(error).__name__, PLACE.sub("", text), int(place[1]) if place else lines[-1] if lines else None


def in_child(work):
    """What work() yields, one by one, from a process of its own; if that dies or does not end, what came before."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        with os.fdopen(write, "wb") as pipe:
            with contextlib.suppress(BaseException):
                for item in work():
                    pickle.dump(item, pipe)
                    pipe.flush()
        os._exit(0)
    os.close(write)
    items = []
    with os.fdopen(read, "rb") as pipe, contextlib.suppress(EOFError):
        while True:
            items.append(pickle.load(pipe))
    return items, os.waitpid(child, 0)[1]


class Compiled:
    """Compares programs with what they are compiled to. `refusals`: how many were not staged or compiled, by code."""

    program = StagedProgram     # what a number and a seed become

    def __init__(self):
        self.refusals, self.ran, self.made = collections.Counter(), 0, 0

    def summary(self):
        return f"{self.ran} ran; refused: {dict(self.refusals.most_common())}"

    @classmethod
    def generate(cls, seed, numbers, counts=None):
        programs = {}
        for number in numbers:
            program = cls.program(f"{seed}-{number}", number)
            text = program.source()
            if valid(text):
                programs[number] = text
                if counts is not None:
                    counts.update(program.choices.counts)
        return programs

    def refusal(self, function, kinds):
        """The error that a program is refused with, or None."""
        try:
            staged = entry.stage_function(function, kinds, "f64")
            core.compile(staged.text, "random.py", {"emit": "ir"})
            return None
        except StagingError as error:
            return error
        except CoreError as error:
            error.code = error.diagnostics[0]["code"] if error.diagnostics else "LT0901"
            return error

    def stage(self, module, numbers):
        """(the programs that are accepted, [(number, error)] of the others)."""
        accepted, refused = [], []
        kinds = kinds_of(arguments_of(module.Node)[0][4])
        for number in numbers:
            try:
                with time_limit(20):
                    error = self.refusal(vars(module)[f"program_{number}"], kinds)
            except OutOfTime:
                error = TimeoutError("staging takes more than 20 seconds")
                error.code = "time"
            (accepted.append(number) if error is None else refused.append((number, error)))
        return accepted, refused

    def build(self, module, numbers):
        """{number: a Python function that calls the compiled program}."""
        trace = Trace()
        node = arguments_of(module.Node)[0][4]
        kinds = kinds_of(node)
        with entry.default_dtype("f64"), entry.reporting():
            specialisations = {}
            for number in numbers:
                function = vars(module)[f"program_{number}"]
                placeholders = {name: entry.placeholder(kind) for name, kind in kinds.items()}
                specialisations[number] = entry.trace_entry(trace, function, placeholders)
            program = Program(trace, list(specialisations.values()))
        text = program.text(exports=[export_node(each.spelling, []) for each in specialisations.values()])
        library = compiled.build(text, module.__name__ + ".py", "program")
        structs = {name: type_ for name, type_ in trace.structs.items()} | {"Node": types.type_of(node)}
        loaded = compiled.Program(library, structs, program.trace.exceptions)
        functions = {}
        for number, each in specialisations.items():
            function = loaded.entry(each.spelling)
            functions[number] = lambda *arguments, function=function, each=each: rebuilt(each, function(*arguments))
        return functions

    def compare(self, programs):
        """The failures among {number: text}; refusals are counted."""
        self.made += 1
        module = module_of(PRELUDE + "\n\n" + "\n\n".join(programs.values()), f"random_{os.getpid()}_{self.made}")
        accepted, refused = self.stage(module, programs)
        failures = []
        for number, error in refused:
            self.refusals[error.code] += 1
            if error.code in NEVER or INTERNAL.search(str(error)):
                failures.append(Failure(number, programs[number], None, f"{error.code}: {error}"))
        plain = {}
        for number in accepted:
            plain[number] = self.plainly(module, number)
        accepted = [number for number in accepted if plain[number] is not None]
        if not accepted:
            return failures
        return failures + self.differences(module, accepted, programs, plain)

    @staticmethod
    def plainly(module, number):
        """The outcomes of the plain program; None if it takes too long."""
        try:
            with time_limit(3):
                return [call(vars(module)[f"program_{number}"], arguments) for arguments in arguments_of(module.Node)]
        except OutOfTime:
            return None

    def differences(self, module, accepted, programs, plain):
        try:
            functions = self.build(module, accepted)
        except Exception as error:
            if len(accepted) == 1:
                return [Failure(accepted[0], programs[accepted[0]], None, f"{type(error).__name__}: {str(error)[:600]}")]
            half = len(accepted) // 2
            return self.differences(module, accepted[:half], programs, plain) + self.differences(module, accepted[half:], programs, plain)

        def work():
            for number, function in functions.items():
                yield number, [call(function, arguments) for arguments in arguments_of(module.Node)]

        items, status = in_child(work)
        results = dict(items)
        failures, waiting = [], [number for number in accepted if number not in results]
        self.ran += len(results)
        for number, got in results.items():
            if plain[number] != got:
                failures.append(Failure(number, programs[number], plain[number], got))
        if waiting:
            failures.append(Failure(waiting[0], programs[waiting[0]], None, f"the compiled program ended the process: status {status}"))
            if waiting[1:]:
                failures += self.differences(module, waiting[1:], programs, plain)
        return failures

    def shrunk(self, failure):
        """A small program that fails in the same way. The edits of one round are compiled together."""
        refusals, ran = collections.Counter(self.refusals), self.ran
        text = failure.text
        while True:
            smaller = self.failing(one_edit_smaller(text), failure)
            if smaller is None:
                break
            text = smaller
        self.refusals, self.ran = refusals, ran
        return text

    def failing(self, texts, failure):
        """The shortest of the texts that fails as `failure` does."""
        name = re.compile(rf"_{failure.number}\b")
        texts = sorted({text for text in texts if valid(text) and heading(text, failure.number) == heading(failure.text, failure.number)}, key=len)
        for first in range(0, len(texts), AT_ONCE):
            batch = {number: name.sub(f"_{number}", text) for number, text in enumerate(texts[first:first + AT_ONCE], 10_000)}
            fit = [each.number for each in self.compare(batch) if each.kind() == failure.kind()]
            if fit:
                return texts[first + min(fit) - 10_000]
        return None


def rebuilt(specialisation, values):
    values, plan = iter(values), specialisation.result
    return plan.rebuild(iter([entry._nested(join.type, values) for join in plan.joins()]))


class Places(Compiled):
    """Those that look for places: compiled, each unchecked place is looked for after all."""

    program = PlaceProgram
