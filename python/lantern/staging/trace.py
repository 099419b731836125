"""The trace: what operators emit into while converted code runs."""
from __future__ import annotations

import collections
import contextlib

from lantern import core, dispatch, habits, types
from lantern.lazy_numpy import np
from lantern.letters import in_ascii
from lantern.staging import enumerations, failures, instances, merge, none_in_lists, partings, perhaps_arrays, perhaps_numbers, recursion
from lantern.staging.array_stores import NumpysArrays
from lantern.staging.block import Block, Frame
from lantern.staging.caches import Caches
from lantern.staging.closures import Closures
from lantern.staging.contents import Contents
from lantern.staging.convert import why_plain
from lantern.staging.effects import Ages
from lantern.staging.empties import Empties
from lantern.staging.errors import StagingError, from_diagnostic, user_place
from lantern.staging.globals import Globals
from lantern.staging.identity import IdentityDict, IdentitySet
from lantern.staging.known import Known
from lantern.staging.left_branches import LeftBranches
from lantern.staging.lessons import Lessons
from lantern.staging.lists import Lists, Opaque
from lantern.staging.memories import Memories
from lantern.staging.memory import has_memory, holds_lists
from lantern.staging.numbered import Numbered
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.raises import Raises
from lantern.staging.ranges import Ranges
from lantern.staging.requests import Requests
from lantern.staging.standard_output import refusing_prints
from lantern.staging.text import Symbol, check_characters, one_line
from lantern.staging.unchanged import Unchanged
from lantern.staging.values import Staged, Undefined, class_in_python
from lantern.staging.views import Views, is_boxed

# Operators for their effect: they have no value.
EFFECTS = frozenset(("print", "seed"))
MAY_FAIL = frozenset(("assert", "save-parameters", "load-parameters", "save-checkpoint", "load-checkpoint"))
# Total operators without an effect: left out if nobody reads the result.
PURE = frozenset(("not", "none?", "and", "or", "tuple", "get", "==", "!=", "<", "<=", ">", ">="))


def active():
    """The active trace, or None."""
    trace = dispatch.active_trace()
    return trace if isinstance(trace, Trace) else None


