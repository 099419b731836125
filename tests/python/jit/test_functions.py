"""`lt.function`: when it compiles anew, parameters, gradients, errors of the running program."""
import functools
import os
import subprocess
import sys
from typing import Optional

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


EMPTY = Tree(True, 0.0, None, None)


@lt.function
def tree_prod(base, tree):
    if not tree.is_empty:
        return tree_prod(base, tree.left) * tree_prod(base, tree.right) * tree.value
    else:
        return base


TREE = Tree(False, 3.0, Tree(False, 2.0, EMPTY, EMPTY), EMPTY)


def scaled(x: float, *, by: float = 3.0, **more):
    return x * x * by + more.get("extra", 0.0)


def test_gradients_of_functions_that_are_given_keywords():
    def within(x: float):
        return lt.value_and_grad(scaled)(x, by=5.0, extra=1.0), lt.grad(scaled, wrt="by")(x, by=x), lt.grad(scaled)(x)

    assert lt.function(within)(2.0) == within(2.0) == ((21.0, 20.0), 4.0, 12.0)
    both = lt.value_and_grad(lt.function(lambda x, *, by=3.0: x * x * by), wrt=("by", "x"))
    assert both(2.0) == (12.0, (4.0, 12.0)) and both(2.0, by=5.0) == (20.0, (4.0, 20.0))


def test_partials_are_functions():
    def within(x: float, k: float):
        by_k = functools.partial(scaled, by=k, extra=1.0)
        return by_k(x), lt.value_and_grad(by_k)(x), lt.grad(by_k, wrt="by")(x), lt.grad(by_k)(x, by=2.0), lt.jvp(by_k, (x,), (1.0,))

    assert lt.function(within)(2.0, 5.0) == within(2.0, 5.0) == (21.0, (21.0, 20.0), 4.0, 8.0, (21.0, 20.0))
    of_x, of_by = functools.partial(scaled, by=5.0), functools.partial(lambda x, by: x * x * by, 2.0)
    for partial, x, value, gradient in ((of_x, 2.0, 20.0, 20.0), (of_by, 5.0, 20.0, 4.0)):
        assert lt.function(partial)(x) == value
        assert lt.value_and_grad(lt.function(partial))(x) == lt.value_and_grad(partial)(x) == (value, gradient)
        assert lt.jvp(lt.function(partial), (x,), (1.0,)) == (value, gradient)


def test_gradients_of_arguments():
    value, gradient = lt.value_and_grad(tree_prod)(1.5, TREE)
    assert value == tree_prod(1.5, TREE) == pytest.approx(6 * 1.5**3)
    assert gradient == pytest.approx(18 * 1.5**2) and type(gradient) is float
    with lt.eager():
        assert tree_prod(1.5, TREE) == value


def test_a_parameter_and_an_argument_of_one_name():
    class Scaled(lt.Module):
        def __init__(self):
            self.w = lt.Parameter((3,), lt.init.uniform(-1, 1))

        def scaled(self, x):
            return self.w * x

        def loss(self, w: lt.Tensor[3]):
            return lt.sum(lt.square(self.scaled(w)))

    model, x = Scaled(), np.array([1, 2, 3], np.float32)

    @lt.function
    def step(x):
        return lt.value_and_grad(model.loss)(x)[1][model.w]
    wanted = 2 * model.w.value * x * x
    np.testing.assert_allclose(lt.grad(model.loss)(x)[model.w], wanted, rtol=1e-6)
    np.testing.assert_allclose(lt.grad(lt.function(model.loss))(x)[model.w], wanted, rtol=1e-6)
    np.testing.assert_allclose(step(x), wanted, rtol=1e-6)
    of_both = lt.grad(lt.function(model.loss), wrt=(model.w, "w"))(x)
    np.testing.assert_allclose(of_both, [wanted, 2 * model.w.value**2 * x], rtol=1e-6)


def test_an_argument_that_may_be_none():
    @lt.function
    def scaled(x: float, by: Optional[float] = None, plus: "lt.Tensor[2] | None" = None):
        y = x * (2.0 if by is None else by)
        return y if plus is None else y + lt.sum(plus)
    assert (scaled(1.5), scaled(1.5, 3), scaled(1.5, None), scaled(1.5, plus=np.ones(2, np.float32))) == (3, 4.5, 3, 5)


def test_errors_are_pythons_at_the_users_line():
    with pytest.raises(AttributeError, match=r"test_functions.py:\d+:\d+: .*left.* is missing"):
        tree_prod(1.5, Tree(False, 2.0, None, None))

    @lt.function
    def fail(n: int, x: float):
        assert n != 1, "n may not be 1"
        if n == 2:
            raise ValueError("two")
        return x / n
    assert fail(4, 2.0) == 0.5
    with pytest.raises(ZeroDivisionError, match=r"test_functions.py:\d+:\d+"):
        fail(0, 1.0)
    with pytest.raises(AssertionError, match="n may not be 1"):
        fail(1, 1.0)
    with pytest.raises(ValueError, match="two"):
        fail(2, 1.0)
    assert fail(4, 2.0) == 0.5


