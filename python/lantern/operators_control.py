"""Operators of converted Python: statements that direct control, and the expressions that evaluate lazily."""
from __future__ import annotations

import sys

from lantern.operators_exceptions import raise_
from lantern.staging import branches, iterables, left_branches, left_loops, loops, merge, object_state, partings, perhaps_arrays, perhaps_none, special_methods, unrolling
from lantern.staging.chosen_functions import ChosenFunction, by_operator
from lantern.staging.conditions import as_condition
from lantern.staging.errors import StagingError
from lantern.staging.memory import has_memory
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.strings import characters, is_staged_text
from lantern.staging.trace import active
from lantern.staging.unrolling import Turns
from lantern.staging.values import Staged, Undefined, opened
from lantern import dispatch


if sys.version_info >= (3, 11):
    _UNBOUND = "cannot access local variable '{}' where it is not associated with a value"
    _UNBOUND_FREE = "cannot access free variable '{}' where it is not associated with a value in enclosing scope"
else:
    _UNBOUND = "local variable '{}' referenced before assignment"
    _UNBOUND_FREE = "free variable '{}' referenced before assignment in enclosing scope"


def condition(value, at):
    """What stands where `value` is a condition: a staged one if it is known only when the program runs."""
    trace = active()
    if trace is None:
        return value
    trace.at = at
    perhaps_arrays.refuse((value,), at)
    if type(value) is ChosenFunction and (result := by_operator(lambda value: own if isinstance(own := condition(value, at), Staged) else bool(own), (value,), at)) is not NotImplemented:
        return trace.simplified(result)
    trace.contents.note_length(value)
    if trace.frame is not None:
        truth = special_methods.truth(trace, value)
        value = value if truth is special_methods.NONE else truth
        trace.at = at
    value = trace.narrowed(value)
    if type(value) is PerhapsNone:
        return perhaps_none.as_condition(trace, value, at)
    if isinstance(value, Staged) or dispatch.is_global(value) or merge.staged_list(value) is not None:
        return _staged(trace, value, at)
    return value


def _staged(trace, value, at):
    """A staged value as a condition, or the Python bool that it is known to be."""
    value = trace.lists.value(value)
    if not isinstance(value, Staged):   # a Variable: its value as the program runs
        value = trace.emit("!=", (value, 0), at=at)
    return trace.simplified(as_condition(trace, value, at))


def _staged_already():
    """What is left to be called of an `if` that is staged."""


def if_stmt(test, body, orelse, get_state, set_state, names, outputs, at=None):
    """`if test:`, as the branch to be called; where it is staged, there is nothing left to do."""
    if dispatch.tracing is not None:
        test = condition(test, at)
        if isinstance(test, Staged):
            left_branches.choose_stmt(active(), test, body, orelse, get_state, set_state, names, outputs)
            return _staged_already
    return body if test else orelse


def while_stmt(test, body, get_state, set_state, names, options=None, at=None):
    if dispatch.tracing is None:
        while test():
            body()
        return
    trace = active()
    if trace is None:
        while test():
            body()
        return
    if partings.here(trace) is not None:
        left_loops.while_stmt(trace, lambda *loop: _while(trace, *loop, at), test, body, get_state, set_state, names, at)
    else:
        _while(trace, test, body, get_state, set_state, names, at)


def _while(trace, test, body, get_state, set_state, names, at):
    loop = trace.ranges.while_loop(body)
    if loop is not None:
        trace.at = at
        with loop:
            if loop.is_peeled and condition(test(), at) is True:
                body()
            loops.while_stmt(trace, lambda: condition(test(), at), body, get_state, set_state, names)
        return
    checkpoint, turns, attempt = trace.checkpoint(), Turns(trace, at), partings.here(trace)
    parted = 0 if attempt is None else attempt.decided
    statement = object_state.Statement(trace, body.__code__, set_state, names)
    init = get_state()
    if any("." in name for name in names):
        statement.put_back()        # what a property has changed that was read
    state, gains = init, any(isinstance(was, Undefined) for was in init)
    while True:
        before = trace.checkpoint()
        trace.at = at
        value = partings.first_test(trace, lambda: condition(test(), at))
        if value is None or isinstance(value, Staged):
            if not any(_needs_turn(was, now) for was, now in zip(init, state)):
                # Whatever ran in Python until now is undone: the loop is staged from its beginning.
                trace.rollback(checkpoint)
                set_state(init)
                statement.put_back()
                statement.check("turns of the while loop whose condition then becomes staged", at)
            else:       # turns that were certain have given these variables their values
                trace.rollback(before)
                set_state(state)
            loops.while_stmt(trace, lambda: condition(test(), at), body, get_state, set_state, names)
            return
        if not value:
            return
        if attempt is not None and attempt.decided > parted:
            attempt.unrolled.append(body.__code__)
        body()
        turns.count()
        trace.ranges.check_while(body, turns)
        state = get_state() if gains else init


