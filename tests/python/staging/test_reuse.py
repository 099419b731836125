"""When a trace may be used again: what it has read is as it was."""
import argparse
import dis
import inspect
import types as python_types

import pytest
from staged_source import module_of, staged
from lantern import types
from lantern.staging.keys import global_names_of


def test_a_trace_is_valid_until_what_it_read_changes(converter):
    module = module_of("""
    FACTOR = 2

    class Model:
        def __init__(self):
            self.training, self.unread, self.sizes = True, 1, {"a": 3}

        def run(self, x):
            if self.training:
                return x * FACTOR * self.sizes["a"]
            return x
    """)
    model = module.Model()
    program = staged(model.run, x=types.f64)
    assert program.valid()
    model.unread = 2
    assert program.valid()
    model.training = False
    assert not program.valid()
    model.training = True
    assert program.valid()
    module.FACTOR = 5
    assert not program.valid()
    module.FACTOR = 2
    model.sizes["a"] = 4
    assert not program.valid()


WAYS_TO_READ = ["len(LIST)", "sum(LIST)", "[a for a in LIST][-1]", "LIST[:9][-1]", "(3.0 in LIST)", "(LIST == [1.0])", "(LIST + [0])[1]", "sum(map(sum, NESTED))",
                "(lambda a, *b: len(b))(*[*LIST])", "DICT.get('b', 0)", "len(DICT)", "('b' in DICT)", "sum(DICT.values())", "len([*DICT.items()])",
                "len(SET)", "sum(QUEUE)", "len(THING.items)", "(1 if THING.things else 0)", "hasattr(THING, 'more')", "getattr(THING, 'more', 0)",
                "len(vars(THING))", "len(plain())", "(1 if DICT else 0) + len(DICT)", "f'{LIST}'.count('3')", "max(LIST)", "np.sum(np.array(LIST))",
                "largest(*LIST)", "largest(1.0, *NESTED[0])", "total(**DICT)", "len({**DICT})", "len({*SET} | {4.0})", "len(SET | {4.0})", "len({4.0} - SET)",
                "sum(3 * LIST)", "len('%s' % LIST)", "len('%s' % (LIST,))", "sum(VIEW)", "sum(USERS)", "USERS[-1]", "sum(PROXY.values())", "CHAIN.get('b', 0)",
                "len('{}'.format([LIST]))", "functools.reduce(times_last, [1.0, 2.0])", "float(os.environ.get('LANTERN_TEST_READ', '1'))",
                "float(os.getenv('LANTERN_TEST_READ', '1'))", "sum(held())", "len(repr([THING_SHOWN]))"]


@pytest.mark.parametrize("read", WAYS_TO_READ)
def test_a_container_that_is_read_in_any_way_is_read_anew(converter, read):
    module = module_of(f"""
    import collections, functools, os, types
    import numpy as np

    class Thing:
        def __init__(self):
            self.items, self.things = [1.0], {{}}

    class Shown(Thing):
        def __repr__(self):
            return str(self.items)

    THING = Thing()
    LIST, NESTED, DICT, SET, QUEUE, OTHERS = [1.0], [[1.0]], {{'a': 1.0}}, {{1.0}}, collections.deque([1.0]), {{'a': 1, 'c': 2}}
    VIEW, PROXY, CHAIN, USERS, THING_SHOWN = DICT.values(), types.MappingProxyType(DICT), collections.ChainMap(DICT), collections.UserList([1.0]), Shown()
    os.environ.pop('LANTERN_TEST_READ', None)

    def largest(*values):
        return max(values)

    def total(**values):
        return sum(values.values())

    def times_last(a, b):
        return a * b * LIST[-1]

    @functools.lru_cache(None)
    def held():
        return [1.0]

    @ag.do_not_convert
    def plain():
        return [a for a in LIST]

    def f(x):
        return x + {read} + OTHERS['a']
    """)
    program = staged(module.f, x=types.f64)
    assert program.valid()
    module.OTHERS['c'] = 3      # it is read by another key
    assert program.valid()
    module.LIST.append(3.0)
    module.NESTED[0].append(3.0)
    module.DICT['b'] = 3.0
    module.SET.add(3.0)
    module.QUEUE.append(3.0)
    module.THING.items.append(3.0)
    module.THING.things['b'] = module.THING.more = 3.0
    module.USERS.append(3.0)
    module.held().append(3.0)
    module.THING_SHOWN.items.append(3.0)
    module.os.environ['LANTERN_TEST_READ'] = '3'
    assert not program.valid()
    del module.os.environ['LANTERN_TEST_READ']


