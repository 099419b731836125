"""Values into compiled functions and out of them."""
import collections
from typing import List, Optional  # noqa: F401  (in annotations that are texts)

import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError


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


@pytest.mark.optimised
def test_products_and_sums_are_rounded_apart():
    def roots(a: float, b: float, c: float):
        discriminant = b * b - 4 * a * c
        return "no root" if discriminant < 0 else "one root" if discriminant == 0 else "two roots", discriminant

    compiled = lt.function(roots)
    for a, b, c in ((0.7, 2.8, 2.8), (0.1, 0.4, 0.4), (0.3, 1.8, 2.7), (1.2, 3.6, 2.7)):
        assert compiled(a, b, c) == roots(a, b, c)


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


def test_lists_of_numbers_are_read_as_each_number_is():
    def back(floats: list[float], wholes: list[int], truths: list[bool], other):
        return floats, wholes, truths, other
    compiled = lt.function(back)
    assert compiled([1, 2.5, True, np.float64(0.5), np.int32(4)], (1, True, np.int64(7)), [True, False], [1.5, 2.5]) == (
        [1.0, 2.5, 1.0, 0.5, 4.0], [1, 1, 7], [True, False], [1.5, 2.5])
    assert compiled([], [], [], [3]) == ([], [], [], [3])
    for arguments, kind, message in ((([1.0, "a"], [], []), TypeError, r"argument 'floats'\[1\] is float, and a str was given"),
                                     (([10**400], [], []), OverflowError, r"argument 'floats'\[0\]: a whole number of 1329 bits does not fit in a float"),
                                     (([], [1, 2.0], []), TypeError, r"argument 'wholes'\[1\] is int, and a float was given"),
                                     (([], [1, 2**63], []), OverflowError, r"argument 'wholes'\[1\]: 9223372036854775808 does not fit in 64 bits"),
                                     (([], [], [True, 1]), TypeError, r"argument 'truths'\[1\] is bool, and a int was given")):
        with pytest.raises(kind, match=message):
            compiled(*arguments, [1.0])


Pair = collections.namedtuple("Pair", "weight number")


def test_lists_of_lists_are_read_as_each_list_is():
    def back(rows: list[list[float]], deep: list[list[list[int]]], texts: list[list[str]], arrays: list[list[lt.Tensor[2]]]):
        return rows, deep, texts, [[lt.sum(array) for array in row] for row in arrays]
    compiled, ones = lt.function(back), np.ones(2, np.float32)
    for arguments in (([[1.0, 2], [], [True]], [[[1], []], [], [[2, 3]]], [["a", ""], [], ["grün", "x" * 1000]], [[ones], [], [ones, ones * 2]]),
                      (([1, np.float64(0.5)], (2.0,)), [([np.int32(4)],)], [], []), ([[]], [[[]], []], [[""]], [[]]), ([], [], [], [])):
        rows, deep, texts, arrays = arguments
        assert compiled(*arguments) == ([list(map(float, row)) for row in rows], [[list(map(int, row)) for row in each] for each in deep],
                                        [list(row) for row in texts], [[array.sum() for array in row] for row in arrays])
    for arguments, message in ((([[1.0], ["a"]], [], [], []), r"argument 'rows'\[1\]\[0\] is float, and a str was given"), (([[1.0], 2.0], [], [], []), r"argument 'rows'\[1\] is"),
                               (([], [], [["a"], ["b", 1]], []), r"argument 'texts'\[1\]\[1\] is str, and a int was given")):
        with pytest.raises(TypeError, match=message):
            compiled(*arguments)


def test_lists_of_tuples_are_read_as_each_tuple_is():
    def back(graph: list[list[tuple[float, int]]], pairs: list[tuple[int, tuple[str, bool]]], both: tuple[list[tuple[int, int]], float]):
        return graph, pairs, both
    compiled = lt.function(back)
    for arguments in (([[(0.5, 1), (2, 3)], [], [(1.5, 2)]], [(1, ("a", True)), (2, ("", False))], ([(1, 2)], 0.5)), ([[Pair(1.0, 2)]], [], ([], 1.0)), ([], [], ([], 0.0)), ([[], []], [], ([], 0.0))):
        assert compiled(*arguments) == arguments
    for arguments, message in ((([[(0.5, 1)], [(1.0,)]], [], ([], 0.0)), r"argument 'graph'\[1\]\[0\]|argument 'graph' is"), (([[(0.5, 1), (1.0, "a")]], [], ([], 0.0)), "and a str was given"),
                               (([(0.5, 1)], [], ([], 0.0)), "argument 'graph'"), (([], [(1, "ab")], ([], 0.0)), "argument 'pairs'")):
        with pytest.raises(TypeError, match=message):
            compiled(*arguments)


