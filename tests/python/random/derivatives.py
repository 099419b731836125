"""Typed programs: their values plainly and compiled, and their gradients compiled, eager and by finite differences."""

import collections
import copy
import os
import re

import numpy as np
from compiled import NEVER, Compiled, in_child, module_of, rebuilt
from plain import Failure, OutOfTime, time_limit
from typed_programs import PRELUDE, TypedProgram

import lantern as lt
from lantern import compiled, core, types
from lantern.check import gradients
from lantern.check.outcome import Tolerance, capture
from lantern.exceptions import CoreError
from lantern.staging import entry
from lantern.staging.errors import StagingError
from lantern.staging.program import Program, export_node
from lantern.staging.trace import Trace

WITH_RESPECT_TO = ("x", "v", "m", "t", "bush", "xs")
DIRECTIONS = 2
HUGE = 1e100
VALUES, SLOPES = 1e-9, 1e-4     # relative; a slope beside finite differences


def arguments_of(module):
    """The arguments of the calls, by name: usual ones, and an empty list, a leaf, a zero. No number is one that programs hold, or
    their sum: where two are equal, a maximum has no derivative."""
    draw = np.random.default_rng(7)
    Tree, Bush = module.Tree, module.Bush

    def tree(depth):
        below = (tree(depth - 1), tree(depth - 2)) if depth > 0 else (None, None)
        return Tree(float(draw.normal()), draw.normal(size=3), *below)

    def bush(children):
        return Bush(float(draw.normal()), [bush(children - 2) for _ in range(max(children, 0))])

    return [{"x": 0.7183, "v": draw.normal(size=3), "m": draw.normal(size=(3, 3)), "n": 2, "t": tree(2), "bush": bush(3), "xs": [0.3271, -1.2419, 0.8123]},
            {"x": -0.4237, "v": draw.normal(size=3), "m": draw.normal(size=(3, 3)), "n": 0, "t": tree(0), "bush": bush(0), "xs": []}]


def kinds_of(module):
    array = lambda *dims: types.TensorType("f64", dims)  # noqa: E731
    return {"x": types.f64, "v": array(3), "m": array(3, 3), "n": types.i64, "t": types.StructType("Tree", module.Tree),
            "bush": types.StructType("Bush", module.Bush), "xs": types.List(types.f64)}


def outcome(function, arguments):
    """("returned", result) or ("raised", type of the exception)."""
    try:
        with capture(), np.errstate(all="ignore"):
            return "returned", function(**copy.deepcopy(arguments))
    except Exception as error:
        return "raised", type(error).__name__