def _needs_turn(was, now):
    """Whether a variable has got its value in turns, and the loop had better not begin without: not so a number or a text that is returned."""
    if not isinstance(was, Undefined) or isinstance(now, Undefined):
        return False
    return branches.unbound(was) or (has_memory(now.type) if isinstance(now, Staged) else not isinstance(now, (bool, int, float, str)))


def for_stmt(iterable, extra_test, body, get_state, set_state, names, options=None, at=None):
    trace = None if dispatch.tracing is None else active()
    if trace is not None and partings.here(trace) is not None:
        left_loops.for_stmt(trace, lambda test, body, *state: _for(trace, iterable, test, body, *state, options, at), extra_test, body, get_state, set_state, names, at)
    else:
        _for(trace, iterable, extra_test, body, get_state, set_state, names, options, at)


def _for(trace, iterable, extra_test, body, get_state, set_state, names, options, at):
    if trace is not None:
        trace.at = at
        iterable = iterated(trace, iterable)
        length = iterables.known_length(trace, iterable)
        if trace.ranges.unrolls(length, body):
            iterable = iterables.elements(trace, iterable)
        loop = trace.ranges.loop(iterable, body)
        if loop is not None or iterables.is_staged(iterable):
            element = (options or {}).get("iterate_names")
            if isinstance(element, str) and not element.isidentifier():
                element = None
            asked = extra_test and (lambda: condition(extra_test(), at))
            if loop is None:
                with trace.ranges.rows(length, body):
                    loops.for_stmt(trace, iterable, asked, body, get_state, set_state, names, element)
                return
            if not loop.is_peeled or not asked or asked() is True:
                with loop:
                    if loop.is_peeled:
                        body(loop.range[0])
                    loops.for_stmt(trace, loop.rest(), asked, body, get_state, set_state, names, element)
                return
            iterable = loop.range
        if type(iterable) is list and extra_test is None:
            loops.for_list(trace, iterable, body, get_state, set_state, names)
            return
        if type(iterable) is list:
            iterable = trace.lists.elements(iterable)
    if extra_test is None:
        if trace is None or trace.frame is None:
            for element in iterable:
                body(element)
            return
        turns = Turns(trace, at)
        with trace.ranges.few(iterable, body) as few:
            for number, element in enumerate(iterable, 1):
                body(element)
                turns.count()
                if few is not None:
                    few.check(number)
        return
    if trace is None:
        elements = iter(iterable)
        while extra_test():
            try:
                element = next(elements)
            except StopIteration:
                return
            body(element)
        return
    with trace.ranges.few(iterable, body) as few:
        _unroll(trace, iterable, iter(iterable), extra_test, body, get_state, set_state, names, at)
        if few is not None:
            few.check(len(iterable))


def iterated(trace, iterable):
    """What a loop goes over: a user's object has an iterator for that."""
    if type(iterable) is PerhapsNone:
        iterable, = perhaps_none.operands(trace, iter, (iterable,), trace.at)
    perhaps_arrays.refuse((iterable,), trace.at)
    trace.contents.note(iterable)
    iterable = opened(iterable)
    if is_staged_text(iterable):
        return characters(trace, iterable)
    found = special_methods.NONE if trace.frame is None else special_methods.elements(trace, iterable, True)
    return iterable if found is special_methods.NONE else found


def _unroll(trace, iterable, elements, extra_test, body, get_state, set_state, names, at):
    """A loop that may be left: over Python values, though the condition to leave it may be staged. Then each turn stands within the one before, and
    the program grows with the square of their number: the rest of a long `range` is a staged loop.

    elements: an iterator of `iterable`."""
    while True:
        test = condition(extra_test(), at)
        if isinstance(test, Staged):
            rest_of_range = unrolling.long_range(iterable, elements)
            if rest_of_range is not None:
                loops.for_stmt(trace, rest_of_range, lambda: condition(extra_test(), at), body, get_state, set_state, names, None)
                return
            remaining = unrolling.rest_to_nest(trace, elements, at)
            if not remaining:
                return

            def rest():
                body(remaining[0])
                _unroll(trace, remaining, iter(remaining[1:]), extra_test, body, get_state, set_state, names, at)

            branches.if_stmt(trace, test, rest, lambda: None, get_state, set_state, names, len(names))
            return
        if not test:
            return
        try:
            element = next(elements)
        except StopIteration:
            return
        body(element)


def if_exp(test, body, orelse, at=None):
    """`body() if test else orelse()`, as the one to be called."""
    if dispatch.tracing is not None:
        test = condition(test, at)
        if isinstance(test, Staged):
            trace = active()
            result = left_branches.choose_value(trace, test, (body, orelse), "the conditional expression", body.__code__)
            return lambda: result
    return body if test else orelse


