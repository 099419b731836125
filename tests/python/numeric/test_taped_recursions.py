"""Recursions over numbers that run forwards and then backwards, a tape between them: against the eager tape, differences, and continuations."""
import inspect
import re
import sys

import numpy as np
import pytest
import taped_programs
from gradients import check
from thorough import many

import lantern as lt
from lantern import core
from lantern.staging import entry

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lists")
from compiled_table import Table  # noqa: E402

GROUP = 40      # of so many random programs that are compiled together


def gradient_of(f, second="n: int"):
    name = second.split(":")[0]
    return f"def gradient_of_{f}(x: float, {second}):\n    return lt.value_and_grad({f})(x, {name})\n"


@pytest.fixture(scope="module")
def table():
    names = [f.__name__ for f in taped_programs.PROGRAMS]
    source = inspect.getsource(taped_programs) + "\n\n" + "\n\n".join(map(gradient_of, names))
    return Table(source, [f"gradient_of_{name}" for name in names])


def floats(values):
    return [float(value) for value in values]


@pytest.mark.parametrize("f", taped_programs.PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_are_those_of_the_eager_tape_and_of_differences(table, f):
    compiled_one, plain = table.compiled[f"gradient_of_{f.__name__}"], table.plain[f"gradient_of_{f.__name__}"]
    for x in (0.6, 1.2):
        for n in (0, 1, 3, 5):
            value, gradient = floats(compiled_one(x, n))
            np.testing.assert_allclose([value, gradient], floats(plain(x, n)), rtol=1e-12, atol=1e-14)
            difference = (float(f(x + 1e-6, n)) - float(f(x - 1e-6, n))) / 2e-6
            np.testing.assert_allclose(gradient, difference, rtol=1e-5, atol=1e-7)


def test_which_of_the_recursions_take_a_continuation(table):
    def found(**options):
        return set(re.findall(r"\[\[gnu::noinline\]\] void (\w+)\(", core.compile(table.text, "table.sexpr", {"emit": "cpp", **options})))    # whose frames are the tape
    assert found() == {"with_a_loop"} and found(disable=["tape-recursions"]) > {"with_a_loop", "product", "sums_loop", "two"}


@pytest.mark.optimised
def test_over_a_tree():
    check(taped_programs.over_a_tree, 0.8, taped_programs.tree_of(4))


def test_the_two_sweeps_are_what_one_would_write():
    text = core.compile(lt.function(of_a_tree).text(0.8, taped_programs.tree_of(2)), "f", {"emit": "cpp"})
    assert """\
  const double l = over_a_tree_forward(x, tree->left, tape);
  if (!tree->right) {
    tape.push(l);
    return l * tree->value;
  }
""" in text
    assert """\
  const double l = tape.pop<double>();
  double l_adj = 0;
  if (!tree->right) {
    l_adj += y_adj * tree->value;
  } else {
    const auto [x10, x12] = tape.pop<double, double>();
""" in text
    assert text.count("over_a_tree_reverse(x, x_adj, tree->left, l_adj, tape);\n}") == 1


def of_a_tree(x, tree):
    return lt.value_and_grad(taped_programs.over_a_tree)(x, tree)


def test_weights_are_read_by_place():
    def depends(w, n: int):
        if n == 0:
            return w[0] * w[1]
        return depends(w, n - 1) * w[n % 3] + w[n % 2]

    check(depends, np.array([0.5, -0.8, 1.2]), 5)


class Net(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((64, 64), lt.init.uniform(-0.1, 0.1))

    def encode(self, tree):
        if tree is None:
            return lt.zeros(64)
        h = lt.tanh(self.w @ (self.encode(tree.left) + self.encode(tree.right)) + tree.value)
        return h * damped(h[1], int(tree.value * 4.0))

    def loss(self, trees):
        total = 0.0
        for tree in trees:
            h = self.encode(tree)
            total = total + np.sum(h) * damped(h[0], 3)
        return total


def damped(x, n: int):
    if n <= 0:
        return lt.cos(x)
    return lt.sin(damped(x, n - 1) * x) * 0.5 + damped(x, n - 1) * 0.3


@pytest.mark.parametrize("threads", [1, 2])
def test_within_calls_side_by_side(monkeypatch, threads):
    monkeypatch.setenv("LANTERN_THREADS", str(threads))
    net, trees = Net(), [taped_programs.tree_of(depth, value) for depth, value in ((3, 0.7), (2, 0.3), (5, -0.4))]
    step = lt.function(lambda net, trees: lt.value_and_grad(net.loss, wrt=net.w)(trees))
    value, gradient = step(net, trees)
    expected_value, expected = lt.value_and_grad(net.loss, wrt=net.w)(trees)
    np.testing.assert_allclose(value, expected_value, rtol=1e-6)
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-6)
    text = core.compile(step.text(net, trees), "f", {"emit": "cpp"})
    assert "together(" in text and "damped_reverse(" in text


@lt.struct
class Tape:
    length: float
    next: "Tape | None"


def test_a_structure_of_the_runtimes_name():
    def wound(x, tape):
        return x if tape is None else lt.sin(wound(x, tape.next)) * tape.length

    check(lambda x, tape: wound(x, tape), 0.7, Tape(0.8, Tape(1.3, None)))


def test_f32():
    def halves(x, n: int):
        if n == 0:
            return lt.tanh(x)
        return halves(x * np.float32(0.9), n - 1) * x

    value, gradient = lt.value_and_grad(lt.function(halves))(np.float32(0.7), 4)
    expected = lt.value_and_grad(halves)(np.float32(0.7), 4)
    assert value.dtype == gradient.dtype == np.float32
    np.testing.assert_allclose([value, gradient], expected, rtol=1e-6)


def test_what_it_prints_is_printed_once_and_in_order(capfd):
    def printing(x, n: int):
        print("in", n)
        if n == 0:
            return x * x
        y = printing(x, n - 1) * x
        print("out", n)
        return y

    lt.value_and_grad(lt.function(printing))(0.5, 2)
    assert capfd.readouterr().out.split("\n")[:-1] == ["in 2", "in 1", "in 0", "out 1", "out 2"]


def test_errors_are_those_of_the_forward_sweep():
    with pytest.raises(ValueError, match="too deep"):
        lt.value_and_grad(lt.function(taped_programs.raises))(0.5, 7)

    def divides(x, n: int):
        if n == 0:
            return x
        return divides(x, n - 1) / float(n - 2)

    with pytest.raises(ZeroDivisionError):
        lt.value_and_grad(lt.function(divides))(0.5, 3)


def test_a_recursion_without_an_end_exhausts_the_stack(monkeypatch):
    def endless(x, n: int):
        if n < 0:
            return x
        return endless(x, n + 1) * x

    monkeypatch.setenv("LANTERN_STACK", "16M")
    with pytest.raises(RecursionError):
        lt.value_and_grad(lt.function(endless))(0.5, 1)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, many(1) * GROUP, GROUP))
def test_random_programs(first):
    seeds = range(first, first + GROUP)
    source = "\n\n".join(taped_programs.Writer(seed).program(f"p{seed}") + f"\n\ndef g{seed}(x: float, y: float, n: int):\n    return lt.value_and_grad(p{seed}_0)(x, y, n)\n"
                         for seed in seeds)
    random = Table(source, [f"g{seed}" for seed in seeds])
    for seed in seeds:
        for x, y in ((0.6, -0.3), (1.1, 0.8)):
            for n in (0, 1, 3, 4):
                actual, expected = floats(random.compiled[f"g{seed}"](x, y, n)), floats(random.plain[f"g{seed}"](x, y, n))
                np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-12, err_msg=f"g{seed} of {x}, {y}, {n}")
