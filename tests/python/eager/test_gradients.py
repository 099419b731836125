"""The eager tape against central differences, operator by operator, and what value_and_grad gives."""
import functools
import inspect
import math
import numbers

import numpy as np
import pytest

import lantern as lt
from lantern.grad import Gradients
from lantern.signatures import signature_of

RNG = np.random.default_rng(0)
V = RNG.uniform(0.2, 2, 3)
W = RNG.uniform(0.2, 2, 3)
M = RNG.uniform(-2, 2, (2, 3))
N = RNG.uniform(-2, 2, (3, 4))

FUNCTIONS = {
    "+": (lambda a, b: a + b, M, V), "-": (lambda a, b: b - a, M, V), "*": (lambda a, b: a * b, M, V),
    "/": (lambda a, b: a / b, M, V), "**": (lambda a, b: a**b, V, W), "%": (lambda a, b: a % b, V, W * 0.3),
    "neg": (lambda a: -a, M), "abs": (lambda a: abs(a), M), "sqrt": (lt.sqrt, V), "square": (lt.square, M),
    "exp": (lt.exp, M), "log": (lt.log, V), "tanh": (lt.tanh, M), "sigmoid": (lt.sigmoid, M), "relu": (lt.relu, M),
    "sin": (lt.sin, M), "cos": (lt.cos, M), "tan": (lt.tan, 0.6 * M), "expm1": (lt.expm1, M), "log1p": (lt.log1p, V),
    "log2": (lt.log2, V), "log10": (lt.log10, V), "cbrt": (lt.cbrt, V), "asin": (lt.asin, 0.4 * M), "acos": (lt.acos, 0.4 * M), "atan": (lt.atan, M),
    "sinh": (lt.sinh, M), "cosh": (lt.cosh, M), "asinh": (lt.asinh, M), "acosh": (lambda a: lt.acosh(a * a + 1.5), M), "atanh": (lt.atanh, 0.4 * M),
    "hypot": (lt.hypot, M, V), "atan2": (lt.atan2, M, V), "logaddexp": (lambda a, b: np.logaddexp(a, b), M, V),
    "heaviside": (lambda a, b: np.heaviside(a, b) * b, M, V), "copysign": (lambda a, b: np.copysign(b, a), M, V), "exp2": (lambda a: np.exp2(a), M),
    "cumprod": (lambda a: np.cumprod(a, axis=1), M), "cross": (lambda a, b: np.cross(a, b), M, V), "convolve": (lambda a, b: np.convolve(a, b[:2], "same"), V, W), "polyval": (lambda a, b: np.polyval(a, b), V, W),
    "pad": (lambda a: np.pad(a, 2, mode="reflect"), V), "kron": (lambda a, b: np.kron(a, b), M, M), "tensordot": (lambda a, b: np.tensordot(a, b, 1), M, N), "matrix_power": (lambda a: np.linalg.matrix_power(a[:, :2], 3), M),
    "quantile": (lambda a: np.quantile(a, 0.3), M), "ptp": (lambda a: np.ptp(a, axis=0), M), "erf": (lt.erf, M), "erfc": (lt.erfc, M), "rint": (lambda a: lt.rint(2 * a) * a, M), "softplus": (lt.softplus, M), "gelu": (lt.gelu, M), "leaky_relu": (lambda a, b: lt.leaky_relu(a, b), M, V),
    "elu": (lambda a, b: lt.elu(a, b), M, V), "clip": (lambda a, b: lt.clip(a, -b, 1.0), M, V), "sign": (lambda a: lt.sign(a) * a, M), "maximum": (lt.maximum, M, V), "minimum": (lt.minimum, M, V),
    "where": (lambda a, b: lt.where(a > 0, a, b), M, V), "cast": (lambda a: lt.cast(a, "f64") * 2, M),
    "matmul 11": (lambda a, b: a @ b, V, W), "matmul 21": (lambda a, b: a @ b, M, V), "matmul 12": (lambda a, b: a @ b, V, N),
    "matmul 22": (lambda a, b: a @ b, M, N), "matmul 31": (lambda a, b: a @ b, RNG.normal(size=(2, 4, 3)), V), "matmul 41": (lambda a, b: a @ b, RNG.normal(size=(2, 1, 2, 3)), V), "outer": (lt.outer, V, W), "transpose": (lambda a: a.T @ a, M),
    "sum 0": (lambda a: lt.sum(a, 0) ** 2, M), "mean 1": (lambda a: lt.mean(a, axis=1) ** 2, M), "prod": (lt.prod, M),
    "prod 1": (lambda a: lt.prod(a, 1), M), "prod of 0": (lambda a: lt.prod(a * np.array([1.0, 0.0, 2.0]), 1), M),
    "max all": (lt.max, M), "max 0": (lambda a: lt.max(a, 0), M), "min -1": (lambda a: lt.min(a, -1), M), "norm": (lt.norm, M),
    "norm 0": (lambda a: lt.norm(a, 0), M), "logsumexp": (lt.logsumexp, M), "logsumexp 1": (lambda a: lt.logsumexp(a, 1), M),
    "softmax 2": (lt.softmax, M), "log_softmax 2": (lt.log_softmax, M), "sum": (lt.sum, M), "mean": (lt.mean, M), "max": (lt.max, V), "softmax": (lt.softmax, V), "log_softmax": (lt.log_softmax, V),
    "cross_entropy": (lambda a: lt.cross_entropy(a, 1), V), "concat": (lambda a, b: lt.concat(a, b, a), V, W),
    "stack": (lambda a, b: lt.stack(a, b), V, W), "slice": (lambda a: a[1:3] * a[:2], V), "index": (lambda a: a[-1] * a[0], V),
    "index 2": (lambda a: a[1, 2] * a[0], M), "gather": (lambda a: lt.gather(a, 1) * lt.gather(a, -1), M),
    "reshape": (lambda a: lt.reshape(a, 3, 2) @ a, M), "full": (lambda a: lt.full((2,), lt.sum(a), dtype="f64"), V),
    "numpy": (lambda a, b: np.tanh(a) * np.sum(np.stack([b, b])), V, W), "scalar": (lambda a, b: 2.0 * a + b / 3, V, 0.7),
    "broadcast": (lambda a, b: a * b, RNG.normal(size=(1, 3)), RNG.normal(size=(2, 1))),
    "np.array of rows": (lambda a: np.array([a, 2 * a, a[::-1]]) @ a, V), "of an array and a number": (lambda a, b: lt.exp(np.array([[a[0] * b, 1.0], [2.0, b]])) * a[1:], V, 0.7),
    "of items": (lambda a: lt.softmax(np.array([a[0] * a[1], a[2]])), V), "operators of that": (lambda a: np.array([a[0] * a[1], 1.0]) * 2 + np.array([a[0], a[2]]), V),
    "stretched": (lambda a, b: lt.maximum(a, b) + a, np.float64(0.3), M),
}


