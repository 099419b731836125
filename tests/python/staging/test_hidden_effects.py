"""What a staged path changes without being state of the statement is an error that names it, whatever changes it."""
import contextlib
import io
import sys

import pytest
from staged_source import module_of

from lantern.staging.standard_output import refusing_prints

PRELUDE = """
import array, bisect, collections, heapq, io, itertools, operator, random, time
import numpy as np

class Box:
    def __init__(self):
        self.count, self.items, self.table = 0, [3, 1], {"a": [1]}

    def __getitem__(self, key):
        self.count += 1
        return key

    @ag.do_not_convert
    def bump(self):
        self.count += 1

seen, box = [5], Box()

def callee(things, k):
    heapq.heappush(things, k)

def through_a_closure(things):
    def change():
        collections.deque.append(things, 1)
    return change

def numbers():
    yield 1
    yield 2
"""


def under_a_condition(setup, change):
    return PRELUDE + f"""
def f(x: float):
    {setup}
    if x > 0:
        {change}
    return x
"""


CHANGES = [
    ("q = bytearray(b'ab')", "q.extend(b'c')", "'q'"),
    ("q = array.array('i', [1])", "q.append(2)", "'q'"),
    ("q = [3, 1]", "list.sort(q)", "'q'"),
    ("q = [3, 1]", "q.__setitem__(0, 7)", "'q'"),
    ("q = [3, 1]", "operator.setitem(q, 0, 7)", "'q'"),
    ("q = [3, 1]", "random.Random(1).shuffle(q)", "'q"),
    ("q = np.zeros(3)", "q.fill(1)", "'q'"),
    ("q = np.zeros(3)", "np.copyto(q, 1.0)", "numpy.copyto has no counterpart"),
    ("q = iter([1, 2])", "next(q)", "'q'"),
    ("q = enumerate('ab')", "list(q)", "'q'"),
    ("q = itertools.count()", "itertools.islice(q, 1).__next__()", "'q'"),
    ("q = numbers()", "sum(q)", "'q'"),
    ("q = io.StringIO()", "q.write('a')", "'q'"),
    ("pass", "callee(seen, 4)", "'things'"),
    ("pass", "box.bump()", "'box.count'"),
    ("pass", "sorted([2, 1], key=lambda k: seen.append(k) or k)", "'seen'"),
    ("pass", "random.random()", "lt.uniform"),
    ("pass", "np.random.normal()", "lt.uniform"),
    ("pass", "time.time()", "time.time()"),
    ("pass", "__import__('datetime').datetime.now()", "datetime.datetime.now()"),
    ("pass", "time.localtime(None)", "time.localtime()"),
    ("pass", "random.Random()", "give it a seed"),
    ("pass", "np.random.default_rng()", "give it a seed"),
    ("pass", "np.random.default_rng(int(x))", "lt.random.key(seed)"),
    ("pass", "random.shuffle([1, 2])", "xs = lt.shuffle(xs)"),
    ("pass", "np.random.permutation(3)", "xs = lt.shuffle(xs)"),
    ("pass", "__import__('json').dumps([x])", "json.dumps is given"),
    ("pass", "__import__('re').findall('[0-9]', str(x))", "the methods of texts"),
    ("pass", "__import__('re').compile('[0-9]').sub('', f'{x}')", "the methods of texts"),
    ("pass", "__import__('uuid').uuid4()", "uuid.uuid4()"),
    ("pass", "__import__('sys').stdout.write('a')", "file"),
]


@pytest.mark.parametrize("setup, change, name", CHANGES, ids=[change for _, change, _ in CHANGES])
@pytest.mark.filterwarnings("ignore::lantern.exceptions.UnconvertedWarning")
def test_a_change_under_a_staged_condition(error_of, setup, change, name):
    error = error_of(under_a_condition(setup, change))
    assert error.code in ("LT0305", "LT0310") and name in str(error)
    assert "if x > 0" in str(error) or change in str(error) or error.place.line < 26    # the statement, the change, or the callee