OBJECT = ["THING.size", "[a.size for a in [THING]][0]", "cached().size", "(lambda a: a.size)(cached())", "(a := cached()).size", "Only().size", "[*plain()][0].size", "ARRAY[0].size",
          "copy.copy(THING).size", "copy.deepcopy([THING])[0].size", "operator.attrgetter('size')(THING)", "dataclasses.asdict(THING)['size']",
          "dataclasses.replace(THING, other=2.0).size", "vars(THING)['size']", "size_of(THING)", "functools.reduce(times_size, [1.0, 2.0])", "len(f'{THING}')", "len(str(THING))",
          "len('{}'.format(THING))", "(1 if THING == Thing(1.0) else 0)", "[Thing(1.0)].count(THING)", "(1 if {'a': THING} == {'a': Thing(1.0)} else 0)",
          "(TREE if x > 0 else OTHER).size", "getattr(THING, 'parts')[-1]", "unless(lambda: DICT['b'])", "unless(lambda: THING.missing)", "unless(lambda: missing)", "abs(x)"]


@pytest.mark.parametrize("read", OBJECT)
def test_an_object_that_is_read_in_any_way_is_read_anew(converter, read):
    module = module_of(f"""
    import copy, dataclasses, functools, operator
    import numpy as np

    @dataclasses.dataclass
    class Thing:
        size: float
        other: float = 1.0
        parts: list = dataclasses.field(default_factory=lambda: [1.0])

    @lt.struct
    class Tree:
        size: float

    class Only:
        made = None

        def __new__(cls):
            if cls.made is None:
                cls.made = super().__new__(cls)
                cls.made.size = 1.0
            return cls.made

    THING, TREE, OTHER, DICT = Thing(1.0), Tree(1.0), Tree(2.0), {{}}
    ARRAY = np.array([THING, None], dtype=object)
    Only()

    @functools.lru_cache(None)
    def cached():
        return Thing(1.0)

    @ag.do_not_convert
    def plain():
        return [cached()]

    @ag.do_not_convert
    def size_of(thing):
        return thing.size

    def times_size(a, b):
        return a * b * THING.size

    def unless(read):
        try:
            return read()
        except (LookupError, AttributeError, NameError):
            return 1.0

    def f(x):
        return x * {read}
    """)
    program = staged(module.f, x=types.f64)
    assert program.valid()
    module.Only.made.other = 3.0
    assert program.valid()
    module.THING.size = module.Only.made.size = module.TREE.size = module.cached().size = module.DICT['b'] = module.missing = module.THING.missing = 300.0
    module.THING.parts.append(3.0)
    module.abs = lambda value: value * 2
    assert not program.valid()


PLAIN = {
    "the body of a class": "class C:\n    a, b = THING.size, [each for each in LIST]\n    if THING.is_on: c = helper()\ny = C.a",
    "what the body of a class calls": "class C(base()): pass\ny = C.a",
    "a class in a branch": "if x > 0:\n    own = THING\n    class C: a = own.size\n    y = C.a\nelse: y = x",
    "what a plain function calls": "y = plain()", "what a plain method calls": "y = PlainMethod().m()", "a class's own in a plain function": "y = plain_of_class()",
    "a module's own in a plain function": "y = plain_of_module()", "__new__": "y = New().a", "__post_init__": "y = Made().b", "a default factory": "y = Made().a",
    "a structure's class": "y = Tree(x).SCALE", "the class of a new object": "y = Thing().scale",
    "getattr of an object": "y = getattr(THING, 'scale')", "getattr of a new object": "y = getattr(Thing(), 'scale')", "hasattr of a new object": "y = hasattr(Thing(), 'late') + 1.0",
    "a new object has none": "try: y = Thing().late\nexcept AttributeError: y = x",
    "an exception that is caught": "try: {}[0]\nexcept THING.kinds: y = x\nexcept KeyError: y = 2 * x",
}


