"""Python lists (and dicts) in a trace: each one mutable object, whose contents are known or staged.

A list starts as Python's own. Where its length comes to depend on the running program (it grows in a staged loop, in one
branch only, …) its *contents* become one staged value of a list type, and the object stays what it was: every name of it sees
the change. While staged, the object's storage holds an `Opaque`, so that code which is not converted cannot read it by mistake.

Every change is noted. What a path of a branch or a turn of a loop has changed is put back when its trace ends (`collect`), and
the statement carries the contents of those lists as it carries the variables.
"""
from __future__ import annotations

import contextlib
import copy
import math

from lantern import types
from lantern.records import Record
from lantern.staging import displays, enumerations, families, held_arrays, instances, merge, none_in_lists
from lantern.staging.boxed_attributes import BoxedAttributes
from lantern.staging.carried import homes_around
from lantern.staging.changes import Changes
from lantern.staging.chosen_lists import ChosenLists
from lantern.staging.empties import hint
from lantern.staging.elements import Elements
from lantern.staging.errors import Abandon, StagingError, user_place
from lantern.staging.kept_lists import KeptLists
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.remade import Remade
from lantern.staging.shared_elements import SharedElements, containers_in, has_lists
from lantern.staging.standing import Standing
from lantern.staging.text import Symbol
from lantern.staging.values import Staged, class_in_python


class Opaque:
    """What the storage of a staged list holds."""

    def __init__(self, lists, container):
        self.held_by = lists, container

    @property
    def shown(self):
        lists, container = self.held_by
        return lists.shown(container)

    def refuse(self, *_, **__):
        """An error: it has come out of the list."""
        raise StagingError("LT0303", f"the elements of {self.shown} are known only when the program runs, and Python reads them now",
                           user_place(), "a list that a staged loop or branch has changed is read in converted code only")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.refuse()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __bool__ = __len__ = __iter__ = __getitem__ = __call__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __int__ = __float__ = __index__ = __str__ = refuse
    __repr__ = __format__ = refuse


class Turn(Record):
    """A turn of a staged loop that is being traced: its block, and [(a list that lacks an element, IndexError)]."""
    block: object
    missing: list


