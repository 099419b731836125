"""When a trace may be used again: objects that methods are bound to, and what users set of objects of Lantern's, are as they were."""
import pytest
from staged_source import module_of, staged

import lantern as lt
from lantern import types

BOUND = ["BOUND(x)", "PARTIAL(x)", "OF_OBJECT(x)", "CALLED(x)", "TABLE['a'](x)", "NAMED.f(x)", "HOLDER.f(x)", "HOLDER.pair[0](x)", "HOLDER.g(x)", "functools.partial(BOUND)(x)",
         "[f(x) for f in FUNCTIONS][0]", "sum(map(BOUND, [x, 1.0]))", "GRADIENTS.map(BOUND)[P][0] * x", "GRADIENTS.map(CALLED)[P][0] * x", "GRADIENTS.map(times)[P][0] * x",
         "dataclasses.replace(DATA, b=x).a"]


@pytest.mark.parametrize("read", BOUND)
def test_what_a_method_is_bound_to_is_read_anew(converter, read):
    module = module_of(f"""
    import collections, dataclasses, functools
    import numpy as np

    class Thing:
        def __init__(self):
            self.k = 2.0

        def times(self, x):
            return x * self.k

        def __call__(self, x):
            return x * self.k

    class Holder:
        pass

    @dataclasses.dataclass
    class Data:
        a: float
        b: float

    def times(x):
        return x * THING.k

    THING, HOLDER, DATA = Thing(), Holder(), Data(2.0, 1.0)
    BOUND, CALLED = THING.times, THING
    PARTIAL, OF_OBJECT = functools.partial(BOUND), functools.partial(THING)
    TABLE, FUNCTIONS, NAMED = {{'a': BOUND}}, (BOUND, BOUND), collections.namedtuple('N', 'f')(BOUND)
    HOLDER.f, HOLDER.pair, HOLDER.g = BOUND, (BOUND, 1), PARTIAL
    P = lt.Parameter((2,), np.ones(2), dtype="f64")
    GRADIENTS = lt.value_and_grad(lambda: lt.sum(P))()[1]

    def f(x):
        return {read}
    """)
    program = staged(module.f, x=types.f64)
    assert program.valid()
    module.THING.k = module.DATA.a = 3.0
    assert not program.valid()
    module.THING.k = module.DATA.a = 2.0
    assert program.valid()


OF_LANTERN = {"OPTIMIZER.learning_rate": 0.5, "OPTIMIZER.momentum": 0.5, "OPTIMIZER.weight_decay": 0.5, "OWN.k": 0.5, "OWN.learning_rate": 0.5, "OWN._held": 0.5, "module.FACTOR": 0.5,
              "SCHEDULE.rate": 0.5, "MODEL.w.trainable": False, "NORM.momentum": 0.5, "NORM.eps": 0.5, "NORM.shift.trainable": False}


@pytest.mark.parametrize("set_", OF_LANTERN)
def test_what_users_set_of_objects_of_lanterns_is_read_anew(converter, set_):
    module = module_of("""
    import sys
    import numpy as np

    FACTOR = 1.0

    class Model(lt.Module):
        def __init__(self):
            self.w, self.norm = lt.Parameter((2,), np.ones(2), dtype="f64"), NORM

        def loss(self, x):
            return lt.sum(self.norm(self.w * x * lt.ones((3, 2), dtype="f64"), training=True))

    class Own(lt.optim.Optimizer):
        def __init__(self, rate):
            super().__init__(rate)
            self.k, self._held = 1.0, 1.0

        def rule(self, now, gradient, parameter):
            return (self.moved(parameter, now * gradient * self.k),)

        def moved(self, parameter, by):
            return parameter - by * self._held * FACTOR

    class Schedule:
        rate = 1.0

        def __call__(self, step):
            return self.rate

    NORM, SCHEDULE, module = lt.BatchNorm(2, dtype="f64"), Schedule(), sys.modules[__name__]
    MODEL, OPTIMIZER, OWN, SCHEDULED = Model(), lt.optim.SGD(0.1, momentum=0.9, weight_decay=0.1), Own(0.1), lt.optim.SGD(SCHEDULE)

    def f(x):
        loss, gradients = lt.value_and_grad(MODEL.loss)(x)
        for optimizer in (OPTIMIZER, OWN, SCHEDULED):
            optimizer.step(gradients)
        return loss
    """)
    program = staged(module.f, x=types.f64)
    assert program.valid()
    exec(f"{set_} = {OF_LANTERN[set_]}", vars(module))
    assert not program.valid()


def test_an_optimiser_of_the_programs_steps_by_what_it_is_set_to():
    w = lt.Parameter((1,), [0.0], dtype="f64")

    def step(optimizer):
        optimizer.step(lt.value_and_grad(lambda x: lt.sum(w) * x)(1.0)[1])

    def steps(n: int):
        optimizer = lt.optim.SGD(1.0)
        step(optimizer)
        optimizer.learning_rate = 0.25
        step(optimizer)
        for _ in range(n):
            optimizer.learning_rate = optimizer.learning_rate * 0.5
            step(optimizer)
        return w[0]
    assert lt.function(steps, dtype="f64")(2) == -1.4375


def test_a_learning_rate_that_is_set_is_that_of_the_next_call():
    w = lt.Parameter((1,), [0.0], dtype="f64")
    optimizer = lt.optim.SGD(1.0)

    def step(x: float):
        loss, gradients = lt.value_and_grad(lambda x: lt.sum(w) * x)(x)
        optimizer.step(gradients)
        return w[0]
    compiled = lt.function(step, dtype="f64")
    assert compiled(1.0) == -1.0
    optimizer.learning_rate = 0.25
    assert compiled(1.0) == -1.25


def test_a_method_that_the_object_gets_hides_its_classs(converter):
    module = module_of("""
    class Thing:
        def times(self, x):
            return x * 2.0

    THING = Thing()

    def helper(thing, x):
        return thing.times(x)

    def f(x):
        return THING.times(x)

    def g(x):
        thing = Thing()
        y = helper(thing, x)
        thing.times = lambda x: x * 3.0
        return y, helper(thing, x)
    """)
    program = staged(module.f, x=types.f64)
    assert program.valid()
    module.THING.times = lambda x: x * 3.0
    assert not program.valid()
    del module.THING.times
    assert program.valid()
    assert lt.function(module.g)(1.0) == (2.0, 3.0)
