"""When a trace of functions, objects and containers that have changed may be used again."""
import pytest
from staged_source import Staged, module_of, staged
from lantern import types
from lantern.staging.errors import StagingError


def test_what_is_not_read_of_a_container_may_change(converter):
    module = module_of("""
    class Layer:
        def __init__(self):
            self.scale, self.calls = 2.0, 0

    LAYERS, SIZES, FLAGS = [Layer(), Layer()], {'a': 1, 'b': 2}, {'a': True}

    def f(x):
        for i, layer in enumerate(LAYERS):
            x = x * layer.scale + i
        return x * len(SIZES) if FLAGS else x
    """)
    program = staged(module.f, x=types.f64)
    module.LAYERS[0].calls += 1
    module.SIZES['a'] = 5
    module.FLAGS['a'] = False
    assert program.valid()
    module.FLAGS.clear()
    assert not program.valid()


def test_what_unconverted_code_has_made_may_change_and_what_it_holds_may_not(converter):
    module = module_of("""
    import functools

    @functools.lru_cache(None)
    def held():
        return [1.0]

    @ag.do_not_convert
    def made():
        return [1.0, [2.0]]

    def changes_new(x):
        values = made()
        values.append(x)
        values[1].append(x)
        return values[2] + values[1][1]

    def changes_held(x):
        held().append(2.0)
        return x
    """)
    assert staged(module.changes_new, x=types.f64).valid()
    with pytest.raises(StagingError) as caught:
        staged(module.changes_held, x=types.f64)
    assert caught.value.code == "LT0305"


@pytest.mark.parametrize("loop", ["for a in THINGS: x = x * a.by", "for a in reversed(THINGS): x = x * a.by", "for i, a in enumerate(THINGS): x = x * a.by",
                                  "for a, _ in zip(PAIR, PAIR): x = x * a.by", "for a in NAMED.values(): x = x * a.by", "for a in THINGS[:1]: x = x * a.by",
                                  "x = sum([x * a.by for a in THINGS])", "x = sum(x * a.by for a in THINGS)", "a, _ = PAIR; x = x * a.by",
                                  "a = PAIR[0]; x = x * a.by", "a, *_ = THINGS; x = x * a.by", "a = NAMED.get('a'); x = x * a.by"])
def test_what_a_loop_goes_through_is_older_than_the_trace(converter, loop):
    module = module_of(f"""
    class Thing:
        def __init__(self, by):
            self.by = by

    THINGS = [Thing(2.0)]
    PAIR, NAMED = (THINGS[0], THINGS[0]), {{'a': THINGS[0]}}

    def f(x):
        {loop}
        return x
    """)
    program = staged(module.f, x=types.f64)
    assert program.valid()
    module.THINGS[0].by = 3.0
    assert not program.valid()


def test_an_object_that_a_loop_goes_through_is_not_changed(converter):
    module = module_of("""
    class Thing:
        count = 0

    THINGS = [Thing()]

    def f(x):
        for a in THINGS:
            a.count = a.count + 1
        return x
    """)
    with pytest.raises(StagingError, match="LT0305.*changed while the program is staged"):
        staged(module.f, x=types.f64)
    assert module.THINGS[0].count == 0


@pytest.mark.parametrize("container, change, read", [
    ("{1, 2}", "c.add(3)", "len(c)"), ("{'a': 1.0}", "c['b'] = 2.0", "sum(c.values())"), ("{'a': 1.0}", "c['b'] = 2.0", "c.get('b', 5.0)"),
    ("{'a': 1.0}", "c['b'] = 2.0", "(1.0 if 'b' in c else 0.0)"), ("collections.deque([1.0])", "c.append(2.0)", "sum([a for a in c])"),
    ("[1.0]", "c.append(2.0)", "sum(c)"), ("collections.defaultdict(int)", "c['a'] = 2.0", "len(c)")])
def test_a_function_whose_container_has_changed_is_traced_again(converter, container, change, read):
    source = f"""
    import collections

    def f(x: float):
        c = {container}
        def g(z):
            return z + {read}
        y = g(x)
        {change}
        return y, g(x)
    """
    program = Staged(source)
    assert program(1.0) == program.module.f(1.0)
    assert len(set(program(1.0))) == 2
    assert staged(program.module.f, x=types.f64).valid()


def test_a_function_that_an_object_has_is_read_too(converter):
    module = module_of("""
    class Model:
        def __init__(self, by):
            self.activation = lt.tanh
            self.scaled = lambda x: x * by

        def run(self, x):
            return self.scaled(self.activation(x))
    """)
    model = module.Model(2.0)
    program = staged(model.run, x=types.f64)
    assert program.valid()
    model.activation = module.lt.sigmoid
    assert not program.valid()
    model.activation = module.lt.tanh
    assert program.valid()
    model.scaled = module.Model(3.0).scaled
    assert not program.valid()


def test_cells_are_read_too(converter):
    module = module_of("""
    def maker():
        k = 2
        def f(x):
            return x * k
        def set_k(value):
            nonlocal k
            k = value
        return f, set_k
    """)
    f, set_k = module.maker()
    program = staged(f, x=types.f64)
    assert program.valid() and "(* x 2)" in program.text
    set_k(3)
    assert not program.valid()
