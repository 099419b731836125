"""Arrays that are known while a function is staged, or that are rows of a variable: they are values, which stay what they were."""
import numpy as np
import pytest

import lantern as lt
import lantern.autograph
from lantern.staging.errors import StagingError


def walk(k: int, a, scale):
    if k <= 0:
        return lt.sum(a) * scale
    return walk(k - 1, lt.constant([1.0, 2.0]), np.float64(0.5)) * 2.0 + lt.sum(a)


def down(k: int, x: float, a=None):
    if k <= 0:
        return lt.sum(a)
    return down(k - 1, x * 2, lt.constant([1.0, 2.0]) if k % 2 else lt.constant([1.0, 2.0]) * x)


@pytest.mark.parametrize("k", [0, 1, 3])
def test_arrays_known_while_staging_are_passed_on_by_a_recursion(k):
    """Each call makes its own: they are values, not state that goes on changing."""
    assert lt.function(walk, dtype="f64")(k, np.array([3.0, 4.0]), 2.0) == walk(k, np.array([3.0, 4.0]), 2.0)
    assert lt.function(down, dtype="f64")(k, 3.0, np.array([3.0, 4.0])) == down(k, 3.0, np.array([3.0, 4.0]))


def _rows_by_vmap(w):
    def f(row):
        w.assign(w * 2.0)
        return row * 1.0
    return lt.vmap(f)(w)


def _rows_by_loop(w):
    total = w[0] * 0.0
    for row in w:
        w.assign(w * 2.0)
        total = total + row
    return total


def _rows_by_comprehension(w):
    rows = [row for row in w]
    w.assign(w * 2.0)
    return rows[0] + rows[1]


def _rows_unpacked(w):
    a, b = w
    w.assign(w * 2.0)
    return a + b


def _rows_of_a_data_set(w):
    total = w[0] * 0.0
    for row in lt.dataset(w):
        w.assign(w * 2.0)
        total = total + row
    return total


@pytest.mark.parametrize("read", [_rows_by_vmap, _rows_by_loop, _rows_by_comprehension, _rows_unpacked, _rows_of_a_data_set])
def test_rows_of_a_state_that_changes(read):
    """Each is what it is when its turn comes, and stays so."""
    one, other = (lt.Variable(np.array([[1.0, 2.0], [3.0, 4.0]])) for _ in range(2))
    assert read(one).tolist() == lt.function(lambda: read(other))().tolist()
    assert one.value.tolist() == other.value.tolist()


LONG = np.linspace(-1.0, 2.0, 1000)
TABLE = np.random.default_rng(0).normal(size=(30, 40)).astype(np.float32)
WIDE = np.random.default_rng(2).normal(size=(110, 100))      # more than a program may make
COUNTS = np.arange(-300, 700)
MASKS = COUNTS.reshape(20, 50) % 3 == 0
CUBE = np.array([[[np.inf, -0.0, 1e-300], [2.0**60, -np.inf, 0.1]]] * 40)


def all_large(x):
    return LONG * x, TABLE @ TABLE.T, COUNTS * 2, MASKS, CUBE * 1.0, CUBE.sum(axis=(0, 2)) - x[0], WIDE @ x[:100]


def by_large(x, k: int):
    if k == 0:
        return x.sum() * 0.0
    total = (LONG * x).sum() * k + (TABLE.astype(np.float64) @ x[:40]).sum()
    for i in lt.range(k):
        total = total + np.where(MASKS[i], 1.5, x[i]).sum() + COUNTS[5 * i] * x[1] ** 2
    return total + by_large(x * 0.5, k - 1)


FLAGS = [True, False, False] * 8
PAIRS = [(i, f"{i} 'é\0\"") for i in range(20)]
CUBE_OF_LISTS = [[[1, 2], [3]], [[], [4, 5, 6]], []] * 8
MOST_EMPTY = [[] for _ in range(20)] + [[2.5]]
ROWS = [[1.0, 2], [3, 4.5]] * 10


def tables(i: int, x: float):       # and what the C++ calls the data
    known, rows, own = x, [list(row) for row in ROWS], [3, 1, 2, 5, 4, 9, 8, 7, 6, 0] * 2
    if FLAGS[i]:
        rows[i][0] = x * x
        own[i] = 100
        own.append(i)
    same = ROWS
    for row in same:
        known = known * row[1] + row[0]
    for row in rows:
        known += row[0] * row[1]
    count = sum(len(inner) * value for inner in CUBE_OF_LISTS[i] for value in inner)
    number, text = PAIRS[i]
    return known + same[i][0], own, count, number, text, len(MOST_EMPTY[i]), CUBE_OF_LISTS[i]


