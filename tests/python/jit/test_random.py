"""Draws of compiled programs: the numbers of the eager run, by the stream and by keys, whatever carries the keys."""
import signal
import threading

import numpy as np
import pytest

import lantern as lt
from lantern import philox


def everything(key: int, n: int, x: lt.Tensor[lt.f32, None, None]):
    one, two = lt.random.split(key)
    keys = lt.random.split(two, n)
    return (one, keys, lt.random.fold_in(key, n), lt.random.key(n), lt.random.uniform(one, dims=(n, 3)), lt.random.uniform(one, -2.0, 5.0, (7,), "f64"),
            lt.random.normal(keys[0], dims=(n,)), lt.random.normal(keys[1], 1.0, 3.0, (2, n), "f64"), lt.random.truncated_normal(one, dims=(9, n)),
            lt.random.truncated_normal(two, 3.0, 0.5, (n,), "f64"), lt.random.bernoulli(key, 0.25, (n, n)), lt.random.uniform(key), lt.random.normal(key, dtype="f64"),
            lt.random.randint(key, -n, 3 * n, (n, 2)), lt.random.randint(one, 5, 6), lt.random.randint(two, 0, 2**40),
            lt.dropout(x, 0.4, one), lt.dropout(x, 0.0, one), lt.dropout(x[0], 1 - 1.0 / n, two), lt.dropout(float(n), 0.5, key))


@pytest.mark.parametrize("key, n", [(7, 5), (-(2**63), 2), (2**63 - 1, 1030)])
def test_draws_by_a_key_are_those_of_the_eager_run(key, n):
    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    for ours, theirs in zip(lt.function(everything)(key, n, x), everything(key, n, x)):
        assert np.asarray(ours).dtype == np.asarray(theirs).dtype
        if np.asarray(ours).dtype.kind == "f":
            np.testing.assert_allclose(ours, theirs, rtol=2e-6 if np.asarray(ours).dtype == np.float32 else 1e-13, atol=1e-14)
        else:
            np.testing.assert_array_equal(ours, theirs)


def test_uniform_numbers_and_masks_are_the_same_bits():
    def draw(key: int, x: lt.Tensor[lt.f64, None]):
        return lt.random.uniform(key, dims=(1000,)), lt.random.uniform(key, dims=(1000,), dtype="f64"), lt.dropout(x, 0.3, key)
    for ours, theirs in zip(lt.function(draw)(11, np.ones(1000)), draw(11, np.ones(1000))):
        np.testing.assert_array_equal(ours, theirs)


def test_keys_pass_through_loops_recursion_arrays_and_structures():
    @lt.struct
    class Seeded:
        key: int
        scale: float

    def walk(key, depth):
        if depth == 0:
            return lt.item(lt.random.normal(key, dtype="f64"))
        left, right = lt.random.split(key)
        return walk(left, depth - 1) - 0.5 * walk(right, depth - 1)

    def run(seeded: Seeded, n: int):
        key, total = seeded.key, 0.0
        for step in range(n):
            key = lt.random.fold_in(key, step)
            total += seeded.scale * lt.item(lt.random.uniform(key, dtype="f64"))
        for each in lt.random.split(key, n):
            total += lt.item(lt.random.uniform(each, dtype="f64"))
        return total + walk(key, n)
    for n in (0, 1, 5):
        assert lt.function(run)(Seeded(3, 2.0), n) == pytest.approx(run(Seeded(3, 2.0), n), rel=1e-12)


def test_equal_calls_give_equal_numbers():
    def twice(key: int):
        lt.random.normal(key, dims=(100,))
        return lt.random.normal(key, dims=(4,)) - lt.random.normal(key, dims=(4,))
    np.testing.assert_array_equal(lt.function(twice)(5), np.zeros(4))


def dropped(x: lt.Tensor[lt.f64, None, None], p: float, key: int):
    return lt.sum(lt.square(lt.dropout(x, p, key)) * lt.random.uniform(key, dims=(2, 3), dtype="f64"))


def moved(mean: lt.Tensor[lt.f64, None], std: float, key: int):
    z = lt.random.normal(key, mean, std, (3,), "f64")
    return lt.sum(z * z) + lt.sum(lt.random.truncated_normal(key, std, std, (2,), "f64")) + lt.sum(lt.random.uniform(key, std, 3 * std, (2,), "f64"))


@pytest.mark.parametrize("function, arguments, wrt", [
    (dropped, (np.arange(6.0).reshape(2, 3) + 1, 0.5, 3), "x"), (moved, (np.array([1.0, -2.0, 0.5]), 1.5, 3), ("mean", "std"))])
