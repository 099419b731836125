"""Threads: each stages and differentiates for itself, whatever the others do meanwhile."""
import gc
import os
import pathlib
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import lantern as lt
import lantern.autograph as ag
from lantern import compiled, dispatch, syntax
from lantern.exceptions import CoreError
from lantern.staging.errors import StagingError


def test_threads_that_compile_one_program_at_once_do_not_take_each_others_files(tmp_path, monkeypatch):
    """Each comes to the C++ compiler, which there is none."""
    monkeypatch.setenv("LANTERN_CACHE", str(tmp_path))
    monkeypatch.setenv("LANTERN_PREPARED", "none")
    monkeypatch.setenv("LANTERN_CXX", "/bin/false")
    errors = []

    def build(text, together):
        together.wait()
        try:
            compiled.build(text, "f.sexpr", "f")
        except CoreError as error:
            errors.append(error.diagnostics[0]["code"])
    for turn in range(40):
        together = threading.Barrier(6)
        threads = [threading.Thread(target=build, args=(f"(define f ((x f64)) (+ x {turn}.0)) (export f)", together)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == ["LT0601"] * 240


def beside(first, second):
    """Runs `second` in a thread of its own while `first` stands at its call of `pause`; their results."""
    arrived, done, results = threading.Event(), threading.Event(), {}

    @ag.do_not_convert
    def pause():
        arrived.set()
        assert done.wait(60)

    def run(name, function, *arguments):
        try:
            results[name] = function(*arguments)
        except BaseException as error:
            results[name] = error
        finally:
            arrived.set()

    def other():
        assert arrived.wait(60)
        run("second", second)
        done.set()
    threads = [threading.Thread(target=run, args=("first", first, pause)), threading.Thread(target=other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results["first"], results["second"]


class Model(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((3,), np.array([1.0, 2.0, 3.0], np.float32))

    def loss(self, x):
        return lt.sum(lt.square(self.w * x))


def plain(n):
    """Whatever operators there are, on nothing that is staged."""
    model, log, total = Model(), [], 0
    frozen = lt.zeros(2)
    for i in range(n):
        if i % 2 and not i > 7 or i in (0, 4):
            total += i
            log.append(f"{i:>3}")
        else:
            log[-1] += "!"
    while total > 3:
        total -= 2
    try:
        frozen[0] = 1.0
    except ValueError as error:
        log.append(str(error))
    try:
        frozen += 1
    except ValueError as error:
        log.append(str(error))
    a, *b = log
    model.w.assign(model.w.value * 2)
    value = lt.sum(model.w) + lt.uniform(0.0, 1.0, (2,)).size
    print(total, len(b))
    assert total < 4, "small"
    squares = {k: v for k, v in zip(range(3), (j * j for j in range(3)))}
    return log, total, a, b, float(value), squares, str(lt.zeros(2).dtype), model.w.value.tolist()


def staged(x: float, pause: lt.static[object]):
    if x > 0:
        pause()
        y = x * 2
    else:
        y = -x
    return y


def test_plain_code_runs_plainly_while_another_thread_stages(capsys):
    expected = plain(9), capsys.readouterr().out
    twin = ag.to_graph(plain)
    assert twin is not plain
    first, second = beside(lambda pause: lt.function(staged, dtype="f64")(3.0, pause), lambda: twin(9))
    assert (first, (second, capsys.readouterr().out)) == (6.0, expected)
    assert dispatch.tracing is None


def test_two_threads_stage_two_functions():
    def other(x: float, n: int):
        total = 0.0
        for i in range(n):
            total = total + lt.sum(lt.zeros(2) + x) * i
        return total
    limit = sys.getrecursionlimit()
    texts = [lt.function(other).text(1.5, 3)]
    first, second = beside(lambda pause: lt.function(staged)(3.0, pause), lambda: lt.function(other).text(1.5, 3))
    assert first == 6.0 and second == texts[0]
    assert sys.getrecursionlimit() >= limit and dispatch.tracing is None


def test_many_threads_stage_at_once():
    def made(k):
        def f(x: float, n: int):
            for i in range(n):
                x = x * k if i % 2 else x + k
            return x
        return f
    results, barrier = {}, threading.Barrier(6)

    def run(k):
        barrier.wait()
        results[k] = lt.function(made(k)).text(1.0, 3)
    threads = [threading.Thread(target=run, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {k: lt.function(made(k)).text(1.0, 3) for k in range(6)}
    assert dispatch.tracing is None


def test_many_threads_parse_at_once():
    """Where collecting garbage lets another thread go on in the middle of a tree: Python's own parser then fails, before 3.11.5."""
    class Litter:
        def __init__(self):
            self.itself = self

        def __del__(self):
            for _ in range(20):
                pass

    def collected(phase, _):
        if phase == "stop":
            Litter()
    text, trees = "def f(x):\n    return [x + 1, (lambda y: y * 2)(x)]\n" * 50, []
    before = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(20)
    sys.setswitchinterval(1e-6)
    gc.callbacks.append(collected)
    try:
        threads = [threading.Thread(target=lambda: trees.extend(syntax.parse(text) for _ in range(20))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.callbacks.remove(collected)
        gc.set_threshold(*before[0])
        sys.setswitchinterval(before[1])
    assert [len(tree.body) for tree in trees] == [50] * 120


def test_a_staged_value_in_another_thread_is_refused():
    kept = []

    @ag.do_not_convert
    def keep(x):
        kept.append(x)

    def leaking(x: float, pause: lt.static[object]):
        keep(x)
        pause()
        return x

    def take():
        value = kept[0]
        for use in (lambda: value + 1, lambda: lt.exp(value), lambda: np.exp(value), lambda: bool(value), lambda: value if value else 1):
            with pytest.raises(StagingError):
                use()
        return "refused"
    first, second = beside(lambda pause: lt.function(leaking)(1.0, pause), take)
    assert second == "refused"
    with pytest.raises(StagingError, match="LT0304.*'x' is known only when its program runs, and is used after the program was staged"):
        kept[0] * 2


def test_each_thread_records_its_own_derivative():
    model, barrier, results = Model(), threading.Barrier(2), {}

    def run(k):
        def loss(x):
            barrier.wait()
            value = model.loss(x)
            barrier.wait()
            return value + 0.0 * lt.sum(model.w)
        value, gradients = lt.value_and_grad(loss)(np.float32(k))
        results[k] = value, gradients[model.w].tolist()
    threads = [threading.Thread(target=run, args=(k,)) for k in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {1: (14.0, [2, 4, 6]), 2: (56.0, [8, 16, 24])}


def test_eager_is_of_one_thread():
    @lt.function
    def is_compiled(x: float):
        return x + 1.0 if dispatch.is_staged(x) else x
    with lt.eager():
        assert beside(lambda pause: pause(), lambda: is_compiled(2.0)) == (None, 3.0)
        assert is_compiled(2.0) == 2.0


TEN = pathlib.Path(__file__).with_name("ten_threads.py")


def ten_threads(**environment):
    """What the program says, on both streams."""
    done = subprocess.run([sys.executable, TEN] if "LD_PRELOAD" not in environment else ["setarch", "-R", sys.executable, TEN], text=True, timeout=300,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout


@pytest.mark.parametrize("schedule", ["depth-first", "batched"])
def test_ten_threads_call_one_function(schedule):
    assert ten_threads(LANTERN_SCHEDULE=schedule) == "wrong: []\n"


@pytest.mark.skipif("LANTERN_TSAN" not in os.environ, reason="make tsan runs it: the runtime has to be compiled anew")
@pytest.mark.parametrize("schedule", ["depth-first", "batched"])
def test_ten_threads_call_one_function_under_the_thread_sanitizer(schedule, tmp_path):
    library = subprocess.run(["g++", "-print-file-name=libtsan.so"], capture_output=True, text=True, check=True).stdout.strip()
    (tmp_path / "suppressions").write_text("race:_dl_deallocate_tls\n")     # the loader frees the memory of a thread that has ended
    said = ten_threads(LANTERN_SCHEDULE=schedule, LD_PRELOAD=library, LANTERN_CXX="g++", LANTERN_CXXFLAGS="-O1 -g -fsanitize=thread",
                       TSAN_OPTIONS=f"report_thread_leaks=0 suppressions={tmp_path / 'suppressions'} print_suppressions=0")
    assert said == "wrong: []\n"


def test_other_threads_run_while_compiled_code_does():
    @lt.function
    def spin(n: int):
        x = 1.0
        for _ in range(n):
            x = x * 0.999 + 0.5
        return x
    spin(1)     # compiled
    n, seconds = 1000, 0.0
    while seconds < 0.5:
        n *= 4
        begun = time.monotonic()
        spin(n)
        seconds = time.monotonic() - begun
    thread, ticks, first = threading.Thread(target=spin, args=(n,)), 0, time.monotonic()
    thread.start()
    while thread.is_alive():
        time.sleep(0.005)
        ticks += 1
    assert ticks > 10 * (time.monotonic() - first)      # one, if the interpreter were held
