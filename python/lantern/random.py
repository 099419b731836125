"""Random numbers by explicit keys: `key`, `split`, `fold_in`, and draws that depend on nothing but their key.

    key = lt.random.key(7)
    for step in range(1000):
        x = lt.random.normal(lt.random.fold_in(key, step), 0.0, 1.0, (3,))

A key is a whole number (i64): it is passed, kept in structures and arrays, and carried by loops like any other. A draw has no
effect: with the same key it gives the same numbers, eager and compiled, in whatever order and thread. So every draw takes a
key of its own. The numbers are Philox's (see philox.py).
"""
from __future__ import annotations

from lantern import ops
from lantern.dispatch import StagedValue, active_trace, dispatch


def key(seed):
    """The key that a whole number stands for, an i64."""
    return fold_in(0, seed)


def fold_in(key, n):
    """Another key, i64, that `key` and a whole number n decide: of a step, of a layer, of an element."""
    return dispatch("fold-in", (key, n))


def split(key, n=2):
    """[n] of i64: n keys that have nothing to do with each other, nor with `key`; the same as fold_in(key, 0), fold_in(key, 1), …"""
    return dispatch("split-key", (key, n))


def uniform(key, low=0.0, high=1.0, dims=(), dtype=None):
    """Numbers from [low, high) (a sum that is rounded may be high), an array of shape `dims`. A derivative goes to low and high."""
    return _between(_draw("key-uniform", key, dims, dtype), low, high)


def normal(key, mean=0.0, std=1.0, dims=(), dtype=None):
    """Normally distributed numbers, an array of shape `dims`. A derivative goes to mean and std."""
    return _scaled(_draw("key-normal", key, dims, dtype), mean, std)


def truncated_normal(key, mean=0.0, std=1.0, dims=(), dtype=None):
    """Normally distributed numbers of which none is farther than two standard deviations from the mean. A derivative goes to mean and std."""
    return _scaled(_draw("key-truncated-normal", key, dims, dtype), mean, std)


def bernoulli(key, p=0.5, dims=()):
    """Bools, each true with probability p (a number, or an array that broadcasts to `dims`)."""
    return _draw("key-uniform", key, dims, "f64") < p


def randint(key, low, high, dims=()):
    """Whole numbers, i64, from low to high - 1, each as likely as the others, an array of shape `dims`; a ValueError where there is none."""
    trace = active_trace()
    if trace is None or not (isinstance(low, StagedValue) or isinstance(high, StagedValue)):
        size = _how_many(low, high)
    else:
        from lantern.staging import library
        size = library.define(_how_many)(trace, low, high)
    return low + ops.cast(_draw("key-uniform", key, dims, "f64") * size, "i64")


def _how_many(low, high):
    if low >= high:
        raise ValueError("low >= high")
    return high - low


def _draw(name, key, dims, dtype):
    return dispatch(name, (ops.dtype_operand(dtype), key, *ops.shape_operands((dims,))))


def _between(u, low, high):
    _check_number("low", low)
    _check_number("high", high)
    return u if _is(low, 0) and _is(high, 1) else low + (high - low) * u


def _scaled(z, mean, std):
    _check_number("mean", mean)
    _check_number("std", std)
    z = z if _is(std, 1) else std * z
    return z if _is(mean, 0) else mean + z


def _check_number(name, value):
    if isinstance(value, (tuple, list)):
        raise TypeError(f"'{name}' is a number or an array, not {value!r}: a shape is given by its name, dims={value!r}")


def _is(x, number):
    return isinstance(x, (int, float)) and x == number
