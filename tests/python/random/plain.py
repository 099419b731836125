"""Random programs plainly and converted: one module of many programs, run twice, compared program by program."""

import contextlib
import copy
import functools
import io
import os
import re
import signal
import tempfile
import warnings

from converter import Converter
from plain_programs import PRELUDE, PlainProgram
from shrink import shrink

FUEL = 60
ADDRESS = re.compile(r" at 0x[0-9a-f]+|[\w.<>]+\.<locals>\.|__converted")
SECONDS = 10


class OutOfTime(BaseException):
    pass


@contextlib.contextmanager
def time_limit(seconds):
    """Raises OutOfTime after so many seconds of CPU, which a busy machine does not change; for programs that the shrinker made endless."""
    def stop(*_):
        raise OutOfTime
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def code_of(text, file):
    """A module's code. Raises SyntaxError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(text, file, "exec", dont_inherit=True)


@functools.lru_cache(maxsize=256)
def code_of_program(text):
    """A program's code, None if CPython does not compile it."""
    try:
        return code_of(text, "plain.py")
    except SyntaxError:
        return None


def valid(text):
    return code_of_program(text) is not None


def loaded(codes, space):
    """The names that these codes bind, in a copy of `space`."""
    space = dict(space)
    for code in codes:
        exec(code, space)
    return space


def arguments_of(space):
    """What each program is called with."""
    box = space["Box"]
    return ((2, 5, 1.5, True, [3, 1, 4], (1, 2), box(1, 2)), (0, -3, -0.5, False, [], (7,), box(-4)))


def described(error, depth=0):
    """An exception, its cause and its context, as far as programs can tell."""
    if error is None or depth > 3:
        return None
    return (type(error).__name__, ADDRESS.sub("", str(error)), described(error.__cause__, depth + 1), error.__suppress_context__,
            described(error.__context__, depth + 1))


def outcome(space, number, arguments):
    """(what a program returned or raised, what it printed, what became of its arguments and its global)."""
    printed = io.StringIO()
    space["FUEL"][0] = FUEL
    arguments = copy.deepcopy(arguments)
    with contextlib.redirect_stdout(printed):
        try:
            result = "returned", repr(space[f"program_{number}"](*arguments))
        except RecursionError:      # how deep it came is no part of what a program means
            return "RecursionError", "", ""
        except Exception as error:
            result = ("raised", *described(error))
        state = repr((arguments, space.get(f"g_{number}")))
    return ADDRESS.sub("", repr(result)), ADDRESS.sub("", printed.getvalue()), ADDRESS.sub("", state)


def outcomes(space, number):
    return [outcome(space, number, arguments) for arguments in arguments_of(space)]


class Failure:
    """A program whose outcomes differ."""

    def __init__(self, number, text, expected, got):
        self.number, self.text, self.expected, self.got = number, text, expected, got

    def differences(self):
        """The (expected, got) that differ."""
        if not isinstance(self.got, list):
            return [(None, self.got)]
        return [pair for calls in zip(self.expected, self.got) for pair in zip(*calls) if pair[0] != pair[1]]

    def kind(self):
        """What failures with the same cause have in common, roughly: the shape of the first difference."""
        return " | ".join(re.sub(r"'[^']*'|[\d.]+", "_", str(side))[:70] for side in self.differences()[0])


class Plain:
    """Compares programs with what they are converted to."""

    def __init__(self):
        self.converter = Converter()
        self.folder = tempfile.mkdtemp(prefix="lantern-random-")
        self.space = {"__name__": "random_programs"}
        self.plain = loaded([code_of(PRELUDE, "plain.py")], self.space)
        self.twin = loaded([self.converted(PRELUDE)], self.space)

    def converted(self, text):
        """The code of the converted module. Raises SyntaxError where it is refused."""
        path = os.path.join(self.folder, "random_programs.py")
        with open(path, "w") as file:
            file.write(text)
        reply = self.converter.answer(path, map=False)
        if "error" in reply:
            raise SyntaxError(reply["error"])
        return code_of(reply["code"], "converted.py")

    def compare(self, programs):
        """The failures among {number: text}."""
        failures = []
        try:
            with time_limit(SECONDS + len(programs)):
                plain = loaded(map(code_of_program, programs.values()), self.plain)
                twin = loaded([self.converted("\n\n".join(programs.values()))], self.twin)
                for number, program in programs.items():
                    expected, got = outcomes(plain, number), outcomes(twin, number)
                    if expected != got:
                        failures.append(Failure(number, program, expected, got))
        except (SyntaxError, OutOfTime) as error:
            if len(programs) == 1:
                return [Failure(number, each, None, f"{type(error).__name__}: {error}") for number, each in programs.items()]
            return [failure for number, each in programs.items() for failure in self.compare({number: each})]
        return failures

    def summary(self):
        return ""

    @staticmethod
    def generate(seed, numbers, counts=None):
        """{number: text} of the programs with these numbers; those that CPython does not compile are left out."""
        programs = {}
        for number in numbers:
            program = PlainProgram(f"{seed}-{number}", number)
            text = program.source()
            if valid(text):
                programs[number] = text
                if counts is not None:
                    counts.update(program.choices.counts)
        return programs

    def shrunk(self, failure):
        """A small program that fails in the same way."""
        def fails(text):
            if not valid(text) or f"def program_{failure.number}(" not in text:
                return False
            try:
                with time_limit(2):
                    outcomes(loaded([code_of_program(text)], self.plain), failure.number)
            except (Exception, OutOfTime):
                return False
            return any(each.kind() == failure.kind() for each in self.compare({failure.number: text}))
        return shrink(failure.text, fails)