class Lists(Changes, Elements, Standing):
    def __init__(self, trace):
        self.trace = trace
        self.boxes = BoxedAttributes(trace)
        self.remade = Remade(trace)
        self.staged = {}      # id → (list, Staged): the lists whose contents are staged
        self.staged_before = {}     # id → (list, what it held last that was staged)
        self.holders = {}     # id of staged contents → {id: list} of those that hold them
        self.names = {}       # id → (list or dict, the user's name of it, where it got that)
        self.opaque = {}      # id → the Opaque of a list
        self.stale = {}       # id → Stale, of a list or dict that has changed behind its back
        self.mended = []      # (position in the journal, Stale), of those that have been mended
        self.stands = {}      # id of staged contents → Stand
        self.borrowed = {}    # id → the lists and dicts that may be another's
        self.arguments = {}   # id → the dicts and lists that stand for arguments of the compiled function, or are what a define knows such as
        self.formals = {}     # id → (a dict or list that a define knows what it is given as, the caller's)
        self.chosen = {}       # id of a list of what a dict holds, of which a key chooses → (it, what the dict holds)
        self.popped = {}       # id → the lists that have been taken out of another one
        self.read_as = {}     # id of a list of arrays that Python knows → (it, what it held, that as a staged value), when an element was read last
        self.same_places = {} # id of staged contents → (they, those before, how deep everything has stayed in its place)
        self.grown = {}       # id of staged contents → the same, where others may have been put behind all that was there
        self.of_tables = {}   # id of a list of the keys, or the values, of a dict or set → (it, whose, which of the two)
        self.from_front = {}  # id → lists of the program's own, whose places are counted from the front
        self.originals = {}   # id → (a copy of a list or dict as it is at the end of a path, that list or dict)
        self.spans = {}       # id of staged contents → (they, how many elements the slice has that they are, if the list does not end before; None: that is not known)
        self.turns = []       # of the loops under way: a Turn each
        self.journal = []     # (container, its contents before a change), oldest first
        self.shared = SharedElements(self)
        self.kept = KeptLists(self)
        self.chosen_lists = ChosenLists(self)

    # Contents

    def value(self, value):
        """The staged contents of a list that has such; anything else as it is."""
        if type(value) is list:
            self.check_stale(value)
            self.trace.contents.note(value)
            known = self.staged.get(id(value))
            if known is not None:
                return known[1]
        return value

    def contents(self, container):
        """A Staged, a list of the elements, or a dict."""
        self.check_stale(container)
        self.trace.contents.note(container)
        return self.raw(container)

    def raw(self, container):
        """What a container holds: a copy, or a Staged."""
        known = self.staged.get(id(container))
        return copy.copy(container) if known is None else known[1]

    def shown(self, container):
        if id(container) in self.of_tables:
            _, table, which = self.of_tables[id(container)]
            return f"the {which} of {self.shown(table)}"
        name = self.name_of(container)
        kind = class_in_python(container).__name__
        return f"the {kind} '{name}'" if name else f"a {kind}"

    def named(self, name, container, place=None):
        self.names.setdefault(id(container), (container, name, place))
        if place is not None and id(container) in self.staged:
            self.trace.empties.named(place, name, self.staged[id(container)][1].type)

    def name_of(self, container, default=None):
        return self.names.get(id(container), (container, default))[1]

    def check_held(self, container, value):
        """An error if a list or dict would hold itself."""
        if type(container) in (list, dict) and any(each is container for each in containers_in(value)):
            if isinstance(value, (list, dict, tuple)):
                raise StagingError("LT0305", f"{self.shown(container)} is put into itself", self.trace.place(), "put a copy into it: list(…)")
            error = StagingError("LT0305", f"{self.shown(container)} gets a {class_in_python(value).__name__} that holds it: values of the program are no rings", self.trace.place(),
                                 "number the instances, and keep what they hold in lists: parent[i], children[i].append(j)")
            error.of_class = self.trace.numbered.ring(type(value))
            raise error

    def naming_of(self, container):
        """(where a list or dict was given a name, that name), or None."""
        _, name, place = self.names.get(id(container), (container, None, None))
        return place and (place, name)

    def new(self, contents, sources=()):
        """A new list or dict of these contents. It is one of `sources`: where one of them changes, what it holds is not known."""
        result = {} if isinstance(contents, dict) else []
        self.trace.ages.made(result)
        self._put(result, contents)
        for source in map(self.original, sources):
            self.shared.entangle(result, source)
            if type(result) is list and has_lists(contents):
                self.shared.share(result, source)
        return result

    def given(self, container):
        """It stands for an argument of the compiled function, or is what a define knows such as: the caller's, and may not be changed."""
        if type(container) in (list, dict):
            self.arguments[id(container)] = self.borrowed[id(container)] = container
        return container

    def of_outside(self, contents):
        """A list of staged contents that is another's, and may not be changed."""
        result = self.new(contents)
        self.borrowed[id(result)] = result
        return result

    def is_others(self, container):
        """Whether a list or dict may be one from outside, or one that was taken out of a list of lists of lists."""
        return id(container) in self.borrowed or self.trace.ages.is_old(container) or id(container) in self.popped and has_lists(self.raw(container))

    def may_be_one(self, a, b):
        """Whether two lists or dicts of the trace may be one in Python: one path's own, or what a function around knows by another name."""
        if id(b) in self.shared.one_of([a]):
            return True
        for one, other in ((a, b), (b, a)):
            if id(one) in self.formals and (self.trace.ages.home(one).frame is not self.trace.ages.home(other).frame if self.is_of_trace(other) else id(one) in self.arguments):
                return True
        return False

    def original(self, container):
        """The list or dict of which one is a copy that a statement has taken."""
        return self.originals.get(id(container), (None, container))[1]

    def borrow(self, made, sources):
        """`made` may be one of `sources`, of which some may not be changed."""
        if any(id(source) in self.borrowed or self.trace.ages.is_old(source) for source in map(self.original, sources)):
            self.borrowed[id(made)] = made

    def _put(self, container, contents):
        if isinstance(contents, Staged):
            container[:] = [self.opaque.setdefault(id(container), Opaque(self, container))]
            self._hold_no_more(container)
            self.staged[id(container)] = (container, contents)
            self.holders.setdefault(id(contents), {})[id(container)] = container
        elif type(container) is list:
            self._hold_no_more(container)
            self.staged.pop(id(container), None)
            container[:] = contents
        elif list(container) == list(contents):
            container.update(contents)
        else:
            container.clear()
            container.update(contents)

    def _hold_no_more(self, list_):
        if id(list_) in self.staged:
            contents = self.staged[id(list_)][1]
            holders = self.holders[id(contents)]
            del holders[id(list_)]
            if not holders:
                del self.holders[id(contents)]

    def elements(self, list_, backwards=False):
        """A list's elements, one by one; its contents may change meanwhile as Python's may, but must remain known."""
        place = len(self.raw(list_)) - 1 if backwards else 0
        while True:
            contents = self.contents(list_)
            if isinstance(contents, Staged):
                raise StagingError("LT0305", f"{self.shown(list_)} becomes staged while a loop that runs as Python goes over it",
                                   self.trace.place(), "go over a copy: list(…)")
            if not 0 <= place < len(contents):
                return
            yield contents[place]
            place += -1 if backwards else 1

    def is_own(self, container):
        """Whether the function that is being traced has made it."""
        return self.trace.ages.is_young(container)

    @contextlib.contextmanager
    def trying(self, tried, scope):
        """While a turn of a loop is traced."""
        self.turns.append(Turn(scope, tried))
        try:
            yield
        finally:
            self.turns.pop()

    def missing(self, container, error):
        """An element that a list does not have: on the first pass of a loop that may make the list longer, this path is left, and
        where a recursive call whose result has no type yet may give it."""
        if self.trace.frame is not None and self.trace.frame.specialisation.waiting:
            raise Abandon from None
        self.note_missing(container, error)
        raise Abandon from None

    def note_missing(self, container, error):
        """The error, unless a loop around may make the list longer, and is to say if it does not. A `try` in the turn handles it: it is of a turn that Python makes."""
        handling = self.trace.raises.handling(error)
        for turn in reversed(self.turns):
            if not self.made_in(container, turn.block):
                if handling is not None and any(block is turn.block for block in handling.block.chain()):
                    raise error
                self._note_in(turn, container, error)
                return
        if not self._note_around(container, error):
            raise error

    def _note_around(self, container, error):
        """Of what a define is given, a loop around its call is asked; whether there is one."""
        for container, home in homes_around(self.trace, container):
            turn = next((turn for turn in reversed(self.turns) if home is not None and turn.block.frame is home.frame
                         and not self._is_in(home, turn.block)), None)
            if turn is not None:
                self._note_in(turn, container, error)
                return True
        return False

    def _note_in(self, turn, container, error):
        """The defines from here to the turn lack a path."""
        turn.missing.append((container, error))
        frame = self.trace.frame
        while frame is not None and frame is not turn.block.frame:
            frame.specialisation.lacks_path = True
            frame = frame.outer

    def holder(self, contents):
        """The list whose contents a staged value is, or None."""
        holders = self.holders.get(id(contents), ())
        if len(holders) < 2:
            return next(iter(holders.values()), None) if holders else None
        return next(list_ for id_, (list_, _) in self.staged.items() if id_ in holders)

    def was_staged(self, list_):
        """The staged contents that a list holds, or has held."""
        found = [known[id(list_)][1] for known in (self.staged, self.staged_before) if id(list_) in known]
        return [contents for contents in found if contents.memory is not None]

    def is_of_turn_before(self, container):
        """Whether what was made before a turn of a staged loop is there in each turn of it."""
        return any(not self.made_in(container, turn.block) for turn in self.turns)

    def in_scope(self, container):
        """Whether the staged values that a list or dict holds can be used where the current block is."""
        pending, seen = [container], set()
        while pending:
            value = pending.pop()
            if isinstance(value, Staged):
                if not self.trace.in_scope(value):
                    return False
            elif type(value) in (list, dict) and id(value) not in seen:
                seen.add(id(value))
                contents = self.raw(value)
                pending.extend([contents] if isinstance(contents, Staged) else contents.values() if type(value) is dict else contents)
            else:
                pending.extend([value.missing, value.value] if type(value) is PerhapsNone else instances.parts(value) or ())
        return True

    def is_of_trace(self, container):
        """Whether code that is being traced has made it."""
        return self.trace.ages.known.get(id(container), (None, None))[1] is not None

    def made_in(self, container, block):
        home = self.trace.ages.home(container)
        return home is not None and self._is_in(home, block)

    def _is_in(self, home, block):
        frame = self.trace.frame
        while frame is not None and frame is not home.frame:
            frame = frame.outer
        if frame is None:
            return True                 # of a function whose trace has ended
        return any(outer is block for outer in home.chain()) or (frame is self.trace.frame and frame is not block.frame)

    # Types

    def type_of(self, contents, within=()):
        """The list type of contents; its element is None where there is nothing that would say it. within: see `Trace.type_of`."""
        if isinstance(contents, Staged):
            return contents.type
        kind = displays.only_kind(contents)
        if kind:
            return types.List(types.type_of(kind()))
        element = None
        for number, value in enumerate(contents):
            enumerations.refuse_lost(self.trace, value)
            own = none_in_lists.type_of(self.trace, value, (*within, "[]")) or self.trace.empties.unknown(value)
            joined = own if number == 0 else own and element and none_in_lists.join_elements(element, own)
            if joined is None:
                raise families.noted(self.trace, StagingError("LT0306", f"elements of a staged list are of one type, and here are {types.annotation(element)} and {types.annotation(own)}",
                                                              self.trace.place(), "give them one type, or use a tuple or an lt.struct"), element, own)
            element = joined
        return types.List(element)

    def become_staged(self, list_, element=None):
        """The staged contents of `list_`, which from now on are staged."""
        contents = self.contents(list_)
        if isinstance(contents, Staged):
            return contents
        type_ = self.type_of(contents)
        if element is not None:
            type_ = types.List(element)
        if type_.element is None:
            type_ = types.List(self.trace.empties.declared_element(list_))
        if type_.element is None:
            self.missing(list_, self.unknown_elements(list_))
        if self.naming_of(list_) is not None:
            self.trace.empties.named(*self.naming_of(list_), type_)
        return self.become(list_, self.staged_contents(contents, type_))

    def become(self, list_, staged):
        """A list that Python knows has these staged contents from now on, which are what it holds."""
        contents = self.contents(list_)
        self.change_all([(list_, staged)])
        self.note_places(staged, contents, math.inf)
        return staged

    def unknown_elements(self, list_):
        return StagingError("LT0314", f"what the elements of {self.shown(list_)} are is not known, for it is empty", self.trace.place(),
                            f"append to it, or {hint(self.name_of(list_), types.List(None))}")

    def staged_contents(self, contents, type_, are_kept=True):
        """Contents as a staged value of that list type."""
        node = self.node(contents, type_, are_kept)
        if isinstance(contents, Staged) and contents.type == type_:
            return contents
        return node if isinstance(node, Staged) else self.trace.bind(node, type_, pure=True)

    def node(self, contents, type_, are_kept=True):
        """The node of contents as a `type_`. are_kept: whether somebody holds the list that it is."""
        trace = self.trace
        contents = self.value(contents)
        if isinstance(contents, Staged):
            return trace.resolve(contents) if contents.type == type_ else self._converted(contents, type_)
        if type_.element is None:
            raise StagingError("LT0314", "what the elements of an empty list are is not known", trace.place(),
                               hint(None, type_))
        trace.empties.emitted(type_)
        trace.use_type(type_)
        if contents and displays.is_literal(self, contents) and not none_in_lists.is_in(type_):
            name = displays.name_of_known(contents) if displays.is_large(contents) else None
            return trace.bind(displays.node(self, contents, type_), type_, name, pure=True, memory=trace.memories.of_display(contents, type_))
        node = (Symbol("empty"), Symbol(type_.element))
        for value in contents:
            node = node if isinstance(node, Staged) else trace.bind(node, type_, pure=True)
            element, memory = trace.coerce(value, type_.element), held_arrays.put(trace.memories, "append", node, value, type_, "a list" if are_kept else None)
            node = trace.bind((Symbol("append"), node, element), type_, pure=True, memory=memory)
        return node

    def _converted(self, staged, type_):
        """A staged list with its elements converted."""
        from lantern.staging import library
        if none_in_lists.is_type(type_.element) and isinstance(staged.type.element, types.NoneType):
            return none_in_lists.of_none(self.trace, staged, type_)
        if self.trace.empties.learn(staged.type, type_):
            return self.trace.bind((Symbol("empty"), Symbol(type_.element)), type_, pure=True)      # of a trace that is no program
        if str(staged.type) == str(type_) or not _needs_conversion(staged.type.element, type_.element):     # one type to the core
            return self.trace.resolve(staged)
        result = self.new(self.trace.bind((Symbol("empty"), Symbol(type_.element)), type_, pure=True))
        library.converted(self.trace, staged, result)
        return self.trace.resolve(self.value(result))


def _needs_conversion(source, target):
    """Whether elements change when their type widens: numbers do, dimensions and what may be missing do not."""
    return isinstance(source, (types.Scalar, types.Tuple, types.List)) or isinstance(target, types.Tuple)
