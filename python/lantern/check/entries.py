"""The check of a file's entries: which arguments, how often, what is said."""
from __future__ import annotations

import inspect
import json

import numpy as np

from lantern import types
from lantern.annotations import annotations_of, of_parameter, static
from lantern.check import gradients, operators
from lantern.check.arguments import Arguments, NoArguments
from lantern.check.outcome import Tolerance, outcome_of, widened
from lantern.exceptions import CoreError
from lantern.function import Function
from lantern.levels import STOPS
from lantern.module import Parameter
from lantern.staging import entry
from lantern.staging.calls import underlying
from lantern.staging.program import export_node
from lantern.staging.errors import StagingError, define_place, from_exception
from lantern.struct import is_struct, struct

RELATIVE = {"f64": 1e-9, "f32": 1e-4}
DIRECTIONS = 3      # of each call, in which a gradient is compared
TRIES = 10          # calls drawn for each one that is to return
# Where compiled numbers end, and Python's become large integers, floats or complex: what the program says then (runtime/scalar.h).
BOUNDS = ("the result does not fit in a 64-bit integer", "an integer to the negative power", "is a complex number")


def check_entries(functions, count, seed, dtype, known=None):
    """Checks functions; prints a line or two on each. → [StagingError], one for each that differs.

    count: calls of each function that return. known: {parameter: value} that is not drawn.
    """
    found = []
    for function in functions:
        found += Check(function, count, seed, dtype, known or {}).run()
    return found


