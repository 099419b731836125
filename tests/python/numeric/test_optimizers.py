"""Optimisers against their papers' formulas (optimizer_rules.py): eager and compiled, dense and by rows."""
import functools
import math

import numpy as np
import pytest

import lantern as lt
from optimizer_rules import RULES, SCHEDULES, adam

RATE, STEPS = 0.1, 5


class Model(lt.Module):
    def __init__(self):
        self.table = lt.Parameter((5, 2), np.linspace(-1, 1, 10).reshape(5, 2), dtype="f64")
        self.weight = lt.Parameter((2,), np.array([0.5, -0.3]), dtype="f64")
        self.scale = lt.Parameter((), np.array(1.5), dtype="f64")

    def loss(self, row, x):
        return lt.sum(lt.square(self.table[row] * self.weight * self.scale - x)) + lt.sum(self.weight)


ROWS, X = [3, 0, 3, 1, 3], np.array([0.2, 0.7])


def expected(formula, options, rate=lambda step: RATE, change=lambda gradients: gradients):
    """The parameters after each step, by the formula; gradients by hand."""
    model = Model()
    values = {name: np.array(p.value) for name, p in model.parameters().items()}
    states, history = {name: {} for name in values}, []
    for step, row in enumerate(ROWS):
        table, w, scale = values["table"], values["weight"], values["scale"]
        d = 2 * (table[row] * w * scale - X)
        g = {"table": np.zeros_like(table), "weight": d * table[row] * scale + 1, "scale": np.array(np.sum(d * table[row] * w))}
        g["table"][row] = d * w * scale
        g = change(g)
        values = {name: formula(g[name], values[name], states[name], step + 1, rate(step), **options) for name in values}
        history.append(values)
    return history


def run(cases, compiled):
    """{name: the parameters after each step} by lt.optim. cases: {name: (optimizer, what is done to gradients)}; one program for all."""
    models = {name: Model() for name in cases}

    def step(row: int, x: lt.Tensor[lt.f64, 2]):
        for name, (optimizer, change) in cases.items():
            value, gradients = lt.value_and_grad(models[name].loss)(row, x)
            optimizer.step(change(gradients))
    step = lt.function(step) if compiled else step
    history = {name: [] for name in cases}
    for row in ROWS:
        step(row, X)
        for name, model in models.items():
            history[name].append({parameter: np.array(p.value) for parameter, p in model.parameters().items()})
    return history


def unchanged(gradients):
    return gradients


def check(found, wanted):
    for step, (a, b) in enumerate(zip(found, wanted)):
        for name in b:
            np.testing.assert_allclose(a[name], b[name], rtol=1e-10, atol=1e-12, err_msg=f"{name}, step {step}")


both = pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])


@both
def test_rules(compiled):
    found = run({name: (make(RATE), unchanged) for name, (make, _, _) in RULES.items()}, compiled)
    for name, (_, formula, options) in RULES.items():
        check(found[name], expected(formula, options))


@both
def test_schedules(compiled):
    found = run({name: (lt.optim.Adam(schedule), unchanged) for name, (schedule, _) in SCHEDULES.items()}, compiled)
    for name, (schedule, rate) in SCHEDULES.items():
        assert [float(schedule(k)) for k in range(5)] == pytest.approx([rate(k) for k in range(5)])
        check(found[name], expected(adam, {}, rate))


def by_norm(limit):
    def change(gradients):
        norm = math.sqrt(sum(np.sum(g**2) for g in gradients.values()))
        return {name: g * min(1.0, limit / norm) for name, g in gradients.items()}
    return change


CLIPPINGS = {
    "by value": (lambda g: lt.optim.clip_by_value(g, -0.5, 0.25), lambda gs: {n: np.clip(g, -0.5, 0.25) for n, g in gs.items()}),
    "by value, away from 0": (lambda g: lt.optim.clip_by_value(g, 0.1, 0.25), lambda gs: {n: np.clip(g, 0.1, 0.25) for n, g in gs.items()}),
    "by norm": (lambda g: lt.optim.clip_by_global_norm(g, 0.7), by_norm(0.7)),
    "by a norm that is seldom reached": (lambda g: lt.optim.clip_by_global_norm(g, 2.0), by_norm(2.0)),
}


@both
def test_clipping(compiled):
    found = run({(name, rule): (RULES[rule][0](RATE), ours) for name, (ours, _) in CLIPPINGS.items() for rule in ("sgd", "momentum")}, compiled)
    for (name, rule), history in found.items():
        _, formula, options = RULES[rule]
        check(history, expected(formula, options, change=CLIPPINGS[name][1]))


def test_what_is_compiled_steps_through_rows_where_a_zero_gradient_changes_nothing():
    """`leaves_rows` says the same of each rule as the compiler finds."""
    from lantern import core
    for name, (make, _, _) in RULES.items():
        model, optimizer = Model(), make(RATE)

        def step(row: int, x: lt.Tensor[lt.f64, 2]):
            optimizer.step(lt.value_and_grad(model.loss)(row, x)[1])
        text = core.compile(lt.function(step).text(1, X), "step", {"emit": "cpp"})
        rows, dense = "for_each_touched(" in text, "for_each(" in text
        assert rows == optimizer.leaves_rows and dense == (not rows), name


