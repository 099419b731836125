"""`lt.py_function`: a compiled program calls back into Python, in program order, and as if nothing had been compiled."""
import os
import subprocess
import sys
import threading
import traceback
import warnings

import numpy as np
import pytest

import lantern as lt
from lantern.exceptions import CoreError
from lantern.staging.errors import StagingError


@lt.struct
class Pair:
    a: float
    b: float


SEEN = []
SMALL = np.float32(2) ** np.float32(-140)      # a number that Lantern's own arithmetic takes for zero


def seen(*values):
    SEEN.append(values)


def mixed(x, n, b, s, v, m):
    assert [type(value) for value in (x, n, b, s)] == [float, int, bool, str]
    assert v.dtype == np.float32 and m.dtype == np.int64 and m.shape == (2, 2)
    return x + n + b + len(s) + float(v.sum()) + float(m.sum())


def every_type(x: float, n: int, b: bool, s: str, v: lt.Tensor[None], m: lt.Tensor[lt.i64, 2, 2]):
    total = lt.py_function(mixed, (x * 2, n + 1, not b, s + "!", v * 2, m + 1), float)
    text = lt.py_function(lambda s: s.upper() + "é\0", (s,), str)
    whole = lt.py_function(lambda v: len(v), [v], int)
    flag = lt.py_function(lambda n: n > 1, (n,), bool)
    vector = lt.py_function(lambda n: np.arange(n, dtype=np.float64), (n,), lt.Tensor[lt.f64, None])
    matrix = lt.py_function(lambda v: np.outer(v, v), (v,), lt.Tensor[lt.f32, None, None])
    scalar = lt.py_function(lambda v: v.max(), (v,), lt.types.TensorType("f32"))
    single = lt.py_function(lambda: np.float32(0.5), (), np.float32)
    return total, text, whole, flag, vector * 2, lt.sum(matrix), scalar, single


ARGUMENTS = (1.5, 3, True, "ab", np.array([1, -2, 4], np.float32), np.arange(4).reshape(2, 2))


def test_numbers_text_and_arrays_pass_both_ways():
    expected = every_type(*ARGUMENTS)
    results = lt.function(every_type)(*ARGUMENTS)
    assert results[1] == "AB\u00e9\0" and results[2:4] == (3, True)
    for result, wanted in zip(results, expected):
        assert np.asarray(result).dtype == np.asarray(wanted).dtype
        np.testing.assert_array_equal(result, wanted)


def test_it_is_called_each_time_and_in_program_order(capfd):
    def program(n: int):
        total = 0
        for i in range(n):
            if i % 2 == 0:
                print("turn", i)
                lt.py_function(lambda i: print("python", i, flush=True), (i,), None)
            else:
                total = total + lt.py_function(lambda i: SEEN.append(i) or len(SEEN), (i,), int)
        return total
    outcomes = []
    for function in (program, lt.function(program), lt.function(program)):
        SEEN.clear()
        capfd.readouterr()
        outcomes.append((function(6), list(SEEN), capfd.readouterr().out))
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert outcomes[0][1] == [1, 3, 5] and outcomes[0][2].splitlines()[:2] == ["turn 0", "python 0"]


