"""`zip` of a generator and of what has places: `zip(range(n), newton(x))`.

Python asks one after the other for an element, and stops at the first that has none left: what stands before the generator is asked first, so that
the generator does not go on where that has ended, and what stands behind it, when the generator has given one. That is itself a generator, which is
converted and traced as those of the user's are.
"""
from __future__ import annotations

from lantern.staging import iterables
from lantern.staging.generator_functions import FunctionGenerator
from lantern.staging.generators import Generator


def drives(values):
    """The place of the one among values that are zipped which has no places; None where there is none, or several."""
    places = [place for place, value in enumerate(values) if isinstance(value, Generator) and not value.simple and value.has_begun() is False]
    return places[0] if len(places) == 1 else None


def zipped(trace, values, place):
    """`zip(values)`, of which the one at that place is a generator."""
    before, behind = (_together(trace, others) for others in (values[:place], values[place + 1:]))
    return FunctionGenerator(trace, _zipped, (values[place].taken_over(), *before, *behind), {}, trace.at)


def _together(trace, values):
    """(how many elements, what gives them as a tuple, what is called behind each)."""
    if not values:
        return None, lambda _: (), lambda: None
    sequence = iterables.zipped(trace, *values)

    def check():
        changed = sequence.changed(trace.lists)
        if changed is not None:
            raise iterables.changes(trace, changed, trace.at)

    return sequence.length, lambda place: sequence.at(trace, place), check


def _zipped(generator, count_before, before, check_before, count_behind, behind, check_behind):
    place = 0
    if count_before is None or count_before > 0:
        for element in generator:
            if count_behind is not None and place >= count_behind:
                return
            yield (*before(place), element, *behind(place))
            check_before()
            check_behind()
            place += 1
            if count_before is not None and place >= count_before:
                return
