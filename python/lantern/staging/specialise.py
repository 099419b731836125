"""Calls that staged values reach: a define per specialisation, traced once, called ever after.

`__def_staged` traces a function for the static arguments, cells and other Python state that it reads; `__call_staged` emits
the call. A recursive call needs a result type before there is one: the path that needs it is abandoned (`Abandon`), the
others give a type, and the function is traced again, until nothing changes.
"""
from __future__ import annotations

from lantern import types
from lantern.staging import held_arrays, merge, plans, sharing
from lantern.staging.arguments import bind, containers_of, flatten, holds_staged, put_back, with_formals
from lantern.staging.carried import Carried, Entered
from lantern.staging.changing_statics import ChangingStatics, shown_path
from lantern.staging.define import Specialisation, formals_of
from lantern.staging.empties import unknowns_in
from lantern.staging.convert import INLINED
from lantern.staging.errors import Abandon, IsHandled, NeedsInlining, Raised, Restart, StagingError, define_place, note_tracing
from lantern.staging.identity import IdentityDict, IdentitySet
from lantern.staging.keys import Reads, cells_of, global_names_of, key_of, names_itself
from lantern.staging.raising_recursions import RaisingRecursions
from lantern.staging.results import note_places, set_result, tie, types_of
from lantern.staging.snapshots import Snapshot
from lantern.staging.values import UndefinedReturnValue

MOST_PASSES = 20     # until a function's result type must have settled
MOST_INLINED = 16    # recursive calls under staged conditions of a function that cannot be a define
MOST_INLINED_IN_A_TRY = 3   # the same where each may part the ways of the statement once more


def _is_lambda(code):
    return code.co_name == "<lambda>"


