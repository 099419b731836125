"""`lt.extern`: functions of C++'s and their pullbacks, compiled, and their likes in Python where nothing is."""
import pathlib
import subprocess

import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

X = np.array([0.3, -1.2, 0.8])
HEADER = "softsign.h"


def soft_in_python(x):
    return x / (1 + abs(x))


def soft_pullback_in_python(x, y, y_adj):
    return y_adj / (1 + abs(x))**2


soft = lt.extern("signs::soft", HEADER, lambda x: x, "signs::soft_pullback", soft_in_python, soft_pullback_in_python)
only_in_cpp = lt.extern("signs::soft", HEADER, float)
length = lt.extern("signs::length_of", HEADER, int, python=len)


def peak_in_python(x, by, start):
    at = start + int(np.argmax(x[start:]))
    return float(x[at] * by), at


peak = lt.extern("signs::peak", HEADER, (float, int), "signs::peak_pullback", peak_in_python,
                 lambda x, by, start, y, at, y_adj: (np.where(np.arange(len(x)) == at, y_adj * by, 0.0), float(y_adj * x[at])))


def of_a_number(x: float):
    y = x
    for _ in lt.range(3):
        if y > 0.1:
            y = soft(y) * x
        else:
            y = y + x
    return y


def of_an_array(x: lt.Tensor[lt.f64, None]):
    return lt.sum(soft(x * x) * x)


def of_a_matrix(x: lt.Tensor[lt.f64, None]):
    return lt.sum(soft(lt.outer(x, x)) ** 2)


def in_a_recursion(x: float, n: int):
    if n == 0:
        return soft(x)
    return soft(in_a_recursion(x, n - 1) * x + x)


def of_several(x: lt.Tensor[lt.f64, None]):
    value, at = peak(x * x, lt.sum(x), 1)
    return value * at + value


CASES = {"number": (of_a_number, (0.7,)), "array": (of_an_array, (X,)), "matrix": (of_a_matrix, (X,)), "recursion": (in_a_recursion, (0.7, 3)),
         "several": (of_several, (X,))}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CASES)
def test_value_and_gradient(name):
    f, (x, *rest) = CASES[name]
    step, directions = 1e-6, np.eye(len(x)) if np.ndim(x) else [1.0]
    value, gradient = lt.value_and_grad(f, wrt="x")(x, *rest)
    assert value == pytest.approx(f(x, *rest))
    np.testing.assert_allclose(np.ravel(gradient), [(f(x + step * e, *rest) - f(x - step * e, *rest)) / (2 * step) for e in directions], rtol=1e-6)
    compiled = lt.function(lt.value_and_grad(f, wrt="x"))(x, *rest)
    assert compiled[0] == pytest.approx(value, rel=1e-13)
    np.testing.assert_allclose(compiled[1], gradient, rtol=1e-12)


def test_other_types():
    x = X.astype(np.float32)
    compiled = lt.function(lambda x: soft(x))(x)
    np.testing.assert_array_equal(compiled, soft(x))
    assert compiled.dtype == np.float32
    assert lt.function(lambda s: length(s) + 1)("häh") == 5 and length("four") == 4


def test_what_is_in_cpp_alone_is_compiled():
    assert lt.function(lambda x: only_in_cpp(x))(-3.0) == -0.75
    with pytest.raises(NotImplementedError, match=r"^'signs::soft' is in C\+\+: compile what calls it \(lt.function\), or give lt.extern the same in Python$"):
        only_in_cpp(-3.0)


def test_without_a_pullback_no_derivative_goes_through_it():
    def f(x: float):
        return only_in_cpp(x) * x
    with pytest.raises(lt.CoreError, match=r"no derivative is known for 'signs::soft' with respect to 'x' \[LT0503\]"):
        lt.function(lt.value_and_grad(f, wrt="x"))(2.0)
    with pytest.raises(lt.CoreError, match=r"no derivative is known for 'signs::soft' with respect to 'x' \[LT0503\]"):
        lt.function(lambda x: lt.jvp(f, (x,), (1.0,)))(2.0)
    with pytest.raises(NotImplementedError, match="'signs::soft' cannot be differentiated through"):
        lt.grad(f)(2.0)
    assert lt.function(lt.value_and_grad(lambda x: only_in_cpp(lt.stop_gradient(x)) * x, wrt="x"))(3.0) == (2.25, 0.75)


