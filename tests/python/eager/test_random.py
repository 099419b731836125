"""The random stream: known answers of Philox 4x32-10, and what draws take from the stream."""
import numpy as np
import pytest

import lantern as lt
from lantern import random

# Random123's kat_vectors: counter, key, result.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0),
     (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


@pytest.mark.parametrize("counter, key, expected", KNOWN)
def test_known_answers(counter, key, expected):
    assert tuple(map(int, random.philox(np.array([counter], np.uint64), key)[0])) == expected


def test_a_draw_takes_whole_blocks():
    one = random.Stream(5)
    one.uniform(0, 1, (3,), "f64")
    after_three = one.uniform(0, 1, (), "f64")
    other = random.Stream(5)
    other.uniform(0, 1, (4,), "f64")
    assert after_three == other.uniform(0, 1, (), "f64")
    assert after_three == random.Stream(5).uniform(0, 1, (8,), "f64")[4]


def test_distributions():
    uniform = random.Stream(1).uniform(-2, 6, (20000,), "f32")
    assert uniform.dtype == np.float32 and uniform.min() >= -2 and uniform.max() < 6 and abs(uniform.mean() - 2) < 0.05
    normal = random.Stream(1).normal(3, 2, (20001,), "f64")
    assert normal.shape == (20001,) and abs(normal.mean() - 3) < 0.05 and abs(normal.std() - 2) < 0.05


def test_shuffle_is_a_permutation_that_the_seed_decides():
    lt.seed(9)
    first = lt.shuffle(list(range(100)))
    second = lt.shuffle(list(range(100)))
    lt.seed(9)
    assert lt.shuffle(list(range(100))) == first != second
    assert sorted(first) == list(range(100))
    assert lt.shuffle([]) == [] and lt.shuffle([1]) == [1]


def test_parameters_begin_by_the_seed():
    def make():
        lt.seed(4)
        return lt.Parameter((3, 5), lt.init.uniform(-1, 1)), lt.Parameter((3,), lt.init.normal(0, 1))
    for one, other in zip(make(), make()):
        np.testing.assert_array_equal(one.value, other.value)
