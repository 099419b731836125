"""What the elements of empty lists are that stand in staged ones: what is put into them says it, or an annotation.

    adj = [[] for _ in range(n)]
    adj[i].append(x)

The lists in `adj` have a type before there is anything in them: one with a `types.Unknown` in it. A trace that emits a value of such
a type is no program; it goes on to learn what becomes of the value. Where that gets another type, the type says what the elements
are (`learn`), and in the end all is traced again (`settle`) by what has been learned. The lists are known by the place in the user's
code that makes them, and by the calls that lead there, so that each caller of a function has lists of its own.

What is learned is a type to begin with, as that of an unannotated list is the type of its first element: a list gets a wider one
where it needs it.
"""
from __future__ import annotations

import linecache
import sys

from lantern import types
from lantern.staging import families, instances
from lantern.staging.errors import NeedsInlining, Signal, StagingError, is_converted_code, traced_by
from lantern.staging.values import Staged

MOST_PASSES = 20    # that learn types, until all is known
MOST_LESSONS = 500  # that learn how something is to be staged: one for each dict of the program, perhaps
ANYTHING = types.Unknown(-1)
_OF_TYPES = ("LT0303", "LT0306", "LT0310")      # errors that a type may be the reason of that is not known


class Empties:
    def __init__(self, trace):
        self.trace = trace
        self.numbers = {}       # (calls, place in a tuple) → number of an Unknown
        self.elements = {}      # number → type, learned from the traces before
        self.tables = {}        # number, of the keys of a dict or set, or its values → (it, which)
        self.attributes = {}    # number → (class, attribute) of numbered objects (numbered.py)
        self.goes_on = False    # whether loops of a trace that is no program are traced to the end, since a first turn has told nothing
        self._begin()

    def _begin(self):
        self.found = {}         # number → type, learned from this trace
        self.same = {}          # number → another one whose elements are of the same type
        self.met = {}           # number → (place, variable, its type) of what has been emitted
        self.lists = {}         # id → (list, number)
        self.variables = {}     # number → (place, variable, its type) of an empty list that a variable holds
        self.declared = {}      # id → (list, type of its elements by its annotation)
        self.said = {}          # number → type, by annotations: where nothing is found

    # What the elements of an empty list are

    def declared_element(self, list_):
        """What the annotation of a list's variable says its elements are, or None."""
        return self.declared.get(id(list_), (list_, None))[1]

    def element(self, list_, within=()):
        """The type of the elements of an empty list. within: its place in what it was found in."""
        if id(list_) not in self.lists:
            number = self.numbers.setdefault((_calls(), within), len(self.numbers))
            self.lists[id(list_)] = list_, number
            naming = self.trace.lists.naming_of(list_)
            if naming is not None:
                self.variables[number] = *naming, types.List(types.Unknown(number))
        unknown = types.Unknown(self.lists[id(list_)][1])
        self._say(unknown, self.declared_element(list_))
        return self._settled(unknown, self.elements)

    def of_attribute(self, list_, key, name):
        """An object of a class gets an empty list as an attribute: each attribute has its own elements, wherever the constructor is called."""
        self.element(list_, (key, name))
        self.attributes[self.lists[id(list_)][1]] = key, name

    def is_met(self):
        """Whether the type of some empty list's elements has been asked for which no trace has found: what is read from such has none."""
        return any(number not in self.elements for _, number in self.lists.values())

    def is_open(self):
        """Whether the trace has emitted a value of a type that is not known: it is no program."""
        return any(number >= 0 for number in self.met)

    @staticmethod
    def says_nothing(type_):
        """Whether a type, or one in it, is that of a value of which nothing is known."""
        return ANYTHING.number in unknowns_in(type_)

    def unknown(self, value):
        """The type of a value of which nothing is known so far: that of the elements of an empty list, or of what is made of such; None of another."""
        if isinstance(value, Staged) and value.unknown is not None:
            return value.unknown
        return ANYTHING if self.is_open() else None

    def _settled(self, type_, known):
        """A type with what is known in the place of each Unknown."""
        if isinstance(type_, types.Unknown):
            element = known.get(self._root(type_.number) if known is self.found else type_.number)
            return type_ if element is None else self._settled(element, known)
        if isinstance(type_, types.List):
            return types.List(self._settled(type_.element, known))
        if isinstance(type_, types.Tuple):
            return type_.replaced(elements=tuple(self._settled(each, known) for each in type_.elements))
        return type_

    def emitted(self, type_):
        """A value of this type is emitted: the trace is no program if there is an Unknown in it."""
        for number in unknowns_in(type_):
            self.met.setdefault(number, self.variables.get(number) or (self.trace.place(), None, type_))

    def named(self, place, name, type_):
        """A variable of such a type gets a value here: errors speak of it."""
        for number in unknowns_in(type_):
            made, before, _ = self.met.get(number, (place, None, None))
            if before is None:
                self.met[number] = made, name, type_

    # Learning

    def forget(self, speaks):
        """What is known of elements is to be found anew, where `speaks` says of a type that it does."""
        self.elements = {number: type_ for number, type_ in self.elements.items() if not speaks(type_)}

    def learn(self, type_, wanted):
        """A staged value of `type_` becomes one of `wanted`; whether that says something."""
        if isinstance(type_, types.Unknown):
            if wanted is None or wanted == type_:
                return False
            if ANYTHING == type_ or ANYTHING.number in unknowns_in(wanted):
                return True
            if isinstance(wanted, types.Unknown):
                self._be_same(self._root(type_.number), self._root(wanted.number))
            elif self._root(type_.number) not in map(self._root, unknowns_in(self._settled(wanted, self.found))):
                self._find(self._root(type_.number), wanted)
            return True
        if isinstance(type_, types.List) and isinstance(wanted, types.List):
            return self.learn(type_.element, wanted.element)
        if isinstance(type_, types.Tuple) and isinstance(wanted, types.Tuple):
            return any([self.learn(*pair) for pair in zip(type_.elements, wanted.elements)])
        return False

    def _root(self, number):
        while number in self.same:
            number = self.same[number]
        return number

    def _be_same(self, one, other):
        if one != other:
            self.same[one] = other
            if one in self.found:
                self._find(other, self.found[one])

    def _find(self, number, type_):
        known = self.found.get(number)
        self.found[number] = type_ if known is None else self._narrower(number, known, type_)

    def _narrower(self, number, one, other):
        """Of two types that the same lists get, the one to begin with: from it, each gets its own."""
        from lantern.staging.merge import join_types
        joined = join_types(one, other)
        if joined is not None and families.is_of_one(joined):
            return joined
        if joined is not None and joined in (one, other):
            return one if joined == other else other
        if joined is not None and getattr(one, "dtype", None) == getattr(other, "dtype", ...):     # arrays of several lengths
            return one
        del self.found[number]
        error = self._error(number, f": {types.annotation(one)} in one place, and {types.annotation(other)} in another")
        error.hint = instances.remedy_of_lengths(one, other) or error.hint
        raise families.noted(self.trace, error, one, other)

    def declare(self, value, type_):
        """A variable whose annotation is `type_` gets this value: empty lists in it have elements of the types that it says."""
        if isinstance(value, Staged):
            self._say(value.type, type_)
        elif isinstance(type_, types.Tuple) and (parts := instances.parts(value)) is not None:
            for part in zip(parts, type_.elements):
                self.declare(*part)
        elif type(value) is list and isinstance(type_, types.List):
            contents = self.trace.lists.raw(value)
            self.declared.setdefault(id(value), (value, _without_names(type_.element)))
            if isinstance(contents, Staged):
                self._say(contents.type, type_)
                return
            for each in contents:
                self.declare(each, type_.element)

    def declare_element(self, list_, value):
        """The same of what is put into such a list."""
        if id(list_) in self.declared:
            self.declare(value, self.declared[id(list_)][1])

    def _say(self, type_, annotated):
        """What is not known in a type, an annotation says."""
        if isinstance(type_, types.Unknown) and annotated is not None:
            self.said.setdefault(type_.number, _without_names(annotated))
        elif isinstance(type_, types.List) and isinstance(annotated, types.List):
            self._say(type_.element, annotated.element)
        elif isinstance(type_, types.Tuple) and isinstance(annotated, types.Tuple):
            for pair in zip(type_.elements, annotated.elements):
                self._say(*pair)

    # Tracing until all is known

    def settle(self, run):
        """What `run` gives, which traces, once it meets nothing that is not known."""
        specialisations, passes, lessons, first_problem, is_first_refused = self.trace.specialisations, 0, 0, None, True
        self.goes_on = False
        while passes < MOST_PASSES and lessons < MOST_LESSONS:
            first, refusals = len(specialisations.all), len(self.trace.refusals)
            self._begin()
            self.trace.lessons.begin()
            problem = failure = None
            try:
                with self.trace.unchanged.guarded():
                    result = run()
            except (StagingError, NeedsInlining) as signal:
                problem = signal.error if isinstance(signal, NeedsInlining) else signal
                problem.is_of_all_paths = False
                self.trace.lessons.learn(problem)
            except (Exception, Signal) as signal:
                if not self.trace.lessons.are_new and not self.is_open():
                    raise
                failure = signal    # of a loop that was traced once, perhaps
            if self.trace.lessons.are_new:
                lessons += 1
                specialisations.begin_again(first)
                del self.trace.refusals[refusals:]
                continue
            if problem is None and failure is None and not self.met:
                if self.elements:       # what an entry has learned is not for another one, which calls the same functions
                    specialisations.by_key.clear()
                self.trace.numbered.refusal = None
                return result
            problem = problem and self._explained(problem)
            passes += 1
            known = self._known(problem is not None or failure is not None)
            if not known and failure is not None and not self.goes_on:
                raise failure
            if not known and self.goes_on and (problem is None or not is_first_refused):    # nothing is ever put into a dict or set: what its keys are matters to nobody
                known = {number: types.i64 for number in self.met if number in self.tables}
            if not known and self.goes_on:      # an attribute that is an empty list in one class is what it is in others
                known = {number: type_ for number in self.met if number in self.attributes and number not in self.elements
                         and (type_ := self.trace.numbered.held_by_relatives(*self.attributes[number])) is not None}
            if not known and self.goes_on:
                problem = first_problem
            if not known and (self.goes_on or not self.is_open()):
                break
            if not known:
                first_problem, is_first_refused = problem or self._unknown_error(), problem is not None
            self.goes_on = not known
            self.elements.update(known)
            specialisations.forget(first)
            del self.trace.refusals[refusals:]
        problem = problem or self._unknown_error()
        if self.trace.numbered.replace_values(problem):
            specialisations.begin_again(first)
            del self.trace.refusals[refusals:]
            return self.settle(run)
        raise self.trace.numbered.refusal or problem

    def _known(self, is_cut_short):
        """{number: type} of what is known now, and was not. Of a trace that an error has cut short, first of all what annotations say: another path
        might have found another type."""
        known = {}
        for number in self.met:
            said = [self.said[other] for other in self.said if self._root(other) == self._root(number)]
            type_ = said[0] if said and is_cut_short else self._settled(types.Unknown(number), self.found)
            if isinstance(type_, types.Unknown) and said:
                type_ = said[0]
            if not isinstance(type_, types.Unknown) and self.elements.get(number) != type_:
                known[number] = type_
        return known

    def _unknown_error(self):
        return self._error(next((number for number in self.met if number >= 0), ANYTHING.number), "")

    def _explained(self, error):
        if self.met and error.code in _OF_TYPES and not getattr(error, "is_explained", False):
            first = next(iter(self.met))
            error.notes.append(f"{self._what(first)} is not known so far; {self._hint(first)}")
        return error

    def _error(self, number, why):
        number = number if number in self.met else next(n for n in self.met if self._root(n) == number)
        return StagingError("LT0314", f"{self._what(number)} is not known{why}", self.met[number][0], self._hint(number))

    def _hint(self, number):
        return self.tables[number][0].hint() if number in self.tables else hint(_target(*self.met[number][:2]), self.met[number][2])

    def _what(self, number):
        if number in self.tables:
            table, which = self.tables[number]
            return f"what the {which} of {self.trace.lists.shown(table)} are"
        _, name, type_ = self.met[number]
        if name is None:
            return "what the elements of an empty list are"
        which = "the list" if type_ == types.List(types.Unknown(number)) else "the empty lists in"
        return f"what the elements of {which} '{name}' are"