def central_differences(f, arguments, number, epsilon=1e-6):
    argument = np.array(arguments[number], float)
    result = np.zeros_like(argument)
    for at in np.ndindex(argument.shape):
        def moved(by):
            changed = argument.copy()
            changed[at] += by
            value = changed if changed.ndim else type(arguments[number])(changed)
            return float(f(*arguments[:number], value, *arguments[number + 1:]))
        result[at] = (moved(epsilon) - moved(-epsilon)) / (2 * epsilon)
    return result


@pytest.mark.parametrize("name", FUNCTIONS)
def test_operator(name):
    function, *arguments = FUNCTIONS[name]
    names = ("a", "b")[:len(arguments)]

    def weighted(*values):
        y = function(*values)
        weights = np.linspace(0.5, 1.5, int(np.prod(lt.shape(y)))).reshape(lt.shape(y))
        return lt.sum(y * weights)

    def loss(a, b=None):
        return weighted(*((a, b)[:len(arguments)]))
    value, gradients = lt.value_and_grad(loss, wrt=names)(*arguments)
    np.testing.assert_allclose(value, weighted(*arguments))
    for number, gradient in enumerate(gradients):
        assert np.shape(gradient) == np.shape(arguments[number])
        np.testing.assert_allclose(gradient, central_differences(weighted, arguments, number), rtol=1e-6, atol=1e-8)


@lt.struct
class Tree:
    is_empty: bool
    value: float
    left: "Tree | None"
    right: "Tree | None"


def tree_prod(base, tree):
    if tree.is_empty:
        return base
    return tree_prod(base, tree.left) * tree_prod(base, tree.right) * tree.value


EMPTY = Tree(True, 0.0, None, None)


