"""Data sets of arrays and batches of anything: compiled functions give what plain ones give, draws included."""
import numpy as np
import pytest

import lantern as lt

XS, YS = np.arange(14, dtype=np.float32).reshape(7, 2), np.arange(7)


@lt.struct
class Tree:
    label: int
    word: int
    left: "Tree | None"
    right: "Tree | None"


def rows(xs: lt.Tensor[None, 2], ys: lt.Tensor[lt.i64, None]):
    data, total = lt.dataset(xs, ys), 0.0
    for x, y in data:
        total += lt.item(lt.sum(x)) * y
    x, y = data[2]
    u, v = data[-1]
    return total, len(data), x, y, v


def one_array(xs: lt.Tensor[None, 2]):
    total = lt.zeros(2)
    for number, x in enumerate(lt.dataset(xs)):
        total = total + x * number
    return total


def batched(xs: lt.Tensor[None, 2], ys: lt.Tensor[lt.i64, None], size: int, drop: lt.static[bool]):
    batches, turns = lt.batch(lt.dataset(xs, ys), size, drop), 0
    total, last = 0.0, 0
    for x, y in batches:
        turns += 1
        total += lt.item(lt.sum(x)) * turns
        last = len(y) * 100 + y[-1]
    return len(batches), turns, total, last


def shuffled(xs: lt.Tensor[None, 2], ys: lt.Tensor[lt.i64, None], epochs: int):
    lt.seed(3)
    data, digest = lt.dataset(xs, ys), 0
    for epoch in range(epochs):
        for x, y in lt.batch(lt.shuffle(data), 3):
            digest = digest * 7 + lt.sum(y * lt.arange(len(y)))
            assert lt.sum(x[:, 1]) == lt.sum(lt.cast(y, lt.f32)) * 2 + len(y)
    for epoch in range(epochs):
        data = lt.shuffle(data)
    first, second = data[1]
    return digest, first, second


def parts(xs: lt.Tensor[None, 2], ys: lt.Tensor[lt.i64, None], n: int):
    data = lt.dataset(xs, ys)
    train, test = data[:n], data[n:]
    total = 0
    for x, y in test:
        total = total * 10 + y
    for x, y in lt.batch(train[1:], 2):
        total = total * 10 + lt.sum(y)
    return total, len(train), len(test)


def halves(data):
    return data[:4], lt.batch(data, 2)


def digest_of(data):
    total = 0
    for x, y in data:
        total = total * 10 + lt.sum(y)
    return total


def through_functions(xs: lt.Tensor[None, 2], ys: lt.Tensor[lt.i64, None]):
    first, batches = halves(lt.dataset(xs, ys))
    return digest_of(first), digest_of(batches), digest_of(lt.batch(first, 3))


def of_lists(values: list[int], size: int):
    total = 0
    for some in lt.batch(values, size):
        inner = 1
        for value in some:
            inner = inner * 3 + value
        total = total * 7 + inner + len(some)
    return total


def of_trees(path: str):
    lt.seed(2)
    trees, total = lt.treebank(path, lt.vocabulary(path), Tree), 0
    for some in lt.batch(lt.shuffle(trees), 2):
        for tree in some:
            total = total * 10 + tree.label + len(some)
    return total


def orders(n: int):
    lt.seed(n)
    order, pairs, out = lt.shuffle(list(range(n))), [(i, 0.5 * i) for i in range(n)], []
    for i in lt.shuffle(range(n)):
        out.append(order[i])
    for some in lt.batch(lt.shuffle(pairs), 2):
        out.append(sum(int(x * y) for x, y in some) + 100 * len(some))
    return order, lt.shuffle(order), out, lt.shuffle([7, 8, 9])


def left_early(xs: lt.Tensor[None, 2]):
    steps = 0
    while steps < 5:
        for x in lt.batch(lt.dataset(xs), 3):
            if steps == 5:
                break
            steps += 1
    return steps


CALLS = [(rows, XS, YS), (one_array, XS), (batched, XS, YS, 3, False), (batched, XS, YS, 3, True), (batched, XS, YS, 9, False),
         (batched, XS[:0], YS[:0], 2, False), (shuffled, XS, YS, 3), (parts, XS, YS, 4), (parts, XS, YS, 9), (of_lists, [3, 1, 4, 1, 5], 2),
         (of_lists, [3, 1], 2), (orders, 0), (orders, 1), (orders, 5), (left_early, XS), (through_functions, XS, YS)]


def plain(value):
    return [plain(v) for v in value] if isinstance(value, tuple) else np.asarray(value).tolist()


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0].__name__)
def test_compiled_as_plain(call):
    function, *arguments = call
    assert plain(lt.function(function)(*arguments)) == plain(function(*arguments))


def test_batches_of_trees(tmp_path):
    path = tmp_path / "trees.txt"
    path.write_text("".join(f"({label} word)\n" for label in range(5)))
    assert lt.function(of_trees)(str(path)) == of_trees(str(path))


def test_each_shuffle_is_another_one():
    lt.seed(1)
    data = lt.dataset(YS)
    orders = [tuple(int(y) for y in lt.shuffle(data)) for _ in range(3)]
    assert len(set(orders)) == 3 and all(sorted(order) == list(YS) for order in orders)
    lt.seed(1)
    assert [int(y) for y in lt.shuffle(list(YS))] == list(orders[0])     # drawn as a list's order is


def unequal(xs: lt.Tensor[None, 2], ys: lt.Tensor[lt.i64, None]):
    return len(lt.dataset(xs, ys))


def empty_batches(xs: lt.Tensor[None, 2], size: int):
    return len(lt.batch(lt.dataset(xs), size))


def outside(xs: lt.Tensor[None, 2], i: int):
    return lt.dataset(xs)[i]


@pytest.mark.parametrize("call, kind, message", [
    ((unequal, XS, YS[1:]), ValueError, "the arrays of a data set have one length, not 7 and 6"),
    ((empty_batches, XS, 0), ValueError, "a batch has at least one element, not 0"),
    ((outside, XS, -8), IndexError, "data set index out of range")], ids=lambda x: getattr(x, "__name__", ""))
def test_what_is_refused(call, kind, message):
    function, *arguments = call
    for form in (function, lt.function(function)):
        with pytest.raises(kind, match=message):
            form(*arguments)


def test_a_data_set_known_while_staging_is_unrolled():
    data = lt.dataset(XS[:3], YS[:3])

    @lt.function
    def total(k: int):
        result = 0.0
        for x, y in data:
            result += lt.item(lt.sum(x)) * y * k
        return result
    assert total(2) == 2 * sum(float(x.sum() * y) for x, y in zip(XS[:3], YS[:3]))


def unannotated(xs, ys):
    total = 0.0
    for x, y in lt.batch(lt.dataset(xs, ys), 3000):
        total = total * 0.5 + lt.item(lt.sum(x)) + lt.item(lt.sum(y))
    return total


def test_arrays_whose_length_the_types_say_may_be_long():
    """The order of the rows was written into the program, a number a row."""
    xs, ys = np.linspace(0, 1, 40_000, dtype=np.float32).reshape(20_000, 2), np.arange(20_000)[::-1].copy()
    assert lt.function(unannotated)(xs, ys) == pytest.approx(unannotated(xs, ys), rel=1e-5)
