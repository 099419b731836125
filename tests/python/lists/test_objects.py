"""Objects that change, and stand in lists of any length, in dicts and in other objects."""
import dataclasses

import pytest
import random_objects
from compiled_table import Table, cases_of, differences, outcome
from object_programs import DERIVED, HEAD, OTHERS, SOURCE
from staged_source import module_of

import lantern as lt
from lantern import core
from lantern.staging import entry
from lantern.staging.errors import StagingError

SLOPES = "".join(f'''

def slope_{name}(x: float, n: int):
    return lt.grad({name}, wrt="x")(x, n)
''' for name in DERIVED)

IN_DIFFERENTIATED = """

def trained(x: float, n: int):
    ps = [Particle(0.5 * i) for i in range(n)]
    def loss(w):
        moved = [Particle(p.x * w, p.v) for p in ps]
        for q in moved: q.step(0.1 * w)
        return sum(q.x * q.x for q in moved) + sum((p.x * w - p.v) ** 2 for p in ps)
    for k in range(3):
        value, d = lt.value_and_grad(loss)(x)
        for p in ps: p.v += 0.1 * d
        x = x - 0.01 * d
    return x + sum(p.v for p in ps)
"""


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE + SLOPES + IN_DIFFERENTIATED, [*DERIVED, *OTHERS, *(f"slope_{name}" for name in DERIVED), "trained"])


CALLS = [(0.7, 0), (0.7, 1), (-1.3, 5)]
NUMBERS, WORDS = [(0,), (1,), (2,), (6,)], [([],), (["a", "bb", "a", "c", "a"],)]


def shown(value, seen=None):
    """A value's text, in which objects are told apart, and what is one object is."""
    seen = {} if seen is None else seen
    if isinstance(value, (list, tuple)):
        return type(value).__name__ + "[" + ", ".join(shown(each, seen) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {shown(each, seen)}" for key, each in value.items()) + "}"
    if not hasattr(value, "__dict__") or not type(value).__module__.startswith("program"):
        return f"{float(value):.10g}" if isinstance(value, (int, float)) else repr(value)
    if id(value) in seen:
        return f"#{seen[id(value)]}"
    seen[id(value)] = len(seen)
    return f"{type(value).__name__}#{seen[id(value)]}({', '.join(f'{name}={shown(each, seen)}' for name, each in sorted(vars(value).items()))})"


@pytest.mark.parametrize("name, arguments", cases_of({**{name: CALLS for name in [*DERIVED, "trained"]},
                                                      **{name: WORDS if "words" in parameters else NUMBERS for name, (parameters, _) in OTHERS.items()}}))
def test_result_is_pythons(table, name, arguments):
    plain, compiled = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
    assert shown(plain) == shown(compiled)


@pytest.mark.parametrize("name, arguments", cases_of({name: CALLS for name in DERIVED}))
def test_derivative_is_that_of_differences(table, name, arguments):
    x, n = arguments
    ends = [float(table.plain[name](x + by, n)) for by in (1e-6, -1e-6)]
    assert float(table.compiled[f"slope_{name}"](x, n)) == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6, abs=1e-8)


def test_lists_have_the_attributes_names(table):
    listing = core.compile(table.text, "table.sexpr", {"emit": "cpp"})
    assert all(name in listing for name in ("List<double> particle_x", "List<double> particle_v", "node_next_missing", "List<double>& tree_key", "const int64_t p_number = "))


def test_objects_of_the_users_own_class_come_back(table):
    particles, last, named, head, _ = table.compiled["given_back"](2)
    assert type(last) is table.module.Particle and particles[2] is last and named["first"] is particles[0]
    last.v += 1.0
    assert dataclasses.astuple(particles[2]) == (1.0, 10.0) and head.next.value.pos == table.module.Vec(0.0, 0.0)


