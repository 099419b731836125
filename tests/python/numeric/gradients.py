"""A gradient three ways: compiled, by the eager tape, by central differences of the plain Python."""
import numpy as np

import lantern as lt


def moved(value, place, by):
    """`value` with one of its numbers moved."""
    if isinstance(value, float):
        return value + by
    if isinstance(value, np.ndarray):
        value = value.copy()
        value[place] += by
        return value
    first, *rest = place
    return [moved(x, tuple(rest) if len(rest) > 0 else (), by) if i == first else x for i, x in enumerate(value)]


def places(value):
    """Where the numbers of `value` stand."""
    if isinstance(value, float):
        return [()]
    if isinstance(value, np.ndarray):
        return list(np.ndindex(value.shape))
    return [(i, *rest) for i, x in enumerate(value) for rest in places(x)]


def at(value, place):
    for i in place:
        value = value[i]
    return value


def check(f, *arguments, wrt=None, step=1e-6, rtol=1e-6, atol=1e-8):
    """The value and the gradient of f with respect to its first argument, to the one of that name, or to those of these names."""
    value, gradient = lt.value_and_grad(lt.function(f), wrt=wrt)(*arguments)
    eager_value, eager = lt.value_and_grad(f, wrt=wrt)(*arguments)
    assert float(value) == float(eager_value) or np.isclose(float(value), float(eager_value), rtol=1e-13)
    for name, found, by_tape in zip(wrt, gradient, eager) if isinstance(wrt, tuple) else [(wrt, gradient, eager)]:
        position = 0 if name is None else list(f.__code__.co_varnames).index(name)
        around = arguments[position]
        assert type(found) is type(around) or isinstance(found, float) and isinstance(around, float)
        for place in places(around):
            ends = [float(f(*arguments[:position], moved(around, place, by), *arguments[position + 1:])) for by in (step, -step)]
            difference = (ends[0] - ends[1]) / (2 * step)
            np.testing.assert_allclose(at(found, place), difference, rtol=rtol, atol=atol, err_msg=f"at {place}, against differences")
            np.testing.assert_allclose(at(found, place), at(by_tape, place), rtol=1e-12, atol=1e-14, err_msg=f"at {place}, against the tape")
    return gradient
