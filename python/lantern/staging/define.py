"""A define: a function traced for certain static arguments and types of staged ones, its formals, what it captures."""
from __future__ import annotations

from lantern import types
from lantern.staging import instances
from lantern.staging.arguments import is_carried
from lantern.staging.keys import Reads, cells_of, key_of, staged_in
from lantern.staging.memory import has_memory, is_of_arrays
from lantern.staging.sharing import Sharing
from lantern.staging.values import Staged


def staged_held(function, statics):
    """{place: the staged values there}: in the cells of a function, and in arguments that are functions."""
    places = {**{("cell", name): value for name, value in cells_of(function).items()}, **{("static", path): value for path, value in statics}}
    return {place: staged_in(value) for place, value in places.items()}


class Formal:
    """A parameter of a define: its path in the arguments (`('state', 0)`), its type, and what it is called, `state_0`."""

    def __init__(self, path, type_, hint=None):
        self.path, self.type, self.hint = path, type_, hint or "_".join(map(str, path))
        self.staged = None          # what the body of the last pass knows it as
        self.asked = False          # whether the body asked if it is None


def formals_of(formals, statics):
    """The Formals of these paths and types. statics: [(path, value)] of what else is given, among it the classes of what is taken apart.
    Of what it reaches by itself, the first element is called as that is."""
    classes = {path[:-1]: form[1] for path, form in statics if path[-1] == "form" and type(form) is tuple}
    return [Formal(path, type_, str(path[0]) if is_carried(path[0]) and path[1:] == (0,) else instances.called(path, classes)) for path, type_ in formals]


class Capture(Formal):
    """A staged value of an outer function, as an extra parameter. origin: that value; outer: what the function around the define knows it as."""

    def __init__(self, outer, origin):
        super().__init__((outer.hint or (outer.origin and outer.origin[1]) or "captured",), outer.type)
        self.outer, self.origin = outer, origin