def test_through_recursion():
    tree = Tree(False, 3.0, Tree(False, 2.0, EMPTY, EMPTY), EMPTY)
    value, gradient = lt.value_and_grad(tree_prod)(1.5, tree)
    assert value == pytest.approx(6 * 1.5**3) and gradient == pytest.approx(18 * 1.5**2) and type(gradient) is float


def test_the_gradient_of_a_structure_has_its_form():
    shared = Tree(False, 2.0, EMPTY, EMPTY)
    tree = Tree(False, 3.0, shared, shared)
    gradient = lt.grad(tree_prod, wrt="tree")(1.5, tree)
    assert gradient.value == pytest.approx(4 * 1.5**4)
    assert gradient.left is gradient.right and gradient.left.value == pytest.approx(2 * 3 * 2 * 1.5**4)
    assert gradient.is_empty is False


def test_a_deep_structure():
    tree = EMPTY
    for _ in range(50_000):
        tree = Tree(False, 1.0, tree, EMPTY)

    def chain(base, tree):
        while not tree.is_empty:
            base, tree = base * tree.value, tree.left
        return base
    base, of_tree = lt.grad(chain, wrt=("base", "tree"))(2.0, tree)
    assert base == 1.0 and of_tree.left.left.value == 2.0


class Model(lt.Module):
    def __init__(self):
        self.table = lt.Parameter((1000, 2), lt.init.ones())
        self.weight = lt.Parameter((2,), lt.init.ones())
        self.unused = lt.Parameter((2,))
        self.frozen = lt.Parameter((2,), lt.init.ones(), trainable=False)
        self.count = lt.Variable(1.0)

    def loss(self, i, scale):
        return lt.sum(self.table[i] * self.weight * self.frozen * scale) + self.table[i][0] * self.count


def test_by_default_the_parameters_that_the_function_reaches():
    model = Model()
    value, gradients = lt.value_and_grad(model.loss)(3, 2.0)
    assert value == 5 and list(gradients) == [model.table, model.weight]
    assert gradients[model.table].shape == (1000, 2) and gradients[model.table][3].tolist() == [3, 2]
    assert gradients[model.weight].tolist() == [2, 2]
    assert lt.grad(model.loss, wrt="scale")(3, 2.0) == 2
    frozen, scale = lt.grad(model.loss, wrt=(model.frozen, "scale"))(3, 2.0)
    assert frozen.tolist() == [2, 2] and scale == 2


def test_the_gradient_of_a_table_touches_the_rows_that_were_read():
    model = Model()
    _, gradients = lt.value_and_grad(model.loss)(3, 2.0)
    sparse = dict(gradients.sparse_items())[model.table]
    assert list(sparse.rows) == [3]


@pytest.mark.parametrize("optimizer", [lt.optim.SGD(0.1), lt.optim.Adagrad(0.1)], ids=["SGD", "Adagrad"])
def test_optimizers(optimizer):
    model = Model()
    expected = {}
    memory = {}
    for _ in range(3):
        _, gradients = lt.value_and_grad(model.loss)(3, 2.0)
        for p, g in gradients.items():
            w, s = expected.get(p, p.value.copy()), memory.get(p, 0) + g * g
            memory[p] = s
            expected[p] = w - 0.1 * g / (np.sqrt(s) + 1e-10) if isinstance(optimizer, lt.optim.Adagrad) else w - 0.1 * g
        optimizer.step(gradients)
        for p, w in expected.items():
            np.testing.assert_allclose(p.value, w, rtol=1e-5)


def test_functions_of_pythons_that_round():
    value, gradient = lt.value_and_grad(lambda x: divmod(x, 0.7)[1] + round(x) * x + math.floor(x) * x + math.ceil(x) * divmod(3.0, x)[0] + round(x, 1))(1.6)
    assert value == divmod(1.6, 0.7)[1] + 2 * 1.6 + 1 * 1.6 + 2 * 1.0 + 1.6 and gradient == 1 + 2 + 1
    assert lt.jvp(lambda x: round(x) * x + math.trunc(x), (1.6,), (1.0,)) == (2 * 1.6 + 1, 2.0)


def test_constants_of_what_is_recorded():
    value, gradient = lt.value_and_grad(lambda x: lt.item(lt.sum(lt.constant([x, 2.0, x * x], "f64"))))(1.5)
    assert value == 5.75 and gradient == 4.0