def test_what_is_printed_is_in_program_order_where_it_waits_in_buffers(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("""
import lantern as lt

def program(n: int):
    for i in range(n):
        print("turn", i)
        lt.py_function(lambda i: print("python", i), (i,), None)
    return n

lt.function(program)(3)
print("behind")
""", "utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([sys.executable, script], env={**environment, "PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True, text=True)
    assert done.stdout.split() == "turn 0 python 0 turn 1 python 1 turn 2 python 2 behind".split(), done.stderr


def test_it_is_called_in_a_recursion_and_under_a_static_condition():
    def down(n: int, f: lt.static[object]):
        if n == 0:
            return 0
        return lt.py_function(f, (n,), int) + down(n - 1, f)
    assert lt.function(down)(4, lambda n: n * n) == down(4, lambda n: n * n) == 30
    assert lt.function(down)(2, lambda n: n) == 3


def test_arrays_arrive_as_copies_that_cannot_be_written_to():
    kept = []

    def keep(v):
        kept.append(v)
        v[0] = 1.0

    def program(v):
        lt.py_function(keep, (v,), None)
        return v
    for function in (program, lt.function(program)):
        with pytest.raises(ValueError, match="read-only"):
            function(np.zeros(2))
    np.testing.assert_array_equal(kept[0], kept[1])


def test_a_result_does_not_change_behind_the_programs_back():
    memory = np.zeros(2)

    def fill(x):
        memory[:] = x
        return memory

    def program(x: float):
        a = lt.py_function(fill, (x,), lt.Tensor[lt.f64, 2])
        b = lt.py_function(fill, (x + 1,), lt.Tensor[lt.f64, 2])
        return a, b
    for function in (program, lt.function(program)):
        a, b = function(1.0)
        assert a.tolist() == [1, 1] and b.tolist() == [2, 2]


class Problem(Exception):
    pass


PROBLEM = Problem("mine")


def raising(n):
    if n > 2:
        raise PROBLEM
    return n


def test_an_exception_is_the_callers_as_it_is_and_leaves_nothing_behind():
    @lt.function
    def program(n: int, v):
        big = lt.zeros(100_000) + v[0]
        total = 0
        for i in range(n):
            total = total + lt.py_function(raising, (i,), int)
        return total, lt.sum(big)
    v = np.ones(1, np.float32)
    for _ in range(200):
        with pytest.raises(Problem) as caught:
            program(5, v)
        assert caught.value is PROBLEM
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert frames[-1].name == "raising" and frames[-1].line == "raise PROBLEM"
        PROBLEM.__traceback__ = None
    assert program(3, v) == (3, 100_000)
    with pytest.raises(KeyboardInterrupt):
        lt.function(stopping)(1.0)


def stop(x):
    raise KeyboardInterrupt


def stopping(x: float):
    return lt.py_function(stop, (x,), float)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("type_, value, text", [
    (float, 1, "'wrong' returned a int, and py_function says that it gives float"),
    (int, True, "'wrong' returned a bool, and py_function says that it gives int"),
    (int, 2.0, "'wrong' returned a float, and py_function says that it gives int"),
    (str, None, "'wrong' returned None, and py_function says that it gives str"),
    (None, 1, "'wrong' returned a int, and py_function says that it gives None"),
    (lt.Tensor[lt.f32, None], np.zeros(2), "'wrong' returned an array of float64 with the shape (2,), and py_function says that it gives lt.Tensor[lt.f32, None]"),
    (lt.Tensor[lt.f64, None], np.zeros((2, 1)), "'wrong' returned an array of float64 with the shape (2, 1), and py_function says that it gives lt.Tensor[lt.f64, None]"),
    (lt.Tensor[lt.f64, 3], np.zeros(2), "'wrong' returned an array of float64 with the shape (2,), and py_function says that it gives lt.Tensor[lt.f64, 3]"),
    (lt.Tensor[lt.f64, 1], [1.0], "'wrong' returned a list, and py_function says that it gives lt.Tensor[lt.f64, 1]"),
    (int, 2**63, "'wrong' returned 9223372036854775808, which does not fit in 64 bits"),
])
def test_a_result_of_another_type_is_an_error_at_the_call(type_, value, text):
    def wrong(x):
        return value

    def program(x: float):
        y = lt.py_function(wrong, (x,), type_)
        return x if y is None else y
    kind = OverflowError if "64 bits" in text else TypeError
    with pytest.raises(kind) as eager:
        program(1.0)
    assert str(eager.value) == text
    with pytest.raises(kind) as compiled:
        lt.function(program)(1.0)
    line = program.__code__.co_firstlineno + 1
    assert str(compiled.value) == f"test_py_function.py:{line}:13: {text}"


def test_what_does_not_pass_is_refused():
    def structure(p: Pair):
        return lt.py_function(seen, (p,), None)

    def several(xs: list[float]):
        return lt.py_function(seen, (xs,), None)
    with pytest.raises(StagingError) as caught:
        lt.function(structure)(Pair(1.0, 2.0))
    line = structure.__code__.co_firstlineno + 1
    assert str(caught.value) == (
        f"{__file__}:{line}:16: error LT0310: 'p' is Pair, and is passed to 'seen' in Python\n"
        "          return lt.py_function(seen, (p,), None)\n"
        "                 ^\n"
        "  hint: numbers, strings and arrays pass: pass its fields or elements")
    with pytest.raises(StagingError, match="'xs' is list.float., and is passed to 'seen' in Python"):
        lt.function(several)([1.0])
    with pytest.raises(TypeError, match="argument 0 of 'seen' is Pair, which py_function does not pass"):
        structure(Pair(1.0, 2.0))
    with pytest.raises(TypeError, match=r"py_function cannot give <class 'dict'>"):
        lt.py_function(seen, (), dict)
    with pytest.raises(TypeError, match=r"py_function takes the arguments of 'seen' as a tuple or a list, not as a float"):
        lt.py_function(seen, 1.0, None)
    with pytest.raises(TypeError, match=r"py_function calls a function, not a int"):
        lt.py_function(1, (), None)


def twice(x):
    return 2 * x


def through(x: float):
    return lt.py_function(twice, (x,), float) * x


def beside(x: float):
    lt.py_function(seen, (x,), None)
    return lt.py_function(twice, (lt.stop_gradient(x),), float) * x


def test_no_gradient_goes_through_it():
    with pytest.raises(NotImplementedError, match="'twice' cannot be differentiated through: use lt.stop_gradient"):
        lt.value_and_grad(through)(3.0)
    with pytest.raises(CoreError) as caught:
        lt.function(lt.value_and_grad(through))(3.0)
    line = through.__code__.co_firstlineno + 1
    assert f":{line}:" in str(caught.value) and "no derivative is known for 'twice' with respect to 'x'" in str(caught.value)
    SEEN.clear()
    assert lt.value_and_grad(beside)(3.0) == lt.function(lt.value_and_grad(beside))(3.0) == (18.0, 6.0)
    assert SEEN == [(3.0,), (3.0,)]


def test_a_program_that_is_compiled_ahead_of_time_has_no_python(tmp_path):
    from lantern.staging import entry
    with pytest.raises(StagingError) as caught:
        entry.stage_entries([through])
    line = through.__code__.co_firstlineno + 1
    assert str(caught.value) == (
        f"{__file__}:{line}:12: error LT0316: 'twice' is to be called by Python, and a program that is compiled ahead of time has none\n"
        "      return lt.py_function(twice, (x,), float) * x\n"
        "             ^\n"
        "  hint: compile it in Python, by lt.function, or call 'twice' itself, so that it is staged")


def test_cpp_that_stands_alone_has_no_python():
    from lantern import core
    text = '(define f ((x f64)) -> f64 (py-function f64 "twice" x))\n(export f (x (required) ""))\n'
    assert 'call_host<double>("twice"' in core.compile(text, "f.sexpr", {"emit": "cpp"})
    with pytest.raises(CoreError) as caught:
        core.compile(text, "f.sexpr", {"emit": "files"})
    assert "f.sexpr:1:28: error: 'twice' is called back in Python, and C++ that stands alone has none" in str(caught.value)
    assert caught.value.diagnostics[0]["code"] == "LT0507"


class OwnError(Exception):
    pass


@pytest.mark.parametrize("handled", [ValueError, OwnError, Exception])
def test_a_try_around_it_is_refused(handled):
    def program(x: float):
        try:
            y = lt.py_function(twice, (x,), float)
        except handled:
            y = 0.0
        return y
    with pytest.raises(StagingError, match="LT0313"):
        lt.function(program)(1.0)


@lt.function
def inner(n: int, v):
    if n == 0:
        return lt.sum(v / 0.0)
    assert n != 3, "three"
    return lt.sum(v) + inner(n - 1, v * 2)


def test_compiled_functions_are_called_within_it():
    """The inner program has a stack, an arena and errors of its own."""
    v = np.ones(1000, np.float32)

    def call(n, x):
        try:
            return float(inner(n, v + x))
        except AssertionError as error:
            return float(len(str(error)))

    def program(n: int, x: float):
        before = lt.zeros(1000) + x
        total = 0.0
        for i in range(n):
            total = total + lt.py_function(call, (i + 1, x), float)
        return total, lt.sum(before)
    fast = lt.function(program)
    with np.errstate(all="ignore"):
        assert fast(4, 1.0) == program(4, 1.0)
    again = lt.function(program)        # the same object, another instance

    def nested(x):
        return float(again(2, x)[1])
    outermost = lt.function(lambda x: lt.py_function(nested, (x,), float) + 1.0)
    assert outermost(2.0) == 2001.0


def test_a_program_is_not_entered_again_by_what_it_calls():
    def back(x):
        return again(x)

    @lt.function
    def again(x: float):
        return lt.py_function(back, (x,), float)
    with pytest.raises(RuntimeError, match="'again' is called by a Python function that it has itself called"):
        again(1.0)


def test_python_runs_with_its_own_arithmetic():
    def halved(x):
        return float(x / np.float32(2))

    def program(v):
        return lt.py_function(halved, (v[0],), float)
    v = np.array([SMALL])
    assert program(v) == lt.function(program)(v) > 0


def test_threads_wait_for_their_turn():
    def slow(x):
        threading.Event().wait(0.01)
        return x + threading.get_ident() * 0

    @lt.function
    def program(x: float):
        return lt.py_function(slow, (x,), float)
    results = {}
    program(0.0)
    threads = [threading.Thread(target=lambda k=k: results.update({k: program(float(k))})) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {k: float(k) for k in range(8)}


def test_parameters_pass_as_their_values():
    class Model(lt.Module):
        def __init__(self):
            self.w = lt.Parameter((2,), np.array([1.0, 2.0]))

        def total(self, x):
            return lt.py_function(lambda w: float(w.sum()), (self.w,), float) * x
    model = Model()
    assert lt.function(model.total)(2.0) == model.total(2.0) == 6.0


def test_eager_it_just_calls():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert lt.py_function(twice, (2,), int) == 4
    with pytest.raises(Problem):
        lt.py_function(raising, (3,), int)