class Check:
    """The check of one function."""

    def __init__(self, function, count, seed, dtype, known):
        self._python, self._place = underlying(function)[0], define_place(underlying(function)[0])
        self._function, self._name = function, function.__name__
        self._count, self._seed, self._dtype = count, seed, dtype
        self._known = known
        self._stops = None
        self._differentiated = {}   # with respect to what → the compiled function
        self._values, self._slopes = Tolerance(RELATIVE[dtype]), Tolerance(gradients.RELATIVE)
        self._returned = self._raised = self._compared = self._skipped = 0
        self._beyond = []   # what calls were stopped by that Python goes on with

    def run(self):
        """Checks it, and says what came of it; [StagingError] where it differs."""
        with entry.default_dtype(self._dtype), entry.reporting():
            try:
                kinds = self._kinds()
                Arguments(self._seed).draw(kinds)
            except NoArguments as reason:
                say(f"{self._name}: not checked: {reason}")
                return []
            compiled = Function(self._function, self._dtype)
            for number in range(self._count * TRIES):
                arguments = Arguments((self._seed, number)).draw(kinds)
                storages = self._storages(compiled, arguments)
                plain = outcome_of(self._function, arguments, storages, number)
                built = outcome_of(compiled, arguments, storages, number)
                if (bound := _beyond(plain, built)) is not None:
                    self._beyond.append(bound)
                    continue
                if isinstance(built.error, (StagingError, CoreError)):     # it cannot be compiled at all
                    return [from_exception(built.error)]
                if (what := self._differ(plain, built)) is not None:
                    return [self._difference(what, arguments, number)]
                if plain.error is not None:
                    self._raised += 1
                    continue
                self._returned += 1
                if gradients.is_differentiable(plain.result) and self._dtype == "f64":
                    error = self._compare_gradients(compiled, arguments, storages, number)
                    if error is not None:
                        return [error]
                if self._returned == self._count:
                    break
            self._say()
        return []

    def _kinds(self):
        """{parameter: Type, or Known}: from the annotations, the flags, and what staging infers of the rest."""
        signature = inspect.signature(self._function)
        annotations = annotations_of(self._function)
        kinds = {}
        for name, parameter in signature.parameters.items():
            annotation = annotations.get(name)
            if name in self._known:
                kinds[name] = types.Known(self._known[name])
            elif isinstance(annotation, static) or isinstance(parameter.default, str):
                if parameter.default is parameter.empty:
                    raise NoArguments(f"'{name}' is known when it is staged: give it by its flag")
                kinds[name] = types.Known(parameter.default)
            else:
                kinds[name] = of_parameter(annotation) if annotation is not None else \
                    types.type_of(parameter.default) if isinstance(parameter.default, (bool, int, float)) else None
        if None in kinds.values():
            kinds |= self._inferred(kinds)
        return kinds

    def _inferred(self, kinds):
        """The types that staging infers for the parameters without one; structures that nobody declared become classes."""
        known = {name: kind.value for name, kind in kinds.items() if isinstance(kind, types.Known)}
        program, [staged] = entry.stage_entries([self._function], statics=known)
        listing = program.is_listing(staged.specialisation)
        text = program.text(True, [export_node("runX", []) if listing else staged.export()])
        manifest = json.loads(entry.compile_entries(text, [staged], self._place.file, "manifest"))
        declared = {name: type_.declaration for name, type_ in program.trace.structs.items()}
        structs = dict(types_of_structures(manifest["structures"], declared))
        formals = [formal["type"] for formal in manifest["entries"][0]["arguments"]]
        names = [name for name in kinds if name not in known]
        if len(formals) != len(names):
            raise NoArguments("an argument that is a tuple has no type that can be inferred: annotate it")
        return {name: types.parse(text, structs) for name, text in zip(names, formals) if kinds[name] is None}

    def _storages(self, compiled, arguments):
        """The parameters and states that the compiled function reads or writes."""
        if not compiled._versions:
            outcome_of(compiled, arguments, [], 0)
        return list(dict.fromkeys(storage for versions in compiled._versions.values() for version in versions
                                  for storage in version.program.storages.values() if storage._value is not None))

    def _differ(self, plain, built):
        """What differs between two outcomes, in words; None if nothing does."""
        if plain.error is not None or built.error is not None:
            if type(plain.error) is not type(built.error):
                return f"compiled it {_did(built)}, and as plain Python it {_did(plain)}"
        elif not self._values.alike(widened(plain.result, built.result), built.result):
            return f"compiled it gives {built.result!r}, and as plain Python {plain.result!r}"
        if plain.printed != built.printed:
            return f"compiled it prints {built.printed!r}, and as plain Python {plain.printed!r}"
        if plain.error is None and not self._values.alike(plain.storage, built.storage):
            return "it leaves other values in its parameters when it is compiled"
        return None

    def _compare_gradients(self, compiled, arguments, storages, number):
        """The error, if there is one, of the gradient at some arguments."""
        found = self._gradient(compiled, arguments, storages, number)
        if found is None:
            self._skipped += 1
            return None
        (names, parameters), made = found
        if made.error is not None:
            return self._difference(f"its gradient raises {made.error!r}", arguments, number)
        draw = gradients.Directions((self._seed, number))
        for _ in range(DIRECTIONS):
            directions = {key: draw.like(arguments[key] if key in arguments else key.read()) for key in (*names, *parameters)}
            slopes = [gradients.difference(self._function, arguments, names, parameters, directions, number, step)
                      for step in (gradients.STEP, gradients.STEP / 2)]
            if not np.isfinite(slopes).all() or not Tolerance(gradients.RELATIVE).alike(*slopes):
                self._skipped += 1      # a kink, a jump or a pole is near
                continue
            self._compared += 1
            slope = gradients.derivative(made.result[1], names, parameters, directions)
            if not self._slopes.alike(slope, slopes[1]):
                return self._difference(f"along a random direction its gradient says {slope!r}, and finite differences {slopes[1]!r}",
                                        arguments, number, of_gradient=True)
        return None

    def _gradient(self, compiled, arguments, storages, number):
        """(with respect to what, the outcome) of the compiled gradient; None where there is none to compare: it is refused, nothing
        is a float, or the function stops gradients, which no finite difference does."""
        names = [name for name, value in arguments.items() if name not in self._known and gradients.floats_in(value)]
        parameters = tuple(storage for storage in storages if isinstance(storage, Parameter) and storage.trainable)
        plain_names = [name for name in names if not is_struct(arguments[name]) and not isinstance(arguments[name], (list, tuple))]
        for chosen in (names, plain_names):     # a derivative with respect to all, else to arrays and numbers
            wrt = (*chosen, *parameters)
            if not wrt or self._stops_gradients(compiled, arguments):
                return None
            if wrt not in self._differentiated:
                self._differentiated[wrt] = Function(self._function, self._dtype, wrt)
            made = outcome_of(self._differentiated[wrt], arguments, storages, number)
            if not isinstance(made.error, (StagingError, CoreError)):
                return (tuple(chosen), parameters), made
        return None

    def _stops_gradients(self, compiled, arguments):
        if self._stops is None:
            self._stops = "(stop-gradient " in compiled.text(**arguments)
        return self._stops

    def _difference(self, what, arguments, number, of_gradient=False):
        """The error that says what differs, at the first operator that does."""
        shown = ", ".join(f"{name} = {value!r}" for name, value in arguments.items())
        first = operators.first_difference(self._function, self._dtype, arguments, number, of_gradient)
        notes = [f"'{self._name}' was called with {shown if len(shown) < 2000 else shown[:2000] + '…'}"]
        if first is None:
            notes.append("each operator of numbers and arrays by itself gives the same compiled")
            hint = "does it read what changes between two calls, or the clock? If not, this is a bug in Lantern: please report it"
        else:
            notes.append(str(first))
            hint = first.hint
        return StagingError("LT0509", f"'{self._name}' is not what it is in Python: {what}", first.place if first else self._place, hint, notes)

    def _say(self):
        text = f"{self._name}: {self._returned} calls alike"
        if self._returned:
            text += f" (largest difference {self._values.largest:.1e})"
        if self._raised:
            text += f", {self._raised} raise alike"
        if self._compared:
            text += f"; gradient in {self._compared} directions as finite differences (largest difference {self._slopes.largest:.1e})"
        if self._skipped:
            text += f"; gradient not compared {self._skipped} times: it is refused, stopped, or not smooth there"
        if self._beyond:
            text += f"; not compared {len(self._beyond)} times, {self._beyond[0]}"
        say(text)


