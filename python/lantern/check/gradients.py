"""A compiled gradient beside central finite differences of the plain function, along random directions."""
from __future__ import annotations

import numpy as np

from lantern import philox
from lantern.check.outcome import capture
from lantern.grad import Gradients, map_leaves

STEP = 1e-5
RELATIVE = 1e-5     # of a derivative along a direction, f64


def is_differentiable(result):
    """Whether a function with such a result has a gradient: one float."""
    return isinstance(result, float) or isinstance(result, np.generic) and result.dtype.kind == "f"


def floats_in(value):
    """Whether a value holds a float that a gradient can be taken with respect to."""
    found = []

    def note(leaf):
        found.append(_is_float(leaf))
        return leaf
    map_leaves(note, value)
    return any(found)


def _is_float(leaf):
    return isinstance(leaf, float) or isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.kind == "f"


class Directions:
    """Random directions in the space of some arguments and parameters, from a seed."""

    def __init__(self, seed):
        self._random = np.random.default_rng(seed)

    def like(self, value):
        """A direction for each float of a value, in its structure; None elsewhere."""
        def direction(leaf):
            if not _is_float(leaf):
                return None
            return float(self._random.normal()) if isinstance(leaf, float) else self._random.normal(size=np.shape(leaf))
        return map_leaves(direction, value)


def along(value, direction, step):
    """value + step * direction."""
    directions = iter(_leaves(direction))

    def moved(leaf):
        by = next(directions)
        if by is None:
            return leaf
        return leaf + step * by if isinstance(leaf, float) else np.asarray(leaf + step * by, dtype=leaf.dtype)[()]
    return map_leaves(moved, value)


def inner(gradient, direction):
    """The derivative along a direction, of a gradient in the same structure."""
    return sum(float(np.sum(np.asarray(g) * d)) for g, d in zip(_leaves(gradient), _leaves(direction)) if d is not None and g is not None)


def _leaves(value):
    found = []

    def note(leaf):
        found.append(leaf)
        return leaf
    map_leaves(note, value)
    return found


def difference(function, arguments, names, parameters, directions, seed, step=STEP):
    """(f(x + step d) - f(x - step d)) / 2 step of the plain function; d moves the arguments `names` and the parameters."""
    def at(by):
        moved = dict(arguments)
        for name in names:
            moved[name] = along(arguments[name], directions[name], by)
        before = [parameter.read().copy() for parameter in parameters]
        try:
            for parameter in parameters:
                parameter.assign(parameter.read() + by * directions[parameter])
            philox.seed(seed)
            with capture(), np.errstate(all="ignore"):
                return float(function(**moved))
        finally:
            for parameter, value in zip(parameters, before):
                parameter.assign(value)
    return (at(step) - at(-step)) / (2 * step)


def derivative(gradients, names, parameters, directions):
    """What the compiled gradient says of the same direction. gradients: (of each name…, of each parameter…)."""
    total = 0.0
    for key, gradient in zip((*names, *parameters), gradients):
        total += inner(gradient if not isinstance(gradient, Gradients) else list(gradient.values()), directions[key])
    return total