@pytest.mark.parametrize("title", PLAIN)
def test_what_code_reads_that_stays_plain_is_read_anew(converter, title):
    body = PLAIN[title].replace("\n", "\n        ")
    module = module_of(f"""
    import dataclasses, sys

    class Thing:
        scale = 1.0

    THING, LIST, SCALE = Thing(), [1.0], 1.0
    THING.size, THING.is_on, THING.kinds, THING.unread = 1.0, True, KeyError, 1.0

    def helper(): return SCALE

    def base():
        class Base: a = helper()
        return Base

    @ag.do_not_convert
    def plain(): return helper()

    @ag.do_not_convert
    def plain_of_class(): return Thing.scale

    @ag.do_not_convert
    def plain_of_module(): return sys.modules[__name__].SCALE if THIS is None else THIS.SCALE

    class PlainMethod:
        @ag.do_not_convert
        def m(self): return self.n()
        def n(self): return SCALE

    class New:
        def __new__(cls):
            made = object.__new__(cls)
            made.a = helper()
            return made

    @dataclasses.dataclass
    class Made:
        a: float = dataclasses.field(default_factory=lambda: SCALE)
        def __post_init__(self): self.b = SCALE

    @lt.struct
    class Tree:
        value: float
        SCALE = 1.0

    def f(x):
        {body}
        return x * y
    """)
    module.THIS, module.__file__ = module, "program.py"
    program = staged(module.f, x=types.f64)
    assert program.valid()
    module.THING.size = module.SCALE = module.Thing.scale = module.Thing.late = module.Tree.SCALE = 2.0
    module.THING.kinds = ValueError
    assert not program.valid()


def test_what_plain_code_reads_of_an_object_of_the_trace_is_not_compared(converter):
    module = module_of("""
    class Own:
        scale = 1.0
        def __init__(self): self.k = 2.0

    @ag.do_not_convert
    def plain(own): return own.k * own.scale

    def f(x):
        own = Own()
        first = plain(own)
        own.k = own.scale = 3.0
        return x * first * plain(own)
    """)
    program = staged(module.f, x=types.f64)
    assert program.valid()
    module.Own.scale = 2.0
    assert not program.valid()


def test_functions_of_one_text_that_close_over_each_other_are_told_apart(stage, error_of):
    source = """
def chain(k):
    f = lambda v: v
    for _ in range(k):
        f = (lambda g: lambda v: g(v) * 2 + 1)(f)
    return f

def apply(f, x):
    return f(x) if x > 0 else -f(x)

def grow(n, f):
    return f(n) if n <= 0 else grow(n - 1, lambda v: f(v) + 1)

def f(x: float):
    return apply(chain(2), x), apply(chain(3), x), apply(chain(2), x)

def g(n: int):
    return grow(n, lambda v: v)
"""
    f = stage(source)
    for x in (1.0, -1.0):
        assert f(x) == f.module.f(x)
    assert error_of(source, "g").code == "LT0308"


