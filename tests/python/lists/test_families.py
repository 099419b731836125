"""Objects of several classes that stand together: in lists, variables, dicts and one another."""
import random
import re

import pytest
import random_objects
from compiled_table import Table, cases_of, differences, outcome
from family_programs import DERIVED, HEAD, OTHERS, SOURCE
from staged_source import module_of
from test_objects import shown

from lantern import core
from lantern.staging import entry
from lantern.staging.errors import StagingError

SLOPES = "".join(f'''

def slope_{name}(x: float, n: int):
    return lt.grad({name}, wrt="x")(x, n)
''' for name in DERIVED)
CALLS = [(0.7, 0), (0.7, 1), (-1.3, 5)]
NUMBERS, LINES = [(0,), (1,), (2,), (7,)], [([],), (["mk a", "10 f", "cd a", "5 g", "mk b", "cd b", "1 h", "cd ..", "7 i"],), (["3 q", "cd q"],), (["cd ..", "1 a"],)]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE + SLOPES, [*DERIVED, *OTHERS, *(f"slope_{name}" for name in DERIVED)])


@pytest.mark.parametrize("name, arguments", cases_of({**dict.fromkeys(DERIVED, CALLS), **{name: LINES if "lines" in parameters else NUMBERS for name, (parameters, _) in OTHERS.items()}}))
def test_result_is_pythons(table, name, arguments):
    plain, compiled = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
    assert shown(plain) == shown(compiled)


@pytest.mark.parametrize("name, arguments", cases_of(dict.fromkeys(DERIVED, CALLS)))
def test_derivative_is_that_of_differences(table, name, arguments):
    x, n = arguments
    ends = [float(table.plain[name](x + by, n)) for by in (1e-6, -1e-6)]
    assert float(table.compiled[f"slope_{name}"](x, n)) == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6, abs=1e-8)


def test_objects_come_back_of_their_classes(table):
    module, (_, pets, best, _) = table.module, table.compiled["pets"](3)
    assert [type(pet) for pet in pets] == [module.Cat, module.Dog, module.Dog] and best[0] is pets[2]


def test_lists_say_the_class_and_the_place(table):
    listing = core.compile(table.text, "table.sexpr", {"emit": "cpp"})
    assert all(name in listing for name in ("List<int64_t> shape_class", "List<int64_t> shape_place", "List<double> circle_r", "cat_or_dog_class"))


REFUSED = {
    "class C: pass\n    class D: pass\n    xs = [C() if i else D() for i in range(n)]": "LT0306.*make one class of C and D.*or define them in the module",
    "for o in xs: o.z = 1.0": "LT0310.*'z' is set behind its constructor.*give it a value in __init__: self.z = …",
    "pets = [Cat('a') if i else Dog('b') for i in range(n)]\n    names = {pet: 1 for pet in pets}": "LT0310.*of type Cat or Dog, is a key of a dict",
    "for o in xs: names = {type(o): 1}": "LT0310.*an object of which only the program knows the class.*ask isinstance",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refusals_say_what_to_do(body):
    source = f"{HEAD}\n\ndef f(x: float, n: int):\n    xs = [A(x) if i % 2 else B(x) for i in range(n)]\n    {body}\n    return n\n"
    with pytest.raises(StagingError, match=f"(?s){REFUSED[body]}"):
        entry.stage_entries([module_of(source).f])


class Several:
    """The random programs over objects (random_objects.py), with objects of three classes in the place of one."""
    HEAD = random_objects.HEAD + """

class E(C):
    def __init__(self, a, next=None):
        super().__init__(a, next)
        self.more = 5

    def add(self, k):
        self.more += k % 2
        return super().add(k + self.more)


class G:
    def __init__(self, a, next=None):
        self.next, self.a, self.b, self.rows = next, a, 7, [a, a]

    def add(self, k):
        self.a = (self.a * 2 + k) % 1009
        return self

    def last(self):
        return self if self.next is None else self.next
"""

    @staticmethod
    def program(seed, name="program"):
        chosen = random.Random(seed)
        return re.sub(r"\bC\(", lambda _: chosen.choice(["C(", "E(", "G("]), random_objects.program(seed, name))


def test_random_programs_compiled():
    wrong, accepted, refused = differences(Several, range(2), [(0, 0), (1, 1), (6, 5)])
    assert not wrong, "\n".join(wrong)
    assert accepted == 2, refused