@pytest.mark.parametrize("loop", ["for i in range(n):", "while n > 0:"])
def test_a_change_in_a_staged_loop(error_of, loop):
    error = error_of(PRELUDE + f"""
def f(n: int):
    {loop}
        box.bump()
        n = n - 1
    return n
""")
    assert error.code == "LT0305" and "'box.count'" in error.message


@pytest.mark.parametrize("change", ["callee(seen, 1)", "s = seen; s.append(1)", "box.bump()", "Box.count = 3"])
def test_a_change_of_what_is_older_than_the_trace_in_straight_line_code(error_of, change):
    error = error_of(PRELUDE + f"""
def f(x: float):
    {change}
    return x
""")
    assert error.code == "LT0305"


LEGAL = [
    "q = collections.deque([1]); g = through_a_closure(q)\n    if x > 0:\n        q.appendleft(2)\n        g()\n    y = x + sum(q)",
    "q = [3, 1, 2]; r = {'k': q}; b = Box()\n    if x > 0:\n        heapq.heapify(q)\n        callee(r['k'], 0)\n        bisect.insort(b.table['a'], 0)\n        heapq.heapify(b.items)\n    y = x + q[0] + b.table['a'][0] + b.items[0]",
    "q = collections.deque(); q.append(x); q.appendleft(2 * x); y = q[0] - q[1]",
    "q = [3.0, 1.0]; heapq.heapify(q); y = q[0] + x",
    "q = iter([1.0, 2.0]); y = next(q) + next(q) * x",
    "b = Box(); b[1]; b.bump(); y = x + b.count",
    "q = np.zeros(3); q.fill(2.0); y = x + float(q[1])",
    "r = random.Random(7); y = x * r.random()",
    "q = io.StringIO(); q.write('abc'); y = x * len(q.getvalue())",
    """
    if x > 0:
        q = collections.deque([1.0, 2.0])
        q.append(x)
        y = q.popleft() + q.pop()
    else:
        b = Box()
        b.bump()
        y = x - b.count
""",
    """
    table = {}
    def cached(k):
        if k not in table:
            table[k] = [k]
        return len(table)
    cached(1)
    y = x + cached(2)
""",
]


@pytest.mark.parametrize("body", LEGAL, ids=range(len(LEGAL)))
def test_what_the_path_has_made_may_change(stage, body):
    source = PRELUDE + "def f(x: float):\n    " + body.strip("\n ") + "\n    return y\n"
    staged, plain = stage(source), module_of(source).f
    for x in (1.5, -2.0):
        assert staged(x) == plain(x)


def test_the_list_behind_another_name_and_in_a_callee(stage):
    f = stage("""
    def note(log, k):
        log.append(k)

    def f(x: float):
        log = []
        other = {"log": log}
        if x > 0:
            note(other["log"], 1)
        return x + len(log)
    """)
    assert (f(1.0), f(-1.0)) == (2.0, -1.0)


def test_text_of_a_staged_value_is_never_that_of_its_placeholder(error_of):
    for expression in ("'%s' % {x}", "ascii(x)", "str({x})", "'{}'.format({x})", "'{}'.format(object()) + str({x})"):
        error = error_of(f"""
        def f(x: float):
            return {expression}
        """)
        assert error.code in ("LT0303", "LT0310"), expression


def test_a_swallowed_refusal_is_reported_all_the_same(error_of):
    error = error_of("""
    @ag.do_not_convert
    def known(x):
        try:
            return 1 if x > 0 else 2
        except Exception:
            return 3

    def f(x: float):
        return x + known(x)
    """)
    assert error.code == "LT0303" and error.place.line == 4


def test_prints_keep_their_order_in_branches_loops_and_callees(stage):
    source = """
    def callee(n):
        print("callee", n)
        return n - 1

    def f(n: int):
        print("start")
        while n > 0:
            if n > 2:
                print("large", n)
                callee(n)
            else:
                print("small", n)
            n = callee(n)
        print("end")
        return n
    """
    staged, plain = stage(source), module_of(source).f
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert plain(4) == staged(4)
    assert staged.machine.printed == out.getvalue().splitlines()


