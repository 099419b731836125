"""Classes of which a text or a place that only the running program knows chooses one: registries that make objects of several kinds."""
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import module_of

import lantern as lt
from lantern.staging.errors import StagingError

SOURCE = """
import abc


class Circle:
    def __init__(self, r): self.r = r
    def area(self): return 3.0 * self.r ** 2


class Square:
    def __init__(self, r): self.r = r
    def area(self): return self.r * self.r


class Half(Square):
    def __init__(self, r, factor=0.5):
        super().__init__(r)
        self.factor = factor

    def area(self): return super().area() * self.factor


class Rule(abc.ABC):
    @abc.abstractmethod
    def apply(self, x): ...


class Twice(Rule):
    def apply(self, x): return 2 * x


class Next(Rule):
    def apply(self, x): return x + 1


SHAPES = {"circle": Circle, "round": Circle, "square": Square, "half": Half}
RULES = {"twice": Twice, "next": Next}


def made(k: str, r: float):
    s = SHAPES[k](r)
    return s.area() + s.r, s.factor if isinstance(s, Half) else r, type(s).__name__


def by_a_name(k: str, r: float):
    cls = SHAPES[k]
    return cls(r).area() + cls(1.0).area(), cls.__name__, cls is Circle, cls is not Square, cls is Rule


def or_else(k: str, r: float): return SHAPES.get(k, Half)(r).area()
def of_a_branch(k: str, r: float): return (Circle if k == "circle" else Square)(r).area()
def of_a_row(k: str, r: float): return [w * cls(r).area() for cls, w in [[(Circle, 1.0), (Square, 2.0)][1 if k == "half" else 0]]]


def handled(k: str, r: float):
    try:
        return SHAPES[k](r).area()
    except KeyError:
        return -1.0


def filled(k: str, r: float):
    shapes = []
    for word in k.split("-"):
        if word not in SHAPES:
            raise KeyError(word)
        shapes.append(SHAPES[word](r))
        r += shapes[-1].area()
    for shape in shapes:
        shape.r *= 2
    return [shape.r for shape in shapes], sum(isinstance(shape, Square) for shape in shapes)


def of_abstract(k: str, r: float): return RULES["twice" if k == "half" else "next"]().apply(r)
"""
CALLS = {name: [(k, 1.5) for k in ("circle", "round", "square", "half", "none", "half-circle-half")]
         for name in ("made", "by_a_name", "or_else", "of_a_branch", "of_a_row", "handled", "filled", "of_abstract")}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def test_a_derivative_goes_through_what_is_made(table):
    def f(r, k):
        return SHAPES[k](r).area()

    SHAPES = table.module.SHAPES
    for k, gradient in ("round", 9.0), ("half", 1.5):
        assert lt.grad(lt.function(f), wrt="r")(1.5, k) == pytest.approx(gradient)


@pytest.mark.parametrize("body", ["return {'a': int, 'b': float}[s](1)", "cls = int if s else float\n    return cls(1)"])
def test_others_are_refused(body):
    with pytest.raises(StagingError, match="LT03(10|06)"):
        lt.function(module_of(f"def f(s: str):\n    {body}\n").f)("a")
