"""Staging a piece of source text, and running what came out."""
import contextlib
import copy
import io
import itertools
import linecache
import sys
import textwrap
import types as python_types

from interpreter import Machine, Raised
from lantern import core
from lantern.staging import entry

PRELUDE = "import lantern as lt\nimport lantern.autograph as ag\n"
numbers = itertools.count(1)


def module_of(source):
    """A module made of source text; its line 1 is the first line of `source`."""
    source = textwrap.dedent(source).lstrip("\n")
    name = f"program_{next(numbers)}"
    file = f"{name}.py"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    module = python_types.ModuleType(name)
    exec(PRELUDE, vars(module))
    sys.modules[name] = module
    exec(compile(source, file, "exec", dont_inherit=True), vars(module))
    return module


def staged(function, **kinds):
    """The program that a function becomes."""
    return entry.stage_function(function, kinds)


class Staged:
    """A staged entry: its text, and calls of it by the interpreter."""

    def __init__(self, source, name="f", **statics):
        self.module = module_of(source)
        self.function = vars(self.module)[name]
        self.program, self.entries = entry.stage_entries([self.function], statics=statics)
        self.text = entry.program_text(self.program, self.entries, locations=False)
        self.full_text = entry.program_text(self.program, self.entries)
        core.compile(self.full_text, "program.sexpr", {"emit": "ir"})  # the compiler takes it
        self.name = "runX" if self.program.is_listing(self.entries[0].specialisation) else self.entries[0].specialisation.spelling
        self.machine = Machine(self.text)

    def __call__(self, *arguments):
        return self.machine.call(self.name, *arguments)


def assert_is_python(stage, source, cases):
    """Asserts that `f` of the source gives, prints and raises for each of the cases what Python does."""
    staged, plain = stage(source), module_of(source).f
    for arguments in cases:
        out, staged.machine.printed[:] = io.StringIO(), []
        with contextlib.redirect_stdout(out):
            expected = outcome(plain, *copy.deepcopy(arguments))
        assert outcome(staged, *copy.deepcopy(arguments)) == expected, arguments
        assert staged.machine.printed == out.getvalue().splitlines()


def outcome(function, *arguments):
    """What a call gives; of an exception, its class: the operation that fails has a message of the program's."""
    try:
        return function(*arguments)
    except Raised as error:
        return error.kind
    except Exception as error:
        return type(error).__name__