def and_(value, *operands_and_at):
    """`value and operand() and …`"""
    if dispatch.tracing is not None:
        return _lazy(value, operands_and_at[:-1], operands_and_at[-1], True)
    for operand in operands_and_at[:-1]:
        if not value:
            return value
        value = operand()
    return value


def or_(value, *operands_and_at):
    """`value or operand() or …`"""
    if dispatch.tracing is not None:
        return _lazy(value, operands_and_at[:-1], operands_and_at[-1], False)
    for operand in operands_and_at[:-1]:
        if value:
            return value
        value = operand()
    return value


def _lazy(value, operands, at, is_and):
    for position, operand in enumerate(operands):
        asked = condition(value, at)
        if isinstance(asked, Staged):
            return staged_lazy(value, asked, operands[position:], at, is_and)
        if bool(asked) is not is_and:
            return value
        value = operand()
    return value


def staged_lazy(first, asked, rest, at, is_and):
    """`first and rest…`, where `asked`, the truth of `first`, is staged."""
    return _staged_lazy(asked, lambda: _lazy(rest[0](), rest[1:], at, is_and), lambda: (not is_and) if asked is first else first, is_and, rest[0])


def all_true(value, *operands_and_at):
    """`value and operand() and …` as a condition: a bool. Each operand's truth is asked once, and nobody gets its value."""
    if dispatch.tracing is not None:
        return _truth(value, operands_and_at[:-1], operands_and_at[-1], True)
    for operand in operands_and_at[:-1]:
        if not value:
            return False
        value = operand()
    return bool(value)


def any_true(value, *operands_and_at):
    """`value or operand() or …` as a condition."""
    if dispatch.tracing is not None:
        return _truth(value, operands_and_at[:-1], operands_and_at[-1], False)
    for operand in operands_and_at[:-1]:
        if value:
            return True
        value = operand()
    return bool(value)


_MOST_NESTED = 30   # operands of `and` or `or`, each of which runs under the condition that those before it have not decided


def _truth(value, operands, at, is_and):
    if len(operands) > _MOST_NESTED:
        groups = [operands[i:i + _MOST_NESTED] for i in range(0, len(operands), _MOST_NESTED)]
        return _truth(_truth(value, groups[0], at, is_and),
                      [lambda group=group: _truth(group[0](), group[1:], at, is_and) for group in groups[1:]], at, is_and)
    for position, operand in enumerate(operands):
        asked = condition(value, at)
        if isinstance(asked, Staged):
            rest = operands[position:]
            return _staged_lazy(asked, lambda: _truth(rest[0](), rest[1:], at, is_and), lambda: not is_and, is_and, rest[0])
        if bool(asked) is not is_and:
            return not is_and
        value = operand()
    asked = condition(value, at)
    return asked if isinstance(asked, Staged) else bool(asked)


def _staged_lazy(asked, go_on, stop, is_and, operand):
    """What an operand with a staged truth gives, and those behind it, which run only where Python would evaluate them."""
    paths = (go_on, stop) if is_and else (stop, go_on)
    trace, what = active(), "`and`" if is_and else "`or`"
    return left_branches.choose_value(trace, asked, paths, what, operand.__code__)


def not_(value, at=None):
    if dispatch.tracing is not None:
        value = condition(value, at)
        if isinstance(value, Staged):
            return value.trace.negate(value)
    return not value


def assert_(test, message=None, at=None):
    """`assert test, message()`."""
    if dispatch.tracing is not None:
        test = condition(test, at)
        if isinstance(test, Staged):
            _staged_assertion(active(), test, message, at)
            return
    if __debug__ and not test:
        raise_(AssertionError() if message is None else AssertionError(message()), at)


def _staged_assertion(trace, test, message, at):
    if message is None or _is_constant(message):
        trace.emit("assert", (test, "" if message is None else str(message())), at=at)
    else:   # Python evaluates it only where the assertion fails
        branches.raise_if(trace, test, lambda: _fail(trace, message, at), "the assertion", otherwise=True)


def _fail(trace, message, at):
    """An assertion's failure, or that of what should say why."""
    try:
        error = AssertionError(message())
    except StagingError:
        raise
    except Exception as of_message:
        if trace.frame.specialisation.waiting:      # what it is made of may not be known yet
            raise
        error = of_message
    raise_(error, at)


def _is_constant(thunk):
    code = thunk.__code__
    return not (code.co_names or code.co_freevars)


def ld(value, reader=None):
    """Reads a variable that may have no value. reader: "closure" or "comprehension", where it is not the variable's own function."""
    if not isinstance(value, Undefined):
        return value
    trace, is_free = active(), reader == "closure" or reader == "comprehension" and sys.version_info < (3, 12)
    exception = NameError(_UNBOUND_FREE.format(value.name)) if is_free else UnboundLocalError(_UNBOUND.format(value.name))
    if trace is not None:
        return trace.unbound.read(value, exception)
    raise exception