def test_derivatives_go_through_draws(function, arguments, wrt):
    compiled = lt.value_and_grad(lt.function(function), wrt=wrt)
    value, gradients = compiled(*arguments)
    eager_value, eager_gradients = lt.value_and_grad(function, wrt=wrt)(*arguments)
    assert value == pytest.approx(eager_value, rel=1e-12)
    names = (wrt,) if isinstance(wrt, str) else wrt
    for position, name in enumerate(names):
        ours, eager = (g if isinstance(wrt, str) else g[name] if isinstance(g, dict) else g[position] for g in (gradients, eager_gradients))
        np.testing.assert_allclose(ours, eager, rtol=1e-12)
        x, step = np.asarray(arguments[position], float), 1e-6
        for index in np.ndindex(x.shape):
            ends = []
            for sign in (1, -1):
                moved_x = x.copy()
                moved_x[index] += sign * step
                moved_x = moved_x if x.ndim else float(moved_x)
                ends.append(function(*arguments[:position], moved_x, *arguments[position + 1:]))
            np.testing.assert_allclose(np.asarray(ours)[index], (ends[0] - ends[1]) / (2 * step), rtol=1e-6, atol=1e-8)


def test_what_is_no_key_and_no_probability():
    def by_float(x: float):
        return lt.random.uniform(x, dims=(3,))
    with pytest.raises(Exception, match="'key-uniform' needs an integer as its key, not float"):
        lt.function(by_float)(1.0)
    with pytest.raises(TypeError):
        by_float(1.0)

    def drop(p: float, key: int):
        return lt.dropout(lt.ones(3), p, key)
    for p in (1.0, -0.1, float("nan")):
        for function in (lt.function(drop), drop):
            with pytest.raises(ValueError, match=f"the probability of dropping an element is at least 0 and below 1, not {p}"):
                function(p, 1)

    def some(n: int):
        return lt.random.split(1, n)
    for function in (lt.function(some), some):
        with pytest.raises(ValueError, match="negative dimension -1"):
            function(-1)


def test_the_stream_is_that_of_the_eager_run():
    def program(seed: int):
        lt.seed(seed)
        return (lt.uniform(-1.0, 1.0, (5,)), lt.normal(0.0, 1.0, (3,)), lt.truncated_normal(1.0, 2.0, (3, 7)), lt.bernoulli(0.3, (9,)),
                lt.uniform(0.0, 1.0), lt.normal(0.0, 1.0, (2, 3), "f64"), lt.truncated_normal(0.0, 1.0), lt.uniform(0.0, 1.0, (0,)))
    for one, other in zip(lt.function(program)(7), program(7)):
        np.testing.assert_allclose(one, other, rtol=2e-6)


def test_compiled_and_eager_draws_take_turns_at_one_stream():
    def draws(n: int):
        return lt.uniform(0.0, 1.0, (n,)), lt.normal(0.0, 1.0, (3,), "f64")

    def seeded(seed: int):
        lt.seed(seed)
        return lt.uniform(0.0, 1.0)

    def fails(x: float):
        y = lt.uniform(0.0, 1.0)
        if x > 0.0:
            raise ValueError("after a draw")
        return y

    def all_of(draws, seeded, fails):
        lt.seed(5)
        found = [*draws(3), lt.uniform(0.0, 1.0, 2), *draws(2), seeded(4), lt.uniform(0.0, 1.0)]
        lt.seed(2**63 + 5)
        with pytest.raises(ValueError, match="after a draw"):
            fails(1.0)
        return np.concatenate([np.ravel(x) for x in (*found, *draws(1))])
    plain = all_of(draws, seeded, fails)
    assert len(np.unique(plain)) == len(plain)
    np.testing.assert_allclose(all_of(*map(lt.function, (draws, seeded, fails))), plain, rtol=2e-6)


def test_python_that_a_program_calls_draws_from_its_stream():
    def within(n: int):
        return lt.uniform(0.0, 1.0, (n,), "f64")
    compiled_within = lt.function(within)

    def called(x: float) -> float:
        return float(lt.sum(compiled_within(3)) + lt.uniform(0.0, x, (), "f64"))

    def program(x: float):
        before = lt.uniform(0.0, 1.0, (), "f64")
        return before + 10.0 * lt.py_function(called, (x,), float) + 100.0 * lt.uniform(0.0, 1.0, (), "f64")
    found = []
    for function in (program, lt.function(program)):
        lt.seed(3)
        found.append((float(function(2.0)), float(lt.uniform(0.0, 1.0, (), "f64"))))
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_draws_by_a_key_leave_the_stream_to_others():
    def by_key(key: int):
        return lt.random.uniform(key), lt.random.truncated_normal(key, dims=(2,)), lt.dropout(lt.ones(3), 0.5, key)

    def by_both(key: int):
        return lt.random.uniform(key), lt.truncated_normal(0.0, 1.0)
    for function, shares in ((by_key, False), (by_both, True)):
        compiled = lt.function(function)
        compiled(1)
        ((version,),) = compiled._versions.values()
        assert (version.program._stream is not None) == shares


