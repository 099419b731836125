"""NumPy's functions of linear algebra."""
from __future__ import annotations

import functools
import string

import numpy as np

from lantern import ops, rearranging
from lantern.dispatch import dispatch, is_staged
from lantern.named_axes import einsum
from lantern.numpy_functions.operands import NOT_BOOLS, NUMBERS, Unsupported, as_array, axis_of, dtype_of, implements, need, rank_of, type_of


def _matrix(a):
    """One square matrix; of a stack NumPy takes each."""
    a = as_array(a)
    need(a, NUMBERS, NOT_BOOLS)
    if type_of(a) is not None and rank_of(a) > 2:
        raise Unsupported("a stack of matrices, take them one by one")
    if type_of(a) is not None and rank_of(a) < 2:
        raise np.linalg.LinAlgError(f"{rank_of(a)}-dimensional array given. Array must be two-dimensional")
    return a


@implements(np.linalg.solve)
def solve(a, b):
    b = as_array(b)
    need(b, NUMBERS, NOT_BOOLS)
    return ops.solve(_matrix(a), b)


@implements(np.linalg.inv)
def inv(a):
    return ops.inv(_matrix(a))


@implements(np.linalg.det)
def det(a):
    return ops.det(_matrix(a))


@implements(np.linalg.slogdet)
def slogdet(a):
    return type(np.linalg.slogdet(np.eye(1)))(*ops.slogdet(_matrix(a)))


@implements(np.linalg.cholesky)
def cholesky(a):
    return ops.cholesky(_matrix(a))


@implements(np.linalg.matrix_power)
def matrix_power(a, n):
    a = _matrix(a)
    if is_staged(n):
        raise Unsupported("a power that is known only when the program runs: multiply in a loop")
    if n < 0:
        return matrix_power(inv(a), -n)
    if n == 0:
        return rearranging.eye(ops.shape(a, 0), dtype_of(a))
    half = a if n < 2 else matrix_power(a, n // 2)
    return half if n < 2 else functools.reduce(lambda a, b: dispatch("matmul", (a, b)), [half, half] + [a] * (n % 2))


@implements(np.cross)
def cross(a, b):
    a, b = as_array(a), as_array(b)
    for x in (a, b):
        need(x, NUMBERS, NOT_BOOLS)
        if rank_of(x) == 0 or is_staged(ops.shape(x)[-1]) or ops.shape(x)[-1] != 3:
            raise Unsupported("vectors that are not known to have three elements: annotate the array, lt.Tensor[lt.f64, 3]")
    next_, last = np.array([1, 2, 0]), np.array([2, 0, 1])

    def product(x, y):
        return dispatch("*", (rearranging.take(a, x, -1), rearranging.take(b, y, -1)))
    return dispatch("-", (product(next_, last), product(last, next_)))


@implements(np.kron)
def kron(a, b):
    a, b = as_array(a), as_array(b)
    if not rank_of(a) == rank_of(b) in (1, 2):
        raise Unsupported(f"arrays of {rank_of(a)} and {rank_of(b)} axes")
    products = dispatch("*", (ops.getitem(a, (slice(None), None) * rank_of(a)), ops.getitem(b, (None, slice(None)) * rank_of(a))))
    return ops.reshape(products, *(m * n for m, n in zip(ops.shape(a), ops.shape(b))))


@implements(np.tensordot)
def tensordot(a, b, axes=2):
    a, b = as_array(a), as_array(b)
    ranks = rank_of(a), rank_of(b)
    if isinstance(axes, int):
        axes = range(ranks[0] - axes, ranks[0]), range(axes)
    here, there = ([axis_of(x, each) for each in (group if isinstance(group, (tuple, list, range)) else (group,))] for x, group in zip((a, b), axes))
    if len(here) != len(there):
        raise ValueError("shape-mismatch for sum")
    names = string.ascii_letters
    of_a, of_b = list(names[:ranks[0]]), list(names[ranks[0]:sum(ranks)])
    for axis, other in zip(here, there):
        of_b[other] = of_a[axis]
    kept = [name for name in of_a + of_b if (of_a + of_b).count(name) == 1]
    return einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join(kept)}", a, b)