def test_an_empty_list_has_elements_as_those_beside_it_have():
    def last(rows):
        return [row[-1] if row else 0 for row in rows], rows
    assert lt.function(last)([[], [1, 2], []]) == ([0, 2, 0], [[], [1, 2], []])


def test_arguments_of_the_wrong_type():
    def scale(x: float, v: lt.Tensor[3]):
        return x * v
    compiled = lt.function(scale)
    np.testing.assert_array_equal(compiled(2, np.ones(3)), np.full(3, 2, np.float32))
    with pytest.raises(TypeError, match="argument 'x' is float, and a str was given"):
        compiled("a", np.ones(3))
    with pytest.raises(TypeError, match=r"argument 'v' is lt.Tensor\[lt.f32, 3\], and an array of the shape \(4,\)"):
        compiled(1.0, np.ones(4))
    with pytest.raises(TypeError, match=r"^scale\(\): missing a required argument: 'v'$"):
        compiled(1.0)


@pytest.mark.parametrize("value, message", [
    ([1, "a", 2.0], "argument 'xs': the elements of a list have one type: int and str do not join"),
    ([], "argument 'xs': an empty list does not say what its elements are"),
    ([[], []], "argument 'xs': an empty list does not say what its elements are"),
    (np.zeros(3, np.complex64), "argument 'xs': arrays of complex64 have no staged counterpart"),
    (np.ma.masked_array([1.0, 2.0], [0, 1]), "argument 'xs': an array of the class 'MaskedArray', which may compute in a way of its own, has no staged counterpart"),
])
def test_an_argument_that_has_no_type_is_named(value, message):
    with pytest.raises(TypeError) as raised:
        lt.function(lambda xs: xs[0])(value)
    assert str(raised.value).startswith(message)


class Angle(float):
    def __add__(self, other):
        return Angle((float(self) + other) % 360)


class Metres(float):
    def __repr__(self):
        return f"{float(self)} m"


class Name(str):
    pass


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_numbers_and_arrays_that_compute_in_a_way_of_their_own():
    """They would lose it: a matrix's product is none of its elements."""
    def total(x: lt.Tensor[lt.f64, None], by: float):
        return np.sum(x) * by
    masked, ones = np.ma.masked_array([1.0, 2.0], [0, 1]), np.ones(2)
    for arguments in (masked, 1.0), (ones, Angle(300)):
        with pytest.raises(TypeError, match=r"^argument '(x|by)': an? .* of its own, has no staged counterpart"):
            lt.function(total)(*arguments)
    for captured in masked, np.matrix([[1.0, 2.0]]), Angle(300):
        with pytest.raises(StagingError, match="of its own, has no staged counterpart"):
            lt.function(lambda x: x * captured)(ones)
    with pytest.raises(TypeError, match="an array of the class 'matrix'"):
        lt.grad(lambda x: lt.sum(x))(np.matrix([[1.0, 2.0]]))
    with pytest.raises(TypeError, match="argument 'x': an array of the class 'matrix'"):
        lt.jvp(lambda x: lt.sum(x), (np.matrix([[1.0, 2.0]]),), (np.ones((1, 2)),))


def test_numbers_and_texts_of_a_class_of_theirs_that_compute_as_python_does():
    assert lt.function(lambda x, k: x + k)(Metres(1.5), 2) == 3.5
    assert lt.function(lambda name: name + "!")(Name("a")) == "a!"
    assert lt.function(lambda x: lt.sum(x * 2))(np.memmap.__new__(np.memmap, "/dev/zero", mode="r", shape=(2,), dtype=float)) == 0


def test_an_object_that_is_computed_with():
    with pytest.raises(StagingError, match="a value of type 'Thing' has no staged counterpart") as raised:
        lt.function(lambda x: lt.sum(x))(type("Thing", (), {})())
    assert raised.value.__context__ is None