class Specialisation:
    """A define: a function traced for certain static arguments and types of staged ones."""

    def __init__(self, function, key, statics, formals, tied=(), fixed=False):
        self.function, self.key, self.statics, self.formals = function, key, statics, formals
        self.tied = tied            # which of the lists and dicts that it is given hold something in common: [(kind, path, path)]
        self.fixed = fixed          # the types of the formals are given and may not widen
        self.holds_objects = False  # whether the lists of the objects that it makes are its own (numbered.py)
        self.captures = []
        self.inserts = False        # whether it puts keys into dicts and sets, as nothing does that a derivative is taken of
        self.frame = None           # while it is being traced
        self.block = None           # the body, once traced
        self.result = None          # the plan of the result; None while it is not known
        self.cells = cells_of(function)
        self.cell_keys = {name: key_of(value) for name, value in self.cells.items()}
        self.held = staged_held(function, statics)      # {place: the staged values there}, when it was traced
        self.passed = None          # what the call at hand passes for the captures; None: what the trace has found
        self.reads = Reads()
        self.containers = {}        # path of a list or dict argument → the one that the body knows
        self.changes = {}           # path of such an argument → the plan for what it holds after a call
        self.begun = {}             # path of such an argument → what it holds where the body begins
        self.grown = {}             # how deep all passes keep what is in such arguments in its place, where others may be put behind: {path: how deep}
        self.places = {}            # what the last pass knows of places in such arguments: {path: how deep they are kept; (path, path): where the one stands}
        self.elements_changed = set()   # paths of such arguments of which elements that are lists have changed in their place
        self.ties = set()           # which of such arguments and of the result's lists hold something in common (SharedElements.ties)
        self.kept = set()           # paths of such arguments, and of the result's lists, that structures hold
        self.borrowed = set()       # paths of the result's lists that may be another's
        self.stale = {}             # path of such an argument that may have changed behind its back when the body ends → what has changed it
        self.references = {}        # path of such an argument → what stands for it in the result
        self.sharing = Sharing()    # what a call means for the memory of arrays and lists
        self.depends = set()        # specialisations in progress whose result types this one assumed or waits for
        self.waiting = set()        # of these, the ones it cannot go on without
        self.left_totals = False    # whether a path was left that adds up what recursive calls give, of which nothing is known yet
        self.presumes = False       # whether such a sum is taken for the number that it begins with: no other path gives a type
        self.lacks_path = False     # whether a path was left that needs an element of a list that a loop around may make longer: that loop is traced again
        self.called = False         # by itself, while in progress
        self.derivative = None      # (forward, backward), if it is one of its own
        self.failures = {}          # the exception classes that a call of it may raise
        self.spelling = None
        self.place = None

    @property
    def name(self):
        name = self.function.__name__
        return "lambda_" if name == "<lambda>" else name

    def passes(self, function, statics):
        """What a call passes for the captures; None if no call can, since two values stand now where the trace has found one, or one that
        was not in any place that a call can look at may have been made of what has changed."""
        reads = (self.frame or self).reads
        then, now = {**self.held, **reads.staged()}, {**staged_held(function, statics), **reads.staged_now()}
        pairs = [pair for place, values in then.items() for pair in zip(values, now[place])]
        looked_up = [*pairs, *self._pairs_of_last_pass(then)]
        passed = []
        for capture in self.captures:
            found = [after for before, after in looked_up if before.is_same(capture.origin)]
            if not found and all(before.is_same(after) for before, after in pairs):
                found = [capture.origin]
            if not found or not all(other.is_same(found[0]) for other in found):
                return None
            passed.append(found[0])
        return passed

    def _pairs_of_last_pass(self, places):
        """The same of other places that the last pass has read, and this one may read behind the call: the captures are there from the start."""
        if self.frame is None or not self.reads.still_hold():
            return []
        now = self.reads.staged_now()
        return [pair for place, values in self.reads.staged().items() if place not in places for pair in zip(values, now[place])]

    def changed_state(self, function):
        """How to name what `function` reads, beside its arguments, that is not what this define has read."""
        cells = cells_of(function)
        for name, key in self.cell_keys.items():
            if name not in cells or key_of(cells[name]) != key:
                return f"the variable '{name}'"
        kind, name = next((self.frame or self).reads.changed(), (None, None))
        return {"global": f"the global variable '{name}'", "attribute": f"the attribute '{name}'"}.get(kind, "Python state")

    def capture(self, frame, staged, origin):
        """The formal that stands for a staged value of the function outside."""
        known = frame.captures.get(id(staged))
        if known is None:
            capture = Capture(staged, origin)
            self.captures.append(capture)
            known = frame.captures[id(staged)] = (staged, self._captured(frame, capture))
        return known[1]

    def formal_of(self, staged):
        """The formal that a staged value is, or None."""
        return next((formal for formal in (*self.formals, *self.captures) if formal.staged is staged), None)

    def begin(self, frame):
        """Makes the formals of a pass."""
        for formal in self.formals:
            frame.trace.use_type(formal.type)
            formal.staged = self._entering(frame, formal, self.place, f"the caller's argument '{formal.hint}'" if self.fixed else None)
        for capture in self.captures:
            frame.captures[id(capture.outer)] = (capture.outer, self._captured(frame, capture))

    def _captured(self, frame, capture):
        capture.staged = self._entering(frame, capture, None, None)
        return capture.staged

    @staticmethod
    def _entering(frame, formal, place, owner):
        """What the body knows a formal as. owner: whose array it is, if the body may not change it."""
        staged = Staged(formal.type, frame.root, formal.hint, place)
        if has_memory(formal.type):
            staged.memory = frame.trace.memories.fresh(owner)
            if is_of_arrays(formal.type):
                staged.memory.held = frame.trace.memories.fresh(owner)
            if not isinstance(formal, Capture):
                frame.trace.views.given_to(frame, staged)
        return staged

    def joins(self):
        """The staged values that a call gives: of the result, and of what it has changed."""
        return self.result.joins() + [join for plan in self.changes.values() for join in plan.joins()]

    def result_type(self):
        """The type of the define's value; None if it is not known."""
        known = [join.type for join in self.joins()]
        if None in known:
            return None
        return known[0] if len(known) == 1 else types.Tuple(tuple(known))
