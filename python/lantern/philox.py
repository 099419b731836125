"""Random numbers from a counter: Philox 4x32-10 (Salmon et al. 2011), bit for bit the compiled program's.

A block of four 32-bit words is a function of a 64-bit key, a 64-bit number and a lane, so that what a program draws in order,
what it draws by a key, and the keys that it derives never meet:

    lane 0     the program's stream, whose key is the seed and whose blocks are numbered as they are drawn
    lane 1     a draw by a key: its blocks are numbered from 0
    lane 2     block n, two words of it, is the key that `fold_in(key, n)` derives

A draw of n values takes ceil(n/4) blocks:

    uniform    low + (high - low) * (u * 2^-32), in double, then cast
    normal     Box-Muller on the pairs (u0, u1) and (u2, u3) of a block, r = sqrt(-2 ln((u0 + 1) * 2^-32)):
               mean + std * r * cos(2 pi u1 * 2^-32), mean + std * r * sin(…), in double, then cast
    truncated  the normal quantile (Wichura 1988, AS 241) of P(-2) + (P(2) - P(-2)) * (u + 0.5) * 2^-32, P the distribution function
    shuffle    Fisher-Yates from the end, j = floor(u * (i + 1)) with one uniform an element, drawn as one draw

By a key, uniform numbers of [0, 1) have as many bits as the dtype holds: u * 2^-32 in f64, (u >> 8) * 2^-24 in f32.
"""
from __future__ import annotations

import functools
import threading

from lantern import types
from lantern.lazy_numpy import np

_MULTIPLIER = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = 0xFFFFFFFF
_WORD = 32
_SCALE = 2.0**-32
_STREAM, _DRAWS, _KEYS = range(3)       # the lanes


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
    """Draws in order; `seed` begins it anew. A thread that holds its `lock` has it for itself."""

    def __init__(self, seed=0):
        self.lock = threading.RLock()
        self.seed(seed)

    def seed(self, seed):
        self.resume(int(seed) & 0xFFFFFFFFFFFFFFFF, 0)

    def state(self):
        """(key, how many blocks have been drawn)."""
        with self.lock:
            return self._seed, self._blocks_drawn

    def resume(self, seed, blocks_drawn):
        """Goes on where a stream had come to."""
        with self.lock:
            self._seed, self._blocks_drawn = seed, blocks_drawn

    def words(self, count):
        """The next `count` 32-bit numbers as uint64 [count]; what is left of the last block is dropped."""
        with self.lock:
            seed, first = self.state()
            self.resume(seed, first - (-count // 4))
        return _words(seed, _STREAM, first, count)

    def uniform(self, low, high, shape, dtype):
        return _cast(low + (high - low) * (self.words(_size(shape)) * _SCALE), shape, dtype)

    def normal(self, mean, std, shape, dtype):
        size = _size(shape)
        return _cast(mean + std * _normal(self.words(_whole_blocks(size)), size), shape, dtype)

    def truncated_normal(self, mean, std, shape, dtype):
        return _cast(mean + std * _truncated(self.words(_size(shape))), shape, dtype)

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


def _words(key, lane, first, count):
    """`count` words of the blocks from `first` on, as uint64 [count]."""
    numbers = np.arange(first, first - (-count // 4), dtype=np.uint64)
    counter = np.zeros((len(numbers), 4), np.uint64)
    counter[:, 0], counter[:, 1], counter[:, 2] = numbers & _LOW, numbers >> _WORD, lane
    return philox(counter, (key & 0xFFFFFFFF, key >> 32)).reshape(-1)[:count]


def _normal(words, count):
    pairs = words.reshape(-1, 2)
    radius = np.sqrt(-2 * np.log((pairs[:, 0] + np.uint64(1)) * _SCALE))
    angle = 2 * np.pi * (pairs[:, 1] * _SCALE)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)[:count]


def _truncated(words):
    tail, quantiles = _whole_normal()
    probabilities = tail + (1 - 2 * tail) * ((words + 0.5) * _SCALE)
    return np.clip(quantiles(probabilities), -2.0, 2.0) if len(words) else np.zeros(0)


@functools.lru_cache(maxsize=None)
def _whole_normal():
    """What of a normal distribution lies below -2, and its quantiles."""
    import statistics
    normal = statistics.NormalDist()
    return normal.cdf(-2.0), np.vectorize(normal.inv_cdf, otypes=[float])


def _whole_blocks(count):
    return -(-count // 4) * 4


def _cast(values, shape, dtype):
    return values.reshape(shape).astype(types.numpy_dtype(dtype))


def _size(shape):
    return int(np.prod(shape, dtype=np.int64))


# Draws by a key, a 64-bit number of either sign: the same for the same key.

def _unsigned(number):
    return int(number) & 0xFFFFFFFFFFFFFFFF


def fold_in(key, n):
    """The key that `key` and a number give, an i64."""
    return int(fold_in_each(key, np.array([_unsigned(n)], np.uint64))[0])


def split(key, count):
    """fold_in(key, 0), fold_in(key, 1), …, as an array of i64."""
    if count < 0:
        raise ValueError(f"negative dimension {count}")
    return fold_in_each(key, np.arange(count, dtype=np.uint64))


def fold_in_each(key, numbers):
    counter = np.zeros((len(numbers), 4), np.uint64)
    counter[:, 0], counter[:, 1], counter[:, 2] = numbers & _LOW, numbers >> _WORD, _KEYS
    words = philox(counter, (_unsigned(key) & 0xFFFFFFFF, _unsigned(key) >> 32))
    return (words[:, 0] | words[:, 1] << _WORD).astype(np.int64)


def uniform_by_key(key, shape, dtype):
    """Numbers from [0, 1)."""
    words = _words(_unsigned(key), _DRAWS, 0, _size(shape))
    return _cast((words >> np.uint64(8)) * 2.0**-24 if dtype == "f32" else words * _SCALE, shape, dtype)


def normal_by_key(key, shape, dtype):
    """Of mean 0 and standard deviation 1."""
    size = _size(shape)
    return _cast(_normal(_words(_unsigned(key), _DRAWS, 0, _whole_blocks(size)), size), shape, dtype)


def truncated_normal_by_key(key, shape, dtype):
    """The same, but none beyond 2."""
    return _cast(_truncated(_words(_unsigned(key), _DRAWS, 0, _size(shape))), shape, dtype)


# The program's stream.

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


def truncated_normal(mean, std, shape, dtype):
    return _stream.truncated_normal(mean, std, shape, dtype)


def permutation(count):
    return _stream.permutation(count)
