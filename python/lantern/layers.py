"""What layers of networks are made of, over the operators of the table: so each has its derivative from theirs.

Images are [n,h,w,c]: their number, height, width, channels.
"""
from __future__ import annotations

import builtins

from lantern import init, ops, rearranging
from lantern.dispatch import active_trace, dispatch, is_global, is_staged, relies_on
from lantern.module import Module, Parameter, Variable


def dropout(x, p, key):
    """x with each element zero with probability p, and the others divided by 1 - p, so that the mean stays.

    x: a number or an array of floats. p: a number, 0 <= p < 1 (else ValueError), p = 0 keeps all. The same key (lt.random.key)
    drops the same elements, and their derivative with them (Srivastava et al. 2014).
    """
    if active_trace() is not None and (is_staged(p) or is_global(p)):
        from lantern.staging import library
        library.check_rate(active_trace(), p)
    elif not 0 <= p < 1:
        raise ValueError(f"the probability of dropping an element is at least 0 and below 1, not {p}")
    u = dispatch("key-uniform", (ops.dtype_operand("f32"), key, *rearranging.shape_of(x)))
    return ops.where(u >= p, x / (1 - p), 0.0)


def _pair(sizes):
    return tuple(sizes) if isinstance(sizes, (tuple, list)) else (sizes, sizes)


def _margins(x, window, strides, padding):
    """(before, after) of the two axes of images, for a padding as conv2d takes it."""
    if padding == "valid":
        return (0, 0), (0, 0)
    if padding != "same":
        return tuple(map(_pair, _pair(padding)))
    margins = []
    for axis, size, step in zip((1, 2), window, strides):
        length = ops.shape(x, axis)
        more = (-(-length // step) - 1) * step + size - length
        more = ops.maximum(more, 0) if is_staged(more) else builtins.max(more, 0)
        margins.append((more // 2, more - more // 2))
    return margins


def _padded(x, margins, value):
    for axis, (before, after) in enumerate(margins, 1):
        if is_staged(before) or is_staged(after) or before or after:
            x = rearranging.pad(x, before, after, axis, value)
    return x


def _patches(x, window, strides):
    return dispatch("patches", (x, *window, *strides))


def conv2d(x, weights, strides=1, padding="valid"):
    """The convolution (cross-correlation) of images [n,h,w,c] with weights [height,width,c,d] → [n,rows,columns,d].

    strides: how far apart the windows are, a number or one for each axis. padding: "valid" (none), "same" (zeros, so that for strides of 1
    the size stays, the odd one behind), a number of zeros, or (rows, columns), each a number or (before, after).
    """
    height, width, channels, filters = ops.shape(weights)
    strides = _pair(strides)
    x = _padded(x, _margins(x, (height, width), strides, padding), 0.0)
    windows = _patches(x, (height, width), strides)
    n, rows, columns = ops.shape(windows)[:3]
    size = height * width * channels
    product = ops.matmul(ops.reshape(windows, n * rows * columns, size), ops.reshape(weights, size, filters))
    return ops.reshape(product, n, rows, columns, filters)


def max_pool(x, window, strides=None, padding="valid"):
    """The largest elements in windows of images [n,h,w,c] → [n,rows,columns,c]; what is padded does not count.

    window: a number or (height, width); strides: the window by default; padding: as conv2d's.
    """
    window, strides = _pair(window), _pair(window if strides is None else strides)
    x = _padded(x, _margins(x, window, strides, padding), -float("inf"))
    return ops.max(_patches(x, window, strides), 3)


def avg_pool(x, window, strides=None, padding="valid"):
    """The means in windows of images [n,h,w,c] → [n,rows,columns,c]; what is padded does not count. Arguments as max_pool's."""
    window, strides = _pair(window), _pair(window if strides is None else strides)
    margins = _margins(x, window, strides, padding)
    if all(not is_staged(n) and n == 0 for margin in margins for n in margin):
        return ops.mean(_patches(x, window, strides), 3)
    ones = ops.stop_gradient(ops.ones_like(rearranging.part(rearranging.part(x, 0, 1), 0, 1, 3)))
    counts = ops.sum(_patches(_padded(ones, margins, 0.0), window, strides), 3)
    return ops.sum(_patches(_padded(x, margins, 0.0), window, strides), 3) / counts


def _moments(x, axes):
    """The mean and the variance over axes, which stay as axes of length 1; of all axes, they are of rank 0."""
    sizes = [1 if axis in axes else size for axis, size in enumerate(ops.shape(x))]

    def mean(of):
        result = ops.mean(of, axes)
        return ops.reshape(result, *sizes) if len(axes) < len(sizes) else result
    centre = mean(x)
    return centre, mean(ops.square(x - centre))


def layer_norm(x, scale=1.0, shift=0.0, eps=1e-5):
    """x with mean 0 and variance 1 along its last axis, times scale, plus shift (Ba et al. 2016).

    scale, shift: numbers, or arrays as long as that axis. eps is added to the variance.
    """
    mean, variance = _moments(x, (len(ops.shape(x)) - 1,))
    return (x - mean) / ops.sqrt(variance + eps) * scale + shift


def batch_norm(x, mean, variance, scale=1.0, shift=0.0, eps=1e-5):
    """(x - mean) / sqrt(variance + eps) * scale + shift, with broadcasting: what BatchNorm does with the statistics that it has."""
    return (x - mean) / ops.sqrt(variance + eps) * scale + shift


class BatchNorm(Module):
    """Normalises each channel, the last axis, over all other axes (Ioffe and Szegedy 2015).

        norm = lt.BatchNorm(16)
        y = norm(x, training=True)      # by the mean and variance of x, and `mean` and `variance` go a step towards them
        y = norm(x, training=False)     # by `mean` and `variance`

    scale, shift: parameters [channels]; mean, variance: lt.Variables [channels], which no derivative goes to.
    momentum: how much of the running statistics a step keeps. training is a bool that is known while staging.
    """

    def __init__(self, channels, momentum=0.9, eps=1e-5, dtype=None):
        self.momentum, self.eps = momentum, eps
        self.scale = Parameter((channels,), init.ones(), dtype=dtype)
        self.shift = Parameter((channels,), init.zeros(), dtype=dtype)
        self.mean = Variable(shape=(channels,), init=init.zeros(), dtype=dtype)
        self.variance = Variable(shape=(channels,), init=init.ones(), dtype=dtype)

    def __call__(self, x, training):
        relies_on(self)
        if not training:
            return batch_norm(x, self.mean, self.variance, self.scale, self.shift, self.eps)
        sizes = ops.shape(x)
        mean, variance = _moments(x, tuple(range(len(sizes) - 1)))
        for state, now in ((self.mean, mean), (self.variance, variance)):
            now = ops.stop_gradient(ops.reshape(now, sizes[-1]))
            state.assign(self.momentum * state + (1 - self.momentum) * now)
        return batch_norm(x, mean, variance, self.scale, self.shift, self.eps)