@pytest.mark.parametrize("call, change", [
    ("THING.m(x)", "Thing.m = other"), ("THING.s(x)", "Thing.s = staticmethod(other)"), ("THING.c(x)", "Thing.c = classmethod(other)"), ("Thing().m(x)", "Thing.__init__ = lambda self: None"),
    ("helper(x)", "helper.__code__ = other.__code__"), ("THIS.helper(x)", "helper = other"), ("THING.m(x)", "Thing.m.__code__ = other.__code__"),
    ("THIS.Thing().k", "Thing = Other"), ("Other().k", "Thing.__init__ = lambda self: None"), ("THING(x)", "Thing.__call__ = other"), ("(THING + x)", "Thing.__add__ = other"),
    ("Thing.held(x)", "Thing.held = Thing()"), ("Thing().held(x)", "Thing.held = Thing()"), ("Other().m(x)", "Other.m = other"),
])
def test_a_function_that_is_replaced(converter, call, change):
    module = module_of(f"""
    class Thing:
        def __init__(self): self.k = 1.0
        def m(self, x): return x
        @staticmethod
        def s(x): return x
        @classmethod
        def c(cls, x): return x
        def __call__(self, x): return x
        def __add__(self, x): return x

    Thing.held = Thing()

    class Other(Thing): pass

    def helper(x): return x
    def other(*values): return 2 * values[-1]

    THING = Thing()

    def f(x): return x * {call}
    """)
    module.THIS, module.__file__ = module, "program.py"
    program = staged(module.f, x=types.f64)
    assert program.valid()
    exec(change, vars(module))
    assert not program.valid()


OF_A_CLASS = {
    "where a store is not run": "if x > 0: thing.size = x\ny = thing.size", "where an item of the loop is none": "for i in range(3):\n    if x > i: thing.size = x\ny = thing.size",
    "where a loop has no turn": "while x > 0: thing.size, x = x, x - 1\ny = thing.size", "of a class in front": "if x > 0: other.size = x\ny = other.size",
    "of a new class": "y = New.size", "of an object of one": "y = New().size", "by a method of one": "y = New().get()", "by super()": "y = New().more()",
    "of one that has none": "y = getattr(New(), 'late', 1.0)", "in a function within": "y = within(x, lambda: thing.size)", "of a class of the function around": "y = within(x, lambda: New.size)",
    "vars": "y = vars(Thing)['size']", "attrgetter": "y = operator.attrgetter('size')(Thing)", "methodcaller": "y = operator.methodcaller('get')(THING)",
}


@pytest.mark.parametrize("title", OF_A_CLASS)
def test_what_a_class_has_is_read_anew(converter, title):
    def indented(text):
        return text.replace("\n", "\n        ")

    module = module_of(f"""
    import operator

    class Thing:
        size = 1.0
        def get(self): return self.size

    class Other(Thing): pass

    THING = Thing()

    def within(x, read):
        if x > 100: return x
        return read() * x

    def f(x):
        class New(Other):
            def more(self): return super().get() + 1
        thing, other = Thing(), Other()
        {indented(OF_A_CLASS[title])}
        return y
    """)
    program = staged(module.f, x=types.f64)
    assert program.valid()
    module.Other.unread = 2.0
    assert program.valid() or title == "methodcaller"
    module.Thing.size = module.Thing.late = 2.0
    assert not program.valid()


def test_the_globals_that_code_reads_and_stores_to():
    """Beside what `dis` says of the same code. A long function's names and jumps need more than a byte."""
    many = "def long():\n" + "".join(f"    global s{i}\n    s{i} = a.b{i} + g{i}()\n    print(x{i})\n" for i in range(300))
    sources = [many, *map(inspect.getsource, (argparse, dis, inspect))]
    compared = 0
    pending = [compile(source, "<text>", "exec") for source in sources]
    while pending:
        code = pending.pop()
        inner = [each for each in code.co_consts if isinstance(each, python_types.CodeType)]
        pending += inner
        for stored in (False, True):
            within = {name for each in inner for name in global_names_of(each, stored)}
            kinds = {"STORE_GLOBAL"} if stored else {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
            own = {each.argval for each in dis.get_instructions(code) if each.opname in kinds}
            assert set(global_names_of(code, stored)) == own | within, (code, stored)
            compared += len(own)
    assert compared > 1500
