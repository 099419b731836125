"""Values into compiled functions and out of them."""
import collections

import numpy as np
import pytest

import lantern as lt


@lt.struct
class Tree:
    is_empty: bool
    value: float
    left: "Tree | None"
    right: "Tree | None"


EMPTY = Tree(True, 1.0, None, None)


def test_numbers_texts_arrays_and_what_is_static():
    def several(flag, n, x, text, matrix, nothing):
        y = n + x if flag else x
        return y, (n // 2, text, nothing, "fixed"), lt.tanh(matrix) * x, lt.sum(matrix)

    compiled = lt.function(several)
    matrix = np.array([[0.5, -1.0, 2.0], [0.0, 3.0, 1.0]], np.float32)
    for flag, n, x, text in ((True, -7, 2.5, "grün"), (False, 3, -1.0, "")):
        y, (half, same, nothing, fixed), tanh, total = compiled(flag, n, x, text, matrix.T.copy().T, None)
        assert (y, half, same, nothing, fixed) == (n + x if flag else x, n // 2, text, None, "fixed")
        assert type(y) is float and type(half) is int and tanh.dtype == total.dtype == np.float32
        np.testing.assert_allclose(tanh, np.tanh(matrix) * np.float32(x), rtol=1e-5)
        np.testing.assert_allclose(total, matrix.sum(), rtol=1e-6)


def test_static_zeros_are_two():
    def shifted(zero: lt.static[float], x: float):
        return str(zero), x + zero

    compiled = lt.function(shifted)
    assert [compiled(0.0, 2.0), compiled(-0.0, 2.0)] == [("0.0", 2.0), ("-0.0", 2.0)]


def test_structures_of_any_depth():
    def last(tree: Tree):
        return tree if tree.left is None else last(tree.left)

    tree = Tree(True, 42.0, None, None)
    for _ in range(200_000):
        tree = Tree(False, 1.0, tree, EMPTY)

    def chain_length(tree: Tree):
        return 0 if tree.left is None else 1 + chain_length(tree.left)
    assert lt.function(chain_length)(tree) == 200_000
    bottom = lt.function(last)(tree)
    assert isinstance(bottom, Tree) and bottom.value == 42.0 and bottom.left is None


def test_lists():
    def mean(xs: list[float]):
        total = 0.0
        for x in xs:
            total = total + x
        return total / len(xs)
    compiled = lt.function(mean)
    assert compiled([1.0, 2, 6.0]) == 3.0
    with pytest.raises(ZeroDivisionError):
        compiled([])


def test_arguments_of_the_wrong_type():
    def scale(x: float, v: lt.Tensor[3]):
        return x * v
    compiled = lt.function(scale)
    np.testing.assert_array_equal(compiled(2, np.ones(3)), np.full(3, 2, np.float32))
    with pytest.raises(TypeError, match="argument 'x' is float, and a str was given"):
        compiled("a", np.ones(3))
    with pytest.raises(TypeError, match=r"argument 'v' is lt.Tensor\[lt.f32, 3\], and an array of the shape \(4,\)"):
        compiled(1.0, np.ones(4))
    with pytest.raises(TypeError, match="missing a required argument: 'v'"):
        compiled(1.0)


def test_tuples_are_flattened():
    compiled = lt.function(lambda p, n: (p[0] * p[1][1] + n, p))
    assert compiled((2.0, (1, 3)), 4) == (10.0, (2.0, (1, 3)))


def two_classes_of_one_name():
    def first():
        @lt.struct
        class Point:
            x: float
            other: "Point | None"
        return Point

    def second():
        @lt.struct
        class Point:
            count: int
            label: str
            x: float
            other: "Point | None"
        return Point

    return first(), second()


Point = collections.namedtuple("Point", "x y")


def test_named_tuples_keep_their_class():
    def moved(x: float, n: int):
        point = Point(x, n)
        for i in range(n):
            point = Point(point.x * 2, i)
        return point, [Point(n, point)], (x, point)

    expected, found = moved(1.5, 2), lt.function(moved)(1.5, 2)
    assert repr(found) == repr(expected) == "(Point(x=6.0, y=1), [Point(x=2, y=Point(x=6.0, y=1))], (1.5, Point(x=6.0, y=1)))"


def test_a_named_tuple_is_no_argument():
    with pytest.raises(TypeError, match="a named tuple, of class 'Point', would lose its class: use an lt.struct, or pass tuple.…. of it"):
        lt.function(lambda p: p)(Point(1.0, 2))


def test_two_classes_of_one_name_are_two_types():
    first, second = two_classes_of_one_name()

    @lt.function
    def x_of(p):
        return p.x if p.other is None else p.other.x

    assert x_of(first(2.0, first(4.0, None))) == 4.0
    assert x_of(second(7, "seven", 3.0, second(8, "eight", 5.0, None))) == 5.0
    assert x_of(first(6.0, None)) == 6.0

    def only_first(p: first):
        return p.x

    with pytest.raises(TypeError, match="argument 'p' is Point, and another class called Point was given"):
        lt.function(only_first)(second(7, "seven", 3.0, None))


@lt.struct
class Tree2:  # what a class in a function calls Tree2 is that class
    value: int


def test_a_class_in_a_function_hides_the_module_s():
    @lt.struct
    class Tree2:
        value: float
        next: "Tree2 | None"

    def last(t):
        return t.value if t.next is None else last(t.next)

    assert lt.function(last)(Tree2(1.0, Tree2(2.5, None))) == 2.5


def test_bits_of_numbers_and_of_arrays():
    def of_numbers(n: int, p: bool, q: bool):
        return n & 6, n | 8, n ^ 5, ~n, n << 2, n >> 1, p ^ q, p & q, p | q, 3 & n, 1 << n

    def of_arrays(a, b):
        return a & b, a | 3, ~a, a << 2, (a > 1) & (b > 1), ~(a > 1)

    assert repr(lt.function(of_numbers)(7, True, False)) == repr(of_numbers(7, True, False))
    a, b = np.array([1, 2, -3]), np.array([3, 1, 0])
    for ours, theirs in zip(lt.function(of_arrays)(a, b), of_arrays(a, b)):
        assert ours.dtype == theirs.dtype and ours.tolist() == theirs.tolist()