LOUD = """
import contextlib, copy, os, pprint, warnings
class Loud:
    def __init__(self, v):
        self.v = v
    def __lt__(self, other):
        print(self.v)
        return self.v < other.v
    def __eq__(self, other):
        print(self.v)
        return self.v == other.v
    def __hash__(self):
        print(self.v)
        return 1
    def __deepcopy__(self, memory):
        print(self.v)
        return self
    def __fspath__(self):
        print(self.v)
        return "here"
def loud():
    print("loud")
    yield 1
@contextlib.contextmanager
def around():
    print("in")
    yield
@ag.do_not_convert
def about(key):
    print(key)
    return 1
"""


@pytest.mark.parametrize("call, name", [
    ("sorted([Loud(2), Loud(1)])", "__lt__"), ("[Loud(2), Loud(1)].index(Loud(1))", "__eq__"), ("[Loud(2)].count(Loud(1))", "__eq__"),
    ("bisect.bisect([Loud(1)], Loud(2))", "__lt__"), ("{Loud(1): 2}", "__hash__"), ("{Loud(1)}", "__hash__"), ("{1: 2}[Loud(1)]", "__hash__"),
    ("{1: 2}.get(Loud(1))", "__hash__"), ("{c for c in [Loud(1)]}", "__hash__"), ("{Loud(1): c for c in [1]}", "__hash__"),
    ("Loud(1) in {}", "__hash__"), ("copy.deepcopy([Loud(1)])", "__deepcopy__"), ("os.path.join('a', Loud(1))", "__fspath__"),
    ("next(loud())", "loud"), ("[v for v in zip(loud())]", "loud"), ("pprint.pprint([1])", "_format"),
    ("exec('print(1)')", "<module>"),
])
@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
def test_a_print_out_of_code_that_is_not_converted(error_of, call, name):
    error = error_of(PRELUDE + LOUD + f"def f(x: float):\n    found = {call}\n    return x\n")
    assert error.code == "LT0310" and f"'{name}' prints while the program is staged, not when it runs" in str(error)


def test_where_a_print_stands_that_python_itself_calls(error_of):
    error = error_of("""
    class Key:
        def __hash__(self):
            print("hashed")
            return 1

    def f(x: float):
        table = {Key(): 1}
        return x
    """)
    assert str(error).split(": ", 1)[1] == (
        "error LT0310: '__hash__' prints while the program is staged, not when it runs\n"
        "          print(\"hashed\")\n"
        "          ^\n"
        "  hint: print in code that is converted, or mark it ag.do_not_convert if what it prints is about the staging")


def test_a_print_that_is_redirected(error_of):
    error = error_of("import contextlib, io\ndef f(x: float):\n    with contextlib.redirect_stdout(io.StringIO()):\n        print(x)\n    return x\n")
    assert str(error).endswith(":4:9: error LT0310: this print is to go where sys.stdout is redirected while the program is staged, not when it runs\n"
                               "          print(x)\n          ^\n  hint: redirect standard output around the call of the compiled function")


@pytest.mark.parametrize("statement, printed", [
    ("about(2)", "2"), ("sorted([2], key=about)", "2"), ("warnings.warn('here')", None), ("import this", "The Zen of Python, by Tim Peters"),
])
@pytest.mark.filterwarnings("ignore:here")
def test_prints_about_the_staging(stage, statement, printed):
    sys.modules.pop("this", None)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        staged = stage(PRELUDE + LOUD + f"def f(x: float):\n    {statement}\n    print('end')\n    return x\n")
    assert out.getvalue().splitlines()[:1] == ([printed] if printed else [])
    assert staged(1.0) == 1.0 and staged.machine.printed == ["end"]


def test_standard_output_is_itself_again_whichever_thread_is_done_first():
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        first, second = (refusing_prints(None) for _ in range(2))
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)    # as threads may
        second.__exit__(None, None, None)
        assert sys.stdout is printed