def test_its_second_derivative_is_refused():
    with pytest.raises(NotImplementedError, match="'signs::soft(_pullback)?' cannot be differentiated through"):
        lt.grad(lt.grad(lambda x: soft(x)))(2.0)
    with pytest.raises(lt.CoreError, match=r"LT0503"):
        lt.function(lambda x: lt.grad(lambda x: lt.grad(lambda x: soft(x))(x))(x))(2.0)


def test_a_pullback_that_gives_another_shape():
    wrong = lt.extern("signs::soft", HEADER, lambda x: x, "signs::too_short", soft_in_python, lambda x, y, y_adj: x[1:])

    def f(x: lt.Tensor[lt.f64, None]):
        return lt.sum(wrong(x))
    with pytest.raises(ValueError, match="an adjoint has another shape than what it is an adjoint of"):
        lt.function(lt.value_and_grad(f, wrt="x"))(X)
    with pytest.raises(TypeError, match="and the argument is an array of float64 with the shape"):
        lt.grad(f)(X)


@lt.struct
class Pair:
    a: float
    b: float


WRONG = [
    (lambda: lt.extern("system(1)", HEADER, float), TypeError, "name is 'system\\(1\\)': a function's name in C\\+\\+ is `name` or `space::name`"),
    (lambda: lt.extern("f", "nowhere.h", float), FileNotFoundError, "'f' is in 'nowhere.h', and there is no file"),
    (lambda: lt.extern("f", HEADER, str, python=len)(1.0), TypeError, "'f' cannot give <class 'str'>: numbers, lt.Tensor\\[…\\] or a tuple of such"),
    (lambda: lt.extern("f", HEADER, int, python=abs)(1.0), TypeError, "'f' in Python gave a float, and lt.extern says that it gives int"),
    (lambda: soft(Pair(1.0, 2.0)), TypeError, "argument 0 is Pair, and is passed to 'signs::soft' in C\\+\\+: numbers, strings and arrays pass"),
    (lambda: lt.function(lambda p: soft(p))(Pair(1.0, 2.0)), StagingError, "'x' is Pair, and is passed to 'signs::soft' in C\\+\\+: numbers, strings and arrays pass"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_does_not_fit(number):
    act, error, message = WRONG[number]
    with pytest.raises(error, match=message):
        act()


def test_a_header_that_has_changed_is_compiled_anew(tmp_path):
    header = tmp_path / "constant.h"
    (tmp_path / "inner.h").write_text("inline double base() { return 1.0; }\n")
    header.write_text('#include "inner.h"\ninline double shifted(double x) { return x + base(); }\n')

    def shifted(x):
        return lt.function(lambda x: lt.extern("shifted", header, float)(x))(x)
    assert shifted(1.0) == 2.0
    (tmp_path / "inner.h").write_text("inline double base() { return 10.0; }\n")
    assert shifted(1.0) == 11.0


def test_ahead_of_time(tmp_path, repository):
    (tmp_path / "twice.h").write_text("inline double twice(double x) { return 2 * x; }\n")
    (tmp_path / "net.py").write_text('import lantern as lt\ntwice = lt.extern("twice", "twice.h", float)\n\n\n'
                                       "@lt.export\ndef f(x: float):\n    lt.print(twice(x) + 1.0)\n    return twice(x)\n")
    command = repository / "build" / "bin" / "lantern"
    ran = subprocess.run([command, "run", tmp_path / "net.py", "f", "--x", "4"], capture_output=True, text=True)
    assert (ran.stderr, ran.stdout) == ("", "9.0\n8.0\n")
    subprocess.run([command, "compile", tmp_path / "net.py", "-o", tmp_path / "out"], check=True)
    text = (tmp_path / "out" / "net.cpp").read_text()
    assert '#include "twice.h"\n' in text and "::twice(x)" in text
    subprocess.run([command, "compile", tmp_path / "net.py", "--emit", "sexpr", "-o", tmp_path / "out"], check=True)
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run([command, "compile", tmp_path / "out" / "net.sexpr", "--emit", "so"], check=True, capture_output=True)
    (tmp_path / "out" / "twice.h").write_text((tmp_path / "twice.h").read_text())
    subprocess.run([command, "compile", tmp_path / "out" / "net.sexpr", "--emit", "so"], check=True, capture_output=True)


@pytest.fixture
def repository():
    return pathlib.Path(__file__).resolve().parents[3]
