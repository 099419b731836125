"""The names under which TensorFlow-style listings know Lantern's functions: `import lantern.tf as tf`."""
from __future__ import annotations

import numpy as np

from lantern import ops
from lantern.ops import (abs, argmax, cast, constant, cos, exp, gather, log, matmul, maximum, minimum, ones,  # noqa: A004, F401
                         ones_like, reshape, sigmoid, sin, sqrt, square, stop_gradient, tanh, transpose,
                         where, zeros, zeros_like)
from lantern.ops import assert_ as Assert  # noqa: F401
from lantern.ops import log_softmax, relu, softmax  # noqa: F401
from lantern.rearranging import cross_entropy  # noqa: F401
from lantern.ops import max as reduce_max  # noqa: F401
from lantern.ops import mean as reduce_mean  # noqa: F401
from lantern.ops import print  # noqa: A004, F401
from lantern.ops import sum as reduce_sum  # noqa: F401
from lantern.rearranging import concat, split, stack  # noqa: F401

range = range  # noqa: A001, PLW0127
add, subtract, multiply, divide = np.add, np.subtract, np.multiply, np.true_divide
bool, int32, int64, float32, float64 = "bool", "i32", "i64", "f32", "f64"  # noqa: A001


def shape(x):
    """The shape of x, a tuple."""
    return ops.shape(x)


class nn:
    """tf.nn"""
    relu, sigmoid, softmax, log_softmax, tanh = map(staticmethod, (ops.relu, ops.sigmoid, ops.softmax, ops.log_softmax, ops.tanh))


class math:
    """tf.math"""
    exp, log, sqrt, square, tanh, sigmoid, sin, cos = map(
        staticmethod, (ops.exp, ops.log, ops.sqrt, ops.square, ops.tanh, ops.sigmoid, ops.sin, ops.cos))
