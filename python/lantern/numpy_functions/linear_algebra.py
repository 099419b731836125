"""NumPy's functions of linear algebra."""
from __future__ import annotations

import numpy as np

from lantern import ops
from lantern.numpy_functions.operands import NOT_BOOLS, NUMBERS, Unsupported, as_array, implements, need, rank_of, type_of


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
