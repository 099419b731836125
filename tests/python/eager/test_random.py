"""Random numbers: known answers of Philox 4x32-10, what draws take from the stream, and what keys give."""
import statistics

import numpy as np
import pytest

import lantern as lt
from lantern import philox

# Random123's kat_vectors: counter, key, result.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0),
     (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


@pytest.mark.parametrize("counter, key, expected", KNOWN)
def test_known_answers(counter, key, expected):
    assert tuple(map(int, philox.philox(np.array([counter], np.uint64), key)[0])) == expected


def test_a_draw_takes_whole_blocks():
    one = philox.Stream(5)
    one.uniform(0, 1, (3,), "f64")
    after_three = one.uniform(0, 1, (), "f64")
    other = philox.Stream(5)
    other.uniform(0, 1, (4,), "f64")
    assert after_three == other.uniform(0, 1, (), "f64")
    assert after_three == philox.Stream(5).uniform(0, 1, (8,), "f64")[4]


def test_distributions():
    uniform = philox.Stream(1).uniform(-2, 6, (20000,), "f32")
    assert uniform.dtype == np.float32 and uniform.min() >= -2 and uniform.max() < 6 and abs(uniform.mean() - 2) < 0.05
    normal = philox.Stream(1).normal(3, 2, (20001,), "f64")
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


def test_keys_and_their_draws_never_meet():
    """Of one key: the draws by it, the keys derived from it, the stream of that seed, and what those draw."""
    key = lt.random.key(3)
    keys = [key, *lt.random.split(key, 100).tolist(), *lt.random.split(lt.random.fold_in(key, 1), 100).tolist(), lt.random.key(4)]
    assert len(set(keys)) == len(keys)
    draws = np.concatenate([lt.random.uniform(k, dims=(50,), dtype="f64") for k in keys] + [philox.Stream(key).uniform(0, 1, (50,), "f64")])
    assert len(np.unique(draws)) > 0.9999 * draws.size
    np.testing.assert_array_equal(lt.random.split(key, 3), [lt.random.fold_in(key, n) for n in range(3)])
    assert lt.random.split(key, 3).dtype == np.int64 and type(key) is int
    assert lt.random.key(2**64 + 5) == lt.random.key(5) and lt.random.key(-1) == lt.random.key(2**64 - 1)


def test_known_answers_of_keys():
    words = philox.philox(np.array([(5, 0, 2, 0)], np.uint64), (7, 0))[0]
    assert lt.random.fold_in(7, 5) == int(np.int64(np.uint64(words[0] | words[1] << np.uint64(32))))
    words = philox.philox(np.array([(0, 0, 1, 0), (1, 0, 1, 0)], np.uint64), (7, 0)).reshape(-1)[:5]
    np.testing.assert_array_equal(lt.random.uniform(7, dims=(5,), dtype="f64"), words * 2.0**-32)
    np.testing.assert_array_equal(lt.random.uniform(7, dims=(5,)), (words >> np.uint64(8)).astype(np.float32) * np.float32(2.0**-24))


def test_distributions_by_a_key():
    n = 40000
    uniform = lt.random.uniform(1, -2.0, 6.0, (n,))
    assert uniform.dtype == np.float32 and uniform.min() >= -2 and uniform.max() <= 6 and abs(uniform.mean() - 2) < 0.05
    normal = lt.random.normal(1, 3.0, 2.0, (n,), "f64")
    assert abs(normal.mean() - 3) < 0.05 and abs(normal.std() - 2) < 0.05
    truncated = lt.random.truncated_normal(1, 3.0, 2.0, (n,), "f64")
    assert truncated.min() >= -1 and truncated.max() <= 7 and abs(truncated.mean() - 3) < 0.05
    normal_law = statistics.NormalDist(3, 2)
    for point in (0.0, 2.0, 3.0, 5.5):
        wanted = (normal_law.cdf(point) - normal_law.cdf(-1)) / (normal_law.cdf(7) - normal_law.cdf(-1))
        assert abs((truncated < point).mean() - wanted) < 0.01
    assert abs(lt.random.bernoulli(1, 0.2, (n,)).mean() - 0.2) < 0.01
    assert lt.random.bernoulli(1, np.array([0.0, 1.0]), (500, 2)).mean(0).tolist() == [0, 1]


def test_dropout_keeps_the_mean_and_drops_by_its_key():
    x = np.ones((200, 300), np.float32)
    dropped = lt.dropout(x, 0.25, 9)
    assert dropped.dtype == np.float32 and set(np.unique(dropped)) == {np.float32(0), np.float32(1) / np.float32(0.75)}
    assert abs(dropped.mean() - 1) < 0.01
    np.testing.assert_array_equal(dropped, lt.dropout(x, 0.25, 9))
    assert (dropped != lt.dropout(x, 0.25, 10)).any()
    np.testing.assert_array_equal(lt.dropout(x, 0, 9), x)


@pytest.mark.parametrize("draw, name", [(lt.random.normal, "mean"), (lt.random.truncated_normal, "mean"), (lt.random.uniform, "low")])
def test_a_shape_in_the_place_of_a_number(draw, name):
    with pytest.raises(TypeError, match=rf"'{name}' is a number or an array, not \(3,\): a shape is given by its name, dims=\(3,\)"):
        draw(lt.random.key(1), (3,))


def test_whole_numbers():
    drawn = lt.random.randint(3, -2, 4, (6000,))
    assert drawn.dtype == np.int64 and set(drawn) == set(range(-2, 4)) and all(abs((drawn == k).mean() - 1 / 6) < 0.02 for k in range(-2, 4))
    for low in (3, 4):
        with pytest.raises(ValueError, match="low >= high"):
            lt.random.randint(1, low, 3)

    def die(key: int, low: int):
        return lt.random.randint(key, low, 7)
    assert lt.function(die)(1, 1) == die(1, 1)
    with pytest.raises(ValueError, match="low >= high"):
        lt.function(die)(1, 7)