class Derivatives(Compiled):
    """Compares values and gradients. `compared`: slopes beside finite differences; `rough`: where these do not agree among themselves;
    `only_compiled`: gradients that are refused where nothing is compiled."""

    program = TypedProgram

    def __init__(self):
        super().__init__()
        types.set_default_dtype("f64")
        self.compared = self.rough = self.only_compiled = 0
        self.operators = collections.Counter()     # how often each stands in the compiled programs

    def summary(self):
        return f"{super().summary()}; {self.compared} slopes compared, {self.rough} not smooth; {self.only_compiled} gradients refused by the tape"

    def compare(self, programs):
        self.made += 1
        module = module_of(PRELUDE + "\n\n" + "\n\n".join(programs.values()), f"random_{os.getpid()}_{self.made}")
        trace, staged, failures = Trace(), {}, []
        for number in programs:
            try:
                staged[number] = self.staged(trace, module, number)
            except StagingError as error:
                failures += self.refused(number, programs, error.code, error)
            except OutOfTime:
                failures += self.refused(number, programs, "time", "staging takes more than 20 seconds")
        return failures + (self.differences_of(module, trace, staged, programs) if staged else [])

    def refused(self, number, programs, code, error):
        """Counts a refusal. → the failures that it is."""
        self.refusals[code] += 1
        return [Failure(number, programs[number], None, f"{code}: {error}")] if code in NEVER else []

    @staticmethod
    def staged(trace, module, number):
        """A program with its gradient, in a trace that goes on without it where it is refused."""
        placeholders = {name: entry.placeholder(kind) for name, kind in kinds_of(module).items()}
        try:
            with time_limit(20), entry.default_dtype("f64"), entry.reporting():
                return entry._trace_gradient(trace, vars(module)[f"program_{number}"], placeholders, WITH_RESPECT_TO)[0]
        finally:
            trace.refusals.clear()

    def differences_of(self, module, trace, staged, programs):
        try:
            functions = self.build_gradients(module, trace, staged)
        except Exception as error:
            numbers = list(staged)
            refusals = {number: refusal for number in numbers if (refusal := self.refusal_by_core(trace, staged[number])) is not None}
            if refusals:
                failures = [failure for number, refusal in refusals.items() for failure in self.refused(number, programs, *refusal)]
                left = {number: each for number, each in staged.items() if number not in refusals}
                return failures + (self.differences_of(module, trace, left, programs) if left else [])
            if len(numbers) == 1:
                return [Failure(numbers[0], programs[numbers[0]], None, f"{type(error).__name__}: {str(error)[:1500]}")]
            half = len(numbers) // 2
            parts = ({n: staged[n] for n in numbers[:half]}, {n: staged[n] for n in numbers[half:]})
            return [failure for part in parts for failure in self.differences_of(module, trace, part, programs)]

        def work():
            for number, function in functions.items():
                yield number, [outcome(function, arguments) for arguments in arguments_of(module)]

        items, status = in_child(work)
        failures, results = [], dict(items)
        for number, got in results.items():
            self.ran += 1
            said = self.difference(module, number, got)
            if said is not None:
                failures.append(Failure(number, programs[number], None, said))
        waiting = [number for number in staged if number not in results]
        if waiting:
            failures.append(Failure(waiting[0], programs[waiting[0]], None, f"the compiled program ended the process: status {status}"))
            failures += self.differences_of(module, trace, {n: staged[n] for n in waiting[1:]}, programs) if waiting[1:] else []
        return failures

    @staticmethod
    def refusal_by_core(trace, each):
        """(code, error) of what the compiler says of a program; None if it takes it."""
        try:
            core.compile(Program(trace, [each]).text(exports=[export_node(each.spelling, [])]), "random.py", {"emit": "cps"})
        except CoreError as error:
            return error.diagnostics[0]["code"] if error.diagnostics else "LT0901", error
        return None

    def build_gradients(self, module, trace, staged):
        """{number: a function that calls the compiled program: (value, gradients)}."""
        program = Program(trace, list(staged.values()))
        text = program.text(exports=[export_node(each.spelling, []) for each in staged.values()])
        library = compiled.build(text, module.__name__ + ".py", "program")
        self.operators.update(re.findall(r"\((\S+)", text))
        structs = {name: types.StructType(name, vars(module)[name]) for name in ("Tree", "Bush")}
        loaded = compiled.Program(library, structs, program.trace.exceptions)

        def caller(each):
            function = loaded.entry(each.spelling)
            def call(**arguments):
                value, *adjoints = rebuilt(each, function(*arguments.values()))
                return value, tuple(adjoints)
            return call
        return {number: caller(each) for number, each in staged.items()}

    def difference(self, module, number, got):
        """What is wrong with the outcomes of a compiled program, in words; None if nothing is."""
        function = vars(module)[f"program_{number}"]
        for turn, (arguments, (how, result)) in enumerate(zip(arguments_of(module), got)):
            try:
                with time_limit(20):
                    said = self.difference_at(function, arguments, how, result, (number, turn))
            except OutOfTime:
                return None
            if said is not None:
                return f"call {turn}: {said}"
        return None

    def difference_at(self, function, arguments, how, result, seed):
        plainly, value = outcome(function, arguments)
        if how == "raised" or plainly == "raised":
            both = (plainly, value), (how, result)
            return None if both[0] == both[1] else f"plainly {both[0]}, compiled {both[1]}"
        compiled_value, adjoints = result
        if not Tolerance(VALUES).alike(float(value), float(compiled_value)):
            return f"the value is {value!r} plainly, {compiled_value!r} compiled"
        if not abs(float(value)) < HUGE:    # a derivative in what overflows is infinity or NaN, as its order of operations has it
            self.rough += DIRECTIONS
            return None
        tape, eager = outcome(lt.value_and_grad(function, wrt=WITH_RESPECT_TO), arguments)
        if tape == "raised":
            self.only_compiled += 1
        elif not Tolerance(1e-7).alike(eager[1], adjoints):
            return f"the gradient is {eager[1]!r} eager, {adjoints!r} compiled"
        draw = gradients.Directions(seed)
        for _ in range(DIRECTIONS):
            directions = {name: draw.like(arguments[name]) for name in WITH_RESPECT_TO}
            slopes = [gradients.difference(function, arguments, WITH_RESPECT_TO, (), directions, 0, step) for step in (1e-5, 5e-6)]
            if not np.isfinite(slopes).all() or not Tolerance(SLOPES).alike(*slopes):
                self.rough += 1
                continue
            self.compared += 1
            said = gradients.derivative(adjoints, WITH_RESPECT_TO, (), directions)
            if not Tolerance(SLOPES).alike(said, slopes[1]):
                return f"along a direction the gradient says {said!r}, finite differences {slopes[1]!r}"
        return None