# What an optimiser remembers, and for how long

def test_memory_begins_where_the_optimiser_is_made():
    """In a function that makes its optimisers itself: one for all epochs, and one for each."""
    def trainer():
        lasting, renewed = Model(), Model()

        def train(epochs: int):
            for_all = lt.optim.Adam(RATE)
            total = 0.0
            for epoch in range(epochs):
                for_one = lt.optim.SGD(RATE, momentum=0.9)
                for row in range(4):
                    for model, optimizer in ((lasting, for_all), (renewed, for_one)):
                        loss, gradients = lt.value_and_grad(model.loss)(row, X)
                        optimizer.step(gradients)
                        total += lt.item(loss)
            return total
        return train
    eager, compiled = trainer(), lt.function(trainer())
    assert compiled(3) == pytest.approx(eager(3))
    assert compiled(2) == pytest.approx(eager(2))    # a second call has new optimisers


def test_memory_outlives_the_call_where_the_optimiser_does():
    found = {}
    for compiled in (False, True):
        model, optimizer = Model(), lt.optim.Adam(RATE)

        def train(steps: int):
            for row in range(steps):
                optimizer.step(lt.value_and_grad(model.loss)(row, X)[1])
        call = lt.function(train) if compiled else train
        call(2)
        call(3)
        found[compiled] = {name: np.array(p.value) for name, p in model.parameters().items()}
        assert {name: v.value.tolist() for name, v in optimizer.state().items() if name == "adam.steps"} == {"adam.steps": 5}
    for name, value in found[False].items():
        np.testing.assert_allclose(found[True][name], value, rtol=1e-10)


def test_two_optimisers_of_one_parameter_have_a_memory_each():
    found = []
    for compiled in (False, True):
        model = Model()

        def train(steps: int):
            slow, fast = lt.optim.SGD(0.01, momentum=0.9), lt.optim.SGD(0.1, momentum=0.5)
            for row in range(steps):
                gradients = lt.value_and_grad(model.loss)(row, X)[1]
                slow.step(gradients)
                fast.step(gradients)
        (lt.function(train) if compiled else train)(4)
        found.append(np.array(model.weight.value))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-10)


def test_two_models_of_one_class_are_two():
    def train(steps: int):
        first, second = Model(), Model()
        for row in range(steps):
            lt.optim.SGD(0.1).step(lt.value_and_grad(first.loss)(row, X)[1])
        return lt.item(first.weight[0]), lt.item(second.weight[0])
    eager = train(2)
    assert eager[0] != eager[1] and lt.function(train)(2) == pytest.approx(eager)


def test_a_hyperparameter_may_be_known_only_when_the_program_runs():
    found = []
    for compiled in (False, True):
        model = Model()

        def train(steps: int, momentum: float, rate: float, decay: float):
            optimizer = lt.optim.SGD(lt.optim.cosine(rate, steps), momentum, weight_decay=decay)
            for row in range(steps):
                optimizer.step(lt.optim.clip_by_global_norm(lt.value_and_grad(model.loss)(row, X)[1], rate * 3))
        (lt.function(train) if compiled else train)(4, 0.9, 0.2, 0.1)
        found.append(np.array(model.table.value))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-10)


def test_a_parameter_that_a_step_does_not_reach_has_a_gradient_of_zero():
    """So its momentum goes on, as in a compiled function, where it is not known beforehand."""
    class Either(Model):
        def either(self, row, x):
            return self.loss(row, x) if row % 2 == 0 else lt.sum(lt.square(self.weight - x))
    found = []
    for compiled in (False, True):
        model, optimizer = Either(), lt.optim.Adam(RATE)

        def train(steps: int):
            for row in range(steps):
                optimizer.step(lt.value_and_grad(model.either)(row, X)[1])
        (lt.function(train) if compiled else train)(5)
        found.append({name: np.array(p.value) for name, p in model.parameters().items()})
    for name, value in found[0].items():
        np.testing.assert_allclose(found[1][name], value, rtol=1e-10, err_msg=name)


@pytest.mark.parametrize("make", [lambda: lt.optim.SGD(RATE, weight_decay=0.3), lambda: lt.optim.AdamW(RATE)])
def test_decay_of_a_parameter_that_is_first_read_in_a_later_step(make):
    """Compiled, it decays from the first step on, which eager cannot know: it refuses."""
    class Late(Model):
        def late(self, row, x):
            return lt.sum(lt.square((self.table[row] if row < 2 else self.weight) - x))
    model, optimizer = Late(), make()

    def step(row):
        optimizer.step(lt.optim.clip_by_value(lt.value_and_grad(model.late)(row, X)[1], -9.0, 9.0))
    step(0)
    step(1)
    before = np.array(model.weight.value)
    with pytest.raises(ValueError, match="weight decay of 'weight', which earlier calls of the function have not read: compiled, it would have decayed"):
        step(2)
    np.testing.assert_array_equal(model.weight.value, before)