class Problem(Exception):
    def __init__(self, number, why):
        super().__init__(f"{why}: {number}")


def raising(n: int, x: float):
    if n == 1:
        raise Problem(x, "large")
    if n == 2:
        raise Problem(n, "small") from None
    if n == 3:
        raise KeyError("k")
    if n == 4:
        raise StopIteration
    assert n != 5, "not five"
    return deeper(n, x)


def deeper(n, x):
    if n == 6:
        raise ValueError(f"n is {n}, x is {x:.2f}")
    return x


def test_what_is_raised_has_its_class_its_message_and_the_users_line():
    compiled = lt.function(raising)
    assert compiled(7, 2.5) == 2.5
    for n in range(1, 7):
        caught = []
        for function in (raising, compiled):
            with pytest.raises(Exception) as error:
                function(n, 2.5)
            text = str(error.value).split("\n")[0]      # pytest adds to that of an assert
            caught.append((error.type, text, error.traceback[-1].lineno))
            assert str(error.traceback[-1].path) == __file__
        assert caught[0] == caught[1]


class Scale(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((3,), lt.init.ones())
        self.factor = 2.0
        self.optimizer = lt.optim.Adagrad(0.1)

    @lt.function
    def apply(self, x, power: lt.static[int]):
        for _ in range(power):
            x = self.weight * x
        return lt.sum(x) * self.factor

    def loss(self, x):
        return lt.sum(lt.square(self.weight * x - 1.0))


WEIGHTS, TABLE = np.ones(2), np.ones((600, 300))


class Scaled:
    def __init__(self):
        self.weights = np.ones(2)

    def __call__(self, x):
        return x * self.weights * WEIGHTS


def test_numpys_arrays_that_a_program_has_read_may_change_between_calls():
    scaled = Scaled()
    compiled = lt.function(scaled)
    assert list(compiled(2.0)) == [2, 2]
    scaled.weights[0] = 3.0
    assert list(compiled(2.0)) == [6, 2]
    WEIGHTS[1] = 5.0
    assert list(compiled(2.0)) == [6, 10]
    WEIGHTS[1] = 1.0
    assert list(compiled(2.0)) == [6, 2]
    of_table = lt.function(lambda x: x * TABLE[5, 7])       # a part of an array that is large
    assert of_table(2.0) == 2
    TABLE[5, 7] = 3.0
    assert of_table(2.0) == 6


class Layers:
    def __init__(self):
        self.scales = [2.0]

    def run(self, x):
        for scale in self.scales:
            x = x * scale
        return x


def test_lists_that_a_program_has_gone_through_may_change_between_calls():
    layers = Layers()
    compiled = lt.function(layers.run)
    assert compiled(3.0) == 6
    layers.scales.append(5.0)
    assert compiled(3.0) == 30
    layers.scales[0] = 1.0
    assert compiled(3.0) == 15


def test_a_dict_in_a_result_and_with_respect_to_a_dict():
    def recursive(x: float, n: int):
        if n <= 0:
            return x, {"a": x}
        y, held = recursive(x, n - 1)
        return y + 1, {"a": [held["a"], (n, {"b": x})][0] * 2}

    def loss(weights, x: float):
        return weights["w"] * weights["w"] * weights["more"][0] * x
    compiled = lt.function(recursive)
    assert compiled(2.0, 3) == recursive(2.0, 3) == (5.0, {"a": 16.0})
    of_dict, weights = lt.function(lt.value_and_grad(loss, wrt=("weights", "x"))), {"w": 2.0, "more": [1.5], "n": 1}
    for key, value in (("w", 2.0), ("w", 5.0), ("more", [2.5]), ("late", 1.0)):
        weights[key] = value
        assert of_dict(weights, 3.0) == lt.value_and_grad(loss, wrt=("weights", "x"))(weights, 3.0), key
    weights["more"][0] = 4.0
    assert of_dict(weights, 3.0)[0] == loss(weights, 3.0)


def test_names_of_what_a_branch_makes():
    def names(x: float):
        if x > 0:
            inner, generator = (lambda: x), (i for i in range(3))
            return inner.__qualname__, str(generator).split(" at ")[0]
        return "", ""
    assert lt.function(names)(1.0) == names(1.0)
    with pytest.raises(StagingError, match="can only concatenate list .not a value that is known only when the program runs. to list"):
        lt.function(lambda x: [1, 2] + x)(1.0)


def test_a_call_without_options_is_one_like_another():
    @lt.function
    def scaled(x: float, **options):
        return x * 2 if not options else x

    assert [scaled(x=k) for k in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]
    assert len(scaled._versions) == 1


def test_arrays_given_as_static_may_change_between_calls():
    @lt.function
    def scaled(x: float, by: lt.static[object]):
        return x * by[0]
    by = np.array([2.0, 1.0])
    assert scaled(3.0, by) == 6
    by[0] = 5.0
    assert scaled(3.0, by) == 15


def test_whole_numbers_that_do_not_fit_are_refused():
    @lt.function
    def narrow(x: lt.Tensor[lt.i32, None], n: lt.i32):
        return x + n
    assert narrow(np.array([2**31 - 2, -2**31]), 1).tolist() == [2**31 - 1, 1 - 2**31]
    with pytest.raises(OverflowError, match="argument 'x': 2147483648 does not fit in 32 bits"):
        narrow(np.array([2**31, 5]), 1)
    with pytest.raises(OverflowError, match="argument 'n': 2147483648 does not fit in 32 bits"):
        narrow(np.array([5]), 2**31)


def test_a_derivative_of_plain_python_goes_through_a_compiled_function():
    one = Scale()
    apply, x = one.apply, np.array([1, 2, 3], np.float32)
    assert apply(x, 1) == 12
    value, gradient = lt.value_and_grad(lambda: apply(x, 1) ** 2, one.weight)()
    assert value == 144 and gradient.tolist() == [48, 96, 144]
    assert lt.grad(lambda x: lt.sum(apply(x, 1) * x), "x")(x).tolist() == [24, 24, 24]
    assert lt.jvp(lambda x: apply(x, 1), (x,), (x,)) == (12, 12)
    assert lt.grad(lambda y: lt.value_and_grad(tree_prod)(y, TREE)[1])(1.5) == pytest.approx(36 * 1.5)


def test_parameters_are_shared_and_what_was_read_is_rechecked():
    one, other = Scale(), Scale()
    x = np.array([1, 2, 3], np.float32)
    assert one.apply(x, 1) == 12
    one.weight.assign(np.array([2, 2, 2]))
    assert one.apply(x, 1) == 24 and other.apply(x, 1) == 12
    assert one.apply(x, 2) == 48
    one.factor = 3.0
    assert one.apply(x, 1) == 36


def test_a_compiled_training_step_updates_in_place():
    compiled, eager = Scale(), Scale()
    x = np.array([1, 2, 3], np.float32)

    @lt.function
    def step(x):
        loss, gradients = lt.value_and_grad(compiled.loss)(x)
        compiled.optimizer.step(gradients)
        return loss
    for _ in range(4):
        loss, gradients = lt.value_and_grad(eager.loss)(x)
        eager.optimizer.step(gradients)
        assert step(x) == pytest.approx(loss, rel=1e-5)
        np.testing.assert_allclose(compiled.weight.value, eager.weight.value, rtol=1e-5)


def test_prints_and_draws_are_those_of_the_eager_run(capfd):
    def program(n: int):
        lt.seed(n)
        print("n is", n, f"{n / 3:.3f}")
        return lt.uniform(-1.0, 1.0, (5,)), lt.normal(0.0, 1.0, (3,))
    results = [lt.function(program)(7), program(7)]
    for one, other in zip(*results):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    first, second = capfd.readouterr().out.splitlines()
    assert first == second == "n is 7 2.333"


def test_a_stack_that_is_too_small_is_an_error(tmp_path):
    script = tmp_path / "deep.py"
    script.write_text(DEEP)
    environment = {**os.environ, "LANTERN_STACK": "1M", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines() == ["1000", "StackExhausted True", "1000"], done.stderr


DEEP = """
import lantern as lt

@lt.function
def depth(n: int):
    return 0 if n == 0 else 1 + depth(n - 1) * (1 if n > 0 else 2)

print(depth(1000))
try:
    depth(10_000_000)
except lt.StackExhausted as error:
    print(type(error).__name__, "depth" in str(error))
print(depth(1000))
"""


even = lambda n: True if n == 0 else odd(n - 1)     # noqa: E731
odd = lambda n: False if n == 0 else even(n - 1)    # noqa: E731


def test_lambdas_that_call_themselves_are_functions_of_the_program():
    def f(n: int, xs: list[float]):
        tree = lambda k, x: x if k == 0 else tree(k - 1, x * 0.5) + tree(k - 1, x + 1)      # noqa: E731
        return tree(n, 1.0), even(n), [(lambda i: i * x)(n) for x in xs], sorted(xs, key=lambda x: -x)
    compiled = lt.function(f)
    assert compiled(3, [1.0, 3.0, 2.0]) == f(3, [1.0, 3.0, 2.0])
    assert compiled.text(3, [1.0]).count("(define ") == 3      # odd is part of even