class Specialisations:
    def __init__(self, trace):
        self.trace = trace
        self.all = []               # in order of creation
        self.by_key = {}            # key → those of `all` with that key
        self.stack = []             # in progress
        self.derivatives = 0        # how many derivatives are taken of what is being traced
        self.statics = ChangingStatics(trace)
        self.inlined = IdentityDict()   # code that cannot be a define → the error that says why, and the route to the list that it changes, or None
        self.carried = Carried(trace)
        self.always = IdentitySet()     # codes that are defines, though no staged argument reaches them
        self.not_inlined = IdentitySet()    # codes that call themselves, and cannot be part of the code that calls them
        self.choosers = IdentitySet()   # codes of functions that give one of their arguments, which is changed then: part of the code that calls them
        self.raising = RaisingRecursions(trace)
        self.inline_calls = []      # (code, block) of calls that run inlined

    # Calls

    def call(self, function, converted, arguments, keywords):
        """Calls a user's function with staged values among its arguments: `__call_staged`."""
        code = function.__code__
        for value in (*arguments, *keywords.values()):
            self.trace.ages.young(value)
        if (recursion := self.raising.of(function)) is not None:
            return recursion.call(function, converted, arguments, keywords)
        is_define = code in self.always or holds_staged((arguments, keywords)) and not _is_lambda(code)     # which has no name that its C++ could have
        if code in self.inlined or code in self.choosers or hasattr(function, INLINED) or not is_define:
            return self._inline(function, converted, arguments, keywords)
        checkpoint, at = self.trace.checkpoint(), self.trace.at
        try:
            bound = bind(function, arguments, keywords)
            specialisation, values = self.specialise(function, converted, bound)
        except NeedsInlining as signal:
            if signal.specialisation.function.__code__ is not code or signal.specialisation.fixed:
                raise
            route = self.carried.route_to(signal.changed, function, bound)
            outermost = next((s for s in self.stack if s.function.__code__ is code), None)
            if outermost is not None:
                if not self.trace.under_condition():
                    raise       # a recursion under Python's control: from its first call on
                if self.carried.add(code, route):
                    raise Restart(outermost) from None
                self.not_inlined.add(code)
                raise signal.error from None
            if (code in self.always or route is not None and route.is_of_objects() and names_itself(code)) and self.carried.add(code, route):
                self.trace.rollback(checkpoint)     # it calls itself under a condition, so that nothing is won by having it in the code that calls it
                self.trace.at = at
                return self.call(function, converted, arguments, keywords)
            if code in self.always:
                if self.trace.lists.boxes.may_learn(signal.error) or self.trace.views.may_learn(signal.error):
                    self.not_inlined.add(code)
                    raise signal.error from None
            self.inlined[code] = signal.error, route
            self.trace.rollback(checkpoint)
            return self._inline(function, converted, arguments, keywords)
        try:
            return self.emit(specialisation, values, bound)
        except sharing.WritesBox as signal:
            self.inlined[code] = signal.error, None
            self.trace.rollback(checkpoint)
            return self._inline(function, converted, arguments, keywords)
        except IsHandled as signal:
            if signal.specialisation is not specialisation:
                raise
            is_running = specialisation.frame is not None or any(call[0] is code for call in self.inline_calls)
            self.raising.suspect([code])
            if is_running:
                self.raising.learn()
            if is_running or specialisation.fixed or code in self.always:
                raise signal.error from None
            self.trace.rollback(checkpoint)
            self.trace.at = at
            return self._inline(function, converted, arguments, keywords)

    def _note_old(self, function):
        """The lists and other objects that a function knows as globals or defaults have not been made in the trace."""
        names, defaults = global_names_of(function.__code__), (function.__defaults__ or (), (function.__kwdefaults__ or {}).values())
        for value in (*(function.__globals__.get(name) for name in names), *(value for values in defaults for value in values)):
            self.trace.ages.old(value)

    def part_within(self):
        """The ways of a `try` statement part in the functions that are part of it."""
        self.raising.suspect(code for code, block in self.inline_calls if block.frame is self.trace.frame)

    def _inline(self, function, converted, arguments, keywords):
        """Runs a function as part of the one that calls it."""
        trace, code, at = self.trace, function.__code__, self.trace.at
        trace.frame.reads.note_function(function)
        trace.closures.given(function)
        self._note_old(function)
        for name, value in cells_of(function).items():
            trace.ages.old(value)
        # What is always part of its caller is called again within itself only of what stands in its arguments, a dict in a dict: that comes to an end.
        recursive = [] if hasattr(function, INLINED) else [call for call in self.inline_calls if call[0] is code and trace.conditional_since(call[1])]
        if recursive and code not in self.inlined:
            raise Restart(recursive[0])
        calling = [within for within, _ in self.inline_calls]
        if code in calling and trace.attempts:
            self.raising.suspect(calling[calling.index(code):])     # they call each other
        if recursive and (self.inlined[code][0].code == "LT0313" or trace.attempts and len(recursive) > MOST_INLINED_IN_A_TRY):
            self.raising.learn()
        if len(recursive) > MOST_INLINED:
            error, route = self.inlined[code]
            if not self.carried.add(code, route):
                self.not_inlined.add(code)
                error.is_of_all_paths = True    # else each branch that calls it again would go as deep
                raise error
            del self.inlined[code]
            raise Restart(recursive[0])
        here = (code, trace.block)
        checkpoint = trace.checkpoint()
        self.inline_calls.append(here)
        try:
            return converted(*arguments, **keywords)
        except Restart as signal:
            if signal.specialisation != here or any(other == here for other in self.inline_calls[:-1]):
                raise
        finally:
            self.inline_calls.pop()
        if _is_lambda(code) or not holds_staged((arguments, keywords)):
            self.always.add(code)
        trace.rollback(checkpoint)
        trace.at = at
        return self.call(function, converted, arguments, keywords)

    def emit(self, specialisation, values, bound):
        """Emits the call of a define; the result as Python sees it. What it has changed of lists and dicts is changed here."""
        trace, actual = self.trace, containers_of(bound)
        for path in specialisation.changes:
            trace.lists.check_change(actual[path], trace.at)
        node = (specialisation, *self.operands(specialisation, values))
        joins = specialisation.joins()
        returned = len(specialisation.result.joins())   # which may get names where they are bound
        hints = [None] * returned + [plans.binding_of(join.name) for join in joins[returned:]]
        staged = merge.bind_results(trace, node, joins, self.memories_of_call(specialisation, values, actual), hints)
        stood = trace.lists.shared.standing(actual)
        result = specialisation.result.rebuild(staged)
        for path in specialisation.changes:
            if path in specialisation.elements_changed:
                trace.lists.shared.change(actual[path])
        before = {path: trace.lists.raw(actual[path]) for path in specialisation.changes}
        trace.lists.change_all([(actual[path], put_back(plan.contents(staged), actual)) for path, plan in specialisation.changes.items()])
        note_places(trace, specialisation, actual, before, [*values, *self._passed(specialisation)])
        trace.lists.become_stale((actual[path], what, (None,)) for path, what in specialisation.stale.items())
        tie(trace, specialisation, result, actual, stood)
        self.carried.variables.behind_call(specialisation, actual)
        return put_back(result, actual)

    def operands(self, specialisation, values):
        trace = self.trace
        nodes = [held_arrays.argument(trace, value, formal.type) for formal, value in zip(specialisation.formals, values)]
        return nodes + [trace.resolve(value) for value in self._passed(specialisation)]

    def memories_of_call(self, specialisation, values, containers):
        """Does what a call does to memory; the memories of its results."""
        return sharing.called(self.trace, specialisation, [*values, *self._passed(specialisation)], containers)

    @staticmethod
    def _passed(specialisation):
        """What the call at hand passes for captured values."""
        if specialisation.passed is None:
            return [capture.origin for capture in specialisation.captures]
        return specialisation.passed

    # Finding or making a specialisation

    def specialise(self, function, converted, bound, fixed_types=None, holds_objects=False):
        """(specialisation, the values for its formals) for bound arguments: `__def_staged`. holds_objects: whether the objects that it makes are its own."""
        code, at, runs = function.__code__, self.trace.at, self.trace.runs_of_tries
        while True:
            self.trace.runs_of_tries = runs     # what begins again has learnt something
            self.carried.bind(function, bound)
            self.statics.stage_grown(code, bound)
            with self.carried.variables.aside(bound):
                found = self._specialise(function, converted, bound, at, fixed_types, holds_objects)
            if found is not None:
                return found

    def _specialise(self, function, converted, bound, at, fixed_types, holds_objects):
        """The same; None where the call is given more now, and is to be looked at again."""
        code = function.__code__
        formals, statics = flatten(bound, (*self.statics.forced.get(code, ()), *self.carried.variables.staged_in(bound)))
        containers = containers_of(bound)
        tied = tuple(sorted(self.trace.lists.shared.ties(containers), key=str))
        # A list that Python holds is changed by the body, and not one that is a value.
        key = (id(code), id(function.__globals__), tuple((path, type(value) is list) for path, value in formals),
               tuple((path, key_of(value)) for path, value in statics), tied,
               tuple(path for path, container in containers.items() if id(container) in self.trace.lists.arguments))
        values = [value for _, value in formals]
        known = self._find(function, key, formals, statics)
        if known is not None:
            self.trace.lists.remade.be_as({path: known.containers.get(path) for path in containers}, containers)
            return known, values
        self.statics.check(function, formals, statics, bound)
        own = formals_of([(path, self._type_of(value)) for path, value in formals], statics)
        made = Specialisation(function, key, statics, own, tied, fixed_types is not None)
        made.place, made.holds_objects = define_place(function), holds_objects or fixed_types is not None
        self.all.append(made)
        self.by_key.setdefault(key, []).append(made)
        try:
            self._trace(made, converted, bound)
            self.trace.at, made.passed = at, None
            if made.lacks_path:
                self._remove(made)
            return made, values
        except BaseException as signal:
            self._remove(made)
            if not isinstance(signal, (Restart, NeedsInlining)) or signal.specialisation is not made:
                raise
            if isinstance(signal, NeedsInlining) and (made.fixed or not self.carried.add_another(signal.changed, function, bound)):
                raise
            return None

    def differentiated(self, function, converted, bound):
        """The same of a function that a derivative is taken of."""
        self.derivatives += 1
        try:
            return self.specialise(function, converted, bound, holds_objects=True)
        finally:
            self.derivatives -= 1

    def note_insertion(self):
        """What is being traced puts keys into dicts and sets, as nothing does that a derivative is taken of."""
        for made in self.stack:
            made.inserts = True

    def _remove(self, specialisation):
        for made in (self.by_key.get(specialisation.key, []), self.all):
            if specialisation in made:
                made.remove(specialisation)

    def begin_again(self, first):
        """The same, and which functions are to be inlined is to be found anew."""
        self.forget(first)
        self.inlined.clear()
        self.by_key.clear()

    def learn(self, error):
        """Whether an error is not there any more once a function is part of the code that calls it."""
        new = [code for code in getattr(error, "choosers", ()) if code not in self.choosers]
        for code in new:
            self.choosers.add(code)
        return bool(new)

    def forget(self, first):
        """Those made from the one of this number on are to be traced again."""
        for made in self.all[first:]:
            self.trace.globals.forget(made.block)
            self._remove(made)

    def _type_of(self, value):
        return self.trace.type_of(value)

    def _find(self, function, key, formals, statics):
        for known in self.by_key.get(key, ()):
            if len(known.formals) != len(formals):
                continue
            if known.inserts and self.derivatives or not self._state_holds(known, function):
                continue
            in_progress = known.frame is not None
            types_ = [self._type_of(value) for _, value in formals]
            if not in_progress and any(unknowns_in(type_) and type_ != formal.type for formal, type_ in zip(known.formals, types_)):
                continue    # what is not known so far may become something else
            wider = [self._wider(known, formal, type_) for formal, type_ in zip(known.formals, types_)]
            if wider != [formal.type for formal in known.formals]:
                if not in_progress or known.fixed or ... in wider or not self.trace.under_condition(known.frame):
                    continue
                for formal, type_ in zip(known.formals, wider):
                    formal.type = type_
                raise Restart(("wider", known))
            if not in_progress and any(isinstance(type_, types.Scalar) and type_ != formal.type for formal, type_ in zip(known.formals, types_)):
                continue
            passed = known.passes(function, statics)
            if passed is None or not all(self._fits(capture, value) for capture, value in zip(known.captures, passed)):
                continue
            known.passed = passed
            if known.inserts:
                self.note_insertion()
            self._depend(known, in_progress)
            return known
        return None

    @staticmethod
    def _wider(known, formal, type_):
        """The type that a formal needs for a value of `type_`, too.

        A value that may be None goes to a parameter that is a structure, and is checked there, if the function reads a field
        of it in any case, and has not asked whether it is None.
        """
        if isinstance(type_, types.Optional) and formal.type == type_.element and not formal.asked:
            root = known.frame.root if known.frame is not None else known.block
            if any(len(path) == 2 and path[0] == id(formal.staged) for path in root.fields):
                return formal.type
        return joined_types(formal.type, type_)

    def _state_holds(self, known, function):
        cells = cells_of(function)
        return set(cells) == set(known.cells) and (known.frame or known).reads.still_hold() and \
            all(key_of(cells[name]) == key for name, key in known.cell_keys.items())

    def _fits(self, capture, value):
        return self.trace.in_scope(value) and joined_types(capture.type, value.type) == capture.type

    def _depend(self, known, in_progress):
        frame = self.trace.frame
        caller = frame.specialisation if frame else None
        if in_progress:
            known.called = True
            caller.depends.add(known)
            if known.result is None:
                caller.waiting.add(known)
                raise Abandon
        elif caller is not None:
            caller.depends |= known.depends
            caller.waiting |= known.waiting
            frame.reads.include(known.reads, self.trace.ages.is_young, as_now=True)

    def presume_total(self):
        """A sum is a whole number, as what it begins with. Where a recursive call whose result has no type yet may give it more, which may be
        arrays, this path is left, unless there is no other that would give a type."""
        if self.trace.frame is None or not self.trace.frame.specialisation.waiting or any(made.presumes for made in self.stack):
            return
        for made in self.stack:
            made.left_totals = True
        raise Abandon

    # Tracing

    def _trace(self, made, converted, bound):
        trace, first = self.trace, len(self.all)
        self.stack.append(made)
        try:
            for _ in range(MOST_PASSES):
                self._remove_dependent(made, first)
                if self._pass(made, converted, bound):
                    break
            else:
                raise StagingError("LT0307", f"the result type of '{made.name}' does not settle", made.place)
        except BaseException:       # what has left paths out, waiting for this one, goes with it
            self._remove_dependent(made, first)
            raise
        finally:
            self.stack.pop()
            made.frame = None
        made.depends.discard(made)
        made.waiting.discard(made)
        for other in self.all[first:]:
            if made in other.depends:
                other.depends = (other.depends - {made}) | made.depends
                other.waiting = other.waiting - {made}
        if trace.frame is not None:
            self._inherit(made)
            trace.frame.reads.include(made.reads, trace.ages.is_young)

    def _remove_dependent(self, made, first):
        """Those made from the one of this number on that rely on what is in progress."""
        for other in self.all[first:]:
            if made in other.depends:
                self._remove(other)

    def _inherit(self, made):
        """What a define relies on, the one that calls it relies on."""
        outer = self.stack[-2] if self.stack and self.stack[-1] is made else self.stack[-1] if self.stack else None
        if outer is not None:
            outer.depends |= made.depends - {made}
            outer.waiting |= made.waiting - {made}

    def _body(self, made, converted, given):
        """Runs the body of a define; its value."""
        try:
            return converted(*given.args, **given.kwargs)
        except StagingError:
            raise
        except Exception as error:
            signal = self.trace.raises.leaving_define(made, error)
            if signal is error:
                raise
            raise signal from error

    @note_tracing
    def _pass(self, made, converted, bound):
        """Traces the body once; whether that was the last time."""
        trace = self.trace
        captures = len(made.captures)
        assumed = types_of(made)
        made.depends, made.waiting, made.called = set(), set(), False
        frame = made.frame = trace.push_frame(made)
        mark, writes, variables, entered = trace.lists.mark(), trace.memories.mark(), trace.closures.contents(), Entered(trace)
        frame.entered = entered
        try:
            frame.reads.note_function(made.function)
            made.begin(frame)
            if made.holds_objects:
                trace.numbered.begin(frame)
            self._note_old(made.function)
            for value in (*made.cells.values(), *(value for _, value in made.statics)):
                trace.ages.old(value)
            snapshot = Snapshot([(made.name, made.function), *((shown_path(path), value) for path, value in made.statics)])
            reads, frame.reads = frame.reads, Reads()       # what is looked at to take arguments apart, calls are compared by
            given = with_formals(trace, bound, made, entered)
            frame.reads = reads
            begun = trace.lists.mark()
            trace.caches.begin(frame)
            made.begun = {path: trace.lists.raw(container) for path, container in made.containers.items()}
            try:
                with self.carried.variables.within(made):
                    value = self._body(made, converted, given)
                snapshot.check(trace, f"the function '{made.name}'", place=made.place, state=entered)
                if isinstance(value, UndefinedReturnValue):
                    value = None
                set_result(trace, made, value, begun, writes)
            except Abandon:
                if made.result is None and made.waiting <= {made} and not made.lacks_path:
                    if made.left_totals and not made.presumes:
                        made.presumes = True
                        return False
                    raise StagingError("LT0307", f"every path of '{made.name}' calls it again: it has no result type", made.place,
                                       "give the recursion a path that ends: one that returns before it calls itself, in a 'try', too") from None
                if made.result is None:
                    self._inherit(made)
                    raise
            except Raised as signal:
                if not made.fixed and not made.called:
                    raise NeedsInlining(made, StagingError("LT0307", f"'{made.name}' raises on every path: it has no result",
                                                           made.place)) from None
                frame.root.result = signal.expression
                made.result = made.result or merge.Keep(None)
            except Restart as signal:
                if signal.specialisation != ("wider", made):
                    raise
                return False
            made.block, made.reads = frame.root, frame.reads
        finally:
            trace.lists.undo(mark)
            trace.memories.undo(writes)
            trace.closures.put_back(variables)
            entered.leave()
            trace.pop_frame(frame)
        settled = assumed == types_of(made) or (not made.called and not made.waiting & {made})
        if made.called and len(made.captures) > captures:
            settled = False
        if not settled or made in made.waiting:
            trace.globals.forget(frame.root)
            return False
        return True


def joined_types(a, b):
    """The join of two types, None standing for not known; `...` if there is none."""
    if a is None or b is None:
        return None
    joined = merge.join_types(a, b)
    return ... if joined is None else joined