def test_what_is_refused():
    with pytest.raises(ValueError, match="nesterov=True needs a momentum"):
        lt.optim.SGD(0.1, nesterov=True)
    with pytest.raises(TypeError, match="^step takes the gradients that lt.value_and_grad gives without wrt, by parameter, not a tuple$"):
        lt.optim.SGD(0.1).step((np.ones(3),))
    with pytest.raises(TypeError, match="the learning rate of Adam is a number or a schedule, not a dict; which parameters a step changes, its gradients say"):
        lt.optim.Adam({"weight": lt.Parameter((2,))})
    weight = lt.Parameter((2,))
    with pytest.raises(NotImplementedError, match=r"Unruly has no rule: define rule\(self, now, gradient, parameter, last\)"):
        type("Unruly", (lt.optim.Optimizer,), {"memory": {"last": 0.0}})(0.1).step(lt.grad(lambda: lt.sum(weight))())


def test_what_is_made_in_a_turn_of_a_loop_is_made_in_each():
    def count(turns: int):
        total = 0.0
        for turn in range(turns):
            lt.seed(turn)
            seen, weight = lt.Variable(0.0), lt.Parameter((2,), lt.init.uniform(-1, 1), dtype="f64")
            seen.assign(seen + 1.0)
            weight.assign(weight + 1.0)
            total += float(seen) + float(lt.sum(weight)) + int(seen)
        return total
    assert lt.function(count)(3) == pytest.approx(count(3))


def test_a_parameter_may_begin_with_an_array_that_the_program_computes():
    def scaled(x: lt.Tensor[lt.f64, 2]):
        weight = lt.Parameter((2,), x * 3.0, dtype="f64")
        weight.assign(weight + 1.0)
        return weight * 1.0
    assert lt.function(scaled)(X).tolist() == pytest.approx(scaled(X).tolist()) == (X * 3 + 1).tolist()


class Alone(lt.optim.Optimizer):
    """Gives an array, and not a tuple of one."""

    def rule(self, now, gradient, parameter):
        return parameter - now * gradient


class Forgetful(lt.optim.Optimizer):
    memory = {"last": 0.0}

    def rule(self, now, gradient, parameter, last):
        return (parameter - now * gradient,)


@pytest.mark.parametrize("rule, message", [(Alone, r"Alone.rule gives a tuple of 1, \(new parameter,\), not a "),
                                           (Forgetful, r"Forgetful.rule gives a tuple of 2, \(new parameter, new last\), not 1 values")])
def test_a_rule_gives_what_is_stored(rule, message):
    weight, optimizer = lt.Parameter((2,), [1.0, 2.0], dtype="f64"), rule(0.1)

    def step(x: float):
        _, gradients = lt.value_and_grad(lambda: lt.sum(weight * x))()
        optimizer.step(gradients)
    with pytest.raises(TypeError, match=message):
        step(2.0)
    with pytest.raises(Exception, match=message):
        lt.function(step)(2.0)
    assert weight.value.tolist() == [1.0, 2.0]


class Table(lt.Module):
    def __init__(self):
        self.rows = lt.Parameter((2, 2), lt.init.ones(), dtype="f64")

    def loss(self, i: int):
        return lt.sum(self.rows[i])


class Divided(lt.optim.Optimizer):
    """By something that is zero for rows that were not read."""

    memory = {"total": 0.0}
    BY = {"sum": lambda total: total + 0.0, "shifted": lambda total: (total - 1.0) + 1.0, "maximum": lambda total: lt.maximum(total, -1.0),
          "underflow": lambda total: lt.exp(1000.0 * (total - 1.0))}

    def __init__(self, by):
        super().__init__(0.5)
        self.by = self.BY[by]

    def rule(self, now, gradient, parameter, total):
        total = total + gradient * gradient
        return parameter - now * gradient / self.by(total), total


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("optimizer", [lambda: lt.optim.Adagrad(0.5, epsilon=0.0), *(functools.partial(Divided, by) for by in Divided.BY)],
                         ids=["epsilon of zero", *Divided.BY])
def test_rows_that_are_not_read_are_divided_by_zero(compiled, optimizer):
    """As the formula says: 0 / 0 is not 0."""
    model, optimizer = Table(), optimizer()

    def step(i: int):
        loss, gradients = lt.value_and_grad(model.loss)(i)
        optimizer.step(gradients)
        return loss
    with np.errstate(invalid="ignore"):
        (lt.function(step) if compiled else step)(1)
    np.testing.assert_array_equal(model.rows.value, [[np.nan, np.nan], [0.5, 0.5]])


def test_a_gradient_of_what_depends_on_the_parameters_alone():
    """With respect to an argument it is zero, and the function is called as it is, with its model."""
    model = Model()

    def loss(x):
        return lt.sum(lt.square(model.weight))

    def slope(x):
        return lt.value_and_grad(loss, wrt="x")(x)
    value, gradient = lt.function(slope)(X)
    expected, zeros = slope(X)
    np.testing.assert_allclose(value, expected)
    np.testing.assert_array_equal(gradient, zeros)