def test_stop_gradient():
    assert lt.grad(lambda x: x * lt.stop_gradient(x))(3.0) == 3
    assert lt.grad(lambda x: lt.stop_gradient(x))(3.0) == 0


def test_arrays_that_are_recorded_do_not_change():
    """In NumPy another name would see it; a number's variable gets another number."""
    def in_place(v):
        w = v
        w += 1.0
        return lt.sum(v)

    def item(v):
        v[0] = 1.0
        return lt.sum(v)

    def number(v):
        total = lt.sum(v)
        total += v[0]
        return total

    with pytest.raises(ValueError, match="output array is read-only: .* write a = a [+] b"):
        lt.grad(in_place)(np.ones(3))
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        lt.grad(item)(np.ones(3))
    assert list(lt.grad(number)(np.ones(3))) == [2, 1, 1]

    def changes_its_own(v):
        factors = np.ones(3)
        total = lt.sum(v * factors)
        factors[0] = 100.0      # after it was read
        return total
    assert list(lt.grad(changes_its_own)(np.ones(3))) == [1, 1, 1]
    mine = np.ones(3)
    assert lt.stop_gradient(mine) is not mine and mine.flags.writeable


def test_a_call_that_reads_no_parameter_has_gradients_of_parameters():
    class Model(lt.Module):
        def __init__(self):
            self.weight = lt.Parameter((3,), lt.init.fill(2.0), dtype="f64")

        def loss(self, words):
            return sum((self.weight[word] ** 2 for word in words if word >= 0), 0.0)
    model = Model()
    gradient = lt.grad(model.loss)
    for words in ([], [-1]):        # the first call: nobody knows which it reads
        assert len(gradient(words)) == 0
    lt.optim.SGD(0.1, momentum=0.9).step(gradient([-1]))
    assert list(gradient([1])[model.weight]) == [0, 4, 0]
    for words in ([], [-1]):
        assert list(gradient(words)[model.weight]) == [0, 0, 0]

    def by_name(words):
        return model.loss(words)
    gradient = lt.grad(by_name)
    with pytest.raises(TypeError, match="no gradient with respect to 'words'"):
        gradient([-1])
    gradient([0])
    assert list(gradient([-1])[model.weight]) == [0, 0, 0]


def test_a_call_without_an_argument_is_another_function():
    """As compiled, where None is known."""
    class Model(lt.Module):
        def __init__(self):
            self.weight = lt.Parameter((2,), lt.init.fill(2.0), dtype="f64")
    model = Model()

    def energy(x, head=None):
        return lt.sum(x * x if head is None else model.weight * x)
    gradient, x = lt.grad(energy), np.array([1.0, 3.0])
    assert list(gradient(x, True)[model.weight]) == [1, 3]
    assert list(gradient(x)) == [2, 6]


