"""Lists of named tuples and frozen dataclasses as arguments: of any length, what their fields are annotated."""
import dataclasses
import typing

import pytest

import lantern as lt
from lantern.staging.errors import StagingError


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: float

    def area(self):
        return self.x * self.y


@dataclasses.dataclass(frozen=True)
class Named(Point):
    name: str = ""


class Word(typing.NamedTuple):
    text: str
    weights: typing.List[float]
    place: Point


@dataclasses.dataclass(frozen=True)
class Pair:
    a: float
    b: float


@dataclasses.dataclass(frozen=True)
class Plain:
    numbers: list


def best(points: typing.List[Point], n: int):
    largest = max(points, key=lambda point: point.area())
    return largest, [point.y for point in points if point.x > n], {point.x: point for point in points}, points[0] == points[-1]


def words(those: typing.List[Word], n: int):
    return sorted(each.text for each in those), sum(sum(each.weights) * each.place.x for each in those), [each.place for each in those][n % len(those)]


def rows(those: typing.List[typing.List[Point]], n: int):
    return [len(each) for each in those], sum(point.y for each in those for point in each)


def perhaps(those: typing.Optional[typing.List[Point]], n: int):
    return n if those is None else len(those)


P, Q = Point(1, 2.5), Point(3, 0.5)
CALLS = [(best, [P, Q, P]), (best, [Q]), (words, [Word("b", [1.0, 2.0], P), Word("a", [], Q)]), (rows, [[P], [], [Q, Q]]), (perhaps, None), (perhaps, [P, Q])]


@pytest.mark.parametrize("function, those", CALLS)
def test_as_plain(function, those):
    assert repr(lt.function(function)(those, 1)) == repr(function(those, 1))


def test_one_program_for_any_length():
    compiled = lt.function(rows)
    assert [compiled([[P] * n], 0) for n in range(1, 5)] == [rows([[P] * n], 0) for n in range(1, 5)]
    assert len(compiled._versions) == 1


@pytest.mark.parametrize("those, message", [
    ([P, Named(1, 2.0, "a")], "is Point, and a Named was given"), ([P, 3], "is Point, and a int was given"), ([P, Point(1.5, 2.0)], r"'points_x'\[1\] is int, and a float was given"),
    ([(1, 2.0)], "is Point, and a tuple was given"), (P, r"is list\[Point\], and a Point was given")])
def test_others_are_refused(those, message):
    with pytest.raises(TypeError, match=message):
        lt.function(best)(those, 1)


def test_fields_have_types():
    def total(those: typing.List[Plain]):
        return sum(those[0].numbers)
    with pytest.raises(TypeError, match=r"a value of type 'Plain' has no staged counterpart.*a list of frozen dataclasses whose fields are annotated, list\[Plain\]"):
        lt.function(total)([Plain([1.0])])


def test_gradients_are_instances():
    def total(those: typing.List[Pair], w: float):
        return sum(each.a * each.b * w for each in those)
    those = [Pair(1.0, 2.0), Pair(3.0, 4.0)]
    expected = 28.0, ([Pair(4.0, 2.0), Pair(8.0, 6.0)], 14.0)
    for function in total, lt.function(total):
        assert lt.value_and_grad(function, wrt=("those", "w"))(those, 2.0) == expected


def test_a_list_from_outside_is_not_changed():
    def longer(those: typing.List[Point]):
        those.append(P)
        return those
    with pytest.raises(StagingError, match="a list from outside"):
        lt.function(longer)([Q])