class Trace(Known, Requests):
    """The staging of one program."""

    def __init__(self, observe=None):
        from lantern.staging.generator_functions import Generators
        from lantern.staging.specialise import Specialisations
        super().__init__()
        self.frame = None
        self.specialisations = Specialisations(self)
        self.ages, self.contents = Ages(self), Contents(self)
        self.closures = Closures(self)
        self.chooses, self.choices = False, {}      # whether a number may say which of several functions a variable is (chosen_functions.py), and of which
        self.lists = Lists(self)
        self.empties = Empties(self)
        self.memories, self.views = Memories(self), Views(self)
        self.unchanged, self.numbered = Unchanged(self), Numbered(self)
        self.lessons = Lessons(self)
        self.caches = Caches(self)
        self.numpys = NumpysArrays(self)
        self.globals = Globals(self)
        self.ranges = Ranges(self)
        self.loops = []          # the staged loops whose turns are being traced, outermost first
        self.statements = []     # the statements that are being staged, outermost first
        self.carried = IdentityDict()    # code of a statement's body → what its statements have carried beyond the state that their text shows
        self.structs = {}        # name → StructType, in order of first use
        self.at = None           # (line, column) of the operator that is running
        self.item_updated_at = None     # that of the last `d[k] += v`
        self.tries, self.runs_of_tries, self.all_runs_of_tries = 0, 0, 0     # how many are being staged, one in the other; how often they have run; and all
        self.parting_tries = IdentitySet()   # what is the same whenever a `try` statement is staged, of those whose ways have parted
        self.attempts = []       # the `try` statements that run, outermost first
        self.keys_of_tries = {}      # code of a part of a `try` statement → what stands for the `try` that it is (raised_behind.py)
        self.raised_types = {}       # (what an exception is known as that such a part raises, a part of it) → type of the variable that this is
        self.raised_numbers = {}     # kind of exception → the number that stands for it in the program
        self.lasts = IdentityDict()  # code of a statement in such a part → whether it is the last there
        self.left_branches = LeftBranches()     # the `if`s that raise what their branches do behind them
        self.trying = self.thrown = None    # the place of the `try` statement that runs; what the tracer has thrown that is in a `finally` of the user's (failures.py)
        self.guards = []         # the user's `try` and `with` statements that the running code is in, outermost first
        self.raises = Raises(self)
        self.generators = Generators(self)
        self.exceptions = {}     # name → class of the user's exceptions that the program may raise
        self.host_calls = None   # of a program that Python loads: the functions that it calls back
        self.header_folders = set()  # of the C++ that the program calls
        self.observe = observe   # called behind each operator: observe(trace, name, what applies it to operands, operands, staged result, own=)
        self.refusals = []       # errors that code which is not converted was given, and may have swallowed

    @contextlib.contextmanager
    def running(self):
        """While converted code runs: operators emit here, and Python's recursion limit is scaled."""
        before = dispatch.set_active_trace(self)
        try:
            with recursion.scaled_for_staging(), refusing_prints(self):
                yield self
        except Exception as error:
            if self.refusals and not isinstance(error, StagingError):       # it follows from the first
                raise self.refusals[0] from None
            raise
        finally:
            dispatch.set_active_trace(before)
        if self.refusals:       # code that is not converted has caught it
            raise self.refusals[0]

    # Scopes

    def push_frame(self, specialisation):
        self.frame = Frame(self, specialisation, self.frame)
        self.closures.given(specialisation.function)
        return self.frame

    def pop_frame(self, frame):
        self.frame = frame.outer

    @property
    def block(self):
        return self.frame.block

    @contextlib.contextmanager
    def new_block(self, conditional=True, holds=None, state_names=()):
        """holds: what does in it; what holds now, if that is not said."""
        frame = self.frame
        before = frame.block
        frame.block = Block(frame, before, conditional, before.holds if holds is None else holds, state_names)
        try:
            yield frame.block
        finally:
            frame.block = before

    def under_condition(self, since=None):
        """Whether what runs now may run never or several times, seen from the beginning of the frame `since`."""
        frame = self.frame
        while frame is not None:
            if frame.is_conditional():
                return True
            if frame is since:
                return False
            frame = frame.outer
        return False

    def callers_under_condition(self):
        """The specialisations in progress, outermost first, seen from whose beginning the current code may run never or several
        times."""
        found, conditional, frame = [], False, self.frame
        while frame is not None:
            conditional = conditional or frame.is_conditional()
            if conditional:
                found.append(frame.specialisation)
            frame = frame.outer
        return found[::-1]

    def conditional_since(self, block):
        """Whether the current block runs only under conditions, or repeatedly, seen from `block` around it."""
        frame = self.frame
        while frame is not None:
            for inner in frame.block.chain():
                if inner is block:
                    return False
                if inner.conditional:
                    return True
            frame = frame.outer
        return False

    def place(self, at=None):
        return user_place(at or self.at)

    def refuse(self, code, message, hint=None, place=None, value=None):
        """Raises an error, and remembers it: code that is not converted may swallow it. value: an instance of a class whose instances might be values,
        or a container that might be a staged one."""
        self.refusals.append(self.lists.remade.of(StagingError(code, message, place or user_place(), hint, why_plain()), *([value] if isinstance(value, (dict, set, collections.deque)) else ())))
        self.refusals[-1].of_class = None if value is None else type(value)
        raise self.refusals[-1]

    # Emission

    def bind(self, node, type_, hint=None, pure=False, memory=None):
        """Emits a binding of `node`. memory: that of an array, if it is not one of its own."""
        self.use_type(type_)
        partings.leave(self)
        failures.check(self, node)
        staged = Staged(type_, self.block, hint, self.place())
        staged.memory = (memory or self.memories.of_node(node, type_)) if has_memory(type_) else None
        self.block.append(staged, node)
        staged.pure = pure
        return self.views.begin(staged) if staged.memory is not None else staged

    def effect(self, node):
        partings.leave(self)
        failures.check(self, node)
        self.block.append(None, node)

    def emit(self, name, operands, at=None):
        """Applies the operator `name`; the result is staged, or None for an operator without a value."""
        if name == "index" and isinstance(operands[0], Staged):     # a row of a list that has changed since it was read is read again
            operands = (self.lists.as_it_is(operands[0]), *operands[1:])
        is_item = name == "index" and none_in_lists.holds(operands[0])
        return none_in_lists.read(self, operands, at) if is_item else instances.opened(self, self.applied(name, operands, at))

    def applied(self, name, operands, at=None):
        """The same, where the result may be an instance of a class, staged as a whole."""
        at = at or self.at
        nodes, texts, operands = [], [], none_in_lists.without(self, name, operands)
        for operand in operands:
            node, text = self._operand(operand)
            nodes.append(node)
            texts.append(text)
        expression = (Symbol(name), *nodes)
        if name in MAY_FAIL:
            self.bind(expression, types.Tuple(()))    # bound, so that it has a place
            return None
        if name in EFFECTS:
            self.effect(expression)
            return None
        type_ = self.infer(name, texts, operands, at)
        if perhaps_numbers.made_of(self, name, operands):
            type_ = perhaps_numbers.perhaps(type_)
            whole = perhaps_numbers.whole_number(self, name, operands, type_)
            if whole is not None:
                return whole
        elif name == "index":
            type_ = perhaps_numbers.element_of(self, operands[0]) or type_
        result = self.bind(expression, type_, pure=name in PURE, memory=self.memories.of_result(name, operands, type_))
        if name in ("==", "!="):
            self.note_comparison(name, operands, result)
        result.made_of = (name, tuple(operands)) if type_ == types.i64 and name in ("+", "-", "*") else None
        if self.observe is not None:
            self.observe(self, name, lambda operands: dispatch.dispatch(name, operands), operands, result)
        return result

    def infer(self, name, texts, operands=(), at=None):
        """The result type by the core; None if an operand's is not known."""
        if None in texts:
            of = self.type_of(operands[0]) if name == "index" else None
            return of.element if isinstance(of, types.List) else types.bool_ if name in ("==", "!=", "<", "<=", ">", ">=", "not") else None
        try:
            text = core.infer(one_line((Symbol(name), *texts)))
        except core.CoreError as error:
            if not error.diagnostics:
                raise
            if any("unknown." in str(text) for text in texts):
                return None
            problem = from_diagnostic(error.diagnostics[0], self.place(at), why_plain())
            problem.notes += [f"{x.shown()} is {types.annotation(x.type)}" for x in operands if isinstance(x, Staged) and x.hint and x.type]
            problem.hint = problem.hint or habits.remedy(name, [self.type_of(x) for x in operands if isinstance(x, (Staged, list, str, float, int))])
            self.refusals.append(problem)       # code that is not converted may swallow it
            raise problem from None
        type_ = types.parse(text, self.structs)
        return instances.restored(self, type_, operands)

    def _operand(self, value):
        """(node, text of the type or literal; None if it is not known) of an operand."""
        if type(value) is not Staged:       # mostly it is, and isinstance would ask it for its class each time
            if isinstance(value, (Symbol, types.Scalar, types.TensorType)):
                return Symbol(value), Symbol(value)
            if isinstance(value, types.StructType):
                self.use_type(value)
                return Symbol(value), Symbol(value)
            if isinstance(value, int) and not isinstance(value, bool):
                return self.node(value), value
            if isinstance(value, (bool, float, str)) and not isinstance(value, np.generic):
                return value, Symbol(types.type_of(value))
        node = self.node(value)
        type_ = self.type_of(value)
        return node, type_ and Symbol(type_)

    def node(self, value):
        """The node that stands for a value where the current block is."""
        if isinstance(value, Staged):
            return self.resolve(value)
        if dispatch.is_global(value):
            return self.globals.reference(value)
        if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, np.str_):    # NumPy's numbers are arrays of rank 0
            return self.numpys.node(value, self.place())
        if value is None or isinstance(value, (bool, int, float, str)):
            if isinstance(value, int) and not -2**63 <= value < 2**63:
                raise StagingError("LT0312", f"the number {value} does not fit in 64 bits", self.place())
            return check_characters(value, self.place()) if type(value) is str else value
        if (parts := instances.parts(value)) is not None:
            return (Symbol("tuple"), *map(self.node, parts))
        if type(value) is list:
            return self.lists.node(value, self.type_of(value))
        if hasattr(type(value), "__lantern_struct__"):
            fields = type(value).__lantern_struct__.field_names
            self.contents.note_handed(value)
            self.use_type(types.struct_type(type(value)))
            return (Symbol("make"), Symbol(in_ascii(type(value).__name__)), *(self.node(enumerations.placed(getattr(value, f))) for f in fields))
        if type(value) in (PerhapsNone, perhaps_arrays.PerhapsArray):
            return self.node(self.present(value))
        if isinstance(value, Undefined):
            raise value.error(self.place())
        if type(value) is Opaque:
            value.refuse()
        self.refuse("LT0312", f"a value of type '{class_in_python(value).__name__}' has no counterpart in staged code",
                    getattr(value, "__lantern_hint__", None) or merge.remedy(value) or "numbers, strings, arrays, lt.struct classes and tuples of them have",
                    self.place(), value)

    def type_of(self, value, within=()):
        """The type of a value, staged or not; None if it is not known. within: its place in the tuples and lists that it was found in."""
        if isinstance(value, Staged):
            return value.type
        if dispatch.is_global(value):
            return self.globals.type_of(value)
        if type(value) in (PerhapsNone, perhaps_arrays.PerhapsArray):
            return self.type_of(self.present(value))
        if (parts := instances.declared(self, value)) is not None:
            elements = tuple(self.type_of(each, (*within, number)) for number, each in enumerate(parts))
            return None if None in elements else types.Tuple(elements, instances.of(value))
        if type(value) is list:
            type_ = self.lists.type_of(self.lists.contents(value), within)
            return types.List(self.empties.element(value, within)) if type_.element is None else type_
        try:
            return types.type_of(value)
        except TypeError as error:
            unknown = str(error)
        if type(value) is dict and not self.lists.remade.can_be_staged(value) and len(set(map(type, value.values()))) > 1:
            unknown = "a dict whose values are of several types has no staged counterpart: where a dict stands in a list or a dict, or differs between paths, its values are of one type"
        self.refuse("LT0312", unknown, merge.remedy(value), self.place(), value)

    def present(self, value):
        """The value of what is not None here for certain; an error, where it may be, or a number in the place of an array."""
        known = self.narrowed(value)
        perhaps_arrays.refuse((known,), self.at)
        if type(known) is PerhapsNone:
            raise known.error("it is used where only structures may be", self.place())
        return known

    def use_type(self, type_):
        """Notes the structures that a type speaks of."""
        pending = [type_]
        while pending:
            type_ = pending.pop()
            if isinstance(type_, types.StructType):
                known = self.structs.get(type_.name)
                if known is None and type_.declaration is not None:
                    self.structs[type_.name] = type_
                    pending.extend(reversed(type_.fields.values()))
                elif known is not None and type_.declaration not in (None, known.declaration):
                    raise StagingError("LT0311", f"two structures are called '{type_.name}'", self.place(), "rename one of them")
            elif isinstance(type_, (types.Optional, types.List, types.DatasetType)):
                pending.append(type_.element)
            elif isinstance(type_, types.Tuple):
                pending.extend(reversed(type_.elements))

    def resolve(self, staged):
        """The staged value as the current frame knows it: a value of an outer function becomes an extra formal."""
        if (staged.element_of is not None or staged.row_of is not None) and not self.memories.is_carrying:
            staged = none_in_lists.as_before(staged, self.lists.as_it_is(staged), self.place())
        if staged.memory is not None:
            self.memories.read(staged)
        home = staged.block.frame if staged.block is not None else None
        frames, frame = [], self.frame
        while frame is not None and frame is not home:
            frames.append(frame)
            frame = frame.outer
        if home is None or not self.in_scope(staged):
            where = f" made at {staged.place}" if staged.place else ""
            raise StagingError("LT0304", f"{staged.shown()}{where} is used outside the scope that made it", self.place(),
                               "return it from the function or branch that makes it, or make it before")
        if is_boxed(staged) and self.views.is_known(staged):
            return self.resolve(self.views.current(staged))
        origin = staged
        for inner in reversed(frames):
            staged = inner.specialisation.capture(inner, staged, origin)
        if staged.binding is staged:
            return staged
        with self.memories.carrying():      # what it was made of may have changed since
            return self.resolve(staged.binding)

    def in_scope(self, staged):
        """Whether a staged value can be used where the current block is."""
        frame = self.frame if staged.block is not None else None
        while frame is not None and frame is not staged.block.frame:
            frame = frame.outer
        block = None if frame is None else frame.block
        while block is not None and block is not staged.block:
            block = block.parent
        return block is not None

    def is_there(self, staged):
        """Whether the binding of what was read before stands where it can be used: a statement that is traced again has undone some."""
        bound = staged.binding
        return self.in_scope(bound) and any(entry is bound for entry, _ in reversed(bound.block.entries))

    def checkpoint(self):
        """Where `rollback` returns to: the entries emitted into the current block so far, and what holds behind them."""
        block = self.block
        return (block, block.entries[-1] if block.entries else None, block.known(), self.lists.mark(), self.memories.mark(),
                self.closures.contents())

    def rewind(self, checkpoint):
        """What is known, and what lists and variables hold, is as it was then."""
        block, _, known, mark, changes, variables = checkpoint
        self.closures.put_back(variables)
        block.know(known)
        self.lists.undo(mark)
        self.memories.undo(changes)

    def rollback(self, checkpoint):
        """The same, and what has been emitted since is not there."""
        self.rewind(checkpoint)
        block, last, *_ = checkpoint
        while block.entries and block.entries[-1] is not last:
            self.globals.forget_node(block.entries.pop()[1])

    # Values

    def element(self, value, number):
        """Element `number` of a staged tuple."""
        return instances.opened(self, self.part(value, number))

    def part(self, value, number):
        """The same, where it may be an instance of a class, staged as a whole. A list in a tuple that stands in a list can be changed there."""
        if value.element_of is not None and not self.memories.is_carrying:
            value = self.lists.as_it_is(value)
        type_ = value.type.elements[number] if isinstance(value.type, types.Tuple) else None
        whole = self.resolve(value) if value.columns is None else (Symbol("index"), *map(self.node, value.columns))
        hint = f"{value.hint}_number" if value.hint and hasattr(getattr(getattr(value.type, "of", None), "cls", None), "__lantern_home__") else None
        part = self.bind((Symbol("get"), whole, number), type_, hint, pure=True, memory=self.memories.of_part(value, type_))
        if holds_lists(type_):
            part.row_of = value.row_of
            if value.element_of is not None:
                part.element_of = value, number, value.element_of[2]
        return part

    def coerce(self, value, type_):
        """The node of `value` as a `type_` (which its own type joins to)."""
        value = self.narrowed(value)
        if type_ is None:
            return self.node(value)
        if none_in_lists.is_type(type_):
            return none_in_lists.coerced(self, value, type_)
        if isinstance(type_, types.Scalar) and isinstance(value, (bool, int, float)):
            node = self.node({"bool": bool, "f64": float, "f32": float}.get(type_.name, int)(value))
            return (Symbol("cast"), Symbol(type_), node) if type_.name in ("f32", "i32") else node
        if isinstance(type_, types.Tuple) and (parts := instances.parts(value)) is not None:
            return (Symbol("tuple"), *(self.coerce(v, t) for v, t in zip(parts, type_.elements)))
        if isinstance(type_, types.List):
            return self.lists.node(value, type_)
        if perhaps_arrays.is_known(type_) and perhaps_arrays.is_number(value):
            return self.node(perhaps_arrays.filled(self, value, type_))
        node, own = self.node(value), self.type_of(value)
        if isinstance(type_, types.Tuple) and own != type_:     # a staged tuple, element by element
            return (Symbol("tuple"), *(self.coerce(self.element(value, i), t) for i, t in enumerate(type_.elements)))
        if isinstance(type_, types.Scalar) and isinstance(own, types.Scalar) and own != type_:
            return self.bind((Symbol("cast"), Symbol(type_), node), type_, pure=True)
        if isinstance(type_, types.TensorType) and isinstance(own, types.Scalar):
            if isinstance(value, (bool, int)) and type_.dtype in ("f32", "f64"):
                node = float(value)
            return self.bind((Symbol("full"), Symbol(type_.dtype), node), types.TensorType(type_.dtype), pure=True)
        if isinstance(type_, types.TensorType) and isinstance(own, types.TensorType) and own.dtype != type_.dtype:
            return self.bind((Symbol("cast"), Symbol(type_.dtype), node), type_, pure=True)
        return node