def test_what_has_no_gradient():
    with pytest.raises(TypeError, match="one number, and the function gives an array"):
        lt.grad(lambda x: x * 2)(np.ones(3))
    with pytest.raises(TypeError, match="no argument 'z'"):
        lt.grad(lambda x: x, wrt="z")(1.0)
    with pytest.raises(TypeError, match="lose the derivative"):
        lt.grad(lambda x: float(x))(1.0)
    with pytest.raises(TypeError, match="^there is no gradient with respect to 'n': nothing in it is a floating number$"):
        lt.grad(lambda n: n * 2.0)(3)
    with pytest.raises(TypeError, match="^wrt: 3 is neither the name of an argument nor a Parameter$"):
        lt.grad(lambda x: x, wrt=3)(1.0)
    with pytest.raises(TypeError, match="^wrt: 0 is neither the name of an argument nor a Parameter: write wrt='[a-z]+'$"):
        lt.grad(lambda x: x, wrt=0)(1.0)
    net = lt.Module()
    for whole, name in ((net, "Module"), (net.parameters(), "dict")):
        with pytest.raises(TypeError, match=f"^wrt: a {name} is neither .*: leave wrt out, and the gradients are those of every Parameter"):
            lt.grad(lambda x: x, wrt=whole)(1.0)
    assert lt.grad(lambda x: x // 0.3 + (x > 1))(2.0) == 0
    assert lt.grad(lt.sqrt)(0.0) == np.inf


weights = lt.Parameter((2,), lt.init.fill(1.0), name="weights")


def weighted(x, y):
    return lt.sum(weights * x) * y


@pytest.mark.parametrize("of", [lambda f: f, lt.function])
@pytest.mark.parametrize("wrt, name", [(("x", "y", "x"), "x"), ([weights, "y", weights], "weights")])
def test_what_is_named_twice(of, wrt, name):
    with pytest.raises(ValueError, match=f"^wrt: '{name}' is named twice$"):
        lt.grad(of(weighted), wrt=wrt)(1.0, 2.0)


class Counting(lt.Module):
    def __init__(self):
        self.scale = lt.Variable(shape=(2,), init=lt.init.fill(1.0), dtype="f64")
        self.w = lt.Parameter((2,), lt.init.fill(2.0), dtype="f64")

    def scaled(self, x):
        y = self.scale * x * x
        self.scale.assign(self.scale + 4.0)
        return lt.sum(y)

    def stepped(self, x):
        y = self.w * x * x
        lt.optim.SGD(1.0).step(Gradients({self.w: np.ones(2)}))
        return lt.sum(y)

    def changed(self, x):
        y = self.w * x
        self.w.assign(np.ones(2))
        return lt.sum(y + self.w * x)


def test_gradients_of_parameters_are_no_array():
    """NumPy goes through them, and would compute with the parameters."""
    weight = lt.Parameter(2, np.array([2.0, 4.0]), dtype="f64")
    gradients = lt.grad(lambda x: lt.sum(weight * x))(np.array([3.0, 5.0]))
    for wrong in (lambda: gradients * np.ones(2), lambda: lt.sum(gradients), lambda: lt.norm(gradients), lambda: np.asarray(gradients)):
        with pytest.raises(TypeError, match=r"no array: each parameter has its own, g\[parameter\]"):
            wrong()


@functools.singledispatch
def doubled(x):
    return 3.0 * x


@doubled.register
def _(x: float):
    return 2.0 * x


def test_what_a_value_is_is_asked_as_without_a_derivative():
    """The function goes the way that it goes without one."""
    vector = np.array([1.0, 2.0])
    for x, is_so in ((1.5, lambda x: isinstance(x, float)), (1.5, np.isscalar), (1.5, lambda x: isinstance(x, numbers.Real)), (1.5, lambda x: not x.is_integer()),
                     (vector, lambda x: isinstance(x, np.ndarray)), (vector, lambda x: isinstance(x[0], np.floating)), (vector, lambda x: not np.isscalar(x))):
        f = lambda x: lt.sum(2.0 * x if is_so(x) else 3.0 * x)     # noqa: B023
        np.testing.assert_array_equal(lt.grad(f)(x), 2.0 * np.ones_like(x))
        np.testing.assert_array_equal(lt.jvp(f, (x,), (np.ones_like(x)[()] * 1.0 if np.ndim(x) else 1.0,))[1], 2.0 * np.size(x))
    assert lt.grad(doubled)(1.5) == lt.grad(lambda x: lt.grad(lambda x: doubled(x) * x)(x))(1.5) / 2 == 2.0
    assert lt.grad(lambda x: x.real * x + x.imag)(1.5) == 3.0
    for looked_up in (lambda x: x in {1.5}, lambda x: {1.5: 1.0}.get(x), lambda x: functools.lru_cache(lambda x: x)(x)):
        with pytest.raises(TypeError, match="no key of a dict, no element of a set"):     # which go by the number, and would find nothing
            lt.grad(lambda x, looked_up=looked_up: 2.0 * x if looked_up(x) else 3.0 * x)(1.5)


def test_lists_and_tuples_are_arrays():
    """As NumPy's functions take them, also where a derivative is taken."""
    for f in (lt.sum, lt.mean, lt.norm, lt.logsumexp, lambda x: lt.max(lt.softmax(x)), lambda x: lt.sum(lt.gelu(x)), lambda x: lt.sum(lt.sort(x)),
              lambda x: lt.cross_entropy(x, 1), lambda x: lt.sum(lt.maximum(x, [1.0, 3.0])), lambda x: lt.dot(x, (1.0, 2.0)), lambda x: lt.sum(lt.exp([x, x]))):
        of_list = lt.value_and_grad(lambda x, f=f: f([x, x * x]))(1.5)
        of_array = lt.value_and_grad(lambda x, f=f: f(lt.stack([x, x * x])))(1.5)
        np.testing.assert_allclose(of_list, of_array, rtol=1e-12)
        np.testing.assert_allclose(f((1.5, 2.25)), of_list[0], rtol=1e-12)


def test_lists_among_what_is_joined():
    for x in (np.array([2.0, 3.0]), 2.0 * np.ones(2, np.float32)):
        assert lt.concat(x, [1.0]).tolist() == [*x, 1.0] and lt.stack([[1.0, x[0]]]).shape == (1, 2)
    assert lt.grad(lambda x: lt.sum(lt.concat([x, 2.0], lt.stack([[x * x, 1.0]])[0]) ** 2))(3.0) == 2 * 3 + 4 * 27


def test_numpys_functions_of_arrays_of_objects():
    """`np.array` of what is recorded: NumPy's operators meet it beside recorded values."""
    def f(a):
        rows = np.array([a[0] * a[1], 2.0, a[1]])
        grams = np.array([[x @ y for y in a[:, None]] for x in a[:, None]])
        return np.sum((rows - a[0]) ** 2) + np.sum((a[0] * np.eye(2) + grams) ** 3)
    gradient, step = lt.grad(f)(V[:2]), 1e-6
    for i in range(2):
        e = np.eye(2)[i] * step
        assert gradient[i] == pytest.approx((f(V[:2] + e) - f(V[:2] - e)) / (2 * step), rel=1e-6)


def test_numpys_arrays_and_parameters():
    w, total = lt.Parameter(2, lt.init.fill(3.0), dtype="f64"), np.ones(2)
    alias = total
    total += w
    total *= w
    assert alias is total and total.tolist() == [12.0, 12.0]
    with pytest.raises(TypeError, match="puts a recorded value into an array that is none: write a = a [+] b.*lt.grad"):
        lt.grad(lambda: np.sum(np.add(total, w, out=total)), wrt=w)()


def test_what_a_derivative_has_read_may_change_behind_it():
    model, x = Counting(), np.array([3.0, 5.0])
    np.testing.assert_array_equal(lt.grad(model.scaled, wrt="x")(x), 2 * x)
    np.testing.assert_array_equal(model.scale.value, [5.0, 5.0])
    np.testing.assert_array_equal(lt.grad(model.stepped, wrt="x")(x), 4 * x)
    np.testing.assert_array_equal(model.w.value, [1.0, 1.0])


def test_what_a_derivative_is_with_respect_to_does_not_change():
    model = Counting()
    with pytest.raises(TypeError, match="'w' is changed within what is differentiated with respect to it: update it before or after the gradient is taken"):
        lt.grad(model.changed, wrt=model.w)(np.array([3.0, 5.0]))


def of_changed(a, function):
    copy = np.array(a * 1.0)
    copy[0] = 3
    return function(copy)


@pytest.mark.parametrize("f, words", [
    (lambda a: np.sum(np.exp(np.array([a[0], a[1]]))), r"np.array has made an array of Python's objects.*lt.stack"),
    (lambda a: np.sum(of_changed(a, lambda x: np.hypot(x, 2.0))), r"np.array has made an array of Python's objects.*lt.function"),
    (lambda a: np.sum(of_changed(a, np.tanh)), r"np.array has made an array of Python's objects.*lt.function"),
    (lambda a: np.sum(of_changed(a, lambda x: np.copysign(x, 1.0))), r"np.array has made an array of Python's objects.*lt.function"),
    (lambda a: np.mean([a[0] * 2, a[1]]), r"float\(\) would lose the derivative.*lt.stack"),
])
def test_what_numpy_does_with_objects_says_what_to_write(f, words):
    for derivative in (lt.grad(f), lambda a: lt.jvp(f, (a,), (a,))):
        with pytest.raises(TypeError, match=words):
            derivative(V)


def test_ufuncs_of_a_numpy_that_says_no_signature(monkeypatch):
    """As those before 2.4."""
    signature = inspect.signature

    def of_older(function, **keywords):
        if isinstance(function, np.ufunc):
            raise ValueError(f"callable {function} is not supported by signature")
        return signature(function, **keywords)
    monkeypatch.setattr(inspect, "signature", of_older)
    assert lt.grad(np.sin)(0.5) == np.cos(0.5)
    assert lt.value_and_grad(np.multiply, wrt="x2")(3.0, 2.0) == (6.0, 3.0)
    with pytest.raises(ValueError):
        signature_of(max)