def test_what_may_be_none_comes_back():
    f = lt.function(module_of(HEAD + """
def f(n: int):
    best = None
    for i in range(n):
        if i % 3 == 1: best = Particle(float(i))
    return best
""").f)
    assert f(1) is None and (f(5).x, f(5).v) == (4.0, 1.0)


REFUSED = {
    "ps[0].tag = x": "LT0310.*the attribute 'tag' is set behind its constructor.*give it a value in __init__: self.tag = …",
    "ps[0].v = 'fast'": "LT0306.*'v' of a Particle, of which all hold values of one type",
    "del ps[0].v": "LT0310.*its 'v' is deleted.*set it to None",
    "ps[0].__dict__['v'] = x": "LT0310.*as a dict.*name the attributes",
    "return len(vars(ps[0]))": "LT0310.*as a dict.*name the attributes",
    "return id(ps[0]) == id(ps[n])": "LT0310.*where in memory.*compare with `is`",
    "return f'{[Account(1, p) for p in ps]}'": "LT0310.*says where in memory it is.*a method __repr__",
    "ps.append(OLD)\n    for p in ps: p.v += 1": "LT0312.*make each Particle by a call of its class.*this one was there before",
    "q = n > 1 and ps[0]": "LT0306.*give it a Particle on every path",
    "accounts = [Account(1, x) for p in ps]\n    accounts.sort()\n    accounts[0].balance = x": "LT0310.*a key",
    "common = [x]\n    bs = [Body(p, p, common) for p in ps]\n    for b in bs: b.log.append(x)": "LT0305.*may be in another place, too",
    "bs = [Body(p, p) for p in ps]\n    bs = copy.deepcopy(bs)": "LT0310.*write it as a loop that makes new ones",
    "return len(copy.deepcopy([Body(ps[0], ps[0]), ps[n]]))": "LT0310.*make a new one of its attributes",
    "def loss(w):\n        for p in ps: p.v += w\n        return sum(p.v for p in ps)\n    return lt.grad(loss)(x)": "LT0305.*made before",
    "def made(w):\n        qs = [Particle(w) for p in ps]\n        for q in qs: q.v += 1\n        return qs[0]\n    return lt.grad(made)(x)": "LT0312.*return a number of it",
    "c = Crossing()\n    cs = [c for p in ps]\n    cs[n].turn()\n    cs[0].light = None": "LT0306.*a member of Light, gets another value",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refusals_say_what_to_do(body):
    source = f"{HEAD}\n\nOLD = Particle(0.0)\n\ndef f(x: float, n: int):\n    ps = [Particle(x * i) for i in range(n)]\n    for p in ps: p.v += x\n    {body}\n    return n\n"
    with pytest.raises(StagingError, match=f"(?s){REFUSED[body]}"):
        entry.stage_entries([module_of(source).f])


def test_random_programs_compiled():
    wrong, accepted, refused = differences(random_objects, range(2), [(0, 0), (1, 1), (6, 5)])
    assert not wrong, "\n".join(wrong)
    assert accepted == 2, refused


def test_an_attribute_that_only_the_class_has_may_be_set():
    table = Table(HEAD + "\ndef f(n: int):\n    cs = [Count() for _ in range(n)]\n    for c in cs[1:]: c.hit()\n    return [c.n + c.step for c in cs]\n", ["f"])
    assert [table.compiled["f"](n) for n in (0, 1, 3)] == [[], [2], [2, 4, 4]]


def test_two_classes_of_one_name_are_refused():
    source = HEAD + """
def make(k):
    class C:
        def __init__(self): self.v = k
        def up(self): self.v += k
    return C

def f(n: int):
    As, Bs = make(1), make(2)
    a, b = [As() for _ in range(n)], [Bs() for _ in range(n)]
    for c in a: c.up()
    for c in b: c.up()
    return sum(c.v for c in a) - sum(c.v for c in b)
"""
    with pytest.raises(StagingError, match="(?s)LT0310.*two classes are called C.*define the class once"):
        entry.stage_entries([module_of(source).f])