def _target(place, name):
    """What gets a value there, `self.rows` for the attribute 'rows': an annotation stands behind it."""
    target = linecache.getline(place.file, place.line)[place.column - 1:].partition("=")[0].strip() if name else ""
    return target if name and target.endswith(f".{name}") and target.replace(".", "").isidentifier() else name


def hint(name, type_):
    """What to do where a variable (None: nothing that has a name) is a list of empty lists: the annotation to write, with float by way of example."""
    return f"annotate the variable: {name}: {types.annotation(_by_example(type_))} = …" if name else \
        "annotate a variable that holds it, such as rows: list[list[float]] = …"


def _by_example(type_):
    if type_ is None or isinstance(type_, types.Unknown):
        return types.f64
    if isinstance(type_, types.List):
        return types.List(_by_example(type_.element))
    return type_.replaced(elements=tuple(map(_by_example, type_.elements))) if isinstance(type_, types.Tuple) else type_


def _without_names(type_):
    """A type whose arrays have dimensions that are numbers, or not known."""
    if isinstance(type_, types.TensorType):
        return types.TensorType(type_.dtype, tuple(dim if isinstance(dim, int) else None for dim in type_.dims))
    if isinstance(type_, types.List):
        return types.List(_without_names(type_.element))
    return type_.replaced(elements=tuple(map(_without_names, type_.elements))) if isinstance(type_, types.Tuple) else type_


def unknowns_in(type_):
    """The numbers of the Unknowns in a type."""
    found, pending = [], [type_]
    while pending:
        type_ = pending.pop()
        if isinstance(type_, types.Unknown):
            found.append(type_.number)
        elif isinstance(type_, types.List):
            pending.append(type_.element)
        elif isinstance(type_, types.Tuple):
            pending.extend(type_.elements)
    return found


def _calls():
    """Where the user's code is, and the calls that lead there."""
    calls, frame = [], sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if is_converted_code(code):
            calls.append((code.co_filename, code.co_firstlineno, code.co_name, frame.f_lasti))
        elif (made := traced_by(frame)) is not None:
            calls.append(str(made.place))
        frame = frame.f_back
    return tuple(calls)