def filled(q, n: int):
    if n == 0:
        return sum(q)
    q[n] = q[n] + 100
    return filled(q, n - 1)


def filled_twice(n: int):
    q = [3, 1, 2, 5, 4, 9, 8, 7, 6, 0, 11, 15, 12, 14, 13, 10, 19, 18, 17, 16]
    return filled(q, n) + filled(q, n), q


def test_large_known_lists_are_data():
    """What changes them changes a copy."""
    compiled = lt.function(tables, dtype="f64")
    for i in (0, 1, 3):
        assert compiled(i, 0.5) == tables(i, 0.5)
    step, slope = 1e-6, lt.function(lambda i, x: lt.grad(lambda x: tables(i, x)[0])(x), dtype="f64")(3, 0.5)
    assert slope == pytest.approx((tables(3, 0.5 + step)[0] - tables(3, 0.5 - step)[0]) / (2 * step), rel=1e-7)
    assert [lt.function(filled_twice)(4) for _ in range(2)] == [filled_twice(4)] * 2


def test_large_known_arrays_are_data():
    """A call of a thousand arguments is more than g++ takes."""
    x = np.random.default_rng(1).normal(size=1000)
    for ours, numpys in zip(lt.function(all_large)(x), all_large(x)):
        assert ours.dtype == numpys.dtype
        np.testing.assert_allclose(ours, numpys, rtol=1e-6 if ours.dtype == np.float32 else 1e-13, atol=0)
    value, gradient = lt.function(lambda x: lt.value_and_grad(by_large)(x, 3), dtype="f64")(x)
    np.testing.assert_allclose(value, by_large(x, 3), rtol=1e-12)
    for i in (0, 1, 2, 39, 40, 999):
        step = np.zeros(1000)
        step[i] = 1e-4
        assert gradient[i] == pytest.approx((by_large(x + step, 3) - by_large(x - step, 3)) / 2e-4, rel=1e-7)


def parts(a, i: int):
    """What is known of an array goes as soon as a part of it, at a place that only the program knows, is changed."""
    columns, cubes = np.zeros(a.shape), np.ones((2, 2, 3))
    for k, row in enumerate(a.T):
        columns[:, (k + i) % 3] += row
    cubes[i] *= a
    cubes[0][:, i] -= a[:, 0]
    return columns, cubes


def test_parts_of_known_arrays_at_staged_places_are_changed():
    a = np.arange(6.0).reshape(2, 3)
    for ours, numpys in zip(lt.function(parts)(a, 1), parts(a, 1)):
        np.testing.assert_array_equal(ours, numpys)
    assert lt.grad(lt.function(lambda a: lt.sum(parts(a, 1)[0] * a)))(a).tolist() == [[3.0, 2.0, 1.0], [9.0, 8.0, 7.0]]


class Stepped(lt.Module):
    def __init__(self):
        self.w, self.steps = lt.Parameter(2, lt.init.fill(1.0), dtype="f64"), lt.Variable(0)

    def train(self, x):
        optimizer, history, before = lt.optim.SGD(0.1), [], self.w.value
        for _ in range(2):
            value, gradients = lt.value_and_grad(lambda x: lt.sum(self.w * self.w * x))(x)
            optimizer.step(gradients)
            self.steps.assign(self.steps + 1)
            history.append(np.linalg.norm(self.w.value) * float(self.steps.value))
        return history, self.w.value, before + 0.0, self.steps.value, lt.grad(lambda: lt.sum(self.w * self.w.value), wrt=self.w)()


def test_the_value_of_what_a_program_changes_is_that_of_then():
    x, plain, staged = np.array([1.0, 2.0]), Stepped(), Stepped()
    compiled = lt.function(staged.train)
    for _ in range(2):
        for ours, numpys in zip(compiled(x), plain.train(x)):
            np.testing.assert_allclose(ours, numpys, rtol=1e-12)
    assert compiled(x)[3] == 6 and staged.w.value is not staged.w.value and not staged.w.value.flags.writeable

    @lt.autograph.do_not_convert
    def of_numpys(a):
        return np.array(a)
    with pytest.raises(StagingError, match="LT0310.*NumPy would make an array of 'w' as it is while the program is staged"):
        lt.function(lambda x: of_numpys(staged.w) * x)(x)
