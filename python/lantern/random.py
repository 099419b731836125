"""The program's stream of random numbers: Philox 4x32-10 (Salmon et al. 2011), bit for bit the compiled program's.

The key is the seed, the counter runs over blocks of four 32-bit numbers. A draw of n values takes ceil(n/4) blocks:

    uniform    low + (high - low) * (u * 2^-32), in double, then cast
    normal     Box-Muller on the pairs (u0, u1) and (u2, u3) of a block, r = sqrt(-2 ln((u0 + 1) * 2^-32)):
               mean + std * r * cos(2 pi u1 * 2^-32), mean + std * r * sin(…), in double, then cast
    shuffle    Fisher-Yates from the end, j = floor(u * (i + 1)) with one uniform an element, drawn as one draw
"""
from __future__ import annotations

import numpy as np

from lantern import types

_MULTIPLIER = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_WORD = np.uint64(32)
_SCALE = 2.0**-32


def philox(counter, key):
    """Ten rounds of Philox 4x32. counter: uint64 array [n, 4] of 32-bit words; key: two 32-bit ints. → uint64 [n, 4]."""
    c0, c1, c2, c3 = (np.asarray(counter, np.uint64)[:, word] for word in range(4))
    k0, k1 = key
    for _ in range(10):
        product0, product1 = c0 * _MULTIPLIER[0], c2 * _MULTIPLIER[1]
        c0, c1, c2, c3 = ((product1 >> _WORD) ^ c1 ^ np.uint64(k0), product1 & _LOW,
                          (product0 >> _WORD) ^ c3 ^ np.uint64(k1), product0 & _LOW)
        k0, k1 = (k0 + _WEYL[0]) & 0xFFFFFFFF, (k1 + _WEYL[1]) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=1)


class Stream:
    """Draws in order; `seed` begins it anew."""

    def __init__(self, seed=0):
        self.seed(seed)

    def seed(self, seed):
        self._seed = int(seed) & 0xFFFFFFFFFFFFFFFF
        self._blocks_drawn = 0

    def words(self, count):
        """The next `count` 32-bit numbers as uint64 [count]; what is left of the last block is dropped."""
        blocks = -(-count // 4)
        numbers = np.arange(self._blocks_drawn, self._blocks_drawn + blocks, dtype=np.uint64)
        self._blocks_drawn += blocks
        counter = np.zeros((blocks, 4), np.uint64)
        counter[:, 0], counter[:, 1] = numbers & _LOW, numbers >> _WORD
        return philox(counter, (self._seed & 0xFFFFFFFF, self._seed >> 32)).reshape(-1)[:count]

    def uniform(self, low, high, shape, dtype):
        words = self.words(_size(shape))
        return (low + (high - low) * (words * _SCALE)).reshape(shape).astype(types.numpy_dtype(dtype))

    def normal(self, mean, std, shape, dtype):
        size = _size(shape)
        pairs = self.words(-(-size // 4) * 4).reshape(-1, 2)
        radius = np.sqrt(-2 * np.log((pairs[:, 0] + np.uint64(1)) * _SCALE))
        angle = 2 * np.pi * (pairs[:, 1] * _SCALE)
        values = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)[:size]
        return (mean + std * values).reshape(shape).astype(types.numpy_dtype(dtype))

    def permutation(self, count):
        """The order of `count` elements after a shuffle, as a list."""
        order = list(range(count))
        if count < 2:
            return order
        last = np.arange(count - 1, 0, -1)
        chosen = np.floor(self.words(count - 1) * _SCALE * (last + 1)).astype(np.int64)
        for i, j in zip(last.tolist(), chosen.tolist()):
            order[i], order[j] = order[j], order[i]
        return order


def _size(shape):
    return int(np.prod(shape, dtype=np.int64))


_stream = Stream()


def stream():
    """The program's stream."""
    return _stream


def seed(value):
    """Begins the program's stream anew."""
    _stream.seed(value)


def uniform(low, high, shape, dtype):
    return _stream.uniform(low, high, shape, dtype)


def normal(mean, std, shape, dtype):
    return _stream.normal(mean, std, shape, dtype)


def permutation(count):
    return _stream.permutation(count)
