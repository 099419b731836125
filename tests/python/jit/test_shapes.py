"""Shapes that do not fit when a compiled function runs: the place of the operation, and both shapes."""
import numpy as np
import pytest

import lantern as lt

ANY = lt.Tensor[None, None]


def helper(a, b):
    doubled = a * 2
    return doubled + b  # broadcasting


@lt.function
def operation(kind: int, a: ANY, b: ANY):
    if kind == 0:
        return helper(lt.tanh(a), b)
    if kind == 1:
        return lt.concat(a, b)  # concat
    if kind == 2:
        return a @ b  # matmul
    if kind == 3:
        return lt.reshape(a, lt.shape(b, 0), lt.shape(b, 1))  # reshape
    return lt.zeros(kind, 2) * a  # zeros


def line_of(mark):
    with open(__file__, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.endswith(f"# {mark}\n"))


def ones(*shape):
    return np.ones(shape, np.float32)


@pytest.mark.parametrize("kind, shapes, what", [
    (0, ((2, 3), (2, 4)), "broadcasting: the shapes [2, 3] and [2, 4] do not fit"),
    (1, ((2, 3), (2, 4)), "concat: the shapes [2, 3] and [2, 4] do not fit"),
    (2, ((2, 3), (4, 2)), "matmul: the shapes [2, 3] and [4, 2] do not fit"),
    (3, ((2, 3), (2, 4)), "reshape: the shapes [2, 3] and [2, 4] do not fit"),
    (-2, ((2, 2), (2, 2)), "negative dimension -2"),
])
def test_the_place_and_both_shapes(kind, shapes, what):
    with pytest.raises(ValueError) as error:
        operation(kind, *(ones(*shape) for shape in shapes))
    line = line_of(what.split(":")[0] if kind >= 0 else "zeros")
    assert str(error.value).startswith(f"test_shapes.py:{line}:") and str(error.value).endswith(what)
    assert error.traceback[-1].lineno + 1 == line
    assert operation(2, ones(2, 3), ones(3, 2)).tolist() == [[3, 3], [3, 3]]


@lt.function
def behind_another(kind: int, a: ANY, b: ANY):
    doubled = lt.sum(a + a)
    whole = lt.cast(b, "i64")
    if kind == 0:
        return doubled + lt.sum(lt.concat(a, b, axis=1))  # then concat
    if kind == 1:
        rows = [a]
        for _ in range(kind):
            rows.append(b)
        return doubled + lt.sum(lt.stack(rows))  # then stack
    if kind == 2:
        return doubled + lt.max(a)  # then max
    if kind == 3:
        return doubled + lt.cast(lt.sum(lt.argmin(a, 1)), "f32")  # then argmin
    if kind == 4:
        return doubled + lt.sum(lt.repeat(a, kind - 6, 0))  # then elements
    if kind == 5:
        return doubled + lt.cast(lt.sum(whole ** (whole - 2)), "f32")  # then integers
    if kind == 6:
        return doubled + lt.sum(lt.cross_entropy(a, whole[0]))  # then cross_entropy
    return doubled


@pytest.mark.parametrize("kind, shapes, what", [
    (0, ((2, 3), (3, 3)), "concat: the shapes [2, 3] and [3, 3] do not fit"),
    (1, ((2, 3), (3, 3)), "stack: the shapes [2, 3] and [3, 3] do not fit"),
    (2, ((0, 3), (1, 1)), "max of an empty tensor"),
    (3, ((2, 0), (1, 1)), "argmin of an empty tensor"),
    (4, ((2, 3), (1, 1)), "elements cannot be repeated -2 times"),
    (5, ((2, 3), (1, 1)), "integers to negative integer powers are not allowed"),
    (6, ((2, 3), (1, 3)), "cross_entropy: the shapes [2, 3] and [3] do not fit"),
])
def test_the_place_is_not_that_of_what_came_before(kind, shapes, what):
    with pytest.raises(ValueError) as error:
        behind_another(kind, *(ones(*shape) for shape in shapes))
    line = line_of("then " + what.split()[0].rstrip(":"))
    assert str(error.value).startswith(f"test_shapes.py:{line}:") and str(error.value).endswith(what)
    assert behind_another(7, ones(2, 3), ones(2, 3)) == 12


@lt.function
def repeated(a: ANY, count: int):
    return lt.sum(lt.repeat(a, count, 0))


@pytest.mark.parametrize("power", [44, 61, 62])
def test_more_elements_than_memory_has_addresses(power):
    with pytest.raises(MemoryError):
        repeated(ones(1, 2), 2**power)
    assert repeated(ones(1, 2), 3) == 6


@lt.function
def named(a: lt.Tensor["batch", 4], b: lt.Tensor["batch"]):
    return lt.sum(a) + lt.sum(b)


@pytest.mark.parametrize("shapes, texts", [
    (((3, 7), (3,)), ("'a'", "axis 1", "size 7", "not 4")),
    (((3, 4), (5,)), ("'b'", "axis 0", "'batch'", "size 5", "'a'", "size 3")),
    (((3,), (3,)), ("'a'", "shape (3,)")),
])
def test_the_dimensions_of_annotations(shapes, texts):
    assert named(ones(3, 4), ones(3)) == 15
    with pytest.raises(TypeError) as error:
        named(*(ones(*shape) for shape in shapes))
    assert all(text in str(error.value) for text in texts), str(error.value)


@lt.function
def unused(kind: int, a: ANY, b: ANY):
    if kind == 0:
        a @ b
    elif kind == 1:
        a + b
    elif kind == 2:
        lt.max(a)
    elif kind == 3:
        lt.take(a, lt.constant([5]))
    return kind


@pytest.mark.parametrize("kind, shapes, error", [(0, ((2, 3), (4, 2)), ValueError), (1, ((2, 3), (2, 4)), ValueError), (2, ((0, 2), (1, 1)), ValueError),
                                                 (3, ((2, 2), (1, 1)), IndexError)])
def test_what_fails_is_not_left_out(kind, shapes, error):
    with pytest.raises(error):
        unused(kind, *(ones(*shape) for shape in shapes))
    assert unused(kind, *(ones(6, 6) for _ in shapes)) == kind


@lt.function
def unused_places(a: lt.Tensor[lt.f64, 5], rows: lt.Tensor[lt.i64, 3], m: lt.Tensor[lt.f64, 3, 5]):
    """All sizes are known, and what decides is not."""
    a[rows]
    lt.cross_entropy(m, rows)
    return lt.sum(a)


def test_places_in_arrays_of_known_shapes_are_not_left_out():
    a, m = np.ones(5), np.ones((3, 5))
    assert unused_places(a, np.array([0, 4, 2]), m) == 5
    for rows, text in (([0, 5, 1], "index 5 is out of bounds"), ([0, -1, 1], "label -1 is out of range")):
        with pytest.raises(IndexError, match=text):
            unused_places(a, np.array(rows), m)
