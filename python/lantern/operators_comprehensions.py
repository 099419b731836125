"""Operators of converted Python: comprehensions and generator expressions, which are loops where something is staged."""
from __future__ import annotations

from lantern import dispatch
from lantern.operators_control import condition as truth_of, iterated, not_
from lantern.staging.comprehensions import ListOf, OfKeys
from lantern.staging.generator_functions import generator_function  # noqa: F401
from lantern.staging.generators import Generator, NotPython, ignore, is_python
from lantern.staging.trace import active
from lantern.staging.values import Staged


def plain():
    """Whether nothing is being traced, so that a comprehension runs as it is."""
    return dispatch.tracing is None or active() is None


def list_of(at=None):
    """What the loops of a list comprehension hand their elements to."""
    return ListOf(active(), at)


def set_of(at=None):
    return OfKeys(active(), at, set)


def dict_of(at=None):
    """The same for a dict comprehension: an element is a pair."""
    return OfKeys(active(), at, dict)


def take(into, element, at=None):
    """A turn of a comprehension's loops gives an element."""
    trace = active()
    trace.at = at
    trace.ages.young(element)
    into.take(trace.narrowed(element))


def taken(into):
    return into.result


def stopped(into):
    """Whether who goes through a generator wants no more of it."""
    return into.stopped()


def yield_from(into, iterable, at=None):
    """All elements of an iterable, as long as they are wanted."""
    trace = active()
    trace.at = at
    iterable = iterated(trace, iterable)
    if isinstance(iterable, Generator):
        iterable.hand_on(into)
    else:
        into.for_stmt(iterable, None if into.test is None else lambda: not_(into.stopped()), into.take, tuple, ignore, (), None, at)
    trace.at = at


def generator(loops, elements, iterable, simple, bound, at=None):
    """`(… for … in iterable)`. loops: hands its elements on; elements: gives them as Python's generator; both take what is `bound`,
    too. simple: each element of the iterable gives one."""
    trace = active()
    return Generator(trace, loops, elements, iterated(trace, iterable), simple, bound, at)


def iter_(iterable, at=None):
    """What a generator goes over that Python asks for its elements."""
    trace = None if dispatch.tracing is None else active()
    iterable = iterable if trace is None else iterated(trace, iterable)
    if trace is not None and not is_python(iterable):
        shown = iterable.shown() if isinstance(iterable, Staged) else "what the generator goes over"
        raise NotPython(shown, at)
    return iterable


def test_(condition, at=None):
    """A condition in such a generator."""
    condition = condition if dispatch.tracing is None else truth_of(condition, at)
    if isinstance(condition, Staged):
        raise NotPython("which elements the generator has", at)
    return condition