def say(text):
    """Prints a line. Raises StagingError LT0802 where that fails."""
    try:
        print(text, flush=True)
    except OSError as error:
        raise StagingError("LT0802", f"cannot write to standard output: {error.strerror}") from None


def _beyond(plain, built):
    """What stopped a compiled call that Python goes on with, or the other way round, where that is one of the bounds of docs/limits.md; None if not."""
    said = str(built.error) if isinstance(built.error, (OverflowError, ValueError)) and type(plain.error) is not type(built.error) else ""
    if any(bound in said for bound in BOUNDS):
        return f"beyond the numbers that compiled programs have: {said}"
    is_compiled = not isinstance(built.error, (StagingError, CoreError))   # it may raise what Python would have come to
    said = str(plain.error) if is_compiled and isinstance(plain.error, (TypeError, ValueError)) else ""
    return f"for the derivative is compiled alone: as plain Python it stops, {said}" if any(words in said for words in STOPS) else None


def _did(outcome):
    return f"raises {type(outcome.error).__name__}: {outcome.error}" if outcome.error is not None else f"gives {outcome.result!r}"


def types_of_structures(structures, declared):
    """(name, StructType) of the structures of a manifest: the user's class, or one that is made for it."""
    known = {name: types.StructType(name, declaration) for name, declaration in declared.items() if declaration is not None}
    made = {one["name"]: type(one["name"], (), {"__annotations__": dict.fromkeys(name for name, _ in one["fields"])})
            for one in structures if one["name"] not in known}
    for name, cls in made.items():
        known[name] = types.StructType(name, struct(cls))
    for one in structures:
        if one["name"] in made:
            made[one["name"]].__lantern_struct__.annotations.update((name, _or_none(types.parse(text, known))) for name, text in one["fields"])
    return known.items()


def _or_none(type_):
    """A field that holds a structure may be None where nobody said otherwise."""
    return types.Optional(type_) if isinstance(type_, types.StructType) else type_