@pytest.mark.parametrize("function, code, message", [
    (lambda x: object(), "LT0312", "returns a Python object of type 'object'"),
    (lambda x: np.array([x, None]), "LT0310", "numpy.array .*what is no number and no array among its elements"),
    (lambda x: np.stack([x, "a"]), "LT0310", "what is no number and no array among its elements")])
def test_what_has_no_counterpart_is_said_where_it_stands(function, code, message):
    with pytest.raises(StagingError, match=message) as raised:
        lt.function(function)(1.5)
    assert raised.value.code == code and raised.value.place.file == __file__


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


def test_named_tuples_are_arguments():
    compiled = lt.function(lambda p, n: (p.x * n, p, p._replace(y=n)))
    assert repr(compiled(Point(1.0, 2), 3)) == repr((3.0, Point(1.0, 2), Point(1.0, 3)))
    with pytest.raises(TypeError, match="argument 'ps': more than 1,000 values in dicts and named tuples"):
        lt.function(lambda ps: len(ps))([Point(1.0, 2)] * 501)
    around = [Point(1.0, 2)]
    around.append(around)
    with pytest.raises(TypeError, match="argument 'ps': a list that holds itself"):
        lt.function(lambda ps: len(ps))(around)


def item_of(d, key: lt.static[str]):
    return d[key]


def test_a_dict_that_holds_itself_and_a_large_one_are_known():
    around = {"x": 2.0}
    around["around"] = around
    large = {f"word{number}": number for number in range(2000)}
    compiled = lt.function(item_of)
    for _ in range(2):
        assert compiled(around, "x") == 2.0 and compiled(large, "word7") == 7
    assert lt.function(lambda d, x: d["around"]["around"]["x"] * x)(around, 1.5) == 3.0


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


@lt.struct
class Tag:
    name: str
    weight: float


@lt.struct
class Link:
    ready: bool
    count: int
    scale: float
    tag: Tag
    again: "Optional[Tag]"
    values: lt.Tensor[lt.f64, "n"]
    counts: List[int]
    title: str
    following: "Optional[Link]"
    others: "List[Link]"


def link(number, following=None, others=(), **fields):
    given = {"ready": number % 2 == 0, "count": number, "scale": number / 8, "tag": Tag("t", 0.5), "again": None, "values": np.arange(number % 3 + 0.0),
             "counts": list(range(number % 4)), "title": f"no {number}", "following": following, "others": list(others)}
    return Link(**{**given, **fields})


def weigh(link: Link):
    """Depends on every field of every link that can be reached."""
    total = 0.0 if link.ready else 1.0
    total += link.count * link.scale + link.tag.weight + lt.sum(link.values) + len(link.title) + len(link.counts)
    if link.again is not None:
        total += 10 * link.again.weight + len(link.again.name)
    for other in link.others:
        total = 0.5 * total + weigh(other)
    if link.following is not None:
        total = 0.75 * total + weigh(link.following)
    return total


def test_structures_with_fields_of_every_kind():
    compiled = lt.function(weigh, dtype="f64")
    tag = Tag("shared", 2)     # a whole number, for a float
    last = link(3, again=tag, tag=tag)
    sample = link(4, link(5, last, again=tag), [link(6, last), last, link(7, count=np.int64(7), scale=np.float32(0.5), ready=np.True_)])
    assert compiled(sample) == pytest.approx(weigh(sample), rel=1e-12)
    for wrong, text in ((dict(count=1.5), "Link.count is int, and a float was given"), (dict(scale="x"), "Link.scale is float, and a str was given"),
                        (dict(ready=1), "Link.ready is bool, and a int was given"), (dict(tag=None), "Link.tag is Tag, and a NoneType was given"),
                        (dict(again=3), "Link.again is"), (dict(following=tag), "Link.following is"), (dict(others=[tag]), "Link.others.0. is"), (dict(title=2), "Link.title is str"),
                        (dict(counts=3), "Link.counts is"), (dict(values=[[1.0]]), "Link.values is")):
        with pytest.raises(TypeError, match=text):
            compiled(link(0, link(1, **wrong)))
    with pytest.raises(OverflowError, match="Link.count: 9223372036854775808 does not fit in 64 bits"):
        compiled(link(0, link(1, count=2**63)))


def test_arguments_whose_names_differ_by_an_underscore():
    gradients = lt.value_and_grad(lt.function(lambda x, x_: x * x_ * x_), wrt=("x", "x_"))
    assert gradients(2.0, 3.0) == (18.0, (9.0, 12.0))