def test_no_two_threads_draw_the_same():
    def draws(n: int):
        return lt.uniform(0.0, 1.0, (n,), "f64")
    functions, found = [lt.function(draws) for _ in range(3)], []
    threads = [threading.Thread(target=lambda function=function: found.extend(function(4) for _ in range(50))) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(np.unique(np.concatenate(found))) == 600


def test_no_derivative_is_left_out_where_the_stream_draws():
    def drawn(mean: float):
        return lt.item(lt.normal(mean, 1.0))
    for gradient in (lt.grad(drawn, wrt="mean"), lt.grad(lt.function(drawn), wrt="mean")):
        with pytest.raises(Exception, match="'normal'"):
            gradient(1.0)


def hold_stream():
    """Another thread draws, until the function that this gives is called."""
    held, free = threading.Event(), threading.Event()

    def hold():
        with philox.stream().lock:
            held.set()
            free.wait()
    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()

    def let_go():
        free.set()
        thread.join()
    return let_go


@pytest.fixture
def interrupt():
    """Called with a function: that is called, and this thread interrupted, in a moment."""
    def raise_interrupt(number, frame):
        raise KeyboardInterrupt
    before = signal.signal(signal.SIGALRM, raise_interrupt)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.2)
    signal.signal(signal.SIGALRM, before)


def two_draws():
    return lt.item(lt.uniform(0.0, 1.0, dtype="f64")) + 10.0 * lt.item(lt.uniform(0.0, 1.0, dtype="f64"))


def test_a_call_that_waits_for_another_threads_draws_can_be_interrupted(interrupt):
    draw = lt.function(two_draws)
    draw()
    let_go = hold_stream()
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        draw()
    let_go()
    lt.seed(4)
    wanted = two_draws()
    lt.seed(4)
    assert draw() == pytest.approx(wanted, rel=1e-14)


def test_an_interrupt_behind_a_function_of_pythons_leaves_the_stream_in_order(interrupt):
    wait = []

    def between():
        drawn = lt.item(lt.uniform(0.0, 1.0, dtype="f64"))
        if wait:
            let_go = hold_stream()
            threading.Timer(0.5, let_go).start()
            interrupt()
        return drawn

    def draws():
        return lt.item(lt.uniform(0.0, 1.0, dtype="f64")) + 10.0 * lt.py_function(between, (), float) + 100.0 * lt.item(lt.uniform(0.0, 1.0, dtype="f64"))
    draw = lt.function(draws)
    draw()
    wait.append(True)
    lt.seed(4)
    with pytest.raises(KeyboardInterrupt):
        draw()
    wait.clear()
    after = two_draws()
    lt.seed(4)
    two_draws()
    assert after == two_draws()     # two have been drawn, one by the program and one by Python
    lt.seed(4)
    wanted = draws()
    lt.seed(4)
    assert draw() == pytest.approx(wanted, rel=1e-14)


def test_python_draws_and_seeds_when_another_threads_program_is_through():
    let_go, drawn = hold_stream(), []
    other = threading.Thread(target=lambda: (lt.seed(4), drawn.append(two_draws())))
    other.start()
    other.join(0.2)
    assert other.is_alive() and not drawn
    let_go()
    other.join()
    lt.seed(4)
    assert drawn == [two_draws()]


def test_a_stream_draws_from_the_unit_interval_and_the_standard_normal():
    def draws(n: int):
        lt.seed(n)
        return lt.uniform(), lt.normal(), lt.normal(dims=(3,)), lt.truncated_normal()

    def spelled(n: int):
        lt.seed(n)
        return lt.uniform(0.0, 1.0), lt.normal(0.0, 1.0), lt.normal(0.0, 1.0, (3,)), lt.truncated_normal(0.0, 1.0)

    for run in (draws, lt.function(draws)):
        assert [np.asarray(x).tolist() for x in run(3)] == [np.asarray(x).tolist() for x in spelled(3)]
